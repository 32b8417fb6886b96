-- What tools see of a source, field by field, for every recorded case: trees, places, references, calls and diagnostics. A tree that is
-- written as a source again must give the reference's result for the original source.
local hcl = require "hclexpr"
local has_cjson, cjson = pcall(require, "cjson")
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here() .. "../conformance/"
local runner = has_cjson and dofile(here .. "runner.lua")
local known = dofile(here .. "known.lua")
local lacking = support.lacking(hcl)

local FILES = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "refs", "console", "language_corners",
  "func_collection", "func_format", "neighbours",
}
local BROKEN = { "syntax_errors", "literals", "templates", "operators", "for_splat_index", "func_strargs", "unknown_marks", "neighbours" }
local SYNTAX = { expr = "native", template = "template", refs = "native" }

-- The recorded cases of some files, each read once; only some of those that are like others.
local cases, SOME = {}, { neighbours = 5, syntax_errors = 3, func_strargs = 8, func_format = 6, literals = 2 }
local ONE_IN = support.sample(5, 1)
local function each_case(names, each)
  for _, name in ipairs(names) do
    if not cases[name] then
      local number = 0
      cases[name] = {}
      for line in io.lines(runner.case_file(name)) do
        number = number + 1
        local case = number % (ONE_IN * (SOME[name] or 1)) == 0 and cjson.decode(line) or {}
        if case.src and SYNTAX[case.mode or "expr"] and not lacking(case.src) then table.insert(cases[name], case) end
      end
    end
    for _, case in ipairs(cases[name]) do each(case, SYNTAX[case.mode or "expr"]) end
  end
end

-- ---- places -------------------------------------------------------------------------------------------------------------

