-- The work of each worker's timer: one of the workers polls the source, and all workers load the version that it shares.
--
-- Workers have no leader. In each interval the first worker to take the lock polls; the lock expires before the next interval. If a poll
-- takes longer, the timer renews the lock meanwhile. So polling continues even if a worker dies, stops or is reloaded.
local Version = require "resty.hclexpr.version"
local bundle = require "hclexpr.bundle"
local clock = require "resty.hclexpr.clock"
local source = require "resty.hclexpr.source"

local watch = {}

-- Seconds after which an unfinished timer event is considered lost: a call in it has ended the timer, as ngx.exit does. (A poll ends
-- earlier, because the option 'deadline' is at most 30 seconds.)
local LOST = 60
-- The duration of the lock. During a poll it lasts until the worker's next timer event and LATE seconds more, because a busy machine delays
-- workers. After the poll it lasts until the fraction RESTING of the interval is over.
local LATE, RESTING = 1, 0.9
-- Seconds after which a worker without a version checks again whether another one has loaded a version.
local SOON = 0.05
-- The longest time between two reports of a node to the store, in seconds.
local REPORTS = 3
-- Seconds after which each worker again tries a version that didn't fit the dictionary.
local AGAIN = 3
local NO_ROOM = "the dictionary has no room for its %d bytes"

local function warn(rules, ...) ngx.log(ngx.WARN, "hclexpr ", rules.name, ": ", ...) end
local function note(rules, ...) ngx.log(ngx.NOTICE, "hclexpr ", rules.name, ": ", ...) end

--- Returns the version that was rejected last: from the shared dictionary, or from this worker if the dictionary had no room for it.
---@param rules table
---@return { version: string, since: number, text: string }?
function watch.refused(rules) return rules.shared:refused() or rules.refusal end

--- Returns what is wrong with the source: from the shared dictionary, or from this worker if the dictionary had no room for it.
---@param rules table
---@return string?
function watch.fault(rules) return rules.shared:get "store" or rules.fault end

local function forget_refused(rules)
  rules.shared:drop "refused"
  rules.refusal = nil
end

local function refuse(rules, version, report)
  local refused = watch.refused(rules)
  if refused and refused.version == version and refused.text == report then return end
  local shared = rules.shared:refuse(version, ngx.now(), report)
  rules.refusal = not shared and { version = version, since = ngx.now(), text = report } or nil
  ngx.log(ngx.ERR, "hclexpr ", rules.name, ": version ", version, " is rejected, and ", rules.current and "version " ..
    rules.current.version .. " goes on: " or "no other is known: ", report)
end

-- Notes `fault`: what is wrong with the source, or nil. Logs when the source becomes unreadable and when it is readable again, but not when
-- only the reason changes.
local function set_fault(rules, fault)
  local before = watch.fault(rules)
  if fault == before then return end
  if fault then
    rules.fault = not rules.shared:put("store", fault) and fault or nil
    if not before then warn(rules, "the source can't be read: ", fault) end
  else
    rules.shared:drop "store"
    rules.fault = nil
    note(rules, "the source answers again")
  end
end

local function become(rules, version)
  rules.current, rules.refusal = version, nil
  rules.shared:put("worker:" .. (ngx.worker.id() or 0), version.version)
end

-- Prepares the evaluations of the current version, so that no request pays for the first ones.
local function warm(rules)
  local version = rules.current
  if version and version.attributes then Version.warm(version, Version.pauses()) end
end

local function keep(rules, version, text)
  if not rules.keep then return end
  local ok, why = source.keep(rules.keep, version, text)
  if not ok then warn(rules, "the last good version can't be kept: ", why) end
end

-- Calls one of the source's functions, and returns its results. All calls in a poll share `rules.deadline` seconds. When these are over,
-- the function is ended where it waits, which closes its connection. An error that the function raises counts as a failure with that
-- reason.
local function ask(rules, f, a, b)
  local answer
  local started = clock()
  local asking = ngx.thread.spawn(function() answer = { pcall(f, a, b) } end)
  if not answer then
    local timer = ngx.thread.spawn(function() ngx.sleep(math.max(0.001, rules.left)) end)
    ngx.thread.wait(asking, timer)
    ngx.thread.kill(answer and timer or asking)
  end
  rules.left = rules.left - (clock() - started)
  if not answer then return nil, string.format("the look took more than %g seconds (option 'deadline') and was ended", rules.deadline) end
  if not answer[1] then return nil, tostring(answer[2]) end
  return answer[2], answer[3], answer[4]
end

