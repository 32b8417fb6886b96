-- The text of plans compared with Terraform's for the same folders and states (plan_text/*.txt and, with options, plan_options/*.txt;
-- recorded from 1.11.4; README.md there says what is compared). The wording is ours, so both texts are read into the same form: resources
-- in order, with sign, reason, former address, import, and the lines that have a sign; the changes to outputs; the counts.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local hcl = require "hclexpr"

local recorded = dofile(support.here() .. "recorded.lua")

-- ---- reading a text -----------------------------------------------------------------------------------------------------

-- The part of a head after the address, and its class of reason.
local theirs = {
  heads = {
    ["will be created"] = "", ["will be updated in-place"] = "", ["must be replaced"] = "triggers", ["will be destroyed"] = "",
    ["is tainted, so must be replaced"] = "tainted", ["will be imported"] = "", ["will be read during apply"] = "",
    ["will be replaced due to changes in replace_triggered_by"] = "triggers", ["will be replaced, as requested"] = "requested",
    ["will no longer be managed by Terraform, but will not be destroyed"] = "",
  },
  notes = {
    { "^because .* was moved to .*, which is not in configuration$", "no_move_target" },
    { "^because .* is not in configuration$", "undeclared" },
    { "^because index .* is out of range for count$", "key" }, { "^because key .* is not in for_each map$", "key" },
    { "^because resource ", "key" }, { "^left over from a partially%-failed replacement", "deposed" },
  },
}

local ours = {
  heads = {
    ["will be created"] = "", ["will be updated in place"] = "", ["will be replaced"] = "", ["will be destroyed"] = "",
    ["will be imported"] = "", ["stays as it is"] = "", ["stays, and leaves the state"] = "",
    ["will be replaced; what is there stays, and leaves the state"] = "",
  },
  notes = {
    { "^nothing declares it$", "undeclared" }, { "^its module is gone$", "undeclared" }, { "^count has no such index$", "key" },
    { "^for_each has no such key$", "key" }, { "^it has neither count nor for_each$", "key" }, { "^its triggers changed$", "triggers" },
    { "^its key isn't one of count or for_each$", "key" }, { "^nothing declares what it was moved to$", "no_move_target" },
    { "^it is to be replaced$", "requested" }, { "^the state calls it tainted$", "tainted" },
    { "^a replacement left it behind$", "deposed" },
  },
}

local function new_row(address, reason)
  local whole, deposed = address:match "^(.*) %(deposed object (.*)%)$"
  return { address = whole or address, deposed = deposed or "", reason = reason, previous = "", imported = "", sign = "", lines = {} }
end

