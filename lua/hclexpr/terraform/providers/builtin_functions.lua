-- The functions of the built-in provider: they write values as source text, and read and write variable files.
local core = require "hclexpr.core"

local builtin_functions = {}

local listed, named = { list = true, set = true, tuple = true }, { map = true, object = true }

-- Appends the source text of a value to `out`; containers take several lines. Types that the text can't show are lost.
local function write(value, out)
  local kind = core.kind(value)
  if value:is_null() then
    out[#out + 1] = "null"
  elseif listed[kind] then
    out[#out + 1] = "["
    local n = 0
    for _, element in value:pairs() do
      if n > 0 then out[#out + 1] = ", " end
      n = n + 1
      write(element, out)
    end
    out[#out + 1] = "]"
  elseif named[kind] then
    out[#out + 1] = "{"
    for key, element in value:pairs() do
      out[#out + 1] = "\n" .. (core.name_columns(key) and key or core.quote(key)) .. " = "
      write(element, out)
    end
    out[#out + 1] = #value > 0 and "\n}" or "}"
  elseif kind == "number" then
    out[#out + 1] = value:text()
  else
    out[#out + 1] = core.encode(value, "value", nil, 0, false)
  end
end

local function text_of(value)
  local out = { "x = " }
  write(value, out)
  return (core.format(table.concat(out) .. "\n"):gsub("^x = ", ""):gsub("\n$", ""))
end

-- The first character in the text of an unknown value whose type is known.
local beginnings = { object = "{", map = "{", tuple = "[", list = "[", set = "[", string = '"' }

function builtin_functions.encode_expr(value)
  if value:is_wholly_known() then return text_of(value) end
  local known = value:is_known() or (value:refinements() or {}).not_null
  return core.unknown("string", { not_null = true, prefix = known and beginnings[core.kind(value)] or nil })
end

function builtin_functions.encode_tfvars(value)
  if not value:is_wholly_known() then return core.unknown("string", { not_null = true }) end
  if not named[core.kind(value)] then return nil, "This must be an object, whose keys are the names of the variables." end
  local out = {}
  for key, element in value:pairs() do
    if not core.name_columns(key) then return nil, ("%s can't name a variable."):format(core.quote(key)) end
    out[#out + 1] = key .. " = "
    write(element, out)
    out[#out + 1] = "\n"
  end
  return core.format(table.concat(out))
end

local no_names = core.scope { stdlib = false }

function builtin_functions.decode_tfvars(text)
  local body, err = core.parse(text:text(), { filename = "decode_tfvars" })
  if body == nil then return nil, err[1].detail end
  if body.blocks[1] then return nil, "Such a text may have only arguments, no blocks." end
  local values = {}
  for name, attribute in pairs(body.attributes) do
    values[name], err = attribute.expression:value(nil, no_names)
    if values[name] == nil then return nil, name .. ": " .. err[1].detail end
  end
  return (core.value(values))
end

---@type table<string, hclexpr.Function>
builtin_functions.all = {
  encode_expr = core.func {
    params = { { name = "value", unknown = true, dynamic = true } }, values = true, returns = "string",
    impl = builtin_functions.encode_expr,
  },
  encode_tfvars = core.func {
    params = { { name = "value", unknown = true, dynamic = true } }, values = true, returns = "string",
    impl = builtin_functions.encode_tfvars,
  },
  decode_tfvars = core.func {
    params = { { name = "src", type = "string" } }, values = true, impl = builtin_functions.decode_tfvars,
  },
}

return builtin_functions
