-- The language service in Neovim's process, Neovim 0.10 or later: the spec types into headless buffers and reads the screen. `tools/deps
-- all` installs such a Neovim below build/ if the system has an older one.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../../support.lua")
local host = dofile(support.here() .. "../host.lua")

-- A Neovim that is new enough: the one below build/, or the system's.
local function find_editor()
  local found = support.output(("ls '%s'/build/neovim/*/install/bin/nvim 2>/dev/null"):format(host.root)):match "[^\n]+"
  if found then return found end
  local major, minor = support.output "nvim --version 2>/dev/null":match "NVIM v(%d+)%.(%d+)"
  if major and tonumber(major) * 1000 + tonumber(minor) >= 10 then return "nvim" end
end

local nvim = find_editor()

local main = [[
variable "region" {
  type    = string
  default = "eu-1"
}

locals {
  name  = "shop-${var.region}"
  ports = [80, 443]
  greeting = upper(local.name)
  oops  = local.titel
}

output "greeting" {
  value = "é ${local.greeting} ${local.ports[0]} ${local.oops}"
}
]]

describe("Neovim with the language service", function()
  if not nvim then
    support.note "Neovim 0.10 or later is not installed (tools/deps all): the service inside it is not tested"
    return
  end

  local folder

  -- A plugin's folder as a plugin manager makes it; `built`: with the results of `make`.
  local function make_plugin(name, built)
    local plugin = folder .. "/" .. name
    local make = "mkdir -p PLUGIN/build PLUGIN/doc && ln -s ROOT/lua ROOT/plugin ROOT/lsp PLUGIN && cp ROOT/doc/hclexpr.txt PLUGIN/doc"
    if built then make = make .. " && ln -s ROOT/build/test/jit PLUGIN/build/jit" end
    assert(support.runs((make:gsub("%u%u+", { PLUGIN = "'" .. plugin .. "'", ROOT = "'" .. host.root .. "'" }))))
    return plugin
  end

  -- The results of some checks in a new Neovim, by name; repeated names form a list in said.all.
  -- settings: vim.g.hclexpr in Lua syntax.
  local function drive(checks, plugin, settings)
    support.write(folder .. "/settings.lua", "vim.g.hclexpr = " .. (settings or "nil"))
    local environment = ("env -u LUA_PATH -u LUA_CPATH CHECKS='%s' HOME='%s' XDG_STATE_HOME='%s'"):format(checks, folder, folder)
    local text = host.run(("cd '%s/files' && %s timeout 900 '%s' --headless -u NORC -i NONE -n "
      .. "--cmd 'luafile ../settings.lua' --cmd 'set rtp^=%s' -c 'luafile %s'"):format(
      folder, environment, nvim, plugin, host.root .. "/spec/hosts/nvim/editor_probe.lua"))
    local said = { text = text, all = {} }
    for name, value in ("\n" .. text):gmatch "\n(%l+)=([^\r\n]*)" do
      said[name] = value
      said.all[name] = said.all[name] or {}
      table.insert(said.all[name], value)
    end
    assert.is_nil(said.failed, text)
    return said
  end

  local function has(text, wanted) assert.is_truthy((text or ""):find(wanted, 1, true), ("%s is not in %s"):format(wanted, text)) end

  setup(function()
    folder = support.temporary_folder()
    assert(support.runs(("mkdir '%s/files'"):format(folder)))
  end)
  before_each(function() support.write(folder .. "/files/main.tf", main) end)
  teardown(function() support.remove(folder) end)

  describe("that is built in its own folder", function()
    local said

    setup(function()
      support.write(folder .. "/files/main.tf", main)
      said = drive("start diagnostics questions inlays completion changes commands rest stop", make_plugin("built", true))
    end)

    it("loads nothing before the first buffer of its file types", function()
      assert.are.equal("nilnilnil", said.before)
      assert.are.equal("nil", said.elsewhere)
    end)

    it("starts with that buffer, and ends", function()
      assert.are.equal("terraform", said.filetype)
      assert.are.equal("true", said.client)
      assert.are.equal("true", said.stopped)
      assert.are.equal("true", said.gone)
    end)

    it("shows diagnostics", function()
      has(said.diagnostic, "10:11 ")
      has(said.diagnostic, "titel")
      assert.are.equal(1, #said.all.diagnostic)
      assert.are.equal("true", said.typed)
      assert.are.equal("true", said.mended)
    end)

    it("shows values and where they come from", function()
      has(said.hover, "local.name")
      has(said.hover, '"shop-eu-1"')
      has(said.inlays, "shop-eu-1")
      has(said.signature, "upper(")
    end)

    it("goes to declarations", function() assert.are.equal('  name  = "shop-${var.region}"', said.definition) end)

    it("completes", function()
      for _, name in ipairs { "name", "ports", "greeting" } do has(said.completion, name) end
      assert.are.equal('resource "aws_', said.other)
    end)

    it("renames, formats and corrects", function()
      has(said.renamed, "  title  = ")
      has(said.renamed, "upper(local.title)")
      has(said.formatted, '  title    = "shop-${var.region}"|  ports    = [80, 443]|  greeting = upper(local.title)|')
      has(said.actions, "title")
    end)

    it("frees the memory of replaced texts", function()
      local first, last = drive("start memory", folder .. "/built").memory:match "(%d+) (%d+)"
      assert.is_true(tonumber(last) <= 4 * tonumber(first) + 100, ("%s MB, then %s MB"):format(first, last))
    end)

    it("has a command", function()
      assert.are.equal("81", said.eval)
      has(said.values, 'local.title = "shop-eu-1"|')
      has(said.values, 'var.region = "eu-1"')
      has(said.graph, '["var.region"]')
      has(said.explain, '"SHOP-EU-1"|')
      has(said.explain, "local.title")
      assert.are.equal("eval|explain|graph|values|vars", said.words)
      assert.are.equal("local.ports", said.names)
      has(said.unknown, "not nonsense")
    end)

    it("evaluates a selection", function()
      has(said.selected, '"SHOP-EU-1"')
      assert.are.equal("3", said.lines)
      has(said.nowhere, "not on an attribute")
    end)

    it("cancels a request, and sees changes by other programs", function()
      assert.are.equal("-32800", said.cancelled)
      assert.are.equal("aws_new", said.outside)
    end)

    it("has values of the variable files in the settings", function()
      support.write(folder .. "/files/prod.tfvars", 'region = "mars"\n')
      local set = drive("start vars", folder .. "/built")
      has(set.vars, "/files/prod.tfvars")
      has(set.shown, "shop-mars")
      has(set.varshover, '"shop-mars"')
      assert.are.equal('"shop-mars"', set.varseval)
      assert.are.equal("prod.tfvars", set.varswords)
      has(set.novars, "none.tfvars")
      has(set.unset, "shop-eu-1")
    end)

    it("knows the names of templates", function()
      support.write(folder .. "/files/main.tf", 'locals {\n  a = templatefile("greeting.tftpl", { customer = { name = "x" } })\n}\n')
      local template = drive("start templates", folder .. "/built")
      assert.are.equal("terraform-template", template.template)
      assert.are.equal("true", template.attached)
      has(template.given, "customer: object({ name = string })")
    end)

    it("knows described languages, but only from the user's settings", function()
      local description = [[
local language = require "hclexpr.language"
return language {
  name = "gate", files = { "*.gate" }, blocks = {
    upstream = { description = "Where requests go.", labels = { "name" }, address = "upstream.{name}", attributes = { host = "string" } },
    route = { attributes = { to = { ref = "upstream" } } },
  },
}]]
      support.write(folder .. "/gate.lua", description)
      support.write(folder .. "/files/gate.lua", "_G.ran = true\n" .. description)
      support.write(folder .. "/files/.hclexpr.lua", "_G.ran = true")
      support.write(folder .. "/files/edge.gate", 'upstream "mail" {\n  host = "a${upstream.users.host}"\n}\n'
        .. 'upstream "users" {\n  host = "mail"\n}\nroute {\n}\n')
      support.write(folder .. "/files/app.door.hcl", "")
      local languages = drive("start languages", folder .. "/built", ("{ languages = { '%s/gate.lua', 'none.such' } }"):format(folder))
      assert.are.equal("hcl", languages.gate)
      assert.are.equal("true", languages.served)
      has(languages.gatehover, "upstream blocks")
      has(languages.gatehover, "Where requests go.")
      has(languages.gatevalue, '= `"amail"`')
      assert.are.equal('"amail"', languages.gateeval)
      assert.are.equal('"amail"', languages.gateself)
      assert.are.equal("upstream.mail", languages.gatewords)
      assert.are.equal("mail|users", languages.gatenames)
      assert.are.equal("alpha|beta", languages.door)
      assert.are.equal("nil", languages.run)
      has(languages.languages, "the language gate is known, for files *.gate|")
      has(languages.languages, "the language door is known, for files *.door.hcl|")
      has(languages.text, "the language none.such")
      has(languages.wrong, "where what language { … } gives belongs")
    end)

    it("evaluates in a folder for another version of the language", function()
      support.write(folder .. "/files/main.tf", 'terraform {\n  required_version = "< 1.0"\n}\nlocals {\n  a = 40\n}\n')
      local pinned = drive("start pinned", folder .. "/built")
      assert.are.equal("42", pinned.pinned)
    end)

    it("has a report of its health, and help", function()
      has(said.health, "the C module is there: hclexpr ")
      has(said.health, "LuaJIT")
      has(said.health, "runs for 1 buffers")
      has(said.health, "hclexpr schemas says how to get them")
      assert.are.equal("hclexpr.txt", said.help)
    end)
  end)

  it("is started by vim.lsp.enable", function()
    if support.output(nvim .. " --version"):find "NVIM v0%.10" then return pending "vim.lsp.enable came with 0.11" end
    local said = drive("enabled", make_plugin("enabled", true))
    assert.are.equal("nil", said.alone)
    assert.are.equal("true", said.enabled)
  end)

  it("says how to build the missing C module", function()
    local said = drive("missing", make_plugin("bare"))
    assert.are.equal(1, #said.all.told, said.text)
    has(said.told, ":checkhealth hclexpr")
    assert.are.equal("nil", said.client)
    has(said.health, "the C module is missing")
    has(said.health, "make LUA=")
  end)
end)
