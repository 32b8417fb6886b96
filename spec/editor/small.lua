-- A workspace of the language service over a small folder, for specs; its fields are those of the last `open`.
local service = require "hclexpr.service"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

local small = {} ---@type { dir?: string, workspace: hclexpr.service.Workspace, [string]: any }

--- Opens files; each may contain `|` as a cursor, whose byte is kept.
function small.open(files, options)
  small.dir = support.temporary_folder()
  options = options or {}
  options.roots = { small.dir }
  small.workspace = service.new(options)
  local cursors = {}
  for name, text in pairs(files) do
    local at = text:find("|", 1, true)
    if at then text = text:sub(1, at - 1) .. text:sub(at + 1) end
    cursors[name] = at and at - 1
    local inside = name:match "^(.*)/"
    if inside then assert(support.runs(("mkdir -p '%s/%s'"):format(small.dir, inside))) end
    support.write(small.path(name), text)
    if name:find "%.t[fo]" or name:find "%.hcl$" then small.workspace:open(small.path(name), text, 1) end
  end
  return cursors
end

--- Removes the folder.
function small.close()
  if small.dir then support.remove(small.dir) end
  small.dir = nil
end

function small.path(name) return small.dir .. "/" .. name end

--- The workspace's answer about a file, after any time.
function small.ask(name, file, ...) return support.without_time(small.workspace[name], small.workspace, small.path(file), ...) end

function small.labels(items)
  local found = {}
  for _, item in ipairs(items) do found[item.label] = item end
  return found
end

function small.finish()
  while small.workspace:pending() do small.workspace:work(1) end
end

--- The text of a file after changes.
function small.changed(file, changes)
  local text = small.workspace:text(small.path(file))
  for i = #changes, 1, -1 do text = text:sub(1, changes[i].start) .. changes[i].text .. text:sub(changes[i].stop + 1) end
  return text
end

function small.at(file, word) return small.workspace:text(small.path(file)):find(word, 1, true) - 1 end

return small
