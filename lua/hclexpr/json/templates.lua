-- Writes templates as text, from the syntax tree of an expression. The function `escape` of the caller escapes literal parts;
-- interpolations and directives keep their text from the source.
local core = require "hclexpr.core"

local templates = {}

--- Returns the source of a part of an expression, so that more text can follow: if it ends with a heredoc or comment, adds a newline.
---@param source string
---@param node table
---@return string
function templates.source_of(source, node)
  local text = source:sub(node.range.start.byte + 1, node.range.stop.byte)
  local _, open = core.code_lines(text)
  return open and text .. "\n" or text
end

local source_of = templates.source_of

--- Writes an expression as an interpolation, ${…}.
---@param source string
---@param node table
---@return string
function templates.sequence(source, node)
  return "${" .. source_of(source, node) .. "}"
end

local write_parts

-- Writes the template between two directives. The next directive begins with `%`, so a `%` before it is escaped.
local function branch(source, node, escape)
  if node.kind == "string" then return write_parts(source, { { kind = "text", text = node.text } }, escape, "%") end
  return write_parts(source, node.kind == "template" and node.parts or { node }, escape, "%")
end

local function conditional(source, node, escape)
  local no = branch(source, node.no, escape)
  return "%{ if " .. source_of(source, node.condition) .. " }" .. branch(source, node.yes, escape)
    .. (no ~= "" and "%{ else }" .. no or "") .. "%{ endif }"
end

local function loop(source, node, escape)
  local names = (node.key_name and node.key_name .. ", " or "") .. node.value_name
  return "%{ for " .. names .. " in " .. source_of(source, node.collection) .. " }" .. branch(source, node.value, escape) .. "%{ endfor }"
end

local function is_directive(node)
  return node.kind == "join" or (node.kind == "conditional" and node.directive)
end

-- Writes literal text before an interpolation or directive, which begins with `sign`. Such signs at the end of the text would form an
-- escape with it, so they are written as an interpolation of their own.
local function literal(text, sign, escape)
  local run = sign and text:match("%" .. sign .. "+$") or ""
  return escape(text:sub(1, #text - #run)) .. (run ~= "" and '${"' .. run .. '"}' or "")
end

local function sign_of(node, after)
  if not node then return after end
  return is_directive(node) and "%" or "$"
end

function write_parts(source, parts, escape, after)
  local out, text = {}, ""
  for i, part in ipairs(parts) do
    local following = parts[i + 1]
    if part.kind == "text" then
      text = text .. part.text
      if not (following and following.kind == "text") then
        out[#out + 1], text = literal(text, sign_of(following, after), escape), ""
      end
    elseif part.kind == "join" then
      out[#out + 1] = loop(source, part.loop, escape)
    else
      out[#out + 1] = (is_directive(part) and conditional or templates.sequence)(source, part, escape)
    end
  end
  return table.concat(out)
end

--- Writes a template's parts. The value of the result must be a string, so `${""}` is put before a single interpolation, which would
--- otherwise have the value of its expression, and before a byte order mark, which would otherwise be skipped.
---@param source string
---@param parts table[]
---@param escape fun(text: string): string
---@return string
function templates.write(source, parts, escape)
  local text, found = write_parts(source, parts, escape), {}
  for _, part in ipairs(parts) do
    if part.kind ~= "text" or part.text ~= "" then found[#found + 1] = part end
  end
  local alone = #found == 1 and found[1].kind ~= "text" and not is_directive(found[1])
  return (alone or text:find "^\239\187\191") and '${""}' .. text or text
end

return templates
