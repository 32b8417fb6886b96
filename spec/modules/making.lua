-- Modules of folders that a spec makes, with the schema and the states of one made-up provider.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local making = {}

function making.module(files, options)
  return hcl.module(support.folder(files), options)
end

function making.opened(files, options)
  return hcl.assert(making.module(files, options))
end

--- The text of a module's value, or of its errors.
function making.text(m, source, where)
  local value, err = support.readable(m:value(source, where))
  return value ~= nil and tostring(value) or tostring(err)
end

function making.codes(err)
  local list = {}
  for i, d in ipairs(err or {}) do list[i] = d.code end
  return table.concat(list, " ")
end

--- The place of a diagnostic: "line:column".
function making.place(d)
  return d.range.start.line .. ":" .. d.range.start.column
end

--- A schema of the provider "acme" with one type of resource and of data, acme_thing.
function making.schemas(block, more)
  local rows = { acme_thing = { block = block } }
  local provider = { provider = { block = {} }, resource_schemas = rows, data_source_schemas = rows, ephemeral_resource_schemas = rows }
  for key, value in pairs(more or {}) do provider[key] = value end
  return { provider_schemas = { ["registry.example.com/hashicorp/acme"] = provider } }
end

--- Such a block.
making.plain = {
  attributes = {
    id = { type = "string", computed = true }, name = { type = "string", optional = true },
    secret = { type = "string", computed = true, sensitive = true }, tags = { type = { "map", "string" }, optional = true },
    size = { type = "number", optional = true, computed = true }, list = { type = { "list", "string" }, optional = true },
  },
}

function making.state_file(resources, outputs)
  return { version = 4, resources = resources, outputs = outputs or {} }
end

return making
