-- The corpus of libFuzzer's targets: inputs of former runs that together reach everything that all of them did, in a file for each target
-- (fuzz/corpus/TARGET), one after the other, each after a line with its length.
--   LUA corpus.lua unpack FOLDER      writes FOLDER/TARGET/N, the first inputs of a run
--   LUA corpus.lua pack FOLDER        makes the files from FOLDER/TARGET/*, which `fuzz/targets` left
--   LUA corpus.lua run [TARGET ...]   gives all inputs to their targets (hclexpr on the path), also those of a folder: TARGET=FOLDER
--   LUA corpus.lua broken COUNT SEED [TARGET ...]   gives each so many inputs that are broken on purpose (mutate.lua)
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local folder = support.root .. "fuzz/corpus"

--- The names of the targets that have a corpus.
function M.targets()
  return support.lines("ls '" .. folder .. "'")
end

--- The inputs of a target.
function M.inputs(target)
  local text, at, found = support.read(folder .. "/" .. target), 1, {}
  while at <= #text do
    local length, start = text:match("^(%d+)\n()", at)
    found[#found + 1] = text:sub(start, start + length - 1)
    at = start + length + 1
  end
  return found
end

-- The texts of the files in a folder, short ones first.
local function texts_in(path)
  local found = {}
  for i, name in ipairs(support.lines("find '" .. path .. "' -type f")) do found[i] = support.read(name) end
  table.sort(found, function(a, b)
    if #a ~= #b then return #a < #b end
    return a < b
  end)
  return found
end

-- The largest file of a target: inputs that reach little are dropped.
local MOST = 8 * 1024

local function pack(from)
  for _, path in ipairs(support.lines("find '" .. from .. "' -mindepth 1 -maxdepth 1 -type d | sort")) do
    local out, size = {}, 0
    for _, text in ipairs(texts_in(path)) do
      size = size + #text
      if size > MOST then break end
      out[#out + 1] = ("%d\n%s\n"):format(#text, text)
    end
    support.write(folder .. "/" .. path:match "[^/]*$", table.concat(out))
  end
end

local function unpack_into(to)
  for _, target in ipairs(M.targets()) do
    support.output(("mkdir -p '%s/%s'"):format(to, target))
    for i, text in ipairs(M.inputs(target)) do support.write(("%s/%s/corpus-%d"):format(to, target, i), text) end
  end
end

-- A target's name, and its inputs: those of the corpus, or of the given folder.
local function given(name)
  local target, path = name:match "^([%w_]+)=?(.*)$"
  return target, path ~= "" and texts_in(path) or M.inputs(target)
end

-- Calls each(target, inputs, try) for each of these targets; try(input) gives the input to the target and names it if that fails.
local function each_of(names, each)
  local targets, failed = dofile(support.root .. "fuzz/targets.lua"), 0
  for _, name in ipairs(names) do
    local target, inputs = given(name)
    each(inputs, function(text)
      local ok, why = xpcall(function() targets[target](text) end, debug.traceback)
      if ok then return end
      failed = failed + 1
      print(("==== %s\n%s\n---- given\n%s"):format(target, tostring(why), text))
    end)
  end
  targets.close()
  return failed
end

local function run(names)
  return each_of(names, function(inputs, try)
    for _, text in ipairs(inputs) do try(text) end
  end)
end

local function run_broken(count, seed, names)
  local mutate = dofile(support.root .. "fuzz/mutate.lua")
  return each_of(names, function(inputs, try)
    for i = seed, seed + count - 1 do
      mutate.seed(i * 7919)
      try(mutate.broken(inputs))
    end
  end)
end

if arg and arg[0] and arg[0]:find "corpus%.lua$" then
  local command, failed = table.remove(arg, 1), 0
  if command == "pack" then pack(arg[1])
  elseif command == "unpack" then unpack_into(arg[1])
  elseif command == "broken" then
    local count, seed = tonumber(table.remove(arg, 1)), tonumber(table.remove(arg, 1))
    failed = run_broken(count, seed, arg[1] and arg or M.targets())
    print(("corpus: %d inputs of each target from %d on, %d failed"):format(count, seed, failed))
  else failed = run(arg[1] and arg or M.targets()) end
  os.exit(failed == 0)
end

return M
