-- Peak memory of a parse, in bytes for each byte of source, from the kernel's high-water mark.   LUA memory.lua FILE.tf ...
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local function peak()
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match "^VmHWM:%s*(%d+)"
    if kilobytes then return kilobytes * 1024 end
  end
end

-- Some megabytes, so that the rest of the process doesn't matter. The copies are made before the mark is read.
local function load_text(paths)
  local parts = {}
  for i, path in ipairs(paths) do parts[i] = support.read(path) end
  local text = table.concat(parts, "\n")
  return (text .. "\n"):rep(math.max(1, math.floor(8e6 / #text)))
end

local text = load_text(arg)
collectgarbage()
local before = peak()
local body, _, partial = hcl.parse(text, { limits = { source = 2 ^ 30 } })
assert(body or partial)
print(("memory\tparse\t%.2f\tbytes a source byte\t%d bytes"):format((peak() - before) / #text, #text))
