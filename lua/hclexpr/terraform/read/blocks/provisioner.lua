-- Reads provisioner and connection blocks; hclexpr doesn't run them, but reports mistakes in them.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local rows = require "hclexpr.terraform.language.rows"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local provisioner = {}

local function read_word(reader, attribute, row)
  if not attribute then return nil end
  local words = rows.words(row, attribute.name)
  local word = constant_expressions.keyword(constant_expressions.unquoted(constant_expressions.of(reader, attribute), "keyword"))
  if word and words[word] then return word end
  reader.findings:report("MODULE_STATIC", places.of_attribute(attribute), "%s must be one of the words %s.", attribute.name,
    table.concat(words, ", "))
end

-- Names that still have values during the destruction of the object.
local lasting = { self = true, path = true, terraform = true }

local function outlasts(traversal)
  local root, own = traversal.steps[1].text, traversal.steps[2]
  if lasting[root] then return true end
  local name = own and #traversal.steps == 2 and own.kind == "attr" and own.text
  return root == "count" and name == "index" or root == "each" and name == "key"
end

local function check_lasting(reader, body)
  for _, attribute in ipairs(core.attribute_list((core.level(body)))) do
    for _, traversal in ipairs(core.traversals(attribute.expression)) do
      if not outlasts(traversal) then
        reader.findings:report("MODULE_STATIC", places.of_attribute(attribute), "When the resource is destroyed, only self, "
          .. "count.index, each.key, path and terraform can be named.")
      end
    end
  end
end

local nested = {}

function nested.connection(reader, made, block)
  made.connection = block
  if made.when == "destroy" then check_lasting(reader, block.body) end
end

--- Reads a provisioner block.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return { type: string, when: string, bodies: hclexpr.Body[], connection?: hclexpr.Block, block: hclexpr.Block }
function provisioner.read(reader, block, row)
  local arguments, blocks, rest = reading.level(reader, block.body, row)
  local made = { type = block.labels[1], when = "create", bodies = { rest }, block = block }
  if rows.is_gone(row, made.type) then
    reader.findings:report("MODULE_RESERVED", { object = block, range = block.label_ranges[1] }, "The provisioner %q was removed.",
      made.type)
    return made
  end
  made.when = read_word(reader, arguments.when, row) or "create"
  if made.when == "destroy" then check_lasting(reader, rest) end
  read_word(reader, arguments.on_failure, row)
  reading.nested(reader, made, blocks, row, nested)
  return made
end

--- Checks a resource's connection block. It serves all provisioners of the resource, including those that run during its destruction.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
function provisioner.check_connection(reader, d)
  if not d.connection then return end
  for _, p in ipairs(d.provisioners or {}) do
    if p.when == "destroy" then return check_lasting(reader, d.connection.body) end
  end
end

return provisioner
