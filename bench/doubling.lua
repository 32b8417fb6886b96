-- How the time of each method of the language server grows with the text: documents of several shapes, each once and at twice the
-- size. `make bench` prints the ratios: 2 is linear.   LUA doubling.lua [SIZE]   (hclexpr on the path)
local json = require "hclexpr.lsp.json"
local lsp = require "hclexpr.lsp"

local M = {}

-- A text of each shape with so many parts: lines, one line, depth, names.
M.shapes = {
  lines = function(n) return "a = [\n" .. ('  "é",\n'):rep(n) .. "]\n" end,
  ["one line"] = function(n) return "a = [" .. ('"é", '):rep(n) .. "]\n" end,
  ["one line of ASCII"] = function(n) return "a = [" .. ("1, "):rep(n) .. "]\n" end,
  conditions = function(n) return "a = " .. ("true ? 1 : "):rep(n) .. "2\n" end,
  objects = function(n) return "a = " .. ("{ x = "):rep(n / 10) .. "1" .. (" }"):rep(n / 10) .. "\n" end,
  templates = function(n) return "a = " .. ('"${'):rep(n / 10) .. "1" .. ('}"'):rep(n / 10) .. "\n" end,
  blocks = function(n) return ('b "x" {\n'):rep(n / 10) .. ("}\n"):rep(n / 10) end,
  names = function(n)
    local lines = { "locals {" }
    for i = 1, n / 4 do lines[i + 1] = ("  a%d = local.a%d"):format(i, i % 7 + 1) end
    return table.concat(lines, "\n") .. "\n}\n"
  end,
  mistakes = function(n) return ("= = =\n"):rep(n / 4) end,
  ["mistakes on one line"] = function(n) return "a = [" .. ("é €, "):rep(n / 4) .. "]\n" end,
}

local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 2 ^ 20, character = 0 } }

M.methods = { "hover", "documentSymbol", "completion", "semanticTokens/full", "foldingRange", "formatting", "codeAction", "inlayHint",
              "documentHighlight", "references", "signatureHelp", "rename", "definition" }

-- Processor time of each method on a text; "change" is that of a key, with the diagnostics after it.
local function times_of(text)
  local times, uri, id = {}, "file:///nowhere/main.tf", 0
  local server = lsp.new(function(message) json.encode(message) end, { list = function() return {} end, read = function() end })
  local function timed(name, method, params)
    local start = os.clock()
    id = id + 1
    server:receive { jsonrpc = "2.0", id = method ~= "textDocument/didChange" and id or nil, method = method, params = params }
    times[name] = os.clock() - start
  end
  server:receive { jsonrpc = "2.0", id = "first", method = "initialize", params = { capabilities = {} } }
  server:receive { jsonrpc = "2.0", method = "textDocument/didOpen", params = {
    textDocument = { uri = uri, languageId = "terraform", version = 1, text = text } } }
  local document = { uri = uri }
  for _, name in ipairs(M.methods) do
    timed(name, "textDocument/" .. name, { textDocument = document, newName = "zz", context = {}, range = whole,
                                           position = { line = 0, character = 6 } })
  end
  local start = os.clock()
  local place = { line = 0, character = math.min(#text, 100) }
  server:receive { jsonrpc = "2.0", method = "textDocument/didChange", params = {
    textDocument = { uri = uri, version = 2 }, contentChanges = { { range = { start = place, ["end"] = place }, text = " " } } } }
  repeat until not next(server.dirty) or not server:idle(0)
  times.change = os.clock() - start
  return times
end

-- The shortest of some runs, to exclude other work of the machine.
local function least(text, runs)
  local best = {}
  for _ = 1, runs do
    for name, time in pairs(times_of(text)) do best[name] = math.min(best[name] or time, time) end
  end
  return best
end

--- Calls report(shape, method, time, longer) for each method and shape, with so many parts and with `factor` times as many.
---@param size integer
---@param factor integer
---@param runs integer
---@param report fun(shape: string, method: string, time: number, longer: number)
function M.run(size, factor, runs, report)
  for shape, make in pairs(M.shapes) do
    local once, more = least(make(size), runs), least(make(factor * size), runs)
    for method, time in pairs(once) do
      -- The indentation of nested blocks is quadratic in their number.
      if not (method == "formatting" and shape == "blocks") then report(shape, method, time, more[method]) end
    end
  end
end

if arg and arg[0] and arg[0]:find "doubling%.lua$" then
  local rows = {}
  M.run(tonumber(arg[1]) or 8000, 2, 3, function(shape, method, time, doubled)
    if doubled > 0.005 then rows[#rows + 1] = ("%5.2f  %-22s %-22s %7.1f ms"):format(doubled / time, method, shape, doubled * 1000) end
  end)
  table.sort(rows, function(a, b) return a > b end)
  print("ratio  method                 shape                  twice the text")
  for i = 1, math.min(#rows, 20) do print(rows[i]) end
end

return M
