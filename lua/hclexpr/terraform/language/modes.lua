-- Modes: the kinds of objects that providers have, and how each is named.

---@class hclexpr.language.Mode
---@field word string the type of the mode's blocks, and the first word of references that begin with it
---@field prefix string of addresses
---@field what string in messages
---@field type string what a type of the mode is called in messages
---@field schemas? string the field of a document of schemas that has the mode's types

---@type table<string, hclexpr.language.Mode>
return {
  managed = { word = "resource", prefix = "", what = "resource", type = "a resource type", schemas = "resource_schemas" },
  data = { word = "data", prefix = "data.", what = "data source", type = "a data source", schemas = "data_source_schemas" },
  ephemeral = { word = "ephemeral", prefix = "ephemeral.", what = "ephemeral resource", type = "an ephemeral resource type",
                schemas = "ephemeral_resource_schemas" },
  list = { word = "list", prefix = "list.", what = "list resource", type = "a resource type" }, -- of files with queries only
  action = { word = "action", prefix = "action.", what = "action", type = "an action type", schemas = "action_schemas" },
}
