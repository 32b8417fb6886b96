-- Answers of an established server on small workspaces: facts that must agree, and gaps that we must answer.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local run = dofile(support.here() .. "runner.lua")

-- Beginnings of facts that the recorded server gets wrong, with the correct answer.
local wrong = {
  -- It leaves out references with an index, and those through a loop: var.rules[0].port, terraform_data.a[0].id, m.id.
  ["references modules: output \"id\""] = true, ["references modules: module \"many\""] = true,
  ["references resources: resource \"terraform_data\" \"a\""] = true, ["references dynamic: variable \"rules\""] = true,
  ["references dynamic: resource \"acme_firewall\" \"f\""] = true,
  -- It confuses two calls of one folder.
  ["references modules: module \"net\""] = true,
  -- It counts characters outside the basic plane as one.
  ["references unicode: local päth"] = true, ["references unicode: local größe2"] = true,
  -- It offers block types within a value and within quotes, `dynamic` where it isn't allowed, and an argument within a call.
  ["completion basic: output \"z\" { value = var.│ }\n"] = true, ["completion dynamic: provider \"│\"\n"] = true,
  ["completion resources: resource \"terraform_data\" \"z\" {\n  lifecycle {\n    │"] = true,
  ["completion functions: locals {\n  z = format(\"%s\", │\n}\n"] = true,
}

-- Gaps without an answer: the content of `any`, and the keys of a map that is given from outside.
local open = {
  ["completion types: locals {\n  z = var.anything.│"] = true, ["completion types: locals {\n  z = var.network.tags.│"] = true,
  -- The end of `[count.index]`: it describes the index.
  ["hover blocks: var.subjects[count.index] at 18:40"] = true,
}

local function listed(list, what)
  for beginning in pairs(list) do
    if what:sub(1, #beginning) == beginning then return true end
  end
  return false
end

describe("the language service", function()
  for data, least in pairs { cases = 350, providers = 700 } do
    it("agrees with the recorded answers of " .. data .. ", and answers its gaps", function()
      local unexpected, n = {}, 0
      run(data, function(expect, agrees, what)
        n = n + 1
        local known = listed(expect == "gap" and open or wrong, what)
        if not agrees and not known then unexpected[#unexpected + 1] = expect .. ": " .. what end
        if agrees and known then unexpected[#unexpected + 1] = "no longer an exception: " .. what end
      end)
      assert.are.equal("", table.concat(unexpected, "\n"))
      assert.is_true(n >= least or not support.all_cases, n .. " cases only")
    end)
  end
end)
