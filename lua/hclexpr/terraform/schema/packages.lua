-- The packages on PyPI with bindings from which schemas can be imported: one for each provider in this list.
local naming = require "hclexpr.terraform.language.naming"

local packages = {}

local NAMES = {
  datadog = "datadog", cloudflare = "cloudflare", databricks = "databricks", kreuzwerker = "docker",
  newrelic = "newrelic", snowflakedb = "snowflake", ["snowflake-labs"] = "snowflake", vancluever = "acme", azure = "azapi",
  pagerduty = "pagerduty", integrations = "github", cyrilgdn = "postgresql",
  hashicorp = "archive aws awscc azuread azurerm cloudinit dns external google google-beta hcp helm http kubernetes local null random time "
    .. "tls vault",
}

local sources
local function known()
  if sources then return sources end
  sources = {}
  for namespace, names in pairs(NAMES) do
    for name in names:gmatch "%S+" do sources[namespace .. "/" .. name] = "cdktn-provider-" .. name end
  end
  return sources
end

--- Returns the name of the package with a provider's bindings, or nil.
---@param source string
---@return string?
function packages.of(source)
  return known()[naming.with_other_host(source)]
end

return packages
