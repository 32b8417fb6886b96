-- provisioner and connection blocks: read past, except for what is wrong in themselves.
local core = require "hclexpr.core"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local static = require "hclexpr.terraform.read.static"

local provisioner = {}

local schema = reading.schema("when on_failure", { _ = {}, connection = {}, lifecycle = {} }, true)
local removed = { chef = true, habitat = true, puppet = true, ["salt-masterless"] = true }
local words = { when = { create = true, destroy = true }, on_failure = { continue = true, fail = true } }

local function read_word(reader, attribute, names)
  if not attribute then return nil end
  local word = static.keyword(static.unquoted(static.of(reader, attribute), "keyword"))
  if word and words[attribute.name][word] then return word end
  reader.findings:report("MODULE_STATIC", places.of_attribute(attribute), "%s is one of the words %s.", attribute.name, names)
end

-- What is left when the object goes.
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

--- Reads a block.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@return { type: string, when: string, bodies: hclexpr.Body[], connection?: hclexpr.Block, block: hclexpr.Block }
function provisioner.read(reader, block)
  local arguments, blocks, rest = reading.level(reader, block.body, schema)
  local made = { type = block.labels[1], when = "create", bodies = { rest }, block = block }
  if removed[made.type] then
    reader.findings:report("MODULE_RESERVED", { object = block, range = block.label_ranges[1] }, "There is no provisioner %q any more.",
      made.type)
    return made
  end
  made.when = read_word(reader, arguments.when, "create and destroy") or "create"
  if made.when == "destroy" then check_lasting(reader, rest) end
  read_word(reader, arguments.on_failure, "continue and fail")
  local seen = {}
  for _, inner in ipairs(blocks) do
    if inner.type == "connection" and reading.only_one(reader, seen, inner) then
      made.connection = inner
      if made.when == "destroy" then check_lasting(reader, inner.body) end
    end
  end
  reading.escapes(reader, made, blocks, { _ = true, connection = true })
  return made
end

--- A resource's connection serves all its provisioners, those of the end too.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
function provisioner.check_connection(reader, d)
  if not d.connection then return end
  for _, p in ipairs(d.provisioners or {}) do
    if p.when == "destroy" then return check_lasting(reader, d.connection.body) end
  end
end

return provisioner
