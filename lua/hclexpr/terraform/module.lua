-- hcl.module evaluates a folder of Terraform files as a whole. This file opens the folder; the files in module/ answer questions about it.
-- A program gets an object that has only methods (Face); the command, editors and tests get the Module itself (the argument `inside` of
-- open).
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local callbacks = require "hclexpr.terraform.module.callbacks"
local check = require "hclexpr.check"
local config_tree = require "hclexpr.terraform.tree.config"
local fields = require "hclexpr.fields"
local documents = lazy "hclexpr.terraform.schema.documents"
local constants = require "hclexpr.terraform.tree.constants"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local inputs = require "hclexpr.terraform.tree.inputs"
local sources = require "hclexpr.terraform.tree.sources"

---@class hclexpr.Module
---@field root hclexpr.module.Config the root of the tree of modules
---@field evaluation? hclexpr.module.Evaluation the results of evaluating the tree; complete after answers.begin
---@field problems? hclexpr.Diagnostics mistakes and warnings in the module's files and inputs
---@field own_problems? hclexpr.Diagnostics mistakes and warnings without those in inputs
---@field inputs table<string, hclexpr.module.Input> values given to the root's variables
---@field torn_inputs? string an unreadable file that may set inputs
---@field input_problems? hclexpr.Diagnostics if it has errors, everything that a plan reports; otherwise only a plan's warnings
---@field paths { root: string, cwd: string, home?: string } home: this module's path below the root, if a test of another module uses it
---@field home? string the key of that other module's folder
---@field workspace string
---@field lenient boolean missing parts are unknown, not errors
---@field unreadable boolean nothing can be answered, because a broken part matters to everything: files of variables, settings, override
--- files, the state or the schemas
---@field undocumented boolean the state or the schemas are broken
---@field imported? true|string imported schemas are used; a string: their folder
---@field options table
local Module = {}
Module.__index = Module

-- The object that a program gets for a Module: it has only the public methods.
local Face = {}

local known = {
  settings = "table", variables = "table", environment = "table|function", workspace = "string", filesystem = "string",
  state = "string|table", test_dir = "string", missing = { "unknown", "error" }, resource = "function", schemas = "string|table",
  providers = "table", source = "function", read = "function",
  installed = "boolean|string", list = "function", scope = "scope", progress = "function", pause = "function",
}
local older = { test_directory = "test_dir", breathe = "pause" }

local function check_inputs(o)
  for i, setting in ipairs(o.settings or {}) do
    local fine = type(setting) == "string" or type(setting) == "table" and (type(setting.file) == "string" or type(setting.name) == "string"
      and setting.value ~= nil)
    if not fine then
      check.bad(2, "module", "option 'settings': element %d must be \"name=text\", { file = ... } or { name = ..., value = ... }", i)
    end
  end
  for i, name in ipairs(o.providers or {}) do
    if type(name) ~= "string" then check.bad(2, "module", "option 'providers': element %d must be a name, and is a %s", i, type(name)) end
  end
  for name in pairs(o.variables or {}) do
    if type(name) ~= "string" then check.bad(2, "module", "option 'variables': its keys must be names, and one is a %s", type(name)) end
  end
end

-- Reports mistakes in local values that arguments of module calls use, directly or through other local values.
local function wrong_locals(self)
  if not self.begun then lazy.load("hclexpr.terraform.module.answers").begin(self) end
  return constants.wrong_locals(self.root, self.evaluation.scope_of)
end

-- Reports mistakes in files and module calls, and those of wrong_locals. If a call's arguments use wrong local values, other mistakes in
-- its arguments aren't reported. Computed once.
local function read_problems(self)
  local loader = self.loader
  local rows, found = loader.arguments, loader.findings
  if not rows then return found:diagnostics() end
  local wrong = (rows[1] or Findings.has_errors(found:diagnostics())) and wrong_locals(self)
  for _, row in ipairs(rows) do
    if not wrong or constants.check_locals(row.config, row.call.bodies, Findings.new()) then
      row.findings:add_all(row.found)
      row.late:add_all(row.missing)
    end
  end
  if wrong then found:add(wrong) end
  loader.arguments = nil
  return found:diagnostics()
end

