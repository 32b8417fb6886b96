-- Provisioners: they run with an apply, so of them there is only to say what is wrong with their arguments.
local configuration = require "hclexpr.terraform.plan.configuration"

local provisioners = {}

local function attributes(words)
  local all = {}
  for name, required, type in words:gmatch "([%w_]+)(!?):(%S+)" do
    local kind, inner = type:match "^(%l+)%((%l+)%)$"
    all[name] = { type = kind and { kind, inner } or type, required = required == "!", optional = required == "" }
  end
  return { attributes = all }
end

local schemas = {
  ["local-exec"] = attributes "command!:string interpreter:list(string) working_dir:string environment:map(string) quiet:bool",
  ["remote-exec"] = attributes "inline:list(string) script:string scripts:list(string)",
  file = attributes "source:string content:string destination!:string",
}

local connection = attributes [[
  host!:string type:string user:string password:string port:number timeout:string script_path:string target_platform:string
  private_key:string certificate:string host_key:string agent:bool agent_identity:string proxy_scheme:string proxy_host:string
  proxy_port:number proxy_user_name:string proxy_user_password:string bastion_host:string bastion_host_key:string bastion_port:number
  bastion_user:string bastion_password:string bastion_private_key:string bastion_certificate:string https:bool insecure:bool
  use_ntlm:bool cacert:string
]]

--- Checks the provisioners of a resource, in a frame where `self` stands for it. Reference: the first one with a mistake is the last that
--- is looked at.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function provisioners.check(walk, declaration, frame)
  for _, provisioner in ipairs(declaration.provisioners or {}) do
    local schema = schemas[provisioner.type]
    local sound = not schema or configuration.evaluate(walk, provisioner, schema, frame) ~= nil
    local own, shared = provisioner.connection, declaration.connection
    local bodies = {}
    if shared then bodies[1] = shared.body end
    if own then bodies[#bodies + 1] = own.body end
    if #bodies > 0 then sound = configuration.evaluate(walk, { bodies = bodies }, connection, frame) ~= nil and sound end
    if not sound then return false end
  end
  return true
end

return provisioners
