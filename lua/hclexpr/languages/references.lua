-- References of expressions: the nodes that must be evaluated first, or errors in names that are found before any value is known.
--
-- A path is looked up once: `core.traversals` remembers the result. Names that depend on the block (`self`, `parent`, `each`) are
-- looked up for each block. Places are computed only for errors.
local core = require "hclexpr.core"
local rows = require("hclexpr.terraform.language.diagnostics").rows
local places = require "hclexpr.places"
local sorted = require("hclexpr.util").sorted
local typecheck = require "hclexpr.typecheck"
local values = require "hclexpr.languages.values"

---@class hclexpr.languages.Target the target of a traversal
---@field node? hclexpr.languages.Node nil: the value needs no evaluation
---@field relative? table the traversal, if the target depends on the block
---@field fault? { row: string|table, step: integer, text: string, advised?: boolean } advised: the text says what to write
---@field record? hclexpr.languages.Record the block that the traversal names
---@field kind? string the type of the blocks, if the traversal names all blocks of some kinds

local references = {}

local nothing = {}

local any = core.unknown "any"

-- Names whose values depend on the block.
local relative = { self = true, parent = true, each = true }

local function fault(row, step, text, ...)
  return { fault = { row = row, step = step, text = text:format(...) } }
end

-- Quotes an address, unless it contains quotes.
local function quoted(address)
  return address:find('"', 1, true) and address or '"' .. address .. '"'
end

local function near(word, names)
  local found = core.suggest(word, sorted(names))
  return found and (" Did you mean \"%s\"?"):format(found) or ""
end

-- ---- within a block -------------------------------------------------------------------------------------------------------

-- Makes the error for reading a kept expression or a reference.
local function unreadable(record, argument, steps, step)
  if argument.kept then
    return fault(rows.MODULE_LANGUAGE_REFERENCE, step, "%s is an expression that the program evaluates, so it has no value here.",
      argument.name)
  end
  local attribute, rest = record and record.arguments and record.arguments[argument.name], {}
  if attribute and relative[attribute.expression:source():match "^[%w_%-]*"] then attribute = nil end
  for i = step + 1, #steps do rest[#rest + 1] = "." .. steps[i].text end
  local instead = attribute and argument.ref and ("Write %s%s in its place."):format(attribute.expression:source(), table.concat(rest))
    or "Write the address of the block in its place."
  local found = fault(rows.MODULE_LANGUAGE_REFERENCE, step, "%s is a reference, and nothing is read through one. %s", argument.name,
    instead)
  found.fault.advised = true
  return found
end

local function names_of(record)
  local names = {}
  for _, part in ipairs { record.level.arguments, record.level.kinds, record.self } do
    for name in next, part do names[name] = true end
  end
  return names
end

-- Returns the target of the steps from `at` on in a block.
local function within(conf, record, steps, at)
  local step = steps[at]
  if not step then return { node = conf:whole(record) } end
  local name = step.text
  local argument = record.level.arguments[name]
  if argument and not values.has_value(argument) then return unreadable(record, argument, steps, at) end
  if argument then return { node = record.nodes[name] or record.key_node } end
  if record.level.kinds[name] then return { node = conf:inner(record, name) } end
  if record.self[name] ~= nil then return record.key_node and { node = record.key_node } or nothing end
  if step.kind ~= "attr" and record.address and at == #record.kind.address.parts + 2 then
    return fault(rows.MODULE_INSTANCE_KEY, at, "%s has no for_each, so it is one block. Leave out the key.", record.address)
  end
  return fault(rows.MODULE_ATTRIBUTE, at, "%s has no argument \"%s\".%s", record.address or record.kind and record.kind.type or "The file",
    name, near(name, names_of(record)))
end

-- ---- addresses ------------------------------------------------------------------------------------------------------------

