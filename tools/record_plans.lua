-- Records Terraform's plans for folders over states that it made itself: the text in the folder's record, the JSON beside it.
--   LUA tools/record_plans.lua FOLDER [NAME...]     such as spec/modules/plan_text
-- spec/modules/plan_text/README.md describes records. Everything happens in temporary folders, with only the built-in provider.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")
local recorded = dofile(support.root .. "spec/modules/recorded.lua")


-- Runs a command in a folder; returns its output, and whether it succeeds.
local function run(dir, command)
  local text = support.output(("cd '%s' && export TF_CLI_CONFIG_FILE=/dev/null && { %s; } 2>&1; echo \"status $?\""):format(dir, command))
  local body, status = text:match "^(.*)status (%d+)\n$"
  return body, status == "0"
end

local function must(dir, command)
  local text, ok = run(dir, command)
  assert(ok, command .. "\n" .. text)
  return text
end

local function put(dir, files)
  must(dir, "find . -type f ! -name 'terraform.tfstate*' ! -path './.terraform/*' -delete")
  for path, text in pairs(files) do
    must(dir, ("mkdir -p './%s'"):format(path:match "^(.*)/" or ""))
    support.write(dir .. "/" .. path, text)
  end
  must(dir, "terraform init -no-color -input=false")
end

local function trimmed(s) return s:match "^%s*(.-)%s*$" end

-- Steps that make the state: `before`, `second`, `third` apply the files of that name, with ! if that must fail; `taint ADDRESS`.
local function act(dir, record, step)
  local name, fails = step:match "^(%l+)(!?)$"
  if record[name] then
    put(dir, record[name])
    local text, ok = run(dir, "terraform apply -no-color -input=false -auto-approve")
    assert(ok == (fails == ""), text)
  elseif step:find "^taint " then must(dir, "terraform " .. step:gsub("^taint (.*)$", "taint '%1'"))
  else error("no such step: " .. step) end
end

