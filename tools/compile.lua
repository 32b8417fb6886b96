-- Compiles the Lua layer for the Lua that runs this: lua tools/compile.lua OUT PLACE, in the project's folder. Messages will name the
-- files of PLACE. OUT, which csrc/binding/api/layer.c reads, begins with a line that has the size of an index in bytes. The index has a line
-- for each module, in the order of their names: its name, its place after the index, and its size.
local out, place = ...

local HEADER = 32 -- bytes of Lua 5.4 before the first function: signature, version, check of sizes and number formats, number of upvalues
local NONE = "\x80" -- a count of 0
local payload = { [0x03] = 8, [0x13] = 8 } -- size of a numeric constant in bytes; 0x04 and 0x14 are texts, other constants have no bytes

-- A compiled chunk of Lua 5.4 without the names of local variables and upvalues, which take more than a third of the chunk's loading
-- time. Lines and the source stay (string.dump can only drop all of them).
local function lean(chunk)
  local at, kept, parts = HEADER + 1, HEADER + 1, { chunk:sub(1, HEADER) }

  local function count()
    local n, byte = 0
    repeat
      byte, at = chunk:byte(at), at + 1
      n = n * 128 + byte % 128
    until byte >= 128
    return n
  end
  local function skip(bytes) at = at + bytes end
  local function skip_text() skip(math.max(count() - 1, 0)) end
  local function each(read)
    for _ = 1, count() do read() end
  end
  local function skip_constant()
    local kind = chunk:byte(at)
    skip(1 + (payload[kind] or 0))
    if kind % 16 == 4 then skip_text() end
  end
  local function skip_numbers()
    count()
    count()
  end
  local function skip_local()
    skip_text()
    skip_numbers()
  end
  local function drop(read)
    parts[#parts + 1] = chunk:sub(kept, at - 1) .. NONE
    each(read)
    kept = at
  end

  local function read_function()
    skip_text()
    skip_numbers() -- its first and last line
    skip(3)
    skip(4 * count()) -- code
    each(skip_constant)
    skip(3 * count()) -- upvalues
    each(read_function)
    skip(count()) -- lines of instructions
    each(skip_numbers)
    drop(skip_local)
    drop(skip_text)
  end

  read_function()
  assert(at == #chunk + 1, "not the format of Lua 5.4")
  return table.concat(parts) .. chunk:sub(kept)
end

local shape = _VERSION == "Lua 5.4" and lean or function(chunk) return chunk end
local read = loadstring or load -- luacheck: ignore 113 (5.1 and LuaJIT have the one, the others the other)

local function compiled(source, name)
  local chunk = shape(string.dump(assert(read(source, name))))
  assert(read(chunk, name, "b"))
  return chunk
end

local modules = {}
local pipe = assert(io.popen "find lua -name '*.lua'")
for path in pipe:lines() do
  local name = path:match "^lua/(.*)%.lua$"
  modules[#modules + 1] = { name = name:gsub("/", "."), path = path, place = ("@%s/%s.lua"):format(place, name) }
end
pipe:close()
table.sort(modules, function(a, b) return a.name < b.name end)

local index, chunks, at = {}, {}, 0
for i, module in ipairs(modules) do
  local file = assert(io.open(module.path, "rb"))
  local chunk = compiled(file:read "*a", module.place)
  file:close()
  index[i], chunks[i] = ("%s %d %d\n"):format(module.name, at, #chunk), chunk
  at = at + #chunk
end
local names = table.concat(index)
local file = assert(io.open(out, "wb"))
assert(file:write(#names, "\n", names, table.concat(chunks)))
assert(file:close())