-- Reports the other mistakes in a tree whose files are sound. If local values are wrong, reports only the mistakes that wrong_locals finds.
-- Computed once.
local function tree_problems(self)
  local loader, found = self.loader, self.loader.findings
  if loader.checked then return found:diagnostics() end
  loader.findings = Findings.new(true)
  config_tree.check_tree(loader, self.root)
  local is_sound = not Findings.has_errors(loader.findings:diagnostics())
  if is_sound then
    loader.findings:add_all(loader.late)
    is_sound = not Findings.has_errors(loader.findings:diagnostics())
    loader.findings:add_all(loader.absent)
  end
  local own = loader.findings:diagnostics()
  local wrong = Findings.has_errors(own) and wrong_locals(self) or nil
  if wrong or own then found:add(wrong or own) end
  loader.findings, loader.checked, loader.only_absent = found, true, is_sound and not wrong
  return found:diagnostics()
end

-- Reports problems stage by stage, because later ones are often consequences of earlier ones. The reference uses the same order. The second
-- result is what a plan reports instead, if that differs.
local function problems(self, given)
  local broken = self.root.folder.broken and self.loader.findings:diagnostics() or nil
  self.unreadable = given.unreadable ~= nil or Findings.has_errors(given.wrong) or self.undocumented
  for _, folder in pairs(self.loader.folders) do self.unreadable = self.unreadable or folder and folder.torn_override end
  if broken or given.unreadable then
    return given.unreadable or Findings.join(given.torn_why, broken), given.unreadable and broken
  end
  local found = read_problems(self)
  if Findings.has_errors(given.wrong) then return Findings.join(found, given.wrong), Findings.join(found, given.wrong, given.missing) end
  local missing = Findings.has_errors(given.missing) and Findings.join(found, given.wrong, given.missing) or nil
  if not Findings.has_errors(found) then found = tree_problems(self) end
  return Findings.join(given.torn_why, found, given.wrong), missing or given.missing
end

local given_documents = {
  { "schemas", "file of schemas", lazy "hclexpr.terraform.read.schemas" }, { "state", "state", lazy "hclexpr.terraform.plan.state" },
}

local function named(list)
  local all = {}
  for _, name in ipairs(list or {}) do all[name] = true end
  return all
end

-- Reads the files of a module, for the first time or again. Returns the module; or nil, diagnostics and, if its folder could be read, the
-- module.
local function read(self)
  self.torn = true
  local o, files = self.options, self.files
  files:allow(core.scope_limits(o.scope))
  local loader = {
    files = files, sources = sources.new(files, self.dir, o.source), scope = o.scope, paths = self.paths,
    folders = {}, dirs = {}, arguments = {},
    lenient = self.lenient, given = named(o.providers),
    findings = Findings.new(true), late = Findings.new(true), absent = Findings.new(true),
    limits = o.scope and core.scope_limits(o.scope) or nil,
  }
  local folder, why = config_tree.folder(loader, self.dir)
  if not folder then
    self.torn = false
    return nil, Findings.diagnose("MODULE_FOLDER", nil, nil, string.format("The folder %s can't be read: %s.", core.quote(self.dir), why))
  end
  self.loader, self.begun, self.undocumented = loader, false, false
  local given = inputs.read(o, folder, files, loader.limits)
  self.inputs, self.torn_inputs = given.values, given.torn
  for _, row in ipairs(given_documents) do
    local name, words, reader = row[1], row[2], row[3]
    if o[name] ~= nil then
      local path = type(o[name]) == "string" and Files.within(self.dir, o[name])
      local document, err = documents.read(files, path or o[name], words, reader)
      if err then loader.findings:add(err) end
      self.undocumented = self.undocumented or err ~= nil
      self.documents[name] = document
    end
  end
  self.root = config_tree.read(loader, folder, inputs.const_values(folder, given.values))
  self.own_problems = problems(self, {})
  self.problems, self.input_problems = problems(self, given) -- also sets self.unreadable, now with the inputs
  self.torn = false
  if Findings.has_errors(self.problems) then return nil, self.problems, self end
  return self
end

-- Makes the face of a module. The face's metatable holds the module. A weak table with faces as keys wouldn't do: callbacks of the module
-- may refer to the face, and then Lua 5.1 would never free the two.
local function face_of(module)
  return setmetatable({}, {
    __name = "hclexpr.Module", __tostring = core.address, __index = Face.__index, __newindex = Face.__newindex, methods = Face.methods,
    [Face] = module,
  })
end

