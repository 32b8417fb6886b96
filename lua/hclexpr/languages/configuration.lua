-- Configurations: opened files of a language. Each question evaluates only the nodes that it needs, and each node is evaluated once.
-- Programs get a façade with methods and no fields (configuration.show).
--
-- `configuration.check` opens files without the program, for checks and editors: the program's names and functions are unknown values
-- of their types.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local driver = require "hclexpr.driver"
local evaluation = require "hclexpr.languages.evaluation"
local fields = require "hclexpr.fields"
local Findings = require "hclexpr.findings"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local records = require "hclexpr.languages.records"
local references = require "hclexpr.languages.references"
local rules = lazy "hclexpr.languages.rules"
local relations = lazy "hclexpr.languages.relations"
local sorted = require("hclexpr.util").sorted
local variables = require "hclexpr.languages.variables"

---@class hclexpr.languages.Configuration
---@field description hclexpr.languages.Description
---@field sources hclexpr.languages.Source[]
---@field options table
---@field checking boolean opened without the program
---@field plain boolean strings, bools and whole numbers may stay Lua data, because no scope of the program converts them
---@field scope hclexpr.Scope for all evaluations, with the budget
---@field literals boolean literals of blocks may be stored as they are written
---@field output integer the limit of a value for the program
---@field scope_options table
---@field tree table<string, any> the names that expressions see
---@field root hclexpr.languages.Record
---@field written { path?: string, records: hclexpr.languages.Record[] }[] the blocks of each file, in their order
---@field index table<string, hclexpr.languages.Record|hclexpr.languages.Declared> blocks, local values and variables by address
---@field declared hclexpr.languages.Declared[]
---@field ruled hclexpr.languages.Record[] blocks with rules
---@field nodes hclexpr.languages.Node[]
---@field node_count integer
---@field targets table<string, hclexpr.languages.Target> the targets of paths, by path
---@field declared_names table<hclexpr.languages.Kind[], { addresses: table<string, string>, words: string[] }> for suggestions
---@field findings hclexpr.Findings
---@field addresses_of table<table, string> addresses by the tables that the program gets
---@field torn? { source: integer, filename?: string, byte: integer, size: integer, words: string }[] where files can't be read
---@field source? integer the number of the file whose blocks are read
---@field spent? boolean a limit is exceeded
---@field json? boolean
---@field asked boolean callbacks may ask this configuration, so nodes record their Worker
---@field worker? hclexpr.languages.Worker the Worker of the last evaluated node
---@field threads table<thread, true> coroutines that asked it
---@field rest? hclexpr.languages.Node the node that tests rules, after everything else is evaluated
local inner = {}
inner.__index = inner

local configuration = {}

local none = {}

-- Addresses of blocks, by the tables that programs get.
local addresses = setmetatable({}, { __mode = "k" })

-- ---- names and functions of the program ------------------------------------------------------------------------------------

local function misuse(context, message, ...)
  error(("bad argument #%d to '%s' (%s)"):format(context.arg, context.name, message:format(...)), 0)
end

local function check_known(context, option, given, known, what)
  for name in next, given do
    if known[name] == nil then misuse(context, "option '%s': the language has no %s '%s'", option, what, tostring(name)) end
  end
end

local function read_names(context, out, given)
  local names = {}
  check_known(context, "names", given, out.names, "name")
  for _, name in ipairs(sorted(out.names)) do
    local x = given[name]
    if x == nil then misuse(context, "option 'names': '%s' is missing", name) end
    local value, err = core.value(x)
    local wanted = out.names[name]:type()
    if value ~= nil and getmetatable((out.source.types or {})[name]) ~= core.classes.Value then value, err = core.value(x, wanted) end
    if value == nil then misuse(context, "option 'names': %s: %s", name, err[1].detail) end
    if not value:is_wholly_known() then misuse(context, "option 'names': %s has to be known", name) end
    names[name] = value
  end
  return names
end

