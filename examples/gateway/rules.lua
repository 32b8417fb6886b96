-- The rules of a small gateway. Each is an HCL expression over a request and the gateway's data. None is Lua, so operators of
-- the service can change them without being able to run code in it.
return {
  routes = {
    { name = "health", when = 'request.path == "/healthz"', to = '"local"' },
    { name = "api", when = 'startswith(request.path, "/api/") && contains(["GET", "POST"], request.method)',
      to = 'tenant.plan == "gold" ? "api-dedicated" : "api-shared"' },
    { name = "static", when = 'can(regex("\\\\.(css|js|png)$", request.path))', to = '"cdn-${region}"' },
    { name = "rest", when = "true", to = '"web-${region}"' },
  },
  -- Requests per minute: what the tenant bought, doubled at night, never above what the region can handle.
  limit = 'min(lookup(limits, tenant.plan, 60) * (hour >= 22 || hour < 6 ? 2 : 1), capacity[region])',
  -- Calls a function of ours, written in Lua, which may wait for an answer.
  allowed = '!blocked(request.client) && try(request.headers["x-internal"], "") != "1"',
}
