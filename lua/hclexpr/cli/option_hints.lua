-- Hints about a command's own options after a report.
-- Options that are the way out of a diagnostic: by its code, by its file, and by what its detail contains or lacks. without: not for a
-- command with that option; once: not where the option is given already. %s: what matches the code's end.
local option_hints = {
  { option = "limit", code = "^limit%.(%a+)$", says = "--limit %s=N sets that limit" },
  { option = "filesystem", has = "filesystem = ", says = "--filesystem DIR grants the files in a folder" },
  { option = "filesystem", has = "outside the granted folders",
    says = "-filesystem DIR lets functions read DIR too", once = true },
  { option = "data", code = "^module%.(data)", has = "tofu state pull", says = "-data FILE has what data sources read" },
  { option = "state", code = "^module%.(file)$", has = "tofu state pull",
    says = "-state FILE names another state, such as what `tofu state pull >FILE` writes" },
  { option = "data", code = "^module%.(unread)$", has = "which wasn't read", says = "-data FILE has what data sources read" },
  { option = "strict", has = 'With missing = "unknown" it is evaluated', says = "without -strict it is evaluated all the same" },
  { option = "source", has = "by the option source of hcl.module", says = "-source NAME=DIR says where a module is" },
  { option = "provider", has = "in the option providers of hcl.module", says = "-provider NAME says that a configuration is passed" },
  { option = "var", code = "^module%.(input)", has = "and is given no value", says = "-var NAME=VALUE and -var-file FILE give values" },
  { option = "plan-timestamp", has = "with the scope's `plan_timestamp`", says = "--plan-timestamp TIME gives that time" },
  -- In a folder values of variables are expressions, unless a text or number is wanted.
  { option = "var", code = "^reference%.(unknown)$", file = "^<value for var%.",
    says = [[texts within such values are quoted: -var 'NAMES=["a", "b"]']] },
  { option = "env", code = "^reference%.(unknown)$", has = 'named "env" here', says = "--env gives the environment: env.NAME" },
  { option = "env", code = "^call%.(unknown)$", has = 'named "env"', says = '--env gives the environment: env("NAME")' },
  { option = "declarations", code = "^reference%.(unknown)$", has = 'named "local" here',
    says = "--declarations makes known what blocks of the file declare" },
  { option = "declarations", code = "^call%.(unknown)$", hasnt = "Did you mean",
    says = "--declarations makes known what blocks of the file declare, and --functions FILE what another one does" },
  { option = "functions", code = "^call%.(unknown)$", hasnt = "Did you mean", says = "--functions FILE gives functions of your own" },
  { option = "var", without = "workspace", code = "^reference%.(unknown)$", hasnt = "Did you mean",
    says = "--var NAME=VALUE gives named values" },
  { option = "vars", code = "^reference%.(unknown)$", hasnt = "Did you mean", says = "--vars gives named values" },
}

-- Is an option given already?
local function is_given(option, options, given)
  local into = options[option].into
  return (into and given[into] or given)[option] ~= nil
end

local function applies(way, diagnostic, options, given)
  local detail, file = diagnostic.detail, diagnostic.range and diagnostic.range.filename or ""
  return options[way.option] and not (way.without and options[way.without]) and file:find(way.file or "") and detail:find(way.has or "")
    and not (way.hasnt and detail:find(way.hasnt)) and not (way.once and is_given(way.option, options, given))
end

local function way_out(diagnostic, options, given)
  for _, way in ipairs(option_hints) do
    local match = diagnostic.code:match(way.code or "")
    if match and applies(way, diagnostic, options, given) then return way.says:format(match) end
  end
end

--- Warns of each way once.
---@param err hclexpr.Diagnostics
---@param options table<string, any> those that the command takes
---@param given table<string, any> those that it was given
---@param warn fun(message: string)
local function tell(err, options, given, warn)
  local told = {}
  for _, diagnostic in ipairs(err) do
    local way = way_out(diagnostic, options, given)
    if way and not told[way] then warn(way) end
    if way then told[way] = true end
  end
end

return { tell = tell }
