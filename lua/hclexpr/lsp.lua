-- The Language Server Protocol, on top of the language service: a table of methods. Messages come in and go out as Lua tables. Other files
-- transport them: cli/lsp.lua over standard input and output, nvim.lua inside of Neovim.
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local kinds = require "hclexpr.editor.kinds"
local lazy = require "hclexpr.lazy"
local markdown = require "hclexpr.editor.markdown"
local service = require "hclexpr.service"
local text = require "hclexpr.editor.text"

local lsp = {}

---@class hclexpr.lsp.Server
---@field send fun(message: table)
---@field workspace hclexpr.service.Workspace
---@field encoding "utf-8"|"utf-16"|"utf-32"
---@field state "new"|"running"|"ending"|"ended"
---@field status? integer the exit status, once the server has ended
---@field published table<string, string> the diagnostics that were published last, as JSON, by path
---@field functions? string the files in the setting `functions`, one per line
local Server = {}
Server.__index = Server

---@param send fun(message: table) sends a message to the client
---@param options? hclexpr.service.Options
---@return hclexpr.lsp.Server
function lsp.new(send, options)
  return setmetatable({ send = send, options = options or {}, encoding = "utf-16", state = "new", published = {}, uris = {},
                        next_id = 0, asked = {}, dirty = {} }, Server)
end

local errors = { PARSE = -32700, REQUEST = -32600, METHOD = -32601, PARAMS = -32602, INTERNAL = -32603, NOT_READY = -32002,
  CANCELLED = -32800,
                 FAILED = -32803 }
lsp.errors = errors

-- Paths

