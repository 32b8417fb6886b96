-- Writes JSON text: Values, and the results of commands. A writer takes one piece after another, and adds commas and indentation.
local core = require "hclexpr.core"

local jsontext = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(c)
  return escapes[c] or string.format("\\u%04x", c:byte())
end

local separators = { ["\168"] = "\\u2028", ["\169"] = "\\u2029" }

local REPLACEMENT = "\239\191\189" -- U+FFFD

-- Patterns for well-formed UTF-8, from the table of byte sequences in the Unicode standard.
local FORMS = {
  "^[%z\1-\127]+()", "^[\194-\223][\128-\191]()", "^\224[\160-\191][\128-\191]()", "^[\225-\236\238\239][\128-\191][\128-\191]()",
  "^\237[\128-\159][\128-\191]()", "^\240[\144-\191][\128-\191][\128-\191]()", "^[\241-\243][\128-\191][\128-\191][\128-\191]()",
  "^\244[\128-\143][\128-\191][\128-\191]()",
}

--- Makes valid text from any bytes, such as a file name: each byte that isn't part of UTF-8 becomes U+FFFD.
---@param s string
---@return string
function jsontext.text_of(s)
  if core.is_text(s) then return s end
  local out, at = {}, 1
  while at <= #s do
    local stop
    for _, form in ipairs(FORMS) do stop = stop or s:match(form, at) end
    out[#out + 1] = stop and s:sub(at, stop - 1) or REPLACEMENT
    at = stop or at + 1
  end
  return table.concat(out)
end

--- Quotes a string. Line separators are escaped, so that the result is valid in JavaScript, too.
---@param s string
---@return string
function jsontext.quote(s)
  return '"' .. jsontext.text_of(s):gsub('[%z\1-\31"\\]', escape):gsub("\226\128([\168\169])", separators) .. '"'
end

-- Characters with a meaning in HTML. A writer with the option `html` escapes them, as Terraform does.
local html = { ["<"] = "\\u003c", [">"] = "\\u003e", ["&"] = "\\u0026" }

local function quote_html(s)
  return (jsontext.quote(s):gsub("[<>&]", html))
end

---@class hclexpr.cli.Writer
local Writer = {}
Writer.__index = Writer

--- Makes a writer. Options: `indent`, the spaces of each level (nil: all on one line); `html`, see above; `depth`, the level of the text if
--- it will be the value of a key in a larger text.
---@param options { indent?: string, html?: boolean, depth?: integer }
---@return hclexpr.cli.Writer
function jsontext.writer(options)
  return setmetatable({
    parts = {}, depth = options.depth or 0, empty = true, after_key = options.depth ~= nil,
    indent = options.indent, quote = options.html and quote_html or jsontext.quote,
  }, Writer)
end

function Writer:put(text)
  self.parts[#self.parts + 1] = text
end

function Writer:newline()
  if self.indent then self:put("\n" .. self.indent:rep(self.depth)) end
end

-- Writes what separates a value or key from the text before it: a comma and a new line.
function Writer:begin()
  if self.after_key then
    self.after_key = false
    return
  end
  if self.depth == 0 then return end
  if not self.empty then self:put "," end
  self.empty = false
  self:newline()
end

function Writer:open(bracket)
  self:begin()
  self:put(bracket)
  self.depth, self.empty = self.depth + 1, true
end

function Writer:close(bracket)
  self.depth = self.depth - 1
  if not self.empty then self:newline() end
  self:put(bracket)
  self.empty = false
end

function Writer:key(name)
  self:begin()
  self:put(self.quote(name))
  self:put(self.indent and ": " or ":")
  self.after_key = true
end

--- Writes a value that is already JSON text.
function Writer:raw(text)
  self:begin()
  self:put(text)
end

function Writer:string(s)
  self:raw(self.quote(s))
end

--- Writes a field of the current object; its value is a string or a whole number.
---@param name string
---@param value string|integer
function Writer:field(name, value)
  self:key(name)
  if type(value) == "number" then self:raw(string.format("%d", value)) else self:string(value) end
end

--- Writes a field whose value is already JSON text.
---@param name string
---@param text string
function Writer:raw_field(name, text)
  self:key(name)
  self:raw(text)
end

--- Writes an object; write(self, of) writes its fields. With a name, the object is a field of the current object.
---@param name string?
---@param write fun(writer: hclexpr.cli.Writer, of: any)
---@param of any
function Writer:object(name, write, of)
  if name then self:key(name) end
  self:open "{"
  write(self, of)
  self:close "}"
end

--- Writes an array of objects, one for each element of a list; write(self, element) writes the fields of each.
---@param name string?
---@param write fun(writer: hclexpr.cli.Writer, of: any)
---@param list any[]
function Writer:objects(name, write, list)
  if name then self:key(name) end
  self:open "["
  for _, of in ipairs(list) do self:object(nil, write, of) end
  self:close "]"
end

local function write_pos(writer, pos)
  for _, name in ipairs { "line", "column", "byte" } do writer:field(name, pos[name]) end
end

local function write_range(writer, range)
  writer:field("filename", range.filename or "")
  writer:object("start", write_pos, range.start)
  writer:object("end", write_pos, range.stop)
end

--- Writes a Range as a field of the current object.
---@param name string
---@param range hclexpr.Range
function Writer:range(name, range)
  self:object(name, write_range, range)
end

---@return string
function Writer:text()
  return table.concat(self.parts)
end

-- Values

--- Writes a whole Value. With drop_nulls, attributes that are null are left out.
---@param writer hclexpr.cli.Writer
---@param value hclexpr.Value
---@param drop_nulls? boolean
---@return true? ok
---@return string? why not
function jsontext.write(writer, value, drop_nulls)
  local indent, as_html = writer.indent and #writer.indent or 0, writer.quote == quote_html
  local text, path, why = core.value_json(value, indent, writer.depth, as_html, drop_nulls)
  if text then
    writer:raw(text)
    return true
  end
  local where = path == "" and "the value" or "the value at " .. path
  return nil, string.format("%s %s, which JSON can't express", where, why)
end

return jsontext
