-- Reads version constraints: ">= 1.2, < 2.0", "~> 1.3".
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"

local versions = {}

--- The language version that hclexpr evaluates; `required_version` must allow it.
versions.LANGUAGE = "1.17.0"

---@class hclexpr.module.Version
---@field numbers integer[] at least three
---@field given integer how many of the numbers were written
---@field prerelease string
---@field metadata string

-- Returns the prerelease in the text after a version's numbers: "beta1" for "-beta1" or "beta1+x", "" without a prerelease; nil if the text
-- isn't well-formed.
local function prerelease_of(rest)
  rest = rest:gsub("%+[%w%-~.]+$", "")
  if rest == "" then return "" end
  local word = rest:match "^%-(%d[%w%-~]*[%w%-~.]*)$" or rest:match "^%-?([%a%-~][%w%-~]*[%w%-~.]*)$"
  if word and not word:find("..", 1, true) and not word:find "%.$" then return word end
end

---@param text string
---@return hclexpr.module.Version?
function versions.parse(text)
  local digits, rest = text:match "^v?(%d[%d.]*)(.*)$"
  if not digits or digits:find("..", 1, true) or digits:find "%.$" then return nil end
  local prerelease, numbers = prerelease_of(rest), {}
  if not prerelease then return nil end
  for n in digits:gmatch "%d+" do
    if #n > 18 then return nil end
    numbers[#numbers + 1] = tonumber(n)
  end
  local given = #numbers
  while #numbers < 3 do numbers[#numbers + 1] = 0 end
  return { numbers = numbers, given = given, prerelease = prerelease, metadata = rest:match "%+(.*)$" or "" }
end

local function compare(a, b)
  for i = 1, math.max(#a.numbers, #b.numbers) do
    local x, y = a.numbers[i] or 0, b.numbers[i] or 0
    if x ~= y then return x < y and -1 or 1 end
  end
  return 0
end

-- Returns true if a version satisfies "~>": only the last number of the constraint may be higher. Reference: a version with fewer numbers
-- than the constraint never satisfies it.
local function is_near(v, c)
  if compare(v, c) < 0 or #c.numbers > #v.numbers then return false end
  for i = 1, c.given - 1 do
    if v.numbers[i] ~= c.numbers[i] then return false end
  end
  return true
end

local tests = {
  ["="] = function(v, c) return compare(v, c) == 0 end,
  ["!="] = function(v, c) return compare(v, c) ~= 0 end,
  [">"] = function(v, c) return compare(v, c) > 0 end,
  [">="] = function(v, c) return compare(v, c) >= 0 end,
  ["<"] = function(v, c) return compare(v, c) < 0 end,
  ["<="] = function(v, c) return compare(v, c) <= 0 end,
  ["~>"] = is_near,
}
tests[""] = tests["="]

--- Reads the constraints in a text, { test, operator, version, text } each; returns nil if they aren't well-formed.
---@param text string
---@return table[]?
function versions.constraints(text)
  local all = {}
  for one in (text .. ","):gmatch "([^,]*)," do
    local operator, version = one:match "^%s*([=!<>~]*)%s*(%S+)%s*$"
    local test, parsed = tests[operator or "?"], version and versions.parse(version)
    if not test or not parsed then return nil end
    all[#all + 1] = { test = test, operator = operator, version = parsed, text = one:match "^%s*(.-)%s*$" }
  end
  return all
end

---@param constraints table[]
---@param version hclexpr.module.Version
---@return boolean
function versions.allow(constraints, version)
  for _, c in ipairs(constraints) do
    if not c.test(version, c.version) then return false end
  end
  return true
end

--- Reads the constraints in an attribute; reports wrong ones. Returns nil if they are wrong, null or unknown.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return table[]?
function versions.read(reader, attribute)
  local value = reading.constant(reader, attribute)
  if value == nil or not value:is_wholly_known() then return nil end
  local kind, text = core.kind(value), nil
  if value:is_null() then return nil end
  if kind == "string" or kind == "number" or kind == "bool" then text = value:text() end
  local found = text and versions.constraints(text)
  if not found then
    reader.findings:report("MODULE_VERSION", places.of_attribute(attribute), "%s must be a constraint of versions, such as "
      .. '">= 1.2, < 2.0".', attribute.name)
  end
  return found
end

versions.language = versions.parse(versions.LANGUAGE)

return versions
