-- The loops of instructions.lua:
--   LUA instructions_loop.lua MODE SOURCE TURNS
-- bound: the scope has a Value; tables: the evaluation gets tables; scope: the scope has them.
local hcl = require "hclexpr"
local mode, source, turns = arg[1], arg[2], tonumber(arg[3])

local variables = { var = {
  a = 7, b = 4, flag = true, env = "prod", name = "web", tags = { env = "prod", team = "core" },
  cfg = { network = { subnets = { { cidr = "10.0.0.0/24" }, { cidr = "10.0.1.0/24" } } } },
} }
local expression = hcl.assert(hcl.compile(source))
local bound = mode == "bound" and hcl.scope { variables = { var = hcl.value(variables.var) } }
local scope = bound or mode == "scope" and hcl.scope { variables = variables } or nil
local given = not scope and variables or nil
hcl.assert(expression:eval(given, scope))
for _ = 1, turns do expression:eval(given, scope) end
