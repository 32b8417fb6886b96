-- Hints about a command's own options after a report. Each row names an option that helps with a diagnostic, found by the diagnostic's
-- code, reason (false: it has none), name and file. without: not for a command with that option; once: not if the option is given already.
-- %s: the text that the pattern of the code captures.
local option_hints = {
  { option = "limit", code = "^limit%.(%a+)$", says = "--limit %s=N sets that limit" },
  { option = "filesystem", reason = "files", says = "--filesystem DIR grants the files in a folder" },
  { option = "filesystem", code = "^call%.", reason = "outside", says = "-filesystem DIR lets functions read DIR too", once = true },
  { option = "data", code = "^module%.data$", reason = "encrypted", says = "-data FILE has what data sources read" },
  { option = "state", code = "^module%.file$", reason = "encrypted",
    says = "-state FILE names another state, such as what `tofu state pull >FILE` writes" },
  { option = "data", code = "^module%.unread$", reason = "data", says = "-data FILE has what data sources read" },
  { option = "strict", code = "^module%.version$", reason = "language", says = "without -strict it is evaluated all the same" },
  { option = "source", code = "^module%.missing$", reason = "unfetched", says = "-source NAME=DIR says where a module is" },
  { option = "provider", code = "^module%.provider$", reason = "root", says = "-provider NAME says that a configuration is passed" },
  { option = "var", code = "^module%.input_missing$", says = "-var NAME=VALUE and -var-file FILE give values" },
  { option = "plan-timestamp", reason = "plan_timestamp", says = "--plan-timestamp TIME gives that time" },
  -- In a Terraform folder the value of a variable is an expression, unless the variable's type is a string or number.
  { option = "var", code = "^reference%.unknown$", file = "^<value for var%.",
    says = [[texts within such values are quoted: -var 'NAMES=["a", "b"]']] },
  { option = "env", code = "^reference%.unknown$", name = "env", says = "--env gives the environment: env.NAME" },
  { option = "env", code = "^call%.unknown$", name = "env", says = '--env gives the environment: env("NAME")' },
  { option = "declarations", code = "^reference%.unknown$", name = "local",
    says = "--declarations makes known what blocks of the file declare" },
  { option = "declarations", code = "^call%.unknown$", reason = false,
    says = "--declarations makes known what blocks of the file declare, and --functions FILE what another one does" },
  { option = "functions", code = "^call%.unknown$", reason = false, says = "--functions FILE gives functions of your own" },
  { option = "var", without = "workspace", code = "^reference%.unknown$", reason = false,
    says = "--var NAME=VALUE gives named values" },
  { option = "vars", code = "^reference%.unknown$", reason = false, says = "--vars gives named values" },
}

-- Returns true if an option is given already.
local function is_given(option, options, given)
  local into = options[option].into
  return (into and given[into] or given)[option] ~= nil
end

local function applies(way, diagnostic, options, given)
  local file = diagnostic.range and diagnostic.range.filename or ""
  return options[way.option] and not (way.without and options[way.without]) and file:find(way.file or "")
    and (way.name == nil or way.name == diagnostic.name) and (way.reason == nil or way.reason == (diagnostic.reason or false))
    and not (way.once and is_given(way.option, options, given))
end

-- A described language knows its names and functions, and no option gives more.
local of_names = { ["reference.unknown"] = true, ["call.unknown"] = true }

local function way_out(diagnostic, options, given)
  if given.language and of_names[diagnostic.code] then return nil end
  for _, way in ipairs(option_hints) do
    local match = diagnostic.code:match(way.code or "")
    if match and applies(way, diagnostic, options, given) then return way.says:format(match) end
  end
end

--- Shows the hints for a report, each one once.
---@param err hclexpr.Diagnostics
---@param options table<string, any> the options that the command takes
---@param given table<string, any> the options that were given
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
