-- Comparisons that absence makes true. With absent = "null", a part that a client left out of a request is null in rules, and null is not
-- a text: so request.headers["x-team"] != "blocked" admits a client without that header.
local ast = require "hclexpr.ast"

local null_comparisons = {}

-- Parts of `request` from which a client may leave out any name.
local optional = { headers = true, query = true, cookies = true, headers_all = true, query_all = true }

local function bare(node)
  while node.kind == "parens" do node = node.inner end
  return node
end

-- Returns the text of the optional part that a node reads, such as request.headers["a"], or nil.
local function optional_of(node)
  local steps = node.steps
  if node.kind ~= "traversal" or node.root ~= "request" or #steps ~= 2 then return nil end
  if not optional[steps[1]] or type(steps[2]) ~= "string" then return nil end
  return string.format('request.%s["%s"]', steps[1], steps[2])
end

-- Returns the comparisons in a tree, and for each whether an odd number of "!" negates it. The search has its own stack, because a chain of
-- operators may be as long as the source.
local function comparisons(tree)
  local found, open = {}, { { tree, false } }
  while open[1] do
    local node, negated = open[#open][1], open[#open][2]
    open[#open] = nil
    local passes = node.operator == "&&" or node.operator == "||" or node.kind == "parens"
    if node.operator == "==" or node.operator == "!=" then found[#found + 1] = { node, negated } end
    if node.kind == "unary" and node.operator == "!" then negated = not negated elseif not passes then negated = false end
    ast.each_child(node, function(child) open[#open + 1] = { child, negated } end)
  end
  return found
end

-- Returns the part whose absence makes a comparison true, or nil. thought_of: parts that the expression itself compares with null.
local function reason(node, negated, thought_of)
  local left, right = optional_of(bare(node.left)), optional_of(bare(node.right))
  local differ = (node.operator == "!=") ~= negated
  local name = left or right
  if not name or thought_of[name] or left and right and thought_of[right] then return nil end
  if not differ and not (left and right) then return nil end
  return name
end

local function check_expression(expression, found)
  local list, thought_of = comparisons(expression:ast()), {}
  for _, one in ipairs(list) do
    local left, right = bare(one[1].left), bare(one[1].right)
    local name = left.kind == "null" and optional_of(right) or right.kind == "null" and optional_of(left)
    if name then thought_of[name] = true end
  end
  for _, one in ipairs(list) do
    local name = reason(one[1], one[2], thought_of)
    if name then found[#found + 1] = { object = expression, range = one[1].range, name = name } end
  end
end

local function reads_request(expression)
  for _, ref in ipairs(expression:references()) do
    if ref.root == "request" then return true end
  end
  return false
end

-- Returns all expressions of a body and its blocks that read the request.
local function expressions_of(body)
  local found, open = {}, { body }
  while open[1] do
    local one = table.remove(open)
    for _, attribute in pairs(one.attributes) do
      if reads_request(attribute.expression) then found[#found + 1] = attribute.expression end
    end
    for _, block in ipairs(one.blocks) do open[#open + 1] = block.body end
  end
  return found
end

--- Warns of comparisons in a body that absence makes true. An expression that tests for null, as `x != null && x != "blocked"` does, has
--- allowed for absence.
---@param body hclexpr.Body
---@param findings hclexpr.Findings
function null_comparisons.check(body, findings)
  local found = {}
  for _, expression in ipairs(expressions_of(body)) do check_expression(expression, found) end
  table.sort(found, function(a, b)
    local one, other = a.range, b.range
    if one.filename ~= other.filename then return tostring(one.filename) < tostring(other.filename) end
    return one.start.byte < other.start.byte
  end)
  for _, place in ipairs(found) do
    local part, key = place.name:match '^request%.([%w_]+)%["(.*)"%]$'
    findings:report("CHECK_ABSENT", place, 'With absent = "null", this is true if the request lacks %s; with "error", the default of '
      .. 'resty.new, the rule fails. Say what absence means with lookup(request.%s, "%s", …).', place.name, part, key)
  end
end

return null_comparisons