-- The elements of a list in JSON, in order; each except the first begins with `mark`.
local function sorted_list(list, mark)
  local parts = {}
  for part in ((list:find "^{" and "," or "") .. list):gsub(mark, "\0%0"):gmatch "%Z+" do parts[#parts + 1] = part end
  table.sort(parts)
  return (table.concat(parts):gsub("^,", ""))
end

-- Ids are random: each becomes a number, in the order of the state. One line for each resource.
local function steady(state)
  local known, n = {}, 0
  state = state:gsub("%x%x%x%x%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x", function(id)
    if not known[id] then
      known[id], n = ("00000000-0000-0000-0000-%012d"):format(n), n + 1
    end
    return known[id]
  end)
  local deposed = 0
  state = state:gsub('"deposed": "%x+"', function()
    deposed = deposed + 1
    return ('"deposed": "%08d"'):format(deposed)
  end)
  state = state:gsub("\n%s*", ""):gsub('"serial": %d+', '"serial": 1')
  state = state:gsub('("check_results": %[)(.-)(%]}$)', function(open, list, close)
    return open .. sorted_list(list, ',{"object_kind"') .. close
  end)
  return (state:gsub('{"mode"', '\n{"mode"'):gsub('{"module"', '\n{"module"') .. "\n")
end

-- Sorts lines of the same form: lists of addresses in warnings have no order.
local function with_sorted(lines, is_alike)
  local from
  for i = 1, #lines + 1 do
    if lines[i] and is_alike(lines[i]) then from = from or i
    elseif from then
      local list = { support.unpack(lines, from, i - 1) }
      table.sort(list)
      for k, line in ipairs(list) do lines[from + k - 1] = line end
      from = nil
    end
  end
  return lines
end

local function is_listed(line) return line:find "^ +%- [%w_.%[%]\"]+$" or line:find "^ +%-replace=" end

-- Warnings and errors have no order, either.
local function with_sorted_diagnostics(text)
  local parts = {}
  for part in (text:gsub("%f[^\n%z]Warning: ", "\0%0"):gsub("%f[^\n%z]Error: ", "\0%0") .. "\0"):gmatch "(%Z*)%z" do
    parts[#parts + 1] = part:gsub("\n+$", "")
  end
  local first = table.remove(parts, 1)
  table.sort(parts)
  if first ~= "" then table.insert(parts, 1, first) end
  return table.concat(parts, "\n\n")
end

local function with_sorted_attributes(json)
  return (json:gsub('("relevant_attributes":%[)({.-})(%][,}])', function(open, list, close)
    return open .. sorted_list(list, ',{"resource"') .. close
  end))
end

local progress = { ": Refreshing state%.%.%.", ": Reading%.%.%.$", ": Read complete after", ": Preparing import%.%.%." }

local function is_progress(line)
  for _, pattern in ipairs(progress) do
    if line:find(pattern) then return true end
  end
  return false
end

-- The planned part of the output: without progress, the legend of signs, and what follows a plan.
local function body(text)
  local lines, legend = {}, false
  for line in text:gsub("\n\226\148\128\226\148\128\226\148\128.*$", "\n"):gmatch "(.-)\n" do
    if line:find "^Terraform used the selected providers" then legend = true end
    if not legend and not is_progress(line) then lines[#lines + 1] = (line:gsub("%s+$", "")) end
    if legend and line:find "^Terraform will perform" or line:find "^Terraform planned the following" then legend = false end
  end
  return with_sorted_diagnostics((table.concat(with_sorted(lines, is_listed), "\n"):gsub("^\n+", ""))) .. "\n"
end

local function plan(dir, options)
  must(dir, "rm -f plan.out")
  local text = run(dir, "terraform plan -no-color -input=false -out=plan.out " .. options)
  local json = run(dir, "test -f plan.out && terraform show -json plan.out || true"):gsub("\n$", "")
  json = json:gsub('"timestamp":"[^"]*"', '"timestamp":"*"'):gsub('"terraform_version":"[^"]*"', '"terraform_version":"*"')
  return body(text), json ~= "" and with_sorted_attributes(json) or "null"
end

local function quoted(options)
  return (options:gsub("%S+", function(word) return "'" .. word .. "'" end))
end

local function make(path, lines, name)
  local record, out = recorded.read_text(path), {}
  local dir = support.temporary_folder()
  for step in (record.steps or ""):gmatch "[^,]+" do act(dir, record, trimmed(step)) end
  if record.steps then record.state = steady(support.read(dir .. "/terraform.tfstate")) end
  must(dir, "rm -f terraform.tfstate*")
  for field in ("about steps options reference"):gmatch "%l+" do
    if record[field] and record[field] ~= "" then out[#out + 1] = field .. ": " .. record[field] .. "\n" end
  end
  for _, kind in ipairs { "before", "second", "third", "files" } do
    for _, file in ipairs(support.keys(record[kind])) do
      out[#out + 1] = ("==== %s %s\n%s"):format(kind == "files" and "file" or kind, file, record[kind][file])
    end
  end
  if record.state then out[#out + 1] = "==== state\n" .. record.state end
  put(dir, record.files)
  for options in ((record.options or "") .. "|"):gmatch "([^|]*)|" do
    options = trimmed(options)
    if record.state then support.write(dir .. "/terraform.tfstate", record.state) end
    local text, json = plan(dir, quoted(options))
    out[#out + 1] = ("==== text%s\n%s"):format(options ~= "" and " " .. options or "", text)
    lines[#lines + 1] = { name = name, text = ('{"name":"%s","options":"%s","plan":%s}'):format(name, options:gsub('["\\]', "\\%0"), json) }
  end
  support.remove(dir)
  support.write(path, table.concat(out))
end

local folder, wanted = assert(arg[1], "a folder of records is needed"):gsub("/$", ""), {}
for i = 2, #arg do wanted[arg[i]] = true end
local lines = {}
if arg[2] and support.exists(folder .. "/plans.jsonl") then
  for line in support.read(folder .. "/plans.jsonl"):gmatch "[^\n]+" do
    local name = line:match '^{"name":"(.-)"'
    if not wanted[name] then lines[#lines + 1] = { name = name, text = line } end
  end
end
for _, path in ipairs(support.lines("export LC_ALL=C; ls '" .. folder .. "'/*.txt")) do
  local name = path:match "([^/]*)%.txt$"
  if not arg[2] or wanted[name] then
    local ok, why = pcall(make, path, lines, name)
    if not ok then io.stderr:write(name, ": ", tostring(why), "\n") end
  end
end
for i, line in ipairs(lines) do line.at = i end
table.sort(lines, function(a, b)
  if a.name ~= b.name then return a.name < b.name end
  return a.at < b.at
end)
for i, line in ipairs(lines) do lines[i] = line.text end
support.write(folder .. "/plans.jsonl", table.concat(lines, "\n") .. "\n")
