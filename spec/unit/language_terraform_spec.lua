-- Terraform's variables, local values and outputs, described as a language and compared with Terraform's recorded answers.
local cjson = require "cjson"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local language = require "hclexpr.language"

local described = language { name = "outputs", blocks = {
  locals = language.locals(), variable = language.variables(),
  output = { labels = { "name" }, address = "output.{name}", attributes = {
    value = {}, description = "string", sensitive = { type = "bool", default = false },
  } },
} }

local others = { "resource", "data", "module", "provider", "terraform", "check", "ephemeral", "import", "moved", "removed", "action" }

-- Does a text have only blocks that the description knows?
local function is_known(text)
  for _, word in ipairs(others) do
    if ("\n" .. text):find("\n%s*" .. word .. "%s") then return false end
  end
  for _, word in ipairs { "path%.", "terraform%.", "ephemeral", "precondition", "deprecated", "timestamp%(" } do
    if text:find(word) then return false end
  end
  return text:find "output%s" ~= nil
end

-- Does a run have no input except the environment?
local function is_plain(run)
  for key in pairs(run) do
    if not ({ name = 1, environment = 1, plan = 1, state = 1, before = 1, after = 1 })[key] then return false end
  end
  return true
end

-- The folders whose first recorded run has outputs and no options.
local function folders()
  local found = {}
  for _, path in ipairs(support.lines "find spec/modules/cases -name case.json | sort") do
    local dir = path:gsub("/case.json$", "")
    local files = support.lines("find " .. dir .. " -type f ! -name case.json")
    local case = cjson.decode(support.read(path))
    local run = case.runs and case.runs[1]
    local outputs = run and type(run.plan) == "table" and run.plan.outputs
    if #files == 1 and files[1]:find "/main.tf$" and outputs and next(outputs) and is_plain(run) then
      local text = support.read(files[1])
      if is_known(text) then found[#found + 1] = { dir = dir, text = text, outputs = outputs, environment = run.environment } end
    end
  end
  return found
end

describe("outputs", function()
  local all = folders()

  it("are those of Terraform", function()
    assert.is_true(#all >= 9, #all .. " folders")
    for _, folder in ipairs(all) do
      local conf = described:open({ { path = folder.dir, text = folder.text } }, { environment = folder.environment })
      for name, wanted in pairs(folder.outputs) do
        local where = folder.dir .. " " .. name
        local value, err = conf:value("output." .. name .. ".value")
        assert.truthy(value ~= nil, where .. ": " .. tostring(err))
        if not wanted.sensitive then
          assert.same(wanted.value, cjson.decode('{"v":' .. value:json() .. "}").v, where)
          assert.same(wanted.type, cjson.decode("[" .. value:type():json() .. "]")[1], where)
        end
      end
    end
  end)
end)
