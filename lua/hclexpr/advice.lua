-- Messages about wrong options and names of fields, with suggestions. This file is loaded when options are checked or a field is missing.
local core = require "hclexpr.core"

local advice = {}

-- Returns the allowed words in the form '"a", "b" or "c"', or nil if value is one of them.
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

-- Functions for the kinds of options that aren't Lua types. Each says what the option must be, or returns nil or false for a right value.
local kinds = {
  position = function(value) return not is_whole(value, 1, 2 ^ 31 - 1) and "a whole number from 1 on" end,
  indent = function(value) return value and not is_whole(value, 0, 16) and "a number of spaces from 0 to 16, or false" end,
  scope = function(value)
    return getmetatable(value) ~= core.classes.Scope and ("a scope, not a %s; make one with hcl.scope"):format(type(value))
  end,
}

-- Says what is wrong with an option's value, or returns nil. `wanted` is the option's entry in a table of known options.
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

--- Returns "; did you mean 'x'?" with a known name that is similar to the key, or "".
---@param key any
---@param known table<string, any>
---@return string
function advice.did_you_mean(key, known)
  local names = {}
  for name in pairs(known) do names[#names + 1] = name end
  local near = type(key) == "string" and core.suggest(key, names)
  if not near and type(key) == "string" and #key >= 3 then -- a name that begins with the key, such as `filename` for `file`
    table.sort(names)
    for i = #names, 1, -1 do near = names[i]:sub(1, #key) == key and names[i] or near end
  end
  return near and string.format("; did you mean '%s'?", near) or ""
end

--- Returns " Write hcl.array {} …" if the value is an empty table where a list, set or tuple is wanted, because an empty table counts as an
--- object. Otherwise returns "".
---@param value any
---@param wanted? hclexpr.Type
---@return string
function advice.of_empty(value, wanted)
  local kind = wanted and wanted:kind()
  local is_empty = type(value) == "table" and getmetatable(value) == nil and next(value) == nil
  return is_empty and (kind == "list" or kind == "set" or kind == "tuple") and " Write hcl.array {} for one without elements." or ""
end

--- Says what is wrong with a table of options, or returns nil. `known` describes the allowed options as for check.options.
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

--- Replaces older names of options by the current ones, in a copy. If an option is given by both names, the second result
--- says so.
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

-- Lists the names of fields and methods in the form 'a, b, c'.
local function listing(methods, names)
  local list = {}
  for i, name in ipairs(names) do list[i] = name end
  for name in pairs(methods) do
    if name:sub(1, 1) ~= "_" then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, ", ")
end

--- Makes the message about a missing field. `names` lists the fields that aren't methods.
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
