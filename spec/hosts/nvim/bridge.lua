-- Run inside Neovim 0.11: a language server on standard input and output that asks the service of this Neovim through its own client. Files
-- that a client opens are buffers, and changes go into them, so the requests recorded from servers can be sent inside the editor:
--   run.py DATA -- nvim --headless -u NONE -i NONE -n --cmd 'set rtp^=PLUGIN' -c 'luafile bridge.lua'
local input, output = vim.uv.new_pipe(false), vim.uv.new_pipe(false)
input:open(0)
output:open(1)

vim.g.hclexpr = { start = false }
vim.o.hidden, vim.o.swapfile, vim.o.autoread = true, false, true

local function send(message)
  message.jsonrpc = "2.0"
  local content = vim.json.encode(message)
  output:write(("Content-Length: %d\r\n\r\n%s"):format(#content, content))
end

vim.lsp.handlers["textDocument/publishDiagnostics"] = function(_, result)
  send { method = "textDocument/publishDiagnostics", params = result }
end

local root

local function attach(buffer)
  local config = require("hclexpr.nvim").config()
  config.root_dir = root
  -- The client that asks counts in UTF-16 units.
  config.capabilities = vim.lsp.protocol.make_client_capabilities()
  config.capabilities.general.positionEncodings = { "utf-16" }
  return assert(vim.lsp.start(config, { bufnr = buffer }))
end

local function client()
  local found
  vim.wait(60000, function()
    found = vim.lsp.get_clients({ name = "hclexpr" })[1]
    return found and found.initialized
  end, 1)
  return assert(found)
end

local function put(buffer, text)
  local lines = vim.split(text, "\n", { plain = true })
  -- The newline of the last line belongs to the buffer.
  vim.bo[buffer].eol = #lines > 1 and lines[#lines] == ""
  vim.bo[buffer].fixeol = false
  if vim.bo[buffer].eol then lines[#lines] = nil end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
end

local acts = {}

function acts.initialize(message)
  root = vim.uri_to_fname(message.params.rootUri)
  send { id = message.id, result = { capabilities = vim.empty_dict() } }
end

function acts.initialized() end

acts["textDocument/didOpen"] = function(message)
  local document = message.params.textDocument
  local buffer = vim.uri_to_bufnr(document.uri)
  vim.fn.bufload(buffer)
  put(buffer, document.text)
  attach(buffer)
end

acts["textDocument/didChange"] = function(message)
  put(vim.uri_to_bufnr(message.params.textDocument.uri), message.params.contentChanges[1].text)
end

function acts.shutdown(message) send { id = message.id, result = vim.NIL } end

function acts.exit() vim.cmd "qa!" end

local function take(message)
  local act = acts[message.method]
  if act then return act(message) end
  local uri = message.params.textDocument.uri
  client():request(message.method, message.params, function(err, result)
    send { id = message.id, error = err, result = not err and (result == nil and vim.NIL or result) or nil }
  end, vim.uri_to_bufnr(uri))
end

local waiting = ""

input:read_start(function(_, more)
  if not more then return vim.schedule(function() vim.cmd "qa!" end) end
  waiting = waiting .. more
  while true do
    local length, from = waiting:match "Content%-Length: (%d+)\r\n\r\n()"
    if not length or #waiting < from + length - 1 then return end
    local message = vim.json.decode(waiting:sub(from, from + length - 1))
    waiting = waiting:sub(from + length)
    vim.schedule(function()
      local fine, why = xpcall(take, debug.traceback, message)
      if not fine and message.id then send { id = message.id, error = { code = 0, message = why } } end
    end)
  end
end)
