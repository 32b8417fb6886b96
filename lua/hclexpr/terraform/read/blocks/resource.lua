-- resource, data and ephemeral blocks.
local lazy = require "hclexpr.lazy"
local lifecycle = require "hclexpr.terraform.read.blocks.lifecycle"
local provider_names = lazy "hclexpr.terraform.read.provider_names"
local provisioner = require "hclexpr.terraform.read.blocks.provisioner"
local reading = require "hclexpr.terraform.read.reading"
local static = require "hclexpr.terraform.read.static"

local resource = { labels = { "type", "name" } }

local ARGUMENTS = "count for_each provider depends_on"
local modes = {
  resource = {
    mode = "managed", prefix = "", what = "resource",
    schema = reading.schema(ARGUMENTS, { locals = {}, lifecycle = {}, connection = {}, provisioner = { "type" }, _ = {} }, true),
  },
  data = {
    mode = "data", prefix = "data.", what = "data source",
    schema = reading.schema(ARGUMENTS, { locals = {}, lifecycle = {}, _ = {} }, true),
  },
  ephemeral = {
    mode = "ephemeral", prefix = "ephemeral.", what = "ephemeral resource",
    schema = reading.schema(ARGUMENTS, { locals = {}, lifecycle = {}, _ = {} }, true),
  },
}

local known = { _ = true, lifecycle = true, connection = true, provisioner = true }

local function read_blocks(reader, d, blocks)
  local seen = {}
  for _, block in ipairs(blocks) do
    if block.type == "lifecycle" then
      if d.container then
        reader.findings:report("MODULE_BLOCK", { object = block, range = block.head_range }, "A data source of a check has no "
          .. "lifecycle of its own.")
      end
      if reading.only_one(reader, seen, block) then lifecycle.read(reader, d, block) end
    elseif block.type == "connection" then
      if reading.only_one(reader, seen, block) then d.connection = block end
    elseif block.type == "provisioner" then
      d.provisioners = d.provisioners or {}
      d.provisioners[#d.provisioners + 1] = provisioner.read(reader, block)
    end
  end
  provisioner.check_connection(reader, d)
  reading.escapes(reader, d, blocks, known)
end

-- Inside a check there is one of it.
local function check_single(reader, arguments)
  for _, name in ipairs { "count", "for_each" } do
    local attribute = arguments[name]
    if attribute then
      reader.findings:report("MODULE_STRAY", { object = attribute, range = attribute.name_range }, "A data source of a check has "
        .. "no %s: there is one of it.", name)
      arguments[name] = nil
    end
  end
end

--- Reads a block. container: the check that it is in.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param container? hclexpr.module.Declaration
---@return hclexpr.module.Declaration
function resource.read(reader, block, container)
  local row, type, name = modes[block.type], block.labels[1], block.labels[2]
  local arguments, blocks, rest = reading.level(reader, block.body, row.schema)
  local d = reading.declaration(reader, "resource", name, row.prefix .. type .. "." .. name, block, arguments)
  d.mode, d.type, d.container, d.bodies[1] = row.mode, type, container, rest
  reading.check_name(reader, block, 1, "type of a " .. row.what)
  reading.check_name(reader, block, 2, row.what)
  if container then check_single(reader, arguments) end
  reading.check_repetition(reader, arguments)
  if arguments.provider then d.provider = provider_names.reference(static.of(reader, arguments.provider)) end
  d.depends_on = reading.depends_on(reader, arguments.depends_on)
  read_blocks(reader, d, blocks)
  return d
end

--- The name of the provider that a type belongs to, unless the block says another: what stands before the first _.
---@param d hclexpr.module.Declaration
---@return string
function resource.provider_of(d)
  return d.provider and d.provider.name or d.type:match "^[^_]*"
end

local function override(reader, base, d)
  reading.keep_depends_on(reader, d)
  base.provider = d.provider or base.provider
  base.connection = d.connection or base.connection
  base.provisioners = d.provisioners or base.provisioners
  base.triggers = d.triggers or base.triggers
  if d.lifecycle then base.lifecycle = lifecycle.merge(base.lifecycle, d.lifecycle) end
  reading.merge(base, d)
end

function resource.declare(reader, block)
  local d, what = resource.read(reader, block), modes[block.type].what
  local all = reader.folder.resources
  if not reader.override then return reading.declare(reader, all, d.address, d, what) end
  if d.mode == "ephemeral" then return end -- reference: passed over
  local base = reading.overridden(reader, all, d.address, d, what)
  if base then override(reader, base, d) end
end

return resource
