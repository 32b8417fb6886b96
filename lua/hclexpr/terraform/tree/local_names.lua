-- Checks the names of providers in a folder: names that resource types imply, and several names for one provider.
local core = require "hclexpr.core"
local hosts = require("hclexpr.lazy") "hclexpr.terraform.language.hosts"
local folders = require "hclexpr.terraform.read.folder"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"

local local_names = {}

-- Returns the names by which a folder requires each provider, in source order. The result is empty if all names are the usual ones.
local function names_of(folder)
  local names, others = {}, false
  for name, source in pairs(folder.required_providers) do
    names[source] = names[source] or {}
    table.insert(names[source], name)
    others = others or source ~= naming.implied(name)
  end
  local function first(a, b) return folder.required_at[a].range.start.byte < folder.required_at[b].range.start.byte end
  for _, list in pairs(others and names or {}) do table.sort(list, first) end
  return others and names or {}
end

local function warn(findings, place, source, name)
  findings:report("MODULE_PROVIDER_UNSURE", place, "%s is also required by the name %s, but it can have only one name in a module.", source,
    name)
end

local function check_required(findings, folder, names)
  for source, list in pairs(names) do
    local usual = source:match "^hashicorp/(.*)$"
    for i = 2, #list do warn(findings, folder.required_at[list[i]], source, list[1]) end
    for _, d in pairs(usual and list[1] ~= usual and folder.providers or {}) do
      if d.name == usual then
        warn(findings, folder.required_at[list[1]], source, usual)
        break
      end
    end
  end
end

local function check_type(findings, folder, names, d)
  local name = naming.of_type(d.type)
  local implied = naming.implied(name)
  if not hosts.is_label(name) then
    findings:report("MODULE_PROVIDER", places.head_of(d), "The type %s doesn't begin with a provider's name: %s isn't one. Name "
      .. "the provider: provider = ...", core.quote(d.type), core.quote(name))
  elseif not folder.required_providers[name] and names[implied] then
    warn(findings, places.head_of(d), implied, names[implied][1])
  end
end

--- Checks the names of providers in a folder.
---@param findings hclexpr.Findings
---@param folder hclexpr.module.Folder
function local_names.check(findings, folder)
  local names = names_of(folder)
  check_required(findings, folder, names)
  for _, d in ipairs(folders.declarations(folder)) do
    if d.kind == "resource" and not d.provider and d.mode ~= "ephemeral" then check_type(findings, folder, names, d) end
  end
end

return local_names
