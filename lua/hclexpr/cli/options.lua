-- A command's options, each described once: shell.lua reads arguments by these rows, help.lua and tools/manual.lua show them.
--
-- `options` of a command is a list of rows, of lists of rows that commands share, and of texts that help shows between rows. A row:
--   [1]    the spelling: "-var NAME=VALUE" takes a value, "-strict" is a flag, "-s, --spec FILE" has two names, "-json=full" is
--          a word that the flag may have in place of true and false; a name may have several rows
--   [2]    the text of help; nil: help doesn't show the option
--   into   the field of the result whose table gets this option; nil: the result itself
--   field  the field in that table; nil: the (last) name, with _ for -
--   act    function(table, value), which does something else with it
local options = {}

---@class hclexpr.cli.Option
---@field head string how it is written
---@field text? string what help says
---@field spelled table<string, string> its names, each with its dashes
---@field value? string the name of its value; nil: it is a flag
---@field words table<string, true> that may follow a flag, besides true and false
---@field into? string
---@field field string
---@field act? fun(into: table, value: string|boolean)

local function option_of(row)
  local names, sign, value = row[1]:match "^(.-%-%a[%w-]*)([ =]?)(%S*)$"
  local is_word = sign == "=" and value:find "^%l" ~= nil
  local option = {
    head = row[1], text = row[2], spelled = {}, value = not is_word and sign ~= "" and value or nil, words = {},
    into = row.into, act = row.act,
  }
  if is_word then option.words[value] = true end
  for dashes, name in names:gmatch "(%-%-?)(%a[%w-]*)" do
    option.spelled[name] = dashes .. name
    option.field = row.field or name:gsub("%-", "_")
  end
  return option
end

local function is_row(list)
  return type(list[1]) == "string" and list[1]:find "^%-" ~= nil
end

-- The first row of a name decides what it does.
local function add_row(row, parts, named)
  local option = option_of(row)
  parts[#parts + 1] = option
  for name in pairs(option.spelled) do
    local first = named[name] or option
    named[name] = first
    for word in pairs(option.words) do first.words[word] = true end
  end
end

local function add(list, parts, named)
  for _, part in ipairs(list) do
    if type(part) == "string" then parts[#parts + 1] = part
    elseif is_row(part) then add_row(part, parts, named)
    else add(part, parts, named) end
  end
end

--- Returns a command's options in their order, with the texts between them, and by name.
---@param command { options?: table }
---@return (string|hclexpr.cli.Option)[] parts
---@return table<string, hclexpr.cli.Option> named
function options.of(command)
  local parts, named = {}, {}
  add(command.options or {}, parts, named)
  return parts, named
end

return options
