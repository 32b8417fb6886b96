-- Turns a plan into the API's plain tables of changes. The text of a plan is made from these.
local certain = require("hclexpr.check").certain
local planned_changes = require "hclexpr.terraform.plan.changes"
local core = require "hclexpr.core"
local written = require "hclexpr.terraform.providers.written"

local plan = {}

-- The shape of an object that only the state has, if no schema is known: no block is written from which the shape could be taken.
local unwritten = { block_types = {}, written = true }

-- Makes the API's table of a change. A replacement because of attribute paths gets the reason "triggers", as for replace_triggered_by,
-- since only triggers_replace has such paths.
local function row_of(walk, one, invoked)
  local row = {
    address = one.address, module = one.module, mode = one.mode, type = one.type, name = one.name, key = one.key or nil,
    action = one.action, reason = one.reason == "paths" and "triggers" or one.reason, previous_address = one.previous_address,
    create_before_destroy = one.create_before_destroy, before = planned_changes.before(walk, one),
  }
  if not one.instance then
    row.shape, row.deposed, row.invokes = one.schema or unwritten, one.entry.deposed, invoked[one.entry]
    return row
  end
  local declaration, decision = one.declaration, one.decision
  row.value, row.range = certain(core.as_written(one.expansion.instances[one.key])), declaration.block.head_range
  row.declaration, row.shape, row.invokes = declaration, written.shape(declaration, one.schema), invoked[one.address]
  row.schema = walk.evaluation.provider_of(declaration):origin_of(declaration)
  if decision then row.importing, row.forgets = decision.importing, decision.forgets end
  return row
end

--- Makes the tables of a plan's resources, in Terraform's order.
---@param walk hclexpr.module.Walk
---@return table[] all
---@return table[] resources planned instances of resources
---@return table[] gone objects that only the state has
function plan.resources(walk)
  local all, resources, gone, invoked = {}, {}, {}, planned_changes.invoked(walk)
  for i, one in ipairs((planned_changes.all(walk))) do
    local row, list = row_of(walk, one, invoked), one.instance and resources or gone
    all[i] = row
    -- A refresh-only plan also lists objects that were only moved; those remain.
    if one.instance or one.action ~= "no-op" then list[#list + 1] = row end
  end
  return all, resources, gone
end

return plan
