-- Folders with one mistake each, by the row of lua/hclexpr/terraform/language/diagnostics.lua that they show. tools/diagnostics.lua writes
-- their reports into doc/diagnostics.md.
local hcl = require "hclexpr"
local unpack = table.unpack or unpack -- luacheck: ignore

local folders = {}

local acme = { provider_schemas = { ["registry.terraform.io/hashicorp/acme"] = { resource_schemas = { acme_host = { block = { attributes = {
  name = { type = "string", optional = true }, id = { type = "string", computed = true },
} } } }, action_schemas = { acme_notify = { block = { attributes = { text = { type = "string", optional = true } } } } } } } }
local function of_call(name, ...)
  local arguments = { ... }
  return function(module) return select(2, module[name](module, unpack(arguments))) end
end
local function of_plan(options)
  return function(module)
    local plan, err = module:plan(options)
    return err or plan.warnings
  end
end
local function of_test(module)
  local result, err = module:test()
  local found = err or result.diagnostics
  for _, file in ipairs(result and result.files or {}) do
    found = found or file.diagnostics
    for _, run in ipairs(file.runs) do found = found or run.diagnostics end
  end
  return found
end
local function state(text)
  return { version = 4, terraform_version = "1.11.0", serial = 1, lineage = "x", outputs = {}, resources = text }
end
local host_in_state = { mode = "managed", type = "terraform_data", name = "host",
  provider = 'provider["terraform.io/builtin/terraform"]', instances = { { schema_version = 0, attributes = { id = "1" } } } }
local TEST = "tests/main.tftest.hcl"
local SIZE = 'variable "size" {\n  default = 0\n}\n\n'

-- A test whose second run only refreshes, while a condition fails.
local function refreshed(block, condition)
  return { ["main.tf"] = 'variable "size" {\n  default = 1\n}\n\nresource "terraform_data" "disk" {\n  input = 1\n  lifecycle {\n    '
    .. block .. " {\n"
    .. "      condition     = " .. condition .. '\n      error_message = "A disk needs a size."\n    }\n  }\n}\n',
    [TEST] = 'run "makes" {}\n\nrun "refreshes" {\n  command = plan\n  variables {\n    size = 0\n  }\n  plan_options {\n'
      .. "    mode = refresh-only\n  }\n}\n", ask = of_test }
end

-- A host that is deleted, and invokes an action.
local function destroyed(action, more)
  return { ["main.tf"] = action .. 'resource "acme_host" "web" {\n  count = 0\n  lifecycle {\n    action_trigger {\n'
    .. "      events  = [before_destroy]\n      actions = [action.acme_notify.x" .. more .. "]\n    }\n  }\n}\n",
    options = { schemas = acme, state = state { { mode = "managed", type = "acme_host", name = "web",
      provider = 'provider["registry.terraform.io/hashicorp/acme"]',
      instances = { { index_key = 0, schema_version = 0, attributes = { id = "1", name = "web" } } } } } } }
end

-- Modules that call two others each.
local function halves()
  local files = { ["main.tf"] = "# empty\n" }
  for i = 1, 16 do
    local from, source = i == 1 and "main.tf" or ("m%d/main.tf"):format(i), i == 1 and "./m2" or ("../m%d"):format(i + 1)
    files[from] = ('module "a" {\n  source = "%s"\n}\n\nmodule "b" {\n  source = "%s"\n}\n'):format(source, source)
  end
  files["m17/main.tf"] = "# empty\n"
  return files
end

