-- Files of described languages in the language service.
local description = require "hclexpr.languages.description"
local language = require "hclexpr.language"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local function gate_with(more)
  local source = {
    name = "gate", files = { "*.gate.hcl" }, unit = "folder", types = { stage = "object({ name = string })" },
    functions = { secret = { params = { { name = "name", type = "string", description = "Which one." } }, returns = "string",
                             description = "A secret of this machine." } },
    blocks = {
      locals = language.locals(), variable = language.variables(),
      upstream = {
        description = "Where requests go.", labels = { "name" }, address = "upstream.{name}", attributes = {
          host = { type = "string", required = true, description = "The name of the host." }, tls = { type = "bool", default = false },
          port = { type = "number", default_from = "self.tls ? 443 : 80" }, token = "string",
          old = { type = "string", deprecated = "write host" }, url = { type = "string", value_from = '"http://${self.host}"' },
        },
        blocks = { retry = { nesting = "single", attributes = { times = "number", of = "string" } } },
      },
      route = {
        description = "Which requests go where.", labels = { "path" }, attributes = {
          to = { ref = "upstream", required = true }, backup = { refs = "upstream" },
          when = { type = "expression", returns = "bool", types = { request = "object({ method = string, path = string })" } },
        },
      },
      zone = { labels = { "region", "name" }, address = "zone.{region}.{name}", for_each = true, attributes = { ttl = "number" } },
      site = { nesting = "single", address = "site", attributes = { name = "string" } },
    },
  }
  for key, value in pairs(more or {}) do source[key] = value end
  return language(source)
end

local gate = gate_with()

local BASE = [[
locals {
  base = "eu.example.org"
}

upstream "mail" {
  host  = "mail.${local.base}"
  port  = upstream.users.port + 1
  token = secret("mail")
  retry {
    times = 3
    of    = parent.host
  }
}

upstream "users" {
  host = self.token
}

zone "eu" "main" {
  for_each = { a = 1 }
  ttl      = each.value
}
]]

local PATH = "conf/edge.gate.hcl"

-- A workspace with a text in which `|` marks the place, and that place.
local function at(text, options)
  local byte = text:find("|", 1, true) - 1
  local workspace = service.new(options or { languages = { gate }, list = function() return {} end, read = function() end })
  text = text:gsub("|", "", 1)
  workspace:open(PATH, text)
  return workspace, byte, text
end

local function items(text, options)
  local workspace, byte = at(text, options)
  local found = {}
  for _, item in ipairs(workspace:complete(PATH, byte) or {}) do found[item.label] = item end
  return found
end

