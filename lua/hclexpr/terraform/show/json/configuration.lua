-- Writes the configuration for the JSON of plans: what is written, with the names in it.
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local expressions = require "hclexpr.terraform.show.json.expressions"
local trees = require "hclexpr.terraform.show.json.trees"
local providers = require "hclexpr.terraform.show.json.providers"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local configuration = {}

local function text_of(attribute)
  local text = attribute and attribute.expression:literal()
  return type(text) == "string" and text ~= "" and text or nil
end

local function provisioners_of(d, reveal)
  local list = value_parts.list()
  for _, p in ipairs(d.provisioners or {}) do
    list[#list + 1] = { type = p.type, expressions = expressions.body(p.bodies, nil, reveal) }
  end
  return list[1] and list or nil
end

-- Makes a part that is the same in all calls of a folder, and stores it if the folder has several calls.
local function once(run, folder, of, make)
  local made = run.made[of] or make(of, run)
  if run.calls[folder] > 1 then run.made[of] = made end
  return made
end

-- Counts the calls of each folder.
local function calls_of(module)
  local calls = {}
  for _, config in ipairs(dependencies.modules(module.root)) do calls[config.folder] = (calls[config.folder] or 0) + 1 end
  return calls
end

local function add_repetition(made, d)
  made.count_expression = expressions.argument(d.arguments.count)
  made.for_each_expression = expressions.argument(d.arguments.for_each)
  made.depends_on = expressions.depends_on(d)
end

local function declared_tree(d, run)
  local row = run.module.evaluation.schema_row(d)
  local made = { address = d.address, mode = d.mode, type = d.type, name = d.name, schema_version = row and row.version or 0,
                 provisioners = provisioners_of(d, run.reveal), expressions = expressions.body(d.bodies, row and row.block, run.reveal) }
  add_repetition(made, d)
  return made
end

local function resource_tree(run, config, d)
  local made = {}
  for name, part in pairs(once(run, config.folder, d, declared_tree)) do made[name] = part end
  made.provider_config_key = run.key_of(config, d)
  return made
end

local ranks = { managed = 1, data = 2 }

local function resources_of(run, config)
  local all = {}
  for _, d in pairs(config.folder.resources) do
    if ranks[d.mode] then all[#all + 1] = d end
  end
  table.sort(all, function(a, b)
    if a.mode ~= b.mode then return ranks[a.mode] < ranks[b.mode] end
    return a.address < b.address
  end)
  return trees.list(all, function(d) return resource_tree(run, config, d) end)
end

local function actions_of(run, config)
  local list = value_parts.list()
  for _, d in pairs(config.folder.actions) do
    list[#list + 1] = { address = d.address, type = d.type, name = d.name, provider_config_key = run.key_of(config, d),
                        count_expression = expressions.argument(d.arguments.count),
                        for_each_expression = expressions.argument(d.arguments.for_each) }
  end
  table.sort(list, function(a, b) return a.address < b.address end)
  return list[1] and list or nil
end

local function by_name(declarations, tree)
  local made = {}
  for name, d in pairs(declarations) do made[name] = tree(d) end
  return next(made) ~= nil and made or nil
end

local function variable_tree(run, d)
  local default = d.default
  if default ~= nil and d.sensitive and not run.reveal then default = core.null end
  return { default = default, description = text_of(d.arguments.description), sensitive = d.sensitive or nil }
end

local function output_tree(run, d)
  local expression = expressions.tree(d.arguments.value.expression)
  if d.sensitive and not run.reveal and expression.constant_value ~= nil then expression.constant_value = core.null end
  return { expression = expression, sensitive = d.sensitive or nil, description = text_of(d.arguments.description),
           depends_on = expressions.depends_on(d) }
end

-- Returns a tree whose text is made once and stored. A tree that can't be a Value is returned unchanged, and rejected when it is written.
local function as_kept(tree)
  local value = core.value(tree)
  return value and trees.kept(value) or tree
end

local function folder_trees(folder, run)
  local variables = by_name(folder.variables, function(d) return variable_tree(run, d) end)
  local outputs = by_name(folder.outputs, function(d) return output_tree(run, d) end)
  return { variables = variables and as_kept(variables), outputs = outputs and as_kept(outputs) }
end

local module_tree

local function call_tree(run, config, d)
  local child = config.children[d.name]
  if not child then return {} end
  local made = { source = child.source, version_constraint = text_of(d.arguments.version),
                 expressions = expressions.arguments(d.bodies, child.folder.variables), module = module_tree(run, child) }
  for name, tree in pairs(made.expressions or {}) do
    if child.folder.variables[name].sensitive and not run.reveal and tree.constant_value ~= nil then tree.constant_value = core.null end
  end
  add_repetition(made, d)
  return trees.object(made)
end

function module_tree(run, config)
  local folder = config.folder
  local of_folder = once(run, folder, folder, folder_trees)
  return trees.object {
    resources = resources_of(run, config), actions = actions_of(run, config), variables = of_folder.variables, outputs = of_folder.outputs,
    module_calls = trees.object(by_name(folder.calls, function(d) return call_tree(run, config, d) end) or {}),
  } or {}
end

--- Returns the configuration of a module.
---@param module hclexpr.Module
---@param reveal? boolean
---@return table
function configuration.tree(module, reveal)
  local rows, key_of = providers.configurations(module, reveal)
  local run = { module = module, reveal = reveal, key_of = key_of, calls = calls_of(module), made = {} }
  return trees.object { provider_config = next(rows) ~= nil and rows or nil, root_module = module_tree(run, module.root) }
end

return configuration