-- Folders by the row that they show: the text of main.tf, or files. Other fields: `options` of hcl.module; `with`, which describes them;
-- and `ask(module)`, which returns Diagnostics instead of validate and plan.
folders.rows = {
  MODULE_REFERENCE = [[
output "host" {
  value = terraform_data
}
]],
  MODULE_UNDECLARED = [[
variable "region" {
  default = "eu"
}

output "name" {
  value = "shop-${var.regoin}"
}
]],
  MODULE_CONTEXT = [[
output "name" {
  value = each.key
}
]],
  MODULE_INSTANCE_KEY = [[
resource "terraform_data" "host" {
  count = 2
}

output "id" {
  value = terraform_data.host.id
}
]],
  MODULE_ATTRIBUTE = [[
resource "terraform_data" "host" {}

output "id" {
  value = terraform_data.host.idd
}
]],
  MODULE_UNEVALUATED = { ["main.tf"] = [[
locals {
  size = { a = 1 }.b
  disk = local.size
}
]], ask = of_call("value", "local.disk"), with = 'm:value "local.disk"' },
  MODULE_SELF = [[
resource "terraform_data" "host" {
  input = terraform_data.host.id
}
]],
  MODULE_CALLER = [[
action "acme_restart" "x" {
  config {
    id = terraform_data.host.id
  }
}

resource "terraform_data" "host" {
  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.acme_restart.x]
    }
  }
}
]],
  MODULE_CYCLE = [[
locals {
  a = local.b + 1
  b = local.a + 1
}
]],
  MODULE_COUNT = [[
resource "terraform_data" "host" {
  count = -1
}
]],
  MODULE_FOR_EACH = [[
resource "terraform_data" "host" {
  for_each = ["a", "b"]
}
]],
  MODULE_STEPS = { ["main.tf"] = [[
locals {
  squares = [for n in range(1000) : n * n]
}
]],
    options = { scope = hcl.scope { limits = { steps = 1000 } } }, with = 'limits = { steps = 1000 }' },
  MODULE_MEMORY = { ["main.tf"] = [[
locals {
  a = 1
  b = 2
  c = 3
}
]], options = { scope = hcl.scope { limits = { memory = 2000 } } }, with = 'limits = { memory = 2000 }' },
  MODULE_INSTANCES = { ["main.tf"] = [[
resource "terraform_data" "host" {
  count = 100000
}
]],
    options = { scope = hcl.scope { limits = { steps = 50000 } } }, with = 'limits = { steps = 50000 }' },
  MODULE_UNSUITABLE = [[
output "port" {
  type  = number
  value = "http"
}
]],
  MODULE_VALIDATION = { ["main.tf"] = [[
variable "region" {
  type = string
  validation {
    condition     = startswith(var.region, "eu-")
    error_message = "We run in Europe only."
  }
}
]], options = { variables = { region = "us-1" } }, with = '-var region=us-1' },
  MODULE_CONDITION = [[
variable "size" {
  default = 1
  validation {
    condition     = var.size
    error_message = "Too small."
  }
}
]],
  MODULE_MESSAGE = [[
variable "size" {
  default = 0
  validation {
    condition     = var.size > 0
    error_message = [var.size]
  }
}
]],
  MODULE_VALIDATION_SECRET = [[
variable "key" {
  default   = "x"
  sensitive = true
  validation {
    condition     = length(var.key) > 8
    error_message = "The key ${var.key} is too short."
  }
}
]],
  MODULE_MESSAGE_SECRET = [[
variable "key" {
  default   = "x"
  sensitive = true
}

check "key" {
  assert {
    condition     = nonsensitive(length(var.key)) > 8
    error_message = "The key ${var.key} is too short."
  }
}
]],
  MODULE_MESSAGE_LITERAL = { ["main.tf.json"] = [[
{ "variable": { "size": { "default": 0, "validation": {
  "condition": "${var.size > 0}",
  "error_message": "${upper(1, 2)} is too small."
} } } }
]] },
  MODULE_PRECONDITION = [[
variable "size" {
  default = 0
}

output "disk" {
  value = var.size
  precondition {
    condition     = var.size > 0
    error_message = "A disk needs a size."
  }
}
]],
  MODULE_POSTCONDITION = [[
resource "terraform_data" "disk" {
  input = 0
  lifecycle {
    postcondition {
      condition     = self.input > 0
      error_message = "A disk needs a size."
    }
  }
}
]],
  MODULE_PRECONDITION_NOTED = refreshed("precondition", "var.size > 0"),
  MODULE_POSTCONDITION_NOTED = refreshed("postcondition", "var.size > 0 && self.input == 1"),
  MODULE_PLAN_OPTION = { ["main.tf"] = "# empty\n", ask = of_call("plan", { replace = { "module.net" } }),
    with = 'm:plan { replace = { "module.net" } }' },
  MODULE_TARGETED = { ["main.tf"] = 'resource "terraform_data" "web" {}\n\nresource "terraform_data" "disk" {}\n',
    ask = of_plan { targets = { "terraform_data.web" } }, with = "plan -target=terraform_data.web" },
  MODULE_TARGETS_MOVED = { ["main.tf"] = [[
moved {
  from = terraform_data.host
  to   = terraform_data.web
}

resource "terraform_data" "web" {}

resource "terraform_data" "disk" {}
]], options = { state = state { host_in_state } }, ask = of_plan { targets = { "terraform_data.disk" } },
    with = "plan -target=terraform_data.disk" },
  MODULE_REPLACED_NOTHING = { ["main.tf"] = 'resource "terraform_data" "disk" {\n  count = 2\n}\n',
    ask = of_plan { replace = { "terraform_data.disk" } }, with = "plan -replace=terraform_data.disk" },
  MODULE_PREVENTED = { ["main.tf"] = [[
resource "terraform_data" "host" {
  count = 0
  lifecycle {
    prevent_destroy = true
  }
}
]],
    options = { state = state { host_in_state } } },
  MODULE_ASSERTION = SIZE .. [[
check "size" {
  assert {
    condition     = var.size > 0
    error_message = "Too small."
  }
}
]],
  MODULE_ASSERTION_UNKNOWN = [[
resource "terraform_data" "host" {}

check "id" {
  assert {
    condition     = terraform_data.host.id != "x"
    error_message = "The id is x."
  }
}
]],
  MODULE_SENSITIVE = [[
variable "key" {
  default   = "x"
  sensitive = true
}

output "key" {
  value = var.key
}
]],
  MODULE_EPHEMERAL = [[
variable "token" {
  default   = "x"
  ephemeral = true
}

resource "terraform_data" "host" {
  input = var.token
}
]],
  MODULE_CONFIGURED = { ["main.tf"] = [[
resource "acme_host" "web" {
  id = "1"
}
]], options = { schemas = acme } },
  MODULE_TYPE_UNKNOWN = { ["main.tf"] = 'resource "acme_hots" "web" {}\n', options = { schemas = acme } },
  MODULE_UNREAD = [[
data "acme_zones" "all" {}

resource "terraform_data" "host" {
  for_each = toset(data.acme_zones.all.names)
}
]],
  MODULE_UNKNOWN = { ["main.tf"] = [[
variable "secret" {
  type = bool
}

resource "terraform_data" "key" {
  store {
    input     = "x"
    sensitive = var.secret
  }
}
]], options = { missing = "unknown" } },
  MODULE_DATA = { ["main.tf"] = 'data "acme_zone" "a" {}\n', options = { resource = function(r)
    if r.mode == "data" then return nil, "the service doesn't answer" end
  end } },
  MODULE_DATA_CHECK = { ["main.tf"] = [[
check "zone" {
  data "acme_zone" "a" {}
  assert {
    condition     = data.acme_zone.a.id != ""
    error_message = "No zone."
  }
}
]], options = { resource = function(r)
    if r.mode == "data" then return nil, "the service doesn't answer" end
  end } },
  MODULE_FORGOTTEN = { ["main.tf"] = [[
removed {
  from = terraform_data.host
  lifecycle {
    destroy = false
  }
}
]],
    options = { state = state { host_in_state } } },
  MODULE_TYPE_CALL = { ["main.tf"] = "# empty\n", ask = of_call("value", "[type(1)]"), with = 'm:value "[type(1)]"' },
  MODULE_EMPTY = { ["notes.txt"] = "Nothing here.\n" },
  MODULE_DEPRECATED_VALUE = { ["main.tf"] = [[
module "net" {
  source = "./net"
  range  = "10.0.0.0/8"
}
]],
    ["net/main.tf"] = [[
variable "range" {
  default    = null
  deprecated = "Use cidr."
}
]] },
  MODULE_JSON = { ["main.tf"] = [[
module "net" {
  source = "./net"
  ratio  = 1 / 0
}
]], ["net/main.tf"] = 'variable "ratio" {}\n',
    ask = of_call("plan_json", { text = true }) },
  MODULE_SCOPE = { ["main.tf"] = "# empty\n", ask = of_call("value", "1", { scope = 'module.net["b"]' }),
    with = "m:value('1', { scope = 'module.net[\"b\"]' })" },

  MODULE_FOLDER = {},
  MODULE_FILE = { ["main.tf"] = "# empty\n", [TEST] = [[
mock_provider "acme" {
  source = "./mocks"
}

run "plans" {}
]], ask = of_test },
  MODULE_NAME = 'variable "a b" {}\n',
  MODULE_RESERVED = 'variable "count" {}\n',
  MODULE_DUPLICATE = [[
variable "region" {
  default = "eu"
}

variable "region" {
  default = "us"
}
]],
  MODULE_STRAY = [[
resource "terraform_data" "host" {
  count    = 1
  for_each = toset(["a"])
}
]],
  MODULE_BLOCK = 'check "size" {}\n',
  MODULE_CONSTANT = [[
variable "region" {
  nullable = "maybe"
}
]],
  MODULE_TYPE = [[
variable "ports" {
  type = "list"
}
]],
  MODULE_DEFAULT = [[
variable "port" {
  type    = number
  default = "http"
}
]],
  MODULE_RULE = [[
variable "port" {
  default = 80
  validation {
    condition     = true
    error_message = "No."
  }
}
]],
  MODULE_STATIC = [[
resource "terraform_data" "host" {
  depends_on = [upper("x")]
}
]],
  MODULE_TEST = { ["main.tf"] = "# empty\n", [TEST] = [[
run "plans" {
  command = destroy
}
]], ask = of_test },
  MODULE_TEST_UNSURE = { ["main.tf"] = "# empty\n", [TEST] = [[
run "plans" {
  command = plan
  variables {
    size = 1
  }
}
]], ask = of_test },
  MODULE_TEST_ASSERTION = { ["main.tf"] = [[
output "size" {
  value = 1
}
]], [TEST] = [[
run "plans" {
  command = plan
  assert {
    condition     = output.size == 2
    error_message = "The size is wrong."
  }
}
]], ask = of_test },
  MODULE_TEST_CHECK = { ["main.tf"] = SIZE .. [[
check "size" {
  assert {
    condition     = var.size > 0
    error_message = "Too small."
  }
}
]],
    [TEST] = [[
run "plans" {
  command = plan
}
]], ask = of_test },
  MODULE_TEST_UNKNOWN = { ["main.tf"] = 'resource "terraform_data" "host" {}\n', [TEST] = [[
run "plans" {
  command = plan
  assert {
    condition     = terraform_data.host.id != ""
    error_message = "No id."
  }
}
]], ask = of_test },
  MODULE_TEST_RUN = { ["main.tf"] = "# empty\n", [TEST] = [[
run "plans" {
  command = plan
  variables {
    size = run.first.size
  }
}
]],
    ask = of_test },
  MODULE_TEST_EXPECTED = { ["main.tf"] = [[
variable "size" {
  default = 1
  validation {
    condition     = var.size > 0
    error_message = "Too small."
  }
}
]],
    [TEST] = [[
run "rejects" {
  command         = plan
  expect_failures = [var.size]
}
]], ask = of_test },
  MODULE_TEST_PART = { ["main.tf"] = [[
resource "terraform_data" "a" {}
resource "terraform_data" "b" {}
]],
    [TEST] = [[
run "plans" {
  command = plan
  plan_options {
    target = [terraform_data.a]
  }
}
]], ask = of_test },
  MODULE_QUOTED = [[
resource "terraform_data" "b" {}

resource "terraform_data" "a" {
  depends_on = ["terraform_data.b"]
}
]],
  MODULE_OVERRIDE = { ["main.tf"] = "# empty\n", ["override.tf"] = [[
output "size" {
  value = 2
}
]] },
  MODULE_ADDRESS = [[
removed {
  from = terraform_data.host[0]
}
]],
  MODULE_BACKEND = [[
terraform {
  backend "s4" {}
}
]],
  MODULE_PROVIDER_ABSENT = [[
resource "acme_host" "web" {
  provider = acme.west
}
]],
  MODULE_PROVIDER = 'provider "a b" {}\n',
  MODULE_PROVIDER_UNSURE = { ["main.tf"] = [[
module "net" {
  source = "./net"
  providers = {
    acme = acme
  }
}

provider "acme" {}
]],
    ["net/main.tf"] = "# empty\n" },
  MODULE_VERSION = [[
terraform {
  required_version = "~> 1.5.0"
}
]],
  MODULE_VERSION_OTHER = { ["main.tf"] = [[
terraform {
  required_version = "~> 1.5.0"
}
]], options = { missing = "unknown" } },
  MODULE_DEPRECATED = [[
provider "acme" {
  version = "1.0"
}
]],
  MODULE_INPUT = { ["main.tf"] = [[
variable "port" {
  type = number
}
]], options = { settings = { "port=http" } }, with = '-var port=http' },
  MODULE_INPUT_MISSING = [[
variable "region" {
  type = string
}
]],
  MODULE_UNDECLARED_INPUT = { ["main.tf"] = "# empty\n", options = { settings = { "regoin=eu" } }, with = '-var regoin=eu' },
  MODULE_UNUSED_INPUT = { ["main.tf"] = "# empty\n", ["terraform.tfvars"] = 'regoin = "eu"\n' },
  MODULE_IGNORED = { ["main.tf"] = [[
module "net" {
  source = "./net"
}
]], ["net/main.tf"] = [[
terraform {
  backend "local" {}
}
]] },
  MODULE_IGNORED_ARGUMENT = { ["main.tf"] = [[
resource "acme_host" "web" {
  lifecycle {
    ignore_changes = [id]
  }
}
]],
    options = { schemas = acme } },
  MODULE_SOURCE = [[
module "net" {
  source = 5
}
]],
  MODULE_MISSING = [[
module "label" {
  source = "cloudposse/label/null"
}
]],
  MODULE_LOOP = [[
module "self" {
  source = "./"
}
]],
  MODULE_REQUIRED = { ["main.tf"] = [[
module "net" {
  source = "./net"
}
]], ["net/main.tf"] = [[
variable "range" {
  type = string
}
]] },
  MODULE_TEST_BROKEN = { ["main.tf"] = "# empty\n", [TEST] = 'run "plans" {}\n', ask = function(module)
    return module:test({ guard = function() return nil, "attempt to index a nil value" end }).files[1].diagnostics
  end },
  MODULE_UNINVOKED = destroyed([[
action "acme_notify" "x" {
  count = 1
}

]], "[1]"),
  MODULE_TREE = halves(),
}

