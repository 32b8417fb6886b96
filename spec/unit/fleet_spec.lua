-- Functions that nodes and the command share for versions of rules: files as one text, and the storage of versions.
local bundle = require "hclexpr.bundle"
local Client = require "hclexpr.fleet.client"
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local urls = require "hclexpr.fleet.url"

describe("a bundle", function()
  it("returns the packed files, whatever they contain", function()
    local all = {
      {}, { { name = "a.hcl", text = "" } }, { { name = "a.hcl", text = "x = 1\n" }, { name = "b c.json", text = "{}" } },
      { { name = "tricky.hcl", text = "# hclexpr: 3 bytes of other.hcl\nx\n\n" }, { name = "z.hcl", text = "\n" } },
    }
    for i = 2, #all do assert.are.same(all[i], bundle.unpack(bundle.pack(all[i]), "none")) end
    -- It stays a source.
    assert.are.same({ x = 1, y = 2 }, hcl.decode(bundle.pack { { name = "a", text = "x = 1" }, { name = "b", text = "y = 2" } }))
  end)

  it("reads any other text as one file", function()
    for _, text in ipairs { "", "x = 1", "# hclexpr: 100 bytes of a.hcl\nx = 1\n", "# hclexpr: 5 bytes of a.hcl\nx = 1\nmore",
      "# hclexpr: 99999999999999999999 bytes of a\n\n" } do
      assert.are.same({ { name = "edge", text = text } }, bundle.unpack(text, "edge"))
    end
  end)

  it("is made of the rule files of a folder", function()
    local folder = support.temporary_folder()
    for _, name in ipairs { "b.hcl", "a.json", ".hidden.hcl", "#copy.hcl", "c.hcl~", "notes.txt" } do
      support.write(folder .. "/" .. name, "")
    end
    assert.are.same({ folder .. "/a.json", folder .. "/b.hcl" }, bundle.list(folder))
    support.remove(folder)
    assert.is_nil((bundle.list(folder)))
  end)
end)

describe("a URL of versions", function()
  it("has host, database and key, and perhaps user, password and TLS", function()
    local place = assert(urls.read "redis://127.0.0.1:6380/2/edge")
    assert.are.same({ "127.0.0.1", 6380, 2, "edge", false }, { place.host, place.port, place.database, place.key, place.tls })
    place = assert(urls.read "rediss://ada:p%40ss%2fword@redis.example.org/0/a:b")
    assert.are.same({ "redis.example.org", 6379, true }, { place.host, place.port, place.tls })
    assert.are.same({ "ada", "p@ss/word" }, { place.user, place.password })
    assert.are.equal("rediss://redis.example.org/0/a:b", place.shown)
    place = assert(urls.read "redis://:word@[::1]:7000/0/edge")
    assert.are.same({ "[::1]", 7000, "word" }, { place.host, place.port, place.password })
    assert.is_nil(place.user)
  end)

  it("is rejected if a part is missing, and never shows a password", function()
    for _, text in ipairs { "", "edge", "http://127.0.0.1/0/edge", "redis://:word@127.0.0.1", "redis://:word@127.0.0.1/0",
      "redis://:word@/0/edge", "redis://:word@127.0.0.1/x/edge", "redis://:word@127.0.0.1/0/e dge", "redis://:word@a:b:c/0/edge" } do
      local place, why = urls.read(text)
      assert.is_nil(place)
      assert.matches("redis://127.0.0.1:6379/0/edge", why, 1, true)
      assert.is_nil(why:find "word")
    end
  end)
end)

