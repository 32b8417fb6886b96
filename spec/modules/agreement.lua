-- The three views of a plan (text, JSON, API) projected to the same form, and the differences between them. agreement_spec.lua says what is
-- compared and lists exceptions.
local recorded = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "recorded.lua")

local agreement = {}

-- ---- projections ------------------------------------------------------------------------------------------------------------
-- A row: { address, previous, actions, reason, importing, deposed }. Unchanged resources have no row; data has one only if an
-- apply reads it.

local function row(address, previous, actions, reason, importing, deposed)
  return { address = address, previous = previous or "", actions = actions, reason = reason or "", importing = importing and "yes" or "",
           deposed = deposed or "" }
end

-- Classes of reasons that all views have.
local json_reasons = {
  replace_because_tainted = "tainted", replace_by_request = "requested",
  replace_by_triggers = "triggers", replace_because_cannot_update = "triggers",
  delete_because_no_resource_config = "no_resource", delete_because_no_move_target = "no_move_target",
  delete_because_no_module = "no_module",
  delete_because_count_index = "count", delete_because_each_key = "each", delete_because_wrong_repetition = "repetition",
}

local function list_of(json, name)
  local list = json:get(name)
  local all = {}
  if list then for _, element in list:pairs() do all[#all + 1] = element end end
  return all
end

local function text_of(json, name)
  local found = json:get(name)
  return found and not found:is_null() and found:text() or nil
end

-- Only the sensitivity differs.
local function is_of_secrecy(change)
  return change:get "before" == change:get "after" and change:get "before_sensitive" ~= change:get "after_sensitive"
end

function agreement.of_json(json)
  local rows = {}
  -- A refresh-only plan contains objects that moved elsewhere.
  for _, r in ipairs(list_of(json, json:get "resource_drift" and "resource_drift" or "resource_changes")) do
    local change, actions = r:get "change", {}
    for _, action in change:get("actions"):pairs() do actions[#actions + 1] = action:text() end
    local text, previous, importing = table.concat(actions, ","), text_of(r, "previous_address"), change:get "importing" ~= nil
    if text ~= "no-op" or previous or importing then
      local deposed, reason = text_of(r, "deposed"), text_of(r, "action_reason")
      rows[#rows + 1] = row(r:get("address"):text(), previous, text, deposed and "deposed" or json_reasons[reason], importing, deposed)
      rows[#rows].about = text == "update" and is_of_secrecy(change) and "of secrecy" or nil
    end
  end
  return rows
end

local function api_actions(r)
  if r.action ~= "replace" then return r.action end
  return r.forgets and "create,forget" or r.create_before_destroy and "create,delete" or "delete,create"
end

function agreement.of_api(plan)
  local rows = {}
  for _, r in ipairs(plan.changes) do
    local happens = r.action ~= "no-op" or r.importing or r.mode == "managed" and r.previous_address
    if r.mode == "data" and r.action == "read" then rows[#rows + 1] = row(r.address, r.previous_address, "read")
    elseif r.mode == "managed" and happens then
      rows[#rows + 1] = row(r.address, r.previous_address, api_actions(r), r.reason, r.importing, r.deposed)
    end
  end
  return rows
end

local heads = {
  ["will be created"] = "create", ["will be updated in place"] = "update", ["will be destroyed"] = "delete",
  ["will be replaced"] = "delete,create", ["will be replaced; what is there stays, and leaves the state"] = "create,forget",
  ["stays, and leaves the state"] = "forget", ["will be imported"] = "import", ["stays as it is"] = "no-op",
}

local signs = { ["-/+"] = "delete,create", ["+/-"] = "create,delete" }

local text_reasons = {
  ["the state calls it tainted"] = "tainted", ["its triggers changed"] = "triggers", ["nothing declares it"] = "no_resource",
  ["its module is gone"] = "no_module",
  ["nothing declares what it was moved to"] = "no_move_target", ["its key isn't one of count or for_each"] = "repetition",
  ["it is to be replaced"] = "requested", ["count has no such index"] = "count", ["for_each has no such key"] = "each",
  ["it has neither count nor for_each"] = "single", ["a replacement left it behind"] = "deposed",
}

local function head_of(line)
  local subject, address, found = line:match "^  # (.*)$", nil, nil
  for words, actions in pairs(heads) do
    local rest = subject and subject:sub(-#words - 1) == " " .. words and subject:sub(1, -#words - 2)
    -- The words of one are the end of the other's.
    if rest and (not address or #rest < #address) then address, found = rest, actions end
  end
  return address, found
end

function agreement.of_text(text)
  local rows, current = {}, nil
  for line in text:gmatch "[^\n]*" do
    local address, actions = head_of(line)
    local note = line:match "^  # %((.*)%)$"
    local sign = current and line:match '^ *([-+/]+) resource "'
    local read, moved = line:match "^ <= (.-) +will be read ?(.*)$"
    if read then rows[#rows + 1] = row(read, moved:match "^%(moved from (.*)%)$", "read")
    elseif address then
      local whole, deposed = address:match "^(.*) %(deposed object (.*)%)$"
      current = row(whole or address, nil, actions, nil, nil, deposed)
      rows[#rows + 1] = current
    elseif note and current then
      local previous = note:match "^moved from (.*)$"
      if previous then current.previous = previous
      elseif note == "imported" then current.importing = "yes"
      else current.reason = text_reasons[note] or current.reason end
    elseif sign then
      current.actions = current.actions == "delete,create" and signs[sign] or current.actions
      current = nil
    end
  end
  for _, r in ipairs(rows) do
    if r.actions == "import" then r.importing = "yes" end
  end
  return rows
end

-- ---- comparing --------------------------------------------------------------------------------------------------------------

local function key_of(r) return r.address .. (r.deposed ~= "" and " deposed " .. r.deposed or "") end

-- The text lists data first.
local function is_apart(name, r) return name == "text" and r.actions == "read" end

local fields = { "actions", "reason", "previous", "importing" }

function agreement.compare_rows(name, ours, json, differs)
  local by, order = {}, {}
  for _, r in ipairs(ours) do by[key_of(r)] = r end
  for _, r in ipairs(json) do
    local mine = by[key_of(r)]
    if not mine then differs("%s lacks %s: %s %s", name, key_of(r), r.actions, r.about or r.reason) else
      if not is_apart(name, r) then order[#order + 1] = key_of(r) end
      for _, field in ipairs(fields) do
        -- The text gives no reason for a create; Terraform's doesn't, either.
        local is_said = name ~= "text" or field ~= "reason" or r.actions ~= "create"
        if is_said and mine[field] ~= r[field] then differs("%s, %s: %s is %q, not %q", name, key_of(r), field, mine[field], r[field]) end
      end
      by[key_of(r)] = nil
    end
  end
  local left = {}
  for key in pairs(by) do left[#left + 1] = key end
  table.sort(left)
  for _, key in ipairs(left) do differs("%s alone has %s: %s %s", name, key, by[key].actions, by[key].reason) end
  local here, at = {}, 0
  for _, key in ipairs(order) do here[key] = true end
  for _, r in ipairs(ours) do
    if here[key_of(r)] and not is_apart(name, r) then
      at = at + 1
      if order[at] ~= key_of(r) then return differs("%s has another order: %s, not %s", name, key_of(r), order[at]) end
    end
  end
end

local counted = {
  create = { "add" }, update = { "change" }, delete = { "destroy" }, forget = { "forget" }, ["delete,create"] = { "add", "destroy" },
  ["create,delete"] = { "add", "destroy" }, ["create,forget"] = { "add", "forget" },
}

-- The last line that belongs to the rows.
function agreement.summary_of(rows)
  local counts, parts = { import = 0, add = 0, change = 0, destroy = 0, forget = 0 }, {}
  for _, r in ipairs(rows) do
    for _, what in ipairs(counted[r.actions] or {}) do counts[what] = counts[what] + 1 end
    if r.importing ~= "" then counts.import = counts.import + 1 end
  end
  for _, what in ipairs { "import", "add", "change", "destroy", "forget" } do
    if counts[what] > 0 or what ~= "import" and what ~= "forget" then parts[#parts + 1] = ("%d to %s"):format(counts[what], what) end
  end
  return table.concat(parts, ", ")
end

local function is_true(json, name) return json:get(name):text() == "true" end

-- part: of a plan with targets, which is never complete, but whose text is Terraform's "No changes".
local function compare_summary(text, json, rows, part, differs)
  local last = text:match "([^\n]*)\n$" or ""
  local none = last == "No changes."
  local expected = (part or is_true(json, "complete")) and not is_true(json, "errored") and not is_true(json, "applyable")
  if none ~= expected then
    differs("summary: %q where applyable is %s and complete is %s", last, text_of(json, "applyable"), text_of(json, "complete"))
  end
  if not none then
    local counts, deserved = last:match "(%d+ to [%d%l, ]*%d+ to %l+)" or last, agreement.summary_of(rows)
    if counts:sub(1, #deserved) ~= deserved then differs("summary: %q, not %q", last, deserved) end
  end
end

--- Compares the views of a plan; calls `differs(format, …)` for each difference. Returns false if the plan is empty.
function agreement.compare(m, differs, situation)
  local plan, _, partial = m:plan(situation.plan_options)
  local json, _, partial_json = m:plan_json(recorded.with_plan_options({ reveal = true, time = 0 }, situation))
  json = json or partial_json
  if not json then return false end
  local seen = plan or partial
  local text, rows = recorded.plan_text(seen, plan ~= nil), agreement.of_json(json)
  agreement.compare_rows("text", agreement.of_text(text), rows, differs)
  agreement.compare_rows("API", agreement.of_api(seen), rows, differs)
  if text ~= "" then compare_summary(text, json, rows, (situation.plan_options or {}).targets ~= nil, differs) end
  return true
end

return agreement
