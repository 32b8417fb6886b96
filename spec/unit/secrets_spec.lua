-- No diagnostic shows what is marked, whatever the mark's name, wherever it sits: texts, keys, elements, results of functions.
local hcl = require "hclexpr"

local SECRET, NUMBER = "XSECRETX", 918273645

local function texts_of(err)
  local texts = { tostring(err) }
  for _, d in ipairs(err) do
    texts[#texts + 1] = d.summary .. d.detail
    for _, v in ipairs(d.values) do texts[#texts + 1] = v.path .. v.text end
  end
  for _, d in ipairs(err:lsp()) do texts[#texts + 1] = d.message end
  for _, d in ipairs(err:vim()) do texts[#texts + 1] = d.message end
  return table.concat(texts, "\n")
end

local function assert_hidden(what, err)
  local text = texts_of(err)
  assert.is_nil(text:find(SECRET, 1, true), what .. ": " .. text)
  assert.is_nil(text:find(tostring(NUMBER), 1, true), what .. ": " .. text)
end

local function variables(mark)
  local function marked(x, type)
    return hcl.mark(type and hcl.value(x, type) or x, mark)
  end
  return {
    s = marked(SECRET), n = marked(NUMBER), l = marked { SECRET, SECRET }, ll = marked { { SECRET } }, e = { marked(SECRET) },
    o = marked { [SECRET] = SECRET, k = NUMBER }, inside = { a = marked { [SECRET] = 1 } },
    m = marked({ [SECRET] = SECRET }, "map(string)"), set = marked({ SECRET }, "set(string)"),
    u = marked(hcl.unknown("object({ " .. SECRET .. " = string })")), ts = marked { "${a." .. SECRET .. "}" },
  }
end

local function echo(...) return ... end

local scope = hcl.scope {
  functions = {
    plain = echo,
    fail = hcl.func { params = { { name = "x" } }, impl = function(x) return nil, "bad " .. tostring(x), 1 end },
    number = hcl.func { params = { { name = "x" } }, returns = "number", impl = echo },
    map = hcl.func { params = { { name = "x" } }, returns = "map(number)", impl = function(x) return { [tostring(x)] = x } end },
    mixed = hcl.func { params = { { name = "x" } }, impl = function(x) return { 1, [tostring(x)] = 2 } end },
    typed = hcl.func {
      params = { { name = "x" } }, returns = function(x) return nil, "no type for " .. tostring(x:lua()) end, impl = echo,
    },
  },
}

local sources = {
  "s + 1", "n + {}", "-s", "s ? 1 : 2", "s[0]", "l[s]", "l[n]", "o.k.x", "{ a = 1 }[s]", "[1][n]", "o[s].x", "inside.a.b", "u.b",
  -- elements of what is marked bear no mark of their own
  "[for x in l : x + 1]", "[for x in ll : [for y in x : y + 1]]", "[for x in l : nope[x]]", "[for k, v in o : k + 1]",
  "{ for k, v in m : \"a\" => k... if v }", "{ for x in l : x => 1 }", "[for x in l : tonumber(x)]", "[for x in l : { a = 1 }[x]]",
  "[for x in l : x.y]", "l[*].y", "ll[*][0].y", "o.*.y", "[for x in l : \"${x.y}\"]", "[for x in l : regex(\"(\", x)]",
  "[for x in l : lookup({ a = 1 }, x)]", "[for x in l : cidrhost(x, 1)]", "[for x in set : x + 1]", "[for x in e : x + 1]",
  "\"%{ for x in l }${x + 1}%{ endfor }\"", "[for x in l : try(x + 1)]", "[for x in l : x ? 1 : 2]",
  -- names of attributes are data too, where they were keys
  "true ? o : tolist([1])", "true ? [o] : [{ a = 1 }]", "tomap(o)", "convert(o, map(number))", "convert(m, map(number))",
  "convert(inside, object({ a = map(bool) }))", "convert(u, map(list(string)))", "transpose(o)", "merge(o, [1])", "lookup(o, \"q\")",
  -- functions of Lua
  "fail(s)", "fail(n)", "number(s)", "map(s)", "mixed(s)", "typed(s)", "[for x in l : fail(x)]", "[for x in l : number(x)]",
  "[for x in l : mixed(x)]", "plain(s) + 1",
  -- functions that quote what they refuse
  "bcrypt(\"a\", n)", "range(n, n, 0)", "parseint(s, 99)", "formatdate(s, s)", "jsondecode(s)", "yamldecode(\"[${s}\")", "format(s, 1)",
  "templatestring(s, {})", "[for t in ts : templatestring(t, {})]", "[for t in ts : templatestring(t, { a = {} })]",
  "[for t in [\"$${a + 1}\"] : templatestring(t, { a = s })]", "zipmap([s], [])", "file(s)", "timeadd(s, s)", "nope(s)",
}

for _, mark in ipairs { "sensitive", "ephemeral", "my-own" } do
  describe("what is marked " .. mark, function()
    local vars = variables(mark)
    for _, source in ipairs(sources) do
      it("isn't shown: " .. source, function()
        local v, err = hcl.eval(source, vars, scope)
        if v == nil then assert_hidden(source, err) end
      end)
    end

    it("isn't shown by Values and types", function()
      for _, name in ipairs { "s", "n", "l", "o", "m", "set", "inside", "u" } do
        for _, type in ipairs { "number", "list(number)", "map(number)", "map(list(bool))", "object({ a = string })", "tuple([bool])" } do
          local v, err = hcl.value({ vars[name] }, "list(" .. type .. ")")
          if v == nil then assert_hidden(name .. " to " .. type, err) end
          v, err = hcl.type(type):convert(vars[name])
          if v == nil then assert_hidden(name .. " to " .. type, err) end
        end
      end
    end)

    it("isn't rendered", function()
      assert.is_nil(tostring(vars.s):find(SECRET, 1, true))
      assert.is_nil(tostring(hcl.value { vars.o }):find(SECRET, 1, true))
      assert.is_false((pcall(vars.s.text, vars.s)))
    end)

    it("is what it was once the mark is taken off", function()
      assert.equal(SECRET, vars.s:unmark():text())
      local _, err = hcl.eval("s + 1", { s = vars.s:unmark() })
      assert.truthy(tostring(err):find(SECRET, 1, true))
    end)
  end)
end

describe("what isn't marked", function()
  it("is shown beside what is, and after it", function()
    local vars = variables "sensitive"
    vars.open = { "plain text" }
    local _, err = hcl.eval("[[for x in l : x], [for y in open : y + 1]]", vars)
    assert.truthy(tostring(err):find("plain text", 1, true))
    _, err = hcl.eval("[for x in open : x + 1]", vars)
    assert.truthy(tostring(err):find("plain text", 1, true))
  end)

  it("is shown where only the key of the path is on top of a secret", function()
    local _, err = hcl.value({ a = { b = hcl.sensitive "x" } }, "object({ a = object({ b = number }) })")
    assert.truthy(tostring(err):find('attribute "b"', 1, true))
  end)
end)
