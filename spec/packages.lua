-- Makes packages of bindings for specs: a wheel or a tgz whose compiled files have their TypeScript in source maps, in the forms that the
-- generator of CDK Terrain writes. The texts are generated from rows.
local hcl = require "hclexpr"

local packages = {}

-- Checksums of gzip and zip

-- Lua 5.1 has no such operator; later Luas have different ones.
local compile = loadstring or load
local operator = compile "return function(a, b) return a ~ b end"
local bits = rawget(_G, "bit32") or rawget(_G, "bit")
local built_in = operator and operator() or bits and function(a, b) return bits.bxor(a, b) % 4294967296 end

local function xor(a, b)
  if built_in then return built_in(a, b) end
  local sum, bit = 0, 1
  while a > 0 or b > 0 do
    local x, y = a % 2, b % 2
    if x ~= y then sum = sum + bit end
    a, b, bit = (a - x) / 2, (b - y) / 2, bit * 2
  end
  return sum
end

local sums

-- The checksum of whole groups of eight bytes, in one line if operators make that fast: fuzzers count lines.
local EIGHTS = "local sums, c, s = ... for i = 1, #s - 7, 8 do local a, b, d, e, f, g, h, j = s:byte(i, i + 7) "
for byte in ("abdefghj"):gmatch "." do EIGHTS = EIGHTS .. ("c = sums[(c ~ %s) & 255] ~ (c >> 8) "):format(byte) end
local eights = compile(EIGHTS .. "end return c")

local function crc32(bytes)
  if not sums then
    sums = {}
    for i = 0, 255 do
      local c = i
      for _ = 1, 8 do c = c % 2 == 1 and xor((c - 1) / 2, 0xEDB88320) or c / 2 end
      sums[i] = xor(c, 0) -- an integer, in Luas that have them
    end
  end
  local c = 0xFFFFFFFF
  if eights then c = eights(sums, c, bytes) end
  for i = eights and #bytes - #bytes % 8 + 1 or 1, #bytes do
    local key = c % 256
    c = xor(sums[xor(key, bytes:byte(i))], (c - key) / 256)
  end
  return xor(c, 0xFFFFFFFF)
end

function packages.bytes(n, count)
  local out = {}
  for i = 1, count do
    out[i] = string.char(n % 256)
    n = math.floor(n / 256)
  end
  return table.concat(out)
end

local le = packages.bytes