-- Makes a function of the description, with the implementation `impl`.
local function make_function(signature, impl)
  local options = {}
  for field, value in next, signature do options[field] = value end
  options.impl = impl
  return core.func(options)
end

local function read_functions(context, out, given)
  local functions = {}
  check_known(context, "functions", given, out.functions, "function")
  for _, name in ipairs(sorted(out.functions)) do
    local impl = given[name]
    if impl == nil then misuse(context, "option 'functions': '%s' is missing", name) end
    if type(impl) ~= "function" then misuse(context, "option 'functions': %s must be a function, not a %s", name, type(impl)) end
    functions[name] = make_function(out.functions[name], impl)
  end
  return functions
end

local function unknown_functions(out)
  local functions = {}
  for name, signature in next, out.functions do
    local returns = type(signature.returns) ~= "function" and signature.returns or "any"
    functions[name] = make_function(signature, function() return core.unknown(returns) end)
  end
  return functions
end

---@type table<string, string|string[]>
configuration.options = {
  names = "table", functions = "table", variables = "table", environment = "table|function", filesystem = "string|table|boolean",
  scope = "scope", limits = "limits",
}

local function scope_options(out, options, given)
  return { parent = options.scope, functions = given.functions, stdlib = out.stdlib, filesystem = options.filesystem,
           limits = options.limits }
end

-- ---- opening --------------------------------------------------------------------------------------------------------------

-- Returns true if code of the program may run during an evaluation.
local function may_ask(out, options)
  return next(out.functions) ~= nil or options.scope ~= nil or type(options.environment) == "function"
end

---@param out hclexpr.languages.Description
---@param sources hclexpr.languages.Source[]
---@param options table
---@param given { names: table, functions: table }
---@param checking boolean
---@return hclexpr.languages.Configuration
local function new(out, sources, options, given, checking)
  local made = setmetatable({
    description = out, sources = sources, options = options, checking = checking, plain = options.scope == nil, index = {}, declared = {},
    ruled = {}, nodes = {}, node_count = 0, targets = {}, findings = Findings.new(), addresses_of = addresses, wholes = {},
    blocks_by_kinds = {}, plain_targets = {}, unbound = {}, declared_names = {}, threads = setmetatable({}, { __mode = "k" }),
    asked = not checking and may_ask(out, options), tree = given.names,
  }, inner)
  made.resolve = references.resolver(made)
  made.scope_options = scope_options(out, options, given)
  made.scope_options.variables = made.tree
  made.scope = core.scope(made.scope_options)
  made.output = core.scope_limits(made.scope, true).output
  core.budget(made.scope)
  records.read(made)
  variables.check_given(made)
  return made
end

--- Opens files without the program: its names and functions are unknown values of their types.
---@param out hclexpr.languages.Description
---@param sources hclexpr.languages.Source[]
---@param options? table of load
---@return hclexpr.languages.Configuration
function configuration.check(out, sources, options)
  local names = {}
  for name, value in next, out.names do names[name] = value end
  return new(out, sources, options or {}, { names = names, functions = unknown_functions(out) }, true)
end

--- Opens files. Raises an error about wrong names or functions in options as one about argument `arg` of the method `name`, at the
--- level of that method's caller.
---@param out hclexpr.languages.Description
---@param sources hclexpr.languages.Source[]
---@param options table
---@param arg integer
---@param name string
---@return hclexpr.languages.Configuration
function configuration.open(out, sources, options, arg, name)
  local context = { arg = arg, name = name }
  local fine, names, functions = pcall(function()
    return read_names(context, out, options.names or {}), read_functions(context, out, options.functions or {})
  end)
  if not fine then check.raise(3, names) end
  return new(out, sources, options, { names = names, functions = functions }, false)
end

--- Calls the option `pause`, which may yield.
function inner:breathe()
  local pause = self.options.pause
  if pause then pause() end
end

-- ---- nodes for several values ----------------------------------------------------------------------------------------------

