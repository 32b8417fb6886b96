-- Runs the language service inside Neovim's process, in the form that vim.lsp.start expects of a server. Messages go to hclexpr.lsp as
-- tables, without encoding. They wait in a queue, which is processed in slices between the editor's events. Folders are evaluated when the
-- user stops typing.
local lazy = require "hclexpr.lazy"

local nvim = {}

-- Times in milliseconds: of a slice, of the pause after it, and how long folders wait after a change (cli/lsp.lua has the same PAUSE).
local SLICE, TURN, PAUSE = 2, 1, 150

nvim.filetypes = { "terraform", "terraform-vars", "terraform-template", "opentofu", "opentofu-vars", "hcl" }
-- The name of this Lua version for `make`.
nvim.lua = rawget(_G, "jit") and "jit" or "5.1"
nvim.markers = { ".hclexpr", ".terraform", ".git" }

-- Finding the C module

--- Returns the folder of this plugin.
---@return string
function nvim.root()
  return vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h:h")
end

--- Loads the module with its C part, either from where Neovim finds C modules, or from the plugin's folder, where `make` builds it. Returns
--- nil and the reason on failure.
---@return table? hclexpr
---@return string? why
function nvim.load()
  local built = ("%s/build/%s/?.so"):format(nvim.root(), nvim.lua)
  if not package.cpath:find(built, 1, true) then package.cpath = package.cpath .. ";" .. built end
  local found, why = pcall(lazy.load, "hclexpr.core")
  if not found then return nil, tostring(why) end
  return require "hclexpr"
end

-- Described languages

local languages = {}
local running = setmetatable({}, { __mode = "k" }) ---@type table<hclexpr.nvim.Connection, true>

-- Makes Neovim treat the files of a language as HCL.
local function add_files(language)
  local patterns = {}
  for _, glob in ipairs(require("hclexpr.languages.description").of(language).files) do
    patterns[".*/" .. glob:gsub("[^%w*]", "%%%0"):gsub("%*", ".*")] = "hcl"
  end
  vim.filetype.add { pattern = patterns }
end

