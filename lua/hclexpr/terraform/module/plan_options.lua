-- Checks the options of a plan (destroy, refresh_only, refresh, targets, replace) and makes a Run from them.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local lazy = require "hclexpr.lazy"
local naming = require "hclexpr.terraform.language.naming"
local Run = require "hclexpr.terraform.run.run"
local target_addresses = lazy "hclexpr.terraform.read.target_addresses"
local Targets = lazy "hclexpr.terraform.run.targets"

local plan_options = {}

--- The names of the options and their types.
plan_options.known = { destroy = "boolean", refresh_only = "boolean", refresh = "boolean", targets = "table", replace = "table" }

-- Pairs of options that exclude each other, and the reason.
local conflicts = {
  { "destroy", "refresh_only", "a plan can't both destroy and only refresh" },
  { "refresh_only", "refresh", "nothing would be left to do" },
  { "destroy", "replace", "a destroying plan creates nothing" },
  { "refresh_only", "replace", "a refresh-only plan creates nothing" },
}

local is_set = {
  refresh = function(o) return o.refresh == false end,
  replace = function(o) return o.replace ~= nil and o.replace[1] ~= nil end,
}

local function has(o, name)
  if is_set[name] then return is_set[name](o) end
  return o[name] == true
end

local function target_of(text)
  return target_addresses.of_text(text)
end

-- Reads the address of an instance to replace; returns nil and a reason if the address isn't one of a managed resource.
local function replaced(text)
  local target, why = target_addresses.of_text(text)
  if target and target.kind ~= "managed" then
    return nil, "Only an instance of a managed resource can be replaced, such as aws_instance.web or aws_instance.web[0]."
  end
  return target, why
end

local readers = { { "targets", target_of, "an address to plan" }, { "replace", replaced, "an address to replace" } }

--- Describes the mistake in options; returns nil if they are correct. `words` has the caller's names of options, such as "-target" for
--- `targets`.
---@param o table
---@param words? table<string, string>
---@return string?
function plan_options.wrong(o, words)
  words = words or { refresh = "refresh = false" }
  local function word(name) return words[name] or name end
  for _, row in ipairs(conflicts) do
    if has(o, row[1]) and has(o, row[2]) then
      return ("%s and %s don't go together: %s. Leave one out."):format(word(row[1]), word(row[2]), row[3])
    end
  end
  for _, row in ipairs(readers) do
    for _, text in ipairs(o[row[1]] or {}) do
      local target, why = nil, "Give it as a string."
      if type(text) == "string" then target, why = row[2](text) end
      if not target then return ("%s: %s is not %s. %s"):format(word(row[1]), core.quote(tostring(text)), row[3], why) end
    end
  end
end

local function mode_of(o)
  return o.destroy and "destroy" or o.refresh_only and "refresh-only" or "normal"
end

--- Makes the Run for the options of a plan. Returns the usual Run if no option differs from its default; nil and diagnostics if the options
--- are wrong.
---@param module hclexpr.Module
---@param o table
---@return hclexpr.Run?
---@return hclexpr.Diagnostics? err
function plan_options.run(module, o)
  local usual, addresses, replaces = module.evaluation.usual, {}, {}
  local why = plan_options.wrong(o)
  if why then return nil, Findings.diagnose("MODULE_PLAN_OPTION", nil, nil, why) end
  for i, text in ipairs(o.targets or {}) do addresses[i] = target_of(text) end
  for _, text in ipairs(o.replace or {}) do
    local target = replaced(text) --[[@as hclexpr.module.Target]]
    replaces[naming.place { steps = target.steps, address = target.address, key = target.instance }] = true
  end
  local mode = mode_of(o)
  if mode == "normal" and o.refresh ~= false and not addresses[1] and next(replaces) == nil then return usual end
  return Run.new(module, { mode = mode, refresh = o.refresh ~= false, state = usual.state, replaced = replaces,
                           targets = addresses[1] and Targets.new(module, addresses) or nil })
end

return plan_options