-- A folder's files as hcl.module reads them, without a disk.
local function open(files, options)
  local function below(path) return (path:gsub("^infra/?", "")) end
  local given = {}
  for k, v in pairs(options or {}) do given[k] = v end
  given.read = function(path) return files[below(path)] end
  given.list = function(dir)
    local names = {}
    for path in pairs(files) do
      local within, name = path:match "^(.-)/?([^/]+)$"
      if within == below(dir) then names[#names + 1] = name end
    end
    return names
  end
  return hcl.module("infra", given)
end

--- The diagnostics of a row, and the files that they refer to.
---@return hclexpr.Diagnostics[], table<string, string>
function folders.reports(name)
  local folder = folders.rows[name]
  local files, out = {}, {}
  for path, text in pairs(type(folder) == "string" and { ["main.tf"] = folder } or folder) do
    if path:find "%." then files[path] = text end
  end
  local module, err = open(files, folder.options)
  out[1] = err
  if not module then return out, files end
  if folder.ask then
    out[#out + 1] = folder.ask(module)
    return out, files
  end
  local _, wrong = module:validate()
  out[#out + 1] = wrong
  local plan, why, part = module:plan()
  out[#out + 1] = why
  out[#out + 1] = (plan or part or {}).warnings
  return out, files
end

return folders