-- Returns the module of a face, or nil for any other value.
local function module_of(face)
  local meta = type(face) == "table" and getmetatable(face)
  return type(meta) == "table" and rawget(meta, Face) or nil
end

local function faces_of(module, err, readable)
  if module then return face_of(module) end
  return nil, err, readable and face_of(readable)
end

--- Opens the folder of a module.
---@param dir string
---@param options? hclexpr.ModuleOptions
---@param inside? boolean the module itself is wanted
---@return hclexpr.Module? module
---@return hclexpr.Diagnostics? err
---@return hclexpr.Module? readable the module with what could be read, after a mistake
local function open(dir, options, inside)
  check.type(1, "module", dir, "string")
  local o = check.options(2, "module", options, known, older)
  check_inputs(o)
  local made = setmetatable({
    dir = dir, workspace = o.workspace or "default", lenient = o.missing == "unknown",
    open_module = open, -- runs of tests may open other modules
    paths = { root = ".", cwd = core.absolute_path(dir) }, documents = {},
  }, Module)
  made.options = callbacks.of(made, o)
  if o.schemas == "installed" or o.installed then
    made.imported, made.options.schemas = o.installed or true, o.schemas ~= "installed" and o.schemas or nil
  end
  made.files = Files.new(made.options)
  if inside then return read(made) end
  return faces_of(read(made))
end

-- Checks at the start of a method that the module isn't waiting for one of its own callbacks. A callback that called the module would wait
-- for itself.
local function enter(self, name)
  local waiting = callbacks.waiting(self)
  if waiting then check.raise(3, ("'%s' can't be called while the module waits for its option '%s'"):format(name, waiting)) end
end

-- Reads the module's files again. Returns nil and diagnostics if something is wrong, as open does.
function Module:reload()
  enter(self, "reload")
  local made, err = read(self)
  if made then return true end
  return nil, err
end

-- Reads the values of the root's variables again after its declarations changed. Only the files in module/ call it.
function Module:_read_inputs()
  local folder = self.root.folder
  local given = inputs.read(self.options, folder, self.files, self.loader.limits)
  self.inputs, self.torn_inputs = given.values, given.torn
  self.problems, self.input_problems = problems(self, given)
end

-- Questions

-- Makes a method that calls the function of the same name in the given file, which is loaded at the first call.
local function ask(name, file)
  Module[name] = function(self, ...)
    enter(self, name)
    -- An error may have ended an earlier call halfway; then the files are read again.
    if self.torn then read(self) end
    local answers = lazy.load(file)
    if not self.begun and answers.begin then answers.begin(self) end
    -- Each question gets the full limits.
    if self.begun then core.budget(self.evaluation.scope) end
    return answers[name](self, ...)
  end
end

for _, name in ipairs { "plan", "value", "eval", "explain", "outputs", "missing", "_causes", "_validate_files" } do
  ask(name, "hclexpr.terraform.module.answers")
end
for _, name in ipairs { "validate", "_validate_tests" } do ask(name, "hclexpr.terraform.tests.validating") end
ask("test", "hclexpr.terraform.tests.suite")
for _, name in ipairs { "dependencies", "dependents", "graph" } do ask(name, "hclexpr.terraform.module.relations") end
ask("addresses", "hclexpr.terraform.module.listing")
ask("plan_json", "hclexpr.terraform.show.json.plan")
ask("outputs_json", "hclexpr.terraform.show.json.outputs")

function Module:change(path, text)
  enter(self, "change")
  check.type(1, "change", path, "string")
  check.type(2, "change", text, "string", true)
  if self.torn then read(self) end
  self.torn = true
  local sound, err = lazy.load("hclexpr.terraform.module.change").change(self, path, text)
  self.torn = false
  return sound, err
end

-- The public methods; true marks those that take arguments.
local public = {
  plan = true, validate = false, outputs = false, missing = false, addresses = false, reload = false,
  value = true, eval = true, explain = true, test = true, dependencies = true, dependents = true, graph = true, plan_json = true,
  outputs_json = true, change = true,
}

for name, takes in pairs(public) do
  Face[name] = function(self, ...)
    local module, first = module_of(self), ...
    check.self(name, "Module", self, module)
    if not takes and first ~= nil then check.options(1, name, first, {}) end
    return module[name](module, ...)
  end
end

fields.guard(Face, "Module", false)
fields.seal(Face, "Module")

return open
