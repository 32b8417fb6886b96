-- Defines Terraform's language in one table: the blocks of its files, and their arguments. Reading, checking, completion, hover and JSON
-- use this table. A new argument is a line here, a new block a row; their effects are code in read/blocks/. rows.lua describes how rows are
-- written.
local backends = require "hclexpr.terraform.language.backends"
local modes = require "hclexpr.terraform.language.modes"

local language = {}

-- `reserved` is for blocks that the language reserves. `escape` is for a block `_`, which passes arguments to the provider even if the
-- language has arguments with these names.
local reserved = { reserved = true }
local escape = { reserved = true, max = 1, rest = "type" }

-- Completes the row of a block that declares an object with a mode.
local function of_mode(mode, kind, row)
  local names = modes[mode]
  row.kind, row.mode, row.prefix, row.what, row.labels = kind, mode, names.prefix, names.what, { "type", "name" }
  row.override = "merge"
  return row
end

-- Parts of several blocks

local rule = { about = "A condition that must hold.", arguments = [[
  condition! bool: The condition, which must be true.
  error_message! string: The message if it is false.]] }

--- The row of a block with a condition: precondition, postcondition, validation, or the assert of a test.
language.rule = rule

local instances = [[
  count number: The number of instances. Each has count.index.
  for_each map or set: One instance for each element. Each has each.key and each.value.
]]
local after = [[
  depends_on list of reference: Dependencies that no expression here refers to.
]]
local configured = [[
  provider provider: The configuration of the provider, if it has several.
]]

local connection = { about = "How provisioners reach the machine.", max = 1, arguments = [[
  agent bool: Use the agent's keys.
  agent_identity string: The preferred key of the agent.
  bastion_certificate string: The bastion's signed certificate.
  bastion_host string: A host to go through.
  bastion_host_key string: The public key of that host.
  bastion_password string: The password for that host.
  bastion_port number: The port of that host.
  bastion_private_key string: The private key for that host.
  bastion_user string: The user on that host.
  cacert string: The certificate authority, for winrm.
  certificate string: A signed certificate.
  host! string: The address.
  host_key string: The host's public key.
  https bool: Use HTTPS, for winrm.
  insecure bool: Don't check the certificate, for winrm.
  password string: The password.
  port number: The port.
  private_key string: The private key.
  proxy_host string: A proxy.
  proxy_port number: The port of the proxy.
  proxy_scheme string: http or https.
  proxy_user_name string: The user at the proxy.
  proxy_user_password string: The password at the proxy.
  script_path string: The place to copy scripts to.
  target_platform string: unix or windows.
  timeout string: The longest wait, such as "5m".
  type string: ssh or winrm.
  use_ntlm bool: Use NTLM, for winrm.
  user string: The user.]] }

