-- The command :Hclexpr with eval, explain, graph, values and vars: functions of the command line, applied to the unsaved texts of buffers.
local nvim = require "hclexpr.nvim"
local hcl = nvim.load() --[[@as table]] -- nil without the C module; `run` and `complete` check this before they use it
local markers = nvim.markers

local commands = {}

-- The folder's module

-- Returns the text of the buffer that has a file; nil if the file isn't open.
local function read_buffer(path)
  local whole = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local is_file = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == ""
    if is_file and vim.fs.normalize(vim.api.nvim_buf_get_name(buffer)) == whole then
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
    end
  end
end

local function path_here() return vim.fs.normalize(vim.api.nvim_buf_get_name(0)) end

-- Opens the module of the buffer's folder, even a broken one, because diagnostics in the buffer show its errors. Returns nil if the
-- buffer's file belongs to no module.
local function module_here()
  local path = path_here()
  if not (path:find "%.tf$" or path:find "%.tofu$" or path:find "%.tfvars$") then return nil end
  local dir = vim.fs.dirname(path)
  local workspace = require("hclexpr.service").new { vars = (vim.g.hclexpr or {}).vars, roots = { vim.fs.root(0, markers) } }
  local settings = {}
  for i, file in ipairs(require("hclexpr.editor.vars").files(workspace, dir)) do settings[i] = { file = file } end
  local module, _, readable = hcl.module(dir, { read = read_buffer, settings = settings, missing = "unknown" })
  return module or readable
end

-- Opens the configuration that contains the buffer's file; nil if the file's language isn't described.
local function configuration_here()
  local path = path_here()
  local described = nvim.description(path)
  if not described then return nil end
  local configuration = require "hclexpr.languages.configuration"
  local files = require("hclexpr.languages.sources").of(described, path)
  for _, file in ipairs(files) do
    local text = read_buffer(file.path)
    if text then file.text, file.err = text, nil end
  end
  return configuration.show(configuration.check(described, files))
end

-- Returns the configuration or module that the buffer's file belongs to, or nil.
local function opened_here() return configuration_here() or module_here() end

local function byte_here()
  local at = vim.api.nvim_win_get_cursor(0)
  return vim.api.nvim_buf_get_offset(0, at[1] - 1) + at[2]
end

-- Returns the cursor's position, for looking up names of loops, `each` and `self`.
local function where_here() return { filename = path_here(), byte = byte_here() } end

-- Returns the expression that the user means: the typed text, the selection, or the value of the attribute at the cursor.
local function expression(given, typed)
  if typed ~= "" then return typed end
  if given.range > 0 then
    local kind = vim.fn.visualmode()
    if kind == "" then return table.concat(vim.api.nvim_buf_get_lines(0, given.line1 - 1, given.line2, false), "\n") end
    return table.concat(vim.fn.getregion(vim.fn.getpos "'<", vim.fn.getpos "'>", { type = kind }), "\n")
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
  local body, _, readable = hcl.parse(text, { filename = path_here() })
  local at = (body or readable) and (body or readable):at(byte_here())
  while at and at.kind ~= "attribute" do at = at.parent end
  if at then return (text:sub(at.start + 1, at.stop):gsub("^[^=]*=%s*", "")) end
  error("the cursor is not on an attribute: type an expression, or select one", 0)
end

-- Evaluates or explains a source, in the module or configuration of the buffer's file if there is one.
local function ask(method, source)
  local opened = opened_here()
  local answer, err, partial
  if opened then
    answer, err, partial = opened[method](opened, source, where_here())
  else
    answer, err = hcl.compile(source)
    if answer then answer, err, partial = answer[method](answer) end
  end
  if answer == nil and partial == nil then error(tostring(err), 0) end
  return tostring(answer or partial)
end

local function needed_module() return module_here() or error("the buffer's file is of no Terraform folder", 0) end

-- Output

-- Shows a text: a single line as a message, more lines in a new window, which `q` closes.
local function show(name, text, filetype)
  local lines = vim.split((text:gsub("\n$", "")), "\n")
  if #lines == 1 then return vim.api.nvim_echo({ { lines[1] } }, false, {}) end
  vim.cmd "botright new"
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.api.nvim_win_set_height(0, math.min(#lines, math.floor(vim.o.lines / 2)))
  local options = { buftype = "nofile", bufhidden = "wipe", swapfile = false, modifiable = false, filetype = filetype }
  for option, value in pairs(options) do vim.bo[buffer][option] = value end
  vim.wo.wrap = false
  vim.b[buffer].hclexpr = name
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buffer, desc = "close" })
end

-- Files of variables

