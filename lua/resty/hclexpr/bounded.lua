-- A socket that limits the size of answers. A Redis client reads whatever the server sends. Through this socket, reading fails if a server
-- sends gigabytes, an endless line or large arrays.
local bundle = require "hclexpr.bundle"

local Bounded = {}
Bounded.__index = Bounded

-- Limits for all answers that one wrapped socket receives: bytes, for the text of a version and what surrounds it; and lines. Each call of
-- the store (redis.lua) wraps a socket anew.
local BYTES, LINES = bundle.MAX_BYTES + 65536, 100
-- The limit for one line, in bytes. Lines have only numbers and error messages.
local LINE = 4096

--- Wraps a cosocket.
---@param socket table
function Bounded.new(socket)
  return setmetatable({ socket = socket, bytes = BYTES, lines = LINES }, Bounded)
end

for _, name in ipairs { "settimeout", "settimeouts", "connect", "sslhandshake", "send", "setkeepalive", "getreusedtimes", "close" } do
  Bounded[name] = function(self, ...)
    return self.socket[name](self.socket, ...)
  end
end

local function too_much(what) return nil, "it answers more than rules have: " .. what end

-- Returns true if a number is within a limit. The server chooses the number, which may be NaN; comparisons with NaN are false.
local function is_within(n, most) return n <= most end

local function receive_line(self)
  self.lines = self.lines - 1
  if self.lines < 0 then return too_much(string.format("over %d lines", LINES)) end
  local read = self.socket:receiveuntil "\r\n"
  local line, why = read(LINE)
  if not line then return nil, why end
  if #line == LINE and read(1) then return too_much(string.format("a line of over %d bytes", LINE)) end
  local elements = tonumber(line:match "^%*(.*)")
  if elements and not is_within(elements, LINES) then return too_much(string.format("an array of over %d elements", LINES)) end
  return line
end

--- Receives a line, or a given number of bytes.
function Bounded:receive(size)
  if not size then return receive_line(self) end
  if not is_within(size, self.bytes) then return too_much(string.format("over %d bytes", BYTES)) end
  self.bytes = self.bytes - size
  return self.socket:receive(size)
end

return Bounded
