-- The long form of these specs: sends requests to two nginx servers with two workers each and one Redis. Meanwhile it publishes versions,
-- rolls back, and kills workers and Redis. Usage: luajit spec/hosts/resty/long.lua [REQUESTS]; the module for LuaJIT is in build/test.
-- The report goes to standard output; the exit status is 1 if something was lost.
local here = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$"
local support = dofile(here .. "../../support.lua")
local server = dofile(here .. "server.lua")
local host = dofile(here .. "../host.lua")
local Redis = dofile(here .. "redis_server.lua")

local REQUESTS = tonumber(arg[1]) or 200000
local CLIENTS = 4 -- for each nginx
local LONGEST = 280 + REQUESTS / 200 -- seconds: a loaded machine answers some 500 in each

local redis = Redis.start(nil, "secret")
local folder = support.temporary_folder()
local url = redis:url("edge", "secret")

local function node(name)
  local source = "{ store = require('resty.hclexpr.redis').new('%s', { timeout = 0.3 }), keep = '%s/%s', node = '%s' }"
  return assert(server.start(source:format(url, folder, name, name)))
end

local lua_path, lua_cpath = host.module_paths "jit"
local command = string.format("HCLEXPR_REDIS_PASSWORD=secret LUA_PATH='%s' LUA_CPATH='%s' luajit -e %q /dev/null ", lua_path, lua_cpath,
  "os.exit(require('hclexpr.cli').main({unpack(arg)}))")

local function hclexpr(...)
  return server.run(command .. table.concat({ ... }, " "))
end

local counts = { published = 0, refused = 0, ["rolled back"] = 0, ["workers killed"] = 0, ["Redis killed"] = 0, reloads = 0 }
local function count(what) counts[what] = counts[what] + 1 end

local function letters(n)
  local out = {}
  repeat
    out[#out + 1] = string.char(97 + n % 26)
    n = math.floor(n / 26)
  until n == 0
  return table.concat(out)
end

local function publish(n, allow)
  allow = allow or 'request.method == "GET" && user.name != "eve"'
  support.write(folder .. "/new.hcl", string.format('tag = "%s"\nallow = %s\n', letters(n), allow))
  return hclexpr("publish", folder .. "/new.hcl", redis:url "edge")
end

local a, b = node "a", node "b"
assert(publish(0):find "^version 1")
for _, n in ipairs { a, b } do n:settled "a" end

-- Clients of both, which repeat a request if a connection breaks with a worker.
local each = math.floor(REQUESTS / (2 * CLIENTS))
local started = os.time()
local ask = "curl -s -m %d --retry 5 --retry-all-errors --retry-delay 1 '%s&n=[1-%d]' >'%s/answers.'$i"
for _, n in ipairs { a, b } do
  local one = ask:format(LONGEST, n:url "/both?wait=0.001", each, n.folder)
  os.execute(string.format("(for i in $(seq %d); do %s & done; wait; touch '%s/done') &", CLIENTS, one, n.folder))
end

local function is_done()
  return support.exists(a.folder .. "/done") and support.exists(b.folder .. "/done") or os.time() - started > LONGEST
end

local function memory(n)
  local kilobytes = 0
  for _, fields in pairs(n:workers()) do kilobytes = kilobytes + tonumber(fields.pages) * 4 end
  return kilobytes
end

local step, sizes, files = 0, {}, {}
while not is_done() do
  step = step + 1
  if step % 9 == 4 then
    if publish(step, 'request.metod == "GET"'):find "^version" then count "refused" end
  elseif step % 9 == 5 then
    if hclexpr("rollback", "--force", redis:url "edge"):find "^version" then count "rolled back" end
  elseif step % 25 == 13 then
    server.run("kill -KILL " .. (a:worker_pids()[1] or ""))
    count "workers killed"
  elseif step % 60 == 40 then
    redis:stop()
    count "Redis killed"
    server.run "sleep 2"
    redis:run()
    publish(step)
  elseif step % 40 == 30 then
    a:signal "HUP"
    count "reloads"
  else
    if publish(step):find "^version" then count "published" end
  end
  server.run "sleep 0.2"
  if step % 30 == 0 then
    sizes[#sizes + 1], files[#files + 1] = memory(b), b:open_files()
  end
end
local seconds = os.time() - started

-- The answers to the clients.
local answers, wrong, mixed, tags, versions = 0, 0, 0, {}, 0
for _, n in ipairs { a, b } do
  for i = 1, CLIENTS do
    for line in support.read(n.folder .. "/answers." .. i):gmatch "[^\n]+" do
      answers = answers + 1
      local before, after, tag = line:match "^(%d+%-%x+) (%d+%-%x+) (%l+)$"
      if not tag then
        wrong = wrong + 1
        if wrong < 5 then print("answer: " .. line) end
      elseif before ~= after or tags[after] and tags[after] ~= tag then
        mixed = mixed + 1
      end
      if tag and not tags[after] then
        tags[after], versions = tag, versions + 1
      end
    end
  end
end

publish(1000000)
local same = a:settled(letters(1000000)) == b:settled(letters(1000000))
sizes[#sizes + 1], files[#files + 1] = memory(b), b:open_files()
local timers = 0
for _, n in ipairs { a, b } do
  for _, fields in pairs(n:workers()) do timers = math.max(timers, tonumber(fields.timers)) end
end

local function say(text, ...) print(string.format(text, ...)) end
say("requests %d, answers %d, in %d s", 2 * CLIENTS * each, answers, seconds)
say("answers that no version gives: %d; answers with two versions: %d; versions that clients saw: %d", wrong, mixed, versions)
for _, what in ipairs(support.keys(counts)) do say("%s: %d", what, counts[what]) end
say("the two workers that lived through it, from time to time: KB %s; open files %s", table.concat(sizes, " "), table.concat(files, " "))
say("pending timers of a worker: %d at most; all at the newest version in the end: %s", timers, tostring(same))
a:stop()
b:stop()
redis:stop()
support.remove(folder)
os.exit(answers >= 2 * CLIENTS * each and wrong == 0 and mixed == 0 and same and 0 or 1)
