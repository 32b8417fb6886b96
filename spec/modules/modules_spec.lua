-- Recorded folders, compared with the answers of real Terraform, with a list of known exceptions.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()
local run = dofile(here .. "runner.lua")

-- Patterns of differences, each with its reason; doc/contributing/differences.md describes them for users ("Modules").
local exceptions = {
  -- The reference reports things without a place before the first character of a nameless source: a word such as `var` alone, a second
  -- time; a default that breaks a rule of its variable.
  "^[%w_]+/[%w_]+: places: .*, not  ?0:0%-0:1; ",
  -- We report an unclosed quote once, and not a second time for a missing bracket after it.
  "^unknown/syntax_errors: places: .*; other%.tf 2:24%-3:1, not main%.tf 3:3%-3:4; other%.tf 2:24%-3:1; other%.tf 3:2%-4:1 ",
  -- The recorded folder had another name.
  "^path/basic: values: default output base is \"module\", not \"m\"",
  -- An expression that failed keeps part of its value there.
  "^real/cidr%-subnets: console: dup before [%w(]*local%.addrs_by_name", "^duplicates/for_keys: console: default planned local%.objs:",
  -- A sensitive id of an import stays sensitive, see doc/contributing/differences.md.
  "^moves/import_ids: console: .*terraform_data%.counted: ",
  -- With a state the answers are those of a plan over it: a resource without instances has none, and isn't unknown.
  "^count/basic: console: zero after .*terraform_data%.", "^resources/one_try: console: default after .*terraform_data%.opt",
  "^null/zero_instances: console: [%w ]+ after type%(null_resource%.keyed%): object%({}%), not dynamic",
  "^random/pet_for_each: console: none after type%(random_pet%.team%): object%({}%), not dynamic",
  -- Known only to the provider's code: a default that depends on another argument, times that depend on a time, an ephemeral value.
  "^random/string_defaults: %a+: default .*numeric", "^time/static_offset: %a+: default ", "^random/ephemeral_password: console: ",
  "^[%w_/]+: errors: default %a+ output%.%w+: no error", -- doc/contributing/differences.md: output.NAME
}

local used = {}

local function is_known(text)
  for _, pattern in ipairs(exceptions) do
    if text:find(pattern) then
      used[pattern] = true
      return true
    end
  end
  return false
end

describe("recorded folders", function()
  it("are evaluated as recorded", function()
    local unexpected = {}
    local total, held = run({ here .. "cases", here .. "providers" }, function(text)
      if not is_known(text) then unexpected[#unexpected + 1] = text end
    end)
    assert.are.equal("", table.concat(unexpected, "\n"))
    if not support.all_cases then return end
    local all, good = 0, 0
    for group, n in pairs(total) do all, good = all + n, good + held[group] end
    assert.is_true(all > 7000)
    assert.is_true(good >= 0.99 * all)
    for _, pattern in ipairs(exceptions) do assert.is_true(used[pattern], "nothing differs like " .. pattern) end
  end)
end)
