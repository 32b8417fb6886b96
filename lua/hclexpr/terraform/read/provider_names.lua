-- Reads names of provider configurations: "aws", or "aws.west" with an alias.
local hosts = require "hclexpr.terraform.language.hosts"
local reading = require "hclexpr.terraform.read.reading"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local provider_names = {}

provider_names.NAME_FAULT = "%q can't name a provider. Such a name consists of letters, digits and single dashes between them."

--- Reports a name that can't name a provider. Reference: names are in lower case.
---@param reader hclexpr.module.Reader
---@param name string
---@param place hclexpr.findings.Place
---@return boolean fine
function provider_names.check_name(reader, name, place)
  local text
  if not hosts.is_label(name) then text = provider_names.NAME_FAULT
  elseif name:lower() ~= name then text = "%q can't name a provider. Such a name is in lower case: " .. name:lower() end
  if text then reader.findings:report("MODULE_PROVIDER", place, text, name) end
  return not text
end

--- Reads a reference to a provider configuration; if the part isn't one, reports that and returns nil.
---@param part hclexpr.module.Part
---@return { name: string, alias?: string, key: string, part: hclexpr.module.Part, name_range: hclexpr.Range }?
function provider_names.reference(part)
  local p = constant_expressions.unquoted(part, "reference")
  local reader, traversal = p.reader, constant_expressions.traversal(p)
  if p.broken then return nil end
  if not traversal or #traversal.steps > 2 then
    reader.findings:report("MODULE_PROVIDER", constant_expressions.place(p), "The name of a provider belongs here, and after a dot its "
      .. "alias if it has one: aws or aws.west.")
    return nil
  end
  local root, alias = traversal.steps[1], traversal.steps[2]
  if not provider_names.check_name(reader, root.text, { object = p.expression, range = root.range }) then return nil end
  if not alias then return { name = root.text, key = root.text, part = p, name_range = root.range } end
  if alias.kind ~= "attr" then
    reader.findings:report("MODULE_PROVIDER", { object = p.expression, range = alias.range }, "Write an alias after a dot: %s.name",
      root.text)
    return nil
  end
  return { name = root.text, alias = alias.text, key = root.text .. "." .. alias.text, part = p, name_range = root.range }
end

--- Reads the provider configurations that a call passes to its module, in order, { child, parent } each.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return table[]
function provider_names.passed(reader, attribute)
  local all, seen = {}, {}
  local pairs_of = constant_expressions.pairs(constant_expressions.of(reader, attribute))
  if not pairs_of then
    reading.not_an_object(reader, attribute)
    return all
  end
  for _, pair in ipairs(pairs_of) do
    local child, parent = provider_names.reference(pair[1]), provider_names.reference(pair[2])
    if child and parent then
      if seen[child.key] then
        reader.findings:report("MODULE_PROVIDER", constant_expressions.place(pair[2]),
                               "%s is passed twice. Leave out one of the two.", child.key)
      else
        seen[child.key] = true
        all[#all + 1] = { child = child, parent = parent }
      end
    end
  end
  return all
end

return provider_names