local function head_of(line, words)
  local from, to = line:match "^ +# (.+) has moved to (.+)$"
  if from then
    local row = new_row(to, "")
    row.previous = from
    return row
  end
  local subject, found, reason = line:match "^ +# (.*)$", nil, nil
  for text, class in pairs(words.heads) do
    local rest = subject and subject:sub(-#text - 1) == " " .. text and subject:sub(1, -#text - 2)
    if rest and (not found or #rest < #found) then found, reason = rest, class end
  end
  if not found then return nil end
  local row = new_row(found, reason)
  if subject:find "will be imported$" then row.imported = "yes" end
  return row
end

local function read_note(row, note, words)
  local previous = note:match "^moved from (.*)$"
  if previous then row.previous = previous
  elseif note:find "^imported" then row.imported = "yes" end
  for _, pattern in ipairs(words.notes) do
    if note:find(pattern[1]) then
      row.reason = pattern[2]
      return
    end
  end
end

-- A line that has a sign, with one space for several, and without its cause or sensitivity.
local function signed(line)
  local sign, text = line:match "^ *([-+~]) (.*)$"
  if not sign then return nil end
  text = text:gsub(" # forces replacement", ""):gsub(" # %l+ sensitive, otherwise unchanged$", "")
  return sign .. " " .. text:gsub(" # no longer sensitive, otherwise unchanged$", ""):gsub("  +", " ")
end

local function parse(text, words)
  local plan, current, open = { rows = {}, outputs = {}, summary = "" }, nil, false
  local in_outputs = false
  for line in text:gmatch "[^\n]*" do
    local row = head_of(line, words)
    local read = line:match "^ <= (%S+) +will be read"
    local sign = line:match '^ *([-+/~<=.]+) %l+ "[^"]*" "[^"]*" {' or line:match '^ *()%l+ "[^"]*" "[^"]*" {'
    if row or read then
      current, open, in_outputs = row or new_row(read, ""), false, false
      if read then current.sign = "<=" end
      plan.rows[#plan.rows + 1] = current
    elseif line:find "^Changes to [Oo]utputs:" then in_outputs, current = true, nil
    elseif line:find "^Plan" or line:find "^No changes" or line:find "^Planning failed" then
      plan.summary, in_outputs, current = line, false, nil
    elseif current and not open and sign then
      open, current.sign = true, type(sign) == "string" and sign or ""
    elseif current and not open and line:find "^ +# %(" then read_note(current, line:match "^ +# %((.*)%)$" or "", words)
    elseif in_outputs or open then
      local list = in_outputs and plan.outputs or current.lines
      list[#list + 1] = signed(line)
      if line:find "^    }" then current = in_outputs and current or nil end
      open = current ~= nil and open
    end
  end
  return plan
end

-- The counts of the last line, or nothing.
local function counts_of(summary)
  local parts = {}
  for n, what in summary:gmatch "(%d+) to (%l+)" do
    if what ~= "forget" and n ~= "0" then parts[#parts + 1] = n .. " to " .. what end
  end
  return table.concat(parts, ", ")
end

-- The first lines of Terraform's errors and warnings, and ours of the same kind. false: ours has none, for which the exceptions
-- have reasons.
local notices = {
  ["Warning: Resource targeting is in effect"] = "warning module.targets",
  ["Error: Moved resource instances excluded by targeting"] = "error module.targets",
  ["Error: Resource precondition failed"] = "error module.precondition",
  ["Warning: Resource precondition failed"] = "warning module.precondition",
  ["Warning: Module output value precondition failed"] = "warning module.precondition",
  ["Error: Resource postcondition failed"] = "error module.postcondition",
  ["Warning: Resource postcondition failed"] = "warning module.postcondition",
  ["Warning: Check block assertion failed"] = "warning module.assertion",
  ["Warning: Check block assertion known after apply"] = "warning module.assertion",
  ["Warning: Some objects will no longer be managed by Terraform"] = "warning module.forgotten",
  ["Error: Instance cannot be destroyed"] = "error module.prevented", ["Error: Invalid count argument"] = "error module.count",
  ["Warning: Incompletely-matched force-replace resource instance"] = "warning module.replace",
  ["Error: Unsupported plan mode"] = "error module.plan_option", ["Error: Incompatible refresh options"] = "error module.plan_option",
  ["Error: Incompatible plan mode options"] = "error module.plan_option", ["Error: Invalid target"] = "error module.plan_option",
  ["Error: Invalid force-replace address"] = "error module.plan_option",
}

local function their_notices(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    if line:find "^Error: " or line:find "^Warning: " then
      local title = line:gsub(' ".*$', "")
      list[#list + 1] = notices[title] or line
    end
  end
  table.sort(list)
  return list
end

local function our_notices(...)
  local list = {}
  for i = 1, select("#", ...) do
    for _, d in ipairs((select(i, ...)) or {}) do list[#list + 1] = d.severity .. " " .. d.code end
  end
  table.sort(list)
  return list
end

-- ---- comparing --------------------------------------------------------------------------------------------------------------

local function key_of(row) return row.address .. (row.deposed ~= "" and " deposed " .. row.deposed or "") end

local function lines_text(list) return table.concat(list, "\n") end

-- The first lines that differ.
local function first_difference(a, b)
  local i = 1
  while a[i] and a[i] == b[i] do i = i + 1 end
  return ("%s, not %s"):format(a[i] or "(nothing)", b[i] or "(nothing)")
end

-- note(group, holds, what)
local function compare(mine, record, note)
  local by, common = {}, {}
  for _, row in ipairs(mine.rows) do by[key_of(row)] = row end
  for _, row in ipairs(record.rows) do
    local other = by[key_of(row)]
    note("resources", other ~= nil, key_of(row) .. " is missing")
    if other then
      by[key_of(row)] = nil
      common[#common + 1] = key_of(row)
      for _, field in ipairs { "sign", "reason", "previous", "imported" } do
        note(field, other[field] == row[field], ("%s: %q, not %q"):format(key_of(row), other[field], row[field]))
      end
      if row.sign ~= "<=" then
        note("lines", lines_text(other.lines) == lines_text(row.lines),
          ("%s: %s"):format(key_of(row), first_difference(other.lines, row.lines)))
      end
    end
  end
  for _, row in ipairs(mine.rows) do
    if by[key_of(row)] then note("resources", false, key_of(row) .. " is more") end
  end
  local order, here = {}, {}
  for _, key in ipairs(common) do here[key] = true end
  for _, row in ipairs(mine.rows) do if here[key_of(row)] then order[#order + 1] = key_of(row) end end
  note("order", lines_text(order) == lines_text(common), first_difference(order, common))
  note("outputs", lines_text(mine.outputs) == lines_text(record.outputs), first_difference(mine.outputs, record.outputs))
  local a, b = counts_of(mine.summary), counts_of(record.summary)
  note("summary", a == b and (mine.summary:find "^No changes" == nil) == (record.summary:find "^No changes" == nil
    or record.outputs[1] ~= nil), ("%q, not %q"):format(mine.summary, record.summary))
  local said, recorded_ = lines_text(mine.notices), lines_text(record.notices)
  note("notices", said == recorded_, ("%q, not %q"):format(said, recorded_))
end

-- Patterns of differences, each with its reason. `mend` marks those that are wrong here, until they are fixed.
local exceptions = {
  { "^[%l_]+: sign: .*: \"\", not \"%.\"$", "What the state only forgets has no sign here." },
  { "^[%l_]*removed[%l_]*: reason: .*: \"undeclared\", not \"\"$", "We also say why it goes." },
  { "^[%l_]+: lines: .* not .*jsonencode%(", "JSON within a text is a text here." },
  { "^[%l_]+: lines: .* %(without a newline at its end%), not ", "We say that the last line of a text has no end." },
  { "^update_lines: lines: .*%.b: ~ input = \"one\" %-> <<%-EOT, not ", "Of a text that becomes one of several lines we show both." },
  { "^sensitive_changed: lines: .*: %- secret = %(sensitive value%), not %- secret = \"x\"$",
    "The output of terraform_data is as secret as its input." },
  { "^sensitive_no_more: lines: .*: . output = %(sensitive value%)", "The same." },
  { "^no_changes: lines: .*: %- s = %(sensitive value%), not %- s = \"x\"$", "The same." },
  { "^sensitive_no_more: summary: ", "It counts as a change of an output then." },
  { "^order_of_modules: notices: \"\", not \"warning module.replace",
    "Terraform also warns of resources in other modules that have the type and the name of what is replaced." },
  { "^special_texts: lines: .*: . p = \"%%%%{b}\"", "We write what begins a directive as it would be written in a template." },
  { "^update_maps: lines: .*%.set: ", "Where a schema leaves the type open, Terraform's text takes a set for a list." },
  { "^update_null: lines: .*%.unset: ", "What becomes null is a change here; Terraform takes it for removed." },
  { "^update_types: lines: ", "A change of the type alone shows here, and none of the elements where the type is another." },
  { "^[%l_]+: outputs: ~ %l+ = %(sensitive value%), not ",
    "An output whose secrecy alone changes; Terraform has that in JSON, and not in the text." },

  mend = {
    { "^moved_chain: notices: \"\", not \"Warning: Unresolved resource instance address changes",
      "Moves that can't be made, since something is there, get no warning." },
  },
}

-- `make test` runs every nth of the plans with options.
local SAMPLE = 8

local used = {}

local function is_known(text)
  for _, list in ipairs { exceptions, exceptions.mend } do
    for _, exception in ipairs(list) do
      if text:find(exception[1]) then
        used[exception] = true
        return true
      end
    end
  end
  return false
end

local function view_of(situation)
  local m, _, readable = hcl.module(situation.dir, situation.options)
  local plan, err, partial = assert(m or readable):plan(situation.plan_options)
  local seen = plan or partial
  local view = parse(seen and recorded.plan_text(seen, plan ~= nil) or "", ours)
  view.notices = our_notices(err, seen and seen.warnings)
  return view
end

local function record_of(situation)
  local text = situation.record.texts[situation.given]
  local view = parse(text, theirs)
  view.notices = their_notices(text)
  return view
end

local function situations(scratch)
  local list = {}
  for _, folder in ipairs(recorded.all { plan_text = true, plan_options = true }) do
    for _, situation in ipairs(folder.situations(scratch .. "/" .. folder.set)) do
      situation.folder = folder.name
      situation.title = folder.name .. (situation.given == "" and "" or " " .. situation.given)
      list[#list + 1] = situation
    end
  end
  return list
end

describe("the text of a plan", function()
  local scratch, folders
  setup(function()
    scratch = support.temporary_folder()
    folders = situations(scratch)
  end)
  teardown(function() support.remove(scratch) end)

  it("is as Terraform's, except for the wording", function()
    local unexpected, all, good = {}, {}, {}
    for i, situation in ipairs(folders) do
      if situation.record.texts[situation.given] and (support.whole or situation.given == "" or i % SAMPLE == 0) then
        compare(view_of(situation), record_of(situation), function(group, holds, what)
          all[group], good[group] = (all[group] or 0) + 1, (good[group] or 0) + (holds and 1 or 0)
          local known = holds or is_known(("%s: %s: %s"):format(situation.folder, group, what))
          if not known then unexpected[#unexpected + 1] = ("%s: %s: %s"):format(situation.title, group, what) end
        end)
      end
    end
    assert.equal("", table.concat(unexpected, "\n"))
    -- No check is lost on the way: the number of checks, and of those that hold.
    for group, least in pairs { resources = 1, order = 1, sign = 0.98, reason = 0.98, previous = 1, imported = 1, lines = 0.92,
                                notices = 0.98, outputs = 0.97, summary = 0.98 } do
      assert.is_true(all[group] >= 60, group)
      assert.is_true(good[group] / all[group] >= least, ("%s: %d of %d"):format(group, good[group], all[group]))
    end
    for _, list in ipairs { exceptions, exceptions.mend } do
      for _, exception in ipairs(support.whole and list or {}) do
        assert.is_true(used[exception], "nothing differs like " .. exception[1])
      end
    end
  end)

  it("aligns names as Terraform's does", function()
    local function named(text)
      local lines = {}
      for line in text:gmatch "[^\n]+" do
        if line:find "^ +[-+~] .* = " then lines[#lines + 1] = line end
      end
      table.sort(lines) -- outputs and resources have another order
      return lines
    end
    local n = 0
    for _, situation in ipairs(folders) do
      if situation.folder == "create_names" or situation.folder == "update_names" then
        local plan = hcl.assert(hcl.assert(hcl.module(situation.dir, situation.options)):plan(situation.plan_options))
        assert.same(named(situation.record.texts[situation.given]), named(recorded.plan_text(plan, true)))
        n = n + 1
      end
    end
    assert.equal(2, n)
  end)
end)
