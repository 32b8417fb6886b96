-- JSON text: of Values, exact as they are, and of what a command tells. Written piece by piece; commas and indentation come by themselves.
local jsontext = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(c)
  return escapes[c] or string.format("\\u%04x", c:byte())
end

local separators = { ["\168"] = "\\u2028", ["\169"] = "\\u2029" }

--- A string in quotes. Line separators are escaped, so that the text is JavaScript too.
---@param s string
---@return string
function jsontext.quote(s)
  return '"' .. s:gsub('[%z\1-\31"\\]', escape):gsub("\226\128([\168\169])", separators) .. '"'
end

-- The same with the characters escaped that mean something in HTML, as the reference's tools have it.
local html = { ["<"] = "\\u003c", [">"] = "\\u003e", ["&"] = "\\u0026" }

local function quote_html(s)
  return (jsontext.quote(s):gsub("[<>&]", html))
end

---@class hclexpr.cli.Writer
local Writer = {}
Writer.__index = Writer

--- options: indent, what a level is indented by (nothing: all on one line); html, see above; depth: the text is to stand that deep,
--- behind a key.
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

-- What stands before a value or a key: a comma, a new line.
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

--- A value that is JSON text already.
function Writer:raw(text)
  self:begin()
  self:put(text)
end

function Writer:string(s)
  self:raw(self.quote(s))
end

--- A field of the object that is open: text, or a whole number.
---@param name string
---@param value string|integer
function Writer:field(name, value)
  self:key(name)
  if type(value) == "number" then self:raw(string.format("%d", value)) else self:string(value) end
end

--- The same with a value that is JSON text already.
---@param name string
---@param text string
function Writer:raw_field(name, text)
  self:key(name)
  self:raw(text)
end

--- An object whose fields write(self, of) writes; the value of a field where a name is given.
---@param name string?
---@param write fun(writer: hclexpr.cli.Writer, of: any)
---@param of any
function Writer:object(name, write, of)
  if name then self:key(name) end
  self:open "{"
  write(self, of)
  self:close "}"
end

--- An array of such objects, one for each element of a list.
---@param name string?
---@param write fun(writer: hclexpr.cli.Writer, of: any)
---@param list any[]
function Writer:objects(name, write, list)
  if name then self:key(name) end
  self:open "["
  for _, of in ipairs(list) do self:object(nil, write, of) end
  self:close "]"
end

---@return string
function Writer:text()
  return table.concat(self.parts)
end

-- Values

local write

local function write_elements(writer, value, path, drop_nulls)
  writer:open "["
  for i, element in value:pairs() do write(writer, element, path .. "[" .. i .. "]", drop_nulls) end
  writer:close "]"
end

local function write_attributes(writer, value, path, drop_nulls)
  writer:open "{"
  for name, element in value:pairs() do
    if not (drop_nulls and element:is_known() and element:is_null()) then
      writer:key(name)
      write(writer, element, path .. "." .. name, drop_nulls)
    end
  end
  writer:close "}"
end

-- By the kind of a type; for an object's and a map's attributes the keys are in order.
local by_kind = {
  string = function(writer, value) writer:string(value:text()) end,
  number = function(writer, value, path)
    local text = value:text()
    if text:find "[Ii]nf" then error({ path = path, why = "is infinite" }, 0) end
    writer:raw(text)
  end,
  bool = function(writer, value) writer:raw(value:text()) end,
  list = write_elements, set = write_elements, tuple = write_elements,
  map = write_attributes, object = write_attributes,
}

function write(writer, value, path, drop_nulls)
  if #value:marks() > 0 then error({ path = path, why = "is " .. table.concat(value:marks(), " and ") }, 0) end
  if not value:is_known() then error({ path = path, why = "is not known yet" }, 0) end
  if value:is_null() then return writer:raw "null" end
  local by = by_kind[value:type():kind()] or error({ path = path, why = "is a type" }, 0)
  by(writer, value, path, drop_nulls)
end

--- Writes a Value; drop_nulls: leaves out attributes that are null.
---@param writer hclexpr.cli.Writer
---@param value hclexpr.Value
---@param drop_nulls? boolean
---@return true? ok
---@return string? why not
function jsontext.write(writer, value, drop_nulls)
  local ok, failure = pcall(write, writer, value, "", drop_nulls)
  if ok then return true end
  if type(failure) ~= "table" then error(failure, 0) end
  local where = failure.path == "" and "the value" or "the value at " .. failure.path:gsub("^%.", "")
  return nil, string.format("%s %s, and JSON has no such thing", where, failure.why)
end

return jsontext
