-- Values of expressions in one line. The values of a folder come from the module that background.lua opened; before that, or if the module
-- can't be evaluated, values are missing.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local lazy = require "hclexpr.lazy"
local markdown = require "hclexpr.editor.markdown"
local shorten = require("hclexpr.util").shorten
local type_text = require("hclexpr.util").type_text
local wrap = require "hclexpr.wrap"

local folder_values = {}

local LONGEST = 200

-- Limits for the text of a value: of a larger value only the type is shown.
local ROOM = { output = 4000, steps = 100000 }

-- Shows a value with unknown or hidden parts as a console does, on one line.
local function partly_known(value)
  local text = tostring(value):gsub(",?\n%s*([%]})])", " %1"):gsub("([%[{(])\n%s*", "%1 "):gsub(",?\n%s*", ", ")
  return text
end

--- Shows a value in one line; nil: nothing is known about the value.
---@param value hclexpr.Value
---@return string?
function folder_values.text(value)
  if core.is_marked(value) then return "(sensitive value)" end
  if not value:is_known() then return nil end
  if value:is_null() then return "null" end
  local text, err = hcl.encode(value, { indent = false, limits = ROOM })
  if text then return shorten(text, LONGEST) end
  ---@cast err -?
  return shorten(err[1].code:find "^limit" and type_text(value) or partly_known(value), LONGEST)
end

--- Returns the Value of a source at a byte of a document; nil: the value isn't known now.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@param source string
---@return hclexpr.Value?
function folder_values.value(workspace, document, byte, source)
  local background = lazy.load("hclexpr.editor.background")
  local module, current, work = background.module(workspace, document)
  if not module then return nil end
  -- A byte counts only in the text that the module knows.
  local where = { filename = document.path, byte = current and byte or nil }
  return background.ask(workspace, work, function() return (check.readable(module:value(source, where))) end)
end

-- Returns the variables without a value that are the only reason why the value of a source isn't known; nil: there are other reasons. Calls
-- of a module would give its variables values.
local function not_given(workspace, document, byte, source)
  local background, found = lazy.load("hclexpr.editor.background"), {}
  local module, current, work = background.module(workspace, document)
  if not module or work.dir ~= document.dir then return nil end
  if lazy.load("hclexpr.editor.folders").at(workspace, work.dir):callers()[1] then return nil end
  local where = { filename = document.path, byte = current and byte or nil }
  local causes = background.ask(workspace, work, function() return (module:_causes(source, where)) end)
  for i, cause in ipairs(causes and not causes.later and causes.list or {}) do
    if cause.kind ~= "variable" then return nil end
    found[i] = cause.name
  end
  return found[1] and found or nil
end

--- Returns the text shown for the value of a source, in one line: the value, or why it isn't known; nil: nothing is known.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@param source string
---@return string?
function folder_values.shown(workspace, document, byte, source)
  local value = folder_values.value(workspace, document, byte, source)
  if not value then return nil end
  local text = folder_values.text(value)
  -- In a described language no plan is ever applied.
  if document.vocabulary then return text and (text:gsub("%(known after apply%)", "(unknown)")) end
  local missing = not value:is_wholly_known() and not_given(workspace, document, byte, source)
  if not missing then return text end
  if value:is_known() then return text and (text:gsub("%(known after apply%)", "(no value given)")) end
  return missing[1] == source and "no value given" or "no value given for " .. table.concat(missing, ", ")
end

-- The width of a hover.
folder_values.WIDTH = 100

--- The value of a source at a place in Markdown: in a line, if there is room.
---@param here hclexpr.service.Here
---@param source string
---@return string?
function folder_values.at(here, source)
  local text = folder_values.shown(here.workspace, here.document, here.byte, source)
  if not text then return nil end
  local line = "= " .. markdown.code(text)
  if wrap.width(line) <= folder_values.WIDTH then return line end
  return markdown.block(wrap.narrow("= " .. text, folder_values.WIDTH))
end

-- Lines of an explanation in a hover.
local MOST_LINES = 14

--- Explains the value of a source at a place, in lines; nil: nothing needs explaining, or the module can't explain the value.
---@param here hclexpr.service.Here
---@param source string
---@return string?
function folder_values.why(here, source)
  local background = lazy.load("hclexpr.editor.background")
  local module, current, work = background.module(here.workspace, here.document)
  if not module then return nil end
  local where = { filename = here.document.path, byte = current and here.byte or nil }
  local tree = background.ask(here.workspace, work, function() return (check.readable(module:explain(source, where))) end)
  if not tree then return nil end
  local lines = {}
  -- Its first line is the value.
  for line in (wrap.narrow(tostring(tree):match "\n(.*)$" or "", folder_values.WIDTH) .. "\n"):gmatch "(.-)\n" do
    if #lines == MOST_LINES then
      lines[#lines] = "…"
      break
    end
    lines[#lines + 1] = line
  end
  return #lines > 1 and table.concat(lines, "\n") or nil
end

return folder_values
