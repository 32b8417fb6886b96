-- A project in Neovim: what a plugin does with its files. A user's own file comes after the project's, and wins.
local language = require "hclexpr.language"

return language {
  name = "project", description = "Tasks and formatters of a project.", files = { "*.project.hcl" },
  types = { root = "string" },
  blocks = {
    editor = { nesting = "single", address = "editor", duplicates = "last", attributes = {
      width = { type = "number", default = 100 }, tabs = { type = "bool", default = false },
    } },
    formatter = { description = "A command that lays out files.", labels = { "language" }, address = "formatter.{language}",
                  duplicates = "last", attributes = {
      command = { type = "list(string)", required = true }, on_save = { type = "bool", default = true },
      width = { type = "number", default_from = "editor.width" },
    } },
    task = { description = "A command of the project.", labels = { "name" }, address = "task.{name}", duplicates = "last", attributes = {
      command = { type = "string", required = true }, dir = { type = "string", default_from = "root" }, before = { refs = "task" },
      key = { type = "string", pattern = "^<.*>$", deprecated = "Map it in init.lua." },
    } },
  },
}