-- Returns the kind of the block that a traversal names, and the number of steps in its address; nil if the traversal names several blocks.
local function kind_of(kinds, steps)
  for _, kind in ipairs(kinds) do
    local fits, parts = true, kind.address.parts
    for i, part in ipairs(parts) do
      local step = steps[i + 1]
      if not step or part.word and part.word ~= step.text then fits = false break end
    end
    if fits then return kind, #parts + 1 end
  end
end

local function join(steps, last)
  local text = { steps[1].text }
  for i = 2, last do
    local word = steps[i].text
    text[i] = word:find "^[%a_][%w_%-]*$" and "." .. word or "[" .. core.quote(word) .. "]"
  end
  return table.concat(text)
end

-- Returns the words of an address after the first, joined by dots.
local function words_after(address)
  return (address:gsub('%["(.-)"%]', ".%1"):match "%.(.*)")
end

-- Returns the addresses of kinds by their words after the first, which all kinds share, and a sorted list of these words.
local function declared_under(conf, kinds)
  local declared = conf.declared_names[kinds]
  if declared then return declared end
  declared = { addresses = {} }
  for address, found in next, conf.index do
    for _, kind in ipairs(kinds) do
      local words = found.kind == kind and words_after(address)
      if words then declared.addresses[words] = address end
    end
  end
  declared.words = sorted(declared.addresses)
  conf.declared_names[kinds] = declared
  return declared
end

-- Returns the declared address that is most like a wrong one, for suggestions.
local function nearest(conf, kinds, address)
  local declared = declared_under(conf, kinds)
  return declared.addresses[core.suggest(words_after(address), declared.words) or 0]
end

-- The number of mistakes that get suggestions. A suggestion looks at all addresses, and further mistakes are only counted in reports.
local SUGGESTED = 100

local function undeclared(conf, kinds, steps, last)
  local address = join(steps, last)
  local meant = conf.findings:count() < SUGGESTED and nearest(conf, kinds, address)
  return fault(rows.MODULE_UNDECLARED, last, "Nothing declares %s.%s", address, meant and (" Did you mean %s?"):format(quoted(meant)) or "")
end

-- Returns the target of the steps from `at` on, in a block with instances.
local function of_instances(conf, record, steps, at)
  local step = steps[at]
  if step and step.kind == "attr" then
    return fault(rows.MODULE_INSTANCE_KEY, at, "%s has for_each, so it is several blocks. Choose one by its key: %s[\"KEY\"].",
      record.address, record.address)
  end
  if not step then return { node = conf:whole(record) } end
  return within(conf, record, steps, at + 1)
end

-- Returns the target of a name at the top: one block by its address, or all blocks of some kinds.
local function of_head(conf, kinds, steps)
  local kind, last = kind_of(kinds, steps)
  if not kind then
    for i = 2, #steps do
      local below = false
      for _, other in ipairs(kinds) do
        local part = other.address.parts[i - 1]
        below = below or part ~= nil and (part.label ~= nil or part.word == steps[i].text)
      end
      if not below then return undeclared(conf, kinds, steps, i) end
    end
    return { node = conf:all(kinds), kind = kinds[1].type }
  end
  local found = conf.index[join(steps, last)]
  if not found then return undeclared(conf, kinds, steps, last) end
  if kind.declares then return { node = found.node } end
  local instances = found.arguments.for_each and found.kind.for_each
  local target = (instances and of_instances or within)(conf, found, steps, last + 1)
  if target == nothing then return { record = found } end
  target.record = found
  return target
end

-- Returns the target of a traversal.
local function resolve(conf, traversal)
  local steps = traversal.steps
  local root = steps[1].text
  if relative[root] then return { relative = traversal } end
  local kinds = conf.description.heads[root]
  if kinds then return of_head(conf, kinds, steps) end
  if conf.description.names[root] ~= nil then return nothing end
  return { fault = { step = 1, root = root } }
end

