-- rsadecrypt against the openssl program, which makes the keys and the ciphertexts when this runs.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local read, runs, write = support.read, support.runs, support.write

if not support.has "openssl" then
  support.note "rsa_spec: the openssl program is not installed: passed over"
  return
end

describe("rsadecrypt", function()
  local dir, key, other

  local function openssl(arguments)
    assert(runs("cd " .. dir .. " && openssl " .. arguments .. " >/dev/null 2>&1"), "openssl " .. arguments)
  end

  local function encrypted(bytes)
    write(dir .. "/plain", bytes)
    openssl "pkeyutl -encrypt -inkey key.pem -pkeyopt rsa_padding_mode:pkcs1 -in plain -out secret"
    openssl "base64 -A -in secret -out secret.b64"
    return read(dir .. "/secret.b64")
  end

  local function decrypted(text, pem)
    return hcl.eval("rsadecrypt(text, key)", { text = text, key = pem })
  end

  local function blamed(text, pem)
    local v, err = decrypted(text, pem)
    assert.is_nil(v)
    assert.is_nil(err[2])
    return err[1].range.start.byte, err[1].range.stop.byte
  end

  setup(function()
    dir = support.temporary_folder()
    openssl "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out key.pem"
    openssl "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out other.pem"
    key, other = read(dir .. "/key.pem"), read(dir .. "/other.pem")
  end)

  teardown(function() support.remove(dir) end)

  it("gives what openssl encrypted", function()
    for _, text in ipairs { "password", "Grüße, 東京", ("x"):rep(117) } do
      assert.equal(text, decrypted(encrypted(text), key))
    end
  end)

  it("reads a key of the older form", function()
    if not runs("cd " .. dir .. " && openssl rsa -in key.pem -traditional -out old.pem >/dev/null 2>&1") then
      support.note "rsa_spec: this openssl can't write keys of the older form: passed over"
      return
    end
    local old = read(dir .. "/old.pem")
    assert.truthy(old:find("BEGIN RSA PRIVATE KEY", 1, true))
    assert.equal("password", decrypted(encrypted "password", old))
  end)

  it("refuses what was made for another key, or is damaged", function()
    local text = encrypted "password"
    blamed(text, other)
    blamed("AAAA", key)
    blamed("", key)
  end)

  it("refuses what is no base64, at the first argument", function()
    assert.same({ 11, 15 }, { blamed("!!!", key) })
  end)

  it("refuses what is no private key, at the second argument", function()
    local text = encrypted "password"
    openssl "pkey -in key.pem -pubout -out public.pem"
    openssl "pkey -in key.pem -aes128 -passout pass:word -out locked.pem"
    openssl "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem"
    local keys = { "", "garbage", key:sub(1, 200) }
    for _, name in ipairs { "public", "locked", "ec" } do keys[#keys + 1] = read(dir .. "/" .. name .. ".pem") end
    for _, pem in ipairs(keys) do assert.same({ 17, 20 }, { blamed(text, pem) }) end
  end)

  it("refuses bytes that are no text", function()
    blamed(encrypted "\255\254\128", key)
  end)

  it("keeps the marks of text and key", function()
    local v = hcl.assert(hcl.compile "rsadecrypt(text, key)"):value { text = encrypted "password", key = hcl.sensitive(key) }
    assert.same({ "sensitive" }, v:marks())
    assert.equal("password", v:unmark():text())
  end)

  it("shows no part of a sensitive key", function()
    local _, err = decrypted("!!!", hcl.sensitive(key))
    assert.is_nil(tostring(err):find("BEGIN", 1, true))
    _, err = decrypted(encrypted "password", hcl.sensitive(key:sub(1, 200)))
    assert.is_nil(tostring(err):find("BEGIN", 1, true))
  end)
end)
