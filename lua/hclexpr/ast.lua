-- Helpers for the syntax trees that expr:ast() returns.
local ast = {}

local no_children = { range = true, step_ranges = true, steps = true }

--- Calls found(child, name) for each child of a node; `name` is the field that holds the child.
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

--- Skips parentheses, and templates that consist of a single interpolation: for (x) and "${x}" it returns the node of x.
---@param node table
---@return table
function ast.past_wrappers(node)
  while node.kind == "parens" or node.kind == "wrap" do node = node.inner end
  return node
end

return ast
