-- The console's history: a file to which each source is added when it is typed, and which is shortened when a console starts.
local core = require "hclexpr.core"

local history = {}

-- A file of more than MOST lines is shortened to the last KEPT ones.
local MOST, KEPT = 2000, 1000

local function path_of_file()
  local home = os.getenv "HOME"
  local state = os.getenv "XDG_STATE_HOME" or home and home .. "/.local/state"
  if state and core.list_folder(nil, state) then return state .. "/hclexpr_history" end
  return home and home .. "/.hclexpr_history"
end

-- Shortens the file to its last lines, after the line that identifies it. If another console wrote in the meantime, the file stays as it is
-- until the next start.
local function shorten(path, text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n" do lines[#lines + 1] = line end
  if #lines <= MOST then return end
  core.replace_file(path, lines[1] .. table.concat(lines, "", #lines - KEPT + 1), text)
end

--- Loads the history of earlier consoles into the line editor. Returns a function that adds a source to the history.
---@param editor table hclexpr.line_edit
---@return fun(source: string) add to the history
function history.open(editor)
  local path = path_of_file()
  local text = path and core.read_file(nil, path)
  if text then
    shorten(path, text)
    editor.load(path)
  end
  return function(source) editor.add(source, path) end
end

return history
