-- Measures coverage: which variables, local values, outputs, resources and results of conditionals the runs of a suite reached.
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local folders = require "hclexpr.terraform.read.folder"
local dependencies = require "hclexpr.terraform.read.dependencies"
local shorten = require("hclexpr.util").shorten

---@class hclexpr.CoveredItem
---@field kind "variable"|"local"|"output"|"resource"|"data"|"ephemeral"|"yes"|"no" "yes" and "no" are the results of a conditional
---@field name string the address in its module, or the text of the condition
---@field range hclexpr.Range
---@field conditional? hclexpr.Range the conditional, for one of its results
---@field covered boolean at least one run gave it a known value that isn't null, an instance, or that result

---@class hclexpr.CoveredFile
---@field path string in the folder
---@field items hclexpr.CoveredItem[] in the order of the source

---@class hclexpr.TestCoverage
---@field files hclexpr.CoveredFile[] sorted by path: files of the folder, and of local modules that the folder or a run calls
---@field covered integer the number of covered items
---@field total integer

---@class hclexpr.module.tests.Coverage collects the coverage of a suite's runs
---@field dir string of the folder
---@field left_out string[] folders whose files don't count
---@field roots table<hclexpr.module.Config, true> the root modules of runs
---@field seen table<string, true> declarations with values, by file and place
local Coverage = {}
Coverage.__index = Coverage

local coverage = {}

---@param module hclexpr.Module
---@param test_folder string
---@return hclexpr.module.tests.Coverage
function coverage.new(module, test_folder)
  return setmetatable({ dir = module.dir, left_out = { ".terraform/", test_folder .. "/" }, roots = { [module.root] = true },
                        seen = {} }, Coverage)
end

-- Returns true if a value is known and not null. In an open object some attributes must be known.
local function is_something(value)
  value = value and value:unmark()
  if not value then return false end
  if value:is_known() then return not value:is_null() end
  return (value:refinements() or {}).attributes ~= nil
end

-- Functions that say whether a declaration has a value in an instance of its module, by its kind.
local tests = {}
function tests.variable(instance, declaration) return is_something(instance.names.var[declaration.name]) end
tests["local"] = function(instance, declaration) return is_something(instance.names["local"][declaration.name]) end
function tests.output(instance, declaration) return is_something(instance.outputs and instance.outputs[declaration.name]) end
function tests.resource(instance, declaration)
  local expansion = instance.resources[declaration.address]
  return expansion ~= nil and expansion.keys[1] ~= nil
end

local function range_of(declaration)
  return declaration.block and declaration.block.head_range or declaration.attribute.range
end

local function id_of(range)
  return range.filename .. ":" .. range.start.byte
end

--- Adds what the walk of a run reached.
---@param walk hclexpr.module.Walk
function Coverage:add(walk)
  self.roots[walk.module.root] = true
  for config, instances in pairs(walk.instances) do
    for _, declaration in ipairs(folders.declarations(config.folder)) do
      local test = tests[declaration.kind]
      for _, instance in ipairs(test and instances or {}) do
        if test(instance, declaration) then self.seen[id_of(range_of(declaration))] = true end
      end
    end
  end
end

