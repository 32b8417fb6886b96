-- Checks provisioners. They run only in an apply, so a plan only reports mistakes in their arguments.
local configuration = require "hclexpr.terraform.plan.configuration"
local language = require "hclexpr.terraform.language.language"
local schema_form = require "hclexpr.terraform.language.schema_form"

local provisioners = {}

local row = language.file.blocks.resource.blocks.provisioner
local connection = schema_form.of(row.blocks.connection)

--- Checks the provisioners of a resource in a frame where `self` is the resource. Reference: checking ends at the first provisioner with a
--- mistake.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function provisioners.check(walk, declaration, frame)
  for _, provisioner in ipairs(declaration.provisioners or {}) do
    local own = row.by_label[provisioner.type]
    local sound = not own or configuration.evaluate(walk, provisioner, schema_form.of(own), frame) ~= nil
    local bodies = {}
    if declaration.connection then bodies[1] = declaration.connection.body end
    if provisioner.connection then bodies[#bodies + 1] = provisioner.connection.body end
    if #bodies > 0 then sound = configuration.evaluate(walk, { bodies = bodies }, connection, frame) ~= nil and sound end
    if not sound then return false end
  end
  return true
end

return provisioners
