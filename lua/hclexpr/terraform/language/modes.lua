-- Modes: the kinds of objects that providers have, and how each is named.

---@class hclexpr.language.Mode
---@field word string in front of a reference that begins with it, and the type of its blocks
---@field prefix string of an address
---@field what string in messages
---@field type string what its type is called in messages
---@field schemas? string where a document of schemas has its types

---@type table<string, hclexpr.language.Mode>
return {
  managed = { word = "resource", prefix = "", what = "resource", type = "a resource type", schemas = "resource_schemas" },
  data = { word = "data", prefix = "data.", what = "data source", type = "a data source", schemas = "data_source_schemas" },
  ephemeral = { word = "ephemeral", prefix = "ephemeral.", what = "ephemeral resource", type = "an ephemeral resource type",
                schemas = "ephemeral_resource_schemas" },
  list = { word = "list", prefix = "list.", what = "list resource", type = "a resource type" }, -- of files with queries only
  action = { word = "action", prefix = "action.", what = "action", type = "an action type", schemas = "action_schemas" },
}
