-- rsadecrypt compared with the openssl program, which makes the keys and the ciphertexts when this runs.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local read, runs, write = support.read, support.runs, support.write

if not support.has "openssl" then
  support.note "rsa_spec: the openssl program is not installed: passed over"
  return
end

if support.lacking(hcl) "rsadecrypt()" then
  support.note "rsa_spec: this build has no OpenSSL: passed over"
  return
end

describe("rsadecrypt", function()
  local dir, key, other

  local function openssl(arguments)
    assert(runs("cd " .. dir .. " && openssl " .. arguments .. " >/dev/null 2>&1"), "openssl " .. arguments)
  end

  local function encrypted(bytes, with)
    write(dir .. "/plain", bytes)
    openssl("pkeyutl -encrypt -inkey " .. (with or "key.pem") .. " -pkeyopt rsa_padding_mode:pkcs1 -in plain -out secret")
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


  it("returns what openssl encrypted", function()
    for _, text in ipairs { "password", "Grüße, 東京", ("x"):rep(117) } do
      assert.equal(text, decrypted(encrypted(text), key))
    end
  end)

  -- RFC 1421: headers may come between the first line and the key.
  it("reads past headers of a key", function()
    local headed = key:gsub("(%-%-%-%-%-BEGIN[^\n]*\n)", "%1Comment: for tests\nUse: none, of course\n\n")
    assert.equal("password", decrypted(encrypted "password", headed))
    blamed(encrypted "password", (headed:gsub("Use: none", "Proc-Type: 4,ENCRYPTED")))
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

  it("reads a key as ssh-keygen writes it, of RSA only", function()
    if not support.has "ssh-keygen" then
      support.note "rsa_spec: ssh-keygen is not installed: its keys are passed over"
      return
    end
    local function ssh_keygen(arguments) assert(runs("cd " .. dir .. " && ssh-keygen -q " .. arguments .. " >/dev/null"), arguments) end
    ssh_keygen "-t rsa -b 1024 -N '' -f ssh"
    ssh_keygen "-t ed25519 -N '' -f short"
    ssh_keygen "-t rsa -b 1024 -N password -f closed"
    -- The same key in the form that openssl reads, to encrypt with it.
    write(dir .. "/ssh.pem", read(dir .. "/ssh"))
    assert(runs("chmod 600 " .. dir .. "/ssh.pem"))
    ssh_keygen "-p -m PEM -P '' -N '' -f ssh.pem"
    local pem = read(dir .. "/ssh")
    assert.truthy(pem:find("BEGIN OPENSSH PRIVATE KEY", 1, true))
    local text = encrypted("password", "ssh.pem")
    assert.equal("password", decrypted(text, pem))
    for _, name in ipairs { "short", "closed", "ssh.pub" } do blamed(text, read(dir .. "/" .. name)) end
  end)

  -- DER, in PEM.
  local function piece(tag, ...)
    local s = table.concat { ... }
    if #s < 128 then return string.char(tag, #s) .. s end
    return string.char(tag, 0x83, math.floor(#s / 65536), math.floor(#s / 256) % 256, #s % 256) .. s
  end
  local function number(bytes) return piece(2, bytes == 0 and "\0" or "\1" .. ("\255"):rep(bytes - 1)) end
  local function base64(bytes)
    write(dir .. "/bytes", bytes)
    openssl "base64 -in bytes -out lines"
    return read(dir .. "/lines")
  end
  local function pem_of(label, der)
    return "-----BEGIN " .. label .. "-----\n" .. base64(der) .. "-----END " .. label .. "-----\n"
  end

  -- A small modulus and a private exponent of 160,000 bits, which would take minutes.
  it("charges for a key's longest number before using it", function()
    local numbers = number(0) .. number(128) .. number(3) .. number(20000)
    for _ = 1, 5 do numbers = numbers .. number(64) end
    local pem = pem_of("RSA PRIVATE KEY", piece(0x30, numbers))
    assert.equal("limit.steps", support.code(decrypted(base64(("a"):rep(128)), pem)))
  end)

  -- OpenSSL would compute the public key: a power of 160,000 bits, which takes minutes, too.
  it("doesn't compute with keys of other kinds", function()
    local big = number(20000)
    local dsa = piece(0x30, piece(6, "\42\134\72\206\56\4\1"), piece(0x30, big, big, big))
    blamed("AAAA", pem_of("PRIVATE KEY", piece(0x30, number(0), dsa, piece(4, big))))
    blamed("AAAA", pem_of("EC PRIVATE KEY", piece(0x30, number(1))))
    blamed("AAAA", pem_of("DSA PRIVATE KEY", piece(0x30, number(0))))
  end)

  it("rejects text encrypted for another key, and damaged text", function()
    local text = encrypted "password"
    blamed(text, other)
    blamed("AAAA", key)
    blamed("", key)
  end)

  it("rejects text that isn't base64, at the first argument", function()
    assert.same({ 11, 15 }, { blamed("!!!", key) })
  end)

  it("rejects text that isn't a private key, at the second argument", function()
    local text = encrypted "password"
    openssl "pkey -in key.pem -pubout -out public.pem"
    openssl "pkey -in key.pem -aes128 -passout pass:word -out locked.pem"
    openssl "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem"
    local keys = { "", "garbage", key:sub(1, 200) }
    for _, name in ipairs { "public", "locked", "ec" } do keys[#keys + 1] = read(dir .. "/" .. name .. ".pem") end
    for _, pem in ipairs(keys) do assert.same({ 17, 20 }, { blamed(text, pem) }) end
  end)

  it("rejects bytes that aren't text", function()
    blamed(encrypted "\255\254\128", key)
  end)

  it("fails cleanly if an allocation fails", function()
    local text = encrypted "password"
    local torture = dofile(support.root .. "spec/torture.lua")
    assert.same({}, (torture.run(function() return decrypted(text, key) end, 20)))
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
