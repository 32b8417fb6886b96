-- What nodes and the command share about versions of rules: files as one text, and where versions are stored.
local bundle = require "hclexpr.bundle"
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local urls = require "hclexpr.fleet.url"

describe("a bundle", function()
  it("gives back the files that were packed, whatever is in them", function()
    local all = {
      {}, { { name = "a.hcl", text = "" } }, { { name = "a.hcl", text = "x = 1\n" }, { name = "b c.json", text = "{}" } },
      { { name = "tricky.hcl", text = "# hclexpr: 3 bytes of other.hcl\nx\n\n" }, { name = "z.hcl", text = "\n" } },
    }
    for i = 2, #all do assert.are.same(all[i], bundle.unpack(bundle.pack(all[i]), "none")) end
    -- It stays a source.
    assert.are.same({ x = 1, y = 2 }, hcl.decode(bundle.pack { { name = "a", text = "x = 1" }, { name = "b", text = "y = 2" } }))
  end)

  it("takes what is none as one file", function()
    for _, text in ipairs { "", "x = 1", "# hclexpr: 100 bytes of a.hcl\nx = 1\n", "# hclexpr: 5 bytes of a.hcl\nx = 1\nmore",
      "# hclexpr: 99999999999999999999 bytes of a\n\n" } do
      assert.are.same({ { name = "edge", text = text } }, bundle.unpack(text, "edge"))
    end
  end)

  it("is made of the files of a folder that are rules", function()
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

  it("is refused if a part is missing, and never shows a password", function()
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
