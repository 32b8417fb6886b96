-- Run inside Neovim 0.10 or later, in a folder with main.tf (editor_spec.lua writes it): does what a person does with a buffer, and prints
-- what is shown, one line for each check; line ends of what is shown are "|".
local function say(name, value)
  local text = type(value) == "table" and table.concat(value, "|") or tostring(value)
  -- A line that Neovim itself wrote may lack its newline.
  io.stdout:write("\n", name, "=", (text:gsub("\n", "|")), "\n")
end

-- Milliseconds to wait for something that never comes.
local LIMIT = 120000

local function wait_for(happens) return (vim.wait(LIMIT, happens, 5)) end

local function lines_of(buffer) return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

-- Puts the cursor on the beginning of some text.
local function go(text, further)
  for i, line in ipairs(lines_of(0)) do
    local at = line:find(text, 1, true)
    if at then return vim.api.nvim_win_set_cursor(0, { i, at - 1 + (further or 0) }) end
  end
  error("no " .. text .. " in the buffer")
end

local function client() return vim.lsp.get_clients({ name = "hclexpr" })[1] end

-- The text of the floating window that something opens, as soon as it has some words: slow parts come in a later answer.
local function floating(open, words)
  local text = "nothing"
  wait_for(function()
    local shown
    open()
    wait_for(function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= "" then shown = window end
      end
      return shown
    end)
    if not shown then return true end
    text = lines_of(vim.api.nvim_win_get_buf(shown))
    vim.api.nvim_win_close(shown, true)
    return table.concat(text, "\n"):find(words, 1, true)
  end)
  return text
end

