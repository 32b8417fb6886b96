-- Finds the order in a test file: which runs, variables and providers wait for which others.
local Names = require "hclexpr.terraform.tests.names"

local order = {}

---@class hclexpr.module.tests.Order
---@field needs table<string, string[]> by "run NAME", "var NAME", "provider KEY"
---@field list? string[] all of these names, each after its needs; nil if something waits for itself

local function add(list, kind, names, but)
  for name in pairs(names) do
    if name ~= but then list[#list + 1] = kind .. name end
  end
end

-- Returns the sets of variables and runs named in the expressions of a run.
local function named_in(run)
  local vars, runs = {}, {}
  for _, attribute in pairs(run.variables or {}) do Names.collect(attribute.expression, vars, runs) end
  for _, rule in ipairs(run.rules) do
    Names.collect(rule.condition.expression, vars, runs)
    Names.collect(rule.error_message.expression, vars, runs)
  end
  return vars, runs
end

-- Makes runs need earlier ones. A parallel run waits for the last run that isn't parallel, and for the last run with the same state key.
-- Any other run waits for all runs since the last one that isn't parallel.
local function add_before(needs, rows)
  local barrier, since, with_key = nil, {}, {}
  for _, row in ipairs(rows) do
    local list = needs[row.name]
    if barrier then list[#list + 1] = barrier end
    if row.parallel then
      list[#list + 1] = with_key[row.key]
      since[#since + 1], with_key[row.key] = row.name, row.name
    else
      for _, name in ipairs(since) do list[#list + 1] = name end
      barrier, since, with_key = row.name, {}, {}
    end
  end
end

-- Sorts names so that each follows its needs; otherwise their order stays. Returns nil if something waits for itself.
local function sorted(needs, names)
  local state, list = {}, {}
  for _, first in ipairs(names) do
    local stack = not state[first] and { { first, 0 } } or {}
    while #stack > 0 do
      local top = stack[#stack]
      local name = top[1]
      state[name] = "open"
      top[2] = top[2] + 1
      local needed = needs[name][top[2]]
      if needed == nil then
        state[name], list[#list + 1] = "done", name
        stack[#stack] = nil
      elseif state[needed] == "open" then
        return nil
      elseif needs[needed] and not state[needed] then
        stack[#stack + 1] = { needed, 0 }
      end
    end
  end
  return list
end

-- Lists the names of runs in their order, and then all others.
local function names_of(needs, rows)
  local names, rest = {}, {}
  for i, row in ipairs(rows) do names[i] = row.name end
  for name in pairs(needs) do
    if not name:find "^run " then rest[#rest + 1] = name end
  end
  table.sort(rest)
  for _, name in ipairs(rest) do names[#names + 1] = name end
  return names
end

--- Finds what waits for what in a file, and the resulting order.
---@param test hclexpr.module.tests.File
---@param works hclexpr.module.tests.Work[] one for each run
---@param key_of fun(run: hclexpr.module.tests.Run): string
---@return hclexpr.module.tests.Order
function order.of(test, works, key_of)
  local needs, rows, known = {}, {}, {}
  for name in pairs(test.variables or {}) do known[name] = true end
  for name in pairs(test.declared) do known[name] = true end
  for name in pairs(known) do
    local list, vars, runs = {}, {}, {}
    local attribute = test.variables and test.variables[name]
    if attribute then Names.collect(attribute.expression, vars, runs) end
    add(list, "var ", vars)
    add(list, "run ", runs)
    needs["var " .. name] = list
  end
  for _, provider in ipairs(test.providers) do
    local list, vars, runs = {}, {}, {}
    for _, body in ipairs(provider.bodies or {}) do Names.collect(body, vars, runs) end
    add(list, "var ", vars)
    add(list, "run ", runs)
    needs["provider " .. provider.key] = list
  end
  for i, work in ipairs(works) do
    local run, list = work.run, {}
    local vars, runs = named_in(run)
    for name in pairs(work.base.root.folder.variables) do
      if not (run.variables and run.variables[name]) then vars[name] = true end
    end
    add(list, "var ", vars)
    add(list, "run ", runs)
    for _, provider in pairs(work.providers) do list[#list + 1] = "provider " .. provider.key end
    local parallel = run.parallel
    if parallel == nil then parallel = test.parallel end
    rows[i] = { name = "run " .. run.name, parallel = parallel, key = key_of(run) }
    needs["run " .. run.name] = list
  end
  add_before(needs, rows)
  return { needs = needs, list = sorted(needs, names_of(needs, rows)) }
end

return order