-- Reads a version from the source, and makes it the newest version of all workers.
local function fetch(rules, version)
  local text, why, final = ask(rules, rules.source.read, version)
  if not text then
    if final then refuse(rules, version, tostring(why)) end
    return not final and tostring(why or "it has no text for version " .. version) or nil
  end
  -- Parsing more would delay requests.
  if #text > bundle.MAX_BYTES then
    return refuse(rules, version, string.format("it has %d bytes, and rules may have %d", #text, bundle.MAX_BYTES))
  end
  local since = ngx.now()
  local taken, report = Version.take(rules, version, since, text, Version.pauses())
  if not rules.shared:holds() then return nil end -- this worker was delayed, and another one has polled
  if taken then
    taken, report = rules.shared:publish(version, since, text) and taken, nil
    rules.again = clock() + AGAIN
  end
  if not taken then return refuse(rules, version, report or NO_ROOM:format(#text)) end
  become(rules, taken)
  forget_refused(rules)
  note(rules, "version ", version)
  keep(rules, version, text)
end

-- Returns true if a version that didn't fit the dictionary should be tried again now.
local function tries_again(rules, refused)
  return refused.text:find(NO_ROOM:match "^[^%%]*", 1, true) == 1 and (rules.again or 0) < clock()
end

local function look(rules)
  local version, why, final = ask(rules, rules.source.version)
  if version == nil then
    if final then return refuse(rules, "unreadable", tostring(why)) end
    return tostring(why or "it has no version")
  end
  version = tostring(version)
  -- A version must be one line, because the dictionary stores it as a line before the text.
  if version:find "[\r\n]" then return ("a version is one line, and it gave %q"):format(version) end
  local refused = watch.refused(rules)
  if version == rules.shared:version() then
    if refused then forget_refused(rules) end
  elseif not refused or refused.version ~= version or tries_again(rules, refused) then
    return fetch(rules, version)
  end
end

-- Reports the version of this node to the store when it changes, and regularly.
local function report(rules)
  if not rules.source.report then return end
  local status = rules:status()
  local refused = status.rejected
  local told = string.format("%s %s", tostring(status.version), refused and refused.version or "")
  if rules.shared:get "reported" == told then return end
  local ok, why = ask(rules, rules.source.report, rules.node, status)
  if not ok then return tostring(why) end
  rules.shared:put("reported", told, REPORTS)
end

-- Runs a part of a poll. An error that it raises counts as a fault of the source.
local function attempt(step, rules)
  local ok, fault = pcall(step, rules)
  if ok then return fault end
  return tostring(fault)
end

local function look_at_source(rules)
  rules.left = rules.deadline
  local fault = attempt(look, rules)
  set_fault(rules, fault or attempt(report, rules))
end

--- Loads the shared version, unless this worker has it already, or has failed to load it.
---@param rules table
---@param pause fun(at_once?: boolean)
function watch.follow(rules, pause)
  local newest = rules.shared:version()
  local now = rules.current
  if not newest or now and now.version == newest or rules.failed == newest then return end
  local shared = rules.shared:current()
  if not shared or now and now.version == shared.version then return end
  local taken, why = Version.take(rules, shared.version, shared.since, shared.text, pause)
  if taken then
    rules.failed = nil
    return become(rules, taken)
  end
  -- Another worker could load it, so this is a problem of this worker: it is logged once.
  rules.failed = shared.version
  ngx.log(ngx.ERR, "hclexpr ", rules.name, ": this worker can't take over version ", shared.version, ": ", why)
end

--- Begins the work of a new worker. It starts with the newest version in the dictionary, or with the one that the master process has read.
---@param rules table
function watch.begin(rules)
  watch.follow(rules, Version.no_pause)
  if rules.current then become(rules, rules.current) end
end

--- Loads the first version soon after another worker has found it, because the next timer event may be far away.
---@param rules table
function watch.await(rules)
  if rules.current then return end
  if not rules.busy then watch.follow(rules, Version.pauses()) end
  ngx.timer.at(SOON, function(premature)
    if not premature then watch.await(rules) end
  end)
end

-- Adds this worker's counters to the shared ones.
local function flush(rules)
  local counts = rules.counts
  if counts.evaluations == 0 then return end
  local shared = rules.shared
  shared:add("evaluations", counts.evaluations)
  shared:add("failures", counts.failures)
  shared:add("microseconds", counts.seconds * 1e6)
  counts.evaluations, counts.failures, counts.seconds = 0, 0, 0
end

local function run(rules)
  flush(rules)
  if rules.shared:lock(rules.interval + LATE) then
    local started = clock()
    look_at_source(rules)
    rules.shared:renew(math.max(0.001, rules.interval * RESTING - (clock() - started)))
  end
  watch.follow(rules, Version.pauses())
  warm(rules)
end

--- Handles an event of the worker's timer.
---@param rules table
function watch.beat(rules)
  local now = clock()
  if rules.busy and now - rules.busy < LOST then return rules.shared:renew(rules.interval + LATE) end
  rules.busy = now
  local ok, why = pcall(run, rules)
  rules.busy = nil
  if not ok then warn(rules, "a look failed: ", tostring(why)) end
end

return watch
