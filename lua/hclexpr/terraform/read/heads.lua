-- Finds the heads of declarations: what a block declares, found from its row in the language's table alone. The declarations of a plan
-- begin as heads. An editor, whose texts may be broken, uses only heads.
local core = require "hclexpr.core"
local language = require "hclexpr.terraform.language.language"

local heads = {}

---@class hclexpr.module.Head
---@field kind string "variable", "local", "output", "call", "resource", "action", "check", "provider", "moved", "import", "removed"
---@field mode? "managed"|"data"|"ephemeral"|"action" of a resource or action
---@field type? string of a resource or action
---@field name string
---@field address string in its module: "var.a", "local.b", "output.c", "module.m", "aws_instance.web", "check.z", "provider.aws.west"
---@field alias? string of a provider
---@field key? string of a provider: its name, or "name.alias"
---@field block? hclexpr.Block nil for a local
---@field attribute? hclexpr.Attribute of a local

--- Returns the head of a block, or nil if its type declares nothing or a label is missing.
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return hclexpr.module.Head?
function heads.of_block(block, row)
  local labels, last = block.labels, row.prefix and row.labels and #row.labels
  local name = last and labels[last]
  if not name then return nil end
  local type = last > 1 and labels[1] or nil
  return { kind = row.kind, mode = row.mode, type = type, name = name, address = row.prefix .. (type and type .. "." or "") .. name,
           block = block }
end

--- Returns the head of an argument in a locals block.
---@param attribute hclexpr.Attribute
---@return hclexpr.module.Head
function heads.of_local(attribute)
  local row, name = language.file.blocks.locals, attribute.name
  return { kind = row.kind, name = name, address = row.prefix .. name, attribute = attribute }
end

--- Sets the alias of a provider block's head.
---@param head hclexpr.module.Head
---@param alias? string
function heads.give_alias(head, alias)
  head.alias, head.key = alias, alias and head.name .. "." .. alias or head.name
  head.address = language.file.blocks.provider.prefix .. head.key
end

--- Returns the text of an argument that is a plain string, or nil for any other argument.
---@param attribute? hclexpr.Attribute
---@return string?
function heads.text(attribute)
  local written = attribute and core.written(attribute)
  return type(written) == "string" and written or nil
end

--- Returns the place of a declaration's name.
---@param head hclexpr.module.Head
---@return hclexpr.Range
function heads.name_range(head)
  if head.attribute then return head.attribute.name_range end
  local labels = head.block.label_ranges
  return labels[#labels] or head.block.type_range
end

local function each_in(body, blocks, found)
  for _, block in ipairs(body.blocks) do
    local row = blocks[block.type]
    local head = row and heads.of_block(block, row)
    if row and row.kind == "local" then
      for _, attribute in pairs(block.body.attributes) do found(heads.of_local(attribute), block) end
    elseif head then
      if head.kind == "provider" then heads.give_alias(head, heads.text(block.body.attributes.alias)) end
      found(head, block)
      if row.blocks then each_in(block.body, row.blocks, found) end
    end
  end
end

--- Calls found(head, block) for all declarations in a file's body, in any order.
---@param body hclexpr.Body
---@param found fun(head: hclexpr.module.Head, block: hclexpr.Block)
function heads.each(body, found)
  each_in(body, language.file.blocks, found)
end

return heads
