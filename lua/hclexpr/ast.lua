-- Trees of expressions, as expr:ast() gives them.
local ast = {}

local no_children = { range = true, step_ranges = true, steps = true }

--- Calls found(child, name) for the children of a node, by the names of the fields that hold them.
---@param node table
---@param found fun(child: table, name: string)
function ast.each_child(node, found)
  for name, child in pairs(node) do
    if type(child) == "table" and not no_children[name] then
      if child.kind then found(child, name) end
      for _, element in ipairs(child) do
        if type(element) == "table" and element.kind then found(element, name) end
      end
    end
  end
end

--- Returns the node within parentheses, and within a template that has only one interpolation: of (x) and "${x}" the node of x.
---@param node table
---@return table
function ast.past_wrappers(node)
  while node.kind == "parens" or node.kind == "wrap" do node = node.inner end
  return node
end

return ast
