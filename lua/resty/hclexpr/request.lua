-- The name `request` in rules: the client's request. A part is read when an expression first needs it, and doesn't change until the request
-- ends. A client may send any bytes; a part that isn't text is reported where it is used.
--
--   method scheme host port path raw_path id time   strings and a number; `time` is a timestamp in UTC
--   client { ip, port }
--   query headers cookies                           the first value by name, null if it is missing; names of headers are in lower case
--   query_all headers_all                           all values by name
--   body                                            a string of at most `body_limit` bytes
--   response { status, headers }                    from the header_filter phase on
--
-- Looking up a part costs more than most evaluations. So an expression that reads only plain parts, or names in others by constant paths,
-- has a *plan*: its parts are put into a table before it runs, and all expressions of the request share that table. Other expressions use a
-- lookup.
local advice = require "hclexpr.advice"
local hcl = require "hclexpr"

local null = hcl.null

local request = {}

--- The type of `request`, for code that checks rules.
request.type = require "hclexpr.fleet.request_type"

-- The largest number of arguments, headers or cookies. More are rejected, because a rule that sees only some of them could be misled.
local MAX_NAMES = 1000

-- ---- plain parts ----------------------------------------------------------------------------------------------------------

local function timestamp(seconds) return os.date("!%Y-%m-%dT%H:%M:%SZ", seconds) end

local plain = {
  method = function() return ngx.req.get_method() end,
  scheme = function() return ngx.var.scheme end,
  host = function() return ngx.var.host end,
  port = function() return tonumber(ngx.var.server_port) end,
  path = function() return ngx.var.uri end,
  raw_path = function() return ngx.var.request_uri and ngx.var.request_uri:match "^[^?]*" end,
  time = function() return timestamp(math.floor(ngx.req.start_time())) end,
  client = function() return { ip = ngx.var.remote_addr or null, port = tonumber(ngx.var.remote_port) or null } end,
  id = function(memo)
    -- The id is stored, because nginx may return another one each time.
    local main = memo.main
    main.id = main.id or ngx.var.request_id
    return main.id
  end,
}

-- ---- parts with names -----------------------------------------------------------------------------------------------------
-- nginx returns one value for a name, or an array of several values; for an argument without "=", true.

local function text_of(value) return value == true and "" or value end

local function first(value)
  if type(value) == "table" then value = value[1] end
  return text_of(value)
end

local function list(value)
  if type(value) ~= "table" then return { text_of(value) } end
  local out = {}
  for i, one in ipairs(value) do out[i] = text_of(one) end
  return out
end

-- Makes the error for a part that is unavailable because of what the client sent.
local function refused(why)
  return nil, hcl.diagnostic { code = "lookup.failed", reason = "refused", summary = "Lookup failed", detail = why }
end

local function too_many(what)
  return refused(string.format("The request has more than %d %s.", MAX_NAMES, what))
end

-- Returns the name and value in "name=value", without spaces around them. The client chooses the text, so the patterns must take linear
-- time: a lazy pattern before the spaces at the end would be tried again at each position.
local function cookie_of(pair)
  local name, at = pair:match "^%s*([^=%s]+)%s*=%s*()"
  return name, name and pair:match("^.*%S", at) or ""
end

local given -- defined below

local givers = {
  headers = function()
    local headers, cut = ngx.req.get_headers(MAX_NAMES)
    if cut then return too_many("headers") end
    return headers
  end,
  query = function()
    local arguments, cut = ngx.req.get_uri_args(MAX_NAMES)
    if cut then return too_many("arguments") end
    return arguments
  end,
  cookies = function(memo)
    local headers, why = given(memo, "headers")
    if not headers then return nil, why end
    local out, n = {}, 0
    for _, line in ipairs(list(headers.cookie or {})) do
      for pair in line:gmatch "[^;]+" do
        n = n + 1
        if n > MAX_NAMES then return too_many("cookies") end
        local name, value = cookie_of(pair)
        if name and out[name] == nil then out[name] = value end
      end
    end
    return out
  end,
}

-- Returns nginx' answer for a kind of parts, read once for each request; or nil and why the parts are unavailable.
function given(memo, kind)
  local known = memo[kind]
  if known then return known end
  local value, why = givers[kind](memo)
  memo[kind] = value
  return value, why
end

-- The parts that have names: the kind of nginx' answer, and the function that converts a value.
local named = {
  headers = { of = "headers", show = first }, headers_all = { of = "headers", show = list },
  query = { of = "query", show = first }, query_all = { of = "query", show = list },
  cookies = { of = "cookies", show = first },
}

-- Returns the value of a name in a part, or null if the client sent none; or nil and why the part is unavailable.
local function named_value(memo, part, name)
  local all, why = given(memo, part.of)
  if not all then return nil, why end
  -- rawget, because nginx' tables of headers also find names in other spellings.
  local value = rawget(all, name)
  if value == nil then return null end
  return part.show(value)
end

local function shown(all, show)
  local out = {}
  for name, value in pairs(all) do out[name] = show(value) end
  return out
end

local function named_part(memo, part)
  local all, why = given(memo, part.of)
  if not all then return nil, why end
  return shown(all, part.show)
end

-- ---- body and response ----------------------------------------------------------------------------------------------------

local can_read_body = { rewrite = true, server_rewrite = true, access = true, content = true }
local has_response = { header_filter = true, body_filter = true, log = true }

local function read_file(path, limit)
  local file, why = io.open(path, "rb")
  if not file then return nil, "The body can't be read: " .. why end
  local text = file:read(limit + 1)
  file:close()
  return text or ""
end

