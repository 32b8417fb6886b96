-- What the language itself has in blocks: arguments, nested blocks and labels, in the form that provider schemas have, so that completion,
-- hover and validation read both alike.
local stores = require "hclexpr.editor.backends"

local grammar = {}

-- Arguments by lines "name[!] type: words for readers"; "!": required. Types that are none of the language say what is written there:
-- "reference", "provider", "type", "keyword a b".
local function arguments(lines)
  local made = {}
  for line in lines:gmatch "[^\n]+" do
    local name, required, type, description = line:match "^%s*([%w_]+)(!?)%s+([^:]+):%s*(.-)%s*$"
    made[name] = { type = type, description = description, required = required == "!" or nil, optional = required == "" or nil }
  end
  return made
end

local function block(description, lines, blocks)
  return { description = description, attributes = arguments(lines), block_types = blocks or {} }
end

-- A nested block, or one of a file: `labels` are the names of its labels, `max` how many there may be.
local function nested(row, labels, max, min)
  return { block = row, labels = labels, nesting_mode = "list", max_items = max, min_items = min }
end

local rule = nested(block("A condition that must hold.", [[
  condition! bool: The module can go on only where this is true.
  error_message! string: What is told where it is not.]]))

local repetition = [[
  count number: How many instances there are. Each has count.index.
  for_each map or set: One instance for each element. Each has each.key and each.value.
  depends_on list of reference: What must be done first, though nothing of it is named here.]]

local connection = nested(block("How provisioners reach the machine.", [[
  agent bool: Use the agent's keys.
  agent_identity string: The agent's key to prefer.
  bastion_certificate string: The bastion's signed certificate.
  bastion_host string: A host to go through.
  bastion_host_key string: Its public key.
  bastion_password string: The password there.
  bastion_port number: Its port.
  bastion_private_key string: The private key for it.
  bastion_user string: The user there.
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
  proxy_port number: Its port.
  proxy_scheme string: http or https.
  proxy_user_name string: The user at the proxy.
  proxy_user_password string: The password at the proxy.
  script_path string: Where scripts are copied to.
  target_platform string: unix or windows.
  timeout string: How long to wait, such as "5m".
  type string: ssh or winrm.
  use_ntlm bool: Use NTLM, for winrm.
  user string: The user.]]), {}, 1)

