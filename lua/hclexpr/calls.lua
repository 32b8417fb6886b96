-- Checks calls without evaluating them: whether the function exists, and whether it takes the given number of arguments.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local sorted = require("hclexpr.util").sorted

local calls = {}

-- These words aren't functions, but build types where a type is expected. A call by itself doesn't show whether a type is expected there.
local type_words = { list = true, set = true, map = true, tuple = true, object = true, optional = true }

-- Patterns for names of files that belong to other programs with functions of their own.
local dialects = {
  "^docker%-bake.*%.hcl$", "^bake%.hcl$", "%.bake%.hcl$", -- BuildKit
  "^terragrunt.*%.hcl$", "%.terragrunt%.hcl$", -- Terragrunt
  "%.pkr%.hcl$", "%.pkrvars%.hcl$", -- Packer
  "%.nomad$", "%.nomad%.hcl$", -- Nomad
  "^waypoint%.hcl$", "^atlas%.hcl$", "%.tm%.hcl$", -- Waypoint, Atlas, Terramate
}

-- Functions of Terragrunt. They are never reported as unknown, because Terragrunt reads files of any name.
local anywhere = {}
for name in ([[
  constraint_check deep_merge find_in_parent_folders get_aws_account_alias get_aws_account_id get_aws_caller_identity_arn
  get_aws_caller_identity_user_id get_default_retryable_errors get_env get_original_terragrunt_dir get_parent_terragrunt_dir
  get_path_from_repo_root get_path_to_repo_root get_platform get_repo_root get_terraform_cli_args get_terraform_command
  get_terraform_commands_that_need_input get_terraform_commands_that_need_locking get_terraform_commands_that_need_parallelism
  get_terraform_commands_that_need_vars get_terragrunt_dir get_terragrunt_source_cli_flag get_working_dir mark_as_read mark_glob_as_read
  path_relative_from_include path_relative_to_include read_terragrunt_config read_tfvars_file run_cmd sops_decrypt_file
]]):gmatch "%S+" do anywhere[name] = true end

local function is_dialect(path)
  local name = path:match "[^/]*$"
  for _, pattern in ipairs(dialects) do
    if name:find(pattern) then return true end
  end
  return false
end

-- Returns a description of the function that a block `function "name"` declares, or false if its parameters can't be counted.
local function declared(block)
  local attributes, params = block.body.attributes, {}
  local tree = attributes.params and attributes.params.expression:ast()
  if not tree or tree.kind ~= "tuple" then return false end
  for i, element in ipairs(tree.elements) do params[i] = { name = element.root or element.text or "value" } end
  local rest = attributes.variadic_param or attributes.variadic_params
  local word = rest and rest.expression:ast()
  return { name = block.labels[1], params = params, variadic = word and { name = word.root or word.text or "more" } or nil,
           summary = "", description = "" }
end

--- Adds to `into` the functions that blocks of a body define. The value false means a function that takes any arguments.
---@param body hclexpr.Body
---@param into table<string, hclexpr.FunctionInfo|false>
function calls.defined(body, into)
  for _, block in ipairs(body.blocks) do
    local name = block.type == "function" and block.labels[1]
    if name then into[name] = declared(block) end
  end
end

--- Returns the functions that expressions of a file may call.
---@param body hclexpr.Body
---@param path string
---@param given? table<string, hclexpr.FunctionInfo|false> functions of the program that reads the file
---@return table<string, hclexpr.FunctionInfo|false> known built-in functions, functions of the program, and functions of blocks `function "name"`
---@return boolean open true if the file belongs to another program, which may have further functions
function calls.known(body, path, given)
  ---@type table<string, hclexpr.FunctionInfo|false>
  local functions = hcl.functions()
  for name, row in pairs(given or {}) do functions[name] = row end
  calls.defined(body, functions)
  return functions, is_dialect(path)
end

-- Says what is wrong with the number of arguments, or returns nil. A broken call is never wrong, and a call with a spread collection only
-- if it has too many.
local function wrong_count(fn, use)
  local least, given = #fn.params, use.argument_count
  if not given then return nil end
  if use.spread then given = given - 1 end
  local few, many = given < least and not use.spread, given > least and not fn.variadic
  if not few and not many then return nil end
  return string.format("%s() takes %s%d argument%s, but this call has %s%d.", use.name, fn.variadic and "at least " or "", least,
    least == 1 and "" or "s", use.spread and "at least " or "", given)
end

--- Reports unknown functions and wrong numbers of arguments. Functions with a namespace (`a::b`) belong to a host, and aren't checked.
---@param body hclexpr.Body
---@param path string the body's file: its name shows whether it belongs to a program with functions of its own
---@param findings hclexpr.Findings
---@param given? table<string, hclexpr.FunctionInfo|false> functions of the program that reads the file
function calls.check(body, path, findings, given)
  local functions, open = calls.known(body, path, given)
  local names
  for _, use in ipairs(body:calls()) do
    local fn, place = functions[use.name], { object = body, range = use.range }
    local wrong = fn and wrong_count(fn, use)
    if wrong then findings:report("CALL_COUNT", place, "%s", wrong) end
    if fn == nil and not (open or anywhere[use.name] or type_words[use.name] or use.name:find "::") then
      names = names or sorted(functions)
      local near = core.suggest(use.name, names)
      local row = { row = "CALL_UNKNOWN", name = use.name, reason = near and "similar" }
      findings:report(row, place, "No function is named \"%s\".%s", use.name, near and (' Did you mean "%s"?'):format(near) or "")
    end
  end
end

return calls
