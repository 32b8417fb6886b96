-- A client of a language server process: messages over two named pipes, and the resources of the process.
local core = require "hclexpr.core"
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

---@class Client
---@field pid string
---@field published table<string, table> what was published last, by URI
---@field faults string[] errors that the server logged
---@field status? integer how it ended
local Client = {}
Client.__index = Client

--- Starts a server by a shell's command.
function Client.start(command)
  local dir = support.temporary_folder()
  local to, from = dir .. "/to", dir .. "/from"
  assert(support.runs(("mkfifo '%s' '%s'"):format(to, from)))
  support.write(dir .. "/run", ("echo $$ >'%s/pid'\nexec %s\n"):format(dir, command))
  support.runs(("((exec sh '%s/run' <'%s' >'%s') 2>'%s/errors'; echo $? >'%s/status') >/dev/null 2>&1 & "):format(dir, to, from, dir, dir))
  local self = setmetatable({ dir = dir, last = 0, published = {}, faults = {} }, Client)
  self.to, self.from = assert(io.open(to, "w")), assert(io.open(from, "r"))
  repeat
    self.pid = support.exists(dir .. "/pid") and support.read(dir .. "/pid"):match "%d+"
  until self.pid
  return self
end

local function send(self, message)
  message.jsonrpc = "2.0"
  local body = json.encode(message)
  self.to:write(("Content-Length: %d\r\n\r\n"):format(#body), body)
  self.to:flush()
end

--- Sends a notification, which has no answer.
function Client:notify(method, params) send(self, { method = method, params = params }) end

--- The next message; requests of the server get an empty answer.
function Client:read()
  local length
  repeat
    local line = assert(self.from:read "*l", "the server ended")
    length = tonumber(line:match "^[Cc]ontent%-[Ll]ength:%s*(%d+)") or length
  until line == "\r" or line == ""
  local message = json.decode(self.from:read(length))
  if message.method and message.id then send(self, { id = message.id, result = json.null }) end
  if message.method == "textDocument/publishDiagnostics" then self.published[message.params.uri] = message.params.diagnostics end
  if message.method == "window/logMessage" then self.faults[#self.faults + 1] = message.params.message end
  return message
end

--- Reads up to a message.
function Client:wait(wanted)
  repeat
    local message = self:read()
  until wanted(message)
end

--- Sends a request; returns its result, its error, and the time in seconds.
function Client:ask(method, params)
  self.last = self.last + 1
  local id, from, answer = self.last, core.clock(), nil
  send(self, { id = id, method = method, params = params })
  self:wait(function(message)
    answer = message
    return message.id == id and not message.method
  end)
  return answer.result, answer.error, core.clock() - from
end

--- Begins a session in the folders of a workspace.
function Client:initialize(...)
  local roots = json.array {}
  for i, dir in ipairs { ... } do roots[i] = { uri = "file://" .. dir, name = "folder " .. i } end
  self:ask("initialize", {
    processId = json.null, rootUri = roots[1].uri, workspaceFolders = roots, capabilities = { workspace = { workspaceFolders = true } },
  })
  self:notify("initialized", {})
end

function Client:open(path, text)
  self:notify("textDocument/didOpen", {
    textDocument = { uri = "file://" .. path, languageId = "terraform", version = 1, text = text },
  })
end

--- Ends the server; returns its status, and what it wrote to standard error.
function Client:stop()
  self:ask "shutdown"
  self:notify "exit"
  self.to:close()
  self.from:read "*a"
  self.from:close()
  local status
  repeat
    status = support.exists(self.dir .. "/status") and support.read(self.dir .. "/status"):match "%d+"
  until status
  local errors = support.read(self.dir .. "/errors")
  support.remove(self.dir)
  return tonumber(status), errors
end

--- Resident memory in MB.
function Client:memory()
  return tonumber(support.read("/proc/" .. self.pid .. "/status"):match "VmRSS:%s*(%d+)") / 1024
end

--- Processor time of the process in seconds.
function Client:processor()
  return tonumber(support.read("/proc/" .. self.pid .. "/schedstat"):match "%d+") / 1e9
end

--- The number of open files of the process.
function Client:handles()
  return #support.lines("ls /proc/" .. self.pid .. "/fd")
end

return Client
