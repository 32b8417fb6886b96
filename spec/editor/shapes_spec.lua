-- What an editor knows of values without evaluating them, held to Terraform's and the reference's recorded answers.
local hcl = require "hclexpr"
local json = require "hclexpr.lsp.json"
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local here = support.here()

-- A workspace with one file.
local function open(name, text, schemas)
  local workspace = service.new {
    roots = { "/w" }, schemas = schemas, read = function() return text end, list = function() return { name } end,
  }
  workspace:open("/w/" .. name, text, 1)
  return function(what, byte) return support.without_time(workspace[what], workspace, "/w/" .. name, byte) end
end

-- ../modules/mistakes.jsonl says which steps into a resource Terraform 1.17-dev takes.
describe("steps into a resource", function()
  local modules = here .. "../modules/"

  -- The expressions of a case, one for each output, that end with a name and don't lead through a value of any type: calls f(expression,
  -- where it ends, is it taken?).
  local function each_expression(case, f)
    local text, wrong, number, from = case.files["main.tf"], {}, 0, 0
    for _, place in ipairs(case.wrong) do wrong[tonumber(place:match "^error %S+ (%d+):" or 0)] = true end
    for line in text:gmatch "([^\n]*)\n" do
      number = number + 1
      local expression = line:match "= %[(shapes_thing%.a%.[^\n]*%.[%a_]+)%] }$"
      if expression and not expression:find("a.any", 1, true) then f(expression, from + #line - #"] }", not wrong[number]) end
      from = from + #line + 1
    end
  end

  it("are known as Terraform knows them", function()
    local schemas, n = json.decode(support.read(modules .. "schemas/shapes.json")), 0
    for line in io.lines(modules .. "mistakes.jsonl") do
      if line:find('"name":"steps into', 1, true) then
        local case, differences = json.decode(line), {}
        local ask = open("main.tf", case.files["main.tf"], schemas)
        each_expression(case, function(expression, stop, taken)
          local name = expression:match "[%a_]+$"
          local hover, offered = ask("hover", stop - 1), false
          for _, item in ipairs(ask("complete", stop - #name)) do offered = offered or item.label == name end
          local known = hover ~= nil and hover.text:match "^```hcl\n[^\n]*: " ~= nil
          n = n + 1
          if known ~= taken then differences[#differences + 1] = "hover of " .. expression end
          -- Nothing says which keys a map will have.
          if offered ~= (taken and name ~= "k") then differences[#differences + 1] = "completion of " .. expression end
        end)
        assert.equal("", table.concat(differences, "\n"))
      end
    end
    assert.is_true(n > 150)
  end)
end)

-- What an editor says of an expression without evaluating it is what the reference's value has: recorded cases.
describe("types of expressions", function()
  -- What an editor tells less exactly: loops, branches, nulls, and keys that are no names.
  local ROUGH = { "for ", "%*", "%?", "try%(", "null", "unknown%(", "ephemeral%(", "\n", "{[^%a}]", "[^%w_ ]%s*[=:]%s", "nn" }
  local ONE_IN = support.sample(5, 1)

  local function is_rough(text)
    for _, pattern in ipairs(ROUGH) do
      if text:find(pattern) then return true end
    end
    return false
  end

  -- A type as the language writes it.
  local function written(type_of)
    if type(type_of) == "string" then return type_of == "dynamic" and "any" or type_of end
    local parts, kind, inner = {}, type_of[1], type_of[2]
    if kind == "object" then
      for name, part in pairs(inner) do parts[#parts + 1] = ("%s = %s"):format(name, written(part)) end
      return "object({" .. table.concat(parts, ", ") .. "})"
    elseif kind == "tuple" then
      for i, part in ipairs(inner) do parts[i] = written(part) end
      return "tuple([" .. table.concat(parts, ", ") .. "])"
    end
    return kind .. "(" .. written(inner) .. ")"
  end

  -- The file that a case is; nil for one that an editor tells less exactly.
  local function file_of(case)
    local lines = {}
    if case.mode or not case.want.type or is_rough(case.src) or not hcl.type(written(case.want.type)) then return nil end
    for name, value in pairs(case.vars or {}) do
      if is_rough(value) then return nil end
      lines[#lines + 1] = name .. " = " .. value .. "\n"
    end
    local before = table.concat(lines)
    return before .. "zzz = " .. case.src .. "\n", #before
  end

  for _, name in ipairs { "operators", "literals", "templates", "for_splat_index", "func_numeric", "func_strings" } do
    it("are the reference's: " .. name, function()
      local n, vague, differences, number = 0, 0, {}, 0
      for line in io.lines(here .. "../conformance/cases/" .. name .. ".jsonl") do
        number = number + 1
        local case = number % ONE_IN == 0 and json.decode(line)
        local text, byte = file_of(case or { mode = "" })
        if text then
          local hover = open("a.hcl", text)("hover", byte + 1)
          local found, wanted = hover and hover.text:match "^```hcl\nzzz: (.-)\n```", assert(hcl.type(written(case.want.type)))
          n = n + 1
          if not found or found:find "any" or found:find("…", 1, true) then
            vague = vague + 1
          elseif hcl.type(found) ~= wanted then
            differences[#differences + 1] = ("%s: %s is not %s"):format(case.id, found, tostring(wanted))
          end
        end
      end
      assert.equal("", table.concat(differences, "\n"))
      assert.is_true(n > 5 and vague < n / 3, ("%d of %d"):format(vague, n))
    end)
  end
end)
