-- Files, compared with the reference: sound ones have the same attributes and blocks with their places and references; in broken ones the
-- first error is one of the reference's, at the same bytes. (The rest of a broken file is our own: see doc/contributing/differences.md.)
--   LUA trees.lua ask COUNT SEED [FILE ...]    questions for tools/oracle, one JSON line each
--   LUA trees.lua compare ANSWERS              prints each difference; status 1 if there are any
-- Columns are left out: where combining marks have no base, ours differ (doc/contributing/differences.md).
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local answers = dofile(support.root .. "fuzz/answers.lua")
local bytes = answers.bytes

-- JSON can represent nothing else.
local function ask(count, seed, paths)
  local bodies = dofile(support.root .. "fuzz/bodies.lua")
  local mutate = dofile(support.root .. "fuzz/mutate.lua")
  local sources = bodies.sources(paths)
  for i = seed, seed + count - 1 do
    mutate.seed(i * 7919)
    local source = mutate.broken(sources)
    if support.is_utf8(source) then io.write(cjson.encode { id = "tree/" .. i, mode = "tree", src = source }, "\n") end
  end
end

-- A tree as text.
local function outline(tree, out)
  for _, a in ipairs(tree.attributes) do
    out[#out + 1] = table.concat({ a.name, bytes(a.range), bytes(a.name_range) }, " ")
    out[#out + 1] = "  " .. bytes(a.expr_range)
    for _, r in ipairs(a.refs) do out[#out + 1] = "  " .. r.path .. " " .. bytes(r.range) end
  end
  for _, b in ipairs(tree.blocks) do
    out[#out + 1] = table.concat({ b.type, bytes(b.range), bytes(b.type_range), bytes(b.open_brace), bytes(b.close_brace) }, " ")
    for i, label in ipairs(b.labels) do out[#out + 1] = "  " .. label .. " " .. bytes(b.label_ranges[i]) end
    outline(b.body, out)
    out[#out + 1] = "end"
  end
  return out
end

local function compare(path)
  local hcl = require "hclexpr"
  local view = dofile(support.root .. "spec/conformance/view.lua")
  answers.compare(path, "trees", view, function(case)
    local body, err = hcl.parse(case.src, { filename = "main" })
    if not body then return err end
    local ours, theirs = table.concat(outline(view.tree(body), {}), "\n"), table.concat(outline(case.want.body, {}), "\n")
    return err, ours ~= theirs and ("---- tree:\n%s\n---- not:\n%s"):format(ours, theirs) or nil
  end, answers.same_first)
end

if arg[1] == "ask" then ask(tonumber(arg[2]), tonumber(arg[3]), { support.unpack(arg, 4) })
elseif arg[1] == "compare" then compare(arg[2])
else error "ask or compare?" end
