-- Reports blocks that belong inside a terraform block.
return {
  declare = function(reader, block)
    reader.findings:report("MODULE_BLOCK", { object = block, range = block.type_range }, "A block %s belongs inside a terraform block.",
      block.type)
  end,
}