-- Line and column of each byte of a source, found by counting; up to the first byte beyond ASCII, since columns count characters, and not
-- with carriage returns, which are one character with a line feed.
local counted_source, lines, columns
local function count(source)
  if source == counted_source then return end
  counted_source, lines, columns = source, {}, {}
  local line, column = 1, 1
  local to = source:find "\r" and 0 or (source:find "[\128-\255]" or #source + 1)
  for at = 1, to do
    lines[at - 1], columns[at - 1] = line, column
    if source:byte(at) == 10 then line, column = line + 1, 0 end
    column = column + 1
  end
end

local function check_place(place, source)
  assert(place.byte >= 0 and place.byte <= #source, "a place beyond the source")
  count(source)
  local line, column = lines[place.byte], columns[place.byte]
  if line and (line ~= place.line or column ~= place.column) then
    assert.same({ line = line, column = column, byte = place.byte }, place, source)
  end
end

local function check_range(range, source, within)
  check_place(range.start, source)
  check_place(range.stop, source)
  assert(range.start.byte <= range.stop.byte, source)
  assert(not within or range.start.byte >= within.start.byte and range.stop.byte <= within.stop.byte, source)
end

local function text_of(source, range) return source:sub(range.start.byte + 1, range.stop.byte) end

-- ---- trees as sources ---------------------------------------------------------------------------------------------------

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function escaped(text)
  return (text:gsub('[\n\r\t"\\]', ESCAPES):gsub("([$%%])%f[{]{", "%1%1{"))
end

local write, inline

local function step_text(step, attribute_splat)
  if type(step) == "string" and step:find "^[%a_][%w_-]*$" then return "." .. step end
  if type(step) == "string" then return '["' .. escaped(step) .. '"]' end
  return (attribute_splat and ".%s" or "[%s]"):format(type(step) == "number" and ("%.17g"):format(step) or tostring(step))
end

local function steps_text(steps, attribute_splat)
  local out = {}
  for i, step in ipairs(steps) do out[i] = step_text(step, attribute_splat) end
  return table.concat(out)
end

-- The part after the sign of a splat: a chain on each of its items.
local function chain(node, attribute_splat)
  if node.kind == "item" then return "" end
  if node.kind == "relative" then return chain(node.source, attribute_splat) .. steps_text(node.steps, attribute_splat) end
  if node.kind == "index" then return chain(node.collection) .. "[" .. write(node.key) .. "]" end
  if node.kind == "splat" then return chain(node.source) .. (node.full and "[*]" or ".*") .. chain(node.each, not node.full) end
  error("unexpected in a splat: " .. node.kind)
end

local function list(nodes, expand)
  local out = {}
  for i, node in ipairs(nodes) do out[i] = write(node) end
  return table.concat(out, ", ") .. (expand and "..." or "")
end

local ALONE = '${""}'

local function loop_head(node)
  return "for " .. (node.key_name and node.key_name .. ", " or "") .. node.value_name .. " in " .. write(node.collection)
end

local writers = {
  null = function() return "null" end,
  number = function(n) return n.text end,
  bool = function(n) return tostring(n.value) end,
  string = function(n) return '"' .. escaped(n.text) .. '"' end,
  template = function(n)
    local shown = 0
    for _, child in ipairs(n.parts) do shown = shown + (child.text == "" and 0 or 1) end
    return '"' .. (shown == 1 and ALONE or "") .. inline(n) .. '"' -- a single mark would give the value itself, not a text
  end,
  wrap = function(n) return '"${' .. write(n.inner) .. '}"' end,
  parens = function(n) return "(" .. write(n.inner) .. ")" end,
  traversal = function(n) return n.root .. steps_text(n.steps) end,
  relative = function(n) return write(n.source) .. steps_text(n.steps) end,
  index = function(n) return write(n.collection) .. "[" .. write(n.key) .. "]" end,
  splat = function(n) return write(n.source) .. (n.full and "[*]" or ".*") .. chain(n.each, not n.full) end,
  call = function(n) return n.name .. "(" .. list(n.args, n.expand) .. ")" end,
  conditional = function(n) return "(" .. write(n.condition) .. " ? " .. write(n.yes) .. " : " .. write(n.no) .. ")" end,
  binary = function(n) return "(" .. write(n.left) .. " " .. n.operator .. " " .. write(n.right) .. ")" end,
  unary = function(n) return n.operator .. write(n.operand) end,
  tuple = function(n) return "[" .. list(n.elements) .. "]" end,
  key = function(n) return write(n.inner) end,
  object = function(n)
    local out = {}
    for i = 1, #n.items, 2 do out[#out + 1] = write(n.items[i]) .. " = " .. write(n.items[i + 1]) end
    return "{" .. table.concat(out, ", ") .. "}"
  end,
  ["for"] = function(n)
    local tail = (n.grouped and "..." or "") .. (n.condition and " if " .. write(n.condition) or "")
    if n.key then return "{" .. loop_head(n) .. " : " .. write(n.key) .. " => " .. write(n.value) .. tail .. "}" end
    return "[" .. loop_head(n) .. " : " .. write(n.value) .. tail .. "]"
  end,
}

write = function(node)
  return assert(writers[node.kind], node.kind)(node)
end

-- A node between the marks of a directive.
local function between(node)
  if node.kind == "string" then return escaped(node.text) end
  return node.kind == "template" and inline(node) or "${" .. write(node) .. "}"
end

local function part(node)
  if node.kind == "text" then return escaped(node.text) end
  if node.kind == "conditional" and node.directive then
    return "%{ if " .. write(node.condition) .. " }" .. between(node.yes) .. "%{ else }" .. between(node.no) .. "%{ endif }"
  elseif node.kind == "join" then
    return "%{ " .. loop_head(node.loop) .. " }" .. between(node.loop.value) .. "%{ endfor }"
  end
  return "${" .. write(node) .. "}"
end

-- The parts of a template.
inline = function(node)
  local out = {}
  for i, child in ipairs(node.parts) do out[i] = part(child) end
  return table.concat(out)
end

-- Some trees can't be written so: a sign before the mark of a template, a number as a float, an index that no value has.
local function writable(source)
  for _, pattern in ipairs { "[$%%]%s*[$%%]{", "[$%%][$%%]", ("%d"):rep(10), "[eE][+-]?%d", "%[%s*[tfn%d]%l*%.?%d", "\\u" } do
    if source:find(pattern) then return false end
  end
  return true
end

-- Calls `each` with every node and the one around it.
local function walk(node, each, around)
  each(node, around)
  for key, child in pairs(node) do
    if type(child) == "table" and key ~= "range" then
      if child.kind then
        walk(child, each, node)
      else
        for _, element in ipairs(child) do
          if type(element) == "table" and element.kind then walk(element, each, node) end
        end
      end
    end
  end
end

-- A tree without places and without parentheses, which change nothing.
local places = { range = true, step_ranges = true, key_range = true, value_range = true }

local function bare(node)
  if type(node) ~= "table" then return node end
  if node.kind == "parens" then return bare(node.inner) end
  local out = {}
  for key, child in pairs(node) do
    if not places[key] and key ~= "heredoc" and key ~= "forced" then out[key] = bare(child) end
  end
  return out
end

-- ---- the table of nodes ----------------------------------------------------------------------------------------------------

-- The fields that doc/api.md lists, by kind.
local function listed()
  local text = support.read(support.root .. "doc/api.md"):match "### `expr:ast`.-\n| `kind`[^\n]+(\n.-)\n### "
  local kinds = {}
  for row in text:gmatch "\n(| `[^\n]+)" do
    local names, _, fields = row:match "^| (.-) | (.-) | ?(.-) ?|$"
    for name in (names or ""):gmatch "`(%l+)`" do
      kinds[name] = { kind = true, range = true, heredoc = true, directive = true }
      for field in fields:gmatch "`([%l_]+)`" do kinds[name][field] = true end
    end
  end
  return kinds
end

describe("expr:ast", function()
  it("has the kinds and fields that the API lists, and all of them", function()
    local kinds, seen, sources = listed(), {}, {
      '[1, true, null, "a", "a${b}", "${c}", (d), -e, f + g, h ? i : j, { k = l, (m) = n }, o[p], q(r...), s(t).u[0], v[*].w, x.*.y]',
      "{ for k, v in a : k => v... if b }", "<<E\na${b}\nE\n", "a.b[0]",
    }
    for _, one in ipairs { "a%{ for k, v in b }c${k}%{ endfor }", "%{ if a }b${c}%{ else }${d}%{ endif }" } do
      sources[#sources + 1] = hcl.compile(one, { syntax = "template" })
    end
    sources[#sources + 1] = select(3, hcl.parse "a = [b, )\n").attributes.a.expression
    for _, source in ipairs(sources) do
      local expr = type(source) == "string" and hcl.assert(hcl.compile(source)) or source
      walk(expr:ast(), function(node)
        seen[node.kind] = seen[node.kind] or {}
        for field in pairs(node) do
          assert.truthy(kinds[node.kind] and kinds[node.kind][field], node.kind .. " has " .. field)
          seen[node.kind][field] = true
        end
      end)
    end
    local unseen, common = {}, { heredoc = true, directive = true }
    for kind, fields in pairs(kinds) do
      for field in pairs(fields) do
        if not (seen[kind] and seen[kind][field]) and not common[field] then table.insert(unseen, kind .. "." .. field) end
      end
    end
    assert.same({}, unseen)
  end)
end)

-- ---- the properties -----------------------------------------------------------------------------------------------------

describe("the data that tools get from each recorded source", function()
  if not runner then return pending "cjson is not installed" end

  it("has nodes within their parents, at correct places", function()
    local n = 0
    each_case(FILES, function(case, syntax)
      local expr = hcl.compile(case.src, { syntax = syntax })
      if not expr then return end
      check_range(expr:range(), case.src)
      walk(expr:ast(), function(node, around)
        -- The node of a splat's item has the range of the splat's sign, before the chain.
        check_range(node.range, case.src, around and node.kind ~= "item" and around.range)
        for _, range in ipairs(node.step_ranges or {}) do check_range(range, case.src, node.range) end
        for _, field in ipairs { "key_range", "value_range" } do
          if node[field] then check_range(node[field], case.src, node.range) end
        end
        n = n + 1
      end)
    end)
    assert.is_true(n > 10000 / ONE_IN)
  end)

  it("has trees that give the reference's answers when written as sources", function()
    local n = 0
    each_case(FILES, function(case, syntax)
      local expr = case.want.type and writable(case.src) and hcl.compile(case.src, { syntax = syntax })
      if not expr then return end
      local tree = expr:ast()
      local source = write(tree)
      local result, why = runner.run { src = source, vars = case.vars, want = case.want }
      assert(result ~= "failed" or known.failures[case.id], ("%s: %s\nwritten as %s\n%s"):format(tostring(case.id), case.src, source, why))
      local again = bare(assert(hcl.compile(source)):ast())
      local same = syntax ~= "native" or source:find(ALONE, 1, true) or case.src:find "[~\128-\255]" or case.src:find "<<"
      if not same and not support.equal(bare(tree), again) then
        assert.same(bare(tree), again, case.src .. " written as " .. source)
      end
      n = n + 1
    end)
    assert.is_true(n > 1000 / ONE_IN)
  end)

  -- body:at follows the parser's tree in C, expr:ast() returns the whole tree. places_spec says which of two nodes has their border.
  it("has at every byte the innermost node of its tree", function()
    local roles = { elements = "element", args = "argument", parts = "part" }
    -- The child that has the byte, its role and number; false: the byte is at a border.
    local function inner(node, byte)
      local child, role, index
      local function look(c, as, i)
        if c.range.start.byte < byte and byte < c.range.stop.byte then
          child, role, index = c, as, i
        elseif c.range.start.byte <= byte and byte <= c.range.stop.byte then
          child = false
        end
      end
      for key, value in pairs(node) do
        if type(value) == "table" and value.kind then look(value, key) end
        for i, c in ipairs(type(value) == "table" and not value.kind and value or {}) do
          if type(c) == "table" and c.kind then
            if key == "items" then look(c, i % 2 == 1 and "key" or "value", math.floor((i + 1) / 2))
            else look(c, roles[key], i) end
          end
        end
        if child == false then return false end
      end
      return child, role, index
    end
    local EXTRA = { step = true, name = true, ["function"] = true }
    local function name(x) return tostring(type(x) == "table" and x.text or x) end
    local function fields(x)
      return (" %s %s %s %s"):format(tostring(x.heredoc), tostring(x.operator), name(x.key_name), name(x.value_name))
    end
    local number, compared = 0, 0
    each_case(FILES, function(case, syntax)
      number = number + 1
      local source = "a = " .. case.src .. "\n"
      local body = number % 19 == 0 and syntax == "native" and not case.src:find "[#\r]" and not case.src:find "/[/*]" and hcl.parse(source)
      if not body then return end
      local root = body.attributes.a.expression:ast()
      for byte = 5, #source - 2 do
        local node, role, index = root, "expression", nil
        local child, as, i = inner(node, byte)
        while child do
          node, role, index = child, as, i
          child, as, i = inner(node, byte)
        end
        if child == nil and root.range.start.byte < byte and byte < root.range.stop.byte then
          local place = body:at(byte)
          while EXTRA[place.kind] do place = place.parent end
          local from, to = node.range.start.byte, node.range.stop.byte
          local want = ("%s %d %d %s %s%s"):format(node.kind, from, to, role, tostring(index), fields(node))
          local got = ("%s %d %d %s %s%s"):format(place.kind, place.start, place.stop, place.role, tostring(place.index), fields(place))
          if want ~= got then assert.equal(want, got, source .. byte) end
          compared = compared + 1
        end
      end
    end)
    assert.is_true(compared > 4000 / ONE_IN, compared)
  end)

  it("has operands and arguments whose text alone gives the same tree", function()
    each_case(FILES, function(case, syntax)
      local expr = syntax == "native" and not case.src:find "[%%<\n]" and hcl.compile(case.src)
      if not expr then return end
      walk(expr:ast(), function(node)
        for _, field in ipairs { "args", "elements", "left", "right", "operand", "condition", "yes", "no", "inner" } do
          local children = node[field] and (node[field].kind and { node[field] } or node[field]) or {}
          for _, child in ipairs(node.kind == "key" and {} or children) do
            local alone = hcl.compile(text_of(case.src, child.range))
            assert(alone, case.src)
            local a, b = bare(child), bare(alone:ast())
            if not support.equal(a, b) then assert.same(a, b, case.src) end
          end
        end
      end)
    end)
  end)

  it("has references and calls at the places of their names", function()
    local names = 0
    each_case(FILES, function(case, syntax)
      local expr = hcl.compile(case.src, { syntax = syntax })
      for _, reference in ipairs(expr and expr:references() or {}) do
        check_range(reference.range, case.src, expr:range())
        local text = text_of(case.src, reference.range)
        assert.equal(reference.root, text:match "^[%w_\128-\255-]+", case.src)
        assert.equal(reference.root, reference.path:match "^[%w_\128-\255-]+", case.src)
        names = names + 1
      end
      for _, call in ipairs(expr and expr:functions() or {}) do
        check_range(call.range, case.src, expr:range())
        assert.equal(call.name, text_of(case.src, call.range):gsub("%s", ""):match "^[%w_:\128-\255-]+", case.src)
      end
      local tree, found = expr and expr:ast(), {}
      if not tree then return end
      walk(tree, function(node)
        if node.kind == "call" then found[#found + 1] = ("%s %d %s"):format(node.name, #node.args, tostring(node.expand or false)) end
      end)
      local told = {}
      for i, call in ipairs(expr:functions()) do told[i] = ("%s %d %s"):format(call.name, call.arguments, tostring(call.spread)) end
      table.sort(found)
      table.sort(told)
      assert.same(found, told, case.src)
    end)
    assert.is_true(names > 1000 / ONE_IN)
  end)

  it("has steps of the same kinds in every form", function()
    for _, source in ipairs { 'a.b[0]["1"].c', 'f(1).b[0]["1"].c', '(a).b[0]["1"].c', 'a[d].b[0]["1"].c' } do
      assert.same({ "b", 0, "1", "c" }, hcl.compile(source):ast().steps, source)
    end
    assert.same({ "b", 0, "1", "c" }, hcl.compile('a[*].b[0]["1"].c'):ast().each.steps)
  end)
end)

-- UTF-16 units of a text.
local function units(text)
  local n = 0
  for byte in text:gmatch "[%z\1-\127\194-\244]" do n = n + (byte:byte() >= 240 and 2 or 1) end
  return n
end

-- The position of a byte as an editor counts: line and unit from 0.
local function editor_position(source, byte, width)
  local before = source:sub(1, byte)
  local _, breaks = before:gsub("\n", "")
  return { line = breaks, character = width(before:match "[^\n]*$") }
end

local function check_diagnostic(d, source)
  assert(d.severity == "error" or d.severity == "warning")
  assert(d.summary:find "%S" and d.detail:find "%S" and d.code:find "^[%l_.]+$", d.code)
  check_range(d.range, source, d.context)
  if d.context then check_range(d.context, source) end
  for _, v in ipairs(d.values) do
    assert(type(v.text) == "string" and source:find(v.path:match "^[%w_-]+", 1, true), source .. "\n" .. v.path)
  end
end

local function check_editor(shown, err, source, width)
  assert.equal(#err, #shown)
  for i, told in ipairs(shown) do
    local d = err[i]
    assert.equal(d.code, told.code)
    assert.equal(d.summary .. ": " .. d.detail, told.message)
    assert.equal(d.severity == "error" and 1 or 2, told.severity)
    local want = { start = editor_position(source, d.range.start.byte, width), ["end"] = editor_position(source, d.range.stop.byte, width) }
    if not support.equal(want, told.range) then assert.same(want, told.range, source) end
  end
end

local function check_vim(shown, err, source)
  assert.equal(#err, #shown)
  for i, told in ipairs(shown) do
    local from = editor_position(source, err[i].range.start.byte, string.len)
    local to = editor_position(source, err[i].range.stop.byte, string.len)
    assert.equal(err[i].code, told.code)
    local want = { from.line, from.character, to.line, to.character }
    local got = { told.lnum, told.col, told.end_lnum, told.end_col }
    if not support.equal(want, got) then assert.same(want, got, source) end
  end
end

-- The report begins each diagnostic with its summary, names its line and shows the line's text. Of diagnostics that look the same it has
-- only the first.
local function check_report(err)
  local report, at, seen = tostring(err), 1, {}
  local bare_report = report:gsub("%s", "")
  for i = 1, #err do
    local d = err[i]
    local title = (d.severity == "error" and "Error: " or "Warning: ") .. d.summary
    local place = ("line %d, column %d"):format(d.range.start.line, d.range.start.column)
    local look = title .. place .. d.detail
    local from = report:find(title, seen[look] or at, true)
    assert(from, report)
    local _, stop = report:find(place, from, true)
    assert(stop, report)
    at, seen[look] = math.max(at, stop), from
    assert(bare_report:find((d.detail:gsub("%s", "")), 1, true), report)
  end
end

describe("the diagnostics of each recorded mistake", function()
  if not runner then return pending "cjson is not installed" end

  it("have correct places, the same for every reader", function()
    local n = 0
    each_case(BROKEN, function(case, syntax)
      if not case.want.errors or case.src:find "\r" or case.src:find "^\239\187\191" then return end
      local expr, err = hcl.compile(case.src, { syntax = syntax })
      if expr then
        local ok, variables = pcall(runner.variables_of, case)
        if not ok then return end
        local value
        value, err = expr:value(variables, runner.scope)
        if value ~= nil then return end
      end
      for _, d in ipairs(err) do check_diagnostic(d, case.src) end
      check_editor(err:lsp(), err, case.src, units)
      check_editor(err:lsp "utf-8", err, case.src, string.len)
      check_vim(err:vim(), err, case.src)
      check_report(err)
      n = n + 1
    end)
    assert.is_true(n > 1000 / ONE_IN)
  end)
end)
