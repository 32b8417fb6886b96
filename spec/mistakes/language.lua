-- Sources of the language with one mistake each. spec/unit/messages_spec.lua compares their messages, and tools/diagnostics.lua writes them
-- into doc/diagnostics.md.
local hcl = require "hclexpr"

local language = {}

local END = "the end of the source"
local calls = 0
local scopes = {
  none = hcl.scope { stdlib = false },
  absent = hcl.scope { absent = "error" },
  expr = hcl.scope {
    functions = {
      next_key = function() -- another one with each call
        calls = calls + 1
        return calls % 2 == 0 and "a" or "b"
      end,
    },
  },
}
local schema = { attributes = { name = {} }, blocks = { plain = { schema = {} }, labeled = { labels = { "of" }, schema = {} } } }

-- How the source is read, the source, the row of its first message, and the words in it.
language.rows = {
  { "expr", "a & b", "SYNTAX_BIT_AND" }, { "expr", "a | b", "SYNTAX_BIT_OR" }, { "expr", "~a", "SYNTAX_BIT_NOT", "" },
  { "expr", "a ^ 2", "SYNTAX_BIT_XOR" }, { "expr", "'text'", "SYNTAX_APOSTROPHE", ': "text"' }, { "expr", "`text`", "SYNTAX_BACKTICK" },
  { "body", "a = 1;\n", "SYNTAX_SEMICOLON" }, { "expr", "\226\128\156text\226\128\157", "SYNTAX_CURLY_QUOTE" },
  { "expr", "@", "SYNTAX_CHARACTER" }, { "expr", "f(${a})", "SYNTAX_INTERP_BARE", "Write a without ${ }" },
  { "expr", "\255", "SYNTAX_UTF8" }, { "expr", '"one\ntwo"', "SYNTAX_QUOTED_NEWLINE", "" }, { "expr", '"a\\q"', "SYNTAX_ESCAPE", "\\q" },
  { "expr", '"\\u12"', "SYNTAX_ESCAPE_SHORT", "\\u12" }, { "expr", '"\\U0001f60"', "SYNTAX_ESCAPE_LONG", "\\U0001f60" },
  { "expr", '"\\udc00"', "SYNTAX_ESCAPE_CODE", "\\udc00" },
  { "expr", "1.2.3", "SYNTAX_NUMBER", '"1.2.3"', ' Write text in quotes: "1.2.3".' },
  { "expr", "a b", "SYNTAX_EXTRA", '"b"', " Remove it, or join the two with an operator." },
  { "expr", "1 +", "SYNTAX_EXPRESSION", END, "" },
  { "expr", "a ? b", "SYNTAX_CONDITIONAL", END, "" },
  { "expr", "(1", "SYNTAX_PARENS", END, ' The "(" before it is on line 1, column 1.' },
  { "expr", "a.", "SYNTAX_ATTRIBUTE_NAME", END, "" }, { "expr", "list.0.1", "SYNTAX_LEGACY_INDEX", "0.1" },
  { "expr", "a[1, 2]", "SYNTAX_INDEX_CLOSE", '","', "" }, { "expr", "a[* ", "SYNTAX_SPLAT_CLOSE", END },
  { "expr", "a.*.*", "SYNTAX_NESTED_SPLAT", '"*"' }, { "expr", "core::", "SYNTAX_CALL_NAME", END },
  { "expr", "core::upper", "SYNTAX_CALL_OPEN", END }, { "expr", "f(a", "SYNTAX_CALL_UNCLOSED" },
  { "expr", "f(a b)", "SYNTAX_CALL_COMMA", '"b"', "" },
  { "expr", "f(a..., b)", "SYNTAX_CALL_EXPAND", '","', "" }, { "expr", "[1, 2", "SYNTAX_TUPLE_UNCLOSED" },
  { "expr", "[1 2]", "SYNTAX_TUPLE_COMMA", '"2"', "" }, { "expr", "{ a = 1", "SYNTAX_OBJECT_UNCLOSED" },
  { "expr", "{ a = 1 b = 2 }", "SYNTAX_OBJECT_COMMA", '"b"', "" }, { "expr", "{ a 1 }", "SYNTAX_OBJECT_ASSIGN", '"1"', "" },
  { "expr", "{ a, b }", "SYNTAX_OBJECT_VALUE", '","', "" }, { "expr", "{ a.b = 1 }", "OBJECT_KEY_PATH" },
  { "expr", "[for 1 in a : 1]", "SYNTAX_FOR_NAME", '"1"' }, { "expr", "[for a, 1 in b : 1]", "SYNTAX_FOR_VALUE", '"1"' },
  { "expr", "[for a of b : 1]", "SYNTAX_FOR_IN", '"of"' }, { "expr", "[for a in b]", "SYNTAX_FOR_COLON", '"]"', "" },
  { "expr", "[for a in b : a, 1]", "SYNTAX_FOR_END", '","', "" }, { "expr", "[for k, v in a : k => v]", "SYNTAX_FOR_KEY" },
  { "expr", "[for v in a : v...]", "SYNTAX_FOR_GROUP" }, { "expr", "{ for v in a : v }", "SYNTAX_FOR_NO_KEY" },
  { "expr", '"text', "SYNTAX_TEMPLATE", END, " Its opening quote is on line 1, column 1." },
  { "template", "text ${a", "SYNTAX_INTERP_UNCLOSED", "line 1, column 6" }, { "template", "${HOME:-x}", "SYNTAX_INTERP_COLON" },
  { "template", "${a b}", "SYNTAX_INTERP_EXTRA", '"b"', "" }, { "template", "%{ 1 }", "SYNTAX_DIRECTIVE", '"1"' },
  { "template", "%{ fi a }", "SYNTAX_DIRECTIVE_WORD", '"fi" is not a directive. Did you mean "if"?' },
  { "template", "%{ if a b }", "SYNTAX_DIRECTIVE_EXTRA", '"b"', "" }, { "template", "%{ endif }", "SYNTAX_DIRECTIVE_STRAY", "%{ endif }" },
  { "template", "%{ if a }b", "SYNTAX_DIRECTIVE_UNCLOSED", "%{ if } on line 1, column 1" },
  { "template", "%{ if a }b%{ endfor }", "SYNTAX_IF_END", "%{ endfor }", " It begins on line 1, column 1." },
  { "template", "%{ for a in b }c%{ endif }", "SYNTAX_FOR_DIRECTIVE_END", "%{ endif }", " It begins on line 1, column 1." },

  { "body", "= 1\n", "SYNTAX_ITEM", '"="', "" },
  { "body", '"a" = 1\n', "SYNTAX_ITEM_QUOTED" }, { "body", "a\n", "SYNTAX_ITEM_BARE", '"a"' },
  { "body", "a = 1,\nb = 2\n", "SYNTAX_ATTRIBUTE_COMMA" }, { "body", "a = 1 2\n", "SYNTAX_ATTRIBUTE_END", '"2"', "" },
  { "body", "a = 1\na = 2\n", "SYNTAX_ATTRIBUTE_TWICE", "a", "line 1" }, { "body", "a b 1 {\n}\n", "SYNTAX_BLOCK_HEAD", '"1"', "" },
  { "body", 'a "b" = 1\n', "SYNTAX_BLOCK_ASSIGN" }, { "body", 'a "b"\n{\n}\n', "SYNTAX_BLOCK_NEWLINE" },
  { "body", "a {\nb = 1\n", "SYNTAX_BLOCK_UNCLOSED" }, { "body", "a {\n} b\n", "SYNTAX_BLOCK_END", '"b"', "" },
  { "body", "a { b {} }\n", "SYNTAX_BLOCK_LINE_ITEM", '"b"' }, { "body", "a { b = 1, c = 2 }\n", "SYNTAX_BLOCK_LINE_COMMA" },
  { "body", "a { b = 1\n}\n", "SYNTAX_BLOCK_LINE_NEWLINE" }, { "body", "a { b = 1 c = 2 }\n", "SYNTAX_BLOCK_LINE_END", '"c"', "" },
  { "body", 'a "${b}" {\n}\n', "SYNTAX_LABEL_TEMPLATE", '"${"' }, { "body", 'a "b', "SYNTAX_LABEL_UNCLOSED", "line 1, column 3" },

  { "json", '{"a": :}', "JSON_VALUE" }, { "json", '{"a":', "JSON_ENDS" }, { "json", "# text\n{}", "JSON_COMMENT" },
  { "json", "{'a': 1}", "JSON_QUOTE" }, { "json", "{true: 1}", "JSON_NAME" }, { "json", '{"a" 1}', "JSON_COLON" },
  { "json", '{"a" = 1}', "JSON_ASSIGN" }, { "json", '{"a"}', "JSON_NO_VALUE" }, { "json", '{"a": 1,}', "JSON_TRAILING" },
  { "json", '{"a": 1 "b": 2}', "JSON_COMMA", "Properties" }, { "json", '{"a": [1 2]}', "JSON_COMMA", "Elements" },
  { "json", '{"a": ["b": 1]}', "JSON_ELEMENT_COLON" }, { "json", '{"a": 1', "JSON_UNCLOSED", "}" },
  { "json", '{"a": [1}', "JSON_MISMATCH", "]" },
  { "json", '{"a": 01}', "JSON_NUMBER", "01" }, { "json", '{"a": "b}', "JSON_STRING", "the string has no end" },
  { "json", '{"a": nul}', "JSON_WORD", '"nul" is not a value of JSON. Did you mean "null"?' },
  { "json", '{"a": tru}', "JSON_WORD", '"tru" is not a value of JSON. Did you mean "true"?' },
  { "json", '{"a": fals}', "JSON_WORD", '"fals" is not a value of JSON. Did you mean "false"?' },
  { "json", '{"a": word}', "JSON_WORD", '"word" is not a value of JSON.' },
  { "json", "{} 1", "JSON_EXTRA" }, { "json", "1", "JSON_ROOT" },
  { "schema", '{"plain": 5}', "JSON_BLOCK", "plain" }, { "schema", '{"labeled": 5}', "JSON_LABELS", "of" },
  { "schema", '{"labeled": {}}', "JSON_LABEL_MISSING", "of" }, { "schema", '{"nam": 1}', "JSON_PROPERTY", "nam", ' Did you mean "name"?' },
  { "schema", '[1]', "JSON_BODY" }, { "json expression", '{"a": 1, "a": 2}', "OBJECT_KEY_TWICE", '"a"' },

  { "expr", "nope", "REFERENCE_UNKNOWN", "nope", "" }, { "expr", "null.a", "REFERENCE_NULL_ATTRIBUTE", "a" },
  { "expr", "null[0]", "REFERENCE_NULL_INDEX" }, { "expr", "{ name = 1 }.nmae", "REFERENCE_ATTRIBUTE", "nmae", ' Did you mean "name"?' },
  { "expr", "tomap({ name = 1 }).nmae", "REFERENCE_MAP_KEY", "nmae", ' Did you mean "name"?' },
  { "expr", "tolist([{ a = 1 }]).a", "REFERENCE_ATTRIBUTE_OF_EACH", "a", "list" },
  { "expr", "1.a", "REFERENCE_NO_ATTRIBUTES", "a", "number" },
  { "expr", "[1][null]", "INDEX_NULL" },
  { "expr", "[1][[]]", "INDEX_TYPE", "tuple", "a number is required, not a tuple" },
  { "expr", "[1, 2][1 / 2]", "INDEX_FRACTION" }, { "expr", "[1][-1]", "INDEX_NEGATIVE" }, { "expr", "[][0]", "INDEX_EMPTY", "tuple" },
  { "expr", "[1, 2][2]", "INDEX_RANGE", "tuple", "1" }, { "expr", "sensitive([1, 2])[2]", "INDEX_RANGE_HIDDEN", "tuple" },
  { "expr", '{ name = 1 }["nmae"]', "INDEX_KEY", "object", '"nmae"', ' Did you mean "name"?' },
  { "expr", "{ name = 1 }[0]", "INDEX_KEY_NUMBER", '"0"' }, { "expr", "toset([1])[0]", "INDEX_SET" },
  { "expr", "true[0]", "INDEX_NONE", "bool" },
  { "expr", "uper(1)", "CALL_UNKNOWN", "uper", ' Did you mean "upper"?' },
  { "none", "upper(1)", "CALL_NONE", "upper", " Write the value itself." },
  { "expr", "max(null...)", "CALL_EXPAND_NULL" }, { "expr", "max(5...)", "CALL_EXPAND_TYPE", "number" },
  { "type", "strnig", "TYPE_KEYWORD", "strnig", ' Did you mean "string"?' },
  { "type", "list", "TYPE_BARE", "list", "the type of its elements, as in list(string)" },
  { "type", '"string"', "TYPE_NOT_ONE" }, { "type", "string(number)", "TYPE_NO_ARGUMENT", "string" },
  { "type", "map(string, number)", "TYPE_ONE_ARGUMENT", "map", "the type of its elements, as in map(string)" },
  { "type", "object(string)", "TYPE_OBJECT" },
  { "type", "tuple(string)", "TYPE_TUPLE" }, { "type", 'object({ "a" = string })', "TYPE_ATTRIBUTE_NAME" },
  { "type", "object({ a = string, a = string })", "TYPE_ATTRIBUTE_TWICE", "a" },
  { "type", "object({ a = optional() })", "TYPE_OPTIONAL_EMPTY" },
  { "type", "object({ a = optional(string, 1, 2) })", "TYPE_OPTIONAL_COUNT", " and a default" },
  { "type", "list(optional(string))", "TYPE_OPTIONAL_PLACE" },
  { "type", "object({ a = optional(number, []) })", "TYPE_DEFAULT", "a", "a number is required, not a tuple" },
  { "type", 'object({ a = optional(string, upper("x")) })', "TYPE_DEFAULT_CALL" },
  { "type", "object({ a = optional(string, x) })", "TYPE_DEFAULT_NAME" },
  { "expr", "null ? 1 : 2", "CONDITION_NULL" }, { "expr", "1 ? 1 : 2", "CONDITION_TYPE", "a bool is required, not a number" },
  { "expr", "true ? 1 : []", "CONDITION_RESULTS", "a number is required, not a tuple" },
  { "expr", "true ? [{ a = 1 }, {}] : tolist([])", "CONDITION_RESULT",
    "all its elements must have one type, since the other result doesn't say which" },
  { "expr", "[for v in null : v]", "FOR_NULL" }, { "expr", "[for v in 5 : v]", "FOR_TYPE", "number" },
  { "expr", "[for v in [1] : v if null]", "FOR_IF_NULL" },
  { "expr", "[for v in [1] : v if v]", "FOR_IF_TYPE", "a bool is required, not a number" },
  { "expr", "{ for v in [1] : null => v }", "FOR_KEY_NULL" },
  { "expr", "{ for v in [1] : [] => v }", "FOR_KEY_TYPE", "a string is required, not a tuple" },
  { "expr", "{ for v in [1, 1] : v => v }", "FOR_KEY_TWICE", ' "1"' }, { "expr", "tolist(null)[*]", "SPLAT_NULL" },
  { "expr", 'tolist([{ a = "x", b = 1 }, { a = "y", b = 2 }])[*][next_key()]', "SPLAT_TYPES" },
  { "template", "a${null}", "TEMPLATE_NULL" }, { "template", "a${[]}", "TEMPLATE_TYPE", "a string is required, not a tuple" },
  { "expr", "{ (null) = 1 }", "OBJECT_KEY_NULL" }, { "expr", "{ [] = 1 }", "OBJECT_KEY_TYPE", "a string is required, not a tuple" },
  { "absent", "{ a = null }.a", "REFERENCE_ABSENT", "{ a = null }.a" },
}

local readers = {
  body = hcl.parse,
  json = function(source) return hcl.parse(source, { syntax = "json" }) end,
  schema = function(source) return hcl.parse(source, { syntax = "json" }):decode(schema) end,
  ["json expression"] = function(source) return hcl.compile(source, { syntax = "json" }) end,
  template = function(source) return hcl.compile(source, { syntax = "template" }) end,
  type = hcl.type,
}

--- The errors in a source: Diagnostics, or nil.
function language.read(mode, source)
  local value, err = (readers[mode] or hcl.compile)(source)
  if value and value.value then value, err = value:value({}, scopes[mode]) end
  return not value and err or nil
end

return language
