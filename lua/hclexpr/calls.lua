-- Calls looked at without evaluating: is there such a function, and may it have so many arguments?
local core = require "hclexpr.core"

local calls = {}

-- They build types where a type is written, which a call doesn't show.
local type_words = { list = true, set = true, map = true, tuple = true, object = true, optional = true }

local function names_of(functions)
  local names = {}
  for name in pairs(functions) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- What is wrong with the number of arguments, in words; nil: nothing. A spread collection stands for any number.
local function wrong_count(fn, use)
  local least, given = #fn.params, use.arguments
  if use.spread then given = given - 1 end
  local few, many = given < least and not use.spread, given > least and not fn.variadic
  if not few and not many then return nil end
  return string.format("%s() takes %s%d argument%s, and here %s %s%d.", use.name, fn.variadic and "at least " or "", least,
    least == 1 and "" or "s", given == 1 and "is" or "are", use.spread and "at least " or "", given)
end

--- Reports unknown functions and wrong numbers of arguments. Functions of namespaces (`a::b`) are some host's, and not looked at.
---@param object hclexpr.Body|hclexpr.Expression
---@param functions table<string, hclexpr.FunctionInfo> those that there are
---@param findings hclexpr.Findings
function calls.check(object, functions, findings)
  local names
  for _, use in ipairs(object:functions()) do
    local fn, place = functions[use.name], { object = object, range = use.range }
    local wrong = fn and wrong_count(fn, use)
    if wrong then findings:report("CALL_COUNT", place, "%s", wrong) end
    if not fn and not type_words[use.name] and not use.name:find("::", 1, true) then
      names = names or names_of(functions)
      local near = core.suggest(use.name, names)
      near = near and (' Did you mean "%s"?'):format(near) or ""
      findings:report("CALL_UNKNOWN", place, "No function is named \"%s\".%s", use.name, near)
    end
  end
end

return calls