--- Makes the lookup for the paths of a configuration.
---@param conf hclexpr.languages.Configuration
---@return fun(traversal: table): hclexpr.languages.Target
function references.resolver(conf)
  return function(traversal) return resolve(conf, traversal) end
end

-- Returns the target of a traversal that begins with `self`, `parent` or `each`, in a block.
local function resolve_relative(conf, record, traversal)
  local steps = traversal.steps
  local root = steps[1].text
  if root == "each" then
    if record.has_each then return { node = record.key_node } end
    return fault(rows.MODULE_CONTEXT, 1, "\"each\" is there in blocks with for_each, and this one has none.")
  end
  local from = record
  if root == "parent" then from = record.parent end
  if not from then return fault(rows.MODULE_CONTEXT, 1, "\"parent\" is the block around this one, and this one is at the top.") end
  return within(conf, from, steps, 2)
end

-- ---- expressions ----------------------------------------------------------------------------------------------------------

-- Returns what the author may have meant by `word` alone: an address that ends with it, such as upstream.WORD, or self.WORD or parent.WORD;
-- nil if these don't exist.
local function with_first_word(conf, record, word)
  for _, head in ipairs(sorted(conf.description.heads)) do
    if conf.index[head .. "." .. word] then return head .. "." .. word end
  end
  local argument = record and record.level.arguments[word]
  if argument and values.has_value(argument) then return "self." .. word end
  argument = record and record.parent == conf.root and conf.root.level.arguments[word]
  return argument and values.has_value(argument) and "parent." .. word or nil
end

-- Returns the row and the text of the diagnostic about an unknown name.
local function unknown_name(conf, root, argument, record)
  local whole = with_first_word(conf, record, root)
  if whole then
    return { row = "REFERENCE_UNKNOWN", name = root, reason = "similar" },
      ("Nothing is named \"%s\" here. Did you mean \"%s\"?"):format(root, whole)
  end
  local names = { self = true, parent = true, each = true }
  for _, part in ipairs { conf.description.heads, conf.description.names, argument and argument.types or nothing } do
    for name in next, part do names[name] = true end
  end
  local meant = near(root, names)
  local row = { row = "REFERENCE_UNKNOWN", name = root, reason = meant ~= "" and "similar" or nil }
  local known = meant == "" and core.compile(root)
  if known then return row, select(2, known:value())[1].detail end -- other languages may know the word; nil for null
  return row, ("Nothing is named \"%s\" here.%s"):format(root, meant)
end

-- Returns the Expression of an Attribute. An Expression is returned as it is.
local function expression_of(from)
  return getmetatable(from) == core.classes.Attribute and from.expression or from
end

