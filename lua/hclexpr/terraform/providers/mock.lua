-- A Mock answers for an instance instead of its provider. tests/trial.lua makes it from a mock_provider block, from an override of one
-- resource, or in an apply without either, because hclexpr can't run the provider.
--
-- The values of a mock replace those that the provider would compute, when configuration and state are merged (proposed_new.lua).
-- mock_values.lua makes them fit the schema.
local mock_values = require "hclexpr.terraform.providers.mock_values"
local places = require "hclexpr.places"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local Provider = require "hclexpr.terraform.providers.provider"

---@class hclexpr.provider.Mock: hclexpr.Provider
---@field given? hclexpr.Value an object of attributes
---@field attribute? hclexpr.Attribute the attribute with `given`
---@field during "plan"|"apply" the first phase in which its values count
---@field is_override? boolean it is an override of this resource alone, and may give the values of an import
---@field stands_in? boolean made without a mock or an override, so it has no given values
local Mock = Provider.kind()

---@param own hclexpr.Provider
---@param double? { values?: hclexpr.Value, attribute?: hclexpr.Attribute, during: "plan"|"apply", override: boolean } nil: neither
---@return hclexpr.provider.Mock
function Mock.new(own, double)
  return setmetatable({
    source = own.source, answers = double ~= nil or own.answers, given = double and double.values, attribute = double and double.attribute,
    during = double and double.during or "apply", is_override = double and double.override, stands_in = double == nil,
  }, Mock)
end

local function finding(place, text, ...)
  return { row = "MODULE_TEST_RUN", place = place, text = text:format(...) }
end

-- Returns findings about a request that a mock always rejects, or nil.
local function refusal(self, request)
  if self.given and not mock_values.is_object(self.given) then
    return { finding({ object = self.attribute, range = self.attribute.range }, "The values for %s must be an object of its attributes.",
      request.address) }
  end
  if request.ids and request.ids[request.address] and not (self.is_override or self.stands_in) then
    return { finding({}, "%s is imported, but a mock of its provider has no objects to import. Give it an override_resource.",
      request.address) }
  end
end

-- Returns findings about given values that don't fit the schema. drawn_again: values are generated a second time, so they differ from the
-- planned ones.
local function faults(self, request, fill, drawn_again)
  local found = {}
  table.sort(fill.faults)
  for i, fault in ipairs(fill.faults) do
    found[i] = finding(nil, "%s: the values at %s don't fit its schema. %s", request.address,
      places.words(self.attribute.range), fault)
  end
  for _, path in ipairs(not found[1] and drawn_again and fill.texts or {}) do
    found[#found + 1] = finding({}, "%s was planned with a generated value of %s, and the apply generates another one. Give all computed "
      .. "attributes a value, or leave override_during out.", request.address, path)
  end
  return found[1] and found or nil
end

function Mock:propose(request, prior, context)
  local refused = refusal(self, request)
  if refused then return nil, nil, refused end
  -- For an object that exists and isn't replaced, nothing is filled in.
  if prior then return proposed_new.of(request, prior, mock_values.fill(nil, true)) end
  if not context.applies and self.during ~= "plan" then return Provider.propose(self, request, prior, context) end
  local fill = mock_values.fill(self.given)
  local values = proposed_new.of(request, nil, fill)
  return values, nil, faults(self, request, fill, context.applies and self.during == "plan")
end

function Mock:read(request)
  local refused = refusal(self, request)
  if refused then return nil, "refused", refused end
  local fill = mock_values.fill(self.given)
  local values = proposed_new.of(request, nil, fill)
  return values, self.stands_in and "unread" or "read", faults(self, request, fill)
end

function Mock.open(_, request)
  return nil, { finding({}, "%s is ephemeral, but mocks of providers have no ephemeral resources.", request.address) }
end

return Mock