local function whole(self, key, record, more)
  local node = self.wholes[key]
  if not node then
    node = { number = self.node_count + 1, what = "whole", record = record }
    self.node_count = node.number
    for field, value in next, more or {} do node[field] = value end
    self.wholes[key] = node
  end
  return node
end

--- Returns the node of all values of a block.
---@param record hclexpr.languages.Record
---@return hclexpr.languages.Node
function inner:whole(record)
  return whole(self, record, record)
end

--- Returns the node of all values of the blocks of a type inside a block.
---@param record hclexpr.languages.Record
---@param type string
---@return hclexpr.languages.Node
function inner:inner(record, type)
  local key = record.inner_nodes or {}
  record.inner_nodes = key
  key[type] = key[type] or {}
  return whole(self, key[type], record, { only = type })
end

--- Returns the node of all values of all blocks of some kinds.
---@param kinds hclexpr.languages.Kind[]
---@return hclexpr.languages.Node
function inner:all(kinds)
  local set = {}
  for _, kind in ipairs(kinds) do set[kind] = true end
  return whole(self, kinds, self.root, { kinds = set, text = kinds[1].address.root })
end

--- The blocks of some kinds, in the order in which they are written. Only once all files are read.
---@param kinds hclexpr.languages.Kind[]
---@return hclexpr.languages.Record[]
function inner:blocks_of(kinds)
  local list = self.blocks_by_kinds[kinds]
  if list then return list end
  local set = {}
  for _, kind in ipairs(kinds) do set[kind] = true end
  list = {}
  for _, record in ipairs(self.root.inner) do
    if set[record.kind] then list[#list + 1] = record end
  end
  self.blocks_by_kinds[kinds] = list
  return list
end

--- The node of the keys of all blocks of some kinds that have instances.
---@param kinds hclexpr.languages.Kind[]
---@return hclexpr.languages.Node
function inner:keys_of(kinds)
  local blocks, needs = self:blocks_of(kinds), {}
  if not self.wholes[blocks] then
    for _, record in ipairs(blocks) do needs[#needs + 1] = record.key_node end
  end
  return whole(self, blocks, self.root, { kinds = {}, needs = needs, text = kinds[1].address.root })
end

-- ---- everything -----------------------------------------------------------------------------------------------------------

local function test(self)
  records.arrange(self)
  rules.kept(self)
  if self.spent == nil then
    rules.test(self)
    relations.check(self)
  end
end

--- Evaluates and tests everything, once.
---@return hclexpr.Diagnostics? blocked a callback asks for the value that it computes
function inner:finish()
  self.rest = self.rest or { number = 0, what = "rest", record = self.root, kinds = none, text = "the test of rules", act = test }
  return evaluation.run(self, self.nodes) or evaluation.run(self, { self.rest })
end

--- Returns all diagnostics, or nil.
---@return hclexpr.Diagnostics?
function inner:problems()
  return self:finish() or self.findings:diagnostics()
end

function inner:values()
  local err = self:problems()
  if Findings.has_errors(err) then return nil, err, self.root.result end
  return self.root.result
end

function inner:validate()
  local err = self:problems()
  if Findings.has_errors(err) then return nil, err end
  return true, err
end

-- ---- single values --------------------------------------------------------------------------------------------------------

-- Evaluates blocks, the blocks inside them and the blocks that they refer to. Returns nil and the diagnostics if something is wrong.
local function complete(self, list)
  local seen, nodes, failed = {}, {}, false
  while list[1] do
    local now, next_list = {}, {}
    local stack = list
    while #stack > 0 do
      local record = table.remove(stack)
      if not seen[record] then
        seen[record] = true
        for _, node in next, record.nodes do now[#now + 1] = node end
        now[#now + 1] = record.key_node
        for _, node in ipairs(record.expansions or {}) do now[#now + 1] = node end
        for _, other in ipairs(record.inner) do stack[#stack + 1] = other end
      end
    end
    local blocked = evaluation.run(self, now)
    if blocked then return nil, blocked end
    for _, node in ipairs(now) do
      nodes[#nodes + 1] = node
      for _, holder in ipairs(node.records or {}) do next_list[#next_list + 1] = holder end
    end
    if self.spent then return nil, evaluation.problems(nodes) or self.findings:diagnostics() end
    for record in next, seen do
      failed = failed or record.failed
      relations.add_targets(self, record, function(other)
        if not seen[other] then next_list[#next_list + 1] = other end
      end)
    end
    list = next_list
  end
  local err = evaluation.problems(nodes)
  if err then return nil, err end
  if failed then return nil, self.findings:diagnostics() end
  local blocked = rules.kept(self, seen)
  if blocked then return nil, blocked end
  for record in next, seen do
    if record.failed then return nil, self.findings:diagnostics() end
  end
  return true
end

local function results_of(list)
  local all = setmetatable({}, core.array_mt)
  for i, instance in ipairs(list) do all[i] = instance.result end
  return all
end

-- Returns the table of a block, or an array of several tables; or nil and the error.
local function get_blocks(self, expression, found)
  local list = {}
  if found.record then
    if not found.record.level then return self:eval(found.record.address) end
    list[1] = found.record
  else
    for _, record in ipairs(self.root.inner) do
      for _, kind in ipairs(found.kinds) do
        if record.kind == kind then list[#list + 1] = record end
      end
    end
  end
  local blocks = {}
  for i, record in ipairs(list) do blocks[i] = record end
  local fine, err = complete(self, list)
  if not fine then return nil, err end
  local kind = found.kinds and found.kinds[1]
  if kind and not kind.address and kind.nesting ~= "list" then return self.root.result[kind.type] end
  if kind or blocks[1].kind.for_each and blocks[1].arguments.for_each and found.key == nil then
    local all = {}
    for _, record in ipairs(blocks) do
      for _, instance in ipairs(record.instances) do all[#all + 1] = instance end
    end
    return results_of(all)
  end
  local instance, wrong = references.instance(expression, blocks[1], found.key)
  if not instance then return nil, wrong end
  return instance.result
end

-- Returns what a program gets for a reference, a kept expression, or an argument at the top: the table of a block, an array of such tables,
-- an Attribute, or a value.
local function get_argument(self, expression, record, argument, key)
  local node = record.nodes[argument.name] or record.key_node
  local blocked = node and evaluation.run(self, { node })
  if blocked then return nil, blocked end
  if node and node.state ~= "done" then return nil, evaluation.problems { node } or self.findings:diagnostics() end
  local targets = {}
  relations.add_targets(self, { nodes = { node } }, function(other) targets[#targets + 1] = other end)
  local fine, err = complete(self, targets)
  if not fine then return nil, err end
  blocked = argument.kept and rules.kept(self, { [record] = true })
  if blocked then return nil, blocked end
  if argument.kept and record.failed then return nil, self.findings:diagnostics() end
  local instance, wrong = references.instance(expression, record, key)
  if not instance then return nil, wrong end
  return instance.result[argument.name]
end

-- Returns the innermost block that contains a byte, or nil. list: blocks of one file in the order of writing.
local function record_in(list, byte)
  local low, high = 1, #list
  while low < high do
    local middle = math.floor((low + high) / 2)
    if list[middle].block.range.stop.byte > byte then high = middle else low = middle + 1 end
  end
  local record = list[low]
  if not record or record.replaced then return nil end
  local range = record.block.range
  if byte < range.start.byte or byte >= range.stop.byte then return nil end
  return record_in(record.inner, byte) or record
end

-- Returns the innermost block around a byte of a file, or nil.
local function record_at(self, where)
  for _, part in ipairs(self.written) do
    local found = part.path == where.filename and record_in(part.records, where.byte)
    if found then return found end
  end
end

--- Compiles an expression and evaluates everything that it needs. Returns nil and the diagnostics on failure.
---@param source string
---@param where? { filename?: string, byte?: integer } a place in a block, whose `self`, `parent` and `each` count
---@return hclexpr.Expression?
---@return hclexpr.Diagnostics? err
---@return table? names of the block's own
function inner:prepare(source, where)
  local expression, err = core.compile(source)
  if not expression then return nil, err end
  local needs, record = {}, where and where.byte and record_at(self, where) or nil
  local relative, wrong = references.add(self, record, expression, needs)
  if wrong then return nil, wrong end
  wrong = evaluation.run(self, needs) or evaluation.problems(needs)
  if wrong then return nil, wrong end
  for _, node in ipairs(needs) do
    if node.state ~= "done" then return nil, self.findings:diagnostics() end -- an earlier question reported the mistake
  end
  if not relative then return expression end
  local instances = record and record.instances or {}
  if #instances ~= 1 then
    return nil, core.diagnose("REFERENCE_UNKNOWN", expression, expression:range(),
      ("The block has %d instances, so its own names have no single value here."):format(#instances))
  end
  return expression, nil, evaluation.names_of(instances[1])
end

function inner:get(address)
  local expression, err = core.compile(address)
  if not expression then return nil, err end
  local found, wrong = references.find(self, expression)
  if wrong then return nil, wrong end
  if found then return get_blocks(self, expression, found) end
  local record, argument, key = references.find_argument(self, expression)
  if record then return get_argument(self, expression, record, argument, key) end
  return self:eval(address)
end

local evaluate, evaluate_value = driver.method(core.eval), driver.method(core.expression_value)

-- Evaluates an expression by a function of the core.
local function answer(self, how, source, where)
  local expression, err, names = self:prepare(source, where)
  if not expression then return nil, err end
  local value, wrong = how(expression, names, self.scope)
  if wrong then return nil, references.explain_failure(self, expression, wrong) end
  return value
end

function inner:value(source, where) return answer(self, evaluate_value, source, where) end

function inner:eval(source, where) return answer(self, evaluate, source, where) end

-- Returns where a named value is set, in words, or nil.
local function origin_of(self, reference)
  local target = self.targets[reference.path]
  local node = target and target.node
  local at = node and (node.attribute or node.record.block)
  return at and places.words(at.range) or nil
end

function inner:explain(source, where)
  local expression, err, names = self:prepare(source, where)
  if not expression then return nil, err end
  local node, instance = references.argument_at(self, expression)
  local given = node and node.what == "given" and (node.argument.default_from or node.argument.value_from)
  if given or node and node.attribute and (node.what == "value" or node.what == "local") then
    expression = given or node.attribute.expression
    names = instance and (given or node.relative) and evaluation.names_of(instance) or nil
  end
  return expression:explain(names, self.scope, { origin = function(reference) return origin_of(self, reference) end })
end

function inner:addresses()
  local list = {}
  for address, found in next, self.index do
    local at = found.attribute or found.block
    if not found.hidden then list[#list + 1] = { address = address, kind = found.kind.type, range = at and at.range } end
  end
  table.sort(list, function(a, b) return a.address < b.address end)
  return list
end

function inner:order(name)
  local err = self:problems()
  if Findings.has_errors(err) then return nil, err end
  return results_of(relations.order(self, self.description.level.kinds[name]))
end

-- ---- the façade for programs ----------------------------------------------------------------------------------------------

local places_known = { filename = "string", byte = "number" }

---@class hclexpr.Configuration files of a language, opened
local Configuration = {}

local within = setmetatable({}, { __mode = "k" })

---@param conf hclexpr.languages.Configuration
---@return hclexpr.Configuration
function configuration.show(conf)
  local face = setmetatable({}, Configuration)
  within[face] = conf
  return face
end

--- The address of a block by the table that a program got; nil if it has no address.
---@param block table
---@return string?
function configuration.address_of(block)
  return addresses[block]
end

-- Returns the configuration of a façade.
local function conf_of(self, name)
  local conf = within[self]
  if not conf then check.raise(3, ("calling '%s' on bad self (Configuration expected, got %s)"):format(name, type(self))) end
  return conf
end

local ask

-- Returns true if the question is asked by a callback, for which another question to the same configuration waits.
local function is_nested(conf)
  for thread in next, conf.threads do
    if thread == core.thread() or coroutine.status(thread) == "normal" then
      if core.activations(thread, ask, conf)[1] then return true end
    end
  end
  return false
end

-- Asks a question. core.activations finds the second argument of this call.
function ask(name, conf, ...)
  if conf.asked then conf.threads[core.thread()] = true end
  return select(1, conf[name](conf, ...)) -- not a tail call, which core.activations would not find
end

-- Asks a question. It gets a budget of its own, unless a callback asks: then it shares the budget of the question that waits.
local function begin(name, conf, ...)
  if not conf.asked or not is_nested(conf) then core.budget(conf.scope) end
  return ask(name, conf, ...)
end

--- All values, by kinds and arguments. If something is wrong, nil, the diagnostics, and the values that no error affects.
---@return table? values
---@return hclexpr.Diagnostics? err
---@return table? rest
function Configuration:values()
  return begin("values", conf_of(self, "values"))
end

--- Checks everything, including rules and kept expressions. Returns true and warnings, or nil and the diagnostics.
---@return true?
---@return hclexpr.Diagnostics?
function Configuration:validate()
  return begin("validate", conf_of(self, "validate"))
end

--- A block by its address, or the value of an argument or declaration. Evaluates only the values that it needs.
---@param address string
---@return any
---@return hclexpr.Diagnostics? err
function Configuration:get(address)
  local conf = conf_of(self, "get")
  check.type(1, "get", address, "string")
  return begin("get", conf, address)
end

--- The exact value of an expression.
---@param source string
---@param where? { filename?: string, byte?: integer } a place in a block, whose `self`, `parent` and `each` count
---@return hclexpr.Value?
---@return hclexpr.Diagnostics? err
function Configuration:value(source, where)
  local conf = conf_of(self, "value")
  check.type(1, "value", source, "string")
  return begin("value", conf, source, check.options(2, "value", where, places_known))
end

--- The Lua value of an expression.
---@param source string
---@param where? { filename?: string, byte?: integer } a place in a block, whose `self`, `parent` and `each` count
---@return any
---@return hclexpr.Diagnostics? err
function Configuration:eval(source, where)
  local conf = conf_of(self, "eval")
  check.type(1, "eval", source, "string")
  return begin("eval", conf, source, check.options(2, "eval", where, places_known))
end

--- Explains the value of an address or of any expression.
---@param source string
---@param where? { filename?: string, byte?: integer } a place in a block, whose `self`, `parent` and `each` count
---@return hclexpr.Explanation?
---@return hclexpr.Diagnostics? err
function Configuration:explain(source, where)
  local conf = conf_of(self, "explain")
  check.type(1, "explain", source, "string")
  return begin("explain", conf, source, check.options(2, "explain", where, places_known))
end

--- Everything that has an address.
---@return { address: string, kind: string, range?: hclexpr.Range }[]
function Configuration:addresses()
  return begin("addresses", conf_of(self, "addresses"))
end

--- The blocks of a kind. Each one comes after the blocks that it refers to.
---@param kind string
---@return table[]?
---@return hclexpr.Diagnostics? err
function Configuration:order(kind)
  local conf = conf_of(self, "order")
  check.type(1, "order", kind, "string")
  local found = conf.description.level.kinds[kind]
  if not found or found.declares then check.fail(1, "order", ("the language has no kind of blocks '%s'"):format(kind)) end
  return begin("order", conf, kind)
end

fields.guard(Configuration, "Configuration", true)
fields.seal(Configuration, "Configuration")

return configuration