-- Returns the range of the nth traversal of an expression, from its first step to the given one.
local function range_of(from, n, step)
  local traversal = core.traversals(from)[n]
  local steps = traversal.steps
  local first, last = steps[1].range, steps[math.min(step, #steps)].range
  return { filename = first.filename, start = first.start, stop = last.stop }
end

-- Reports a wrong name in an expression. described: the expression is in the description, so the mistake is shown at the block.
local function report(conf, record, from, n, found, argument, described)
  local row, text = found.row, found.text
  if not text then row, text = unknown_name(conf, found.root, argument, record) end
  if described then
    local place = places.of_block(record.block)
    return core.diagnose(row, place.object, place.range, text)
  end
  return core.diagnose(row, expression_of(from), range_of(from, n, found.step), text)
end

-- Returns true if the nth traversal is the argument of length() or keys(), which don't need the values of the blocks.
local function asks_for_addresses(from, n)
  local range = core.traversals(from)[n].range
  local stack = { expression_of(from):ast() }
  while #stack > 0 do
    local node = table.remove(stack)
    if node.kind == "call" and (node.name == "length" or node.name == "keys") and #node.args == 1 then
      local argument = node.args[1]
      if argument.kind == "traversal" and argument.range.start.byte == range.start.byte then return true end
    end
    for _, child in next, node do
      if type(child) == "table" and child ~= node.range then stack[#stack + 1] = child end
    end
  end
  return false
end

local of_calls = { ["call.unknown"] = true, ["call.none"] = true, ["call.count"] = true }

--- Returns Diagnostics if a call in an expression is wrong, even in a part that isn't evaluated; otherwise nil.
---@param conf hclexpr.languages.Configuration
---@param from hclexpr.Attribute|hclexpr.Expression
---@return hclexpr.Diagnostics?
function references.check_calls(conf, from)
  local _, has_calls = core.uses(from)
  if not has_calls then return nil end
  local own = getmetatable(from) == core.classes.Attribute and core.field(from, "expression")
  local expression, names = own or from, {}
  for _, reference in ipairs(expression:references()) do names[reference.root] = any end -- references.add finds their mistakes
  local err = typecheck.fault(expression, names, conf.scope)
  if own then core.close_expression(own) end
  for _, d in ipairs(err or nothing) do
    if of_calls[d.code] then return err end
  end
end

--- Adds the nodes that an expression needs in a block to `needs`. Returns nil and Diagnostics if a name or a call is wrong. Calls in a kept
--- expression, and in one of the description, aren't checked here, but elsewhere with the types of their names.
---@param conf hclexpr.languages.Configuration
---@param record? hclexpr.languages.Record
---@param from hclexpr.Attribute|hclexpr.Expression
---@param needs hclexpr.languages.Node[]
---@param argument? hclexpr.languages.Argument of a kept expression
---@param described? boolean true: the expression is in the description
---@return boolean? relative true: what the names of the expression mean depends on the block
---@return hclexpr.Diagnostics? err
function references.add(conf, record, from, needs, argument, described)
  local given, is_relative, errs = argument and argument.types or nothing, false, nil
  local found = core.traversals(from, conf.targets, conf.resolve)
  for n, target in ipairs(found) do
    local wrong = target.fault
    if target.relative then
      is_relative = true
      if record then target = resolve_relative(conf, record, target.relative)
      else target = { fault = { step = 1, root = target.relative.steps[1].text } } end
      wrong = target.fault
    end
    if wrong and not (wrong.root and given[wrong.root] ~= nil) then
      errs = errs or {}
      errs[#errs + 1] = report(conf, record, from, n, wrong, argument, described)
    elseif target.node and (conf.torn or not (target.kind and asks_for_addresses(from, n))) then
      needs[#needs + 1] = target.node
    end
  end
  if not errs and not argument and not described then errs = { references.check_calls(conf, from) } end
  if errs and errs[1] then return nil, core.join_diagnostics(errs) end
  return is_relative
end

-- The largest number of keys that a message lists.
local MOST_KEYS = 5

--- Returns the message for a key that no instance of a block has.
---@param record hclexpr.languages.Record
---@param key string
---@return string
function references.no_instance(record, key)
  local keys = {}
  for i, instance in ipairs(record.instances) do
    if i > MOST_KEYS then keys[i] = "…" break end
    keys[i] = core.quote(instance.each.key)
  end
  return ("%s has no instance %s. %s"):format(record.address, core.quote(key),
    keys[1] and "Its keys: " .. table.concat(keys, ", ") .. "." or "Its for_each has no elements.")
end

--- Returns the instance of a block with a key, or without a key the first one; or nil and Diagnostics of the expression that names it.
---@param expression hclexpr.Expression
---@param record hclexpr.languages.Record
---@param key? string
---@return hclexpr.languages.Instance?
---@return hclexpr.Diagnostics? err
function references.instance(expression, record, key)
  if key == nil then return record.instances[1] end
  local instance = record.by_key and record.by_key[key]
  if instance then return instance end
  return nil, core.diagnose(rows.MODULE_INSTANCE_KEY, expression, expression:range(), references.no_instance(record, key))
end

--- Returns the Diagnostics for an expression that failed with `err`. If it failed because no instance has a key, they say that in terms of
--- the language; otherwise they are `err`.
---@param conf hclexpr.languages.Configuration
---@param from hclexpr.Attribute|hclexpr.Expression
---@param err hclexpr.Diagnostics
---@return hclexpr.Diagnostics
function references.explain_failure(conf, from, err)
  local at = err[1].range
  if err[1].code ~= "reference.index" or not at then return err end
  for n, target in ipairs(core.traversals(from, conf.targets, conf.resolve)) do
    local record = target.record
    local address = record and record.level and record.kind.address
    local step = address and record.instances and core.traversals(from)[n].steps[#address.parts + 2]
    local range = step and step.kind ~= "attr" and step.range
    if range and range.filename == at.filename and range.start.byte == at.start.byte then
      if not record.by_key or record.by_key[step.text] then return err end
      return core.diagnose(rows.MODULE_INSTANCE_KEY, expression_of(from), range_of(from, n, #address.parts + 2),
        references.no_instance(record, step.text))
    end
  end
  return err
end

--- Adds the nodes that a body or expression names. Mistakes are reported when its expressions are evaluated.
---@param conf hclexpr.languages.Configuration
---@param body hclexpr.Body|hclexpr.Expression
---@param needs hclexpr.languages.Node[]
function references.add_loosely(conf, body, needs)
  local found = core.traversals(body, conf.targets, conf.resolve)
  for _, target in ipairs(found) do needs[#needs + 1] = target.node end
end

-- ---- references -----------------------------------------------------------------------------------------------------------

---@class hclexpr.languages.Named a reference as written
---@field steps { text: string }[]
---@field key? string|number a constant key of an instance
---@field each? boolean its key is each.key
---@field range? hclexpr.Range

-- Returns the reference that a syntax tree consists of; nil if the tree is something else.
local function read_tree(tree)
  if tree.kind == "parens" then return read_tree(tree.inner) end
  if tree.kind == "traversal" then
    local steps = { { text = tree.root } }
    for i, step in ipairs(tree.steps) do steps[i + 1] = { text = tostring(step), number = type(step) == "number" and step or nil } end
    return { steps = steps, range = tree.range }
  end
  if tree.kind == "index" and tree.collection.kind == "traversal" and tree.key.kind == "traversal" and tree.key.root == "each"
    and tree.key.steps[1] == "key" and not tree.key.steps[2] then
    local named = read_tree(tree.collection)
    named.each, named.range = true, tree.range
    return named
  end
end

-- Returns the reference that a syntax tree is; nil for null, false for anything else.
local function read_one(tree)
  if tree.kind == "null" then return nil end
  return read_tree(tree) or false
end

-- Returns the tree of a reference that JSON syntax has as a string: "upstream.mail", or "${upstream.mail}" as hcl.to_json writes it.
local function from_json(tree)
  if tree.kind == "wrap" then return tree.inner end
  local inner = tree.kind == "string" and core.compile(tree.text)
  local made = inner and inner:ast() or tree
  made.range = tree.range -- a place within the string would mean nothing to readers
  return made
end

-- Returns the syntax tree of an argument in native or JSON syntax.
local function tree_of(expression, json)
  local tree = expression:ast()
  if not json then return tree end
  if tree.kind ~= "tuple" then return from_json(tree) end
  local elements = {}
  for i, element in ipairs(tree.elements) do elements[i] = from_json(element) end
  return { kind = "tuple", elements = elements, range = tree.range }
end

-- Says what to write for an expression that isn't a reference, but contains one: in quotes, in a template, or alone in brackets. Returns
-- nil if it contains none.
local function instead_of(conf, tree, allowed, several)
  local named, without = nil, "quotes"
  if tree.kind == "string" then
    named = conf.index[tree.text] and tree.text
    for _, kind in ipairs(allowed) do
      local address = kind.address.root .. "." .. tree.text
      named = named or conf.index[address] and address
    end
  elseif tree.kind == "wrap" then
    named = read_tree(tree.inner)
  elseif tree.kind == "tuple" and not several and #tree.elements == 1 then
    named, without = read_tree(tree.elements[1]), "brackets"
  end
  if type(named) == "table" then named = join(named.steps, #named.steps) .. (named.each and "[each.key]" or "") end
  return named and ("Write %s without %s."):format(named, without)
end

local EXAMPLE = "Write the address of a block, such as %s"

local function example(kinds)
  local address = kinds[1].address
  return address.text:gsub("{(.-)}", function(label) return label:upper() end)
end

-- For a name that means a value of the block or of the program where an address is wanted: says what the value is, and what to write.
-- Returns the row and the text of the diagnostic; nil for other names.
local function not_an_address(conf, record, steps, allowed)
  local root = steps[1].text
  local of_block = relative[root]
  if not of_block and conf.description.names[root] == nil then return nil end
  local wanted = (EXAMPLE .. "."):format((example(allowed)))
  local wrong = of_block and resolve_relative(conf, record, { steps = steps }).fault
  if wrong then return wrong.row, wrong.advised and wrong.text or wrong.text .. " " .. wanted end
  local block, owner = root == "parent" and record.parent or record, "the program"
  if root == "each" then owner = "for_each"
  elseif of_block then owner = block.address or not block.kind and "the file" or "the block " .. block.kind.type end
  local source = join(steps, #steps)
  local what = of_block and not steps[2] and "%s has the values of %s, and isn't the address of a block."
    or "%s is a value of %s, not the address of a block."
  return rows.MODULE_LANGUAGE_REFERENCE, what:format(source, owner) .. " " .. wanted
end

-- Returns what an address names: a Record and perhaps a key, or kinds, which mean all their blocks. Returns nil, a row and a text if the
-- address is wrong.
local function look_up(conf, named, several)
  local steps = named.steps
  local kinds = conf.description.heads[steps[1].text]
  if not kinds then return nil, unknown_name(conf, steps[1].text) end
  local kind, last = kind_of(kinds, steps)
  if not kind then
    if several and #steps == 1 and not named.each then return { kinds = kinds } end
    return nil, rows.MODULE_LANGUAGE_REFERENCE, ("This names no block. " .. EXAMPLE .. "."):format(example(kinds))
  end
  local record = conf.index[join(steps, last)]
  if not record then return nil, rows.MODULE_UNDECLARED, undeclared(conf, kinds, steps, last).fault.text end
  if kind.declares then return { record = record } end
  local rest = #steps - last
  local out = { record = record, each = named.each }
  if rest == 1 and not named.each and record.kind.for_each and record.arguments.for_each then out.key = steps[#steps].text rest = 0 end
  if rest > 0 then
    return nil, rows.MODULE_LANGUAGE_REFERENCE, ("A reference ends with the block: write %s."):format(join(steps, last))
  end
  return out
end

--- Calls act(record) for each block whose address is in an attribute's expression.
---@param conf hclexpr.languages.Configuration
---@param attribute hclexpr.Attribute
---@param act fun(record: hclexpr.languages.Record)
function references.each_block(conf, attribute, act)
  for _, target in ipairs(core.traversals(attribute, conf.targets, conf.resolve)) do
    if target.record then act(target.record) end
  end
end

--- Returns the blocks that an address names, as look_up does. The type of a kind without an address names all blocks of that kind. Returns
--- nil if the expression isn't an address of blocks; Diagnostics may then say why.
---@param conf hclexpr.languages.Configuration
---@param expression hclexpr.Expression
---@return table? found
---@return hclexpr.Diagnostics? err
function references.find(conf, expression)
  local named = read_tree(expression:ast())
  if not named or named.each then return nil end
  if not conf.description.heads[named.steps[1].text] then
    local kind = not named.steps[2] and conf.root.level.kinds[named.steps[1].text]
    return kind and not kind.declares and { kinds = { kind } } or nil
  end
  local found, row, text = look_up(conf, named, true)
  if found then return found end
  if row == rows.MODULE_LANGUAGE_REFERENCE then return nil end
  return nil, core.diagnose(row, expression, expression:range(), text)
end

--- Finds the argument that an address names, if expressions can't read it by this address: a reference or a kept expression of a block, or
--- any argument of the file.
---@param conf hclexpr.languages.Configuration
---@param expression hclexpr.Expression
---@return hclexpr.languages.Record? record nil: the text isn't such an address
---@return hclexpr.languages.Argument? argument
---@return string? key of the block's instance
function references.find_argument(conf, expression)
  local named = read_tree(expression:ast())
  if not named or named.each then return nil end
  local steps = named.steps
  local kinds, root = conf.description.heads[steps[1].text], conf.root
  if not kinds then return steps[2] == nil and root.level.arguments[steps[1].text] and root, root.level.arguments[steps[1].text] end
  local kind, last = kind_of(kinds, steps)
  local record = kind and not kind.declares and conf.index[join(steps, last)]
  if not record then return nil end
  local key = kind.for_each and record.arguments.for_each and steps[last + 1]
  local argument = #steps == last + (key and 2 or 1) and record.level.arguments[steps[#steps].text]
  if not argument or values.has_value(argument) then return nil end
  return record, argument, key and key.text or nil
end

-- Returns the nth block of a kind inside another, from 0, and its instance there; nil: the block is missing, or a `dynamic` block may
-- have generated it.
local function nested_block(record, instance, kind, n)
  for _, inner in ipairs(not record.expansions and record.inner or nothing) do
    if inner.kind == kind and n == 0 then
      for _, one in ipairs(inner.instances or nothing) do
        if one.parent == instance then return inner, one end
      end
    end
    if inner.kind == kind then n = n - 1 end
  end
end

--- Returns the node, and the block's instance, that give the value that an address names: the value of a local value or a variable, or of
--- an argument in a block or in a block inside it. Returns nil if no node evaluates it.
---@param conf hclexpr.languages.Configuration
---@param expression hclexpr.Expression
---@return hclexpr.languages.Node?
---@return hclexpr.languages.Instance?
function references.argument_at(conf, expression)
  local named = read_tree(expression:ast())
  local steps = named and not named.each and named.steps
  local kinds = steps and conf.description.heads[steps[1].text]
  local kind, last = kind_of(kinds or nothing, steps)
  local record = kind and conf.index[join(steps, last)]
  if not record then return nil end
  if kind.declares then return not steps[last + 1] and record.node or nil end
  local at, key = last + 1, nil
  if kind.for_each and record.arguments.for_each then at, key = last + 2, steps[last + 1] and steps[last + 1].text end
  local instance = references.instance(expression, record, key)
  while instance and steps[at] do
    local inner = record.level.kinds[steps[at].text]
    if not inner then return not steps[at + 1] and record.nodes[steps[at].text] or nil, instance end
    local n = inner.nesting == "single" and 0 or steps[at + 1] and steps[at + 1].number
    if not n then return nil end
    record, instance = nested_block(record, instance, inner, n)
    at = at + (inner.nesting == "single" and 1 or 2)
  end
end

local function is_of(kinds, kind)
  for _, other in ipairs(kinds) do
    if other == kind then return true end
  end
  return false
end

local function names_of_kinds(kinds)
  local names = {}
  for _, kind in ipairs(kinds) do names[kind.type] = true end
  return table.concat(sorted(names), " or ")
end

-- Checks a reference. Returns what look_up returns: the blocks, or nil, and the row and the text of a diagnostic.
local function check(conf, record, named, allowed, several)
  local row, text = not_an_address(conf, record, named.steps, allowed)
  if row then return nil, row, text end
  local found
  found, row, text = look_up(conf, named, several)
  if not found then return nil, row, text end
  local kind = found.record and found.record.kind or found.kinds[1]
  if not is_of(allowed, kind) then
    local wrong = ("This is a block of the kind %s, and one of the kind %s is expected. "):format(kind.type, names_of_kinds(allowed))
    return nil, rows.MODULE_LANGUAGE_REFERENCE, wrong .. EXAMPLE:format(example(allowed)) .. "."
  end
  if found.kinds then return found end
  local has = found.record.kind.for_each and found.record.arguments.for_each ~= nil
  if found.each and not record.has_each then
    return nil, rows.MODULE_CONTEXT, "\"each\" is there in blocks with for_each, and this one has none."
  end
  if has and not several and found.key == nil and not found.each then
    return nil, rows.MODULE_INSTANCE_KEY, ("%s has for_each, so it is several blocks. Choose one by its key: %s[\"KEY\"]."):format(
      found.record.address, found.record.address)
  end
  if not has and (found.key ~= nil or found.each) then
    return nil, rows.MODULE_LANGUAGE_REFERENCE, ("%s is one block, so it takes no key: write %s."):format(found.record.address,
      found.record.address)
  end
  return found
end

local words = "^[%a_][%w_%-]*$"

-- Returns the target of a plain address, such as upstream.mail. Nearly all references are plain addresses, which need no parsing.
local function find_plain(conf, source, allowed)
  local record = conf.index[source]
  if record and record.level and is_of(allowed, record.kind) and not (record.kind.for_each and record.arguments.for_each) then
    conf.plain_targets[record] = conf.plain_targets[record] or { { record = record } }
    return conf.plain_targets[record]
  end
end

-- Returns the steps of a plain address; nil if the source needs a syntax tree.
local function read_plain(source)
  if not source:find "^[%a_][%w_.%-]*$" then return nil end
  local steps = {}
  for word in source:gmatch "[^.]+" do
    if not word:find(words) then return nil end
    steps[#steps + 1] = { text = word }
  end
  return steps[2] and { steps = steps } or nil
end

--- Reads the references of an argument. Returns an array of targets, each { record, key?, each? } or { kinds }, with `absent` if it is
--- null; or nil and Diagnostics.
---@param conf hclexpr.languages.Configuration
---@param node hclexpr.languages.Node
---@return table[]?
---@return hclexpr.Diagnostics?
function references.read(conf, node)
  local a, attribute = node.argument, node.attribute
  local several = a.refs ~= nil
  local allowed = a.ref or a.refs
  local function fail(row, range, text, ...)
    return nil, core.diagnose(row, attribute.expression, range or attribute.expression:range(), text:format(...))
  end
  local source = core.expression_text(attribute)
  local plain = find_plain(conf, source, allowed)
  if plain then return plain end
  local list, one = {}, read_plain(source)
  if not one then
    local tree = tree_of(attribute.expression, node.record.json)
    if several and tree.kind == "tuple" then
      one = false
      for i, element in ipairs(tree.elements) do
        list[i] = read_tree(element)
        if not list[i] then
          return fail(rows.MODULE_LANGUAGE_REFERENCE, element.range, "%s",
            instead_of(conf, element, allowed) or (EXAMPLE .. "."):format(example(allowed)))
        end
      end
    else
      one = read_one(tree)
      if one == false then
        local form, more = EXAMPLE .. "%s. A condition, template or call isn't a reference.", several and ", or several in brackets" or ""
        return fail(rows.MODULE_LANGUAGE_REFERENCE, nil, "%s is a reference. %s", a.name,
          instead_of(conf, tree, allowed, several) or form:format(example(allowed), more))
      end
    end
  end
  if one then list[1] = one end
  local out = { absent = one == nil or nil }
  for i, named in ipairs(list) do
    local found, row, text = check(conf, node.record, named, allowed, several)
    if not found then return fail(row, named.range, "%s", text) end
    found.range = named.range
    out[i] = found
  end
  return out
end

return references