-- The labels of the inlays, as soon as they have some words.
local function inlays(words)
  local shown
  wait_for(function()
    shown = {}
    for _, hint in ipairs(vim.lsp.inlay_hint.get { bufnr = 0 }) do shown[#shown + 1] = hint.inlay_hint.label end
    return table.concat(shown, " "):find(words, 1, true)
  end)
  return shown
end

-- The output of a command, or the text of the window that it opens.
local function command(text)
  local before = vim.api.nvim_get_current_win()
  local told = vim.api.nvim_exec2(text, { output = true }).output
  if vim.api.nvim_get_current_win() == before then return told end
  local shown = lines_of(0)
  vim.cmd "normal q"
  return shown
end

local checks = {}

function checks.start()
  say("before", tostring(package.loaded["hclexpr"]) .. tostring(package.loaded["hclexpr.nvim"]) .. tostring(package.loaded["vim.lsp"]))
  vim.cmd "edit notes.txt"
  say("elsewhere", package.loaded["hclexpr.nvim"])
  vim.cmd "edit main.tf"
  say("filetype", vim.bo.filetype)
  say("client", wait_for(function() return client() and client().initialized end))
end

function checks.diagnostics()
  wait_for(function() return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })) do
    say("diagnostic", ("%d:%d %s"):format(found.lnum + 1, found.col + 1, found.message))
  end
  -- A syntax error is reported for as long as it is there.
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "x = = 1" })
  local last = vim.api.nvim_buf_line_count(0) - 1
  say("typed", wait_for(function() return #vim.diagnostic.get(0, { lnum = last }) > 0 end))
  vim.api.nvim_buf_set_lines(0, last, -1, false, {})
  say("mended", wait_for(function() return #vim.diagnostic.get(0, { lnum = last }) == 0 end))
end

function checks.questions()
  go "local.name"
  say("hover", floating(vim.lsp.buf.hover, "shop-eu-1"))
  go("upper(", #"upper(")
  say("signature", floating(vim.lsp.buf.signature_help, "upper("))
  go("local.name", #"local.")
  vim.lsp.buf.definition()
  local from = vim.api.nvim_win_get_cursor(0)[1]
  wait_for(function() return vim.api.nvim_win_get_cursor(0)[1] ~= from end)
  say("definition", vim.api.nvim_get_current_line())
end

function checks.inlays()
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  say("inlays", inlays "shop-eu-1")
end

-- Keys are typed: the candidates are those of the menu. (A single one has none.) Insert mode ends by a separate key,
-- later.
local function completed(line, milliseconds)
  local words, text
  local function items() return vim.fn.complete_info({ "items" }).items end
  vim.keymap.set("i", "<F5>", function()
    vim.wait(milliseconds, function() return #items() > 0 end, 5)
    words = vim.tbl_map(function(item) return item.word end, items())
    text = vim.api.nvim_get_current_line()
  end)
  local keys = vim.api.nvim_replace_termcodes("o" .. line .. "<C-x><C-o><F5><Esc>", true, false, true)
  vim.api.nvim_feedkeys(keys, "tx", false)
  vim.cmd "silent! undo"
  return words or "nothing", text
end

function checks.completion()
  go "oops"
  say("completion", (completed("second = local.", LIMIT)))
  vim.cmd "normal G"
  -- A server's answer opens the menu, so its absence shows only after a while.
  say("other", select(2, completed('resource "aws_', 300)))
end

function checks.changes()
  go("name  ", 1)
  vim.lsp.buf.rename "title"
  wait_for(function() return table.concat(lines_of(0)):find("local.title", 1, true) end)
  say("renamed", lines_of(0))
  vim.lsp.buf.format { async = false, timeout_ms = LIMIT }
  say("formatted", lines_of(0))
  go "local.titel"
  local titles = {}
  local params = vim.lsp.util.make_range_params(0, client().offset_encoding)
  params.context = { diagnostics = {} }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, LIMIT) or {}
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result or {}) do titles[#titles + 1] = action.title end
  end
  say("actions", titles)
end

function checks.commands()
  say("eval", command "Hclexpr eval local.ports[0] + 1")
  say("values", command "Hclexpr values")
  say("graph", command "Hclexpr graph")
  go "greeting"
  say("explain", command "Hclexpr explain")
  say("words", vim.fn.getcompletion("Hclexpr ", "cmdline"))
  say("names", vim.fn.getcompletion("Hclexpr eval 1 + local.p", "cmdline"))
  say("unknown", select(2, pcall(command, "Hclexpr nonsense")))
  vim.cmd "checkhealth hclexpr"
  say("health", lines_of(0))
  vim.cmd "bdelete"
  vim.cmd "helptags ALL"
  vim.cmd "help hclexpr"
  say("help", vim.fn.expand "%:t")
  vim.cmd "bdelete"
end

-- A selection by lines and by characters, and the value of an attribute that doesn't exist; a cancelled answer;
-- and a file that another program writes.
function checks.rest()
  go "output"
  say("nowhere", select(2, pcall(command, "Hclexpr eval")))
  go "upper("
  vim.cmd "normal! vf)\27"
  say("selected", command "'<,'>Hclexpr eval")
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 0, character = 0 } }
  local code
  local _, id = client():request("textDocument/hover", params, function(err) code = err and err.code end, 0)
  client():cancel_request(id)
  wait_for(function() return code end)
  say("cancelled", code)
  vim.fn.mkdir ".hclexpr"
  local schema = { ["registry.terraform.io/hashicorp/aws"] = { resource_schemas = { aws_new = { version = 0, block = { attributes = {
    id = { type = "string", computed = true } } } } } } }
  vim.fn.writefile({ vim.json.encode { format_version = "1.0", provider_schemas = schema } }, ".hclexpr/schemas.json")
  vim.api.nvim_exec_autocmds("FocusGained", {})
  vim.cmd "normal G"
  say("outside", (completed('resource "aws_', LIMIT)))
  vim.fn.delete(".hclexpr", "rf")
  vim.cmd "enew"
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "(1 +", "2)" })
  vim.fn.visualmode(1)
  say("lines", command "1,2Hclexpr eval")
  vim.cmd "bdelete!"
end

-- Values from another variable file change the shown text immediately.
function checks.vars()
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  inlays "shop-eu-1"
  say("vars", command "Hclexpr vars prod.tfvars")
  say("shown", inlays "shop-mars")
  go "local.name"
  say("varshover", floating(vim.lsp.buf.hover, "shop-mars"))
  say("varseval", command "Hclexpr eval local.name")
  say("varswords", vim.fn.getcompletion("Hclexpr vars p", "cmdline"))
  say("novars", select(2, pcall(command, "Hclexpr vars none.tfvars")))
  command "Hclexpr vars"
  say("unset", inlays "shop-eu-1")
end

-- A template has the names that a call passes to it.
function checks.templates()
  vim.cmd "edit greeting.tftpl"
  say("template", vim.bo.filetype)
  say("attached", wait_for(function() return vim.lsp.get_clients({ name = "hclexpr", bufnr = 0 })[1] end) ~= false)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "Dear ${customer}" })
  go("customer", 2)
  say("given", floating(vim.lsp.buf.hover, "customer: object"))
  vim.cmd "bdelete!"
