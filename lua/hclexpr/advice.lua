-- Messages about wrong options and names of fields, with the right ones. Loaded when options are checked, or a name is missing.
local core = require "hclexpr.core"

local advice = {}

-- Lists the allowed words, as '"a", "b" or "c"'; nil if value is one of them.
local function none_of(words, value)
  local quoted = {}
  for i, word in ipairs(words) do
    if value == word then return nil end
    quoted[i] = '"' .. word .. '"'
  end
  if not quoted[2] then return quoted[1] end
  return table.concat(quoted, ", ", 1, #quoted - 1) .. " or " .. quoted[#quoted]
end

local function is_whole(value, min, max)
  return type(value) == "number" and value >= min and value <= max and value % 1 == 0
end

-- By a word in an option's row that isn't a Lua type: says what the option must be; nil or false if value is that.
local kinds = {
  position = function(value) return not is_whole(value, 1, 2 ^ 31 - 1) and "a whole number from 1 on" end,
  indent = function(value) return value and not is_whole(value, 0, 16) and "a number of spaces from 0 to 16, or false" end,
  scope = function(value)
    return getmetatable(value) ~= core.classes.Scope and ("a scope, not a %s; make one with hcl.scope"):format(type(value))
  end,
}

-- Says what is wrong with an option according to its row; nil if nothing is.
local function fault(name, wanted, value)
  if wanted == true then return nil end
  if wanted == "limits" then return core.limits_fault(value) end
  local must_be
  if type(wanted) == "table" then must_be = none_of(wanted, value)
  elseif kinds[wanted] then must_be = kinds[wanted](value)
  elseif not ("|" .. wanted .. "|"):find("|" .. type(value) .. "|", 1, true) then
    must_be = string.format("a %s, not a %s", (wanted:gsub("|", " or ")), type(value))
  end
  return must_be and string.format("option '%s' must be %s", name, must_be)
end

--- "; did you mean 'x'?", or "".
---@param key any
---@param known table<string, any>
---@return string
function advice.did_you_mean(key, known)
  local names = {}
  for name in pairs(known) do names[#names + 1] = name end
  local near = type(key) == "string" and core.suggest(key, names)
  if not near and type(key) == "string" and #key >= 3 then -- a name that the key begins: `file` for `filename`
    table.sort(names)
    for i = #names, 1, -1 do near = names[i]:sub(1, #key) == key and names[i] or near end
  end
  return near and string.format("; did you mean '%s'?", near) or ""
end

--- Returns " Write hcl.array {} …" for an empty table, which is an object, where a list or set is wanted; otherwise "".
---@param value any
---@param wanted? hclexpr.Type
---@return string
function advice.of_empty(value, wanted)
  local kind = wanted and wanted:kind()
  local is_empty = type(value) == "table" and getmetatable(value) == nil and next(value) == nil
  return is_empty and (kind == "list" or kind == "set" or kind == "tuple") and " Write hcl.array {} for one without elements." or ""
end

--- Says what is wrong with a table of options, or returns nil. `known` describes the fields, in the form of check.options.
---@param options table
---@param known table<string, string|string[]|true>
---@return string?
function advice.of_options(options, known)
  for key, value in next, options do
    local wanted = known[key]
    if not wanted then return string.format("unknown option '%s'%s", tostring(key), advice.did_you_mean(key, known)) end
    local wrong = fault(key, wanted, value)
    if wrong then return wrong end
  end
end

--- Replaces older names of options by current ones, in a copy; or says what is wrong.
---@param options table
---@param aliases table<string, string> older names
---@return table options
---@return string? fault
function advice.renamed(options, aliases)
  local made = options
  for old, name in pairs(aliases) do
    local value = rawget(options, old)
    if value ~= nil then
      if rawget(options, name) ~= nil then
        return options, ("options '%s' and '%s' are the same, so give '%s' alone"):format(name, old, name)
      end
      if made == options then
        made = {}
        for key, given in next, options do made[key] = given end
      end
      made[name], made[old] = value, nil
    end
  end
  return made
end

-- Lists the fields and methods, as 'a, b, c'.
local function listing(methods, names)
  local list = {}
  for i, name in ipairs(names) do list[i] = name end
  for name in pairs(methods) do
    if name:sub(1, 1) ~= "_" then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, ", ")
end

--- Makes the message about a missing field. names: the fields that aren't methods.
---@param kind string
---@param methods table<string, function>
---@param names string[]
---@param key string|number
---@return string
function advice.of_field(kind, methods, names, key)
  local text = type(key) == "string"
  local has = listing(methods, names)
  local way = has == "" and "it has no fields or methods" or "it has " .. has
  if kind == "Value" then way = string.format("read an element with v:get(%s); %s", text and '"' .. key .. '"' or key, way) end
  local article, given = kind:find "^[AE]" and "an" or "a", text and "'" .. key .. "'" or "[" .. key .. "]"
  return string.format("%s %s has no field %s; %s", article, kind, given, way)
end

return advice
