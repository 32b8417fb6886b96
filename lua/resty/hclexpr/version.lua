-- Loads a version: decodes and checks its text, in slices, so that no request waits long.
local bound = require "hclexpr.body.bound"
local core = require "hclexpr.core"
local decode = require "resty.hclexpr.decode"
local request = require "resty.hclexpr.request"

local clock = require "resty.hclexpr.clock"

local Version = {}

-- The length of a slice, and of the sleep after it, in which requests are handled, in seconds. (The sleep isn't zero, because an nginx
-- without OpenResty's patches logs each such sleep.)
local SLICE, TURN = 0.002, 0.001

-- All requests of a worker share the config, so a new key in it raises an error. Changes of existing keys aren't noticed, and neither are
-- changes of arrays, because these keep the metatable that distinguishes them from objects.
local Fixed = { __newindex = function(_, key)
  error(string.format("attempt to set %q in a configuration of rules, which may not be changed", tostring(key)), 2)
end }

-- Protects the tables of a config against new keys. Blocks of a language refer to each other, so each table is visited once.
local function fix(config)
  local seen, stack = { [config] = true }, { config }
  while #stack > 0 do
    local t = table.remove(stack)
    for _, value in next, t do
      if type(value) == "table" and not seen[value] then
        seen[value] = true
        stack[#stack + 1] = value
      end
    end
    if getmetatable(t) == nil then setmetatable(t, Fixed) end
  end
end
Version.fix = fix

--- Returns a function that lets requests run if the current slice is over. With at_once it always does so, because the next step may take
--- a whole slice.
function Version.pauses()
  local started = clock()
  return function(at_once)
    if not at_once and clock() - started < SLICE then return end
    ngx.sleep(TURN)
    started = clock()
  end
end

function Version.no_pause() end

--- Returns the plan of an expression: `expression`, which is to be evaluated, and `parts`, the parts of the request that it reads. `parts`
--- is false if the expression reads none, or needs the lookup.
function Version.plan_of(expression)
  local source = getmetatable(expression) == core.classes.Attribute and expression.expression or expression
  local parts = request.plan(source:references())
  -- A bound Attribute (body/bound.lua) is evaluated by its own methods, because they add the names of its block.
  return { expression = bound.is(expression) and expression or source, parts = parts and parts[1] and parts or false }
end

--- Makes a version from a text; or returns nil and a report of the mistakes in it.
---@param o { name: string, schema?: table, types: table, scope: hclexpr.Scope, language?: hclexpr.Language, given?: table }
---@param version string
---@param since number
---@param text string
---@param pause fun(at_once?: boolean)
function Version.take(o, version, since, text, pause)
  local ok, config, err, attributes = pcall(decode.run, text, string.format("%s version %s", o.name, version), o, pause)
  if not ok then return nil, tostring(config) end
  if not config then return nil, tostring(err) end
  fix(config)
  return { version = version, since = since, config = config, attributes = attributes, plans = setmetatable({}, { __mode = "k" }) }
end

--- Does in advance what the first evaluation of each expression would do.
---@param version table
---@param pause fun(at_once?: boolean)
function Version.warm(version, pause)
  for _, attribute in ipairs(version.attributes) do
    version.plans[attribute] = version.plans[attribute] or Version.plan_of(attribute)
    attribute.expression:literal()
    pause()
  end
  version.attributes = nil
end

return Version
