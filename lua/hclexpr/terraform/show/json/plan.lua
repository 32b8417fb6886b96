-- Writes a plan in the form of `terraform show -json` (format 1.2). Further information of hclexpr has its own key.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local changes = require "hclexpr.terraform.show.json.changes"
local checks = require "hclexpr.terraform.show.json.checks"
local configuration = require "hclexpr.terraform.show.json.configuration"
local answers = require "hclexpr.terraform.module.answers"
local plan_options = require "hclexpr.terraform.module.plan_options"
local planned_changes = require "hclexpr.terraform.plan.changes"
local invocations = require "hclexpr.terraform.show.json.invocations"
local Findings = require "hclexpr.terraform.language.findings"
local options_of = require("hclexpr.check").options
local text_of = require("hclexpr.json.text").text_of
local relevant = require "hclexpr.terraform.show.json.relevant"
local rows = require "hclexpr.terraform.show.json.rows"
local trees = require "hclexpr.terraform.show.json.trees"
local states = require "hclexpr.terraform.show.json.states"
local value_parts = require "hclexpr.terraform.show.json.value_parts"
local versions = require "hclexpr.terraform.read.versions"

local plan = { begin = answers.begin }

local FORMAT = "1.2"

local function filled(t)
  return next(t) ~= nil and t or nil
end

-- Returns the values given to the root's variables before conversion, or their defaults.
local function variables_of(module, reveal)
  local made = {}
  for name, d in pairs(module.root.folder.variables) do
    local given = module.inputs[name]
    local value = given and not d.ephemeral and given.value or d.default
    if value ~= nil then
      if d.sensitive and not reveal then value = certain(core.value(core.null)) end
      made[name] = { value = value_parts.known(value, reveal) }
    end
  end
  return filled(made)
end

-- Lists what is missing in the plan because only a provider could determine it.
local function missing_of(all)
  local list = value_parts.list()
  local function add(row, what) list[#list + 1] = { address = row.address, missing = what } end
  for _, row in ipairs(all) do
    if row.instance and not row.schema then add(row, "schema") end
    if row.decision and row.decision.unread then add(row, "data") end
  end
  return list
end

local function place_tree(range)
  local function at(pos) return { line = pos.line, column = pos.column, byte = pos.byte } end
  return { filename = text_of(range.filename or ""), start = at(range.start), ["end"] = at(range.stop) }
end

local function diagnostics_of(err)
  local list = value_parts.list()
  for i, d in ipairs(err or {}) do
    list[i] = { severity = d.severity, summary = d.summary, detail = d.detail, code = d.code,
                range = d.range and place_tree(d.range) or nil }
  end
  return list
end

-- Returns the known local values by the address of their module.
local function locals_of(walk, reveal)
  local made = {}
  for config, list in pairs(walk.instances) do
    for _, instance in ipairs(list) do
      local of = {}
      for name in pairs(config.folder.locals) do
        local value = instance.names["local"][name]
        local known = value and value_parts.known(value, reveal)
        -- A local value may be something that JSON can't represent, such as an infinite number.
        if known ~= nil and core.value_json(core.value(known), 0, 0) then of[name] = known end
      end
      made[instance.address] = filled(of)
    end
  end
  return filled(made)
end

-- Returns the places of resources' declarations by address.
local function origins_of(all)
  local made = {}
  for _, row in ipairs(all) do
    local range = row.instance and row.declaration.block.head_range
    if range then made[row.address] = { filename = text_of(range.filename or ""), line = range.start.line } end
  end
  return filled(made)
end

-- Returns what hclexpr adds to the format.
local function more_of(walk, all, missing, err, reveal)
  return trees.object { locals = locals_of(walk, reveal), missing = trees.list(missing) or value_parts.list(),
                        origins = origins_of(all), diagnostics = diagnostics_of(err) }
end

-- Returns true if a refresh changes the order of replacement in the state. Only a state file records this order.
local function reorders(walk, all, rest)
  local early = nil
  for _, list in ipairs { all, rest } do
    for _, row in ipairs(list) do
      if row.config and row.entry.early ~= nil then
        early = early or planned_changes.early(walk)
        if row.entry.early ~= (early[walk.graph:node(row.config, row.declaration.address)] == true) then return true end
      end
    end
  end
  return false
end

-- Returns true if the plan can be applied. Reference: a refresh-only plan can be if outputs, data or the order of replacement change,
-- regardless of moves.
local function is_applyable(walk, all, rest, any, any_output)
  if walk.run.mode ~= "refresh-only" then return any or any_output end
  for _, change in pairs(planned_changes.outputs(walk, planned_changes.planned_outputs(walk))) do
    local is_new = change.action == "create" or change.action == "update"
    if is_new and change.after:is_wholly_known() then return true end
  end
  return reorders(walk, all, rest) or states.data_changes(walk, all, rest)
end

local function tree_of(self, walk, o, err)
  local reveal, errored = o.reveal, Findings.has_errors(err)
  local all, rest = rows.all(walk)
  local outputs, only_reads = planned_changes.planned_outputs(walk), walk.run.mode == "refresh-only"
  local resources, any, changed = changes.of_resources(walk, all, rest, reveal)
  local of_outputs, any_output, changed_outputs = changes.of_outputs(walk, outputs, reveal)
  local invoked = invocations.list(walk, changed, reveal)
  local missing, list, attributes = missing_of(all), checks.list(walk), relevant.list(walk, changed, changed_outputs)
  return trees.object {
    format_version = FORMAT, terraform_version = versions.LANGUAGE, variables = variables_of(self, reveal),
    planned_values = states.planned(walk, all, outputs, reveal),
    [only_reads and "resource_drift" or "resource_changes"] = resources,
    output_changes = trees.object(of_outputs), prior_state = states.prior(walk, all, rest, reveal),
    configuration = configuration.tree(self, reveal),
    relevant_attributes = trees.list(attributes), checks = trees.list(list), action_invocations = trees.list(invoked),
    timestamp = os.date("!%Y-%m-%dT%H:%M:%SZ", o.time), applyable = not errored and is_applyable(walk, all, rest, any, any_output),
    complete = not (errored or missing[1] or walk.run.targets or self:missing()[1]), errored = errored,
    hclexpr = o.full and more_of(walk, all, missing, err, reveal) or nil,
  }
end

local known_options = { reveal = "boolean", full = "boolean", time = "number", text = "boolean" }
for name, of in pairs(plan_options.known) do known_options[name] = of end

--- Returns a plan in Terraform's JSON, as a Value or text; nil if mistakes rule out any plan.
---@param options? hclexpr.PlanJSONOptions reveal: show sensitive values; full: add the key `hclexpr`, which the format doesn't have; time:
--- the value of `timestamp`; text: return text, written part by part; the others are those of plan()
---@return hclexpr.Value|string|nil json
---@return hclexpr.Diagnostics? err what is wrong, or warnings
---@return hclexpr.Value|string|nil partial the part that could be planned
function plan.plan_json(self, options)
  local o = options_of(1, "plan_json", options, known_options)
  local walk, err = answers.walk(self, o)
  if not walk then return nil, err end
  local json, why = trees[o.text and "text" or "value"](tree_of(self, walk, o, err))
  if json == nil then return nil, Findings.join(err, why) end
  return Findings.results(json, err)
end

return plan
