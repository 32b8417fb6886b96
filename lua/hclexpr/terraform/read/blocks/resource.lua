-- Reads resource, data and ephemeral blocks.
local lazy = require "hclexpr.lazy"
local lifecycle = require "hclexpr.terraform.read.blocks.lifecycle"
local provider_names = lazy "hclexpr.terraform.read.provider_names"
local provisioner = require "hclexpr.terraform.read.blocks.provisioner"
local reading = require "hclexpr.terraform.read.reading"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local resource = {}

local nested = {}

function nested.lifecycle(reader, d, block, row)
  if d.container then
    reader.findings:report("MODULE_BLOCK", { object = block, range = block.head_range }, "A data source of a check has no lifecycle of its "
      .. "own.")
  end
  lifecycle.read(reader, d, block, row)
end

function nested.connection(_, d, block) d.connection = block end

function nested.provisioner(reader, d, block, row)
  d.provisioners = d.provisioners or {}
  d.provisioners[#d.provisioners + 1] = provisioner.read(reader, block, row)
end

--- Reads a resource, data or ephemeral block.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@param container? hclexpr.module.Declaration the check that has the block
---@return hclexpr.module.Declaration
function resource.read(reader, block, row, container)
  local d, blocks = reading.begin(reader, block, row)
  local arguments = d.arguments
  d.container = container
  reading.refuse_reserved(reader, arguments, row, "MODULE_STRAY", "A data source of a check can't have %s: it is always a single object.")
  if arguments.provider then d.provider = provider_names.reference(constant_expressions.of(reader, arguments.provider)) end
  d.depends_on = reading.depends_on(reader, arguments.depends_on)
  reading.nested(reader, d, blocks, row, nested)
  provisioner.check_connection(reader, d)
  return d
end

local function override(_, base, d, row)
  base.provider = d.provider or base.provider
  base.connection = d.connection or base.connection
  base.provisioners = d.provisioners or base.provisioners
  base.action_triggers = d.action_triggers or base.action_triggers
  if d.lifecycle then base.lifecycle = lifecycle.merge(base.lifecycle, d.lifecycle, row.blocks.lifecycle) end
end

function resource.declare(reader, block, row)
  local d = resource.read(reader, block, row)
  if reader.override and d.mode == "ephemeral" then return end -- reference: ephemeral resources can't be overridden
  reading.settle(reader, d, row, override)
end

return resource