--- Adds a described language for the files that its description names, even if they are open already.
---@param language hclexpr.Language
function nvim.language(language)
  local fault = require("hclexpr.editor.languages").fault { language }
  if fault then error("hclexpr: the list of languages " .. fault, 2) end
  languages[#languages + 1] = language
  add_files(language)
  for connection in pairs(running) do connection:take_languages() end
end

--- Returns the descriptions of the languages that were added.
---@return hclexpr.languages.Description[]
function nvim.descriptions()
  local found = {}
  for i, language in ipairs(languages) do found[i] = require("hclexpr.languages.description").of(language) end
  return found
end

--- Returns the description of a file's language; nil if no described language applies to it.
---@param path string
---@return hclexpr.languages.Description?
function nvim.description(path)
  if not languages[1] then return nil end
  local vocabulary = require("hclexpr.editor.languages").new(languages):find(vim.fs.basename(path))
  return vocabulary and vocabulary.description
end

-- Loads a language from the path of a Lua file, or by the name of a module. Running that file is safe, because only the user's settings
-- name it.
local function load_language(name)
  if name:find "/" or name:find "%.lua$" then return dofile(vim.fs.normalize(name)) end
  return require(name)
end

local loaded = false

--- Adds the languages in vim.g.hclexpr.languages, which are paths or names of modules. Further calls don't add them again.
function nvim.load_languages()
  local named = (vim.g.hclexpr or {}).languages
  if loaded or not named or not nvim.load() then return end
  loaded = true
  for _, name in ipairs(type(named) == "string" and { named } or named) do
    local fine, why = pcall(function() nvim.language(load_language(name)) end)
    if not fine then vim.notify(("hclexpr: the language %s: %s"):format(name, why), vim.log.levels.ERROR) end
  end
end

-- The connection

---@class hclexpr.nvim.Connection
---@field server hclexpr.lsp.Server
---@field dispatchers table Neovim's functions for messages from the server: vim.lsp.rpc.Dispatchers
---@field queue table[] waiting messages from Neovim
---@field callbacks table<integer, { answered: fun(err: table?, result: any), done?: fun(id: integer) }>
---@field id integer the id of the last request
---@field closing boolean
---@field rests integer the time (vim.uv.hrtime) until which the evaluation of folders waits
local Connection = {}
Connection.__index = Connection

-- Calls a function of Neovim later, so that an error in it doesn't end the server.
local function later(act, ...)
  if not act then return end
  local given, n = { ... }, select("#", ...)
  vim.schedule(function() act(unpack(given, 1, n)) end)
end

local function take_answer(self, message)
  local waiting = self.callbacks[message.id]
  if not waiting then return end
  self.callbacks[message.id] = nil
  local result = message.result
  if result == self.null then result = nil end
  later(waiting.answered, message.error, result)
  later(waiting.done, message.id)
end

-- Handles a message from the server.
local function take(self, message)
  if not message.method then return take_answer(self, message) end
  if message.id then return later(self.dispatchers.server_request, message.method, message.params) end
  later(self.dispatchers.notification, message.method, message.params)
end

local function close(self, status)
  if self.closing then return end
  self.closing, self.queue = true, {}
  self.timer:stop()
  self.timer:close()
  later(self.dispatchers.on_exit, status or 0, 0)
end

local wake

-- Works for one slice: handles messages, then checks the syntax of changed files, then evaluates folders if PAUSE has passed since the last
-- change.
local function work(self)
  if self.closing then return end
  local stop = vim.uv.hrtime() + SLICE * 1e6
  while self.queue[1] and vim.uv.hrtime() < stop do
    self.server:receive(table.remove(self.queue, 1))
    if next(self.server.dirty) then self.rests = vim.uv.hrtime() + PAUSE * 1e6 end
    if self.server.state == "ended" then return close(self, self.server.status) end
  end
  if self.queue[1] then return wake(self, TURN) end
  if next(self.server.dirty) then
    self.server:idle(0)
    return wake(self, TURN)
  end
  -- Requests that arrive during the pause don't prolong it.
  local left = math.ceil((self.rests - vim.uv.hrtime()) / 1e6)
  if left > 0 then return wake(self, left) end
  if self.server:idle(SLICE / 1000) then wake(self, TURN) end
end

-- Schedules the next slice. It uses a timer instead of vim.schedule, so that Neovim's own work comes first.
function wake(self, milliseconds)
  if self.closing then return end
  self.timer:start(milliseconds, 0, self.turn)
end

-- Puts a message into the queue. Messages from one event of the editor are handled together, so that one may cancel another.
local function put(self, message)
  local first = self.queue[1] == nil
  self.queue[#self.queue + 1] = message
  if first then wake(self, 0) end
end

function Connection:take_languages()
  self.server:set_languages(languages)
  wake(self, PAUSE)
end

function Connection:request(method, params, answered, done)
  if self.closing then return false end
  self.id = self.id + 1
  self.callbacks[self.id] = { answered = answered, done = done }
  put(self, { jsonrpc = "2.0", id = self.id, method = method, params = params })
  return true, self.id
end

-- Cancels a request that is still in the queue; a request that was begun is answered.
local function give_up(self, id)
  for i, message in ipairs(self.queue) do
    if message.id == id then
      table.remove(self.queue, i)
      return take_answer(self, { id = id, error = { code = require("hclexpr.lsp").errors.CANCELLED, message = "cancelled" } })
    end
  end
end

function Connection:notify(method, params)
  if self.closing then return false end
  if method == "$/cancelRequest" then
    give_up(self, params.id)
    return true
  end
  put(self, { jsonrpc = "2.0", method = method, params = params })
  return true
end

--- Connects Neovim to a server in this process. This is the `cmd` of a configuration for vim.lsp.
---@param dispatchers table vim.lsp.rpc.Dispatchers
---@return table client vim.lsp.rpc.PublicClient
function nvim.connect(dispatchers)
  local self = setmetatable({ dispatchers = dispatchers, queue = {}, callbacks = {}, id = 0, closing = false, rests = 0 }, Connection)
  self.timer = assert(vim.uv.new_timer())
  self.turn = vim.schedule_wrap(function() work(self) end)
  self.null = require("hclexpr.lsp.json").null
  nvim.load_languages()
  self.server = require("hclexpr.lsp").new(function(message) take(self, message) end, { languages = languages })
  running[self] = true
  return {
    request = function(...) return self:request(...) end,
    notify = function(...) return self:notify(...) end,
    is_closing = function() return self.closing end,
    terminate = function() close(self) end,
  }
end

-- Starting

--- Returns the configuration of the service for vim.lsp.
---@return table config vim.lsp.ClientConfig
function nvim.config()
  return {
    name = "hclexpr",
    cmd = function(dispatchers)
      assert(nvim.load())
      return nvim.connect(dispatchers)
    end,
    filetypes = nvim.filetypes,
    root_markers = nvim.markers,
    init_options = vim.g.hclexpr,
  }
end

-- Makes the service read files again after other programs may have written them.
local function watch(client)
  vim.api.nvim_create_autocmd({ "FocusGained", "FileChangedShellPost" }, {
    group = vim.api.nvim_create_augroup("hclexpr_watch_" .. client.id, {}),
    callback = function()
      if client.is_stopped(client) then return true end
      local changes = {}
      for buffer in pairs(client.attached_buffers) do
        local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
        changes[#changes + 1] = { uri = vim.uri_from_fname(folder .. "/.hclexpr/schemas.json"), type = 2 }
        changes[#changes + 1] = { uri = vim.uri_from_fname(folder), type = 2 }
      end
      client.rpc.notify("workspace/didChangeWatchedFiles", { changes = changes })
    end,
  })
end

--- Reports that the C module is missing.
function nvim.tell() vim.notify("hclexpr: the C module is missing; :checkhealth hclexpr says how to build it", vim.log.levels.WARN) end

local told = false

--- Starts the service for a buffer, or attaches the buffer to the running service of its workspace.
---@param buffer integer
---@return integer? client
function nvim.attach(buffer)
  if vim.bo[buffer].buftype ~= "" then return nil end
  if not nvim.load() then
    if not told then nvim.tell() end
    told = true
    return nil
  end
  local config = vim.tbl_extend("force", nvim.config(), vim.lsp.config and vim.lsp.config.hclexpr or {})
  config.root_dir = type(config.root_dir) == "string" and config.root_dir or vim.fs.root(buffer, config.root_markers)
  local known = vim.lsp.get_clients { name = "hclexpr" }
  local id = vim.lsp.start(config, { bufnr = buffer })
  local client = id and vim.lsp.get_client_by_id(id)
  if client and not vim.tbl_contains(known, client) then watch(client) end
  return id
end

return nvim
