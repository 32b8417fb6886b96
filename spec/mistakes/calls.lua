-- Lua calls, by the diagnostic that they show. A chunk returns the results of its call.
return {
  LIMIT_STEPS = [[
local strict = hcl.scope { limits = { steps = 1000 } }
return hcl.eval("[for n in range(1000) : n * n]", nil, strict)]],
  LIMIT_MEMORY = [[
local strict = hcl.scope { limits = { memory = 1000 } }
return hcl.eval("range(1000)", nil, strict)]],
  LIMIT_DEPTH = [=[
local strict = hcl.scope { limits = { depth = 4 } }
return hcl.eval("[[[[[1]]]]]", nil, strict)]=],
  LIMIT_OUTPUT = [[
local strict = hcl.scope { limits = { output = 1000 } }
return hcl.eval("range(1000)", nil, strict)]],
  LIMIT_SOURCE = 'return hcl.compile("port + 1", { limits = { source = 5 } })',
  CALL_ARGUMENT = [[return hcl.eval 'parseint("12x", 10)']],
  CALL_FAILED = [[return hcl.eval 'cidrsubnet("10.0.0.0/8", 30, 0)']],
  OPERATOR_OPERAND = [[return hcl.eval '"a" && true']],
  OPERATOR_FAILED = 'return hcl.eval "0 / 0"',
  CALL_COUNT = [[return hcl.eval 'upper("a", "b")']],
  BODY_MISSING = [[return hcl.decode("# empty", nil, nil, { schema = { attributes = { port = { required = true } } } })]],
  BODY_ARGUMENT = [[return hcl.decode("prt = 80", nil, nil, { schema = { attributes = { port = {} } } })]],
  BODY_ARGUMENT_BLOCK = [[return hcl.decode("listener = {}", nil, nil, { schema = { blocks = { listener = {} } } })]],
  BODY_BLOCK = [[return hcl.decode("listner {}", nil, nil, { schema = { blocks = { listener = {} } } })]],
  BODY_BLOCK_ARGUMENT = [[return hcl.decode("port {}", nil, nil, { schema = { attributes = { port = {} } } })]],
  BODY_LABEL_EXTRA = [[return hcl.decode('tls "a" {}', nil, nil, { schema = { blocks = { tls = {} } } })]],
  BODY_LABEL_MISSING = [[
return hcl.decode("listener {}", nil, nil, { schema = { blocks = { listener = { labels = { "name" } } } } })]],
  BODY_BOTH = [[return hcl.decode "tls = true\ntls {}\n"]],
  BODY_NULL = [[
return hcl.decode("port = null", nil, nil, { schema = { attributes = { port = { required = true } } } })]],
  BODY_TYPE = [[
return hcl.decode('port = "http"', nil, nil, { schema = { attributes = { port = { type = "number" } } } })]],
  BODY_TOO_FEW = [[return hcl.decode("", nil, nil, { schema = { blocks = { listener = { min = 1 } } } })]],
  BODY_TOO_MANY = [[
return hcl.decode("tls {}\ntls {}\n", nil, nil, { schema = { blocks = { tls = { max = 1 } } } })]],
  BODY_SAME_LABELS = [[
local schema = { blocks = { listener = { labels = { "name" }, nesting = "map" } } }
return hcl.decode('listener "a" {}\nlistener "a" {}\n', nil, nil, { schema = schema })]],
  BODY_SET_TYPES = [[
local schema = { blocks = { rule = { nesting = "set", schema = { attributes = { value = {} } } } } }
return hcl.decode("rule {\n  value = 1\n}\nrule {\n  value = []\n}\n", nil, nil, { schema = schema })]],
  DYNAMIC_NULL = [[return hcl.decode 'dynamic "rule" {\n  for_each = null\n  content {}\n}\n']],
  DYNAMIC_TYPE = [[return hcl.decode 'dynamic "rule" {\n  for_each = 5\n  content {}\n}\n']],
  DYNAMIC_ITERATOR = [[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n  iterator = "x"\n  content {}\n}\n']],
  DYNAMIC_LABELS = [[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n  labels   = "x"\n  content {}\n}\n']],
  DYNAMIC_LABELS_COUNT = [[
local schema = { blocks = { rule = { labels = { "name" } } } }
return hcl.decode('dynamic "rule" {\n  for_each = [1]\n  labels   = []\n  content {}\n}\n', nil, nil, { schema = schema })]],
  DYNAMIC_CONTENT_MISSING = [[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n}\n']],
  DYNAMIC_CONTENT_TWICE = [[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n  content {}\n  content {}\n}\n']],
  DYNAMIC_LABEL_NULL = [[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n  labels   = [null]\n  content {}\n}\n']],
  DYNAMIC_LABEL_TYPE = [=[return hcl.decode 'dynamic "rule" {\n  for_each = [1]\n  labels   = [[]]\n  content {}\n}\n']=],
  DYNAMIC_LABEL_UNKNOWN = [[
local source = 'dynamic "rule" {\n  for_each = [1]\n  labels   = [id]\n  content {}\n}\n'
return hcl.decode(source, { id = hcl.unknown "string" })]],
  DYNAMIC_LABEL_MARKED = [[
local source = 'dynamic "rule" {\n  for_each = [1]\n  labels   = [key]\n  content {}\n}\n'
return hcl.decode(source, { key = hcl.sensitive "hush" })]],
  JSON_MISSING = [[
local schema = { attributes = { port = { required = true } } }
return hcl.parse("{}", { syntax = "json" }):decode(schema)]],
  OWN_ERROR = [[
local port = hcl.parse("port = 1").attributes.port
return nil, hcl.diagnostic { summary = "Error", detail = "Your own words.", object = port }]],
  OWN_WARNING = [[
local port = hcl.parse("port = 1").attributes.port
return nil, hcl.diagnostic { severity = "warning", summary = "Warning", detail = "Your own words.", object = port }]],
  SCHEMA_VALUE = [[
return hcl.decode("port = 0", nil, nil, { schema = { attributes = { port = { type = "number", min = 1 } } } })]],
  MERGE_SYNTAX = [[return hcl.merge { hcl.parse "a = 1", hcl.parse('{ "b": 2 }', { syntax = "json" }) }]],
  DATA_TYPE = [[return hcl.value { handler = print }]],
  DATA_KEYS = [[return hcl.value { 1, 2, name = "x" }]],
  DATA_HOLE = [[return hcl.value { [1] = "a", [2] = "b", [5] = "c" }]],
  DATA_CYCLE = [[
local t = {}
t.self = t
return hcl.value(t)]],
  DATA_NUMBER = [[return hcl.value { ratio = 0 / 0 }]],
  DATA_TEXT = [[return hcl.value { name = "\255" }]],
  LOOKUP_FAILED = [[
local scope = hcl.scope { lookup = function() return nil, "the store doesn't answer" end }
return hcl.eval("user.name", nil, scope)]],
  LAZY_FAILED = [[return hcl.eval("user", { user = hcl.lazy(function() return nil, "the store doesn't answer" end) })]],
  LOAD_FAILED = [[return hcl.load "nowhere.hcl"]],
  VALUE_CONVERT = [[return hcl.type("number"):convert "x"]],
  RESULT_BIG = [[
local scope = hcl.scope { convert = { big = "error" } }
return hcl.eval("12345678901234567890123", nil, scope)]],
  RESULT_SENSITIVE = [[
local scope = hcl.scope { convert = { sensitive = "error" } }
return hcl.eval("key", { key = hcl.sensitive "hush" }, scope)]],
  RESULT_UNKNOWN = [[
local scope = hcl.scope { convert = { unknown = "error" } }
return hcl.eval("id", { id = hcl.unknown "string" }, scope)]],
  TEST_NULL = [[return hcl.compile("user.admin"):test { user = { admin = hcl.null } }]],
  TEST_UNKNOWN = [[return hcl.compile("user.admin"):test { user = { admin = hcl.unknown "bool" } }]],
  TEST_TYPE = [[return hcl.compile("user.age"):test { user = { age = 5 } }]],
  CHECK_RETURNS = [[return hcl.compile("port + 1"):check({ port = "number" }, nil, { returns = "bool" })]],
  RENDER_TYPE = [[return hcl.render("${hosts}", { hosts = { "a", "b" } })]],
  SPEC_ARGUMENT = [[return hcl.spec 'attr {\n  name     = "port"\n  required = 5\n}\n']],
  SPEC_NAME = [[return hcl.spec "attr {\n  type = number\n}\n"]],
  SPEC_NESTED = [[return hcl.spec 'block {\n  block_type = "tls"\n}\n']],
  SPEC_ATTRIBUTE_TYPE = [[
local spec = hcl.spec 'attr {\n  name = "port"\n  type = number\n}\n'
return spec:decode(hcl.parse 'port = "http"')]],
  SPEC_ATTRIBUTE_TWICE = [[
local spec = hcl.spec 'attr {\n  name = "port"\n}\n'
return spec:decode { hcl.parse("port = 1", { filename = "a.hcl" }), hcl.parse("port = 2", { filename = "b.hcl" }) }]],
  SPEC_ATTRIBUTE_MISSING = [[
local spec = hcl.spec 'attr {\n  name     = "port"\n  required = true\n}\n'
return spec:decode { hcl.parse "", hcl.parse "" }]],
  SPEC_BLOCK_TWICE = [[
local spec = hcl.spec 'block {\n  block_type = "tls"\n  object {}\n}\n'
return spec:decode(hcl.parse "tls {}\ntls {}\n")]],
  SPEC_BLOCK_MISSING = [[
local spec = hcl.spec 'block {\n  block_type = "tls"\n  required   = true\n  object {}\n}\n'
return spec:decode(hcl.parse "")]],
  SPEC_BLOCK_COUNT = [[
local spec = hcl.spec 'block_list {\n  block_type = "rule"\n  min_items  = 2\n  object {}\n}\n'
return spec:decode(hcl.parse "rule {}\n")]],
  SPEC_BLOCK_TYPES = [[
local spec = hcl.spec 'block_list {\n  block_type = "rule"\n  attr {\n    name = "value"\n  }\n}\n'
return spec:decode(hcl.parse "rule {\n  value = 1\n}\nrule {\n  value = []\n}\n")]],
  SPEC_BLOCK_STRAY = [[
local spec = hcl.spec 'block_attrs {\n  block_type   = "tags"\n  element_type = string\n}\n'
return spec:decode(hcl.parse "tags {\n  inner {}\n}\n")]],
  SPEC_REFINE = [[
local spec = hcl.spec 'refine {\n  prefix = "eu-"\n  attr {\n    name = "region"\n    type = string\n  }\n}\n'
return spec:decode(hcl.parse 'region = "us-1"')]],
  ENCODE_VALUE = [[return hcl.encode { key = hcl.sensitive "hush" }]],
  ENCODE_BODY = [[return hcl.encode({ 1, 2 }, { attributes_only = true })]],
  FROM_JSON = [[return hcl.from_json '{ "a b": 1 }']],
  EDIT_PATH = [[return hcl.edit('listener "web" {}\n'):set("listener.wbe.port", "80")]],
  EDIT_AMBIGUOUS = [[return hcl.edit("rule {}\nrule {}\n"):set("rule.port", "80")]],
  EDIT_NAME = [[return hcl.edit("port = 1\n"):rename("port", "the port")]],
  EDIT_BROKEN = [[return hcl.edit("port = 1 x\n"):set("port", "2")]],
  EDIT_JSON = [[return hcl.edit '{ "port": 1 }']],
  MODULE_LANGUAGE_REFERENCE = [[
local gate = require "hclexpr.language" { name = "gate", blocks = {
  upstream = { labels = { "name" }, address = "upstream.{name}" }, route = { attributes = { to = { ref = "upstream" } } },
} }
return gate:decode('upstream "mail" {}\n\nroute {\n  to = "mail"\n}\n')]],
  MODULE_LANGUAGE_RULE = [[
local gate = require "hclexpr.language" { name = "gate", blocks = { upstream = {
  labels = { "name" }, attributes = { port = "number" },
  validation = { { condition = "self.port > 1023", error_message = "${self.name} can't have port ${self.port}." } },
} } }
return gate:decode('upstream "mail" {\n  port = 80\n}\n')]],
  MODULE_LANGUAGE_UNKNOWN = [[
local gate = require "hclexpr.language" { name = "gate", functions = { later = {} }, attributes = { port = "number" } }
return gate:decode("port = later()\n", { functions = { later = function() return hcl.unknown "number" end } })]],
  MODULE_LANGUAGE_WRITTEN = [[
local gate = require "hclexpr.language" { name = "gate", attributes = { port = "number", next = { value_from = "self.port + 1" } } }
return gate:decode("port = 80\nnext = 82\n")]],
}
