-- A server that pretends to be Redis: it has a version for each key, and sends its text as the key says. Run as: lua false_redis.lua PORT
local socket = require "socket"

local listener = assert(socket.bind("127.0.0.1", tonumber(arg[1])))

-- By key: the beginning of the answer, and the text that follows every 20 ms, without an end.
local texts = {
  drip = { "*2\r\n$1000000\r\n", "a" },
  stall = { "*2\r\n$10\r\n", "" },
  big = { "*2\r\n$900000000\r\n", ("a"):rep(100000) },
  line = { "", ("+"):rep(100000) },
  many = { "*900000000\r\n", "$1\r\na\r\n" },
  nested = { "", ("*1\r\n"):rep(10000) },
  lot = { "*nan\r\n", "$1\r\na\r\n" },
  bytes = { "*2\r\n$nan\r\n", ("a"):rep(100000) },
}

local clients = {}

-- Answers one command; from then on the key decides how that client is answered.
local function answer(client, command)
  if command:find "hmget" then
    client.way = texts[command:match "([%a]+):7"]
    client.socket:send(client.way[1])
  elseif command:find "hget" then
    client.socket:send "$3\r\n7-a\r\n"
  else
    client.socket:send "+OK\r\n"
  end
end

local function turn(client)
  local text, why, some = client.socket:receive(65536)
  text = text or some or ""
  if text ~= "" then answer(client, text) end
  if client.way then why = select(2, client.socket:send(client.way[2])) end
  return why ~= "closed"
end

listener:settimeout(0)
while true do
  local found = listener:accept()
  if found then
    found:settimeout(0)
    clients[#clients + 1] = { socket = found }
  end
  for i = #clients, 1, -1 do
    if not turn(clients[i]) then
      clients[i].socket:close()
      table.remove(clients, i)
    end
  end
  socket.sleep(0.02)
end
