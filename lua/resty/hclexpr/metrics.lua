-- Status and metrics of rules, for all workers of a node. Counters of other workers are as of their last timer event (watch.lua).
local watch = require "resty.hclexpr.watch"

local metrics = {}

--- Makes the result of `rules:status()`.
---@param rules table
---@return resty.hclexpr.Status
function metrics.status(rules)
  local shared, own = rules.shared, rules.counts
  local current, refused, fault = rules.current, watch.refused(rules), watch.fault(rules)
  return {
    name = rules.name,
    version = current and current.version,
    since = current and current.since,
    rejected = refused and { version = refused.version, report = refused.text, since = refused.since } or nil,
    store = { up = not fault, message = fault },
    evaluations = (shared:get "evaluations" or 0) + own.evaluations,
    failures = (shared:get "failures" or 0) + own.failures,
    evaluation_seconds = (shared:get "microseconds" or 0) / 1e6 + own.seconds,
  }
end

-- Quotes the value of a label. Bytes that aren't printable ASCII are replaced, because a store may return any bytes, and bytes that aren't
-- UTF-8 would make the whole text invalid.
local function quoted(text)
  return '"' .. tostring(text):gsub("[^\32-\126\n]", "?"):gsub('[\\"\n]', { ["\\"] = "\\\\", ['"'] = '\\"', ["\n"] = "\\n" }) .. '"'
end

-- Each metric: name, type, help, a function of the status that returns its value, and, if it has a further label, the status field that the
-- label shows. Arbitrary texts aren't labels, because each text would create a time series.
local rows = {
  { "hclexpr_evaluations_total", "counter", "Expressions evaluated.", function(s) return s.evaluations end },
  { "hclexpr_evaluation_failures_total", "counter", "Evaluations that failed.", function(s) return s.failures end },
  { "hclexpr_evaluation_seconds_total", "counter", "Time in evaluations, callbacks included.",
    function(s) return s.evaluation_seconds end },
  { "hclexpr_version_info", "gauge", "The version that runs.", function(s) return s.version and 1 end, "version" },
  { "hclexpr_version_timestamp_seconds", "gauge", "When this node received that version, in seconds since 1970.",
    function(s) return s.since end },
  { "hclexpr_rejected", "gauge", "1: the newest version was rejected.", function(s) return s.rejected and 1 or 0 end },
  { "hclexpr_store_up", "gauge", "0: the source of versions can't be read.", function(s) return s.store.up and 1 or 0 end },
}

--- Makes the result of `rules:metrics()`, in the text format of Prometheus.
---@param rules table
---@return string
function metrics.text(rules)
  local status, out = metrics.status(rules), {}
  local function add(name, value, labels)
    out[#out + 1] = string.format("%s{rules=%s%s} %.17g\n", name, quoted(rules.name), labels or "", value)
  end
  for _, row in ipairs(rows) do
    local name, kind, help, value, label = row[1], row[2], row[3], row[4](status), row[5]
    if value then
      out[#out + 1] = string.format("# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
      add(name, value, label and string.format(",%s=%s", label, quoted(status[label])))
    end
  end
  out[#out + 1] = "# HELP hclexpr_worker_info The version that each worker runs.\n# TYPE hclexpr_worker_info gauge\n"
  for id = 0, (ngx.worker.count() or 1) - 1 do
    local version = rules.shared:get("worker:" .. id)
    if version then add("hclexpr_worker_info", 1, string.format(',worker="%d",version=%s', id, quoted(version))) end
  end
  return table.concat(out)
end

return metrics
