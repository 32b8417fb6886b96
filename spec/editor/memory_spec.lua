-- Memory of a replaced text is freed: the memory of the language server after a thousand keys, and of a program that parses in a loop.
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local program = support.program

-- A sanitizer keeps freed memory, and valgrind needs memory itself.
if not support.exists "/proc/self/status" or os.getenv "LD_PRELOAD" then
  support.note "/proc is missing, or a checker is loaded: memory of processes is not tested"
  return
end

local block = 'resource "null_resource" "r%d" {\n  triggers = { a = "x${local.l%d}", b = upper("abc") }\n}\nlocals {\n  l%d = %d\n}\n'

local function text_of(blocks)
  local parts = {}
  for i = 1, blocks do parts[i] = block:format(i, i, i, i) end
  return table.concat(parts)
end

-- The peak memory, in MB, of a process that ran a script.
local function peak(script, input)
  local line = "%s -e '%s io.stderr:write(io.open(\"/proc/self/status\"):read(\"*a\"))' 2>&1 >/dev/null <'%s'"
  local shown = support.output(line:format(program, script, input))
  return tonumber(shown:match "VmHWM:%s*(%d+)" or error(shown)) / 1024
end

describe("memory", function()
  local folder

  setup(function() folder = support.folder { ["main.tf"] = "" } end)

  -- The messages of an editor for so many typed keys, with a request after each.
  local function session(keys)
    local out, id, uri = {}, 0, "file://" .. folder .. "/main.tf"
    local function send(method, params, asks)
      local message = { jsonrpc = "2.0", method = method, params = params }
      if asks then id, message.id = id + 1, id + 1 end
      local body = json.encode(message)
      out[#out + 1] = ("Content-Length: %d\r\n\r\n%s"):format(#body, body)
    end
    local document = { uri = uri }
    send("initialize", { capabilities = {}, workspaceFolders = { { uri = "file://" .. folder, name = "x" } } }, true)
    send("initialized", {})
    send("textDocument/didOpen", { textDocument = { uri = uri, languageId = "terraform", version = 1, text = text_of(50) } })
    for key = 1, keys do
      local place = { line = 4 + 6 * (key % 50), character = 8 }
      send("textDocument/didChange", { textDocument = { uri = uri, version = key + 1 },
                                       contentChanges = { { range = { start = place, ["end"] = place }, text = "1" } } })
      send("textDocument/hover", { textDocument = document, position = { line = 1, character = 25 } }, true)
      if key % 100 == 1 then send("textDocument/semanticTokens/full", { textDocument = document }, true) end
    end
    send("shutdown", nil, true)
    send("exit")
    support.write(folder .. "/session", table.concat(out))
    return folder .. "/session"
  end

  it("of the server is bounded by its memory at the first answer", function()
    local script = 'require("hclexpr.cli").main { "lsp" }'
    local first = peak(script, session(1))
    local last = peak(script, session(support.sample(250, 1000)))
    assert.is_true(last <= 4 * first + 100, ("%.0f MB after one key, %.0f MB in the end"):format(first, last))
  end)

  it("of a program that parses in a loop, whatever its collector, is bounded", function()
    support.write(folder .. "/large.tf", text_of(300))
    local script = [[
      local hcl, text = require "hclexpr", io.read "*a"
      local heap, keep = {}, nil
      for i = 1, 2000 do heap[i] = { name = i } end
      for _ = 1, %d do keep = hcl.parse(text) end
    ]]
    -- Lua 5.2 has an experimental mode of that name, which C can't detect.
    for _, mode in ipairs { "incremental", _VERSION ~= "Lua 5.2" and "generational" or nil } do
      local set = ("pcall(collectgarbage, \"%s\") "):format(mode)
      local first = peak(set .. script:format(20), folder .. "/large.tf")
      local last = peak(set .. script:format(support.sample(120, 400)), folder .. "/large.tf")
      assert.is_true(last <= 4 * first + 20, ("%s: %.0f MB after 20 rounds, %.0f MB in the end"):format(mode, first, last))
    end
  end)

  it("of closed files of a described language is freed", function()
    local language = require "hclexpr.language"
    local blocks = { locals = language.locals() }
    local pairs_of = language { name = "pairs", files = { "*.pairs" }, attributes = { a = "number" }, blocks = blocks }
    local options = { languages = { pairs_of }, list = function() return {} end, read = function() end }
    local workspace = require("hclexpr.service").new(options)
    workspace:open("open.pairs", "a = 1\n")
    local opened = 0
    local function after(files)
      for _ = 1, files do
        opened = opened + 1
        local path = opened .. ".pairs"
        workspace:open(path, "locals {\n  x = 1\n}\na = local.x\n")
        workspace:diagnostics(path)
        workspace:close(path)
      end
      support.collect()
      return collectgarbage "count"
    end
    local few = after(100)
    local many = after(400)
    assert.is_true(many - few < 100, ("%.0f KB after 100 files, %.0f KB after 400 more"):format(few, many))
  end)

  it("of folders whose files were closed is freed", function()
    local workspace = require("hclexpr.service").new {}
    local made = support.folder {}
    local function after(folders)
      for i = 1, folders do
        local path = ("%s/%d-%d/main.tf"):format(made, folders, i)
        support.runs(("mkdir -p '%s'"):format(path:match "^(.*)/"))
        workspace:open(path, text_of(30), 1)
        while workspace:pending() do workspace:work(1) end
        workspace:close(path)
      end
      support.collect()
      return collectgarbage "count"
    end
    local few = after(6)
    local many = after(18)
    support.remove(made)
    assert.is_true(many - few < 300, ("%.0f KB after 6 folders, %.0f KB after 18 more"):format(few, many))
  end)
end)
