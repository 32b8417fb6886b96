-- Values of arguments: conversion, the rules of the description, and the tables for expressions and for the program.
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local driver = require "hclexpr.driver"
local Findings = require "hclexpr.findings"
local places = require "hclexpr.places"
local rules = require "hclexpr.body.rules"
local typecheck = require "hclexpr.typecheck"

local values = { null = core.null }

--- Returns true if expressions can read an argument. Kept expressions and references have no value.
---@param a hclexpr.languages.Argument
---@return boolean
function values.has_value(a) return not (a.kept or a.ref or a.refs) end

--- Returns a string as an HCL literal.
---@param text string
---@return string
function values.quote(text)
  return core.quote(text)
end

-- Returns the place of an argument's expression, or of the block if no file sets the argument.
local function place_of(at)
  if getmetatable(at) == core.classes.Attribute then return places.of_attribute(at) end
  return places.of_block(at)
end

local function diagnose(row, at, text, ...)
  local place = place_of(at)
  return core.diagnose(row, place.object, place.range, text:format(...), place.context)
end

-- The value of an argument as the program gets it; nil and the diagnostics if it is larger than the limit.
local function to_lua(conf, a, at, value)
  local data, err = core.to_lua(value, conf.output)
  if data ~= nil then return data end
  ---@cast err -?
  if err[1].code ~= "limit.output" then return nil, err end
  return nil, diagnose("LIMIT_OUTPUT", at, "The value of %s takes more than %d bytes, which is the limit. Make it smaller, or raise "
    .. "limits.output.", a.name, conf.output)
end

--- Converts the value of an argument and tests its rules. Returns nil and the diagnostics if it is wrong.
---@param conf hclexpr.languages.Configuration
---@param a hclexpr.languages.Argument
---@param at? hclexpr.Attribute|hclexpr.Block the argument as written, or the block that lacks it
---@param value hclexpr.Value
---@return hclexpr.Value?
---@return hclexpr.Diagnostics? err nil: it was reported before
function values.fit(conf, a, at, value)
  if a.type and not typecheck.is_plain(value, a.type) then
    local fitting, err = core.value(value, a.type)
    if fitting == nil then
      return nil, diagnose("BODY_TYPE", at, "The argument \"%s\" doesn't fit its type: %s. Give it a value of that type.", a.name,
        Findings.clause(err, true))
    end
    value = fitting
  end
  if not value:is_wholly_known() then
    if conf.checking then return value end
    if conf.torn then return nil end -- the value may depend on a part with a syntax error
    return nil, diagnose(rows.MODULE_LANGUAGE_UNKNOWN, at, "The value of %s isn't known, but the program needs a known value.", a.name)
  end
  if value:is_null() then
    if not a.required then return value end
    return nil, diagnose("BODY_NULL", at, "The argument \"%s\" is required, and null counts as missing. Give it a value.", a.name)
  end
  if not a.rules then return value end
  local findings, bare = Findings.new(), value:unmark()
  local data, too_large = to_lua(conf, a, at, value)
  if data == nil then return nil, too_large end
  for _, rule in ipairs(a.rules) do
    local wrong = rule.test(bare, data)
    if wrong then rules.report(findings, place_of(at), a, rule, value, wrong) end
  end
  local err = findings:diagnostics()
  if err then return nil, err end
  return value
end

--- Returns a copy of a table.
---@param t table
---@return table
function values.fields(t)
  local made = {}
  for key, value in next, t do made[key] = value end
  return made
end

local plain_value = driver.method(core.plain_value)

--- Evaluates the expression of an attribute. The Expression is closed at once, because a file may have thousands, which nothing else needs.
---@param conf hclexpr.languages.Configuration
---@param attribute hclexpr.Attribute
---@param names? table<string, any>
---@return hclexpr.Value|string|number|boolean|nil value strings, bools and whole numbers as plain data
---@return hclexpr.Diagnostics? err
function values.evaluate(conf, attribute, names)
  local expression = core.field(attribute, "expression")
  local value, err = plain_value(expression, names, conf.scope)
  core.close_expression(expression)
  return value, err
end

local plain = { string = "string", number = "number", boolean = "bool" }

--- Stores Lua data as the value of an argument, if they need no conversion and no check.
---@param conf hclexpr.languages.Configuration
---@param to { self: table, result: table }
---@param a hclexpr.languages.Argument
---@param data any
---@return boolean stored
function values.put_plain(conf, to, a, data)
  local kind = plain[type(data)]
  if not kind or not conf.plain or a.plain ~= kind and a.plain ~= "any" then return false end
  if kind == "string" and #data > conf.output then return false end -- values.put reports it
  to.self[a.name], to.result[a.name] = data, data
  return true
end

--- Stores the value of an argument for expressions and for the program. Returns nil and Diagnostics if the limits allow no such result.
---@param conf hclexpr.languages.Configuration
---@param to { self: table, result: table }
---@param a hclexpr.languages.Argument
---@param at? hclexpr.Attribute|hclexpr.Block where it is written, or else missing
---@param value hclexpr.Value
---@return hclexpr.Value?
---@return hclexpr.Diagnostics? err
function values.put(conf, to, a, at, value)
  to.self[a.name] = value
  if value:is_null() or not value:is_wholly_known() then return value end
  local data, err = to_lua(conf, a, at, value)
  to.result[a.name] = data
  return data ~= nil and value or nil, err
end

return values
