-- Functions of every theme, with one allocation after the other failing: the error is clean, and the next evaluation works.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local testing = require "hclexpr.testing"

local SOURCES = {
  string = 'join(",", split("-", upper(replace(title(trimspace(" a-b ")), "a", "xyz"))))',
  format = 'formatlist("%s is %5.2f, %q", ["a", "b"], 3.14159, "x")',
  number = "max(pow(2, 200), parseint(\"zz\", 36), signum(-3), log(100, 10), 1 / 3)",
  sequence = "flatten([concat([1, 2], [3]), chunklist(range(6), 4), slice(reverse([1, 2, 3]), 0, 2), sort([\"b\", \"a\"])])",
  set = "setunion(setproduct([\"a\"], [\"b\"]), toset([tolist([\"c\", \"d\"])]))",
  map = 'merge({ a = 1 }, zipmap(["b", "c"], [2, 3]), transpose({ x = ["y"] }))',
  convert = 'tomap({ a = tonumber("1.5"), b = tonumber(2) })',
  json = 'jsondecode(jsonencode({ a = [1, "two", null, { b = true }] }))',
  yaml = 'yamldecode(yamlencode({ a = [1, "two", null, { b = true }] }))',
  yaml_aliases = 'yamldecode("a: &x [1, 2]\\nb: *x\\nc: 2001-01-01\\n")',
  csv = 'csvdecode("a,b\\n1,\\"x\\ny\\"\\n")',
  regex = 'regexall("(?P<k>[a-z]+)=(?P<v>[0-9]+)", "a=1 bc=22")',
  replace = 'replace("hello world", "/(\\\\w+) (\\\\w+)/", "$2 $1")',
  hash = '[md5("a"), sha1("a"), sha256("a"), base64sha512("a")]',
  bcrypt = 'bcrypt("a", 4)',
  gzip = 'base64gunzip(base64gzip("some text, some text, some text"))',
  encode = '[base64decode(base64encode("ab")), urlencode("a b&c"), textdecodebase64(textencodebase64("hé", "UTF-16LE"), "UTF-16LE")]',
  cidr = '[cidrsubnets("10.0.0.0/8", 4, 8), cidrhost("fd00::/64", 5), cidrnetmask("10.0.0.0/9")]',
  time = '[formatdate("EEEE, DD MMM YYYY hh:mm ZZZ", timeadd("2020-02-28T23:00:00Z", "90m"))]',
  timecmp = 'timecmp("2020-01-01T00:00:00Z", "2021-01-01T00:00:00+01:00")',
  now = "[timestamp(), uuid(), uuidv5(\"dns\", \"example.com\")]",
  file = '[file("hello.txt"), fileset(".", "*.txt"), filesha256("hello.txt"), abspath("x")]',
  templatefile = 'templatefile("tmpl/list.tftpl", { items = ["a", "b"] })',
  templatestring = 'templatestring(template, { name = "x" })',
  -- Their errors, too.
  no_file = 'try(file("nope.txt"), "none")',
  bad_pattern = 'try(regex("(", ""), "none")',
  bad_template = 'try(templatefile("tmpl/broken.tftpl", {}), "none")',
  bad_yaml = 'try(yamldecode("[a"), "none")',
  bad_key = 'try(rsadecrypt("AAAA", "no key"), "none")',
}

local scope = hcl.scope {
  filesystem = support.root .. "spec/conformance/fixtures", variables = { template = "Hello, ${upper(name)}!" },
  clock = function() return 1700000000 end, random = function(n) return ("\7"):rep(n) end,
}

-- Some themes make thousands of allocations: not all of them are tried.
local function each_failure(source)
  return support.with_failures(testing, function() return hcl.eval(source, nil, scope) end,
    { sparse = true, after = function() assert.equal(3, hcl.eval "1 + 2") end })
end

describe("an allocation that fails", function()
  for theme, source in pairs(SOURCES) do
    it("in " .. theme, function()
      local v, err = each_failure(source)
      -- The libraries of this build may lack what the function needs: that is an error both times.
      local again, why = hcl.eval(source, nil, scope)
      assert.equal(tostring(err), tostring(why))
      if type(v) ~= "table" and type(v) ~= "userdata" then assert.equal(v, again) end
      assert(v ~= nil or tostring(err):find("build", 1, true), source .. ": " .. tostring(err))
    end)
  end
end)