end

-- Files of described languages: one that the settings name, and one that is added while the service runs. A description in the
-- folder of the file is data.
function checks.languages()
  vim.cmd "edit edge.gate"
  say("gate", vim.bo.filetype)
  say("served", wait_for(function() return vim.lsp.get_clients({ name = "hclexpr", bufnr = 0 })[1] end) ~= false)
  say("gatehover", floating(vim.lsp.buf.hover, "Where requests go."))
  go 'host = "a${'
  say("gatevalue", floating(vim.lsp.buf.hover, "mail"))
  say("gateeval", command "Hclexpr eval upstream.mail.host")
  say("gateself", command "Hclexpr eval self.host")
  say("gatewords", vim.fn.getcompletion("Hclexpr eval upstream.m", "cmdline"))
  vim.cmd "normal G"
  say("gatenames", (completed("  to = upstream.", LIMIT)))
  vim.cmd "edit! app.door.hcl"
  local language = require "hclexpr.language"
  require("hclexpr.nvim").language(language { name = "door", files = { "*.door.hcl" }, attributes = { alpha = "string", beta = "number" } })
  say("door", (completed("", LIMIT)))
  say("run", _G.ran)
  vim.cmd "checkhealth hclexpr"
  say("languages", lines_of(0))
  vim.cmd "bdelete"
  say("wrong", select(2, pcall(require("hclexpr.nvim").language, {})))
  vim.cmd "bdelete!"
end

function checks.pinned() say("pinned", command "Hclexpr eval local.a + 2") end

-- A thousand keys in a large file, with a request after each: the editor's memory in MB after the first answer and at the end.
function checks.memory()
  local text = {}
  for i = 1, 200 do
    vim.list_extend(text, { ('resource "null_resource" "r%d" {'):format(i), '  triggers = { a = "x${local.l' .. i .. '}" }', "}",
      "locals {", ("  l%d = 1"):format(i), "}" })
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, text)
  local function megabytes()
    for line in io.lines "/proc/self/status" do
      local size = line:match "^VmRSS:%s+(%d+)"
      if size then return math.ceil(size / 1024) end
    end
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 1, character = 25 } }
  local first
  for key = 1, 1000 do
    local row = 4 + 6 * (key % 50)
    vim.api.nvim_buf_set_text(0, row, 8, row, 8, { "1" })
    client():request_sync("textDocument/hover", params, LIMIT, 0)
    first = first or megabytes()
  end
  say("memory", ("%d %d"):format(first, megabytes()))
end

function checks.stop()
  local running = client()
  running.stop(running)
  say("stopped", wait_for(function() return running.is_stopped(running) end))
  say("gone", wait_for(function() return client() == nil end))
end

-- The service by vim.lsp.enable, if the plugin does not start it.
function checks.enabled()
  vim.g.hclexpr = { start = false }
  vim.cmd "edit main.tf"
  vim.wait(50)
  say("alone", client())
  vim.lsp.enable "hclexpr"
  vim.cmd "edit"
  say("enabled", wait_for(function() return client() and client().initialized end))
end

-- Neovim's notification if the C module is missing, and if it is built below the plugin.
function checks.missing()
  vim.notify = function(text) say("told", text) end
  vim.cmd "edit main.tf"
  vim.cmd "edit other.tf"
  say("client", client() and client().name)
  vim.cmd "checkhealth hclexpr"
  say("health", lines_of(0))
end

for name in vim.env.CHECKS:gmatch "%a+" do
  local fine, why = xpcall(checks[name], debug.traceback)
  if not fine then say("failed", why) end
end
io.stdout:flush()
vim.cmd "qa!"
