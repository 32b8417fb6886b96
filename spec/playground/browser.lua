-- A headless browser, controlled through the pipe on which Chromium takes commands. It is ended by its own process number.
local cjson = require "cjson"

local browser = {}
browser.__index = browser

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return (text:gsub("%s+$", ""))
end

--- Starts a browser with its files in a separate folder.
---@param program string
---@return table
function browser.start(program)
  local dir = output "mktemp -d"
  local own = quoted(dir)
  os.execute("mkfifo " .. own .. "/to " .. own .. "/from")
  local command = quoted(program) .. " --headless --no-sandbox --disable-gpu --no-first-run --remote-debugging-pipe --user-data-dir=" .. own
    .. "/profile --window-size=1200,800 about:blank 3<" .. own .. "/to 4>" .. own .. "/from"
  local process = output("sh -c " .. quoted("exec " .. command) .. " >" .. own .. "/log 2>&1 & echo $!")
  local to = assert(io.open(dir .. "/to", "wb"))
  to:setvbuf "no"
  local from = assert(io.open(dir .. "/from", "rb"))
  return setmetatable({ dir = dir, process = process, to = to, from = from, last = 0, happened = {} }, browser)
end

function browser:close()
  self.to:close()
  self.from:close()
  os.execute("kill " .. self.process .. " 2>/dev/null")
  os.execute("sleep 0.3; rm -rf " .. quoted(self.dir))
end

-- The next message: it ends with a NUL.
local function receive(self)
  local parts = {}
  while true do
    local c = self.from:read(1) or error("the browser has ended: see " .. self.dir .. "/log", 0)
    if c == "\0" then return cjson.decode(table.concat(parts)) end
    parts[#parts + 1] = c
  end
end

-- A message that isn't a response reports an event.
local function note(self, message)
  if message.method then self.happened[message.method] = true end
end

--- A command and its result.
---@param method string
---@param params? table
---@return table
function browser:call(method, params)
  self.last = self.last + 1
  local id = self.last
  self.to:write(cjson.encode { id = id, method = method, params = params, sessionId = self.session }, "\0")
  while true do
    local message = receive(self)
    if message.id == id then
      if message.error then error(method .. ": " .. message.error.message, 0) end
      return message.result
    end
    note(self, message)
  end
end

--- Opens an address in a new tab, which later calls use, and waits until it is loaded.
---@param url string
function browser:open(url)
  self.session = nil
  local target = self:call("Target.createTarget", { url = "about:blank" }).targetId
  self.session = self:call("Target.attachToTarget", { targetId = target, flatten = true }).sessionId
  self:call "Page.enable"
  self.happened = {}
  self:call("Page.navigate", { url = url })
  while not self.happened["Page.loadEventFired"] do note(self, receive(self)) end
end

--- The result of a script; a promise is awaited.
---@param script string
---@return any
function browser:run(script)
  local result = self:call("Runtime.evaluate", { expression = script, awaitPromise = true, returnByValue = true })
  if result.exceptionDetails then
    error((result.exceptionDetails.exception or {}).description or result.exceptionDetails.text, 0)
  end
  return result.result.value
end

return browser
