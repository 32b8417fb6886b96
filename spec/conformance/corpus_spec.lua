-- Real Terraform files: every file of the corpus, or a sample in `make test`, has the reference's structure, places and references. The
-- core makes the trees, which are the same on every Lua, so only one Lua compares them. The spec needs Go for the reference, and the
-- folder beside this repository (or CORPUS_DIR).
local cjson = require "cjson"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here()
local view = dofile(here .. "view.lua")

local CORPUS = os.getenv "CORPUS_DIR" or "../shared/corpus"
local ONE_IN = support.sample(3, 1)

-- Why the comparison can't run here, or nil.
local function obstacle()
  if (os.getenv "HCLEXPR_LUA" or "5.4") ~= "5.4" then return "made by Lua 5.4" end
  if support.output("ls '" .. CORPUS .. "' 2>/dev/null") == "" then return CORPUS .. " is not there" end
  if not support.has "go" then return "Go is not installed" end
  if not support.output("'" .. here .. "../../tools/oracle/ask' 1 2>/dev/null"):find "want" then return "the reference does not build" end
end

-- The reference's answers for all files, from one process.
local function ask(paths)
  local lines = {}
  for i, path in ipairs(paths) do lines[i] = cjson.encode { id = path, mode = "tree", src = support.read(path) } .. "\n" end
  local questions = support.temporary_file(table.concat(lines))
  local p = assert(io.popen("'" .. here .. "../../tools/oracle/ask' <" .. questions))
  return function()
    local line = p:read "*l"
    if line then return cjson.decode(line) end
    p:close()
    os.remove(questions)
  end
end

-- The first place where two trees differ.
local function difference(got, want, at)
  if type(got) ~= "table" or type(want) ~= "table" then
    return got ~= want and at .. ": " .. view.text(got) .. ", not " .. view.text(want) or nil
  end
  for key in pairs(want) do
    local found = difference(got[key], want[key], at .. "." .. key)
    if found then return found end
  end
  for key, value in pairs(got) do
    if want[key] == nil then return at .. "." .. key .. ": " .. view.text(value) .. " is too much" end
  end
end

-- Names in scope within `dynamic` blocks: the outer names, and the iterator of one more block.
local function with(names, more)
  return setmetatable({ [more] = true }, { __index = names })
end

-- The references of a whole body are those of its expressions, in any order, without the iterators of `dynamic` blocks.
local function all_references(tree, names, out)
  local function add(a, hidden)
    for _, r in ipairs(a.refs) do
      if not hidden[r.path:match "^[^.%[]+"] then out[#out + 1] = ("%s@%d"):format(r.path, r.range[3]) end
    end
  end
  for _, a in ipairs(tree.attributes) do add(a, names) end
  for _, b in ipairs(tree.blocks) do
    if b.type == "dynamic" then
      local own = {}
      for _, a in ipairs(b.body.attributes) do own[a.name] = a end
      local inner = with(names, own.iterator and own.iterator.refs[1].path or b.labels[1])
      if own.for_each then add(own.for_each, names) end
      if own.labels then add(own.labels, inner) end
      for _, content in ipairs(b.body.blocks) do all_references(content.body, inner, out) end
    else
      all_references(b.body, names, out)
    end
  end
  return out
end

local function body_references(body)
  local out = {}
  for i, r in ipairs(body:references()) do out[i] = ("%s@%d"):format(r.path, r.range.start.byte) end
  return out
end

local function sorted(list)
  table.sort(list)
  return table.concat(list, "\n")
end

describe("the corpus", function()
  local why = obstacle()
  it("has the reference's trees and references", function()
    if why then
      support.note("the corpus is not compared: " .. why)
      return
    end
    local paths = {}
    for i, path in ipairs(support.lines("find '" .. CORPUS .. "' -name '*.tf' -type f | sort")) do
      if i % ONE_IN == 0 then paths[#paths + 1] = path end
    end
    local compared = 0
    for case in ask(paths) do
      local body, err = hcl.parse(case.src, { filename = "main" })
      assert.is_not_nil(body, case.id .. "\n" .. tostring(err))
      assert.is_nil(case.want.errors, case.id)
      assert.is_nil(difference(view.tree(body), case.want.body, case.id))
      assert.are.equal(sorted(all_references(case.want.body, {}, {})), sorted(body_references(body)), case.id)
      compared = compared + 1
    end
    assert.are.equal(#paths, compared)
    assert.is_true(compared > 0)
  end)
end)
