-- The check for :checkhealth hclexpr: reports what the plugin needs, and how to get what is missing.
local nvim = require "hclexpr.nvim"

local health = {}

local function check_module()
  local hcl, why = nvim.load()
  if hcl then
    vim.health.ok("the C module is there: hclexpr " .. hcl.version .. ", " .. tostring(package.searchpath("hclexpr.core", package.cpath) or
      "by Neovim's runtime path"))
    return true
  end
  local target = nvim.lua
  vim.health.error("the C module is missing: " .. tostring(why):match "[^\n]*", {
    ("Build it: cd %s && make LUA=%s"):format(nvim.root(), target),
    "It needs a C compiler, make and the headers of " .. (target == "jit" and "LuaJIT (Debian: libluajit-5.1-dev)" or "Lua 5.1"),
    "lazy.nvim: build = \"make LUA=" .. target .. "\"; rocks.nvim: :Rocks install hclexpr",
  })
end

local function check_editor()
  local version = tostring(vim.version())
  vim.health.ok("Neovim " .. version)
  if rawget(_G, "jit") then vim.health.ok(jit.version) else vim.health.warn("no LuaJIT: all works, some of it more slowly") end
end

-- Finds the schemas that apply to a folder: returns the path or nil, and the path that the user configured, if any.
local function schemas_of(folder)
  local named = (vim.g.hclexpr or {}).schemas
  if type(named) == "string" then return vim.uv.fs_stat(named) and named or nil, named end
  return vim.fs.find(".hclexpr/schemas.json", { path = folder, upward = true })[1]
end

local function check_schemas()
  local folder = vim.uv.cwd()
  for _, client in ipairs(vim.lsp.get_clients { name = "hclexpr" }) do
    local buffer = next(client.attached_buffers)
    if buffer then folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)) end
  end
  local found, named = schemas_of(folder)
  if found then return vim.health.ok("schemas of providers: " .. found) end
  if named then return vim.health.error("no file " .. named .. ", which vim.g.hclexpr.schemas names") end
  local imported = require("hclexpr.terraform.schema.import_folder").find()
  local all = imported and require("hclexpr.terraform.schema.imported").sources(imported) or {}
  if all[1] then return vim.health.ok(("schemas of %d providers that were imported, in %s"):format(#all, imported)) end
  vim.health.info("no schemas of providers for " .. folder .. ": arguments of resources are not known. :!hclexpr schemas says how to get "
    .. "them")
end

local function check_clients()
  local clients = vim.lsp.get_clients { name = "hclexpr" }
  for _, client in ipairs(clients) do
    local root = client.config.root_dir or "no workspace"
    vim.health.ok(("the language service runs for %d buffers of %s"):format(vim.tbl_count(client.attached_buffers), root))
  end
  if not clients[1] then vim.health.info "the language service begins with the first buffer of terraform, terraform-vars or hcl" end
end

local function check_languages()
  for _, of in ipairs(nvim.descriptions()) do
    vim.health.ok(("the language %s is known, for files %s"):format(of.name, table.concat(of.files, ", ")))
  end
end

function health.check()
  -- Neovim before 0.10 has another API for reports.
  if vim.fn.has "nvim-0.10" == 0 then
    return vim.fn["health#report_error"]("The language service needs Neovim 0.10; diagnostics work by vim.diagnostic: :help hclexpr-lua")
  end
  vim.health.start "hclexpr"
  check_editor()
  if not check_module() then return end
  check_clients()
  check_languages()
  check_schemas()
end

return health