local provisioners = {
  ["local-exec"] = [[
  command! string: What is run here.
  working_dir string: Where it runs.
  interpreter list(string): What runs it, with arguments.
  environment map(string): Variables of its environment.
  quiet bool: Don't show the command.]],
  ["remote-exec"] = [[
  inline list(string): Commands, one after the other.
  script string: A script to copy and run.
  scripts list(string): Scripts to copy and run.]],
  file = [[
  source string: What is copied.
  content string: Text that is copied.
  destination! string: Where it is copied to.]],
}
local provisioner_common = [[

  when keyword create destroy: When it runs.
  on_failure keyword continue fail: What its failure means.]]

local provisioner = nested(block("Something that runs once a resource is made.", provisioner_common, { connection = connection }),
  { "type" })
provisioner.by_label = {}
for name, lines in pairs(provisioners) do
  provisioner.by_label[name] = block("Something that runs once a resource is made.", lines .. provisioner_common,
    { connection = connection })
end

local lifecycle = nested(block("How instances come and go.", [[
  create_before_destroy bool: A replacement is made before the old one is destroyed.
  prevent_destroy bool: Plans that would destroy it are refused.
  ignore_changes list of argument: Arguments whose later changes count for nothing; all of them: all.
  replace_triggered_by list of reference: What replaces it by changing.]], {
  precondition = rule, postcondition = rule,
  action_trigger = nested(block("Actions that run with changes of the resource.", [[
  events! list of keyword: before_create, after_create, before_update, after_update.
  condition bool: Whether they run.
  actions! list of reference: The actions.]])),
}), {}, 1)

local data_lifecycle = nested(block("Conditions of the data.", "", { precondition = rule, postcondition = rule }), {}, 1)

local resource = block("Something that a provider makes and keeps.", repetition .. [[

  provider provider: The configuration of the provider, where there are several.]], {
  lifecycle = lifecycle, connection = connection, provisioner = provisioner,
})

local data = block("Something that a provider looks up.", repetition .. [[

  provider provider: The configuration of the provider, where there are several.]], { lifecycle = data_lifecycle })

local ephemeral = block("Something that a provider has for the time of one run.", repetition .. [[

  provider provider: The configuration of the provider, where there are several.]], { lifecycle = data_lifecycle })

local variable = block("A value that the module's caller gives.", [[
  type type: The type that values are converted to.
  description string: What it is for.
  default any: The value where none is given.
  sensitive bool: The value is not shown.
  nullable bool: May it be null? Without this it may.
  ephemeral bool: The value is in no state and no plan.
  const bool: The value is known before anything is evaluated.
  deprecated string: Why it should not be given any more.]], { validation = rule })

local output = block("A value that the module gives to its caller.", [[
  value! any: The value.
  type type: The type that the value is converted to.
  description string: What it is.
  sensitive bool: The value is not shown.
  ephemeral bool: The value is in no state and no plan.
  deprecated string: Why it should not be used any more.
  depends_on list of reference: What must be done before the value counts.]], { precondition = rule })

local call = block("A call of another module.", repetition .. [[

  source! source: The folder or address of the module.
  version string: Which versions of a registry's module will do.
  providers map of provider: Its providers by the names that it has for them.]])

local open = { open = true, description = "", attributes = {}, block_types = {} }

local backend = nested(open, { "type" }, 1)
backend.by_label = stores.backends

local terraform = block("Settings of the module itself.", [[
  required_version string: The versions of the language that it is for.
  experiments list of keyword: Experiments of the language that it uses.
  language keyword TF2021: The edition of the language.]], {
  backend = backend, cloud = nested(stores.cloud, {}, 1), provider_meta = nested(open, { "name" }),
  required_providers = nested({ open = true, description = "The providers that the module needs, by local names.", attributes = {},
                                block_types = {} }, {}, 1),
})

--- What required_providers says of one.
grammar.requirement = {
  optional = true, description = "Where the provider comes from, and its versions.",
  nested_type = {
    nesting_mode = "single",
    attributes = arguments [[
      source string: Its address, such as "hashicorp/aws".
      version string: The versions that will do, such as "~> 5.0".
      configuration_aliases list(string): Names of the configurations that callers give.]],
  },
}

local provider = block("The configuration of a provider.", [[
  alias string: The name of a further configuration.
  version string: Versions; required_providers is the place for it.]])

local check = block("Conditions that warn.", "", {
  assert = nested(block("A condition that should hold.", [[
  condition! bool: What should be true.
  error_message! string: What is told where it is not.]])),
  data = nested(data, { "type", "name" }, 1),
})

local moved = block("Something that has another address now.", [[
  from! reference: The address that it had.
  to! reference: The address that it has.]])

local removed = block("Something that is no longer managed here.", [[
  from! reference: The address that it had.]], {
  lifecycle = nested(block("What becomes of it.", [[
  destroy! bool: Is it destroyed, too?]]), {}, 1, 1),
  provisioner = provisioner, connection = connection,
})

local import = block("Something that exists and is managed here from now on.", [[
  to! reference: The resource that it becomes.
  id string: What the provider calls it.
  identity map(any): The same by its parts.
  for_each map or set: One import for each element.
  provider provider: The configuration of the provider.]])

local action = block("Something that a provider can do.", [[
  count number: How many instances there are.
  for_each map or set: One instance for each element.
  provider provider: The configuration of the provider.]], { config = nested(open, {}, 1) })

--- The blocks of a file.
grammar.file = {
  description = "", attributes = {},
  block_types = {
    variable = nested(variable, { "name" }), output = nested(output, { "name" }), module = nested(call, { "name" }),
    resource = nested(resource, { "type", "name" }), data = nested(data, { "type", "name" }),
    ephemeral = nested(ephemeral, { "type", "name" }), action = nested(action, { "type", "name" }),
    locals = nested({ open = true, description = "Names for values within the module.", attributes = {}, block_types = {} }, {}),
    terraform = nested(terraform, {}), provider = nested(provider, { "name" }), check = nested(check, { "name" }),
    moved = nested(moved, {}), removed = nested(removed, {}), import = nested(import, {}),
  },
}

--- A block that generates others.
grammar.dynamic = nested(block("Generates a block for each element.", [[
  for_each! map or list: One block for each element.
  iterator name: What the element is called within; without it, as the block.
  labels list(string): The labels of the generated blocks.]], {
  content = nested(open, {}, 1, 1),
}), { "type" })

--- Names that are always there, with what they have.
grammar.names = {
  path = { { "module", "The folder of this module." }, { "root", "The folder of the root module." }, { "cwd",
    "The folder that it runs in." } },
  terraform = { { "workspace", "The name of the workspace." }, { "applying", "Is this an apply?" } },
}

--- Words of types.
grammar.types = {
  { "string" }, { "number" }, { "bool" }, { "any" }, { "list(…)", "list(${1:string})" }, { "set(…)", "set(${1:string})" },
  { "map(…)", "map(${1:string})" }, { "object({…})", "object({ ${1:name} = ${2:string} })" }, { "tuple([…])", "tuple([${1:string}])" },
}

return grammar
