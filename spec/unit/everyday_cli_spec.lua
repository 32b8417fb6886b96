-- What a new user does in a shell: settings with an environment, a schema, user functions, dialects, single values changed.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")
local hcl = require "hclexpr"
local file, run, prints, fails = cli.file, cli.run, cli.prints, cli.fails

describe("hclexpr", function()
  setup(function() cli.begin() end)
  teardown(cli.finish)

  it("gives the environment by name if it is granted", function()
    local options = { env = "SHOP_PORT=81 env -u SHOP_NONE" }
    local app = file("app.hcl", 'port = coalesce(env.SHOP_PORT, 80)\nnone = env.SHOP_NONE\npacker = [env("SHOP_PORT"), env("SHOP_NONE")]\n')
    prints('{"none":null,"packer":["81",""],"port":"81"}\n', { "json", "--evaluate", "--compact", "--env", app }, options)
    prints("81", { "render", "--env", file("t.tmpl", "${env.SHOP_PORT}") }, options)
    fails(1, { "eval", "--env", "env" }, "read by name, as env.HOME")
    fails(1, { "eval", "env.HOME" }, "hclexpr: --env gives the environment: env.NAME")
    fails(2, { "json", "--env", app }, "nothing is evaluated")
  end)

  it("checks values by a schema, and fills in defaults", function()
    local schema = file("schema.lua", 'return { attributes = { port = { type = "number", default = 80, max = 90 }, name = {} } }\n')
    prints('{"name":"a","port":80}\n', { "json", "--evaluate", "--compact", "--schema", schema, file("s.hcl", 'name = "a"\n') })
    fails(1, { "json", "--evaluate", "--schema", schema, file("w.hcl", "port = 99\n") }, "port must be at most 90")
    fails(1, { "json", "--evaluate", "--schema", schema, file("m.hcl", "prt = 1\n") }, 'Did you mean "port"?')
    fails(2, { "json", "--evaluate", "--dialect", "terraform", schema }, "--dialect and --evaluate exclude each other")
    fails(2, { "json", "--schema", schema, schema }, "--schema FILE goes with --evaluate")
  end)

  it("formats no file outside of a folder through a link in it", function()
    local outside = file("env", "A=1\n")
    support.output(("mkdir -p '%s/repo/deep' && cd '%s/repo' && ln -s ../env a.tf && ln -s ../../env deep/a.tf && ln -s inner.tf soft.tf")
      :format(cli.folder, cli.folder))
    local repo = cli.folder .. "/repo"
    support.write(repo .. "/inner.tf", "b=1\n")
    for _, args in ipairs { { "fmt", "-recursive", repo }, { "fmt", repo }, { "fmt", "-recursive", repo .. "/" } } do
      local status, _, err = run(args)
      assert.equal(1, status)
      assert.truthy(err:find("a.tf: a link leads out of the folder", 1, true), err)
      assert.equal("A=1\n", support.read(outside))
      assert.equal("b = 1\n", support.read(repo .. "/inner.tf"))
    end
    support.write(repo .. "/inner.tf", "b=1\n")
    prints(repo .. "/soft.tf\n", { "fmt", repo .. "/soft.tf" })
    prints(repo .. "/a.tf\n", { "fmt", repo .. "/a.tf" })
    assert.equal("A = 1\n", support.read(outside))
  end)

  it("publishes rules of a described language only if they are valid in it", function()
    local described = file("edge.lua", 'local language = require "hclexpr.language"\nreturn language { name = "edge", blocks = {\n'
      .. '  upstream = { labels = { "name" }, address = "upstream.{name}", attributes = { host = "string" } },\n'
      .. '  route = { attributes = { to = { ref = "upstream" }, when = { type = "expression", returns = "bool",\n'
      .. '    types = { request = require "hclexpr.fleet.request_type" } } } } } }\n')
    local text = 'upstream "mail" {\n  host = "h"\n}\n\nroute {\n  to   = upstream.mail\n  when = request.path == "/"\n}\n'
    local nowhere = "redis://127.0.0.1:1/0/edge"
    local function publish(more, name, content) return { "publish", "-language", more, file(name, content), nowhere } end
    fails(1, publish(described, "right.hcl", text), "127.0.0.1")
    fails(1, publish(described, "address.hcl", (text:gsub("upstream.mail", "upstream.mial"))), 'Did you mean "upstream.mail"?')
    fails(1, publish(described, "path.hcl", (text:gsub("request.path", "request.pat"))), 'Did you mean "path"?')
    fails(1, publish(described, "absent.hcl", (text:gsub('path == "/"', 'headers.a != "/"'))),
      "this is true if the request lacks request.headers")
    fails(1, publish(described, "torn.hcl", 'upstream "mail" {\n'), "nothing was published")
    local other = file("other.lua", 'return require "hclexpr.language" { name = "edge", types = { request = "string" } }\n')
    fails(1, publish(other, "right.hcl", text), "other.lua: types.request: no request is there when rules are loaded")
    fails(1, publish(file("none.lua", "return {}\n"), "right.hcl", text), "none.lua: it describes no language")
    fails(2, { "publish", "-language", described, "--rules", "right.hcl", nowhere }, "-language and --rules exclude each other")
  end)

  it("reports and describes as JSON", function()
    local broken, sound = file("json-broken.hcl", "a = upper()\nb = nope(1)\n"), file("json-sound.hcl", "a = 1\n")
    prints('{\n  "format_version": "1.0",\n  "valid": true,\n  "error_count": 0,\n  "warning_count": 0,\n  "diagnostics": [],\n'
      .. '  "missing": []\n}\n', { "check", "-json", sound })
    local status, out, err = run { "check", "-json", broken, sound, "gone.hcl" }
    assert.same({ 1, "" }, { status, err })
    local codes = {}
    for code in out:gmatch '"code": "([^"]+)"' do codes[#codes + 1] = code end
    assert.same({ "call.count", "call.unknown", "load.failed" }, codes)
    assert.truthy(out:find('"valid": false,\n  "error_count": 3', 1, true))
    local folder = file("json-folder/main.tf", "locals {\n  a = var.b\n}\n"):match "^(.*)/"
    status, out = run { "check", "-json", folder }
    assert.equal(1, status)
    assert.truthy(out:find('"code": "module.undeclared"', 1, true))
    status, out = run { "functions", "-json", "max" }
    assert.equal(0, status)
    assert.truthy(out:find('"params": [],\n', 1, true), out)
    assert.truthy(out:find('"variadic": {\n    "dynamic": true,\n    "name": "numbers"', 1, true), out)
    assert.equal("number", hcl.eval("jsondecode(t).upper.params[0].type == \"string\" ? jsondecode(t).abs.returns : null",
      { t = select(2, run { "functions", "-json" }) }))
    fails(1, { "functions", "-json", "uper" }, 'Did you mean "upper"?')
  end)

  it("takes functions from a file", function()
    local functions = file("f.hcl", 'function "double" {\n  params = [n]\n  result = n * 2\n}\n')
    prints("8\n", { "eval", "--functions", functions, "double(4)" })
    prints("8", { "render", "--functions", functions, "-" }, { input = "${double(4)}" })
    fails(1, { "eval", "double(4)" }, "--functions FILE gives functions of your own")
    fails(1, { "eval", "--functions", file("x.hcl", "x = 1\n"), "1" }, "no functions are defined there")
    fails(1, { "eval", "--functions", file("b.hcl", 'function "f" {\n}\n'), "1" }, "params")
  end)

  it("knows a file's declarations, those of dialects without an option", function()
    local bake = 'variable "TAG" {\n  default = "v1"\n}\nfunction "tag" {\n  params = [name]\n  result = ["shop/${name}:${TAG}"]\n}\n'
      .. 'target "app" {\n  tags = tag("app")\n}\n'
    prints('{"target":{"app":[{"tags":["shop/app:v1"]}]}}\n', { "json", "--evaluate", "--compact", file("docker-bake.hcl", bake) })
    prints('{"target":{"app":[{"tags":["shop/app:v2"]}]}}\n',
      { "json", "--evaluate", "--compact", "--declarations", "--var", "TAG=v2", file("other.hcl", bake) })
    fails(1, { "json", "--evaluate", cli.folder .. "/other.hcl" }, "--declarations makes known what blocks of the file declare")
    local packer = 'variable "home" {\n  type = string\n  default = env("SHOP_HOME")\n}\nlocals {\n  dir = "${var.home}/images"\n}\n'
    prints('{"locals":[{"dir":"/h/images"}]}\n', { "json", "--evaluate", "--compact", "--env", file("image.pkr.hcl", packer) },
      { env = "SHOP_HOME=/h" })
  end)

  it("has null for values that only another program knows, and reports that", function()
    local name = file("terragrunt.hcl",
      'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\nlocals {\n  a = 1\n  b = local.a + 1\n}\n')
    local job = 'locals {\n  n = 1\n}\njob "web" {\n  ports = ["${NOMAD_PORT_http}", local.n]\n}\n'
    fails(1, { "json", "--evaluate", file("wrong.nomad.hcl", job .. "wrong = local.m\n") }, 'no attribute "m"')
    local status, out, err = run { "json", "--evaluate", "--compact", file("web.nomad.hcl", job) }
    assert.same({ 3, '{"job":{"web":[{"ports":[null,1]}]},"locals":[{"n":1}]}\n' }, { status, out })
    assert.truthy(err:find("NOMAD_PORT_http is null, because", 1, true))
    status, out, err = run { "json", "--evaluate", "--compact", name }
    assert.same({ 3, '{"include":{"root":[{"path":null}]},"locals":[{"a":1,"b":2}]}\n' }, { status, out })
    assert.truthy(err:find("find_in_parent_folders() is null, because", 1, true))
    prints('{"include":{"root":[{"path":"../root.hcl"}]},"locals":[{"a":1,"b":2}]}\n', { "json", "--evaluate", "--compact", "--functions",
      file("t.hcl", 'function "find_in_parent_folders" {\n  params = [name]\n  result = "../${name}"\n}\n'), name })
  end)

  it("names the option that gives the environment", function()
    for source, what in pairs { ['a = env("SHOP_HOME")\n'] = "env()", ["a = env.SHOP_HOME\n"] = "env" } do
      local _, _, err = run { "json", "--evaluate", file("image.pkr.hcl", source) }
      err = err:gsub("%s+", " ")
      assert.truthy(err:find(what .. " is null, because only the program that this file is for knows it; --env gives", 1, true), err)
    end
    local home = { env = "SHOP_HOME=/h" }
    prints('{"a":"/h"}\n', { "json", "--evaluate", "--compact", "--env", file("image.pkr.hcl", 'a = env("SHOP_HOME")\n') }, home)
    fails(1, { "eval", 'env("SHOP_HOME")' }, '--env gives the environment: env("NAME")')
    prints('"/h"\n', { "eval", "--env", 'env("SHOP_HOME")' }, home)
  end)

  it("changes values, and keeps the rest of the file", function()
    local text = '# ours\nname = "shop" # the name\n\nlistener "web" {\n  port = 80\n  tags = { "a=b" = 1 }\n}\n'
    local name = file("edit.hcl", text)
    prints((text:gsub("80", "8000 + 80"):gsub('"shop"', '"my shop"'):gsub("= 1 }", "= 2 }")),
      { "edit", "--set", "listener.web.port=8000 + 80", "--text", "name=my shop", "--set", 'listener.web.tags["a=b"]=2', name })
    prints((text:gsub('"web"', '"front"'):gsub("  tags[^\n]*\n", "")), { "edit", "--rename", "listener.web=front", "--remove",
      "listener.front.tags", "-" }, { input = text })
    prints("80\n", { "edit", "--get", "listener.web.port", name })
    prints("", { "edit", "-write", "--set", "listener.web.port=81", name })
    assert.equal((text:gsub("80", "81")), support.read(name))
    fails(1, { "edit", "--set", "listner.web.port=1", name }, 'Did you mean "listener"?')
    fails(1, { "edit", "--set", "name=my shop", name }, "on the new value of name line 1")
    fails(1, { "edit", "--set", "a=1", file("e.json", "{}") }, "JSON syntax can't be edited")
    for _, args in ipairs { { name }, { "--set", "name", name }, { "-write", "--set", "a=1", "-" }, { "-write", "--get", "a", name } } do
      table.insert(args, 1, "edit")
      fails(2, args, "hclexpr edit --help")
    end
  end)

  it("shows only the beginning of a long text", function()
    local _, _, err = run { "eval", "--var", "l=[" .. ("1, "):rep(200), "1" }
    assert.truthy(err:find("%-%-var l: %[1, 1, [1, ]*… looks like an expression"), err)
  end)
end)
