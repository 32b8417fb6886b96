-- Templates as text, from the tree of an expression: the caller escapes literal parts, sequences have the source's expressions.
local core = require "hclexpr.core"

local templates = {}

--- The source of a part of an expression, ready for more text after it: a heredoc or a comment at its end keeps its line.
---@param source string
---@param node table
---@return string
function templates.source_of(source, node)
  local text = source:sub(node.range.start.byte + 1, node.range.stop.byte)
  local _, open = core.code_lines(text)
  return open and text .. "\n" or text
end

local source_of = templates.source_of

--- A sequence of a template: only the expression's value.
---@param source string
---@param node table
---@return string
function templates.sequence(source, node)
  return "${" .. source_of(source, node) .. "}"
end

local write_parts

-- The text between two directives; the next one begins with `%`.
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

-- Literal text before a sign, `$` or `%`, that begins a sequence. Such signs at its end would turn the sequence into an escape.
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

--- The text of a template's parts. It remains a template, and its value a string: one sequence alone would be the value of its expression,
--- and a byte order mark at the beginning would be skipped.
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