--- Deflated bytes without compression.
function packages.stored(bytes)
  local parts, at = {}, 1
  repeat
    local piece = bytes:sub(at, at + 65534)
    at = at + 65535
    parts[#parts + 1] = (at > #bytes and "\1" or "\0") .. le(#piece, 2) .. le(65535 - #piece, 2) .. piece
  until at > #bytes
  return table.concat(parts)
end

function packages.gzip(bytes)
  return "\31\139\8\0\0\0\0\0\0\255" .. packages.stored(bytes) .. le(crc32(bytes), 4) .. le(#bytes, 4)
end

-- Archives

local function padded(text, n) return text .. ("\0"):rep(n - #text) end

--- A tar archive of { name, text } pairs; a third field changes the declared size.
function packages.tar(files)
  local parts = {}
  for _, file in ipairs(files) do
    local name, text = file[1], file[2]
    local head = padded(name, 100) .. "0000644\0" .. ("0000000\0"):rep(2) .. ("%011o\0"):format(file[3] or #text) .. "00000000000\0"
      .. "        0" .. ("\0"):rep(100) .. "ustar\00000" .. ("\0"):rep(247)
    parts[#parts + 1] = head .. padded(text, math.ceil(#text / 512) * 512)
  end
  return table.concat(parts) .. ("\0"):rep(1024)
end

--- A zip archive of { name, bytes } pairs. deflated: compressed by method 8; change: a function that changes an entry's fields.
function packages.zip(files, deflated, change)
  local parts, list, at = {}, {}, 0
  for _, file in ipairs(files) do
    local name, bytes = file[1], file[2]
    local packed = deflated and packages.stored(bytes) or bytes
    local e = { method = deflated and 8 or 0, crc = crc32(bytes), packed = #packed, size = #bytes, at = at }
    if change then change(e) end
    local fields = le(e.method, 2) .. le(0, 4) .. le(e.crc, 4) .. le(e.packed, 4) .. le(e.size, 4) .. le(#name, 2)
    local whole = "PK\3\4" .. le(20, 2) .. le(0, 2) .. fields .. le(0, 2) .. name .. packed
    parts[#parts + 1], at = whole, at + #whole
    list[#list + 1] = "PK\1\2" .. le(20, 2) .. le(20, 2) .. le(0, 2) .. fields .. le(0, 12) .. le(e.at, 4) .. name
  end
  local all = table.concat(list)
  return table.concat(parts) .. all .. "PK\5\6" .. le(0, 4) .. le(#files, 2) .. le(#files, 2) .. le(#all, 4) .. le(at, 4) .. le(0, 2)
end

-- Bindings

local function camel(name) return (name:gsub("_(%w)", string.upper)) end
local function pascal(name) return (camel("_" .. name)) end

local HEAD = "// https://registry.terraform.io/providers/%s/%s/docs/%s/%s\n// generated from terraform resource schema\n"

-- getters and the names in hcl attributes, by kind: type, storage class
local KINDS = {
  string = { "this.getStringAttribute('%s')", "simple", "string" }, number = { "this.getNumberAttribute('%s')", "simple", "number" },
  bool = { "this.getBooleanAttribute('%s')", "simple", "boolean" }, strings = { "this.getListAttribute('%s')", "list", "stringList" },
  string_set = { "cdktn.Fn.tolist(this.getListAttribute('%s'))", "set", "stringList" },
  map = { "this.getStringMapAttribute('%s')", "map", "stringMap" }, any = { "this.interpolationForAttribute('%s')", "simple", "any" },
  any_map = { "this.interpolationForAttribute('%s')", "map", "anyMap" },
}
local NESTED = { list = { "List", ", false", "list" }, set = { "List", ", true", "set" }, one = { "OutputReference", "", "list" },
                 single = { "OutputReference", "", "struct" } }

local PROPERTY = "  /**\n  * %s\n  *\n  * Docs at Terraform Registry: {@link https://example.com/docs#%s T#%s}\n  */\n  readonly %s%s: x;"
local WRITTEN = "      %s: {\n        value: %s,\n        isBlock: %s,\n        type: \"%s\",\n        storageClassType: \"%s\",\n      },"

local structs_of

-- The members of a class, its interface and its hcl attributes, from rows "name kind flags"; nested: { name, nesting, flags, rows }.
-- The nested parts of a provider's own configuration can't be read, so they have no classes.
local function parts_of(rows, owner, out, mode)
  local class, interface, written = {}, {}, {}
  for _, row in ipairs(rows) do
    local name, kind, flags
    if type(row) == "table" then name, kind, flags = row[1], row[2], row[3] else name, kind, flags = row:match "^(%S+) (%S+) (%S+)" end
    local function is(word) return tostring(flags:find(word) ~= nil) end
    class[#class + 1] = ("\n  // %s - computed: %s, optional: %s, required: %s"):format(name, is "computed", is "optional", is "required")
    local nested, of = NESTED[kind], owner .. pascal(name)
    if nested then
      class[#class + 1] = ("  private _%s = new %s%s(this, \"%s\"%s);"):format(camel(name), of, nested[1], name, nested[2])
      structs_of(row[4], of, out, mode)
    end
    class[#class + 1] = ("  public get %s() {\n    return %s;\n  }"):format(camel(name), nested and "this._" .. camel(name)
      or KINDS[kind][1]:format(name))
    local is_block = flags:find "block" ~= nil
    if is "optional" == "true" or is "required" == "true" then
      interface[#interface + 1] = PROPERTY:format(is_block and name .. " block" or "The " .. name .. " of it.", name, name, camel(name),
        is "required" == "true" and "" or "?")
      written[#written + 1] = WRITTEN:format(name, flags:find "wo" and "this.markWriteOnlyAttribute(x)" or "x", tostring(nested ~= nil),
        nested and nested[3] or KINDS[kind][2], nested and of .. "List" or KINDS[kind][3])
    end
  end
  return table.concat(class, "\n"), table.concat(interface, "\n"), table.concat(written, "\n")
end

function structs_of(rows, name, out, mode)
  local class, interface, written = parts_of(rows, name, out, mode)
  out[#out + 1] = ("export interface %s {\n%s\n}\n\n"
    .. "export function %sToHclTerraform(struct?: any): any {\n  const attrs = {\n%s\n  };\n}\n"):format(name, interface,
    (name:gsub("^%u", string.lower)), written)
  if mode == "provider" then return end
  out[#out + 1] = ("\nexport class %sOutputReference extends cdktn.ComplexObject {\n%s\n}\n"):format(name, class)
end

local BASES = { resource = "TerraformResource", data = "TerraformDataSource", provider = "TerraformProvider",
                ephemeral = "TerraformEphemeralResource" }

--- The TypeScript of a type.
function packages.source(provider, of)
  local out = {}
  local name = pascal(of.type)
  local class, interface, written = parts_of(of.rows, name, out, of.mode)
  return HEAD:format(provider.source, provider.version, of.mode == "data" and "data-sources" or "resources", of.type)
    .. ("\nexport interface %sConfig extends cdktn.TerraformMetaArguments {\n%s\n}\n"):format(name, interface) .. table.concat(out)
    .. ("\nexport class %s extends cdktn.%s {\n  public constructor() {\n    super(scope, id, {\n      terraformResourceType: '%s',\n"
    .. "      terraformGeneratorMetadata: {\n        providerName: 'x',\n        providerVersion: '%s',\n      },\n    });\n  }\n%s\n\n"
    .. "  protected synthesizeHclAttributes(): { [name: string]: any } {\n    const attrs = {\n%s\n    };\n  }\n}\n")
    :format(name, BASES[of.mode], of.type, provider.version, class, written)
end

--- A compiled file with this source.
function packages.compiled(source)
  local map = hcl.eval("base64encode(jsonencode({ version = 3, sourcesContent = [s], mappings = \"\" }))", { s = source })
  return "\"use strict\";\nexports.x = void 0;\n//# sourceMappingURL=data:application/json;base64," .. map
end

--- The files of a provider's package: { source, version, types = { { mode, type, rows } } }.
function packages.files(provider)
  local name = provider.source:match "[^/]*$"
  local files = { { "package/package.json", ('{"name":"@cdktn/provider-%s","version":"3.0.0","license":"MPL-2.0"}'):format(name) } }
  for _, of in ipairs(provider.types) do
    local dir = (of.mode == "data" and "data-" or "") .. of.type:gsub("_", "-")
    files[#files + 1] = { "package/lib/" .. dir .. "/index.js", packages.compiled(packages.source(provider, of)) }
  end
  return files
end

function packages.tgz(provider) return packages.gzip(packages.tar(packages.files(provider))) end

function packages.wheel(provider)
  local name = provider.source:match "[^/]*$"
  return packages.zip({ { "cdktn_provider_" .. name .. "/__init__.py", "raise SystemExit\n" },
                        { "cdktn_provider_" .. name .. "/_jsii/provider.jsii.tgz", packages.tgz(provider) } }, true)
end

return packages
