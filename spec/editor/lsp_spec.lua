-- The Language Server Protocol: messages in this process, and `hclexpr lsp` as a process with its own input and output.
local command = require "command"
local json = require "hclexpr.lsp.json"
local lsp = require "hclexpr.lsp"
local support = require "support"

local sent, server, id

local function begin(capabilities, options)
  sent, id = {}, 0
  server = lsp.new(function(message) sent[#sent + 1] = json.decode(json.encode(message)) end, options)
  server:receive { jsonrpc = "2.0", id = "first", method = "initialize", params = { capabilities = capabilities or {} } }
  server:receive { jsonrpc = "2.0", method = "initialized", params = {} }
  return sent[1]
end

local function notify(method, params) server:receive { jsonrpc = "2.0", method = method, params = params } end

-- Result and error of a request, after any time.
local function ask(method, params)
  id = id + 1
  support.without_time(server.receive, server, { jsonrpc = "2.0", id = id, method = method, params = params })
  local answer = sent[#sent]
  assert.equal(id, answer.id)
  return answer.result, answer.error
end

local uri = "file:///nowhere%20at/all/main.tf"
local document = { textDocument = { uri = uri } }

local function open(text) notify("textDocument/didOpen", { textDocument = { uri = uri, languageId = "terraform", version = 1,
  text = text } }) end

local function text() return server.workspace:text "/nowhere at/all/main.tf" end

local function edit(first, from, last, to, new)
  return { range = { start = { line = first, character = from }, ["end"] = { line = last, character = to } }, text = new }
end

describe("a place of the protocol", function()
  it("is within the text for any numbers of a client", function()
    begin()
    open "a\195\169b\n\nlast"
    local known, max = server.workspace.documents:get "/nowhere at/all/main.tf", 2 ^ 53
    for _, row in ipairs {
      { 0, 0, 0 }, { 0, 1, 1 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 4 }, { 0, max, 4 }, { 1, 0, 5 }, { 1, 9, 5 }, { 2, 0, 6 }, { 2, 4, 10 },
      { 2, max, 10 }, { 9, 0, 10 }, { max, max, 10 }, { -1, -1, 0 }, { 0, -5, 0 }, { 0.9, 1.9, 1 }, { "1", 1, 1 }, { 0, "1", 0 },
      { 2, json.null, 6 }, { 0 / 0, 1, 1 }, { 2, 0 / 0, 6 }, { 1 / 0, 0, 10 }, { nil, 2, 3 }, { true, {}, 0 },
    } do
      assert.equal(row[3], server:byte(known, { line = row[1], character = row[2] }), tostring(row[1]) .. ":" .. tostring(row[2]))
    end
    for _, position in ipairs { 5, "0", true } do assert.equal(0, server:byte(known, position)) end
    assert.equal(0, server:byte(known, nil))
  end)

  it("is refused without a document", function()
    begin()
    for _, params in ipairs { {}, { textDocument = 5 }, { textDocument = {} }, { textDocument = { uri = 5 } } } do
      local result, err = ask("textDocument/hover", params)
      assert.is_nil(result)
      assert.same({ -32602, "textDocument.uri is missing" }, { err.code, err.message })
    end
  end)
end)

describe("JSON of the protocol", function()
  it("reads what it writes, byte for byte", function()
    for _, value in ipairs { "e\204\129", 'a"\\\n\1/é😀', "\\u0041", { 1, 2.5, -3, true, { a = "b" } }, json.array {}, { [""] = false } } do
      assert.same(value, json.decode(json.encode(value)))
    end
    assert.equal("😀é\\u", json.decode '"\\ud83d\\uDE00\\u00e9\\\\u"')
    assert.equal("\239\191\189x", json.decode '"\\ud83dx"')
    for escaped, bytes in pairs {
      ["\\u007f"] = "\127", ["\\u0080"] = "\194\128", ["\\u07FF"] = "\223\191", ["\\u0800"] = "\224\160\128", ["\\ud7ff"] = "\237\159\191",
      ["\\ue000"] = "\238\128\128", ["\\uffff"] = "\239\191\191", ["\\uD800\\uDC00"] = "\240\144\128\128",
      ["\\udbff\\udfff"] = "\244\143\191\191",
    } do
      assert.equal(bytes .. "1", json.decode('"' .. escaped .. '1"'))
      assert.equal(bytes .. "1", json.decode(json.encode(bytes .. "1")))
    end
    assert.equal('"\127\\u0000\\u001f"', json.encode "\127\0\31")
    assert.equal("[]", json.encode(json.array {}))
    for written, number in pairs { ["0.1"] = 0.1, ["-7"] = -7, ["999999999999999"] = 999999999999999, null = 1 / 0 } do
      assert.equal(written, json.encode(number))
    end
    assert.equal("[null,null]", json.encode { -1 / 0, 0 / 0 })
  end)

  it("writes U+FFFD for each byte that isn't UTF-8", function()
    for _, bytes in ipairs {
      "\255", "\128", "\191", "\193\191", "\195", "\224\159\191", "\226\130", "\237\160\128", "\240\143\191\191",
      "\240\159\152", "\244\144\128\128",
      "\245\128\128\128",
    } do
      local wanted = ("\239\191\189"):rep(#bytes)
      for before, after in pairs { [""] = "", a = "b", ["\195\169"] = "\240\159\152\128" } do
        assert.equal('"' .. before .. wanted .. after .. '"', json.encode(before .. bytes .. after), bytes:byte())
      end
    end
  end)

  it("rejects invalid JSON", function()
    for _, broken in ipairs { "", "{", '{"a"', '{"a":}', "[1,", '"a', "tru", "1 2", "{}x", ("["):rep(100000), '{"a":1,}', "\0" } do
      local value, why = json.decode(broken)
      assert.is_nil(value)
      assert.is_string(why)
    end
  end)
end)

describe("the server", function()
  it("announces its features, and counts as the client does", function()
    assert.equal("utf-16", begin().result.capabilities.positionEncoding)
    local answer = begin { general = { positionEncodings = { "utf-16", "utf-8" } } }
    assert.equal("utf-8", answer.result.capabilities.positionEncoding)
    assert.equal(2, answer.result.capabilities.textDocumentSync.change)
  end)

  for _, row in ipairs { { "utf-16", 8, 10 }, { "utf-8", 9, 13 } } do
    it("takes changes one after the other, in " .. row[1], function()
      begin { general = { positionEncodings = { row[1] } } }
      open 'locals {\n  a = "ü😀x"\r\n}\n'
      notify("textDocument/didChange", { textDocument = { uri = uri, version = 2 }, contentChanges = {
        edit(1, row[2], 1, row[3], "é"), edit(0, 0, 0, 6, "LOCALS"), edit(1, 99, 1, 99, " # end"), edit(9, 0, 9, 9, "b"),
      } })
      assert.equal('LOCALS {\n  a = "üéx" # end\r\n}\nb', text())
    end)
  end

  it("announces every request that it answers", function()
    local can = begin().result.capabilities
    for _, what in ipairs { "completion", "hover", "signatureHelp", "definition", "declaration", "references", "documentHighlight",
      "documentSymbol", "workspaceSymbol", "codeAction", "documentFormatting", "documentRangeFormatting", "rename", "foldingRange",
      "inlayHint", "semanticTokens",
    } do assert.truthy(can[what .. "Provider"], what) end
    assert.is_true(can.renameProvider.prepareProvider)
    assert.same({ true, true }, { can.semanticTokensProvider.full, can.semanticTokensProvider.range })
    assert.is_true(#can.semanticTokensProvider.legend.tokenTypes > 8)
    -- Changes arrive as edits, and a saved text isn't sent again.
    assert.same({ openClose = true, change = 2, save = { includeText = false } }, can.textDocumentSync)
    assert.same({ supported = true, changeNotifications = true }, can.workspace.workspaceFolders)
    local function triggers(provider) return table.concat(can[provider].triggerCharacters) end
    assert.same({ '."[/:', "(," }, { triggers "completionProvider", triggers "signatureHelpProvider" })
  end)

  it("knows the path of a URI, and spells the URI as the client does", function()
    begin()
    for _, row in ipairs {
      { "file:///a/b%20c/m%C3%BC.tf", "/a/b c/mü.tf" }, { "file:///C:/a/main.tf", "C:/a/main.tf" }, { "file:///c%3A/a.tf", "c:/a.tf" },
      { "file://localhost/a/main.tf", "/a/main.tf" },
      { "file:/a/b%20c/main.tf", "/a/b c/main.tf" }, { "untitled:Untitled-1", "untitled:Untitled-1" },
      { "vscode-vfs://github/a/b.tf", "vscode-vfs://github/a/b.tf" },
    } do
      assert.equal(row[2], server:path(row[1]))
      assert.equal(row[1], server:uri(row[2]))
    end
    assert.equal("file:///new/m%C3%BC%20%2B.tf", server:uri "/new/mü +.tf")
    assert.equal("file:///D%3A/main.tf", server:uri "D:/main.tf")
  end)

  it("answers places in the client's units", function()
    begin()
    open 'locals {\n  a = 1\n  b = "😀${local.a}"\n}\n'
    local found = ask("textDocument/definition", { textDocument = { uri = uri }, position = { line = 2, character = 17 } })
    assert.same({ start = { line = 1, character = 2 }, ["end"] = { line = 1, character = 3 } }, found[1].range)
    assert.equal(uri, found[1].uri)
    local hover = ask("textDocument/hover", { textDocument = { uri = uri }, position = { line = 2, character = 17 } })
    assert.same({ start = { line = 2, character = 11 }, ["end"] = { line = 2, character = 18 } }, hover.range)
  end)

  it("inserts snippets if the client supports them, and plain text if not", function()
    local function inserted(able)
      begin { textDocument = { completion = { completionItem = { snippetSupport = able } } } }
      open 'variable "a" {\n  type = opti\n}\nlocals {\n  a = uppe\n}\n'
      local found = {}
      for label, position in pairs { ["optional(…)"] = { line = 1, character = 13 }, upper = { line = 4, character = 10 },
                                     ["var.a"] = { line = 4, character = 10 } } do
        for _, item in ipairs(ask("textDocument/completion", { textDocument = document.textDocument, position = position }).items) do
          if item.label == label then found[label] = { item.textEdit.newText, item.insertTextFormat } end
        end
      end
      return found
    end
    assert.same({ ["optional(…)"] = { "optional(${1:string})", 2 }, upper = { "upper($1)", 2 }, ["var.a"] = { "var.a", 1 } },
      inserted(true))
    assert.same({ ["optional(…)"] = { "optional()", 1 }, upper = { "upper()", 1 }, ["var.a"] = { "var.a", 1 } }, inserted(false))
    assert.same(inserted(false), inserted(nil))
  end)

  it("has clients filter by the label, whatever the edit", function()
    begin()
    open 'resource "null_resource" "a" {}\nlocals {\n  a = up\n}\n'
    local params = { textDocument = document.textDocument, position = { line = 2, character = 8 } }
    local items = ask("textDocument/completion", params).items
    assert.is_true(#items > 0)
    for _, item in ipairs(items) do assert.equal(item.label, item.filterText) end
  end)

  it("publishes syntax errors at once, the folder's errors in idle time, and none for a closed file", function()
    begin()
    open "locals {\n  a = [1,\n}\n"
    server:idle(0)
    assert.equal("textDocument/publishDiagnostics", sent[#sent].method)
    assert.equal(1, #sent[#sent].params.diagnostics)
    assert.equal(1, sent[#sent].params.version)
    notify("textDocument/didClose", document)
    assert.same({}, sent[#sent].params.diagnostics)
    while server:idle(1) do end
    assert.same({}, sent[#sent].params.diagnostics)
  end)

  it("logs what ends the evaluation of a folder, and reports syntax errors all the same", function()
    local missing = require "hclexpr.terraform.tree.missing"
    local modules = missing.modules
    missing.modules = function() error("a mistake of ours", 0) end
    begin()
    open "locals {\n  a = 1\n}\n"
    while server:idle(1) do end
    missing.modules = modules
    local logged = {}
    for _, message in ipairs(sent) do
      if message.method == "window/logMessage" then logged[#logged + 1] = message.params end
    end
    assert.equal(1, #logged)
    assert.equal(1, logged[1].type)
    assert.truthy(logged[1].message:find("^hclexpr: a mistake of ours\nstack traceback:"), logged[1].message)
    notify("textDocument/didChange", { textDocument = { uri = uri, version = 2 },
                                       contentChanges = { { text = "locals {\n  a = [1,\n}\n" } } })
    while server:idle(1) do end
    assert.equal(1, #sent[#sent].params.diagnostics)
  end)

  it("asks for inlays again once values are known", function()
    begin { workspace = { inlayHint = { refreshSupport = true } } }
    open "locals {\n  a = 1 + 1\n}\n"
    while server:idle(1) do end
    assert.equal("workspace/inlayHint/refresh", sent[#sent].method)
    server:receive { jsonrpc = "2.0", id = sent[#sent].id, result = json.null }
  end)

  it("searches for callers in the folders of the workspace, as they come and go", function()
    local call = 'module "m" {\n  source = "../lib"\n  v = 1\n}\n'
    local folder = support.folder { ["lib/main.tf"] = 'variable "v" {}\n', ["app/main.tf"] = call }
    local lib, app = "file://" .. folder .. "/lib", "file://" .. folder .. "/app"
    sent, id = {}, 0
    server = lsp.new(function(message) sent[#sent + 1] = json.decode(json.encode(message)) end)
    server:receive { jsonrpc = "2.0", id = "first", method = "initialize",
      params = { capabilities = {}, workspaceFolders = { { uri = lib, name = "lib" } } } }
    local main = { uri = lib .. "/main.tf", languageId = "terraform", version = 1, text = support.read(folder .. "/lib/main.tf") }
    notify("textDocument/didOpen", { textDocument = main })
    local function references()
      local found = {}
      local params = { textDocument = { uri = main.uri }, position = { line = 0, character = 10 }, context = { includeDeclaration = true } }
      for i, place in ipairs((ask("textDocument/references", params))) do found[i] = place.uri:sub(#"file://" + #folder + 2) end
      table.sort(found)
      return table.concat(found, " ")
    end
    assert.equal("lib/main.tf", references())
    notify("workspace/didChangeWorkspaceFolders", { event = { added = { { uri = app, name = "app" } }, removed = {} } })
    assert.equal("app/main.tf lib/main.tf", references())
    -- Some clients end the names of folders with a slash.
    notify("workspace/didChangeWorkspaceFolders", { event = { added = {}, removed = { { uri = app .. "/", name = "app" } } } })
    assert.equal("lib/main.tf", references())
    support.remove(folder)
  end)

  it("uses imported schemas unless its options say otherwise", function()
    begin()
    assert.is_true(server.workspace.options.installed)
    for _, installed in ipairs { false, "/nowhere" } do
      begin(nil, { installed = installed })
      assert.equal(installed, server.workspace.options.installed)
    end
  end)

  it("takes the functions of a program from its settings, at any time, and from its options", function()
    local folder = support.temporary_folder()
    support.write(folder .. "/own.functions", 'function "secret" {\n  params = [n]\n  result = ""\n}\n')
    local app = { uri = "file://" .. folder .. "/app.hcl", version = 1, text = 'a = secret("x")\n' }
    local function start(settings, options)
      sent, id = {}, 0
      server = lsp.new(function(message) sent[#sent + 1] = json.decode(json.encode(message)) end, options)
      server:receive { jsonrpc = "2.0", id = "first", method = "initialize",
        params = { capabilities = {}, initializationOptions = settings, rootUri = "file://" .. folder } }
      notify("initialized", {})
      notify("textDocument/didOpen", { textDocument = app })
    end
    local function wrong()
      while server:idle(1) do end
      local last
      for _, message in ipairs(sent) do
        if message.method == "textDocument/publishDiagnostics" then last = message.params.diagnostics end
      end
      return #last
    end
    start {}
    assert.equal(1, wrong())
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = { functions = "own.functions" } } })
    assert.equal(0, wrong())
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = { functions = {} } } })
    assert.equal(1, wrong())
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = { functions = { "none.functions" } } } })
    assert.equal("window/showMessage", sent[#sent].method)
    assert.truthy(sent[#sent].params.message:find("no file none.functions, which the setting functions names", 1, true))
    start { functions = { 5, folder .. "/own.functions" } }
    assert.equal(0, wrong())
    start({}, { functions = { secret = true } })
    assert.equal(0, wrong())
    support.remove(folder)
  end)

  it("takes the variable files from its settings, at any time", function()
    local folder = support.temporary_folder()
    support.write(folder .. "/prod.tfvars", "a = 2\n")
    support.write(folder .. "/dev.tfvars", "a = 3\n")
    local text_of_main = 'variable "a" {}\nlocals {\n  b = [var.a]\n}\n'
    support.write(folder .. "/main.tf", text_of_main)
    local main = { uri = "file://" .. folder .. "/main.tf" }
    local function start(capabilities, settings)
      sent, id = {}, 0
      server = lsp.new(function(message) sent[#sent + 1] = json.decode(json.encode(message)) end)
      server:receive { jsonrpc = "2.0", id = "first", method = "initialize",
        params = { capabilities = capabilities, initializationOptions = settings, rootUri = "file://" .. folder } }
      notify("initialized", {})
      notify("textDocument/didOpen", { textDocument = { uri = main.uri, version = 1, text = text_of_main } })
    end
    local function shown()
      local range = { start = { line = 0, character = 0 }, ["end"] = { line = 9, character = 0 } }
      return ask("textDocument/inlayHint", { textDocument = main, range = range })[1].label
    end
    start({}, { vars = "prod.tfvars" })
    assert.equal("= [2]", shown())
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = { vars = { "prod.tfvars", "dev.tfvars" } } } })
    assert.equal("= [3]", shown())
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = { vars = "none.tfvars" } } })
    assert.equal("window/showMessage", sent[#sent].method)
    assert.truthy(sent[#sent].params.message:find("none.tfvars", 1, true))
    notify("workspace/didChangeConfiguration", { settings = { hclexpr = {} } })
    assert.equal("= [ (no value given) ]", shown())
    -- Files removed from the settings aren't read any more.
    support.write(folder .. "/other.json", '{"provider_schemas":{}}')
    for _, row in ipairs { { folder .. "/other.json", folder .. "/other.json" }, { "", nil }, { 5, nil } } do
      notify("workspace/didChangeConfiguration", { settings = { hclexpr = { schemas = folder .. "/other.json" } } })
      notify("workspace/didChangeConfiguration", { settings = { hclexpr = { schemas = row[1] } } })
      assert.equal(row[2], server.workspace.options.schemas)
    end
    -- A client that doesn't send its settings is asked for them.
    start { workspace = { configuration = true } }
    local question = sent[2]
    assert.equal("workspace/configuration", question.method)
    server:receive { jsonrpc = "2.0", id = question.id, result = { { vars = { "dev.tfvars" } } } }
    assert.equal("= [3]", shown())
    notify("workspace/didChangeConfiguration", {})
    assert.equal("workspace/configuration", sent[#sent].method)
    server:receive { jsonrpc = "2.0", id = sent[#sent].id, result = { json.null } }
    assert.equal("= [3]", shown())
    support.remove(folder)
  end)

  it("stops cancelled requests, and continues", function()
    begin()
    open "locals {}\n"
    local function symbols(number) return { jsonrpc = "2.0", id = number, method = "textDocument/documentSymbol", params = document } end
    local function cancel(number) return { jsonrpc = "2.0", method = "$/cancelRequest", params = { id = number } } end
    assert.is_true(server:receive_all { symbols(1), symbols(2), cancel(1), cancel(3), symbols(3) })
    assert.equal(lsp.errors.CANCELLED, sent[#sent - 2].error.code)
    assert.same({ 1, 2, 3 }, { sent[#sent - 2].id, sent[#sent - 1].id, sent[#sent].id })
    for i = 0, 1 do assert.equal("locals", sent[#sent - i].result[1].name) end
    -- A cancellation of an unknown request may arrive in one batch with something that is not a message.
    assert.is_true(server:receive_all { cancel(77), 0, cancel(0), "x", false })
  end)

  it("keeps no memory of unused ids", function()
    begin()
    open "locals {}\n"
    for n = 1, 100 do server:receive_all { { jsonrpc = "2.0", method = "$/cancelRequest", params = { id = n } } } end
    assert.equal("locals", ask("textDocument/documentSymbol", document)[1].name)
    for name, held in pairs(server) do
      local n = 0
      for _ in pairs(type(held) == "table" and held or {}) do n = n + 1 end
      assert.is_true(n < 50, name)
    end
  end)

  it("takes time in proportion to the size of a text, on one line or many, at any depth", function()
    if not support.all_cases then return end
    local function slow()
      local found = {}
      dofile(support.root .. "bench/doubling.lua").run(600, 4, 2, function(shape, method, time, longer)
        if longer > 0.05 and longer > 9 * time then found[method .. " of " .. shape] = ("%.3f s, %.3f s"):format(time, longer) end
      end)
      return found
    end
    -- The collector or other processes may slow one measurement; code that is really slow is slow again.
    local wrong = slow()
    local again = next(wrong) and slow() or {}
    for what in pairs(wrong) do wrong[what] = again[what] end
    assert.same({}, wrong)
  end)

  it("only diagnoses a large text", function()
    begin()
    open(("# filled\n"):rep(2 ^ 19) .. "locals {\n  a = \n}\n")
    assert.same({}, ask("textDocument/documentSymbol", document))
    assert.is_nil(ask("textDocument/hover", { textDocument = document.textDocument, position = { line = 0, character = 0 } }))
    while server:idle(1) do end
    assert.equal("textDocument/publishDiagnostics", sent[#sent].method)
    assert.equal(1, #sent[#sent].params.diagnostics)
  end)

  it("shows foreign text as plain text", function()
    begin()
    open 'variable "v" {\n  description = "![x](https://evil/x.png)"\n}\nlocals { a = var.v }\n'
    local place = { textDocument = document.textDocument, position = { line = 3, character = 18 } }
    local shown = ask("textDocument/hover", place).contents.value
    assert.truthy(shown:find("&#33;[x](https://evil/x.png)", 1, true), shown)
    local markdown = require "hclexpr.editor.markdown"
    assert.equal('```a``b`c```', markdown.code "a``b`c")
    assert.equal("`` `a` ``", markdown.code "`a`")
    assert.equal("````hcl\n```\n````", markdown.block("```", "hcl"))
    local kept = "A *list* of `names`, see [page](https://a/b):\n- [one](#one)\n- [mail](mailto:a@b)"
    assert.equal(kept, markdown.prose(kept))
    -- In any notation: before, within or beside code, in a cell of a table, with entities or by a definition.
    for _, written in ipairs {
      "<img src=x>", "\\<img src=x>", "\\` <img src=x> `", "` \n\n<img src=x> `", "| `a | <img src=x> ` |", "![a](b)", "\\![a](b)",
      "```\n![a](b)\n```", "[a](command:x)", "[a]( comm&#97;nd:x)", "[a](<command:x>)", "[a][b]\n\n[b]: command:x",
    } do
      local prose = markdown.prose(written)
      assert.is_nil(prose:find "<" or prose:find "!%[" or prose:find "%][(:]%s*[^%s)]*[:&]" or prose:find "`", prose)
    end
  end)

  it("keeps order: nothing before initialize, nothing after shutdown", function()
    sent, id = {}, 0
    server = lsp.new(function(message) sent[#sent + 1] = message end)
    local _, err = ask("textDocument/hover", document)
    assert.equal(-32002, err.code) -- the protocol's ServerNotInitialized
    notify("textDocument/didOpen", { textDocument = { uri = uri, text = "" } })
    begin()
    _, err = ask("initialize", {})
    assert.equal(lsp.errors.REQUEST, err.code)
    ask "shutdown"
    _, err = ask("textDocument/hover", document)
    assert.equal(lsp.errors.REQUEST, err.code)
    notify "exit"
    assert.equal(0, server.status)
    begin()
    notify "exit"
    assert.equal(1, server.status)
  end)

  it("answers wrong messages with an error and survives", function()
    begin()
    open "locals {}\n"
    for _, message in ipairs { 1, {}, { id = 5 }, { method = 1, id = 2 }, { method = "textDocument/didChange" }, { result = 1, id = "x" },
    } do server:receive(message) end
    local _, err = ask("no/such", document)
    assert.equal(lsp.errors.METHOD, err.code)
    assert.equal("locals", ask("textDocument/documentSymbol", document)[1].name)
  end)

  it("answers each of several messages in one", function()
    begin()
    open "locals {}\n"
    server:receive { { id = 8, method = "textDocument/signatureHelp", params = document }, { id = 9, method = "textDocument/documentSymbol",
      params = document } }
    assert.equal(8, sent[#sent - 1].id)
    assert.is_nil(sent[#sent - 1].error)
    assert.same({ 9, "locals" }, { sent[#sent].id, sent[#sent].result[1].name })
  end)

  -- Each field of each message, at any depth, is replaced or removed in turn: the server reports what it can't use, or ignores it.
  it("survives a message whose fields have other types", function()
    local place, range = { line = 1, character = 3 }, edit(0, 0, 9, 0).range
    local at = { uri = uri, version = 2, text = "locals {\n  a = 1\n  b = local.a\n}\n" }
    local settings = { hclexpr = { schemas = "x", vars = { "x.tfvars" }, inlays = true } }
    local function about(more)
      more.textDocument = at
      return more
    end
    local messages = {
      ["textDocument/didOpen"] = about {}, ["textDocument/didSave"] = about {},
      ["textDocument/didChange"] = about { contentChanges = { edit(0, 0, 0, 0, "\n"), { text = at.text } } },
      ["workspace/didChangeWatchedFiles"] = { changes = { { uri = uri, type = 2 } } },
      ["workspace/didChangeConfiguration"] = { settings = settings },
      ["workspace/didChangeWorkspaceFolders"] = { event = { added = { { uri = "file:///a" } }, removed = { { uri = "file:///a" } } } },
      ["workspace/symbol"] = { query = "a" }, ["textDocument/documentSymbol"] = about {}, ["textDocument/foldingRange"] = about {},
      ["textDocument/references"] = about { position = place, context = { includeDeclaration = true } },
      ["textDocument/rename"] = about { position = place, newName = "c" },
      ["textDocument/rangeFormatting"] = about { range = range }, ["textDocument/codeAction"] = about { range = range, context = {} },
      ["textDocument/inlayHint"] = about { range = range }, ["textDocument/semanticTokens/range"] = about { range = range },
    }
    for _, method in ipairs { "hover", "completion", "definition", "declaration", "documentHighlight", "signatureHelp", "prepareRename" } do
      messages["textDocument/" .. method] = about { position = place }
    end
    local function faults()
      local found = {}
      for _, message in ipairs(sent) do
        local code = message.error and message.error.code
        local known = code == lsp.errors.PARAMS or code == lsp.errors.FAILED
        if code and not known then found[#found + 1] = message.error.message end
        local logged = message.method == "window/logMessage" and message.params.message
        if logged and logged ~= "hclexpr: textDocument.uri is missing" then found[#found + 1] = logged end
      end
      return table.concat(found, "\n")
    end
    local function send(method, params) if method:find "did" then notify(method, params) else ask(method, params) end end
    local function vary(method, params, holder)
      for _, key in ipairs(support.keys(holder)) do
        local right = holder[key]
        for _, wrong in ipairs { 1, "x", true, {}, { {} }, json.null, 0 } do
          holder[key] = wrong ~= 0 and wrong or nil
          send(method, params)
          holder[key] = right
          assert.equal("", faults(), method .. ", " .. tostring(key) .. " = " .. json.encode(wrong))
          sent = {}
        end
        if type(right) == "table" then vary(method, params, right) end
      end
    end
    for _, method in ipairs(support.keys(messages)) do
      begin { workspace = { configuration = true, inlayHint = { refreshSupport = true } } }
      send("textDocument/didOpen", { textDocument = at })
      vary(method, messages[method], messages[method])
    end
    while server:idle(0.01) do end
    assert.equal("", faults())
    notify("textDocument/didOpen", { textDocument = at })
    assert.equal("locals", ask("textDocument/documentSymbol", { textDocument = at })[1].name)

    local given = { capabilities = { general = { positionEncodings = { "utf-16" } }, workspace = { configuration = true,
      didChangeWatchedFiles = { dynamicRegistration = true } } }, workspaceFolders = { { uri = "file:///no" } }, rootUri = "file:///no",
      initializationOptions = settings }
    send = function(method, params)
      server = lsp.new(function(message) sent[#sent + 1] = message end)
      ask(method, params)
      notify("initialized", {})
      assert.equal("running", server.state)
    end
    vary("initialize", given, given)
  end)
end)

describe("hclexpr lsp", function()
  setup(command.begin)
  teardown(command.finish)

  local function framed(messages)
    local parts = {}
    for i, message in ipairs(messages) do
      local content = type(message) == "string" and message or json.encode(message)
      parts[i] = "Content-Length: " .. #content .. "\r\n\r\n" .. content
    end
    return table.concat(parts)
  end

  local function request(number, method, params) return { jsonrpc = "2.0", id = number, method = method, params = params } end

  local function note(method, params) return { jsonrpc = "2.0", method = method, params = params } end

  -- The answers of the process to bytes: all messages, by id, and its status.
  local function run(input, ...)
    local status, out, err = command.run({ "lsp", ... }, { input = input })
    assert.equal("", err)
    local by_id, all, at = {}, {}, 1
    while at <= #out do
      local length, start = out:match("^Content%-Length: (%d+)\r\n\r\n()", at)
      assert.is_truthy(length, out:sub(at, at + 100))
      local message = assert(json.decode(out:sub(start, start + length - 1)))
      if message.id ~= nil then by_id[message.id] = message end
      all[#all + 1] = message
      at = start + length
    end
    return by_id, all, status
  end

  it("knows the languages that -language names, and none that settings do", function()
    local description = command.file("gate.lua", [[
return require "hclexpr.language" { name = "gate", files = { "*.gate" }, attributes = { host = "string" } }]])
    local gate = { uri = "file:///x/a.gate", version = 1, text = "" }
    local function labels(settings, ...)
      local messages = framed {
        request(1, "initialize", { capabilities = { workspace = { didChangeWatchedFiles = { dynamicRegistration = true } } },
                                   initializationOptions = settings }),
        note("initialized", {}), note("textDocument/didOpen", { textDocument = gate }),
        request(2, "textDocument/completion", { textDocument = gate, position = { line = 0, character = 0 } }),
        request(3, "shutdown"), note "exit",
      }
      local by_id, all, status = run(messages, ...)
      assert.equal(0, status)
      local found, watched = {}, false
      for i, item in ipairs(by_id[2].result.items) do found[i] = item.label end
      for _, message in ipairs(all) do
        if message.method == "client/registerCapability" then
          for _, watcher in ipairs(message.params.registrations[1].registerOptions.watchers) do
            watched = watched or watcher.globPattern == "**/*.gate"
          end
        end
      end
      return found, watched
    end
    local found, watched = labels({}, "-language", description)
    assert.same({ "host" }, found)
    assert.is_true(watched)
    assert.same({}, (labels { languages = { description } }))
    command.fails(1, { "lsp", "-language", command.file("no.lua", "return {}") }, "it describes no language")
    command.fails(1, { "lsp", "-language", command.file("bad.lua", 'return require "hclexpr.language" { name = 5 }') },
      "bad.lua", "language.name: a string expected")
  end)

  it("works from initialize to exit, with a folder's schemas", function()
    local dir = command.folder .. "/work"
    command.file("work/.hclexpr/schemas.json",
      '{"format_version":"1.0","provider_schemas":{"registry.terraform.io/hashicorp/acme":{"resource_schemas":'
      .. '{"acme_box":{"block":{"attributes":{"depth":{"type":"number","required":true,"description":"How deep."}}}}}},'
      .. '"a.example/hashicorp/acme":1,"b.example/hashicorp/acme":1,"c.example/hashicorp/acme":1,"d.example/hashicorp/acme":1}}')
    local source = 'resource "acme_box" "b" {\n  \n}\n'
    local at = "file://" .. command.file("work/main.tf", source)
    local by_id, all, status = run(framed {
      request(1, "initialize", { rootUri = "file://" .. dir, capabilities = {} }), note("initialized", {}),
      note("textDocument/didOpen", { textDocument = { uri = at, version = 1, text = source } }),
      request(2, "textDocument/completion", { textDocument = { uri = at }, position = { line = 1, character = 2 } }),
      request(3, "textDocument/hover", { textDocument = { uri = at }, position = { line = 0, character = 12 } }),
      request(4, "shutdown"), note "exit",
    })
    assert.equal(0, status)
    local found
    for _, item in ipairs(by_id[2].result.items) do found = found or item.label == "depth" and item end
    assert.equal("required, number", found.detail)
    assert.equal("How deep.", found.documentation.value)
    assert.truthy(by_id[3].result.contents.value:find("hashicorp/acme", 1, true))
    assert.is_truthy(#all >= 4)
  end)

  it("ends without output if the client is gone", function()
    local _, _, status = run(framed { request(1, "initialize", { capabilities = {} }) })
    assert.equal(1, status)
    assert.equal(1, select(3, run ""))
    assert.equal(1, select(3, run "Content-Length: 100\r\n\r\n{"))
    assert.equal(1, select(3, run "Content-Length: "))
  end)

  it("finds the next message after broken ones", function()
    local exit = framed { request(1, "initialize", { capabilities = {} }), request(2, "shutdown"), note "exit" }
    for _, broken in ipairs { framed { "{" }, framed { "" }, framed { "[]" }, framed { "null" }, framed { "\0\255" }, "garbage\r\n\r\n",
      "\r\n",
                              "Content-Length: 99999999999999\r\n\r\n", "Content-Length: -5\r\n\r\n", "content-length: 2\nX: y\n\n{}" } do
      local by_id, _, status = run(broken .. exit)
      assert.equal(0, status, broken)
      assert.is_truthy(by_id[2], broken)
    end
  end)

  it("answers about a file of a megabyte", function()
    local lines = {}
    for i = 1, 30000 do lines[i] = ("  name_%d = local.name_%d + 1"):format(i, i - 1) end
    local source = "locals {\n" .. table.concat(lines, "\n") .. "\n}\n"
    local at = "file://" .. command.folder .. "/huge/main.tf"
    local by_id, _, status = run(framed {
      request(1, "initialize", { capabilities = {} }), note("initialized", {}),
      note("textDocument/didOpen", { textDocument = { uri = at, version = 1, text = source } }),
      request(2, "textDocument/definition", { textDocument = { uri = at }, position = { line = 20000, character = 30 } }),
      request(3, "shutdown"), note "exit",
    })
    assert.equal(0, status)
    assert.equal(19999, by_id[2].result[1].range.start.line)
  end)
end)