-- Sets the files of variables, for running services and for those started later.
local function set_vars(files)
  vim.g.hclexpr = vim.tbl_extend("force", vim.g.hclexpr or {}, { vars = files })
  for _, client in ipairs(vim.lsp.get_clients { name = "hclexpr" }) do
    local own = type(client.settings) == "table" and client.settings.hclexpr or {}
    local settings = { hclexpr = vim.tbl_extend("force", vim.g.hclexpr, own, { vars = files }) }
    client.settings = vim.tbl_extend("force", client.settings or {}, settings)
    client.rpc.notify("workspace/didChangeConfiguration", { settings = settings })
  end
end

-- Returns the full paths of the typed file names, which may name buffers that aren't saved yet. Spaces in names are escaped as for :edit.
local function named_files(typed)
  local files = {}
  for name in typed:gsub("\\ ", "\0"):gmatch "[^%s]+" do
    local path = vim.fs.normalize(vim.fn.fnamemodify(vim.fn.expand((name:gsub("%z", " "))), ":p"))
    if not (vim.uv.fs_stat(path) or read_buffer(path)) then error("no file " .. path, 0) end
    files[#files + 1] = path
  end
  return files
end

local function value_files(word)
  local found = {}
  for _, name in ipairs(vim.fn.getcompletion(word, "file")) do
    if name:find "/$" or name:find "%.tfvars$" or name:find "%.tfvars%.json$" then found[#found + 1] = name end
  end
  return found
end

-- Commands

local formats = { "dot", "mermaid" }

-- The commands by name. `run` returns the text to show and its filetype. `words` returns candidates for the argument; without it, names are
-- offered.
local known = {
  eval = { run = function(given, typed) return ask("value", expression(given, typed)), "hclexpr" end },
  explain = { run = function(given, typed) return ask("explain", expression(given, typed)), "hclexpr" end },
  graph = {
    words = function() return formats end,
    run = function(_, typed)
      local format = typed ~= "" and typed or "mermaid"
      if not vim.tbl_contains(formats, format) then error("a graph is dot or mermaid, not " .. format, 0) end
      return needed_module():graph { format = format }, format
    end,
  },
  vars = {
    words = value_files,
    run = function(_, typed)
      local files = named_files(typed)
      set_vars(files)
      return files[1] and "variables: " .. table.concat(files, ", ") or "variables: those that Terraform reads by itself", "hclexpr"
    end,
  },
  values = {
    words = function() return {} end,
    run = function()
      local module, lines = needed_module(), {}
      for _, found in ipairs(module:addresses()) do
        if found.module == "" and (found.kind == "variable" or found.kind == "local") then
          local value = module:value(found.address)
          lines[#lines + 1] = found.address .. " = " .. (value and tostring(value) or "(wrong)")
        end
      end
      local outputs, _, partial = module:outputs()
      for name, value in pairs(outputs or partial or {}) do lines[#lines + 1] = "output." .. name .. " = " .. tostring(value) end
      table.sort(lines)
      return table.concat(lines, "\n"), "hclexpr"
    end,
  },
}

--- Runs a typed command, such as `eval 1 + 2`.
---@param given table the argument that Neovim passes to a user command
function commands.run(given)
  local name, typed = given.args:match "^%s*(%S*)%s*(.-)%s*$"
  local command = known[name]
  if not hcl then return require("hclexpr.nvim").tell() end
  if not command then
    local names = vim.tbl_keys(known)
    table.sort(names)
    return vim.notify("Hclexpr: " .. table.concat(names, ", ") .. "; not " .. (name == "" and "nothing" or name), vim.log.levels.ERROR)
  end
  local fine, text, filetype = pcall(command.run, given, typed)
  if not fine then return vim.notify("Hclexpr: " .. text, vim.log.levels.ERROR) end
  show(name, text, filetype)
end

-- Returns the names with which an expression may begin.
local function names_here()
  local names = {}
  local opened = opened_here()
  for _, found in ipairs(opened and opened:addresses() or {}) do names[#names + 1] = found.address end
  for name in pairs(hcl.functions()) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Completes the word being typed: the name of a command, or its argument.
---@param word string
---@param line string
---@return string[]
function commands.complete(word, line)
  local name = line:match "Hclexpr!?%s+(%S+)%s"
  local words
  if name and not hcl then
    words = {}
  elseif name then
    words = known[name] and (known[name].words or names_here)(word) or {}
    if name == "vars" then return words end
  else
    words = vim.tbl_keys(known)
    table.sort(words)
  end
  -- Completes only the name at the end of the word, because operators and brackets may come before it.
  local before, typed = word:match "^(.-)([%w_.-]*)$"
  local found = {}
  for _, candidate in ipairs(words) do
    if vim.startswith(candidate, typed) then found[#found + 1] = before .. candidate end
  end
  return found
end

return commands
