-- Completion: candidates at a position. Each kind of syntax node has a function in `rows`. These functions return all candidates, because
-- editors filter by the typed text. Only labels are filtered here.
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local folders = require "hclexpr.editor.folders"
local own_functions = require "hclexpr.editor.own_functions"
local heads = require "hclexpr.terraform.read.heads"
local hcl = require "hclexpr"
local infer = require "hclexpr.editor.infer"
local kinds = require "hclexpr.editor.kinds"
local language = require "hclexpr.terraform.language.language"
local lazy = require "hclexpr.lazy"
local names = require "hclexpr.editor.names"
local paths = require "hclexpr.editor.paths"
local cursor = require "hclexpr.editor.cursor"
local shape = require "hclexpr.editor.shape"
local signature = require "hclexpr.editor.signature"
local text = require "hclexpr.editor.text"

local completion = {}

---@class hclexpr.service.Gathering
---@field here hclexpr.service.Here
---@field items hclexpr.service.Item[]
---@field start integer the start of the text that candidates replace
---@field stop integer
---@field pattern? string if set, only candidates that match it in lower case are added
local Gathering = {}
Gathering.__index = Gathering

function Gathering:add(label, kind, more)
  local item = more or {}
  if self.seen[label] or label == "" or self.pattern and not self:fits(label) then return end
  self.seen[label] = true
  item.label, item.kind, item.insert = label, kind, item.insert or label
  item.start, item.stop = item.start or self.start, self.stop
  self.items[#self.items + 1] = item
end

function Gathering:fits(label) return not self.pattern or label:lower():find(self.pattern) ~= nil end

local function gathering(here, start, stop)
  return setmetatable({ here = here, items = {}, seen = {}, start = start, stop = stop }, Gathering)
end

-- Bodies

local function argument_detail(row)
  local type = row.refers and "reference"
    or row.shape and row.shape:short() or (_G.type(row.type) == "table" or row.nested_type) and cursor.wanted(row):short()
    or row.type or "any"
  return (row.required and "required, " or row.computed and not row.optional and "computed, " or "") .. (type == "dynamic" and "any"
    or type)
end

local function may_be_set(row) return row.required or row.optional or not row.computed end

local function add_arguments(g, layer, present, sets)
  for name, row in pairs(layer.attributes or {}) do
    if not present[name] and may_be_set(row) then
      g:add(name, g.here.document.kind == "tfvars" and "variable" or "argument", {
        detail = argument_detail(row), documentation = row.description, insert = sets and name .. " = " or name,
        deprecated = row.deprecated and true or nil, sort = (row.required and "1" or row.deprecated and "9" or "2") .. name,
      })
    end
  end
end

local function block_text(name, row)
  local head = name
  for i, label in ipairs(row.labels or {}) do head = head .. (' "${%d:%s}"'):format(i, label) end
  return head .. " {\n  $0\n}"
end

local function count_blocks(body)
  local counts = {}
  for _, block in ipairs(body.blocks) do counts[block.type] = (counts[block.type] or 0) + 1 end
  return counts
end

local function add_blocks(g, layer, counts, opens)
  for type, row in pairs(layer.block_types or {}) do
    local most = row.max_items and row.max_items > 0 and row.max_items or (row.nesting_mode == "single" or row.nesting_mode == "group")
      and 1
    if not most or (counts[type] or 0) < most then
      g:add(type, "block", { detail = "block", documentation = row.block and row.block.description, insert = opens and block_text(type,
        row) or type,
                             snippet = opens or nil, sort = ((row.min_items or 0) > 0 and "1" or "3") .. type })
    end
  end
end

-- Returns candidates for names in a body: missing arguments, and blocks. With `sets`, a candidate also inserts `=` or braces.
local function in_body(here, start, stop, sets)
  local g = gathering(here, start, stop)
  local layers = here:layers()
  local inner = here.blocks[#here.blocks]
  local body = inner and inner.body or here.document.body
  if not layers or not body then return g.items end
  local present, counts = {}, count_blocks(body)
  for name, attribute in pairs(body.attributes) do present[name] = attribute.name_range.start.byte ~= start or nil end
  for _, layer in ipairs(layers) do
    add_arguments(g, layer, present, sets)
    add_blocks(g, layer, counts, sets)
  end
  local dynamic = #here.blocks > 0 and cursor.block_row(layers, "dynamic")
  if dynamic and dynamic.row == language.dynamic then
    g:add("dynamic", "block", { detail = "block", insert = sets and block_text("dynamic", dynamic) or "dynamic", snippet = sets,
                                sort = "4dynamic", documentation = dynamic.block.description })
  end
  return g.items
end

-- Labels

local modes = folders.modes
local labels = {}

local function add_types(g, block)
  for source, provider in pairs(g.here.folder:schemas()) do
    for type, row in pairs(provider.listed[modes[block.type]]) do
      if g:fits(type) then g:add(type, "type", { detail = source, deprecated = row.deprecated and true or nil }) end
    end
  end
  for _, d in ipairs(g.here.folder:all(block.type)) do g:add(d.type, "type") end
end

for type in pairs(modes) do labels[type] = add_types end

function labels.provider(g)
  for _, name in ipairs(g.here.folder:provider_names()) do
    local _, source = g.here.folder:provider(name)
    g:add(name, "provider", { detail = source })
  end
end

-- Adds labels that determine the contents of their block, such as the types of backends.
local function known_labels(g, block)
  local row = cursor.block_row(g.here:layers(#g.here.blocks - 1), block.type)
  for name in pairs(row and row.by_label or {}) do g:add(name, "value") end
end

function labels.dynamic(g)
  for _, layer in ipairs(g.here:layers(#g.here.blocks - 1) or {}) do
    for type, row in pairs(layer.block_types or {}) do
      if not row.row then g:add(type, "block", { documentation = row.block and row.block.description }) end
    end
  end
end

-- Expressions

-- Functions by the first word of a declaration. Each returns the type if the declaration itself shows it. Inferring types would take too
-- long, because there may be hundreds of declarations.
local quick = {}

local function first_word(source)
  local first = source:byte()
  if first == 34 then return "string" end
  if first == 91 then return "tuple" end
  if first == 123 then return "object" end
  if source == "true" or source == "false" then return "bool" end
  return tonumber(source) and "number" or nil
end

local function short_source(attribute)
  local source = attribute and attribute.expression:source():gsub("%s+", " ")
  if not source then return nil end
  return #source <= 40 and source or source:match "^[%w_]+"
end

function quick.variable(d) return short_source(d.block.body.attributes.type) end
quick["local"] = function(d) return first_word(d.attribute.expression:source()) end

local function description_of(d)
  return d.word == "variable" and heads.text(d.block.body.attributes.description) or nil
end

-- The first words of declarations that expressions can't name.
local nameless = { output = true, provider = true, check = true, action = true }

local function named_kind(d) return not nameless[d.word] and kinds.of(d.word) or nil end

-- By a wanted kind: the kinds that are converted to it.
local fitting = { string = { number = true, bool = true }, number = { string = true }, bool = { string = true } }

-- Returns the beginning of a sort key: candidates of the wanted kind come first.
local function rank(wanted, kind)
  if not wanted or wanted.kind == "any" or not kind or kind == "any" then return "2" end
  if wanted.kind == kind then return "1" end
  return fitting[wanted.kind] and fitting[wanted.kind][kind] and "2" or "3"
end

local function add_declared(g, wanted)
  for _, d in ipairs(g.here.folder:all()) do
    local kind = named_kind(d)
    local own = g.here.blocks[1] == d.block and (d.word ~= "local" or d.attribute == g.here.attribute)
    if kind and not own then
      local type = quick[d.word] and quick[d.word](d) or nil
      g:add(d.address, kind, { detail = type or kind, documentation = description_of(d), sort = rank(wanted, type
        and type:match "^%l+") .. d.address })
    end
  end
end

local function function_item(row, name)
  return { name = name, detail = (signature.label(row)), documentation = row.summary ~= "" and row.summary or row.description }
end

-- The items of the built-in functions, made on first use.
local built_in

local function built_in_items()
  if not built_in then
    built_in = {}
    for name, row in pairs(hcl.functions()) do built_in[#built_in + 1] = function_item(row, name) end
    table.sort(built_in, function(a, b) return a.name < b.name end)
  end
  return built_in
end

local function add_function(g, item, prefix, order)
  local name = prefix .. item.name
  g:add(name, "function", { detail = item.detail, documentation = item.documentation, snippet = not g.opened or nil,
                            insert = g.opened and name or name .. "($1)", sort = (order or "5") .. name })
end

-- Adds the functions of the file itself and of the program that reads it, before the built-in ones.
local function add_own_functions(g)
  for name, row in pairs(own_functions.all(g.here.workspace, g.here.document)) do
    add_function(g, row and function_item(row, name) or { name = name, detail = name .. "(…)" }, "", "4")
  end
end

local function add_functions(g)
  g.opened = g.here.document.text:sub(g.stop + 1, g.stop + 1) == "("
  local has = names.vocabulary(g.here.folder).has
  for _, item in ipairs(built_in_items()) do
    if not has or has(item.name) then
      add_function(g, item, "")
      if g.core then add_function(g, item, "core::") end
    end
  end
  if own_functions.may_call(g.here.folder) then add_own_functions(g) end
  for provider in pairs(g.here.folder:required_providers()) do
    local known = g.here.folder:provider(provider)
    for name in pairs(known and known.functions or {}) do
      local whole = "provider::" .. provider .. "::" .. name
      local row = infer.function_row(g.here, whole)
      if row then add_function(g, function_item(row, whole), "") end
    end
  end
end

local function add_roots(g, env)
  for name, make in pairs(env.names) do
    local of = make()
    g:add(name, "loop", { detail = of:short(), sort = "0" .. name })
  end
  for _, name in ipairs(names.vocabulary(env.folder).starts(env)) do
    local of = names.root(env, name)
    if of and not of.info.builtin then
      g:add(name, "value", { detail = of:short(), sort = "4" .. name })
    elseif of then
      for _, part in ipairs(of:names()) do
        local inner = of:get(part) --[[@as hclexpr.service.Shape]]
        g:add(name .. "." .. part, "value", { detail = inner:short(), documentation = inner.info.description, sort = "4" .. name .. part })
      end
    end
  end
end

local function add_constants(g, wanted)
  local first = wanted and wanted.kind == "bool" and "0" or "6"
  for _, word in ipairs { "true", "false", "null" } do
    g:add(word, "keyword", { sort = (word == "null" and "6" or first) .. word })
  end
end

-- Adds what an expression may begin with: names, functions and keywords.
local function add_values(g, wanted)
  local here = g.here
  local given = here.folder.given
  if given then
    for _, name in ipairs(given:names()) do g:add(name, "variable", { detail = given:get(name):short(), sort = "1" .. name }) end
  elseif here.folder.alone then
    for i = #here.blocks, 0, -1 do
      local body = i > 0 and here.blocks[i].body or here.document.body
      for name in pairs(body and body.attributes or {}) do
        if i < #here.blocks or not here.attribute_node or name ~= here.attribute_node.name then g:add(name, "argument") end
      end
    end
  else
    add_declared(g, wanted)
  end
  add_roots(g, here:env())
  add_functions(g)
  add_constants(g, wanted)
end

-- Functions that add the candidates for an argument of the language, by the type in the argument's row.
local special = {}

function special.type(g)
  for i, row in ipairs(language.types) do
    g:add(row[1], "type", { insert = row[2] or row[1], snippet = row[2] and true or nil, sort = tostring(i) })
  end
  g:add("optional(…)", "type", { insert = "optional(${1:string})", snippet = true, sort = "9" })
end

-- Adds the provider configurations of a folder. `after` is inserted after each of them.
local function add_providers(g, folder, after)
  for _, name in ipairs(folder:provider_names()) do
    g:add(name, "provider", { insert = name .. after })
    for _, one in ipairs(folder:aliases(name)) do
      local aliased = name .. "." .. one.alias
      g:add(aliased, "provider", { insert = aliased .. after })
    end
  end
end

function special.provider(g) add_providers(g, g.here.folder, "") end

special["map of provider"] = function(g)
  if g.here.node.kind == "object" and not g.here.node.key and g.in_key then
    local child = g.here.folder:child(g.here.blocks[1])
    if child then add_providers(g, child, " = ") end
    return
  end
  special.provider(g)
end

special["list of argument"] = function(g)
  local mode = modes[g.here.blocks[1].type]
  local of_type = mode and g.here.folder:schema_of_block(g.here.blocks[1], mode)
  local schema = of_type and of_type.block or {}
  for name, row in pairs(schema.attributes or {}) do
    if may_be_set(row) then g:add(name, "argument", { detail = argument_detail(row) }) end
  end
  for name in pairs(schema.block_types or {}) do g:add(name, "block") end
  for name in pairs(g.here.blocks[1].body.attributes) do g:add(name, "argument") end
  g:add("all", "keyword")
end

special["list of reference"] = function(g) add_declared(g) end

-- Returns a function that adds the declarations whose blocks begin with one of these words, except for the one being edited.
local function others(...)
  local wanted = { ... }
  return function(g)
    for _, word in ipairs(wanted) do
      for _, d in ipairs(g.here.folder:all(word)) do
        if d.block ~= g.here.blocks[1] then g:add(d.address, kinds.of(word)) end
      end
    end
  end
end

special.reference, special["list of resource"], special["list of action"] = others("resource", "module"), others "resource", others "action"

-- Adds the declarations that an argument of a described language may refer to.
local function add_references(g, row)
  local kinds_of = {}
  for _, kind in ipairs(row.refers) do kinds_of[kind.type] = true end
  for _, d in ipairs(g.here.folder:all()) do
    if kinds_of[d.kind] then g:add(d.address, "block", { detail = d.kind }) end
  end
end

-- Adds the words that an argument takes, if its row lists them; returns whether it does.
local function add_keywords(g, row)
  local listed = type(row.type) == "string" and row.type:match "^keyword (.+)$"
  for word in (listed or ""):gmatch "%S+" do g:add(word, "keyword") end
  return listed and true or false
end

-- The number of entries of a folder that are searched for modules.
local MOST_FOLDERS = 200

local function in_source(here, node)
  local written = node.kind == "string"
  local g = gathering(here, written and node.start or here.byte, written and node.stop or here.byte)
  local typed = written and here.document.text:sub(node.start + 2, here.byte) or ""
  local prefix = typed:match "^(%.%.?/.*/)" or typed:match "^(%.%./)" or "./"
  local dir = core.clean_path(Documents.join(here.document.dir, prefix))
  for i, name in ipairs(core.list_folder(nil, dir) or {}) do
    local folder = name:match "^([^.].*)/$"
    local full = folder and core.clean_path(Documents.join(dir, folder))
    if folder and i <= MOST_FOLDERS and full ~= here.document.dir and folders.at(here.workspace, full).documents[1] then
      g:add('"' .. prefix .. folder .. '"', "folder")
    end
  end
  return g.items
end

local function in_expression(here, start, stop, more)
  local g = gathering(here, start, stop)
  for key, value in pairs(more or {}) do g[key] = value end
  local attribute = here.attribute_node
  local row = attribute and cursor.argument_row(here:layers(), attribute.name)
  local wanted
  if here.document.kind == "tfvars" then -- constants only
    add_constants(g, row and here.node.kind == "attribute" and cursor.wanted(row) or here:wanted_at(here.node))
    return g.items
  end
  if attribute and not here.folder.alone then
    local find = row and (row.refers and add_references or special[row.type])
    if find then
      find(g, row)
      return g.items
    end
    if row and row.type == "source" then return in_source(here, here.node) end
    if row and add_keywords(g, row) then return g.items end
    wanted = here:wanted_at(here.node)
    if row and here.node.kind == "attribute" then wanted = cursor.wanted(row) end
  end
  add_values(g, wanted)
  return g.items
end

-- Returns the keys of an object of a known type. They replace the text from start to stop.
local function in_object(here, wanted, start, stop)
  local g = gathering(here, start, stop)
  local sets = here.document.text:find("^%s*[=:]", stop + 1) and "" or " = "
  g.in_key = true
  local attribute = here.attribute_node
  local row = attribute and cursor.argument_row(here:layers(), attribute.name)
  if row and row.type == "map of provider" then
    special[row.type](g)
    return g.items
  end
  for _, name in ipairs(wanted and wanted:names() or {}) do
    local of = wanted:get(name)
    g:add(name, "argument", { detail = of and of:short(), documentation = of and of.info.description, insert = name .. sets })
  end
  return g.items
end

-- References

-- Returns the position of the dot before a byte, if only spaces are between them; otherwise nil.
local function dot_before(source, byte)
  while byte > 0 and source:find("^[ \t]", byte) do byte = byte - 1 end
  return source:sub(byte, byte) == "." and byte or nil
end

local function attribute_names(g, of, wanted)
  local dot = dot_before(g.here.document.text, g.start)
  local last, kind, detail, order -- reused, because most of ten thousand names have the same kind
  for _, name in ipairs(of:names()) do
    local inner = of:glance(name)
    if inner ~= last or not inner then
      last, kind = inner, inner and inner.info.declaration and named_kind(inner.info.declaration) or "attribute"
      detail, order = inner and inner:short(), rank(wanted, inner and inner.kind)
    end
    local item = { label = name, kind = kind, insert = name, start = false, stop = false, detail = detail, sort = order .. name }
    local info = inner and inner.info
    if info and info.description then item.documentation = info.description end
    if info and info.deprecated then item.deprecated = true end
    -- A name that can't follow a dot is written in brackets, which replace the dot.
    if not core.name_columns(name) then
      item.insert, item.start, item.filter = "[" .. hcl.encode(name) .. "]", dot and dot - 1, dot and "." .. name
    end
    g:add(name, kind, item)
  end
end

-- Adds the attribute names of a value from evaluating the folder, if nothing else is known about the value. Described languages aren't
-- evaluated for completion.
local function value_names(g, source)
  if g.here.folder.vocabulary then return end
  local value = lazy.load("hclexpr.editor.folder_values").value(g.here.workspace, g.here.document, g.here.byte, source)
  if value then attribute_names(g, shape.of_value(value)) end
end

local function after_dot(here, node, index)
  local step = here.node
  local start, stop = here.byte, here.byte
  if step.kind == "step" and step.stop > step.start and step.text ~= "" then
    local from = here.document.text:find("[^%s.]", step.start + 1) or step.stop + 1
    start, stop = from - 1, step.stop
  end
  local g = gathering(here, start, stop)
  local resolved = here:resolve(node)
  local of = resolved.shapes[index - 1]
  if index - 1 == 0 and node.kind == "relative" then of = resolved.shapes[0] end
  local source = node.steps[index - 1] and here.document.text:sub(node.start + 1, node.steps[index - 1].stop)
  if not of then
    if source then value_names(g, source) end
    return g.items
  end
  -- After a name that is followed by types, such as `data`, offers each type together with the names of that type.
  if of.info.types then
    for _, type in ipairs(of:names()) do
      local inner = of:get(type)
      for _, name in ipairs(inner and inner:names() or {}) do g:add(type .. "." .. name, "data") end
    end
    return g.items
  end
  local wanted = here.attribute_node and here:wanted_at(node)
  -- For several instances, offers the attributes of one, because users look for these names, even though an index is required first.
  if (of.kind == "list" or of.kind == "map") and of.info.declaration and of:get(0) then of = of:get(0) end
  if of.kind == "map" and not of.attributes and not of.info.declaration then
    local element = of:each()
    if element.kind == "object" then of = element end
  end
  attribute_names(g, of, wanted)
  if #g.items == 0 and source then value_names(g, source) end
  return g.items
end

-- Returns the keys that may be in brackets and quotes.
local function in_index(here, node, index)
  local of = here:resolve(node).shapes[index - 1]
  local step, source = here.node, here.document.text
  local quote = source:find('"', step.start + 1, true)
  local g = gathering(here, quote or step.stop, quote and source:match('^[^"\n%]]*()', quote + 1) - 1 or step.stop)
  for _, name in ipairs(of and quote and of:names() or {}) do g:add(name, "attribute") end
  return g.items
end

-- Kinds of nodes

local rows = {}

function rows.step(here)
  local node, index = here:reference()
  if not node then return in_expression(here, here.node.start, here.node.stop) end
  if index == 1 and node.kind == "traversal" then return in_expression(here, here.node.start, here.node.stop) end
  if here.node.step == "attr" then return after_dot(here, node, index) end
  if here.node.step == "key" then return in_index(here, node, index) end
  return nil
end

local function expression_here(here) return in_expression(here, here.byte, here.byte) end

for _, kind in ipairs { "attribute", "call", "tuple", "conditional", "binary", "unary", "parens", "index", "wrap", "for", "template",
  "broken", "relative",
                        "splat" } do
  rows[kind] = expression_here
end

function rows.traversal(here) return in_expression(here, here.node.start, here.node.stop) end

-- Returns the names of files with which a quoted path may continue.
local function in_path(here, node)
  local found, start, stop = paths.names_at(here, node)
  local g = gathering(here, start, stop)
  for _, name in ipairs(found) do g:add(name, name:find "/$" and "folder" or "file") end
  return g.items
end

-- Between its interpolations a template has only text, which has no candidates unless it is a path.
function rows.template(here)
  local before = here.document.text:sub(1, here.byte)
  if before:find "[%%$]{~?%s*$" then return expression_here(here) end
  local path = here.byte > here.node.start and paths.text_at(here.node)
  return path and in_path(here, path) or {}
end

rows.text = rows.template

rows["function"] = function(here) return in_expression(here, here.node.start, here.node.stop,
  { core = here.node.text:find "^core::" ~= nil }) end

function rows.broken(here)
  local before = here.document.text:sub(here.node.start + 1, here.byte)
  local word = before:match "([%w_:]+)$"
  if word and word:find "::" then return in_expression(here, here.byte - #word, here.byte, { core = word:find "^core::" ~= nil }) end
  return expression_here(here)
end

function rows.object(here)
  local before = here.document.text:sub(here.node.start + 1, here.byte)
  if before:find "[=:]%s*$" and not before:find "[=!<>]=%s*$" then return expression_here(here) end
  return in_object(here, here:wanted_at(here.node), here.byte, here.byte)
end

function rows.body(here) return in_body(here, here.byte, here.byte, true) end

function rows.word(here)
  local found = in_body(here, here.node.start, here.node.stop, true)
  return found
end

function rows.attribute_name(here) return in_body(here, here.node.start, here.node.stop, false) end

function rows.type(here)
  local outer = {}
  for i = 1, #here.blocks - 1 do outer[i] = here.blocks[i] end
  here.blocks = outer
  return in_body(here, here.node.start, here.node.stop, false)
end

function rows.label(here)
  local node, block = here.node, here.blocks[#here.blocks]
  if not block or node.index ~= 1 then return {} end
  local g = gathering(here, node.start + (node.quoted and 1 or 0), node.stop)
  if node.quoted and here.document.text:byte(node.stop) == 34 and node.stop > node.start + 1 then g.stop = node.stop - 1 end
  -- Offers only labels that match the typed text. Otherwise an editor that inserts the only candidate automatically could overwrite a label
  -- that isn't known here.
  g.pattern = text.in_order(here.document.text:sub(g.start + 1, here.byte):lower())
  local add = not here.folder.vocabulary and labels[block.type] or block.type == "dynamic" and labels.dynamic or known_labels
  add(g, block)
  return g.items
end

-- On a block's braces and between them, offers what its body may contain; before the opening brace, nothing.
function rows.block(here)
  if here.node.open and here.byte > here.node.open then return in_body(here, here.byte, here.byte, true) end
  return {}
end

function rows.string(here)
  local attribute, block = here.attribute_node, here.blocks[1]
  if attribute and attribute.name == "source" and block and block.type == "module" and #here.blocks == 1 then return in_source(here,
    here.node) end
  local path = here.byte > here.node.start and paths.text_at(here.node)
  return path and in_path(here, path) or {}
end

function completion.complete(workspace, document, byte)
  local here = cursor.at(workspace, document, byte)
  if not here then return {} end
  local key = here:key()
  if key then return in_object(here, here:wanted_at(key.parent), key.start, key.stop) end
  local row = rows[here.node.kind]
  return row and row(here) or {}
end

return completion
