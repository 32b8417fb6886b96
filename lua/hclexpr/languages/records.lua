-- The content of files as Records: one for each written block. Arguments that are constants become values at once. All others become nodes,
-- which are evaluated later.
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local check = require "hclexpr.check"
local places = require "hclexpr.places"
local values = require "hclexpr.languages.values"

---@class hclexpr.languages.Record: hclexpr.languages.Instance a block as written; the root is for all files. A Record without
--- instances by for_each, its own or of a block around it, is its own instance
---@field kind? hclexpr.languages.Kind nil: the root
---@field level hclexpr.languages.Level
---@field block? hclexpr.Block nil: the root, or a single block that no file has (records.add_single)
---@field parent? hclexpr.languages.Record
---@field labels string[]
---@field arguments table<string, hclexpr.Attribute>
---@field inner hclexpr.languages.Record[] in the order of writing
---@field nodes table<string, hclexpr.languages.Node> of the arguments that need evaluation
---@field kept? hclexpr.languages.Argument[] the expressions that the program gets
---@field key_node? hclexpr.languages.Node the node of its for_each, or of the for_each of a block around it
---@field has_each? boolean expressions here may use `each`
---@field types? table<string, true> for generated blocks of one instance: the only kinds that this Record holds
---@field expansions? hclexpr.languages.Node[] its `dynamic` blocks, a node for each file
---@field self table<string, any> the values for expressions; for a block with instances, those that all instances share
---@field instances? hclexpr.languages.Instance[] nil: not known yet
---@field by_key? table<string, hclexpr.languages.Instance> those of for_each by their keys
---@field address? string
---@field json boolean written in JSON syntax
---@field failed? boolean something is wrong with the block
---@field torn? boolean it contains a syntax error

---@class hclexpr.languages.Instance
---@field record hclexpr.languages.Record
---@field parent? hclexpr.languages.Instance
---@field self table<string, any> the values for expressions
---@field result table<string, any> the values for the program
---@field each? { key: any, value: any }
---@field names? table<string, any> `self`, `parent` and `each`

---@class hclexpr.languages.Node a value that is evaluated once
---@field number integer
---@field what "value"|"given"|"reference"|"keys"|"blocks"|"local"|"variable"|"whole"|"rest"
---@field record hclexpr.languages.Record|hclexpr.languages.Declared
---@field argument? hclexpr.languages.Argument
---@field attribute? hclexpr.Attribute
---@field types? table<string, true> for `dynamic` blocks: the kinds that they generate
---@field body? hclexpr.Body
---@field records? hclexpr.languages.Record[] the generated blocks
---@field needs? hclexpr.languages.Node[]
---@field relative? boolean its attribute uses `self`, `parent` or `each`
---@field state? "done"|"failed"|hclexpr.languages.Worker
---@field err? hclexpr.Diagnostics

---@class hclexpr.languages.Worker a weak reference to the coroutine that evaluates a node, or did so until an error passed through
---@field [1]? thread
---@field number integer later ones have higher numbers

---@class hclexpr.languages.Declared a local value or a variable
---@field kind hclexpr.languages.Kind
---@field name string
---@field address string
---@field node hclexpr.languages.Node
---@field attribute? hclexpr.Attribute
---@field block? hclexpr.Block

local records = {}

-- Used in place of every empty table.
local none = {}

-- Schemas for the core, by kind, or by level for a file. Several files may complete each other, so a file's arguments aren't required.
local schemas = setmetatable({}, { __mode = "k" })

local function make_schema(level, kind, literals)
  local schema = { attributes = {}, blocks = {} }
  for _, a in ipairs(level.argument_list) do
    local literal = literals and a.plain ~= nil and not a.deprecated and not a.value_from
    table.insert(schema.attributes, { name = a.name, required = kind ~= nil and a.required, literal = literal, type = a.type })
  end
  if kind and not level.arguments.for_each then table.insert(schema.attributes, { name = "for_each" }) end
  for _, inner in ipairs(level.kind_list) do table.insert(schema.blocks, { type = inner.type, labels = inner.labels, nesting = 0 }) end
  return core.schema(schema)
end

local function schema_of(level)
  schemas[level] = schemas[level] or make_schema(level)
  return schemas[level]