describe("core.sha256", function()
  it("is the digest of any bytes", function()
    local digest = core.sha256 "abc"
    if not digest then return end -- a build without OpenSSL
    assert.are.equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", digest)
    assert.are.equal("5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", core.sha256 "0")
    assert.are.equal(64, #core.sha256 "\0\255")
  end)
end)

-- A node reads the answers of any store.
describe("an answer of Redis", function()
  local Bounded = require "resty.hclexpr.bounded"
  local BYTES = bundle.MAX_BYTES + 65536 -- of all answers to a poll: the longest text and what surrounds it

  -- A cosocket with lines to read: receiveuntil returns a function that returns so many bytes of one at a time, and nil at its end.
  local function answering(lines)
    local calls = {}
    return Bounded.new(setmetatable({
      receiveuntil = function(_, pattern)
        assert.equal("\r\n", pattern)
        local line, at = table.remove(lines, 1), 0
        return function(n)
          if not line then return nil, "closed" end
          local piece = line:sub(at + 1, at + n)
          at = at + n
          if piece ~= "" or at == n then return piece end
        end
      end,
      receive = function(_, n) return ("%d bytes"):format(n) end,
    }, { __index = function(_, name) return function(_, ...) calls[#calls + 1] = { name, ... } return name, "why" end end })), calls
  end

  it("is read unchanged up to the size of rules", function()
    local lines = { "", "+OK", ("x"):rep(4096), "*100", "*0", "*-1", "*x", "$5" }
    local socket = answering { support.unpack(lines) }
    for _, line in ipairs(lines) do assert.equal(line, socket:receive()) end
    assert.same({ nil, "closed" }, { socket:receive() })
    assert.equal("5 bytes", socket:receive(5))
    assert.equal(BYTES - 5 .. " bytes", socket:receive(BYTES - 5))
    assert.same({ nil, "it answers more than rules have: over " .. BYTES .. " bytes" }, { socket:receive(1) })
    assert.equal("0 bytes", socket:receive(0))
  end)

  it("is rejected if it is longer", function()
    for line, what in pairs { [("x"):rep(4097)] = "a line of over 4096 bytes", ["*101"] = "an array of over 100 elements",
      ["*1e9"] = "an array of over 100 elements" } do
      local line_read, why = answering { line }:receive()
      assert.is_nil(line_read)
      assert.equal("it answers more than rules have: " .. what, why)
    end
    local lines = {}
    for i = 1, 101 do lines[i] = "+" end
    local socket = answering(lines)
    for _ = 1, 100 do assert.equal("+", socket:receive()) end
    assert.equal("it answers more than rules have: over 100 lines", select(2, socket:receive()))
    for _, size in ipairs { BYTES + 1, 0 / 0 } do
      assert.equal("it answers more than rules have: over " .. BYTES .. " bytes", select(2, answering {}:receive(size)))
    end
  end)

  it("is requested as by the client", function()
    local socket, calls = answering {}
    for i, name in ipairs { "settimeout", "settimeouts", "connect", "sslhandshake", "send", "setkeepalive", "getreusedtimes", "close" } do
      assert.same({ name, "why" }, { socket[name](socket, i, "x") })
      assert.same({ name, i, "x" }, calls[i])
    end
  end)
end)

describe("the command's client", function()
  local loaded, redis, socket, path = package.loaded, package.loaded.redis, package.loaded.socket, package.path
  before_each(function()
    loaded.socket = { tcp = function()
      return { settimeout = function() end, connect = function() return true end }
    end }
  end)
  after_each(function() loaded.redis, loaded.socket, package.path, package.preload.redis = redis, socket, path, nil end)

  local function open() return Client.open(assert(urls.read "redis://h:1/0/edge")) end
  -- One with a Redis that answers scripts this way.
  local function client(eval)
    loaded.redis = { connect = function() return { select = function() end, eval = eval } end }
    return assert(open())
  end

  it("passes arguments to a script, and returns its results", function()
    local asked
    local id = { client(function(_, _, ...)
      asked = { ... }
      return 7
    end):publish("abc", "a note") }
    local digest = core.sha256 "abc"
    assert.same({ "7", "7-" .. digest:sub(1, 8) }, id)
    assert.same({ 1, "edge", "abc", digest, "a note" }, { support.unpack(asked, 1, 5) })
    assert.is_false((client(function() end):rollback()))
  end)

  it("says why a script fails", function()
    local one = client(function() error("/usr/redis.lua:1: redis error: NOAUTH", 0) end)
    assert.same({ nil, "redis://h:1/0/edge: NOAUTH" }, { one:publish("abc", "") })
  end)

  it("rejects answers that no script gives: another server may be there", function()
    local nonsense = { nil, "redis://h:1/0/edge: it answers nonsense" }
    for _, answer in ipairs { true, "hello", { "1", "2" }, { 1, 2 }, -1, 1e23, 0 / 0 } do
      local one = client(function() return answer end)
      assert.same(nonsense, { one:publish("abc", "") })
      assert.same(nonsense, { one:fleet() })
      if type(answer) ~= "table" or answer[1] ~= "1" then assert.same(nonsense, { one:rollback() }) end
    end
    assert.same({ nil, nonsense[2] }, { client(function() end):publish("abc", "") })
    assert.same(nonsense, { client(function() return { "3", "a", "b" } end):fleet() })
    assert.equal("12", client(function() return "12" end):rollback())
    local refused = { "12", "node", "its report" }
    assert.same(refused, (client(function() return refused end):rollback()))
    local stumbling = client(function() error("/usr/redis.lua:1: attempt to concatenate a nil value (local 'length')", 0) end)
    assert.same(nonsense, { stumbling:fleet() })
    local long = select(2, client(function() error(("x"):rep(1e6), 0) end):fleet())
    assert.is_true(#long < 600)
  end)

  it("is missing if no library has one", function()
    loaded.redis, package.path = nil, ""
    package.preload.redis = function() error "none" end
    local one, why = open()
    assert.is_nil(one)
    assert.equal("redis://h:1/0/edge: the client for Redis is missing (Debian: lua-redis)", why)
  end)
end)

describe("hclexpr fleet", function()
  local fleet, shell, store = require "hclexpr.cli.fleet", require "hclexpr.cli.shell", require "hclexpr.cli.store"
  local json = require "hclexpr.lsp.json"

  -- The output for what is in Redis, and the status: a line for each version and node.
  local function shown(found, ...)
    local product, open, out = shell.product, store.open, {}
    shell.product = function(...) out[#out + 1] = table.concat { ... } end
    store.open = function(url)
      assert.equal("redis://h/0/k", url)
      return { fleet = function() return found end }
    end
    local arguments = { ... }
    table.insert(arguments, "redis://h/0/k")
    local ok, status = pcall(fleet.run, arguments)
    shell.product, store.open = product, open
    assert.is_true(ok, status)
    return table.concat(out), status
  end

  local function version(n, note, ...) return { version = n, note = note, time = 60 * n, sha256 = "s" .. n, refused_by = { ... } } end
  local function node(name, n, refused)
    return { name = name, rules = "edge", version = n, since = 60, seen = 120, refused = refused or "",
      refused_since = refused and 90, report = refused and "Error: no\n  on line 1\n" or nil }
  end
  local all = { current = "3", versions = { version("3", "third", "b", "c"), version("2", "") },
    nodes = { node("a", "3"), node("b", "2", "3"), node("c", "", "3"), node("d", "") } }

  it("shows the versions, the current one marked, and what each node runs and rejects", function()
    local text, status = shown(all)
    assert.equal(shell.BAD_INPUT, status)
    assert.equal([[
* 3  1970-01-01T00:03:00Z  third  (rejected by b, c)
  2  1970-01-01T00:02:00Z
a: version 3 since 1970-01-01T00:01:00Z
b: version 2 since 1970-01-01T00:01:00Z
  rejected version 3:
    Error: no
      on line 1
c: no version
  rejected version 3:
    Error: no
      on line 1
d: no version
]], text)
  end)

  it("succeeds if no node rejects a version", function()
    local text, status = shown { current = "", versions = {}, nodes = {} }
    assert.same({ "no version was published\n", nil }, { text, status })
    assert.is_nil(select(2, shown { current = "2", versions = { version("2", "") }, nodes = { node("a", "2"), node("d", "") } }))
  end)

  it("prints it as JSON", function()
    local text, status = shown(all, "-json")
    assert.equal(shell.BAD_INPUT, status)
    local refused = { version = "3", since = "1970-01-01T00:01:30Z", report = "Error: no\n  on line 1\n" }
    local first, second = "1970-01-01T00:01:00Z", "1970-01-01T00:02:00Z"
    assert.same({ current = "3",
      versions = { { version = "3", note = "third", sha256 = "s3", time = "1970-01-01T00:03:00Z", refused_by = "b, c" },
                   { version = "2", note = "", sha256 = "s2", time = second } },
      nodes = { { name = "a", rules = "edge", version = "3", since = first, seen = second },
                { name = "b", rules = "edge", version = "2", since = first, seen = second, refused = refused },
                { name = "c", rules = "edge", version = "", since = first, seen = second, refused = refused },
                { name = "d", rules = "edge", version = "", since = first, seen = second } },
    }, json.decode(text))
  end)
end)

describe("hclexpr publish --wait", function()
  local publish, shell, store = require "hclexpr.cli.publish", require "hclexpr.cli.shell", require "hclexpr.cli.store"

  -- The output for what each look at Redis finds, one after the other, the number of pauses, and the message of a failure.
  local function waited(timeout, ...)
    local path, looks, at, pauses, out = support.temporary_file("a = 1\n", ".hcl"), { ... }, 0, 0, {}
    local write, open, fail = shell.write, store.open, shell.fail
    shell.write = function(...) out[#out + 1] = table.concat { ... } end
    shell.fail = function(message) error(message, 0) end
    store.open = function()
      return {
        publish = function() return "3", "3-id" end, sleep = function() pauses = pauses + 1 end,
        fleet = function()
          at = math.min(at + 1, #looks)
          return { current = "3", versions = {}, nodes = looks[at] }
        end,
      }
    end
    local ok, why = pcall(publish.run, { "--wait", "--timeout", timeout, path, "redis://h/0/k" })
    shell.write, store.open, shell.fail = write, open, fail
    support.remove(path)
    return table.concat(out), pauses, not ok and why or nil
  end

  local new, old = { name = "a", version = "3-id" }, { name = "b", version = "2-id" }

  it("ends once all nodes run the version", function()
    assert.same({ "version 3\n1 node runs it\n", 0 }, { waited("1", { new }) })
    assert.same({ "version 3\n2 nodes run it\n", 2 }, { waited("1", {}, { new, old }, { new, new }) })
  end)

  it("names the nodes that didn't within that time", function()
    assert.same({ "version 3\n", 5, "after 1 seconds b did not run version 3" }, { waited("1", { new, old }) })
    assert.matches("^after 1 seconds no node has reported", select(3, waited("1", {})))
  end)
end)
