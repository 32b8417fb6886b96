-- Folders among a command's files: -recursive.
local core = require "hclexpr.core"
local shell = require "hclexpr.cli.shell"

local recursive = {}

-- Patterns for the names of configuration files in native syntax.
local endings = { "%.tf$", "%.tfvars$", "%.hcl$", "%.tofu$", "%.nomad$" }

local function is_configuration(name)
  for _, ending in ipairs(endings) do
    if name:find(ending) then return true end
  end
  return false
end

local function join(folder, name)
  return (folder == "." and "" or folder:gsub("/+$", "") .. "/") .. name
end

-- Adds the configuration files in a folder and in the folders below it, by name. Links to folders are not followed, and hidden files are
-- skipped.
local function add_files(folder, names, out, root)
  table.sort(names)
  for _, name in ipairs(names) do
    local path = join(folder, name)
    if name:sub(1, 1) ~= "." and name:sub(-1) == "/" then
      local inner, why = core.list_folder(nil, path)
      if inner then add_files(path, inner, out, root) else out[#out + 1] = { fault = shell.plain_name(path) .. ": " .. why } end
    elseif name:sub(1, 1) ~= "." and is_configuration(name) then
      out[#out + 1] = { name = path, root = root }
    end
  end
end

--- Lists the configuration files in a folder, by name, without those in folders below.
---@param folder string
---@return string[]
function recursive.files_in(folder)
  local names, out = core.list_folder(nil, folder), {}
  for _, name in ipairs(names) do
    if name:sub(1, 1) ~= "." and is_configuration(name) then out[#out + 1] = join(folder, name) end
  end
  table.sort(out)
  return out
end

recursive.option = { "-recursive", "a folder means the files in it and below: *.tf, *.tfvars, *.hcl, *.tofu, *.nomad" }

--- Runs a command for each file, like shell.all. With -recursive it also runs for each file in the folders among the names, or in "." if no
--- name is given.
---@param names string[]
---@param what string
---@param wanted boolean? -recursive was given
---@param run fun(name: string, folder?: string): boolean folder: one of the names, in which it was found; nil: it is one of them
---@param run_folder? fun(name: string): boolean for a folder without -recursive; nil: that is a mistake
---@return integer status
function recursive.all(names, what, wanted, run, run_folder)
  if not wanted then
    return shell.all(names, what, function(name)
      if name == "-" or not core.list_folder(nil, name) then return run(name) end
      if run_folder then return run_folder(name) end
      shell.warn(shell.plain_name(name) .. " is a folder: -recursive does the files in it")
      return false
    end)
  end
  local files = {}
  for _, name in ipairs(#names == 0 and { "." } or names) do
    local inside = name ~= "-" and core.list_folder(nil, name)
    if inside then add_files(name, inside, files, name) else files[#files + 1] = { name = name } end
  end
  local status = shell.OK
  for _, file in ipairs(files) do
    local ok
    if file.fault then shell.warn(file.fault) else ok = run(file.name, file.root) end
    if not ok then status = shell.BAD_INPUT end
  end
  return status
end

return recursive
