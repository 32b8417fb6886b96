-- hclexpr graph: the dependencies in a Terraform folder.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local lazy = require "hclexpr.lazy"
local relations = lazy "hclexpr.terraform.module.relations"
local shell = require "hclexpr.cli.shell"

local formats = { dot = "dot", mermaid = "mermaid", svg = "dot" }

local function set_format(given, text)
  if not formats[text] then
    local meant = core.suggest(text, { "dot", "mermaid", "svg" })
    shell.bad_usage(("unknown format %q: use %s"):format(text, meant or "dot, mermaid or svg"))
  end
  given.format = text
end

local function set_kinds(given, text)
  given.kinds = {}
  for kind in text:gmatch "[^,%s]+" do
    local fault = relations.kind_fault(kind)
    if fault then shell.bad_usage("-kinds: " .. fault) end
    table.insert(given.kinds, kind)
  end
  if not given.kinds[1] then shell.bad_usage "-kinds names no kind" end
end

local graph = {
  arguments = "[DIR]",
  summary = "draw what depends on what in a Terraform folder",
  examples = { "graph -format=svg >graph.svg", "graph -kinds=module,resource infra" },
  statuses = { [1] = "the folder has an error, or the graph can't be drawn" },
  help = [[
Prints the graph of the configuration in DIR (default: the current folder). Arrows point from each item to its dependencies. Cycles and
failures are red. Items that can't be evaluated because of them, and the arrows that lead there, are orange.
]],
  options = {
    { "-format FORMAT", "dot (default), mermaid, or svg, which needs Graphviz", act = set_format },
    { "-kinds KINDS", "the kinds to draw, separated by commas: variable, local, output, module, resource, action, check; dependencies "
      .. "through other kinds stay", act = set_kinds },
    { "-json", "print nodes and edges as JSON" },
    folders.options,
  },
}

-- Runs Graphviz, which reads the text and writes to the same output as this process.
local function draw(dot)
  local found = io.popen "command -v dot"
  if not found or not found:read "*l" then
    shell.fail "svg needs Graphviz's program dot (Debian: graphviz); -format dot and mermaid need nothing"
  end
  found:close()
  shell.flush()
  local pipe = assert(io.popen("dot -Tsvg", "w"))
  pipe:write(dot)
  pipe:close()
end

local function write_graph(writer, g)
  writer:key "nodes"
  writer:open "["
  for _, node in ipairs(g.nodes) do writer:string(node) end
  writer:close "]"
  writer:objects("edges", function(_, e)
    writer:field("from", e.from)
    writer:field("to", e.to)
  end, g.edges)
  writer:object("wrong", function(_, wrong)
    for _, node in ipairs(g.nodes) do
      if wrong[node] then writer:field(node, wrong[node]) end
    end
  end, g.wrong)
end

function graph.run(args)
  local given, rest = shell.arguments(args, graph)
  local dir = folders.one(rest)
  given.stateless = true
  local module, err = folders.open(dir, given, folders.of_names)
  folders.tell_empty(dir, module)
  if not module then return shell.must(nil, err) end
  local sound, wrong = module:_validate_files()
  folders.report(wrong)
  if given.json then
    shell.product_object("  ", write_graph, module:graph { kinds = given.kinds })
  else
    local text = (module:graph { kinds = given.kinds, format = formats[given.format or "dot"] }) --[[@as string]]
    if given.format == "svg" then draw(text) else shell.write(text) end
  end
  return sound and shell.OK or shell.BAD_INPUT
end

return graph
