-- The documents: generated ones are up to date with the rows of the sources; the examples of guides give the results shown.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local root = support.root
local here = support.output "pwd":gsub("\n", "")
local absolute_root = root:find "^/" and root or here .. "/" .. root
local unpack = rawget(_G, "unpack") or table.unpack
local program = support.program

describe("doc", function()
  for _, name in ipairs { "functions", "diagnostics" } do
    it(name .. ".md is up to date", function()
      assert.is_true(dofile(root .. "tools/" .. name .. ".lua") == support.read(root .. "doc/" .. name .. ".md"), "run: make docs")
    end)
  end
end)

describe("dist.ini", function()
  local fields = {}
  for line in io.lines(root .. "dist.ini") do
    local name, value = line:match "^%s*([%w_]+)%s*=%s*(.-)%s*$"
    if name then fields[name] = value end
  end
  it("has the fields that OPM requires except for the address of the sources, and no others", function()
    local asked = { "name", "abstract", "author", "is_original", "license", "lib_dir", "doc_dir", "main_module", "requires" }
    for _, name in ipairs(asked) do assert.truthy(fields[name], name) end
    assert.equal(#asked, #support.keys(fields))
    assert.truthy(support.exists(root .. fields.main_module))
  end)
  -- It takes the text after the first `version =` that has a digit, without quotes.
  it("names a main module whose version OPM reads", function()
    for line in io.lines(root .. fields.main_module) do
      local found = line:match "%f[%w_]_?VERSION%s*=%s*(.+)" or line:match "%f[%w_]version%s*=%s*(.+)"
      if found and found:find "%d" then return assert.equal(require("hclexpr").version, (found:gsub("['\"]", ""))) end
    end
    error "it is missing"
  end)
end)

describe("doc/building.md", function()
  it("names the functions that a build without a library loses", function()
    local text = support.read(root .. "doc/building.md")
    for _, library in ipairs(support.libraries) do
      local row = assert(text:match("\n| " .. library.name .. " |([^\n]*)"), library.name)
      for _, name in ipairs(library) do assert.truthy(row:find("`" .. name .. "`", 1, true), library.name .. ": " .. name) end
    end
  end)
end)

-- Methods of a class by its name in doc/api.md, without metamethods.
local function methods_of(prefix, class)
  local list = {}
  for name, value in pairs(class.methods or class) do
    if type(value) == "function" and not name:find "^_" then list[#list + 1] = prefix .. ":" .. name end
  end
  return list
end

describe("doc/api.md", function()
  local text = support.read(root .. "doc/api.md")
  -- The text below the heading of each call; headings may name several.
  local entries, contents = {}, text:match "^(.-)\n```"
  for section in (text:gsub("\n##+ ", "\1%0")):gmatch "[^\1]+" do
    local heading = section:match "^\n### ([^\n]*)"
    for name in (heading or ""):gmatch "`([%w_.:]+)`" do entries[name] = section end
  end

  it("names the version, as CHANGELOG.md, the manual and a rockspec do", function()
    local version = require("hclexpr").version
    assert.matches("^%d+%.%d+%.%d+$", version)
    assert.truthy(entries["hcl.version"]:find('`hcl.version` is `"' .. version .. '"`', 1, true))
    assert.equal(version, support.read(root .. "CHANGELOG.md"):match "\n## ([%d.]+) %(")
    assert.equal(version, support.read(root .. "doc/manual/hclexpr.1"):match '^%.TH HCLEXPR 1 "" "hclexpr ([%d.]+)"')
    assert.equal(version .. "-1", support.read(root .. "rockspec/hclexpr-" .. version .. "-1.rockspec"):match '\nversion = "([^"]*)"')
  end)

  -- Names from before 1.0, which still work.
  local older = { ["expr:functions"] = true, ["body:functions"] = true, ["spec:functions"] = true }

  local function public()
    local hcl, classes = require "hclexpr", require("hclexpr.core").classes
    local all = {}
    for name in pairs(hcl) do all[#all + 1] = "hcl." .. name end
    local edit, spec = getmetatable(hcl.edit ""), getmetatable(hcl.spec "literal { value = 1 }")
    local module = getmetatable(hcl.assert(hcl.module(root .. "examples/infra")))
    for prefix, class in pairs {
      expr = classes.Expression, v = classes.Value, t = classes.Type, body = classes.Body, attribute = classes.Attribute,
      err = classes.Diagnostics, edit = edit, spec = spec, m = module,
    } do
      for _, name in ipairs(methods_of(prefix, class)) do
        if not older[name] then all[#all + 1] = name end
      end
    end
    assert.is_true(#all > 60)
    return all
  end

  it("has a heading for each public function and method, and lists it at the top", function()
    for _, name in ipairs(public()) do
      assert.truthy(entries[name], name)
      assert.truthy(contents:find("`" .. name .. "`", 1, true), name)
    end
  end)

  -- "shows what Lua gives", below, checks that each line is right.
  it("has a line of the synopsis for each public function and method, with its result", function()
    local synopsis, rules = text:match "\n## Synopsis\n.-```lua\n(.-)\n```\n.-```lua\n(.-)\n```\n"
    local methods = {}
    for line in (synopsis .. "\n"):gmatch "(.-)\n" do
      for name in line:gmatch ":([%a_]+)" do methods[name] = true end
    end
    for _, name in ipairs(public()) do
      local owner, method = name:match "^(%a+):([%a_]+)$"
      local found = owner and methods[method] or name:find "^hcl%." and synopsis:find(name .. "%f[^%w_]")
      assert.truthy(found, name)
    end
    for name in pairs(entries) do
      local owner = name:match "^(%a+)[:.]"
      if owner == "rules" or owner == "redis" then
        local called = owner == "rules" and name or "hclexpr.redis"
        assert.truthy(rules:find(called, 1, true), name)
      end
    end
  end)

  -- Names in a type of an annotation: "{ filename?: string, … }" or a class of options.
  local classes_of_options = {}
  local function fields_of(type)
    local list = {}
    local written = type:match "^{ (.*) }$"
    for name in (written or ""):gsub("%b{}", ""):gsub("%b()", ""):gmatch "([%w_]+)%??: " do list[#list + 1] = name end
    for _, name in ipairs(classes_of_options[type] or {}) do list[#list + 1] = name end
    return list
  end

  -- The arguments of a function's type, and the fields of their options.
  local function arguments_of(type)
    local list, written = {}, type:match "^fun(%b())"
    for option in written:gmatch "%b{}" do
      for _, name in ipairs(fields_of(option)) do list[#list + 1] = name end
    end
    for argument in written:gsub("%b{}", "table"):gmatch "([%w_]+)%??: " do
      if argument ~= "self" then list[#list + 1] = argument end
    end
    return list
  end

  -- Calls see(entry's name, names of its arguments and of the fields of its options) for each annotated function.
  local function each_annotated(path, owners, see)
    local class, params
    for line in (support.read(root .. path) .. "\n"):gmatch "(.-)\n" do
      local name, kind = line:match "^%-%-%-@param ([%w_.]+)%??%s+(.*)$"
      local field, field_type = line:match "^%-%-%-@field ([%w_]+)%?? (.*)$"
      class = line:match "^%-%-%-@class ([%w_.]+)" or class
      if name then
        params = params or {}
        params[#params + 1] = name == "..." and "..." or name
        for _, option in ipairs(fields_of(kind:match "^%b{}" or kind:match "^[%w_.]+")) do params[#params + 1] = option end
      elseif field and classes_of_options[class] then
        table.insert(classes_of_options[class], field)
      elseif field and owners[class] and field_type:find "^fun%(" then
        see(owners[class] .. ":" .. field, arguments_of(field_type))
      elseif line:find "^%-%-%-@type fun%(" then
        params = arguments_of(line:match "^%-%-%-@type (.*)$")
      elseif not line:find "^%-%-%-" then
        local owner, called = line:match "^function (%w+)[.:]([%w_]+)%("
        if not owner then owner, called = line:match "^(hcl)%.([%w_]+) = " end
        local class_name = owner and "hclexpr." .. owner:sub(1, 1):upper() .. owner:sub(2)
        owner = owner == "hcl" and "hcl." or class_name and owners[class_name] and owners[class_name] .. ":"
        if owner and not called:find "^_" then see(owner .. called, params or {}) end
        params = nil
      end
    end
  end

  it("has the arguments and options that the annotations have", function()
    for _, name in ipairs { "Module", "Check", "Explain" } do classes_of_options["hclexpr." .. name .. "Options"] = {} end
    local owners = {}
    for class, owner in pairs {
      Expression = "expr", Value = "v", Type = "t", Body = "body", Spec = "spec", Attribute = "attribute", Edit = "edit", Module = "m",
      Diagnostics = "err",
    } do
      owners["hclexpr." .. class] = owner
    end
    local count, seen = 0, { ["hcl.version"] = true, ["hcl.null"] = true, ["hcl.array_mt"] = true }
    for _, path in ipairs { "typecheck", "explain/tree", "", "body", "spec", "edit" } do
      each_annotated("lua/hclexpr" .. (path ~= "" and "/" or "") .. path .. ".lua", owners, function(name, arguments)
        local entry = assert(entries[name], name .. " has no heading")
        seen[name] = true
        for _, argument in ipairs(arguments) do
          count = count + 1
          assert.truthy(entry:find("[`( .]" .. argument:gsub("%.", "%%.") .. "[`?,)]"), name .. ": " .. argument)
        end
      end)
    end
    assert.is_true(count > 120)
    for _, name in ipairs(public()) do assert.truthy(seen[name], name .. " has no annotation") end
  end)
end)

describe("doc/contributing", function()
  local pages = {}
  for _, path in ipairs(support.lines("cd '" .. absolute_root .. "' && find doc/contributing doc/architecture.md CONTRIBUTING.md "
    .. "-name '*.md' | sort")) do
    pages[path] = support.read(root .. path)
  end
  local affected = dofile(root .. "tools/affected.lua")

  it("lists the specs of every source, and of no other", function()
    local sources, patterns = {}, {}
    for _, path in ipairs(support.lines("cd '" .. absolute_root .. "' && find csrc lua bin -name '*.[ch]' -o -name '*.cc' -o -name '*.lua' "
      .. "-o -name hclexpr -type f")) do
      sources[#sources + 1] = (path:gsub("^csrc/", ""))
    end
    for _, row in ipairs(affected.rows()) do
      for _, pattern in ipairs(row.patterns) do patterns[#patterns + 1] = pattern end
    end
    assert.is_true(#sources > 200 and #patterns > 60)
    for _, path in ipairs(sources) do
      local found = false
      for _, pattern in ipairs(patterns) do found = found or affected.matches(path, pattern) end
      assert.truthy(found, path .. " is in no row")
      local full = path:find "^lua/" and path or path:find "^bin/" and path or "csrc/" .. path
      assert.truthy(affected.specs({ full })[1] or path == "lua/hclexpr/terraform/types.lua", path .. " has no spec")
    end
    for _, pattern in ipairs(patterns) do
      local found = false
      for _, path in ipairs(sources) do found = found or affected.matches(path, pattern) end
      assert.truthy(found, pattern .. " matches no source")
    end
  end)

  it("names only existing specs and cases, and all specs", function()
    local named = { ["spec/conformance/conformance_spec.lua"] = true } -- by its cases
    for _, row in ipairs(affected.rows()) do
      for _, name in ipairs(row.names) do
        local place = affected.place(name)
        assert.truthy(not place or name == "func_*" or support.exists(root .. place), name)
        named[place or name] = true
      end
    end
    for _, path in ipairs(support.lines("cd '" .. absolute_root .. "' && ls spec/*/*_spec.lua")) do
      assert.truthy(named[path] or named[path:match "^spec/%l+"] or path:find "^spec/playground", path .. " is in no row")
    end
  end)

  -- The folders of a page's files that have no path.
  local homes = {
    folders = { "lua/hclexpr/", "lua/hclexpr/terraform/" }, editor = { "lua/hclexpr/", "lua/hclexpr/editor/" },
    rules = { "lua/resty/hclexpr/" }, tests = { "lua/hclexpr/" }, playground = { "doc/playground/", "doc/playground/wasm/" },
    architecture = { "lua/hclexpr/", "lua/hclexpr/terraform/", "csrc/binding/" },
  }

  local endings = { lua = true, c = true, cc = true, h = true, js = true }
  local function is_path(name) return name:find "%w/$" ~= nil or endings[name:match "%w%.(%l+)$" or ""] ~= nil end

  it("names only existing files", function()
    local count = 0
    for page, content in pairs(pages) do
      local before = ""
      local tried = { "", "csrc/", unpack(homes[page:match "([%w_]+)%.md$"] or {}) }
      for name in content:gsub("\n```.-\n```", ""):gmatch "`([%w_./-]+)`" do
        if is_path(name) then
          local found = support.exists(root .. before .. name) and before .. name
          for _, home in ipairs(tried) do found = found or support.exists(root .. home .. name) and home .. name end
          assert.truthy(found, page .. ": " .. name)
          before, count = found:match "^.*/" or "", count + 1
        end
      end
    end
    assert.is_true(count > 250)
  end)

  it("leads from a change to its specs", function()
    local function specs(...) return table.concat(affected.specs { ... }, " ") end
    local unit = "spec/unit/%s_spec.lua"
    local any = { "spec/conformance/conformance_spec.lua", "spec/modules/modules_spec.lua", unit:format "decode", unit:format "diagnostics",
      unit:format "eval" }
    assert.same(any, affected.specs { "csrc/base/diag.c" })
    assert.equal(specs "csrc/vm/call.c", specs "csrc/vm/call.h")
    assert.equal("spec/conformance/conformance_spec.lua spec/unit/catalogue_spec.lua spec/unit/docs_spec.lua spec/unit/messages_spec.lua",
      specs "csrc/fn/map.c")
    assert.truthy(specs("csrc/syntax/parse_recover.c"):find(unit:format "recovery", 1, true))
    assert.equal("spec/unit/docs_spec.lua spec/unit/open_spec.lua", specs "fuzz/open.lua")
    assert.equal("spec/unit/eval_spec.lua", specs "spec/unit/eval_spec.lua")
    assert.equal("spec/unit/install_spec.lua", specs("Makefile", "tools/install"))
    assert.equal("spec/unit/contributing_spec.lua", specs("tools/" .. "check"))
    assert.equal("spec/unit/contributing_spec.lua spec/unit/docs_spec.lua", specs "CONTRIBUTING.md")
    assert.equal("", specs "CHANGELOG.txt")
    for _, gone in ipairs { "csrc/nowhere/new.h", "lua/hclexpr/gone.lua", "spec/unit/gone_spec.lua" } do
      assert.equal("spec/unit/docs_spec.lua", specs(gone)) -- it reports what is in no row
    end
  end)

  it("traces existing code", function()
    local source, listing = pages["doc/contributing/language.md"]:match "## A trace: one suspension\n\n`([^`]+)`.-\n```\n(.-)\n```"
    local code = require("hclexpr.testing").code(assert(require("hclexpr").compile(source)))
    local wanted = (listing .. "\n"):gsub("(%S)   +[^\n]*\n", "%1\n")
    assert.equal(wanted, code)
  end)
end)

describe("documents", function()
  -- The anchors of a file's headings.
  local known = {}
  local function anchors(path)
    if known[path] then return known[path] end
    local out = {}
    for heading in ("\n" .. support.read(path)):gsub("\n```.-\n```", "\n"):gmatch "\n#+ +([^\n]+)" do
      out[heading:lower():gsub("[^%w _-]", ""):gsub(" ", "-")] = true
    end
    known[path] = out
    return out
  end

  it("link to existing pages and headings", function()
    local count = 0
    for _, path in ipairs(support.lines("cd '" .. absolute_root .. "' && find doc spec *.md -name '*.md' -not -path '*/fixtures/*'")) do
      local text = support.read(root .. path)
      for target in text:gsub("\n```.-\n```", "\n"):gsub("`[^`\n]*`", ""):gmatch "%]%(([^)%s]+)%)" do
        local file, anchor = target:match "^([^#]*)#?(.*)$"
        if not file:find "^%a+:" then
          local linked = file == "" and path or (path:match "^.*/" or "") .. file
          assert.truthy(support.exists(root .. linked), path .. ": " .. target)
          assert.truthy(anchor == "" or anchors(root .. linked)[anchor], path .. ": " .. target)
          count = count + 1
        end
      end
    end
    assert.is_true(count > 20)
  end)
end)

-- A guide's code blocks, in order: { language, name, text }. Those with a name are files.
local function pieces(text)
  local out = {}
  for info, piece in text:gmatch "\n```(%l+[^\n]*)\n(.-)\n```" do
    local language, name = info:match "^(%l+) ?(.*)$"
    out[#out + 1] = { language = language, name = name ~= "" and name or nil, text = piece }
  end
  return out
end

-- The output that a block of Lua promises: the texts after arrows.
local function expected(text)
  local out = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do out[#out + 1] = line:match "%-%-> ?(.*)$" end
  return table.concat(out, "\n")
end

-- Runs before a guide's own Lua: print ends no text with two newlines; gives(want, got, line) raises an error if the two differ.
local prelude = [[
local function print(...)
  local words = { ... }
  for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
  io.write((table.concat(words, "\t"):gsub("\n$", "")), "\n")
end
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
local function gives(want, got, line)
  if not same(want, got) then error(line .. " gives " .. tostring(got), 2) end
end
]]

-- Shell code that enters a folder and lets Lua find this module.
local function in_folder(folder)
  local function absolute(paths) return (paths:gsub("([^;]+)", function(p) return p:find "^/" and p or here .. "/" .. p end)) end
  return ("cd '%s'; export LUA_PATH='%s;;' LUA_CPATH='%s;;'"):format(folder, absolute(package.path), absolute(package.cpath))
end

-- All blocks of Lua are one program, run in a folder with the named blocks as files; returns the output of each of them.
local function run_lua(list, folder)
  local lines, printed = { prelude }, {}
  for _, piece in ipairs(list) do
    if piece.language == "lua" and not piece.name then lines[#lines + 1] = 'io.write "\\1"\n' .. piece.text end
  end
  local script = support.temporary_file(table.concat(lines, "\n") .. "\n")
  local out = support.output(("%s; '%s' '%s' 2>&1"):format(in_folder(folder), program, script))
  os.remove(script)
  for text in (out:gsub("^[^\1]*\1", "") .. "\1"):gmatch "(.-)\1" do printed[#printed + 1] = (text:gsub("\n+$", "")) end
  return printed
end

-- Runs `$ command` lines in the folder; returns what the terminal shows.
local function run_shell(text, folder)
  local out = {
    in_folder(folder),
    ("hclexpr() { '%s' -l hclexpr '%sbin/hclexpr' \"$@\"; }"):format(program, absolute_root),
  }
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local command = line:match "^%$ (.*)$"
    if command then
      out[#out + 1] = "cat <<'END'\n" .. line .. "\nEND"
      out[#out + 1] = "{ " .. command .. "; } 2>&1"
    end
  end
  local script = support.temporary_file(table.concat(out, "\n") .. "\n")
  local shown = support.output("sh '" .. script .. "'"):gsub("\n$", "")
  os.remove(script)
  return shown
end

-- The lines `expression   --> value` as calls that compare the two.
local function with_values_checked(text)
  return ((text .. "\n"):gsub("([^\n]-) +%-%-> ([^\n]*)\n", function(code, value)
    if code == "" or code:find "^print" or code:find "^for " then return nil end
    return ("gives(%s, (%s), %q)\n"):format(value, code, code)
  end))
end

local function check_lua(list, least, folder)
  local n, printed = 0, run_lua(list, folder)
  for _, piece in ipairs(list) do
    if piece.language == "lua" and not piece.name then
      n = n + 1
      assert.equal(expected(piece.text), printed[n], piece.text)
    end
  end
  assert.is_true(n >= least)
end

describe("README.md", function()
  it("shows what Lua gives", function()
    local list = pieces(support.read(root .. "README.md"))
    for _, piece in ipairs(list) do piece.text = with_values_checked(piece.text) end
    check_lua(list, 2, root == "" and "." or root)
  end)
end)

for page, least in pairs { api = 1, lua = 8 } do
  describe("doc/" .. page .. ".md", function()
    it("shows what Lua gives", function()
      local list = {}
      for _, piece in ipairs(pieces(support.read(root .. "doc/" .. page .. ".md"))) do
        -- Dots are for the reader to fill in.
        if piece.language == "lua" and not piece.text:find("...", 1, true) then
          piece.text = with_values_checked(piece.text)
          list[#list + 1] = piece
        end
      end
      check_lua(list, least, ".")
    end)
  end)
end

-- The lines `expression   # value`, which may span lines, of a block: calls check(expression, value) for each.
local function each_shown(text, check)
  local code = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local before, value = line:match "^(.-) *# (.+)$"
    code[#code + 1] = before or line
    if value then
      check(table.concat(code, "\n"), value)
      code = {}
    end
  end
  assert.equal("", table.concat(code):gsub("%s", ""), "an expression without its value")
end

describe("doc/language.md", function()
  it("shows what each expression gives", function()
    local hcl = require "hclexpr"
    local list, count = pieces(support.read(root .. "doc/language.md")), 0
    local values
    for _, piece in ipairs(list) do values = values or piece.name == "values.hcl" and hcl.assert(hcl.decode(piece.text)) end
    local function shown(code)
      local value, err = hcl.assert(hcl.compile(code)):value(values)
      if not value then return "error: " .. err[1].summary end
      if next(value:marks()) then return tostring(value) end
      return hcl.assert(hcl.eval("jsonencode(v)", { v = value }))
    end
    for _, piece in ipairs(list) do
      if piece.language == "hcl" and not piece.name then
        each_shown(piece.text, function(code, value)
          local plain = value:find "^error: " or value:find "^%(sensitive"
          assert.equal(plain and value or shown(value), shown(code), code)
          count = count + 1
        end)
      end
    end
    assert.is_true(count > 60)
  end)
end)

describe("doc/openresty.md", function()
  it("tests its rules without nginx", function()
    local text, folder = support.read(root .. "doc/openresty.md"), support.temporary_folder()
    support.write(folder .. "/rules.hcl", text:match "<<'RULES'\n(.-\n)RULES\n")
    for _, piece in ipairs(pieces(text)) do
      if piece.name == "rules_test.lua" then
        assert.same({ expected(piece.text) }, run_lua({ { language = "lua", text = piece.text } }, folder))
      end
    end
    support.remove(folder)
  end)
end)

describe("examples/demo.lua", function()
  it("runs", function()
    local said = run_shell("$ " .. ("'%s' -l hclexpr '%sexamples/demo.lua'"):format(program, absolute_root), ".")
    for _, line in ipairs {
      "GET /img/logo.png from 198.51.100.3 of hooli", "   refused", "  server 10.0.1.1:9000 weight=1;",
      "   12345678901234567890 * 10 + 1     123456789012345678901", 'No function is named "startwith". Did you mean "startswith"?',
    } do
      assert.truthy(("\n" .. said .. "\n"):find("\n" .. line .. "\n", 1, true), line .. " in " .. said)
    end
    assert.is_nil(said:find("traceback", 1, true))
  end)
end)

local guides = { ci = 0, config = 6, expressions = 4, faq = 4, language = 0, languages = 4, modules = 6, policies = 1, testing = 1,
                 untrusted = 6 }
for guide, least in pairs(guides) do
  describe("doc/" .. guide .. ".md", function()
    local folder, list

    setup(function()
      folder, list = support.temporary_folder(), pieces(support.read(root .. "doc/" .. guide .. ".md"))
      for _, piece in ipairs(list) do
        if piece.name then
          local inside = piece.name:match "^(.*)/"
          if inside then assert(support.output(("mkdir -p '%s/%s' && echo made"):format(folder, inside)) == "made\n") end
          support.write(folder .. "/" .. piece.name, piece.text .. "\n")
        end
      end
    end)
    teardown(function() support.remove(folder) end)

    it("shows what Lua prints", function()
      -- All blocks are one program: none runs if one needs patterns and the build lacks them.
      if guide == "config" and support.lacking(require "hclexpr") "regex()" then return pending "this build has no RE2" end
      check_lua(list, least, folder)
    end)

    it("shows what the command prints", function()
      for _, piece in ipairs(list) do
        if piece.language == "sh" and not piece.name then assert.equal(piece.text, run_shell(piece.text, folder)) end
      end
    end)

    if guide == "ci" then
      it("has pipelines whose commands pass", function()
        local count = 0
        for _, piece in ipairs(list) do
          for line in (piece.text .. "\n"):gmatch "([^\n]*)\n" do
            local command = piece.name and line:match "^%s*(hclexpr .*)$" or line:match "^%s*run: (hclexpr .*)$"
              or line:match "^%s*entry: (hclexpr .*)$" or line:match "^%s*%- (hclexpr .*)$"
            if command and not (piece.name or ""):find "^check%-" then
              local said = run_shell("$ " .. command .. " && echo passed", folder)
              assert.matches("\npassed$", said)
              count = count + 1
            end
          end
        end
        assert.equal(11, count)
      end)

      it("has a loop that finds a wrong file", function()
        local script = "$ ( . ./check-conf )"
        assert.equal(script, run_shell(script, folder))
        support.write(folder .. "/conf/bad.hcl", "port = 0\n")
        assert.matches("port must be at least 1.*\n1$", run_shell(script .. "; echo $?", folder))
      end)

      it("has a loop that finds a wrong folder, and goes on", function()
        local script = "$ ( . ./check-folders ); echo $?"
        for _, name in ipairs { "first", "last" } do
          assert(support.output(("mkdir -p '%s/envs/%s' && echo made"):format(folder, name)) == "made\n")
          support.write(("%s/envs/%s/main.tf"):format(folder, name), "locals {\n  a = 1\n}\n")
        end
        assert.equal(script .. "\n0", run_shell(script, folder))
        support.write(folder .. "/envs/first/main.tf", "locals {\n  a = var.b\n}\n")
        support.write(folder .. "/envs/last/main.tf", "locals {\n  a = var.c\n}\n")
        assert.matches('No variable "b" .*No variable "c" .*\n1$', run_shell(script, folder))
      end)
    end
  end)
end
