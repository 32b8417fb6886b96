-- Modes are the kinds of objects that providers have. This table says how each is named.

---@class hclexpr.language.Mode
---@field word string the type of the mode's blocks, and the first word of its longer references
---@field prefix string the beginning of its addresses
---@field what string its name in messages
---@field type string the name of its types in messages
---@field schemas? string the field of a schema document with its types

---@type table<string, hclexpr.language.Mode>
return {
  managed = { word = "resource", prefix = "", what = "resource", type = "a resource type", schemas = "resource_schemas" },
  data = { word = "data", prefix = "data.", what = "data source", type = "a data source", schemas = "data_source_schemas" },
  ephemeral = { word = "ephemeral", prefix = "ephemeral.", what = "ephemeral resource", type = "an ephemeral resource type",
                schemas = "ephemeral_resource_schemas" },
  list = { word = "list", prefix = "list.", what = "list resource", type = "a resource type" }, -- only in files of queries
  action = { word = "action", prefix = "action.", what = "action", type = "an action type", schemas = "action_schemas" },
}
