-- Checks commit subjects: `area: verb …`, in the imperative, at most 72 characters. `make lint` checks the descendants of the commit
-- that added this file; without git, or in a shallow clone, there are fewer or none.
-- Usage: lua tools/subjects.lua [FILE]   checks those commits, or the message in a file (tools/hooks/commit-msg)
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local subjects = {}

local LONGEST = 72

local function set(text)
  local out = {}
  for word in text:gmatch "%S+" do out[word] = true end
  return out
end

-- Verbs that look like another form, and words that can't begin an imperative.
local VERBS = set [[embed exceed feed need proceed seed shed speed succeed bring sing string swing focus bias alias]]
local PAST = set [[made gave wrote took found told kept held said went came brought chose did was were has had is are]]
local OTHERS = set [[a an the no not each every any some all both
  this that these those it its they we i you what which who where when how why
  if as for of in on at by to with without from after before now also more less fewer only one two three]]

-- What is wrong with the first word after the area; nil if it may be an imperative.
local function wrong_word(word)
  local plain = word:lower()
  if VERBS[plain] then return nil end
  if PAST[plain] or plain:find "%l%led$" then return "is not in the imperative" end
  if plain:find "%l%ling$" then return "is a gerund" end
  if plain:find "%ls$" and not plain:find "ss$" then return "is in the third person, or a noun" end
  if OTHERS[plain] then return "is not a verb" end
end

--- What is wrong with a subject, that a program can see; or nil.
function subjects.wrong(subject)
  if subject:find '^Revert "' then return nil end
  local length = #subject:gsub("[\128-\191]", "")
  if length > LONGEST then return ("%d characters: at most %d"):format(length, LONGEST) end
  local area, rest = subject:match "^(%l[%w_./, -]*): (%S.*)$"
  if not area then return "begin with an area: `api: add …`" end
  if rest:find "[.!,;:]$" then return "end without punctuation" end
  local word = rest:match "^[%w'-]+"
  if not word then return "begin with a verb after the area" end
  if not word:find "^%l" then return ('"%s" is not a verb in lower case'):format(word) end
  local why = wrong_word(word)
  return why and ('"%s" %s: say what the commit does, as in `api: add …`'):format(word, why)
end

local function git(arguments)
  return support.lines("git " .. arguments .. " 2>/dev/null")
end

--- Calls problem("commit HASH", nil, text) for each commit with a subject that the rule rejects.
function subjects.check(problem)
  local first = git "log -1 --diff-filter=A --format=%H -- tools/subjects.lua"[1]
  if not first then return end
  for _, line in ipairs(git("log --ancestry-path --no-merges --format='%h %s' " .. first .. "..HEAD")) do
    local hash, subject = line:match "^(%x+) (.*)$"
    local why = subjects.wrong(subject)
    if why then problem("commit " .. hash, nil, ("%s (%s)"):format(why, subject)) end
  end
end

if arg and arg[0] and arg[0]:find "subjects%.lua$" then
  local failed = false
  local function problem(place, _, text)
    failed = true
    io.stderr:write(place, ": ", text, "\n")
  end
  if arg[1] then
    local subject = support.read(arg[1]):match "^[^\r\n]*"
    -- git joins these with another commit before they are merged.
    local why = not subject:find "^%l+! " and subjects.wrong(subject)
    if why then problem("subject", nil, why) end
  else
    subjects.check(problem)
  end
  os.exit(failed and 1 or 0)
end

return subjects
