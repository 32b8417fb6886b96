-- The schema of the built-in provider "terraform", in the form of `terraform providers schema -json`. providers/builtin.lua has the
-- provider's behavior.
local builtin = {}

local any, text, bool = "dynamic", "string", "bool"

local function optional(type) return { type = type, optional = true } end
-- Makes a computed attribute. If a configuration sets it, the provider itself reports that (providers/builtin.lua), as in the reference.
local function computed(type) return { type = type, computed = true, unchecked = true } end

-- Makes a computed copy of another attribute. The copy is secret if the other attribute is, although a state doesn't record that.
local function copy_of(name) return { type = any, computed = true, unchecked = true, copies = name } end

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
        attributes = { id = computed(text), input = optional(any), output = copy_of "input", triggers_replace = optional(any) },
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