local function unescape(s)
  return (s:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Returns the URI of a path as most clients write it.
local function usual_uri(path)
  if path:find "^%a[%w+.-]+:" then return path end
  path = path:gsub("[^%w%-._~/]", function(byte) return ("%%%02X"):format(byte:byte()) end)
  return "file://" .. (path:find "^/" and "" or "/") .. path
end

--- Returns the path of a URI. A URI that isn't for a file is returned unchanged.
---@param uri string
---@return string
function Server:path(uri)
  local path = uri:match "^file://[^/]*(/.*)$" or uri:match "^file:(/.*)$"
  path = path and unescape(path) or uri
  path = path:match "^/(%a:/.*)$" or path
  -- Remembers only unusual spellings: they are kept as long as the server runs, and a repository may have very many files.
  self.uris[path] = usual_uri(path) ~= uri and uri or nil
  return path
end

--- Returns the URI of a path, as the client wrote it if the client has named the file.
---@param path string
---@return string
function Server:uri(path)
  return self.uris[path] or usual_uri(path)
end

-- Places

function Server:document(params)
  local at = params.textDocument
  if type(at) ~= "table" or type(at.uri) ~= "string" then error({ code = errors.PARAMS, message = "textDocument.uri is missing" }, 0) end
  local path = self:path(at.uri)
  return path, self.workspace.documents:get(path)
end

local function whole(n) return type(n) == "number" and n == n and math.max(0, math.min(math.floor(n), 2 ^ 31)) or 0 end

function Server:byte(document, position)
  if type(position) ~= "table" then return 0 end
  return text.byte(document.text, document.lines, whole(position.line), whole(position.character), self.encoding)
end

function Server:position(document, byte)
  local line, character = text.position(document.text, document.lines, byte, self.encoding)
  return { line = line, character = character }
end

function Server:range(document, start, stop)
  return { start = self:position(document, start), ["end"] = self:position(document, stop) }
end

-- Makes the protocol's Location for a span, which may be in a file that isn't open.
function Server:location(span, start, stop)
  local origin = { line = 0, character = 0 }
  -- A span at the start of a file doesn't need the text, which may be large, or not text at all.
  if span.stop == 0 then return { uri = self:uri(span.path), range = { start = origin, ["end"] = origin } } end
  local document = self.workspace.documents:get(span.path)
  if not document then return nil end
  return { uri = self:uri(span.path), range = self:range(document, start or span.start, stop or span.stop) }
end

function Server:edits(edits)
  local changes = {}
  for path, list in pairs(edits) do
    local document, made = self.workspace.documents:get(path), json.array {}
    for i, change in ipairs(list) do made[i] = { range = self:range(document, change.start, change.stop), newText = change.text } end
    changes[self:uri(path)] = made
  end
  return { changes = changes }
end

-- Life cycle

local methods, notifications = {}, {}

local function settings_of(given)
  if type(given) ~= "table" then return {} end
  return type(given.hclexpr) == "table" and given.hclexpr or given
end

-- Returns the file names in a setting; nil if it isn't set.
local function files_of(setting)
  if type(setting) == "string" then return { setting } end
  if type(setting) ~= "table" then return nil end
  local files = {}
  for _, name in ipairs(setting) do files[#files + 1] = type(name) == "string" and name or nil end
  return files
end

-- Applies the client's settings.
local function take_settings(self, given)
  local settings = settings_of(given)
  local schemas = settings.schemas
  self.workspace.options.schemas = type(schemas) == "string" and schemas ~= "" and schemas or self.options.schemas
  self.inlays = settings.inlays ~= false
  self.workspace:set_vars(files_of(settings.vars) or self.options.vars)
  local functions = files_of(settings.functions)
  self.workspace:set_functions(functions or self.options.functions)
  local named = functions and table.concat(functions, "\n")
  if named == self.functions then return end
  self.functions = named
  for path in pairs(self.published) do self.dirty[path] = true end
end

local function log(self, message)
  self.send { jsonrpc = "2.0", method = "window/logMessage", params = { type = 1, message = "hclexpr: " .. message } }
end

local function warn(self, message)
  self.send { jsonrpc = "2.0", method = "window/showMessage", params = { type = 2, message = "hclexpr: " .. message } }
end

-- Warns about files in settings that don't exist.
local function tell_missing(self)
  for _, setting in ipairs { "vars", "functions" } do
    local missing = lazy.load("hclexpr.editor.vars").missing(self.workspace, setting)
    if missing[1] then warn(self, ("no file %s, which the setting %s names"):format(table.concat(missing, ", "), setting)) end
  end
end

local function choose_encoding(self, params)
  local general = type(params.capabilities) == "table" and params.capabilities.general
  local offered = type(general) == "table" and general.positionEncodings
  for _, encoding in ipairs(type(offered) == "table" and offered or {}) do
    if encoding == "utf-8" then
      self.encoding = encoding
      return
    end
  end
end

-- Returns the path of a folder's URI, without a slash at its end.
local function folder_of(self, uri) return (self:path(uri):gsub("(.)/$", "%1")) end

local function roots_of(self, params)
  local roots = {}
  for _, folder in ipairs(type(params.workspaceFolders) == "table" and params.workspaceFolders or {}) do
    if type(folder) == "table" and type(folder.uri) == "string" then roots[#roots + 1] = folder_of(self, folder.uri) end
  end
  if not roots[1] and type(params.rootUri) == "string" then roots[1] = folder_of(self, params.rootUri) end
  return roots
end

local function capabilities(self)
  return {
    positionEncoding = self.encoding,
    textDocumentSync = { openClose = true, change = 2, save = { includeText = false } },
    completionProvider = { triggerCharacters = { ".", '"', "[", "/", ":" } }, hoverProvider = true,
    signatureHelpProvider = { triggerCharacters = { "(", "," } }, definitionProvider = true, declarationProvider = true,
    referencesProvider = true, documentHighlightProvider = true, documentSymbolProvider = true, workspaceSymbolProvider = true,
    codeActionProvider = { codeActionKinds = { "quickfix", "refactor.extract", "refactor.inline" } }, documentFormattingProvider = true,
    documentRangeFormattingProvider = true, renameProvider = { prepareProvider = true }, foldingRangeProvider = true,
      inlayHintProvider = true,
    semanticTokensProvider = { legend = { tokenTypes = service.token_types, tokenModifiers = service.token_modifiers }, full = true,
      range = true },
    workspace = { workspaceFolders = { supported = true, changeNotifications = true } },
  }
end

function methods.initialize(self, params)
  if self.state ~= "new" then error({ code = errors.REQUEST, message = "the server is initialized already" }, 0) end
  choose_encoding(self, params)
  local options = {}
  for key, value in pairs(self.options) do options[key] = value end
  options.roots = roots_of(self, params)
  if options.installed == nil then options.installed = true end
  self.workspace = service.new(options)
  self.client = type(params.capabilities) == "table" and params.capabilities or {}
  take_settings(self, params.initializationOptions)
  self.unset = type(params.initializationOptions) ~= "table"
  self.state = "running"
  return { capabilities = capabilities(self), serverInfo = { name = "hclexpr", version = hcl.version } }
end

-- Sends a request to the client. The function `answered` receives the answer.
local function ask_client(self, method, params, answered)
  self.next_id = self.next_id + 1
  local id = "hclexpr-" .. self.next_id
  self.asked[id] = answered
  self.send { jsonrpc = "2.0", id = id, method = method, params = params }
end

-- Asks the client for its settings, because some clients don't send them by themselves.
local function ask_settings(self)
  local of = self.client.workspace
  if not (type(of) == "table" and of.configuration) then return end
  ask_client(self, "workspace/configuration", { items = json.array { { section = "hclexpr" } } }, function(_, result)
    if type(result[1]) ~= "table" or result[1] == json.null then return end
    take_settings(self, result[1])
    tell_missing(self)
  end)
end

-- Patterns of files to watch: configuration files, and files that functions often read.
local watched = { "*.{tf,tofu,tfvars,tftpl,hcl}", "*.{tf,tofu,tfvars}.json", ".hclexpr/schemas.json",
                  ".terraform/modules/modules.json", "*.{tpl,tmpl,yaml,yml}" }

-- Returns watchers for the patterns above and for the files of described languages.
local function watchers_of(self)
  local watchers, languages = {}, self.workspace.documents.languages
  for _, list in ipairs { watched, languages and languages:patterns() or nil } do
    for _, pattern in ipairs(list) do watchers[#watchers + 1] = { globPattern = "**/" .. pattern } end
  end
  return watchers
end

function notifications.initialized(self)
  if self.unset then ask_settings(self) else tell_missing(self) end
  local of = self.client.workspace
  local watching = type(of) == "table" and type(of.didChangeWatchedFiles) == "table" and of.didChangeWatchedFiles.dynamicRegistration
  if not watching then return end
  ask_client(self, "client/registerCapability", { registrations = { {
    id = "hclexpr-files", method = "workspace/didChangeWatchedFiles",
    registerOptions = { watchers = watchers_of(self) },
  } } })
end

function methods.shutdown(self)
  self.state = "ending"
  return json.null
end

function notifications.exit(self)
  self.status = self.state == "ending" and 0 or 1
  self.state = "ended"
end

-- Does nothing, because a request is answered before the next message is read. If a request and its cancellation arrive together,
-- Server:receive_all cancels it.
notifications["$/cancelRequest"] = function() end
notifications["$/setTrace"] = function() end

-- Documents

local function note_change(self, path)
  self.dirty[path] = true
end

notifications["textDocument/didOpen"] = function(self, params)
  local path = self:document(params)
  local at = params.textDocument
  self.workspace:open(path, type(at.text) == "string" and at.text or "", at.version)
  note_change(self, path)
end

-- The positions of each change refer to the text after the previous change.
notifications["textDocument/didChange"] = function(self, params)
  local path = self:document(params)
  local version = params.textDocument.version
  for _, change in ipairs(type(params.contentChanges) == "table" and params.contentChanges or {}) do
    local document = self.workspace.documents:get(path)
    local new = type(change) == "table" and type(change.text) == "string" and change.text
    if new and type(change.range) == "table" and document then
      local start, stop = self:byte(document, change.range.start), self:byte(document, change.range["end"])
      self.workspace:change(path, { { start = start, stop = math.max(start, stop), text = new } }, version)
    elseif new then
      self.workspace:change(path, new, version)
    end
  end
  note_change(self, path)
end

-- Notes that a file changed on disk, where functions may read it, because not every client watches files.
notifications["textDocument/didSave"] = function(self, params)
  local path = self:document(params)
  self.workspace:touch(path)
  note_change(self, path)
end

notifications["textDocument/didClose"] = function(self, params)
  local path = self:document(params)
  self.workspace:close(path)
  self.dirty[path], self.published[path] = nil, nil
  self.send { jsonrpc = "2.0", method = "textDocument/publishDiagnostics", params = { uri = self:uri(path), diagnostics = json.array {} } }
end

notifications["workspace/didChangeWatchedFiles"] = function(self, params)
  for _, change in ipairs(type(params.changes) == "table" and params.changes or {}) do
    if type(change) == "table" and type(change.uri) == "string" then self.workspace:touch(self:path(change.uri)) end
  end
end

notifications["workspace/didChangeWorkspaceFolders"] = function(self, params)
  local event = type(params.event) == "table" and params.event or {}
  for name, act in pairs { added = "add_root", removed = "remove_root" } do
    for _, folder in ipairs(type(event[name]) == "table" and event[name] or {}) do
      if type(folder) == "table" and type(folder.uri) == "string" then self.workspace[act](self.workspace, folder_of(self, folder.uri)) end
    end
  end
end

notifications["workspace/didChangeConfiguration"] = function(self, params)
  if type(params.settings) ~= "table" then return ask_settings(self) end
  take_settings(self, params.settings)
  tell_missing(self)
end

--- Sets the described languages, also for files that are open already.
---@param languages hclexpr.Language[]
function Server:set_languages(languages)
  self.options.languages = languages
  if not self.workspace then return end
  self.workspace:set_languages(languages)
  for path in pairs(self.published) do self.dirty[path] = true end
end

-- Diagnostics

local severities = { error = 1, warning = 2, information = 3, hint = 4 }
local tags = { unnecessary = 1, deprecated = 2 }

local function diagnostic(self, document, problem)
  local made = {
    range = self:range(document, problem.start, problem.stop), severity = severities[problem.severity] or 1, code = problem.code,
    source = "hclexpr", message = problem.message,
  }
  for _, tag in ipairs(problem.tags or {}) do
    made.tags = made.tags or json.array {}
    made.tags[#made.tags + 1] = tags[tag]
  end
  return made
end

-- Publishes the diagnostics of an open file if they have changed.
local function publish(self, path, syntax)
  local document = self.workspace.documents:get(path)
  if not (document and document.open) then return end
  local list = json.array {}
  for i, problem in ipairs(self.workspace:diagnostics(path, syntax) or {}) do list[i] = diagnostic(self, document, problem) end
  local said = json.encode(list)
  if self.published[path] == said then return end
  self.published[path] = said
  self.send { jsonrpc = "2.0", method = "textDocument/publishDiagnostics",
              params = { uri = self:uri(path), version = type(document.version) == "number" and document.version or nil,
                diagnostics = list } }
end

--- Does a step of background work: checks the syntax of one changed file or, without changed files, validates folders for about this many
--- seconds.
---@param seconds number
---@return boolean more true if work is left to do
function Server:idle(seconds)
  if self.state ~= "running" then return false end
  local path = next(self.dirty)
  if path then
    self.dirty[path] = nil
    publish(self, path, true)
    return true
  end
  local news, fault = self.workspace:work(seconds), self.workspace:fault()
  if fault then log(self, fault) end
  for _, changed in ipairs(news or {}) do publish(self, changed) end
  -- Values that inlays show may have changed.
  local of = news and self.inlays and self.client.workspace
  of = type(of) == "table" and of.inlayHint
  if type(of) == "table" and of.refreshSupport then ask_client(self, "workspace/inlayHint/refresh") end
  return self.workspace:pending()
end

-- Questions

local function place_of(self, params)
  local path, document = self:document(params)
  if not document then return path, nil, 0 end
  return path, document, self:byte(document, params.position)
end

local function numbers(list)
  local made = {}
  for i, name in ipairs(list) do made[name] = i end
  return made
end

methods["textDocument/completion"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local of = self.client.textDocument
  of = type(of) == "table" and type(of.completion) == "table" and of.completion.completionItem
  local snippets = type(of) == "table" and of.snippetSupport == true
  local list, last, range = json.array {}, nil, nil -- the range is reused, because nearly all items have the same one
  for i, item in ipairs(document and self.workspace:complete(path, byte) or {}) do
    local inserted = item.insert
    if not last or last.start ~= item.start or last.stop ~= item.stop then
      last, range = item, json.shared(self:range(document, item.start, item.stop))
    end
    if item.snippet and not snippets then inserted = inserted:gsub("%$%b{}", ""):gsub("%$%d", "") end
    list[i] = {
      label = item.label, kind = kinds.item(item.kind), detail = item.detail,
      documentation = item.documentation and { kind = "markdown", value = markdown.prose(item.documentation) } or nil, sortText = item.sort,
      -- Without filterText some editors offer items with a textEdit even if they don't match the typed text.
      filterText = item.filter or item.label, textEdit = { range = range, newText = inserted },
      insertTextFormat = item.snippet and snippets and 2 or 1, tags = item.deprecated and { 1 } or nil,
    }
  end
  return { isIncomplete = false, items = list }
end

methods["textDocument/hover"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local found = document and self.workspace:hover(path, byte)
  if not found then return json.null end
  return { contents = { kind = "markdown", value = found.text }, range = self:range(document, found.start, found.stop) }
end

methods["textDocument/signatureHelp"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local found = document and self.workspace:signature(path, byte)
  if not found then return json.null end
  local parameters = json.array {}
  for i, parameter in ipairs(found.parameters) do
    local stop = { text.position(found.label, { 0 }, parameter.stop, "utf-16") }
    parameters[i] = { label = { ({ text.position(found.label, { 0 }, parameter.start, "utf-16") })[2], stop[2] },
      documentation = parameter.documentation }
  end
  return { signatures = { { label = found.label, documentation = { kind = "markdown", value = markdown.prose(found.documentation) },
    parameters = parameters } },
           activeSignature = 0, activeParameter = found.active and found.active - 1 or nil }
end

methods["textDocument/definition"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local list = json.array {}
  for _, target in ipairs(document and self.workspace:definition(path, byte) or {}) do
    list[#list + 1] = self:location(target, target.name_start, target.name_stop)
  end
  return list
end
methods["textDocument/declaration"] = methods["textDocument/definition"]

methods["textDocument/references"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local context = type(params.context) == "table" and params.context or {}
  local list = json.array {}
  for _, span in ipairs(document and self.workspace:references(path, byte, context.includeDeclaration == true) or {}) do
    list[#list + 1] = self:location(span)
  end
  return list
end

methods["textDocument/documentHighlight"] = function(self, params)
  local path, document, byte = place_of(self, params)
  local list = json.array {}
  for i, found in ipairs(document and self.workspace:highlights(path, byte) or {}) do
    list[i] = { range = self:range(document, found.start, found.stop), kind = found.write and 3 or 2 }
  end
  return list
end

local function symbol(self, document, found)
  local children = json.array {}
  for i, child in ipairs(found.children or {}) do children[i] = symbol(self, document, child) end
  return { name = found.name, kind = kinds.symbol(found.kind), detail = found.detail, range = self:range(document, found.start,
    found.stop),
           selectionRange = self:range(document, found.name_start, found.name_stop), children = children }
end

methods["textDocument/documentSymbol"] = function(self, params)
  local path, document = self:document(params)
  local list = json.array {}
  for i, found in ipairs(document and self.workspace:symbols(path) or {}) do list[i] = symbol(self, document, found) end
  return list
end

methods["workspace/symbol"] = function(self, params)
  local list = json.array {}
  for _, found in ipairs(self.workspace:workspace_symbols(type(params.query) == "string" and params.query or "")) do
    list[#list + 1] = { name = found.name, kind = kinds.symbol(found.kind), location = self:location(found),
      containerName = found.detail }
  end
  return list
end

methods["textDocument/foldingRange"] = function(self, params)
  local path = self:document(params)
  local list = json.array {}
  for i, fold in ipairs(self.workspace:folding(path) or {}) do list[i] = { startLine = fold.start_line, endLine = fold.stop_line,
    kind = fold.kind } end
  return list
end

local type_numbers, modifier_numbers = numbers(service.token_types), numbers(service.token_modifiers)

local function tokens(self, params)
  local path, document = self:document(params)
  local data = json.array {}
  if not document then return { data = data } end
  local range = type(params.range) == "table" and params.range
  local found = self.workspace:tokens(path, range and self:byte(document, range.start), range and self:byte(document, range["end"])) or {}
  local line, character = 0, 0
  for _, token in ipairs(found) do
    local at_line, at = text.position(document.text, document.lines, token.start, self.encoding)
    local _, stop = text.position(document.text, document.lines, token.stop, self.encoding)
    local modifiers = 0
    for _, modifier in ipairs(token.modifiers or {}) do modifiers = modifiers + 2 ^ (modifier_numbers[modifier] - 1) end
    local n = #data
    data[n + 1], data[n + 2] = at_line - line, at_line == line and at - character or at
    data[n + 3], data[n + 4], data[n + 5] = stop - at, type_numbers[token.type] - 1, modifiers
    line, character = at_line, at
  end
  return { data = data }
end
methods["textDocument/semanticTokens/full"], methods["textDocument/semanticTokens/range"] = tokens, tokens

methods["textDocument/inlayHint"] = function(self, params)
  local path, document = self:document(params)
  local list = json.array {}
  if not document or not self.inlays then return list end
  local range = type(params.range) == "table" and params.range or {}
  for i, inlay in ipairs(self.workspace:inlays(path, range.start and self:byte(document, range.start), range["end"] and
                                               self:byte(document, range["end"])) or {}) do
    list[i] = { position = self:position(document, inlay.at), label = inlay.text, paddingLeft = true,
                tooltip = inlay.tooltip and { kind = "markdown", value = inlay.tooltip } or nil }
  end
  return list
end

methods["textDocument/codeAction"] = function(self, params)
  local path, document = self:document(params)
  local list = json.array {}
  if not document or type(params.range) ~= "table" then return list end
  local found = self.workspace:actions(path, self:byte(document, params.range.start), self:byte(document, params.range["end"])) or {}
  for i, action in ipairs(found) do
    list[i] = { title = action.title, kind = action.kind, edit = self:edits(action.edits), isPreferred = action.preferred }
  end
  return list
end

local function formatting(self, params)
  local path, document = self:document(params)
  if not document then return json.null end
  local range = type(params.range) == "table" and params.range
  local list = json.array {}
  for i, change in ipairs(self.workspace:format(path, range and self:byte(document, range.start), range and self:byte(document,
    range["end"])) or {}) do
    list[i] = { range = self:range(document, change.start, change.stop), newText = change.text }
  end
  return list
end
methods["textDocument/formatting"], methods["textDocument/rangeFormatting"] = formatting, formatting

methods["textDocument/prepareRename"] = function(self, params)
  local path, document, byte = place_of(self, params)
  if not document then return json.null end
  local found, why = self.workspace:rename_at(path, byte)
  if not found then error({ code = errors.FAILED, message = why }, 0) end
  return { range = self:range(document, found.start, found.stop), placeholder = found.name }
end

methods["textDocument/rename"] = function(self, params)
  local path, document, byte = place_of(self, params)
  if not document then return json.null end
  local edits, why = self.workspace:rename(path, byte, tostring(params.newName))
  if not edits then error({ code = errors.FAILED, message = why }, 0) end
  if why then warn(self, why) end
  return self:edits(edits)
end

-- Messages

local function answer(self, id, result, fault)
  self.send { jsonrpc = "2.0", id = id, result = result, error = fault }
end

--- Reports that a message couldn't be read.
---@param why string
function Server:unreadable(why) answer(self, json.null, nil, { code = errors.PARSE, message = why }) end

-- Runs a method. An error that a method raises on purpose is sent to the client as it is. Any other error is a bug in the server; it is
-- reported as an internal error, and the server keeps running.
local function run(self, method, params)
  local fine, result = pcall(method, self, type(params) == "table" and params or {})
  if fine then return result end
  if type(result) == "table" and result.code then return nil, result end
  return nil, { code = errors.INTERNAL, message = tostring(result) }
end

local function request(self, message)
  local id, method = message.id, methods[message.method]
  if self.state == "new" and message.method ~= "initialize" then
    return answer(self, id, nil, { code = errors.NOT_READY, message = "initialize comes first" })
  end
  if self.state == "ending" then return answer(self, id, nil, { code = errors.REQUEST, message = "the server was shut down" }) end
  if not method then return answer(self, id, nil, { code = errors.METHOD, message = "unknown method " .. message.method }) end
  local result, fault = run(self, method, message.params)
  if result == nil and not fault then result = json.null end
  answer(self, id, result, fault)
end

--- Handles a message from the client.
---@param message any
function Server:receive(message)
  if type(message) ~= "table" then return self:unreadable "a message is an object" end
  if message[1] ~= nil then
    for _, one in ipairs(message) do self:receive(one) end
    return
  end
  local named = type(message.method) == "string"
  if named and message.id ~= nil then return request(self, message) end
  if not named then
    -- A message without a method is the answer to a request of the server.
    if message.id == nil then return answer(self, json.null, nil, { code = errors.REQUEST, message = "a message has a method" }) end
    local answered = self.asked[message.id]
    if not answered then return end
    self.asked[message.id] = nil
    run(self, answered, message.result)
    return
  end
  local notification = notifications[message.method]
  if not notification or (self.state ~= "running" and message.method ~= "exit") then return end
  local _, fault = run(self, notification, message.params)
  if fault then log(self, tostring(fault.message)) end
end

--- Handles messages that arrived together. A request that a later message cancels is answered as cancelled, without doing its work.
---@param messages any[]
---@return boolean running false: the client has sent `exit`
function Server:receive_all(messages)
  local asked, cancelled = {}, {}
  for _, message in ipairs(messages) do
    if type(message) == "table" then
      local params = type(message.params) == "table" and message.params or {}
      local given_up = message.method == "$/cancelRequest" and asked[params.id]
      if given_up then cancelled[given_up] = true
      elseif message.id ~= nil then asked[message.id] = message end
    end
  end
  for _, message in ipairs(messages) do
    if cancelled[message] then
      answer(self, message.id, nil, { code = errors.CANCELLED, message = "cancelled" })
    else
      self:receive(message)
    end
    if self.state == "ended" then return false end
  end
  return true
end

return lsp
