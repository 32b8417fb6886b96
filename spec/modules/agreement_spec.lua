-- The text of a plan, its JSON and the API agree on every recorded folder and state: on addresses, also previous ones, actions, the classes
-- of reasons, imports and deposed objects, in the same order. The last line counts these. "No changes" appears if and only if a complete
-- plan has nothing to apply. The other views are compared with JSON, which planjson_spec.lua compares with Terraform.
--
-- The projections (agreement.lua) leave out what a view can't show. The text lists data first. JSON's reasons replace_by_triggers and
-- replace_because_cannot_update are one class here: an argument that can't change and `replace_triggered_by` are both "its triggers
-- changed" in the text.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"

local here = support.here()
local agreement, recorded = dofile(here .. "agreement.lua"), dofile(here .. "recorded.lua")

-- `make test` runs every nth of the folders.
local SAMPLE = 4

-- Patterns of differences, each with its reason.
local exceptions = {
  { "^[^:]*: %a+, .*: reason is \"single\", not \"repetition\"$",
    "Text and API say that the resource has neither count nor for_each; JSON has one word for this and for a key of another type." },
  { "^[^:]*: %a+, .*: actions is \"import\", not \"create\"$",
    "Only a provider knows what an import brings; JSON has no word for that." },
  { "^[^:]*/imports, [^:]*: summary: \"Plan: 1 to import, 0 to add", "The same in the counts." },
  { "^plan_options/check_reads, plan %-destroy: summary: \"No changes%.\" where applyable is true",
    "So in Terraform: only the state's data of a check is forgotten." },
  { "^[^:]*%-refresh%-only: summary: \"No changes%.\" where applyable is true",
    "Terraform's text leaves out data, which it stores again if they differ from the state's." },
  { "^[^:]*%-refresh%-only: summary: .* where applyable is false",
    "What was moved, and outputs that an apply alone knows, are shown when a plan only reads again, and leave nothing to apply." },
}

local used = {}

local function is_known(text)
  for _, exception in ipairs(exceptions) do
    if text:find(exception[1]) then
      used[exception] = true
      return true
    end
  end
  return false
end

-- Only these exist wherever the specs run.
local own = { cases = true, providers = true, planjson = true, tests = true, plan_text = true, plan_options = true }

describe("the views of a plan", function()
  local scratch = support.temporary_folder()

  it("agree on recorded folders and states", function()
    local unexpected, compared, number = {}, 0, 0
    for _, folder in ipairs(recorded.all(not support.whole and own or nil)) do
      number = number + 1
      if support.whole or number % SAMPLE == 0 and support.takes(number / SAMPLE) then
        for i, situation in ipairs(folder.situations(scratch .. "/" .. folder.set)) do
          -- Of plans with options, `make test` runs one for each of these folders.
          local takes = support.whole or not situation.given or situation.given == "" or (number + i) % 6 == 0
          local m, _, readable = nil, nil, nil
          if takes then m, _, readable = hcl.module(situation.dir, situation.options) end
          m = m or readable
          local name = ("%s/%s, %s: "):format(folder.set, folder.name, situation.name)
          local planned = m and agreement.compare(m, function(form, ...)
            local text = name .. form:format(...)
            if not is_known(text) then unexpected[#unexpected + 1] = text end
          end, situation)
          if planned then compared = compared + 1 end
        end
      end
    end
    assert.equal("", table.concat(unexpected, "\n"))
    if not support.all_cases then return end
    assert.is_true(compared > (support.whole and 700 or 150), compared)
    if not support.whole then return end
    for _, exception in ipairs(exceptions) do assert.is_true(used[exception], "nothing differs like " .. exception[1]) end
  end)

  -- The comparison itself finds each kind of contradiction.
  it("are compared in all common parts", function()
    local text = table.concat({ "  # a.x will be created", "  + resource \"a\" \"x\" {", "    }", "",
      "  # m[0].a.y (deposed object k) will be destroyed", "  # (a replacement left it behind)", "  # (moved from a.z)",
      "  - resource \"a\" \"y\" {", "    }", "", "  # a.w will be replaced", "  # (imported)", "-/+ resource \"a\" \"w\" {", "" }, "\n")
    local rows = agreement.of_text(text)
    local function parts(r) return table.concat({ r.address, r.previous, r.actions, r.reason, r.importing, r.deposed }, "|") end
    assert.same({ "a.x||create|||", "m[0].a.y|a.z|delete|deposed||k", "a.w||delete,create||yes|" },
      { parts(rows[1]), parts(rows[2]), parts(rows[3]) })
    local found
    local function differs(form, ...) found[#found + 1] = form:format(...) end
    local function compared(change)
      found = {}
      local theirs = agreement.of_text(text)
      change(theirs)
      agreement.compare_rows("text", rows, theirs, differs)
      return found
    end
    assert.same({}, compared(function() end))
    for _, field in ipairs { "actions", "reason", "previous", "importing" } do
      assert.equal(1, #compared(function(theirs) theirs[3][field] = "other" end))
    end
    assert.equal(2, #compared(function(theirs) theirs[2].deposed = "l" end))
    assert.equal(1, #compared(function(theirs) table.remove(theirs, 1) end))
    assert.equal(1, #compared(function(theirs) table.insert(theirs, table.remove(theirs, 1)) end))
    assert.equal("1 to import, 2 to add, 0 to change, 2 to destroy", agreement.summary_of(rows))
  end)
end)
