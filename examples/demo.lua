-- A small gateway whose routing, limits and configuration are HCL. `make demo` runs it; see gateway/rules.lua for the rules.
local hcl = require "hclexpr"

local folder = arg[0]:match "^(.*)demo%.lua$" .. "gateway/"

local function heading(text) print("\n== " .. text) end

-- ---- data of the gateway ------------------------------------------------------------------------------------------------

local rules = dofile(folder .. "rules.lua")

-- Data that doesn't change is bound once.
local knowledge = {
  region = "eu-1",
  capacity = hcl.value { ["eu-1"] = 900, ["us-1"] = 2000 },
  limits = hcl.value { free = 60, silver = 300, gold = 600 },
}

-- Suppose tenants are in a database. A rule that names `tenant` causes a query; one that doesn't costs nothing.
local database = { acme = { plan = "gold" }, initech = { plan = "silver" }, hooli = { plan = "free" } }
local current

local function lookup(ref)
  if ref.root ~= "tenant" then return nil end
  print("   (a rule asks for " .. ref.path .. ": " .. current .. " is looked up)")
  return database[current]
end

local blocked = { ["203.0.113.9"] = true }

local scope = hcl.scope {
  variables = knowledge,
  lookup = lookup,
  functions = {
    -- In OpenResty this could ask another server: functions may yield.
    blocked = function(client) return blocked[client] or false end,
  },
}

-- ---- rules -------------------------------------------------------------------------------------------------------------

local function compile(source, name) return hcl.assert(hcl.compile(source, { filename = name })) end

local routes = {}
for i, r in ipairs(rules.routes) do
  routes[i] = { name = r.name, when = compile(r.when, r.name .. ".when"), to = compile(r.to, r.name .. ".to") }
end
local limit, allowed = compile(rules.limit, "limit"), compile(rules.allowed, "allowed")

local requests = {
  { method = "GET", path = "/api/v1/users", tenant = "acme", client = "198.51.100.1", headers = {} },
  { method = "POST", path = "/api/v1/users", tenant = "hooli", client = "198.51.100.2", headers = {} },
  { method = "GET", path = "/img/logo.png", tenant = "hooli", client = "198.51.100.3", headers = {} },
  { method = "GET", path = "/", tenant = "initech", client = "203.0.113.9", headers = { ["x-internal"] = "1" } },
}

heading "Routing and limits: expressions over request tables"
print("   the limit is: " .. rules.limit)
for _, request in ipairs(requests) do
  local variables = { request = request, hour = 23 }
  current = request.tenant
  print(("%s %s from %s of %s"):format(request.method, request.path, request.client, request.tenant))
  if hcl.assert(allowed:eval(variables, scope)) then
    for _, route in ipairs(routes) do
      if hcl.assert(route.when:eval(variables, scope)) then
        print(("   route %s to %s, %d requests a minute"):format(route.name, hcl.assert(route.to:eval(variables, scope)),
          hcl.assert(limit:eval(variables, scope))))
        break
      end
    end
  else
    print "   refused"
  end
end

heading "What does a rule depend on?"
local seen = {}
for _, ref in ipairs(limit:references()) do
  if not seen[ref.path] then print("   " .. ref.path) end
  seen[ref.path] = true
end

-- ---- templates ---------------------------------------------------------------------------------------------------------

heading "A configuration file from a template"
local f = assert(io.open(folder .. "upstream.conf.tmpl"))
local template = f:read "*a"
f:close()
local pools = {
  ["api-shared"] = { servers = { { host = "10.0.0.1" }, { host = "10.0.0.2", weight = 3 } } },
  ["api-dedicated"] = { servers = { { host = "10.0.1.1", port = 9000 } } },
}
local text = hcl.assert(hcl.render(template, { pools = pools }))
io.write(text)

-- ---- exactness and mistakes --------------------------------------------------------------------------------------------

heading "Numbers are exact"
print("   0.1 + 0.2 == 0.3                  " .. tostring(hcl.eval "0.1 + 0.2 == 0.3"))
print("   12345678901234567890 * 10 + 1     " .. tostring(hcl.eval "12345678901234567890 * 10 + 1"))

heading "A mistake, reported to the author of the rule"
local rule = compile('request.method == "GET" &&\n  startwith(request.path, "/api/") &&\n  request.headrs["x-key"] == "s3cret"', "team.hcl")
local _, err = rule:test({ request = requests[1] }, scope)
print(tostring(err))