-- Returns the path of a file as it is shown, or nil if the file doesn't count.
local function shown_path(self, path)
  local short = core.relative_path(self.dir, core.clean_path(path))
  for _, folder in ipairs(self.left_out) do
    if short:sub(1, #folder) == folder then return nil end
  end
  return short
end

local LONGEST = 40

-- Returns the text of a condition on one line.
local function text_of(file, range)
  return shorten(file.text:sub(range.start.byte + 1, range.stop.byte):gsub("%s+", " "), LONGEST)
end

local function add_item(file, kind, name, range, covered, conditional)
  local id = kind .. " " .. range.start.byte
  local item = file.by_id[id]
  if not item then
    item = { kind = kind, name = name, range = range, covered = false, conditional = conditional }
    file.by_id[id], file.items[#file.items + 1] = item, item
  end
  item.covered = item.covered or covered
end

local function add_file(self, made, file)
  for _, declaration in ipairs(file.order) do
    if tests[declaration.kind] then
      local kind, range = declaration.kind, range_of(declaration)
      if kind == "resource" and declaration.mode ~= "managed" then kind = declaration.mode end
      add_item(made, kind, declaration.address, range, self.seen[id_of(range)] or false)
    end
  end
  for _, block in ipairs(file.blocks) do
    for _, one in ipairs(core.conditionals(block.body)) do
      local name = text_of(file, one.condition)
      for _, kind in ipairs { "yes", "no" } do add_item(made, kind, name, one[kind].range, one[kind].taken, one.range) end
    end
  end
end

local function by_place(a, b)
  if a.range.start.byte ~= b.range.start.byte then return a.range.start.byte < b.range.start.byte end
  return a.kind < b.kind
end

--- Returns the coverage after all runs, in the order of files and sources.
---@return hclexpr.TestCoverage
function Coverage:result()
  local result, by_path = { files = {}, covered = 0, total = 0 }, {}
  for root in pairs(self.roots) do
    for _, config in ipairs(dependencies.modules(root)) do
      for _, file in ipairs(config.folder.files) do
        local path = shown_path(self, file.path)
        if path and not by_path[path] then
          by_path[path] = { filename = path, path = path, items = {}, by_id = {} }
          result.files[#result.files + 1] = by_path[path]
        end
        if path then add_file(self, by_path[path], file) end
      end
    end
  end
  table.sort(result.files, function(a, b) return a.path < b.path end)
  for _, file in ipairs(result.files) do
    table.sort(file.items, by_place)
    file.by_id = nil
    for _, item in ipairs(file.items) do
      result.total = result.total + 1
      if item.covered then result.covered = result.covered + 1 end
    end
  end
  return result
end

-- Output as text for people, and as lcov

local never = { yes = "%s is never true", no = "%s is never false", resource = "%s has no instance", data = "%s has no instance",
                ephemeral = "%s has no instance" }

--- Lists what no run reached, one line for each item.
---@param result hclexpr.TestCoverage
---@param dir string in front of the paths
---@return string[]
function coverage.lines(result, dir)
  local lines = {}
  for _, file in ipairs(result.files) do
    for _, item in ipairs(file.items) do
      local start = item.range.start
      if not item.covered then
        lines[#lines + 1] = ("%s:%d:%d: "):format(core.clean_path(Files.join(dir, file.path)), start.line, start.column)
          .. (never[item.kind] or "%s has no value"):format(item.name)
      end
    end
  end
  return lines
end

local is_result = { yes = 0, no = 1 }

-- Writes the records of a file. Declarations become functions of lcov, and results of conditionals become branches. The line of each item
-- counts as a line of the program.
local function write_file(out, file, dir)
  local lines, hit, order, functions, branches = {}, {}, {}, { 0, 0 }, { 0, 0 }
  local function put(...) out[#out + 1] = string.format(...):gsub("[%z\1-\9\11-\31]", "?") .. "\n" end
  put("SF:%s", core.clean_path(Files.join(dir, file.path)))
  for _, item in ipairs(file.items) do
    local line, count = item.range.start.line, item.covered and 1 or 0
    if not lines[line] then lines[line], order[#order + 1] = true, line end
    hit[line] = math.max(hit[line] or 0, count)
    local sums = is_result[item.kind] and branches or functions
    sums[1], sums[2] = sums[1] + 1, sums[2] + count
    if is_result[item.kind] then
      put("BRDA:%d,%d,%d,%d", line, item.conditional.start.byte, is_result[item.kind], count)
    else
      put("FN:%d,%s", line, item.name)
      put("FNDA:%d,%s", count, item.name)
    end
  end
  put("FNF:%d\nFNH:%d\nBRF:%d\nBRH:%d", functions[1], functions[2], branches[1], branches[2])
  local hits = 0
  for _, line in ipairs(order) do
    put("DA:%d,%d", line, hit[line])
    hits = hits + hit[line]
  end
  put("LF:%d\nLH:%d\nend_of_record", #order, hits)
end

--- Returns the coverage as the text of an lcov file.
---@param result hclexpr.TestCoverage
---@param dir string in front of the paths
---@return string
function coverage.lcov(result, dir)
  local out = { "TN:\n" }
  for _, file in ipairs(result.files) do write_file(out, file, dir) end
  return table.concat(out)
end

return coverage