-- The candidates, except functions and words of the language, as a text.
local function offered(text, options)
  local names = {}
  for name, item in pairs(items(text, options)) do
    if item.kind ~= "function" and item.kind ~= "keyword" then names[#names + 1] = name end
  end
  table.sort(names)
  return table.concat(names, " ")
end

local function hover(text)
  local workspace, byte = at(text)
  local found = workspace:hover(PATH, byte)
  return found and found.text
end

local function has(text, wanted) assert.truthy((text or "nil"):find(wanted, 1, true), ("%s in %s"):format(wanted, text)) end

-- The name of the definition at a place.
local function defined(text)
  local workspace, byte, whole = at(text)
  local target = workspace:definition(PATH, byte)[1]
  return target and whole:sub(target.name_start + 1, target.name_stop)
end

describe("Files of a described language", function()
  it("offer blocks, labels, arguments and their contents", function()
    assert.equal("locals route site upstream variable zone", offered(BASE .. "|"))
    assert.equal("locals route site upstream variable zone", offered(BASE .. "up|"))
    assert.equal('upstream "${1:name}" {\n  $0\n}', items(BASE .. "|").upstream.insert)
    assert.equal("dynamic host old port retry tls token", offered(BASE .. 'upstream "x" {\n  |\n}\n'))
    assert.equal("required, string", items(BASE .. 'upstream "x" {\n  |\n}\n').host.detail)
    assert.is_true(items(BASE .. 'upstream "x" {\n  |\n}\n').old.deprecated)
    assert.equal("backup to when", offered(BASE .. 'route "x" {\n  |\n}\n'))
    assert.equal("for_each ttl", offered(BASE .. 'zone "a" "b" {\n  |\n}\n'))
    assert.equal("of times", offered(BASE .. 'upstream "x" {\n  retry {\n    |\n  }\n}\n'))
    assert.equal("default description nullable sensitive type validation", offered(BASE .. 'variable "x" {\n  |\n}\n'))
  end)

  it("offer the targets of references", function()
    assert.equal("upstream.mail upstream.users", offered(BASE .. 'route "x" {\n  to = |\n}\n'))
    assert.equal("upstream.mail upstream.users", offered(BASE .. 'route "x" {\n  backup = [|]\n}\n'))
    assert.equal("mail users", offered(BASE .. 'route "x" {\n  to = upstream.|\n}\n'))
    assert.equal("main", offered(BASE .. 'upstream "x" {\n  host = zone.eu.|\n}\n'))
    assert.equal("name", offered(BASE .. 'upstream "x" {\n  host = site.|\n}\nsite {\n  name = "a"\n}\n'))
    -- A single block with an address exists even if it isn't written.
    assert.equal("name", offered(BASE .. 'upstream "x" {\n  host = site.|\n}\n'))
    assert.truthy(items(BASE .. 'upstream "x" {\n  host = |\n}\n').site)
    has(hover(BASE .. 'upstream "x" {\n  host = site.na|me\n}\n'), "site.name: string")
  end)

  it("offer only the names of a place", function()
    local found = items(BASE .. 'upstream "x" {\n  host = |\n}\n')
    for _, name in ipairs { "local.base", "upstream.mail", "zone.eu.main", "self", "stage", "secret", "upper" } do
      assert.truthy(found[name], name)
    end
    for _, name in ipairs { "parent", "each.key", "request", "path.module", "terraform.workspace" } do assert.is_nil(found[name], name) end
    assert.truthy(items(BASE .. 'route "x" {\n  when = |\n}\n').request)
    assert.truthy(items(BASE .. 'zone "a" "b" {\n  for_each = {}\n  ttl = |\n}\n')["each.key"])
    assert.truthy(items(BASE .. 'upstream "x" {\n  retry {\n    of = |\n  }\n}\n').parent)
    assert.equal("method path", offered(BASE .. 'route "x" {\n  when = request.|\n}\n'))
    assert.equal("name", offered(BASE .. 'route "x" {\n  when = stage.|\n}\n'))
  end)

  it("offer of a block only what expressions read", function()
    local text = BASE .. 'zone "a" "b" {\n  for_each = {}\n  ttl = self.|\n}\n'
    assert.equal("name region ttl", offered(text))
    assert.equal("path", offered(BASE .. 'route "x" {\n  to = upstream.mail\n  when = self.|\n}\n'))
    assert.is_nil(hover(BASE .. 'locals {\n  a = zone.eu.ma|in\n}\n'):find("for_each", 1, true))
  end)

  it("show values after expressions", function()
    local whole = BASE:gsub("self.token", '"u"')
    local workspace = at(whole .. 'route "x" {\n  to = upstream.mail\n  when = request.path == local.base\n}\n|')
    local found = {}
    for i, inlay in ipairs(workspace:inlays(PATH)) do found[i] = inlay.text end
    assert.same({ '= "mail.eu.example.org"', "= 81", '= "mail.eu.example.org"', "= 1" }, found)
    workspace = at('variable "n" {\n  default = 1\n}\nlocals {\n  a = var.n + 1\n  b = secret("x")\n}\nsite {\n  name = local.b\n}\n|')
    found = workspace:inlays(PATH)
    assert.same({ "= 2" }, { found[1].text, found[2] and found[2].text })
  end)

  it("show values beside expressions of a large file once it is evaluated", function()
    local blocks = {}
    for i = 1, 1000 do
      local port = i == 1 and "1" or ("upstream.u%d.port + 1"):format(i - 1)
      blocks[i] = ('upstream "u%d" {\n  host = "h%d"\n  port = %s\n}\n'):format(i, i, port)
    end
    local text = table.concat(blocks)
    local workspace = at(text .. "|")
    assert.same({}, workspace:inlays(PATH))
    while workspace:pending() do workspace:work(10) end
    local from, to = text:find 'upstream "u500" .-\n}\n'
    local found = workspace:inlays(PATH, from - 1, to)
    assert.equal(1, #found)
    assert.same({ "= 500", select(2, text:find("u499.port + 1", 1, true)) }, { found[1].text, found[1].at })
    assert.equal(200, #workspace:inlays(PATH))
  end)

  it("may have numbers as names", function()
    local text = BASE .. 'upstream "1" {\n  host = "h"\n}\nroute "x" {\n  to     = upstream.%s\n  backup = [upstream["1"]]\n}\n'
    assert.equal("1", defined(text:format "|1"))
    local workspace, byte = at(text:format "|1")
    assert.equal(3, #workspace:references(PATH, byte, true))
    assert.equal(3, #workspace:rename(PATH, byte, "one")[PATH])
    assert.is_nil(workspace:rename(PATH, byte, "mail"))
  end)

  it("offer the functions that the language has", function()
    local few = gate_with { stdlib = { "upper" } }
    local found = items(BASE .. 'upstream "x" {\n  host = |\n}\n', { languages = { few } })
    assert.truthy(found.upper)
    assert.truthy(found.secret)
    assert.is_nil(found.lower)
    assert.is_true(found.secret.sort < found.upper.sort)
    assert.equal("object", found.stage.detail)
  end)

  it("are completed in broken text", function()
    assert.equal("mail users", offered(BASE .. 'route "x" {\n  to = upstream.|'))
    assert.equal("host name old port retry tls token url", offered(BASE .. 'route "x" {\n  when = upstream.mail.|\n  to ='))
    assert.equal("backup to when", offered(BASE .. 'route "x" {\n  |'))
    assert.equal("method path", offered(BASE .. 'route "x" {\n  when = a == (request.|'))
  end)

  it("show documents on hover", function()
    has(hover(BASE .. '|route "x" {}'), "Which requests go where.")
    has(hover((BASE:gsub("host  =", "|host  =", 1))), "The name of the host.")
    local port = hover((BASE:gsub("port  =", "|port  =", 1)))
    has(port, "port: number")
    has(port, "default `self.tls ? 443 : 80`")
    has(hover(BASE .. 'route "x" {\n  |to = upstream.mail\n}\n'), "a reference to `upstream`")
    has(hover(BASE .. 'route "x" {\n  |when = true\n}\n'), "It sees `request`: `object({ method = string, path = string })`.")
    has(hover(BASE .. 'upstream "x" {\n  |old = 1\n}\n'), "Deprecated: write host")
    has(hover(BASE .. 'route "x" {\n  when = request.|method\n}\n'), "request.method: string")
    has(hover((BASE:gsub("secret", "sec|ret", 1))), "secret(name string) string")
    has(hover((BASE:gsub('"mail"', '"ma|il"', 1))), "upstream.mail: object({")
  end)

  it("accept the program's functions, and show their signatures", function()
    local workspace, byte = at(BASE .. 'upstream "x" {\n  host = secret(|)\n}\n')
    local signature = workspace:signature(PATH, byte)
    assert.equal("secret(name string) string", signature.label)
    assert.equal("Which one.", signature.parameters[1].documentation)
    local codes = {}
    for _, problem in ipairs(workspace:diagnostics(PATH, true)) do codes[#codes + 1] = problem.code end
    assert.same({ "call.count" }, codes)
    workspace:change(PATH, 'upstream "x" {\n  host = secert("a")\n}\n')
    has(workspace:diagnostics(PATH, true)[1].message, 'Did you mean "secret"?')
  end)

  it("lead to declarations", function()
    assert.equal("users", defined((BASE:gsub("users.port", "us|ers.port", 1))))
    assert.equal("base", defined((BASE:gsub("local.base", "local.ba|se", 1))))
    assert.equal("token", defined((BASE .. 'route "x" {\n  when = upstream.mail.tok|en\n}\n')))
    assert.equal("host", defined((BASE:gsub("parent.host", "parent.ho|st", 1))))
    assert.equal("v", defined(BASE .. 'variable "v" {}\nroute "x" {\n  when = var.|v\n}\n'))
    assert.equal("main", defined(BASE .. 'route "x" {\n  when = zone.eu.m|ain["a"].ttl\n}\n'))
  end)

  it("get corrections for misspelt names", function()
    local function titles(text)
      local workspace, byte = at(text)
      local found = {}
      for _, action in ipairs(workspace:actions(PATH, byte, byte)) do found[#found + 1] = action.title end
      return table.concat(found, "|")
    end
    assert.equal("Change upstraem to upstream", titles(BASE .. 'route "x" {\n  to = |upstraem.mail\n}\n'))
    assert.equal("Change mial to mail", titles(BASE .. 'route "x" {\n  to = upstream.|mial\n}\n'))
    assert.equal("Change reqest to request", titles(BASE .. 'route "x" {\n  when = |reqest.path == ""\n}\n'))
    assert.equal("Change hots to host", titles(BASE .. 'upstream "x" {\n  |hots = ""\n}\n'))
    assert.equal("Change upstrem to upstream", titles(BASE .. '|upstrem "x" {\n}\n'))
    assert.equal("", titles(BASE .. 'route "x" {\n  when = var.|nope\n}\n'))
    assert.equal("Write out local.base", titles((BASE:gsub("base", "|base", 1))))
  end)

  it("lead to the last declaration of a name if that one applies", function()
    local last = language { name = "last", files = { "*.gate.hcl" }, blocks = {
      key = { labels = { "name" }, address = "key.{name}", duplicates = "last", attributes = { to = "string" } },
      use = { attributes = { key = { ref = "key" } } },
    } }
    local workspace, byte, text = at('key "a" {}\nkey "a" {\n  to = "b"\n}\nuse {\n  key = key.|a\n}\n', { languages = { last } })
    assert.equal(text:find('key "a" {\n', 1, true) - 1, workspace:definition(PATH, byte)[1].start)
    assert.equal(3, #workspace:rename(PATH, byte, "b")[PATH])
  end)

  it("know all references", function()
    local text = BASE .. 'route "x" {\n  to     = upstream.ma|il\n  backup = [upstream.mail, upstream.users]\n}\n'
    local workspace, byte, whole = at(text)
    local found = {}
    for _, use in ipairs(workspace:references(PATH, byte, true)) do found[#found + 1] = whole:sub(use.start + 1, use.stop) end
    assert.same({ "mail", "upstream.mail", "upstream.mail" }, found)
    assert.equal(3, #workspace:highlights(PATH, byte))
  end)

  it("are renamed, except words of the language", function()
    local workspace, byte, whole = at(BASE .. 'route "x" {\n  to = upstream.ma|il\n}\n')
    local edits = workspace:rename(PATH, byte, "post")
    for i = #edits[PATH], 1, -1 do
      local change = edits[PATH][i]
      whole = whole:sub(1, change.start) .. change.text .. whole:sub(change.stop + 1)
    end
    assert.truthy(whole:find('upstream "post"', 1, true))
    assert.truthy(whole:find("to = upstream.post", 1, true))
    assert.truthy(whole:find('secret("mail")', 1, true))
    assert.is_nil(workspace:rename(PATH, byte, "users"))
    local other, place = at(BASE .. "|upstream \"x\" {}")
    assert.is_nil(other:rename_at(PATH, place))
    other, place = at(BASE .. "route \"x\" {\n  when = zone.e|u.main\n}\n")
    assert.is_nil(other:rename_at(PATH, place))
    other, place = at(BASE .. "route \"x\" {\n  when = si|te.name\n}\nsite {}\n")
    assert.is_nil(other:rename_at(PATH, place))
  end)

  it("have the same values once they are renamed", function()
    local text = [[
locals {
  base = "eu"
}
upstream "mail" {
  host = "mail.${local.base}"
  port = upstream.users.port + 1
}
upstream "users" {
  host = upstream.mail.host
}
zone "eu" "main" {
  for_each = { a = 1 }
  ttl      = each.value
}
route "/" {
  to     = upstream.mail
  backup = [upstream.users, upstream.mail]
  when   = request.path == upstream.users.host
}
locals {
  ttl = zone.eu.main["a"].ttl + upstream.mail.port
}
]]
    local options = { functions = { secret = function() return "x" end }, names = { stage = { name = "s" } } }
    local function values_of(source, name)
      local conf = gate:open({ { path = PATH, text = source } }, options)
      local values = assert(conf:values())
      local route = values.route[1]
      local found = { route.to.host, route.to.port, route.backup[1].host, values.zone[1].ttl, route.when:test { request = {
        method = "GET", path = "mail.eu" } }, conf:eval "local.ttl" }
      for _, block in ipairs { route.to, route.backup[1], route.backup[2] } do
        found[#found + 1] = block.name == name and "renamed" or block.name
      end
      return found
    end
    for _, name in ipairs { "mail", "users", "base", "main" } do
      local workspace = service.new { languages = { gate }, list = function() return {} end, read = function() end }
      workspace:open(PATH, text)
      local edits = assert(workspace:rename(PATH, text:find(name, 1, true) - 1, "new"))[PATH]
      table.sort(edits, function(a, b) return a.start > b.start end)
      local renamed = text
      for _, edit in ipairs(edits) do renamed = renamed:sub(1, edit.start) .. edit.text .. renamed:sub(edit.stop + 1) end
      assert.are_not.equal(text, renamed)
      local before, after = values_of(text, name), values_of(renamed, "new")
      assert.same(before, after)
    end
  end)

  it("are not renamed where a file of JSON syntax has the name", function()
    local files = { ["conf/b.gate.json"] = '{ "route": { "/": { "to": "upstream.a" } } }' }
    local workspace = service.new { languages = { gate_with { files = { "*.gate.hcl", "*.gate.json" } } }, list = function()
      return { "b.gate.json" }
    end, read = function(path) return files[path] end }
    workspace:open(PATH, 'upstream "a" {}\nupstream "b" {}\n')
    local _, why = workspace:rename(PATH, 10, "c")
    has(why, "conf/b.gate.json")
    assert.truthy(workspace:rename(PATH, 26, "c"))
  end)

  it("form one configuration in a folder, or each by itself", function()
    local files = { ["conf/a.gate.hcl"] = 'upstream "a" {\n  host = "a"\n}\n',
                    ["conf/b.gate.hcl"] = "route \"x\" {\n  to = upstream.a\n}\n" }
    local function open(one)
      return service.new { languages = { one }, read = function(path) return files[path] end,
                           list = function(dir) return dir == "conf" and { "a.gate.hcl", "b.gate.hcl", "main.tf" } or {} end }
    end
    local byte = files["conf/b.gate.hcl"]:find("upstream.a", 1, true) + 9
    assert.equal("conf/a.gate.hcl", open(gate):definition("conf/b.gate.hcl", byte)[1].path)
    assert.same({}, open(gate_with { unit = "file" }):definition("conf/b.gate.hcl", byte))
    local edits = open(gate):rename("conf/b.gate.hcl", byte, "c")
    assert.equal(1, #edits["conf/a.gate.hcl"])
    local workspace = open(gate)
    workspace:open("conf/a.gate.hcl", files["conf/a.gate.hcl"])
    assert.equal("upstream.a", workspace:workspace_symbols("ups")[1].name)
  end)

  it("belong to the language with the most specific pattern, never to Terraform's", function()
    local other = language { name = "other", files = { "*.hcl" }, attributes = { alpha = "string" } }
    local function first(path, languages)
      local workspace = service.new { languages = languages }
      workspace:open(path, "")
      local item = workspace:complete(path, 0)[1]
      return item and item.label
    end
    assert.equal("alpha", first("x.hcl", { gate, other }))
    assert.equal("alpha", first("x.hcl", { other, gate }))
    assert.not_equal("alpha", first("x.gate.hcl", { other, gate }))
    assert.not_equal("alpha", first("x.tftest.hcl", { other, gate }))
    assert.not_equal("alpha", first("x.tf", { language { name = "all", files = { "*" }, attributes = { alpha = "string" } } }))
  end)

  it("may have blocks with names of Terraform's", function()
    local words = language {
      name = "words", files = { "*.w" }, blocks = {
        resource = { labels = { "type", "name" }, address = "resource.{type}.{name}", attributes = { size = "number" } },
        provider = { labels = { "name" }, address = "provider.{name}", attributes = { source = "string" } },
        module = { labels = { "name" }, attributes = { source = "string", to = { ref = { "resource", "provider" } } } },
      },
    }
    local text = 'resource "a" "b" {\n  size = 1\n}\nprovider "p" {\n  source = "x"\n}\n'
      .. 'module "m" {\n  source = "./x"\n  to = resource.a.b\n}\n'
    local workspace = service.new { languages = { words } }
    workspace:open("a.w", text)
    has(workspace:hover("a.w", text:find('"b"', 1, true)).text, "resource.a.b: object({")
    local edits = assert(workspace:rename("a.w", text:find('"p"', 1, true), "q"))
    assert.equal(1, #edits["a.w"])
    local found = {}
    for _, item in ipairs(workspace:complete("a.w", text:find("resource.a.b", 1, true) - 1)) do found[#found + 1] = item.label end
    table.sort(found)
    assert.same({ "provider.p", "resource.a.b" }, found)
    for byte = 0, #text do
      for _, question in ipairs { "complete", "hover", "definition", "references", "rename_at", "signature" } do
        workspace[question](workspace, "a.w", byte)
      end
    end
  end)

  it("change with the languages", function()
    local workspace = service.new()
    workspace:open(PATH, BASE, 7)
    assert.is_true(#workspace:diagnostics(PATH, true) > 0) -- secret() is unknown
    workspace:set_languages { gate }
    assert.same({}, workspace:diagnostics(PATH, true))
    assert.equal(7, workspace.documents:get(PATH).version)
    workspace:set_languages()
    assert.is_true(#workspace:diagnostics(PATH, true) > 0)
  end)

  it("answer five questions at each prefix", function()
    local workspace = service.new { languages = { gate } }
    for size = 0, #BASE do
      workspace:open(PATH, BASE:sub(1, size))
      workspace:complete(PATH, size)
      workspace:hover(PATH, math.max(size - 1, 0))
      workspace:definition(PATH, math.max(size - 1, 0))
      workspace:signature(PATH, size)
      workspace:diagnostics(PATH, true)
    end
  end)

  it("are rejected if the option has another type", function()
    assert.error_matches(function() service.new { languages = { {} } } end, "option 'languages' has a table as element 1")
    assert.error_matches(function() service.new { languages = gate } end, "is a language, where a list of them belongs")
    assert.error_matches(function() service.new { languages = "gate.lua" } end, "option 'languages' must be a table")
  end)
end)

describe("Values of files of a described language", function()
  local GATE = [[
variable "zone" {
  type = string
}

locals {
  base = "eu.example.org"
}

upstream "mail" {
  host  = "mail.${local.base}"
  port  = upstream.users.port + 1
  token = secret("mail")
  retry {
    of = parent.host
  }
}

upstream "users" {
  host = "users.${local.base}"
  tls  = self.host == "" ? false : self.token == null
}

upstream "far" {
  host   = var.zone
}

route "/mail" {
  to   = upstream.mail
  when = upstream.mail.port == 444
}

zone "eu" "main" {
  for_each = { a = 1, b = 2 }
  ttl      = each.value
}
]]

  local function work(workspace)
    while workspace:pending() do workspace:work(0.01) end
  end

  -- The hover at the first place of some text.
  local function shown(workspace, words, further)
    local byte = workspace:text(PATH):find(words, 1, true) - 1 + (further or 0)
    return (workspace:hover(PATH, byte) or {}).text or "nothing"
  end

  local function problems(text, language_of)
    local workspace = service.new { languages = { language_of or gate }, list = function() return {} end, read = function() end }
    workspace:open(PATH, text)
    work(workspace)
    local found = {}
    for i, problem in ipairs(workspace:diagnostics(PATH)) do found[i] = problem.code end
    return table.concat(found, " "), workspace
  end

  it("that a file lacks are marked at its begin", function()
    local codes, workspace = problems("\n", gate_with { attributes = { title = { type = "string", required = true } } })
    assert.equal("body.missing", codes)
    assert.equal(0, workspace:diagnostics(PATH)[1].start)
  end)

  it("are shown on hover, with why", function()
    local codes, workspace = problems(GATE)
    assert.equal("", codes)
    has(shown(workspace, "base ="), '= `"eu.example.org"`')
    has(shown(workspace, "port  ="), "= `444`")
    has(shown(workspace, "upstream.users.port", 17), "= `443`")
    local tls = shown(workspace, "tls  =")
    has(tls, "= `true`")
    has(tls, "self.host")
    has(shown(workspace, "parent.host", 8), '= `"mail.eu.example.org"`')
    has(shown(workspace, "to   = upstream.mail", 18), "token")
    assert.is_nil(shown(workspace, "to   = upstream.mail", 18):find("known after apply", 1, true))
  end)

  it("are unknown if only the program knows them, whatever the environment has", function()
    local _, workspace = problems(GATE)
    assert.is_nil(shown(workspace, "token ="):find("= `", 1, true))
    assert.is_nil(shown(workspace, "host   ="):find("= `", 1, true))
    assert.is_nil(shown(workspace, "ttl  "):find("= `", 1, true))
  end)

  it("stay while the text is broken, and nothing is evaluated meanwhile", function()
    local _, workspace = problems(GATE)
    workspace:change(PATH, (GATE:gsub("users.port %+ 1", "users.port + ")))
    work(workspace)
    has(shown(workspace, "base ="), '= `"eu.example.org"`')
    has(shown(workspace, "upstream.users.port", 17), "= `443`")
    local fresh = service.new { languages = { gate }, list = function() return {} end }
    fresh:open(PATH, "locals {\n  a = 5\n}\nupstream \"a\" {\n  port = local.a\n  host = upstream.a.\n}\n")
    work(fresh)
    has(fresh:diagnostics(PATH)[1].code, "syntax.")
    assert.is_nil(shown(fresh, "port ="):find("= `", 1, true))
  end)

  it("are not needed for completion, search and renaming", function()
    local workspace = service.new { languages = { gate }, list = function() return {} end }
    workspace:open(PATH, GATE)
    for byte = 0, #GATE, 5 do
      for _, question in ipairs { "complete", "definition", "references", "rename_at", "signature" } do
        workspace[question](workspace, PATH, byte)
      end
    end
    workspace:rename(PATH, GATE:find("upstream.mail", 1, true) + 10, "post")
    assert.is_nil(rawget(workspace, "works"))
  end)

  it("have diagnostics", function()
    for text, wanted in pairs {
      ['upstream "a" {\n  host = "a"\n  port = "b"\n}\n'] = "body.type",
      ['upstream "a" {\n}\n'] = "body.missing",
      ['upstream "a" {\n  host = "a"\n  prt = 1\n}\n'] = "body.argument",
      ['route "a" {\n  to = upstream.a\n}\n'] = "module.undeclared",
      ['upstream "a" {\n  host = "${upstream.a.host}"\n}\n'] = "module.cycle",
      ['upstream "a" {\n  host = secret(1, 2)\n}\n'] = "call.count",
      ['upstream "a" {\n  host = secert("x")\n}\n'] = "call.unknown",
      ['upstream "a" {\n  host = "a"\n  old = "b"\n}\n'] = "module.deprecated",
      ['upstream "a" {\n  host = "a"\n}\nroute "a" {\n  to = upstream.a\n  when = request.methd\n}\n'] = "reference.attribute",
      ['upstream "a" {\n  host = "${stage.name}${stage.nme}"\n}\n'] = "reference.attribute",
    } do
      assert.equal(wanted, (problems(text)), text)
    end
    local ruled = gate_with { blocks = { pot = { attributes = { size = "number" }, validation = {
      { condition = "self.size == null ? true : self.size > 0", error_message = "A pot of ${self.size} holds nothing." } } } } }
    local code, workspace = problems("pot {\n  size = 0\n}\n", ruled)
    assert.equal(1, #workspace:diagnostics(PATH), code)
    has(workspace:diagnostics(PATH)[1].message, "A pot of 0 holds nothing.")
  end)

  it("are those of all files of the folder", function()
    local files = { ["conf/a.gate.hcl"] = 'upstream "a" {\n  host = "x"\n  port = 5\n}\n',
                    ["conf/b.gate.hcl"] = 'upstream "b" {\n  host = "y"\n  port = upstream.a.port * 2\n}\n' }
    local workspace = service.new { languages = { gate }, read = function(path) return files[path] end,
                                    list = function() return { "a.gate.hcl", "b.gate.hcl" } end }
    workspace:open("conf/b.gate.hcl", files["conf/b.gate.hcl"])
    work(workspace)
    local byte = files["conf/b.gate.hcl"]:find("port", 1, true) - 1
    has(workspace:hover("conf/b.gate.hcl", byte).text, "= `10`")
    files["conf/a.gate.hcl"] = files["conf/a.gate.hcl"]:gsub("5", "7")
    workspace:touch "conf/a.gate.hcl"
    work(workspace)
    has(workspace:hover("conf/b.gate.hcl", byte).text, "= `14`")
    files["conf/a.gate.hcl"] = nil
    workspace.documents.options.list = function() return { "b.gate.hcl" } end
    workspace:touch "conf/a.gate.hcl"
    work(workspace)
    assert.equal("module.undeclared", workspace:diagnostics("conf/b.gate.hcl")[1].code)
  end)

  it("are found in slices, and nothing is kept of texts that were replaced", function()
    local parts = {}
    for i = 1, 200 do
      parts[i] = ('upstream "u%d" {\n  host = "x"\n  port = upstream.u%d.port + 1\n}\n'):format(i, i - 1)
    end
    parts[201] = 'upstream "u0" {\n  host = "x"\n  port = 0\n}\n'
    local text = table.concat(parts)
    local workspace = service.new { languages = { gate }, list = function() return {} end }
    workspace:open(PATH, text)
    local slices = 0
    while workspace:pending() do
      workspace:work(-1) -- whatever the clock says, each slice ends at once
      slices = slices + 1
    end
    assert.is_true(slices > 100, slices)
    has(shown(workspace, "upstream.u199.port", 15), "= `199`")
    local function kilobytes()
      for _ = 1, 3 do collectgarbage() end
      return collectgarbage "count"
    end
    local first
    for i = 1, 40 do
      workspace:change(PATH, { { start = 0, stop = 0, text = "# " .. i .. "\n" } })
      work(workspace)
      if i == 20 then first = kilobytes() end
    end
    assert.is_true(kilobytes() < first * 1.2 + 200)
    workspace:close(PATH)
    assert.is_nil(next(workspace.works))
  end)

  it("come and go with the language", function()
    local _, workspace = problems('upstream "a" {\n  host = "a"\n}\n')
    assert.same({}, workspace:diagnostics(PATH))
    workspace:set_languages { gate_with { blocks = { upstream = { labels = { "name" }, attributes = { port = "number" } } } } }
    work(workspace)
    assert.equal("body.argument", workspace:diagnostics(PATH)[1].code)
    workspace:set_languages {}
    work(workspace)
    assert.same({}, workspace:diagnostics(PATH))
  end)

  it("are requested at each prefix, and no request raises an error", function()
    local workspace = service.new { languages = { gate }, list = function() return {} end }
    for size = 0, #GATE, 7 do
      workspace:open(PATH, GATE:sub(1, size))
      work(workspace)
      for _, question in ipairs { "complete", "hover", "definition", "references", "rename_at" } do
        workspace[question](workspace, PATH, math.max(0, size - 1))
      end
      workspace:diagnostics(PATH)
    end
  end)
end)

describe("The editor in examples/languages", function()
  local folder = support.root .. "examples/languages"
  local paths = support.lines(("find '%s' -type f 2>/dev/null | sort"):format(folder))

  -- The languages that files there describe.
  local languages = {}
  for _, path in ipairs(paths) do
    local text = support.read(path)
    if path:find "%.lua$" and text:find "\nreturn language" then languages[#languages + 1] = assert(dofile(path)) end
  end

  for _, path in ipairs(paths) do
    for _, one in ipairs(languages) do
      if description.suits(description.of(one), path) and not path:find "%.json$" then
        it("answers at each prefix of " .. path:match "[^/]*$", function()
          local text, workspace = support.read(path), service.new { languages = languages }
          local step = math.max(1, math.floor(#text / 150))
          for size = 0, #text, step do
            workspace:open(path, text:sub(1, size))
            while workspace:pending() do workspace:work(0.01) end
            for _, question in ipairs { "complete", "hover", "definition", "references", "rename_at" } do
              workspace[question](workspace, path, math.max(0, size - 1))
            end
          end
          workspace:open(path, text)
          while workspace:pending() do workspace:work(0.01) end
          assert.same({}, workspace:diagnostics(path))
          assert.is_true(#workspace:complete(path, #text) > 0)
        end)
      end
    end
  end
end)
