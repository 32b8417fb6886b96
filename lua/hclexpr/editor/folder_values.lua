-- Texts for values of expressions. The values come from the module that background.lua has opened. Values are missing before that, or if
-- the module can't be evaluated.
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

-- Limits for writing the text of a value. If a value exceeds them, only its type is shown.
local ROOM = { output = 4000, steps = 100000 }

-- Writes a value with unknown or hidden parts as a console does, but on one line.
local function partly_known(value)
  local text = tostring(value):gsub(",?\n%s*([%]})])", " %1"):gsub("([%[{(])\n%s*", "%1 "):gsub(",?\n%s*", ", ")
  return text
end

--- Writes a value on one line, a marked one as "(sensitive value)"; returns nil if the value is unknown.
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

--- Returns the Value of an expression's source at a byte of a document; nil if no module is open or it can't answer now.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@param source string
---@return hclexpr.Value?
function folder_values.value(workspace, document, byte, source)
  local background = lazy.load("hclexpr.editor.background")
  local module, current, work = background.module(workspace, document)
  if not module then return nil end
  -- A byte is useful only if the module knows this text.
  local where = { filename = document.path, byte = current and byte or nil }
  return background.ask(workspace, work, function() return (check.readable(module:value(source, where))) end)
end

-- Returns the variables without a value that alone make the value of a source unknown; nil if there are other reasons, or if another module
-- calls this one, because its calls give the variables values.
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

--- Returns the text to show for the value of a source, on one line: the value, or why it is unknown; nil if nothing is known.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@param byte integer
---@param source string
---@return string?
function folder_values.shown(workspace, document, byte, source)
  local value = folder_values.value(workspace, document, byte, source)
  if not value then return nil end
  local text = folder_values.text(value)
  -- Nothing is ever applied in a described language.
  if document.vocabulary then return text and (text:gsub("%(known after apply%)", "(unknown)")) end
  local missing = not value:is_wholly_known() and not_given(workspace, document, byte, source)
  if not missing then return text end
  if value:is_known() then return text and (text:gsub("%(known after apply%)", "(no value given)")) end
  return missing[1] == source and "no value given" or "no value given for " .. table.concat(missing, ", ")
end

-- The width of a hover, in columns.
folder_values.WIDTH = 100

--- Returns Markdown that shows the value of a source: on one line if it fits, otherwise as a block.
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

-- The largest number of lines of an explanation in a hover.
local MOST_LINES = 14

--- Explains the value of a source in lines of text; nil if the explanation is trivial, or the module can't explain the value.
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
  -- The first line is the value, which the hover shows already.
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