local provisioner = {
  about = "Something that runs after a resource is created.", labels = { "type" }, rest = "label",
  gone = "chef habitat puppet salt-masterless",
  arguments = [[
  when keyword create destroy: When it runs.
  on_failure keyword continue fail: What to do if it fails.]],
  blocks = { connection = connection, _ = escape, lifecycle = reserved },
  by_label = {
    ["local-exec"] = { arguments = [[
  command! string: The command to run on this machine.
  working_dir string: The folder in which it runs.
  interpreter list(string): The program that runs it, with its arguments.
  environment map(string): Its environment variables.
  quiet bool: Don't show the command.]] },
    ["remote-exec"] = { arguments = [[
  inline list(string): Commands to run one after the other.
  script string: A script to copy and run.
  scripts list(string): Scripts to copy and run.]] },
    file = { arguments = [[
  source string: The file or folder to copy.
  content string: The text to copy.
  destination! string: The place to copy it to.]] },
  },
}

-- Resources and similar blocks

local lifecycle = { about = "How instances are created and destroyed.", max = 1, kept = "destroy", arguments = [[
  create_before_destroy constant bool: Create a replacement before the old object is destroyed.
  prevent_destroy constant bool: Reject plans that would destroy it.
  destroy constant bool: If false, the object stays when the resource is removed, and Terraform forgets it.
  ignore_changes list of argument: Arguments whose later changes are ignored; all: all arguments.
  replace_triggered_by list of resource: Resources whose changes replace it.]],
  blocks = {
    precondition = rule, postcondition = rule,
    action_trigger = { about = "Actions that run when the resource changes.", arguments = [[
  events! list of keyword: before_create, after_create, before_update, after_update, before_destroy, after_destroy.
  condition bool: Whether they run.
  actions! list of action: The actions.
  on_failure keyword halt taint continue: What to do if one fails.]] },
  },
}

-- The lifecycle of data sources and ephemeral resources. The arguments that only managed resources have are read too, so that they are
-- rejected with a better message.
local conditions = {
  about = "Conditions of the data.", max = 1,
  reserved_arguments = "create_before_destroy prevent_destroy destroy ignore_changes replace_triggered_by",
  blocks = { precondition = rule, postcondition = rule, action_trigger = { reserved = true } },
}

local no_conditions = { reserved = true, max = 1, reserved_arguments = conditions.reserved_arguments, blocks = conditions.blocks }

local resource = of_mode("managed", "resource", {
  about = "An object that a provider manages.", list = "resources", fixed = { "depends_on" }, rest = "type",
  arguments = instances .. after .. configured,
  blocks = { lifecycle = lifecycle, connection = connection, provisioner = provisioner, _ = escape, locals = reserved },
})

local function looked_up(mode, about)
  return of_mode(mode, "resource", {
    about = about, list = "resources", fixed = { "depends_on" }, rest = "type", read_by = "resource",
    arguments = instances .. after .. configured, blocks = { lifecycle = conditions, _ = escape, locals = reserved },
  })
end

local action = of_mode("action", "action", {
  about = "An operation that a provider can perform.", list = "actions", arguments = instances .. configured,
  blocks = { config = { max = 1, rest = "type" } },
})

-- The data source of a check. It has one instance and doesn't have conditions.
local checked = of_mode("data", "resource", {
  about = "Data that a provider reads.", list = "resources", max = 1, rest = "type", arguments = after .. configured,
  reserved_arguments = "count for_each", blocks = { lifecycle = no_conditions, _ = escape, locals = reserved },
})

-- Settings

--- The entry of a provider in required_providers.
language.requirement = { about = "The source and versions of a provider.", arguments = [[
  source string: Its address, such as "hashicorp/aws".
  version string: The accepted versions, such as "~> 5.0".
  configuration_aliases list of provider: Names of configurations that callers pass.]] }

local required_providers = {
  about = "The providers that the module needs, by local names.", max = 1, rest = "requirements",
}

local terraform = {
  about = "Settings of the module itself.", arguments = [[
  required_version string: The versions of Terraform that it supports.
  experiments list of keyword: Experiments of the language that it uses.
  language keyword TF2021: The edition of the language.]],
  blocks = {
    backend = { labels = { "type" }, max = 1, rest = "label", by_label = backends.by_type }, cloud = backends.cloud,
    provider_meta = { labels = { "provider" }, rest = "any" }, required_providers = required_providers,
    state_store = { labels = { "type" }, reserved = true, rest = "label" },
  },
}

-- Files

language.file = { blocks = {
  variable = {
    about = "A value that the caller of the module gives.", labels = { "name" }, kind = "variable", prefix = "var.", what = "variable",
    list = "variables", override = "merge", kept = "deprecated", arguments = [[
  description constant string: What it is for.
  type type: The type that values are converted to.
  default any: The value if none is given.
  sensitive constant bool: The value is not shown.
  ephemeral constant bool: The value is never stored in a state or plan.
  const constant bool: The value is known before the evaluation.
  nullable constant bool: Whether it may be null; default: true.
  deprecated constant string: Why callers should no longer set it.]],
    blocks = { validation = rule },
  },
  locals = {
    about = "Names for values within the module.", kind = "local", prefix = "local.", what = "local value", list = "locals", rest = "any",
  },
  output = {
    about = "A value that the module gives to its caller.", labels = { "name" }, kind = "output", prefix = "output.", what = "output",
    list = "outputs", override = "merge", fixed = { "depends_on" }, kept = "deprecated", arguments = [[
  description constant string: What it is.
  type type: The type that the value is converted to.
  value! any: The value.
  sensitive constant bool: The value is not shown.
  ephemeral constant bool: The value is never stored in a state or plan.
  deprecated constant string: Why it should no longer be used.
  depends_on list of reference: Dependencies that the value doesn't refer to.]],
    blocks = { precondition = rule, postcondition = { reserved = true } },
  },
  module = {
    about = "A call of another module.", labels = { "name" }, kind = "call", prefix = "module.", what = "module call", list = "calls",
    override = "merge", fixed = { "depends_on" }, kept = "ignore_nested_deprecations", rest = "variables",
    arguments = instances .. after .. [[
  source! source: The folder or address of the module.
  version string: The accepted versions of a module from a registry.
  providers map of provider: The providers to pass, by their names in the module.
  ignore_nested_deprecations constant bool: Deprecations within the module are not reported.]],
    blocks = { _ = escape, lifecycle = reserved, locals = reserved, provider = { labels = { "type" }, reserved = true } },
  },
  resource = resource, data = looked_up("data", "Data that a provider reads."),
  ephemeral = looked_up("ephemeral", "A value that a provider opens for a single run."), action = action,
  provider = {
    about = "The configuration of a provider.", labels = { "name" }, kind = "provider", prefix = "provider.",
    what = "provider configuration", list = "providers", override = "merge", rest = "configuration", arguments = [[
  alias constant string: The name of a further configuration.
  version~ string: Versions; write them in required_providers instead.]],
    reserved_arguments = "count depends_on for_each source", blocks = { _ = escape, lifecycle = reserved, locals = reserved },
  },
  terraform = terraform,
  check = {
    about = "Conditions that warn.", labels = { "name" }, kind = "check", prefix = "check.", what = "check", list = "checks", blocks = {
      data = checked,
      assert = { about = "A condition that should hold.", arguments = [[
  condition! bool: The condition.
  error_message! string: The message if it is false.]] },
    },
  },
  moved = { about = "An object that has a new address.", arguments = [[
  from! reference: Its old address.
  to! reference: Its new address.]] },
  removed = {
    about = "An object that the configuration no longer manages.", read_by = "moved", arguments = [[
  from! reference: Its old address.]],
    blocks = {
      lifecycle = { about = "What to do with the object.", max = 1, arguments = [[
  destroy constant bool: Whether to destroy it; default: true.]] },
      provisioner = provisioner, connection = connection,
    },
  },
  import = { about = "An existing object that the configuration will manage.", read_by = "moved", arguments = [[
  to! reference: The resource that manages it.
  id string: The id by which the provider knows it.
  identity map(any): The attributes by which the provider knows it.
  for_each map or set: One import for each element.
  provider provider: The configuration of the provider.]] },
  required_providers = { reserved = true, read_by = "stray", rest = "any" }, -- beginners write it at the top level
} }

-- Returns a copy of a row with other fields.
local function with(row, more)
  local made = {}
  for _, from in ipairs { row, more } do
    for name, value in pairs(from) do made[name] = value end
  end
  return made
end

local enabled = "\n  enabled bool: Whether the instance exists. If it is false, the name is null."

-- Returns a copy of a block's row whose lifecycle block has the argument `enabled`.
local function with_lifecycle(row, about)
  local own = row.blocks.lifecycle
  local made = own.reserved and { about = about, max = 1, arguments = enabled }
    or with(own, { arguments = (own.arguments or "") .. enabled })
  return with(row, { blocks = with(row.blocks, { lifecycle = made }) })
end

local blocks = language.file.blocks

--- The row of OpenTofu's files, *.tofu, whose language has more than Terraform's.
language.tofu = with(language.file, { blocks = with(blocks, {
  resource = with_lifecycle(blocks.resource), data = with_lifecycle(blocks.data), ephemeral = with_lifecycle(blocks.ephemeral),
  module = with_lifecycle(blocks.module, "Whether the module is called."),
}) })

--- Returns the row of a file. (A pattern such as "%.tofu$" would be slower: it is tried at each byte of the path.)
---@param path string
---@return hclexpr.language.Block
function language.of(path)
  return (path:sub(-5) == ".tofu" or path:sub(-10) == ".tofu.json") and language.tofu or language.file
end

--- The row of `dynamic` blocks, which generate other blocks in parts that a provider's schema describes.
language.dynamic = { about = "Generates a block for each element.", labels = { "type" }, arguments = [[
  for_each! map or list: One block for each element.
  iterator name: The name of the element inside; default: the type of the block.
  labels list(string): The labels of the generated blocks.]], blocks = { content = { max = 1, min = 1, rest = "type" } } }

--- The row of a file with values of variables. It includes `variable` blocks, because beginners write them there.
language.values = { rest = "any", blocks = { variable = { labels = { "name" }, reserved = true } } }

--- Names that always exist, with their attributes.
language.names = {
  path = { { "module", "The folder of this module." }, { "root", "The folder of the root module." },
           { "cwd", "The current folder of the process." } },
  terraform = { { "workspace", "The name of the workspace." }, { "applying", "Whether this is an apply." } },
}

--- Words of types, with the text that an editor inserts for each.
language.types = {
  { "string" }, { "number" }, { "bool" }, { "any" }, { "list(…)", "list(${1:string})" }, { "set(…)", "set(${1:string})" },
  { "map(…)", "map(${1:string})" }, { "object({…})", "object({ ${1:name} = ${2:string} })" }, { "tuple([…])", "tuple([${1:string}])" },
}

return language
