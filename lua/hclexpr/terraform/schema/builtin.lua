-- The built-in provider "terraform": its schema, as `terraform providers schema -json` prints schemas. Its functions are in builtin_functions.lua.
local builtin = {}

local any, text, bool = "dynamic", "string", "bool"

local function optional(type) return { type = type, optional = true } end
-- If a configuration sets one all the same, the type's own check (plan_instance.lua) reports that, as in the reference.
local function computed(type) return { type = type, computed = true, unchecked = true } end

local store = {
  attributes = {
    input = { type = any, optional = true, write_only = true }, output = computed(any), replace = optional(bool),
    sensitive = optional(bool), sensitive_output = { type = any, computed = true, sensitive = true }, version = optional(any),
  },
}

builtin.provider = {
  provider = { block = {} },
  resource_schemas = {
    terraform_data = {
      block = {
        attributes = { id = computed(text), input = optional(any), output = computed(any), triggers_replace = optional(any) },
        block_types = { store = { nesting_mode = "single", block = store } },
      },
    },
  },
  data_source_schemas = {
    terraform_remote_state = {
      block = {
        attributes = { backend = { type = text, required = true }, config = optional(any), defaults = optional(any),
                       outputs = computed(any), workspace = optional(text) },
      },
    },
  },
}

return builtin