end

-- Returns the schemas of a kind, the number of names in `self` of its blocks, and the number of names in `result` besides written arguments.
local function reading_of(kind)
  local made = schemas[kind]
  if made then return made end
  local level, given = kind.level, 0
  for _, a in ipairs(level.argument_list) do given = given + (a.default ~= nil and 1 or 0) end
  local others = #kind.labels + #level.kind_list
  made = { plain = make_schema(level, kind, true), exact = make_schema(level, kind), names = #level.argument_list + others,
           more = given + others }
  schemas[kind] = made
  return made
end

--- Adds a node to a configuration.
---@param conf hclexpr.languages.Configuration
---@param what string
---@param record table
---@param argument? hclexpr.languages.Argument
---@param attribute? hclexpr.Attribute
---@return hclexpr.languages.Node
function records.node(conf, what, record, argument, attribute)
  local count = conf.node_count + 1
  conf.node_count = count
  local node = { number = count, what = what, record = record, argument = argument, attribute = attribute }
  conf.nodes[#conf.nodes + 1] = node
  return node
end

local function put_node(record, name, node)
  if record.nodes == none then record.nodes = {} end
  record.nodes[name] = node
end

-- Makes a node that has failed without an evaluation. why: the diagnostics for questions about the node.
local function failed_node(conf, record, argument, why)
  local node = records.node(conf, "value", record, argument)
  node.state, node.needs, node.err = "failed", none, why
  record.failed = true
  return node
end

-- Reports a mistake in a block or in one of its arguments.
local function report(conf, record, ...)
  record.failed = true
  conf.findings:report(...)
end

-- ---- torn files -----------------------------------------------------------------------------------------------------------

local function has(range, at)
  return at.filename == range.filename and range.start.byte <= at.byte and at.byte <= range.stop.byte
end

-- Returns true if a block contains a syntax error. Then the block may have more content than can be read.
local function is_torn(conf, block)
  for _, at in ipairs(conf.torn) do
    local without_body = at.filename == block.range.filename and block.range.stop.byte == block.head_range.stop.byte
    if without_body or has(block.range, at) then return true end
  end
  return false
end

-- Returns true if a syntax error may have cut an attribute's expression. Then the value of the readable part would be a guess.
local function is_cut(conf, attribute)
  local range, beside = attribute.range, false
  for _, at in ipairs(conf.torn) do
    if at.filename == range.filename then
      if has(range, at) or range.stop.byte == at.size then return true end
      beside = true
    end
  end
  return beside and not core.compile(core.expression_text(attribute) .. "\n") -- a heredoc ends with a newline
end

-- Returns the reason why nothing is known of a block: unreadable text may declare or replace it; nil: it can't.
local function hidden_by_tear(conf, record)
  local block = record.block
  if block and record.kind.duplicates ~= "last" then return nil end
  for _, at in ipairs(conf.torn) do
    if not block or at.source > conf.source or at.source == conf.source and at.byte >= block.range.start.byte then
      local place = places.of_block(block)
      return core.diagnose(rows.MODULE_LANGUAGE_UNKNOWN, place.object, place.range,
        ("%s isn't known: %s can't be read, and may declare it%s. Fix that first."):format(record.address, at.words,
          block and " again" or ""))
    end
  end
end

-- ---- arguments ------------------------------------------------------------------------------------------------------------

-- Leaves an argument without a value, and reports why if `err` says so.
local function refuse(conf, record, a, err)
  if err then conf.findings:add(err) end
  put_node(record, a.name, failed_node(conf, record, a))
end

local function read_absent(conf, record, a)
  if not values.has_value(a) then return end
  if record.torn then
    put_node(record, a.name, failed_node(conf, record, a)) -- the unreadable text may set it
  elseif a.default ~= nil then
    if values.put_plain(conf, record, a, a.default_data) then return end
    local value, err = values.put(conf, record, a, record.block, a.default)
    if value == nil then refuse(conf, record, a, err) end
  elseif a.default_from or a.value_from then
    put_node(record, a.name, records.node(conf, "given", record, a))
  elseif a.required then
    put_node(record, a.name, failed_node(conf, record, a))
  else
    record.self[a.name] = values.null
  end
end

-- Evaluates a constant argument at once, so that it needs no node.
local function read_constant(conf, record, a, attribute)
  local value, err = values.evaluate(conf, attribute)
  if values.put_plain(conf, record, a, value) then return end
  if value ~= nil then value = core.value(value) end
  if value ~= nil and value:is_null() and (a.default ~= nil or a.default_from) then return read_absent(conf, record, a) end
  if value ~= nil then value, err = values.fit(conf, a, attribute, value) end
  if value ~= nil then value, err = values.put(conf, record, a, attribute, value) end
  if value == nil then refuse(conf, record, a, err) end
end

local function read_written(conf, record, a, attribute)
  if a.deprecated then
    conf.findings:report(rows.MODULE_DEPRECATED, { object = attribute, range = attribute.name_range }, "%s is deprecated.%s", a.name,
      a.deprecated ~= true and " " .. a.deprecated or "")
  end
  if a.value_from then
    put_node(record, a.name, failed_node(conf, record, a))
    return report(conf, record, rows.MODULE_LANGUAGE_WRITTEN, { object = attribute, range = attribute.name_range },
      "%s is computed from other arguments, so it can't be set. Remove this line.", a.name)
  end
  if conf.torn and is_cut(conf, attribute) then
    put_node(record, a.name, failed_node(conf, record, a))
  elseif a.kept then
    record.kept = record.kept or {}
    table.insert(record.kept, a)
    record.result[a.name] = attribute
  elseif a.ref or a.refs then
    put_node(record, a.name, records.node(conf, "reference", record, a, attribute))
  else
    local has_names, has_calls = core.uses(attribute)
    if has_names or has_calls then put_node(record, a.name, records.node(conf, "value", record, a, attribute))
    else read_constant(conf, record, a, attribute) end
  end
end

-- Reports for_each in a block whose kind can't repeat, unless the description declares an argument of that name.
local function refuse_for_each(conf, record)
  local kind, attribute = record.kind, record.arguments.for_each
  if not attribute or not kind or kind.for_each or record.level.arguments.for_each then return end
  report(conf, record, "BODY_ARGUMENT", { object = attribute, range = attribute.name_range },
    "A block of the kind %s takes no for_each.%s", kind.type, kind.address and " Write a block for each." or
      (' To make several, write dynamic "%s" { for_each = ... }.'):format(kind.type))
end

local function read_arguments(conf, record)
  local arguments = record.arguments
  refuse_for_each(conf, record)
  for _, a in ipairs(record.level.argument_list) do
    local attribute = arguments[a.name]
    if attribute then read_written(conf, record, a, attribute)
    elseif record.self[a.name] == nil then read_absent(conf, record, a) end -- otherwise core.read_block stored a literal
  end
end

-- ---- instances ------------------------------------------------------------------------------------------------------------

-- Adds an instance of a block to the values of the body around it.
local function enter(within, kind, instance)
  local self, result, name = within.self, within.result, kind.type
  if kind.nesting == "single" then
    self[name], result[name] = instance.self, instance.result
    return
  end
  local seen, given = self[name], result[name]
  local labels = instance.record.labels
  if kind.nesting ~= "map" then
    seen[#seen + 1], given[#given + 1] = instance.self, instance.result
    return
  end
  for i = 1, #labels - 1 do
    local label = labels[i]
    seen[label], given[label] = seen[label] or {}, given[label] or {}
    seen, given = seen[label], given[label]
  end
  seen[labels[#labels]], given[labels[#labels]] = instance.self, instance.result
end

-- Sets the values of the kinds of blocks inside an instance, before any block is added.
local function begin_kinds(record, self, result)
  for _, kind in ipairs(record.level.kind_list) do
    if kind.nesting == "single" then self[kind.type] = values.null
    elseif kind.nesting == "map" then self[kind.type], result[kind.type] = {}, {}
    elseif not kind.declares then self[kind.type], result[kind.type] = setmetatable({}, core.array_mt), setmetatable({}, core.array_mt) end
  end
end

--- Returns the place of a block in the tree of names: a table, and the key in that table; nil if the block has no address.
---@param conf hclexpr.languages.Configuration
---@param record hclexpr.languages.Record
---@return table?, string?
function records.spot(conf, record)
  local address = record.kind and record.kind.address
  if not address then return nil end
  local at, name = conf.tree, address.root
  for _, part in ipairs(address.parts) do
    at[name] = at[name] or {}
    at, name = at[name], part.word or record.labels[record.kind.label_at[part.label]]
  end
  return at, name
end

-- Makes an instance of a block inside an instance of the block around it. each: the element of for_each.
local function instantiate(conf, record, parent, each)
  local self, result = record.self, record.result
  if record.key_node then self, result = values.fields(self), values.fields(result) end
  local instance = { record = record, parent = parent, self = self, result = result, each = each or parent and parent.each }
  record.instances[#record.instances + 1] = instance
  begin_kinds(record, self, result)
  if parent and not record.hidden then enter(parent, record.kind, instance) end
  for _, inner in ipairs(record.inner) do
    inner.instances = inner.instances or {}
    instantiate(conf, inner, instance)
  end
  if record.address then conf.addresses_of[result] = record.address .. (each and ("[%s]"):format(values.quote(each.key)) or "") end
  return instance
end
records.instantiate = instantiate

-- Makes a block without for_each its own instance.
local function alone(conf, record)
  local parent = record.parent
  record.record, record.instances, record.each = record, { record }, parent and parent.each
  begin_kinds(record, record.self, record.result)
  if record.address then conf.addresses_of[record.result] = record.address end
end

-- ---- blocks ---------------------------------------------------------------------------------------------------------------

local function address_of(kind, labels)
  local text = kind.address.root
  for _, part in ipairs(kind.address.parts) do
    local word = part.word or labels[kind.label_at[part.label]]
    text = text .. (word:find "^[%a_][%w_%-]*$" and "." .. word or ("[%s]"):format(values.quote(word)))
  end
  return text
end

--- Returns the place of a block in words, for messages.
local function where(record)
  return record.block and " (" .. places.words(record.block.range) .. ")" or ""
end

-- Gives a block its address. Returns false if another block has it already.
local function claim(conf, record)
  local kind = record.kind
  record.address = address_of(kind, record.labels)
  local other = conf.index[record.address]
  if other and kind.duplicates == "last" then
    other.replaced = true
  elseif other then
    record.address = nil
    report(conf, record, rows.MODULE_DUPLICATE, places.of_block(record.block),
      "%s is declared already%s. Rename one of the two, or remove it.", other.address, where(other))
    return false
  end
  conf.index[record.address] = record
  return true
end

local read_blocks

local function new_record(conf, kind, block, parent)
  local record = { kind = kind, level = kind.level, block = block, parent = parent, labels = block and core.field(block, "labels") or none,
                   inner = none, nodes = none, key_node = parent.key_node, has_each = parent.has_each, json = conf.json }
  if kind.validation[1] then conf.ruled[#conf.ruled + 1] = record end
  return record
end

-- Reads the content of a block. content: its body, if its `dynamic` blocks are expanded already.
local function fill(conf, record, content)
  local kind, blocks, err = record.kind, nil, nil
  if content then
    record.self, record.result, record.arguments, blocks = {}, {}, content.attributes, content.blocks
  elseif record.block then
    local how = reading_of(kind)
    local schema = conf.literals and how.plain or how.exact
    record.self, record.result, record.arguments, blocks, err = core.read_block(record.block, schema, how.names, how.more)
  else
    record.self, record.result = {}, {}
  end
  record.arguments = record.arguments or none
  for i, name in ipairs(kind.labels) do record.self[name], record.result[name] = record.labels[i], record.labels[i] end
  if err then
    record.failed = true
    conf.findings:add(err)
  end
  record.torn = conf.torn and record.block and is_torn(conf, record.block)
  local for_each = record.kind.for_each and record.arguments.for_each
  local hidden = conf.torn and record.address and hidden_by_tear(conf, record)
  if hidden then record.key_node, record.has_each = failed_node(conf, record, nil, hidden), record.kind.for_each
  elseif for_each and conf.torn and is_cut(conf, for_each) then
    record.key_node, record.has_each = failed_node(conf, record), true
  elseif for_each then record.key_node, record.has_each = records.node(conf, "keys", record, nil, for_each), true
  elseif record.torn and record.kind.for_each then record.key_node, record.has_each = failed_node(conf, record), true end
  read_arguments(conf, record)
  if not record.key_node then alone(conf, record) end
  if blocks then read_blocks(conf, record, blocks, content ~= nil) end
end

local function read_locals(conf, record)
  for name, attribute in next, record.arguments do
    local address = "local." .. name
    local other = conf.index[address]
    if other then
      conf.findings:report(rows.MODULE_DUPLICATE, { object = attribute, range = attribute.name_range },
        "%s is declared already (%s). Leave out one of the two.", address, places.words(other.attribute.range))
    else
      local declared = { kind = record.kind, name = name, address = address, attribute = attribute }
      declared.node = records.node(conf, "local", declared, nil, attribute)
      if conf.torn and is_cut(conf, attribute) then declared.node.state, declared.node.needs = "failed", none end
      conf.index[address] = declared
      conf.declared[#conf.declared + 1] = declared
    end
  end
end

local variable_schema = {
  attributes = { { name = "type" }, { name = "default" }, { name = "description" }, { name = "sensitive" }, { name = "nullable" } },
  blocks = { { type = "validation", labels = {}, nesting = 0 } },
}

local variable_reader -- the same, as core.schema makes it on first use

local function read_declaration(conf, kind, block)
  if kind.declares == "locals" then
    local arguments, blocks, err = core.read_level(block.body)
    if err then conf.findings:add(err) end
    for _, inner in ipairs(blocks) do
      conf.findings:report("BODY_BLOCK", { object = inner, range = inner.type_range },
        "A local value isn't a block. Write %s = { ... } for an object.", inner.type)
    end
    return read_locals(conf, { kind = kind, arguments = arguments })
  end
  variable_reader = variable_reader or core.schema(variable_schema)
  local arguments, blocks, err = core.read_level(block.body, variable_reader)
  if err then conf.findings:add(err) end
  local name = block.labels[1]
  if not core.name_columns(name) then
    conf.findings:report(rows.MODULE_NAME, { object = block, range = block.label_ranges[1] },
      "%q can't name a variable. A name begins with a letter or _; letters, digits, _ and - may follow.", name)
  end
  local address = "var." .. name
  local other = conf.index[address]
  if other then
    return conf.findings:report(rows.MODULE_DUPLICATE, places.of_block(block), "%s is declared already%s. Leave out one of the two.",
      address, where(other))
  end
  local declared = { kind = kind, name = name, address = address, block = block, arguments = arguments, rules = blocks }
  declared.node = records.node(conf, "variable", declared)
  if conf.torn and is_torn(conf, block) then declared.node.state, declared.node.needs = "failed", none end
  conf.index[address] = declared
  conf.declared[#conf.declared + 1] = declared
end

local function add_inner(record, made)
  if record.inner == none then record.inner = {} end
  table.insert(record.inner, made)
end

local function read_block(conf, record, kind, block, expanded)
  conf:breathe()
  local made = new_record(conf, kind, block, record)
  if kind.address and not claim(conf, made) then made.hidden = true end
  add_inner(record, made)
  fill(conf, made, expanded and block.body or nil)
end

-- Returns the set of kinds that the `dynamic` blocks of a body generate, or nil.
local function generated(conf, record, blocks)
  local types, wrong
  for _, block in ipairs(blocks) do
    if block.type == "dynamic" then
      local kind = record.level.kinds[block.labels[1]]
      if kind and (kind.address or kind.declares) then
        wrong = true
        report(conf, record, "BODY_BLOCK", places.of_block(block),
          "Blocks of the type \"%s\" are declared one by one, so no dynamic block can make them.", kind.type)
      else
        types = types or {}
        types[block.labels[1]] = true
      end
    end
  end
  return not wrong and types or nil
end

function read_blocks(conf, record, blocks, expanded, body)
  local kinds, types = record.level.kinds, not expanded and generated(conf, record, blocks) or nil
  if types then
    local node = records.node(conf, "blocks", record)
    node.types, node.body, node.json = types, body or record.block.body, conf.json
    record.expansions = record.expansions or {}
    table.insert(record.expansions, node)
  end
  for _, block in ipairs(blocks) do
    local kind = kinds[block.type]
    -- Dynamic blocks, and written blocks of the same kinds, are read when the node is evaluated.
    if kind and kind.declares then read_declaration(conf, kind, block)
    elseif kind and not (types and types[block.type]) then read_block(conf, record, kind, block, expanded) end
  end
end
records.read_blocks = read_blocks

-- ---- numbers of blocks ----------------------------------------------------------------------------------------------------

local function count_fault(conf, record, kind, n, last)
  if kind.min and n < kind.min then
    local place = places.of_block(record.block)
    report(conf, record, "BODY_TOO_FEW", place,
      "Blocks of type \"%s\" are required here: at least %d. Add what is missing.", kind.type, kind.min)
  elseif kind.max and n > kind.max then
    report(conf, record, "BODY_TOO_MANY", places.of_block(last.block),
      "Blocks of type \"%s\": %d at most, so this one is too many. Remove it, or another.", kind.type, kind.max)
  end
end

-- Reports blocks of a map that have the same labels.
local function check_map(conf, record, kind)
  local seen = {}
  for _, inner in ipairs(record.inner) do
    if inner.kind == kind then
      local quoted = {}
      for i, label in ipairs(inner.labels) do quoted[i] = values.quote(label) end
      local key = table.concat(quoted)
      if seen[key] then
        report(conf, record, "BODY_SAME_LABELS", places.of_block(inner.block),
          "A block of type \"%s\" with the same labels is on %s. Rename one of them.", kind.type, places.words(seen[key].block.range))
      end
      seen[key] = inner
    end
  end
end

-- Returns true if `dynamic` blocks generate blocks of a kind in a body. Such blocks are counted after they are generated.
local function generates(record, kind)
  if record.types then return not record.types[kind.type] end
  for _, node in ipairs(record.expansions or {}) do
    if node.types[kind.type] then return true end
  end
  return false
end

--- Checks the number of blocks of each kind in a body, and drops blocks that a later one replaces.
---@param conf hclexpr.languages.Configuration
---@param record hclexpr.languages.Record
function records.close(conf, record)
  if not record.level.kind_list[1] then return end
  local counts, last, kept = {}, {}, {}
  for _, inner in ipairs(record.inner) do
    if not inner.replaced then
      local name = inner.kind.type
      counts[name], last[name] = (counts[name] or 0) + 1, inner
      kept[#kept + 1] = inner
    end
  end
  record.inner = kept
  for _, kind in ipairs(record.level.kind_list) do
    if not kind.declares and not generates(record, kind) then
      count_fault(conf, record, kind, counts[kind.type] or 0, last[kind.type])
      if kind.nesting == "map" then check_map(conf, record, kind) end
    end
  end
end

-- Closes a body and all bodies inside it, and adds their instances to the bodies around them.
local function close_all(conf, root)
  local stack = { root }
  while #stack > 0 do
    local record = table.remove(stack)
    records.close(conf, record)
    for i = #record.inner, 1, -1 do stack[#stack + 1] = record.inner[i] end
    if record.instances then
      local within = record.instances[1]
      for _, inner in ipairs(record.inner) do
        if inner.instances and not inner.hidden then enter(within, inner.kind, inner) end
        local at, name = records.spot(conf, inner)
        if at and not inner.hidden then at[name] = inner.instances and inner.self or {} end
      end
    end
  end
end

--- Sorts the instances of blocks with for_each by the order of their blocks: they were made in the order of evaluation.
---@param conf hclexpr.languages.Configuration
function records.arrange(conf)
  local root = conf.root
  for _, kind in ipairs(root.level.kind_list) do
    if kind.for_each and kind.nesting == "list" then
      root.self[kind.type], root.result[kind.type] = setmetatable({}, core.array_mt), setmetatable({}, core.array_mt)
    end
  end
  for _, record in ipairs(root.inner) do
    local kind = record.kind
    if kind.for_each and kind.nesting == "list" and not record.hidden then
      for _, instance in ipairs(record.instances or none) do enter(root, kind, instance) end
    end
  end
end

--- Reads the blocks that `dynamic` blocks generated for one instance.
---@param conf hclexpr.languages.Configuration
---@param holder hclexpr.languages.Record the Record of that instance
---@param body hclexpr.Body
---@param types table<string, true>
function records.generate(conf, holder, body, types)
  for _, block in ipairs(body.blocks) do
    if types[block.type] then read_block(conf, holder, holder.level.kinds[block.type], block, true) end
  end
  close_all(conf, holder)
end

-- Returns the place of what is missing in the files: the beginning of the first one.
local function begin_of(part)
  if not part then return {} end
  local range = part.body:range()
  return { object = part.body, range = { filename = range.filename, start = range.start, stop = range.start } }
end

-- Returns true if literals of blocks may be stored as they are written: no scope converts them, each file can be read, and no text in a
-- file can be larger than the limit of results.
local function may_store_literals(conf)
  for _, source in ipairs(conf.sources) do
    if #(source.text or "") > conf.output then return false end
  end
  return conf.plain and not conf.torn
end

--- Reads the files of a configuration.
---@param conf hclexpr.languages.Configuration
function records.read(conf)
  local level = conf.description.level
  local root = { level = level, labels = {}, arguments = {}, inner = {}, nodes = {}, self = {}, result = {} }
  conf.root, conf.written = root, {}
  for head in next, conf.description.heads do conf.tree[head] = {} end
  alone(conf, root)
  local all = {}
  for i, source in ipairs(conf.sources) do
    local body, err, partial = source.body, source.err, nil
    if source.text and not body then
      body, err, partial = core.parse(source.text, { filename = source.path, syntax = source.syntax, limits = conf.options.limits })
    end
    if err then
      conf.findings:add(err)
      conf.torn = conf.torn or {}
      for _, d in ipairs(err) do
        local at = d.range or { start = { byte = 0 } }
        table.insert(conf.torn, { source = i, filename = at.filename or source.path, byte = at.start.byte, size = #(source.text or ""),
                                  words = d.range and places.words(d.range) or source.path or "a file" })
      end
    end
    source.body = source.syntax ~= "json" and check.readable(body, err, partial) or body
    if source.body then
      local arguments, blocks, wrong = core.read_level(source.body, schema_of(level))
      if wrong then conf.findings:add(wrong) root.failed = true end
      for name, attribute in next, arguments do
        if root.arguments[name] then
          report(conf, root, "SYNTAX_ATTRIBUTE_TWICE", { object = attribute, range = attribute.name_range },
            "\"%s\" is set already on %s. Remove one of the two.", name, places.words(root.arguments[name].name_range))
        end
        root.arguments[name] = attribute
      end
      all[#all + 1] = { number = i, blocks = blocks, body = source.body, json = source.syntax == "json" }
    end
  end
  for _, a in ipairs(level.argument_list) do
    if a.required and not root.arguments[a.name] and not conf.torn then -- an unreadable file may set it
      report(conf, root, "BODY_MISSING", begin_of(all[1]), "The argument \"%s\" is required here. Add a line %s = ...", a.name, a.name)
    end
  end
  root.json, root.torn = all[1] ~= nil and all[1].json, conf.torn ~= nil
  conf.literals = may_store_literals(conf)
  read_arguments(conf, root)
  for _, part in ipairs(all) do
    local before, written = #root.inner, { path = conf.sources[part.number].path, records = {} }
    conf.json, conf.source = part.json, part.number
    read_blocks(conf, root, part.blocks, false, part.body)
    for i = before + 1, #root.inner do written.records[i - before] = root.inner[i] end
    conf.written[#conf.written + 1] = written
  end
  for _, kind in ipairs(level.kind_list) do records.add_single(conf, kind) end
  close_all(conf, root)
end

--- Adds a single block with an address that no file has, so that its defaults have values; not if something in it is required.
---@param conf hclexpr.languages.Configuration
---@param kind hclexpr.languages.Kind
function records.add_single(conf, kind)
  if not kind.address or kind.declares or kind.nesting ~= "single" or kind.labels[1] or conf.index[kind.address.text] then return end
  for _, a in ipairs(kind.level.argument_list) do
    if a.required then return end
  end
  for _, inner in ipairs(kind.level.kind_list) do
    if inner.min then return end
  end
  local record = new_record(conf, kind, nil, conf.root)
  claim(conf, record)
  add_inner(conf.root, record)
  fill(conf, record)
end

return records
