-- A plan as text: resources compared with the state, data, checks, outputs, and the number of each.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local difference = require "hclexpr.cli.difference"
local shell = require "hclexpr.cli.shell"
local typed_values = lazy "hclexpr.terraform.schema.typed_values"
local sorted = require("hclexpr.util").sorted
local values = lazy "hclexpr.cli.values"
local written = lazy "hclexpr.terraform.providers.written"

local plan_text = {}

local RED, GREEN, YELLOW, CYAN, BOLD, DIM, PLAIN = "\27[31m", "\27[32m", "\27[33m", "\27[36m", "\27[1m", "\27[2m", "\27[0m"

local colours = { ["+"] = GREEN, ["-"] = RED, ["~"] = YELLOW, ["-/+"] = RED, ["+/-"] = GREEN, ["+/."] = GREEN,
                  ["<="] = CYAN, ["!"] = RED, ["?"] = YELLOW }

local WIDTH = 3 -- the columns of a sign such as -/+
local edges = {} -- spaces by their number
local WIDEST = 56 -- the most columns for addresses: a longer address moves the rest of its line

local function writer()
  local lines, coloured = {}, shell.wants_colours "stdout"
  local function paint(colour, text) return coloured and colour and colour .. text .. PLAIN or text end
  local out = {}

  function out.add(level, sign, text)
    text = shell.plain(text)
    if sign == "" and text == "" then
      lines[#lines + 1] = ""
      return
    end
    local width = 4 * level + WIDTH - #sign
    if coloured then
      text = text:find "^#" and paint(DIM, text) or values.colour(text)
      sign = paint(colours[sign], sign)
    end
    edges[width] = edges[width] or (" "):rep(width)
    lines[#lines + 1] = edges[width] .. sign .. " " .. text
  end

  function out.gap()
    local last = lines[#lines]
    if last and last ~= "" and not last:find "{$" then lines[#lines + 1] = "" end
  end

  function out.head(text)
    lines[#lines + 1] = paint(BOLD, shell.plain(text))
  end

  function out.text() return table.concat(lines, "\n") .. "\n" end
  return out
end

-- Resources

-- Returns the planned values of a resource. If its shape is only what is written, for lack of a schema, the state completes its blocks.
local function after_of(r)
  if not (r.value and r.before and r.shape.written) then return r.value end
  local parts = {}
  for name, part in r.value:pairs() do parts[name] = part end
  for type in pairs(r.shape.block_types) do
    local before = r.before:get(type)
    if parts[type] and before then parts[type] = written.completed(parts[type], before) end
  end
  return (core.value(parts))
end

-- Returns the values of a resource in the state. An attribute that copies a sensitive one is sensitive too, which no state says.
local function before_of(r)
  local attributes, parts, copies = r.shape.attributes, {}, false
  if not r.before or not attributes then return r.before end
  for name, part in r.before:pairs() do
    local like = attributes[name] and attributes[name].copies and r.before:get(attributes[name].copies)
    if like then part, copies = typed_values.with_marks(part, like), true end
    parts[name] = part
  end
  return copies and core.value(parts) or r.before
end

-- Actions

local on_failure = { taint = ", its failure taints this", ["continue"] = ", whatever comes of it" }

-- Makes an output whose lines have no sign, for the configuration of an action: nothing of it is added or removed.
local function unsigned(out)
  return { add = function(level, _, text) out.add(level, "", text) end, gap = out.gap }
end

local function put_invocation(out, of)
  out.add(0, "", "# " .. of.address .. (on_failure[of.on_failure] or ""))
  out.add(0, "", ('action "%s" "%s" {'):format(of.type, of.name))
  if of.config then
    out.add(1, "", "config {")
    difference.body(unsigned(out), 2, of.shape, nil, of.config, written.names(of))
    out.add(1, "", "}")
  end
  out.add(0, "", "}")
end

local function put_invocations(out, r)
  if not r.invokes then return end
  for _, order in ipairs { "before", "after" } do
    local list = {}
    for _, of in ipairs(r.invokes) do
      if of.event:find("^" .. order) then list[#list + 1] = of end
    end
    -- Reference: the actions of one trigger keep their positions, whatever their events.
    table.sort(list, function(a, b)
      if a.trigger ~= b.trigger then return a.trigger < b.trigger end
      if a.position ~= b.position then return a.position < b.position end
      return a.event < b.event
    end)
    if list[1] then
      out.gap()
      out.add(0, "", ("# Actions %s this change, in order:"):format(order))
    end
    for _, of in ipairs(list) do put_invocation(out, of) end
  end
end

local rows = {
  create = { "+", "will be created" }, update = { "~", "will be updated in place" }, replace = { "-/+", "will be replaced" },
  created_first = { "+/-", "will be replaced" },
  kept = { "+/.", "will be replaced; what is there stays, and leaves the state" },
  delete = { "-", "will be destroyed" }, forget = { "", "stays, and leaves the state" },
  import = { "", "will be imported" }, ["no-op"] = { "", "stays as it is" },
}

local reasons = {
  tainted = "the state calls it tainted", triggers = "its triggers changed", requested = "it is to be replaced",
  no_resource = "nothing declares it",
  no_module = "its module is gone", count = "count has no such index", each = "for_each has no such key",
  disabled = "enabled is false", single = "it has neither count nor for_each", repetition = "its key isn't one of count or for_each",
  deposed = "a replacement left it behind", no_move_target = "nothing declares what it was moved to",
}

-- Writes a resource. names: the names of the written arguments, by declaration.
local function put_resource(out, r, names)
  local row = rows[r.forgets and "kept" or r.create_before_destroy and "created_first" or r.action]
  local moved = r.previous_address and "moved from " .. r.previous_address
  if r.action == "no-op" and not moved and not r.importing then return end
  local imported = r.importing and r.action ~= "import" and "imported"
  out.gap()
  out.head(("  # %s%s %s"):format(r.address, r.deposed and " (deposed object " .. r.deposed .. ")" or "", row[2]))
  for _, why in ipairs { r.action ~= "create" and reasons[r.reason] or false, moved or false, imported or false } do
    if why then out.head("  # (" .. why .. ")") end
  end
  if r.action == "no-op" or r.action == "forget" then return end
  out.add(0, row[1], ('resource "%s" "%s" {'):format(r.type, r.name))
  local of = r.declaration or r
  names[of] = names[of] or written.names(r)
  difference.body(out, 1, r.shape, before_of(r), after_of(r), names[of])
  out.add(0, "", "}")
  put_invocations(out, r)
end

local function put_data(out, r, width)
  local name = difference.pad(r.address, width)
  local moved = r.previous_address and (" (moved from %s)"):format(r.previous_address) or ""
  if r.action == "read" then out.add(0, "<=", name .. "  will be read" .. moved) else out.add(0, "", name .. "  is read") end
end

local function in_parts(plan)
  local managed, data, width = {}, {}, 0
  for _, r in ipairs(plan.changes) do
    if r.mode == "managed" then
      managed[#managed + 1] = r
    elseif r.mode == "data" then
      data[#data + 1] = r
      width = math.min(math.max(width, #r.address), WIDEST)
    end
  end
  return managed, data, width
end

local function put_resources(out, plan)
  local managed, data, width = in_parts(plan)
  for _, r in ipairs(data) do put_data(out, r, width) end
  local unshaped, names = nil, {}
  for _, r in ipairs(managed) do
    put_resource(out, r, names)
    unshaped = unshaped or r.value and r.action ~= "no-op" and r.shape.written
  end
  if unshaped then
    out.gap()
    out.add(0, "", "# Without the schema of a provider only what is configured shows (-schemas).")
  end
end

-- Checks and outputs

local statuses = { pass = "passed", fail = "failed", unknown = "known after apply", error = "can't be checked" }

local function put_checks(out, plan)
  local names = sorted(plan.checks)
  if not names[1] then return end
  out.gap()
  out.head "Checks:"
  for _, name in ipairs(names) do
    local status, messages = plan.checks[name].status, plan.checks[name].messages
    local sign, text = status == "pass" and "" or status == "unknown" and "?" or "!", name .. ": " .. statuses[status]
    for line in (messages[1] and table.concat(messages, "\n") .. "\n" or ""):gmatch "(.-)\n" do
      -- The first message follows the status of the check.
      if text then out.add(0, sign, text .. ": " .. line) else out.add(1, "", line) end
      text = nil
    end
    if text then out.add(0, sign, text) end
  end
end

local function put_outputs(out, plan)
  local width, names = 0, {}
  for _, name in ipairs(sorted(plan.output_changes)) do
    if plan.output_changes[name].action ~= "no-op" then
      names[#names + 1] = name
      width = math.max(width, #name)
    end
  end
  if not names[1] then return false end
  out.gap()
  out.head "Changes to outputs:"
  for _, name in ipairs(names) do
    local change = plan.output_changes[name]
    difference.value(out, 0, difference.pad(name, width) .. " = ", change.before, change.after)
  end
  return true
end

-- The last line

local counted = {
  create = { "add" }, replace = { "add", "destroy" }, kept = { "add", "forget" }, update = { "change" }, delete = { "destroy" },
  import = { "import" }, forget = { "forget" },
}

-- Says which objects the counts leave out, for the end of a sentence.
local function uncounted(plan)
  local absent, unread = "", ""
  for _, row in ipairs(plan.missing or {}) do
    if row.kind == "module" then absent = ", and resources of modules that aren't here" end
  end
  for _, d in ipairs(plan.warnings or {}) do
    if d.code == "module.unread" then unread = ", and resources whose instances aren't known" end
  end
  return absent .. unread
end

local function summary(plan, whole, outputs)
  local counts, changed, invoked = { add = 0, change = 0, destroy = 0, import = 0, forget = 0 }, outputs, 0
  for _, r in ipairs(plan.changes) do
    for _, what in ipairs(r.mode == "managed" and counted[r.forgets and "kept" or r.action] or {}) do counts[what] = counts[what] + 1 end
    if r.importing and r.action ~= "import" then counts.import = counts.import + 1 end
    invoked = invoked + #(r.invokes or {})
    changed = changed or r.action == "read" or r.mode == "managed" and (r.action ~= "no-op" or r.previous_address or r.importing)
  end
  local open = uncounted(plan)
  if not changed and whole and open == "" then return "No changes." end
  local parts = {}
  for _, what in ipairs { "import", "add", "change", "destroy", "forget" } do
    local always = what ~= "import" and what ~= "forget"
    if always or counts[what] > 0 then parts[#parts + 1] = ("%d to %s"):format(counts[what], what) end
  end
  local actions = invoked > 0 and (" Actions: %d to invoke."):format(invoked) or ""
  return (whole and "Plan: " or "Plan, incomplete: ") .. table.concat(parts, ", ") .. open .. "." .. actions
end

--- Writes a plan as text for standard output; empty if nothing is known.
---@param plan hclexpr.Plan
---@param whole boolean nothing is wrong
---@return string
function plan_text.of(plan, whole)
  if not whole and not (plan.changes[1] or next(plan.checks) or next(plan.output_changes)) then return "" end
  local out = writer()
  put_resources(out, plan)
  put_checks(out, plan)
  local outputs = put_outputs(out, plan)
  out.gap()
  out.head(summary(plan, whole, outputs))
  return out.text()
end

return plan_text
