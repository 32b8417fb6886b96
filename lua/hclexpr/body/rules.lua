-- Rules of a schema that restrict an argument's value further than its type: one_of, min, max, pattern, check.
local core = require "hclexpr.core"

local rules = {}

---@class hclexpr.Rule
---@field test fun(value: hclexpr.Value, data: any): any returns nil; or what is wrong, as Diagnostics or as the rest of a sentence that begins with the argument's name
---@field of_script? true the rule is a function of the script: its message is a sentence of its own, and defaults aren't tested

-- The longest value, in bytes, that a message shows; longer ones are left out.
local LONGEST = 80

local function shown(value)
  local text = tostring(value)
  return #text <= LONGEST and ", and is " .. text or ""
end

local function listed(values)
  local words = {}
  for i, value in ipairs(values) do words[i] = tostring(value) end
  if #words == 1 then return words[1] end
  return "one of " .. table.concat(words, ", ", 1, #words - 1) .. " or " .. words[#words]
end

local function near(value, values)
  if core.kind(value) ~= "string" then return "" end
  local texts = {}
  for _, v in ipairs(values) do
    if core.kind(v) == "string" and not v:is_null() then texts[#texts + 1] = v:text() end
  end
  local found = core.suggest(value:text(), texts)
  return found and string.format(' Did you mean "%s"?', found) or ""
end

-- Functions that make the rules, by the schema field of the rule. Each takes the field's value and the attribute's Type or nil, and returns
-- a Rule, or nil and the reason.
local makers = {}

function makers.one_of(list, type)
  local values, n = {}, 0
  for i, x in ipairs(list) do
    local value, err = core.value(x, type)
    if value == nil then return nil, string.format("[%d]: %s", i, err[1].detail) end
    values[i] = value
  end
  for _ in next, list do n = n + 1 end
  if n == 0 or n ~= #values then return nil, "an array of values expected, at least one" end
  return { test = function(value)
    for _, v in ipairs(values) do
      if v == value then return nil end
    end
    return "must be " .. listed(values) .. shown(value) .. "." .. near(value, values)
  end }
end

local function bound(name, words, is_within)
  makers[name] = function(x, type)
    local limit = core.value(x, "number")
    if limit == nil or core.kind(core.value(x)) ~= "number" then return nil, "a number expected" end
    if not type or type:kind() ~= "number" then return nil, 'is for arguments of type = "number"' end
    return { test = function(value)
      if not is_within(value, limit) then return "must be " .. words .. tostring(limit) .. shown(value) .. "." end
    end }
  end
end
bound("min", "at least ", function(value, limit) return limit <= value end)
bound("max", "at most ", function(value, limit) return value <= limit end)

local matches -- the Expression that searches a text for a pattern, compiled on first use

function makers.pattern(pattern, type)
  if not type or type:kind() ~= "string" then return nil, 'is for arguments of type = "string"' end
  matches = matches or assert(core.read("length(regexall(pattern, text)) > 0", "native"))
  local _, err = matches:test { pattern = pattern, text = "" }
  if err then return nil, err[1].detail end
  return { test = function(value)
    local found, why = matches:test { pattern = pattern, text = value }
    if why then return "can't be matched: " .. why[1].detail end
    if not found then return string.format('must match the pattern "%s"', pattern) .. shown(value) .. "." end
  end }
end

function makers.check(fn)
  return { of_script = true, test = function(_, data)
    local fine, message = fn(data)
    if fine ~= nil then return nil end
    return message or "The check failed, and gave no message."
  end }
end

local order = { "one_of", "min", "max", "pattern", "check" }

--- Returns true if an attribute of a schema has rules.
---@param a hclexpr.SchemaAttribute
---@return boolean
function rules.has(a)
  return a.check ~= nil or a.one_of ~= nil or a.pattern ~= nil or a.min ~= nil or a.max ~= nil
end

--- Makes the rules of a schema's attribute. Calls fail for a wrong rule.
---@param a hclexpr.SchemaAttribute
---@param type? hclexpr.Type
---@param default? hclexpr.Value a default, which must also obey the rules
---@param fail fun(field: string, message: string): any raises an error about a field of the attribute
---@return hclexpr.Rule[]
function rules.of(a, type, default, fail)
  local all = {}
  for _, field in ipairs(order) do
    if a[field] ~= nil then
      local rule, why = makers[field](a[field], type)
      if not rule then return fail("." .. field, why) end
      local wrong = default ~= nil and not rule.of_script and not default:is_null() and rule.test(default)
      if wrong then return fail(".default", wrong) end
      all[#all + 1] = rule
    end
  end
  if a.min and a.max and core.value(a.max) < core.value(a.min) then fail(".min", "is more than max, so no number is allowed") end
  return all
end

-- Adds the Diagnostics that a script's check returned. Those without a place get the argument's place.
local function add_own(findings, place, err)
  for _, d in ipairs(err) do
    local object = place.object
    if d.range or not object then findings:add(err) return end
    findings:add(core.diagnose(d, object, place.range, d.detail))
  end
end

--- Reports a value that breaks a rule. The message shows nothing of a marked value.
---@param findings hclexpr.Findings
---@param place hclexpr.findings.Place
---@param a { name: string }
---@param rule hclexpr.Rule
---@param value hclexpr.Value
---@param wrong any the result of the rule's test
function rules.report(findings, place, a, rule, value, wrong)
  local text = rule.of_script and tostring(wrong) or a.name .. " " .. wrong
  if core.marks_within(value) then
    text = a.name .. " has a value that the schema doesn't allow. What is wrong isn't shown, since the value may not be."
  elseif core.is_diagnostics(wrong) then
    return add_own(findings, place, wrong)
  end
  findings:report("SCHEMA_VALUE", place, "%s", text)
end

return rules
