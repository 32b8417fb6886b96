-- Writes outputs in the form of `terraform output -json`.
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local answers = require "hclexpr.terraform.module.answers"
local check = require "hclexpr.check"
local Findings = require "hclexpr.terraform.language.findings"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local states = require "hclexpr.terraform.show.json.states"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local outputs = { begin = answers.begin }

-- Describes an output. For an unknown one, shows its known parts and says which parts are unknown.
local function output_tree(value, sensitive, reveal)
  local bare = certain(core.as_data(typed_values.bare(value)))
  local made = states.output(bare, sensitive, reveal)
  if bare:is_wholly_known() then return made end
  if sensitive and not reveal then
    made.type, made.value, made.unknown = "dynamic", core.null, true
  else
    made.type, made.value, made.unknown = states.type_tree(bare:type()), value_parts.known(bare, true), value_parts.unknown(bare, true)
    if made.value == nil then made.value = core.null end
  end
  return made
end

--- Returns the outputs of the root by name, { sensitive, type, value } each, as a Value; nil if the folder can't be evaluated.
---@param options? { reveal?: boolean } reveal: show sensitive values
---@return hclexpr.Value? json
---@return hclexpr.Diagnostics? err what is wrong with what they need
---@return hclexpr.Value? partial the outputs that have a value
function outputs.outputs_json(self, options)
  local o = check.options(1, "outputs_json", options, { reveal = "boolean" })
  local all, err = check.readable(answers.outputs(self))
  if not all then return nil, err end
  local declared, made = self.root.folder.outputs, {}
  for name, value in pairs(all) do
    local sensitive = value_parts.hides(declared[name], value)
    made[name] = output_tree(value, sensitive, o.reveal)
  end
  local json, why = core.value(made)
  if json == nil then return nil, why end
  return Findings.results(json, err)
end

return outputs
