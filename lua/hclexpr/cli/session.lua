-- A session of the console: a folder, and the answers about it.
local lazy = require "hclexpr.lazy"
local answers = lazy "hclexpr.terraform.module.answers"
local folders = require "hclexpr.cli.folders"
local hcl = require "hclexpr"
local missing_lines = lazy "hclexpr.cli.missing_lines"
local shell = require "hclexpr.cli.shell"
local values = require "hclexpr.cli.values"

local sessions = {}

---@class hclexpr.cli.Session
---@field dir string
---@field given table
---@field module? hclexpr.Module nil: the folder can't be read
---@field where? { module: string }
---@field typed boolean sources are typed at a terminal
---@field failed boolean something was wrong
---@field outside table<string, true> the named files that are outside of the granted folders
---@field reported? boolean the folder's problems were reported, or it has none

--- Reports what is wrong with a source.
---@param session hclexpr.cli.Session
---@param err hclexpr.Diagnostics
function sessions.show_error(session, err)
  session.failed = true
  folders.report(err)
end

-- Reports the folder's problems, once.
local function tell_problems(session)
  if session.reported then return end
  session.reported = true
  local _, problems = session.module:plan()
  folders.report(problems)
end

--- Reports the folder's problems if the evaluation met one. They come from a plan, which would be too much work for each answer.
---@param session hclexpr.cli.Session
function sessions.tell_found(session)
  if session.module and answers.has_found(session.module) then tell_problems(session) end
end

-- Evaluates a source, in the folder or by itself; returns the Value or nil, and Diagnostics.
local function value_of(session, source)
  if session.module then return session.module:value(source, session.where) end
  local expression, err = hcl.compile(source)
  if not expression then return nil, err end
  return expression:value(nil, session.scope)
end

--- Evaluates a source, and reports what is wrong with it; nil: it has no value.
---@param session hclexpr.cli.Session
---@param source string
---@return hclexpr.Value?
function sessions.evaluate(session, source)
  local v, err, partial = value_of(session, source)
  local before = session.reported
  sessions.tell_found(session)
  if partial and session.reported and not before then session.failed = true -- its mistake is among those just reported
  elseif err then sessions.show_error(session, err) end
  return v
end

--- Writes the value of a source.
---@param session hclexpr.cli.Session
---@param source string
function sessions.answer(session, source)
  local v = sessions.evaluate(session, source)
  if v then shell.product(values.show(v), "\n") end
  local lacks = session.module and session.module:missing()
  if lacks and lacks[1] then missing_lines.report_outside(lacks, session.outside) end
end

--- Reads the session's folder, and reports what is wrong with it.
---@param session hclexpr.cli.Session
function sessions.open(session)
  local module, err = folders.open(session.dir, session.given, folders.of_values)
  session.module, session.failed = module, session.failed or err ~= nil
  folders.report(err)
  if not session.typed then folders.tell_empty(session.dir, module) end -- at a terminal the plan reports it with all other problems
  session.reported = not module or err ~= nil
  if not session.typed and module and not err then folders.report(module.problems) end
  if session.typed and module then tell_problems(session) end
end

--- Adds the newline that the last line of a heredoc needs, and that users don't type after the last line.
---@param source string
---@return string
function sessions.ended(source) return source:find "<<" and source .. "\n" or source end

return sessions
