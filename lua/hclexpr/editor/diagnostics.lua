-- Diagnostics: mistakes in the text of a file, reported immediately, and mistakes found by validating its folder.
local calls = require "hclexpr.calls"
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local Findings = require "hclexpr.findings"
local folders = require "hclexpr.editor.folders"
local own_functions = require "hclexpr.editor.own_functions"
local hcl = require "hclexpr"
local lazy = require "hclexpr.lazy"
local sorted = require("hclexpr.util").sorted
local sources = require "hclexpr.terraform.tree.sources"
local unused = require "hclexpr.editor.unused"

local diagnostics = {}

local function problem(d, document)
  local range = d.range
  local message = d.detail ~= "" and d.summary .. ": " .. d.detail or d.summary
  if d.chain then message = message .. "\n" .. d.chain end
  return {
    start = range.start.byte, stop = range.stop.byte, severity = d.severity, code = d.code, message = message,
    tags = d.code:find "deprecat" and { "deprecated" } or nil, document = document,
  }
end

local function key_of(one) return one.start .. " " .. one.stop .. " " .. one.message end

-- Adds the diagnostics from a list that are in this document and weren't added before.
local function add(found, seen, list, document)
  for _, d in ipairs(list or {}) do
    if d.range and d.range.filename == document.path and d.range.stop.byte <= #document.text then
      local one = problem(d, document)
      local key = key_of(one)
      if not seen[key] then found[#found + 1] = one end
      seen[key] = true
    end
  end
end

-- Adds wrong calls in a file by itself, because no evaluation of a folder checks them.
local function add_calls(found, seen, workspace, document)
  local findings = Findings.new()
  if document.body then calls.check(document.body, document.path, findings, own_functions.of(workspace, document)) end
  add(found, seen, findings:diagnostics(), document)
end

local words = { variable = "The variable %s", ["local"] = "The local %s", data = "The data %s" }

local function add_unused(found, workspace, document)
  for _, d in ipairs(unused.find(folders.of(workspace, document), document)) do
    found[#found + 1] = { start = d.name_start, stop = d.name_stop, severity = "hint", code = "unused", document = document,
                          tags = { "unnecessary" }, message = words[d.word]:format(d.name) .. " is used nowhere in this module." }
  end
end

-- Says why a value can't be converted to a variable's type, or returns nil.
local function mismatch(d, attribute)
  local written = d.block.body.attributes.type
  local constraint = written and hcl.type(written.expression:source())
  if not constraint then return nil end
  local value = attribute.expression:value()
  if value == nil then return nil end
  local _, err = constraint:convert(value)
  return err and err[1].detail
end

-- Adds a problem for each value whose variable isn't declared, and for each value that doesn't fit its variable's type.
local function add_values(found, workspace, document)
  local folder = folders.at(workspace, document.dir)
  if not folder.documents[1] then return end
  for name, attribute in pairs(document.body and document.body.attributes or {}) do
    local d = folder:find("var." .. name)
    local why = d and mismatch(d, attribute)
    local range = why and attribute.expression:range() or attribute.name_range
    if why or not d and not folder:is_in_json('"' .. name .. '"') then
      found[#found + 1] = {
        start = range.start.byte, stop = range.stop.byte, severity = why and "error" or "warning", code = why and "type" or "undeclared",
        document = document, message = why or ("The module in this folder declares no variable %s."):format(name),
      }
    end
  end
end

-- Adds a problem at the source of each missing module in a document, and at each call of a function that may not read its file.
local function add_missing(found, absent, outside, document)
  local seen = {}
  local function hint(range, message, severity)
    if range.filename == document.path and range.stop.byte <= #document.text and not seen[range.start.byte] then
      seen[range.start.byte] = true
      found[#found + 1] = { start = range.start.byte, stop = range.stop.byte, severity = severity or "hint", code = "missing",
                            document = document, message = message }
    end
  end
  for _, config in ipairs(absent or {}) do
    local is_local = type(config.lacks) == "string" and sources.is_local(config.lacks)
    hint(config.call.arguments.source.expression:range(), is_local and "This folder is missing, so the outputs of the module are unknown."
      or "This module isn't here, so its outputs are unknown. `terraform init` fetches it.", is_local and "warning" or nil)
  end
  for _, paths in pairs(outside or {}) do
    for path, range in pairs(paths) do
      hint(range, path .. " is outside of the module, so what is in it is unknown. `hclexpr lsp -filesystem DIR` lets functions read DIR.")
    end
  end
end

-- Returns true if a mistake needs no report at the module call, because its own file is open. A cycle of calls is reported at the call
-- anyway.
local function is_shown(workspace, d)
  local document = workspace.documents.by_path[d.range.filename]
  return document and document.open and d.code ~= "module.loop"
end

-- Returns the call in the root module that leads to a folder, or nil.
local function call_to(module, dir)
  for _, name in ipairs(sorted(module.root.children)) do
    local first, seen = module.root.children[name], {}
    local stack = { first }
    while stack[1] do
      local config = table.remove(stack)
      if config.folder.dir == dir then return first.call end
      for _, child in pairs(seen[config.folder] and {} or config.children) do stack[#stack + 1] = child end
      seen[config.folder] = true
    end
  end
end

-- Adds a problem at each module call in a document that leads to mistakes in files that aren't open.
local function add_below(found, workspace, list, module, document)
  local seen = {}
  for _, d in ipairs(module and list or {}) do
    local dir = d.severity == "error" and d.range and d.range.filename and (Documents.split(d.range.filename))
    local call = dir and dir ~= document.dir and not is_shown(workspace, d) and call_to(module, dir)
    local range = call and call.block.head_range
    if call and range and range.filename == document.path and not seen[call] then
      seen[call] = true
      local one = problem(d, document)
      one.start, one.stop = range.start.byte, range.stop.byte
      one.message = ("In %s, line %d: %s"):format(core.relative_path(document.dir, d.range.filename), d.range.start.line, one.message)
      found[#found + 1] = one
    end
  end
end

local function by_place(a, b) return a.start < b.start end

function diagnostics.diagnostics(workspace, document, syntax)
  local found, seen = {}, {}
  add(found, seen, document.parsed.err, document)
  local evaluated = document.vocabulary and not syntax and lazy.load("hclexpr.editor.background").found(workspace, document)
  if evaluated then add(found, seen, evaluated, document)
  elseif document.kind == "plain" or document.kind == "described" then add_calls(found, seen, workspace, document) end
  if document.kind == "terraform" and not syntax then
    local list, absent, outside, module = lazy.load("hclexpr.editor.background").found(workspace, document)
    add(found, seen, list, document)
    add_below(found, workspace, list, module, document)
    add_missing(found, absent, outside, document)
    add_unused(found, workspace, document)
  elseif document.kind == "tfvars" and not syntax then
    add_values(found, workspace, document)
  end
  table.sort(found, by_place)
  return found
end

return diagnostics