local function read_body(limit)
  if not can_read_body[ngx.get_phase()] then
    local way = "and wasn't before. Ask for it in the rewrite, access or content phase."
    return nil, string.format("The body can't be read in the %s phase, %s", ngx.get_phase(), way)
  end
  local length = tonumber(ngx.var.http_content_length)
  local text, why
  if not length or length <= limit then
    ngx.req.read_body()
    text = ngx.req.get_body_data()
    local file = not text and ngx.req.get_body_file()
    if file then text, why = read_file(file, limit) else text = text or "" end
  end
  if text and #text <= limit then return text end
  if why then return nil, why end
  return refused(string.format("The body has more than %d bytes (body_limit).", limit))
end

local function body(memo, limit)
  if memo.body == nil then
    local text, why = read_body(limit)
    if not text then return nil, why end
    memo.body = text
  end
  return memo.body
end

local response = {
  status = function() return ngx.status end,
  headers = function() return shown(ngx.resp.get_headers(MAX_NAMES), first) end,
}

-- ---- all of it ------------------------------------------------------------------------------------------------------------

local function no_attribute(name)
  local known = { body = true, response = true }
  for key in pairs(plain) do known[key] = true end
  for key in pairs(named) do known[key] = true end
  return nil, string.format("request has no attribute %q%s", tostring(name), advice.did_you_mean(name, known))
end

local function plain_part(memo, name)
  local value = memo.request[name]
  if value == nil then
    value = plain[name](memo)
    if value == nil then value = null end
    memo.request[name] = value
  end
  return value
end

local function respond(steps)
  if not has_response[ngx.get_phase()] then
    return nil, string.format("The %s phase has no response yet. Ask for it in the header_filter or log phase.", ngx.get_phase())
  end
  local name, key = steps[2], steps[3]
  if name == nil then return { status = response.status(), headers = response.headers() }, 1 end
  if not response[name] then return nil, string.format("request.response has status and headers, and no %q.", tostring(name)) end
  local value = response[name]()
  if name == "headers" and type(key) == "string" then return value[key:lower()] or null, 3 end
  return value, 2
end

-- Returns all parts that can be read in every phase.
local function whole(memo)
  local out = {}
  for name in pairs(plain) do out[name] = plain_part(memo, name) end
  for name, part in pairs(named) do
    local value, why = named_part(memo, part)
    if not value then return nil, why end
    out[name] = value
  end
  return out, 0
end

-- Returns the key under which a part has a value: names of headers are in lower case.
local function lowered(part, key)
  return part.of == "headers" and key:lower() or key
end

--- Answers a reference to `request` as a lookup of a scope does: returns the value and the number of steps used.
---@param memo table
---@param steps (string|number|hclexpr.Value)[]
---@param body_limit integer
function request.answer(memo, steps, body_limit)
  local name, key = steps[1], steps[2]
  if name == nil then return whole(memo) end
  if name == "client" and type(key) == "string" then
    local value = plain_part(memo, "client")[key]
    if value == nil then return nil, string.format("request.client has ip and port, and no %q.", key) end
    return value, 2
  end
  if plain[name] then return plain_part(memo, name), 1 end
  local part = named[name]
  if part then
    local keyed = type(key) == "string"
    local value, why
    if keyed then value, why = named_value(memo, part, lowered(part, key)) else value, why = named_part(memo, part) end
    if value == nil then return nil, why end
    return value, keyed and 2 or 1
  end
  if name == "response" then return respond(steps) end
  if name ~= "body" then return no_attribute(name) end
  local text, why = body(memo, body_limit)
  if not text then return nil, why end
  return text, 1
end

-- Codes of errors that the client may have caused, and the name that such an error must be about; true means any name. (An error about an
-- unknown result doesn't say which name was absent.)
local bad = { ["data.text"] = "request", ["reference.absent"] = "request", ["result.unknown"] = true, ["test.unknown"] = true }

--- Returns true if an expression failed because of what the client sent: bytes that aren't UTF-8, too many names, or a too large body; or,
--- with the option `absent`, because the client left something out.
---@param err hclexpr.Diagnostics
---@return boolean?
function request.is_bad(err)
  for _, diagnostic in ipairs(err) do
    local name = bad[diagnostic.code]
    if name == true or name and name == diagnostic.name or diagnostic.reason == "refused" then return true end
  end
end

-- ---- plans ----------------------------------------------------------------------------------------------------------------

local function is_planned(name, key)
  if name == "client" then return key == nil or key == "ip" or key == "port" end
  local part = named[name]
  return plain[name] ~= nil or part ~= nil and type(key) == "string" and key == lowered(part, key)
end

--- Makes the plan of an expression: parts of the request and names in them alternately; false instead of a name means the whole part.
--- Returns nil if the expression needs the lookup.
---@param references hclexpr.Reference[]
function request.plan(references)
  local plan = {}
  for _, ref in ipairs(references) do
    if ref.root == "request" then
      local name, key = ref.steps[1], ref.steps[2]
      if not is_planned(name, key) then return nil end
      plan[#plan + 1] = name
      plan[#plan + 1] = named[name] and key or false
    end
  end
  return plan
end

-- Puts the value of a name into the table of its part; returns false if it is unavailable.
local function fill_name(memo, out, name, key)
  local value, values = named_value(memo, named[name], key), out[name]
  if values then values[key] = value else out[name] = { [key] = value } end
  return value ~= nil
end

--- Puts a plan's parts into memo.request. Returns false if some are unavailable; then the expression needs the lookup.
---@param memo table
---@param plan table
function request.fill(memo, plan)
  local out = memo.request
  for i = 1, #plan, 2 do
    local name, key = plan[i], plan[i + 1]
    local known = out[name]
    if key and known then known = known[key] end
    if known == nil then
      if not key then
        plain_part(memo, name)
      elseif not fill_name(memo, out, name, key) then
        return false
      end
    end
  end
  return true
end

return request
