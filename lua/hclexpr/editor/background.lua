-- Evaluates folders in the background, because this takes longer than a user waits after a key press. The host calls Workspace:work
-- (service.lua) while no client waits: hclexpr lsp and the Neovim plugin call it through Server:idle (lsp.lua). It opens the modules of
-- folders with open files, gives them changed texts, and validates them. It runs in a coroutine, which checks the time at each file that is
-- read and every few nodes that are evaluated, and yields when its slice is over. Between two slices the host answers questions. A text
-- with syntax errors never reaches a module: the module keeps the last text that parsed, and so its values.
local core = require "hclexpr.core"
local Findings = require "hclexpr.findings"
local folders = require "hclexpr.editor.folders"
local hcl = require "hclexpr"
local lazy = require "hclexpr.lazy"
local sorted = require("hclexpr.util").sorted

local background = {}

---@class hclexpr.service.Work the results of evaluating a folder
---@field dir string
---@field folder? hclexpr.service.Folder the folder, if its files are of a described language; nil for Terraform
---@field module? hclexpr.Module|hclexpr.Configuration
---@field given? string the other inputs of the module, in one text: see `given` below
---@field schemas? table schemas that the module was opened with
---@field broken? hclexpr.Diagnostics mistakes in the files when the module was opened or changed
---@field stamps table<string, integer> stamps of the texts that the module knows, by path
---@field last? table<string, string> the last texts that parsed, by path
---@field found? hclexpr.Diagnostics results of the last validation
---@field judged table<string, integer> stamps of the texts that `found` is about
---@field absent? hclexpr.module.Config[] missing modules at the last validation
---@field outside? table<any, table<string, hclexpr.Range>> files that functions tried to read but may not, at the last validation
---@field done? integer the documents' count of edits when the last job began
---@field settled? boolean true while a job waits between two values, so that the module may answer questions
---@field question? { deadline: number } the question that the module answers now
---@field slow? integer the documents' count of edits when a question last took too long
---@field shown? table<string, string|false> texts of values to show after expressions, by argument

---@class hclexpr.service.Job
---@field work hclexpr.service.Work
---@field edits integer
---@field thread thread
---@field deadline number

local function works_of(workspace)
  local works = rawget(workspace, "works")
  if not works then
    works = {}
    workspace.works = works
  end
  return works
end

local function work_of(workspace, dir)
  local works = works_of(workspace)
  works[dir] = works[dir] or { dir = dir, stamps = {}, judged = {} }
  return works[dir]
end

-- Returns the work of a folder of a described language. The folder is a new table after each edit, so it is stored again.
local function work_in(workspace, folder)
  local work = work_of(workspace, folder.key)
  work.dir, work.folder = folder.dir, folder
  return work
end

local function work_for(workspace, document)
  if document.vocabulary then return work_in(workspace, folders.of(workspace, document)) end
  return work_of(workspace, document.dir)
end

-- Returns the functions that evaluate a folder: `terraform` below, or configurations.lua.
local evaluator_of

-- Forgets an evaluation that was abandoned while it waited for an answer.
local function forget_wait(work)
  if work.module and not work.folder then work.module.waiting.thread = nil end
end

-- Yields if the time of the slice, or of a question, is over. This is called from callbacks of a module, which may yield.
local function breathe(work)
  local job = work.question or work.job
  if job and coroutine.running() and os.clock() > job.deadline then coroutine.yield() end
end

-- The number of seconds that a question may spend on evaluation.
local SOON = 0.05

local function is_in_job(workspace)
  local job = rawget(workspace, "job")
  return job ~= nil and coroutine.running() == job.thread
end

-- Keeps an internal error that ended a coroutine, for background.fault.
local function note(workspace, thread, why) workspace.fault_noted = debug.traceback(thread, tostring(why)) end

--- Returns the last internal error that ended the evaluation of a folder, and forgets it; nil if nothing is noted.
---@param workspace hclexpr.service.Workspace
---@return string? fault
function background.fault(workspace)
  local fault = rawget(workspace, "fault_noted")
  workspace.fault_noted = nil
  return fault
end

--- Calls a function that asks a module, and returns its result; nil if it failed, or takes longer than a question may. Within a job the
--- function continues in the next slice. (This uses a coroutine instead of pcall, because Lua 5.1 can't yield across pcall.)
---@param workspace hclexpr.service.Workspace
---@param work hclexpr.service.Work the work with the module
---@param act fun(): any
---@return any
function background.ask(workspace, work, act)
  local thread, in_job = coroutine.create(act), is_in_job(workspace)
  while true do
    work.question = in_job and workspace.job or { deadline = os.clock() + SOON }
    local fine, result = coroutine.resume(thread)
    work.question = nil
    if not fine then note(workspace, thread, result) end
    if coroutine.status(thread) == "dead" then return fine and result or nil end
    if not in_job then break end
    coroutine.yield()
  end
  -- The function is abandoned. A later call of background.work evaluates this folder in slices.
  work.slow = workspace.documents.edits
  forget_wait(work)
  return nil
end

-- Limits of evaluating a folder. If it exceeds them, no values are shown; everything else works.
local LIMITS = { steps = 50e6 }

local function options_of(workspace, dir, work, files)
  local documents = workspace.documents
  local options = { scope = hcl.scope { limits = LIMITS }, missing = "unknown",
                    schemas = (lazy.load("hclexpr.editor.schema_files").document(workspace, dir)), installed = workspace.options.installed }
  for name, value in pairs(workspace.options.module or {}) do options[name] = value end
  local settings = {}
  for i, setting in ipairs(options.settings or {}) do settings[i] = setting end
  for _, path in ipairs(files) do settings[#settings + 1] = { file = path } end
  options.settings = settings
  options.read = function(path)
    local known = documents.by_path[path]
    if not known then return nil end
    if work.last and work.last[path] and not known:is_sound() then return work.last[path] end
    return known.text
  end
  options.list = function(folder) return documents:open_names(folder == "." and "" or folder) end
  options.pause = function() breathe(work) end
  return options
end

-- Returns all documents of a module, by path: in its folder, files of variables, and in the folders of modules that it calls.
local function texts_of(workspace, dir, work, files)
  local documents, found = workspace.documents, {}
  local function add(list)
    for _, document in ipairs(list) do found[document.path] = document end
  end
  for _, path in ipairs(files) do found[path] = documents:get(path) end
  add(documents:texts(dir))
  for key, folder in pairs(work.module and work.module.loader.folders or {}) do
    -- A called folder that was missing may exist now.
    local called = folder and folder.dir or key
    add(documents:texts(called == "." and "" or called))
  end
  return found
end

-- Notes the stamps of texts that a module has just read for the first time.
local function note_read(work, texts)
  for path, document in pairs(texts) do
    if not work.stamps[path] then
      work.stamps[path] = document.stamp
      if (document.open or document.dir == work.dir) and document:is_sound() then work.last[path] = document.text end
    end
  end
end

-- Returns the inputs of a module besides its texts: a string that changes with these inputs, and the schemas. If an input has changed, the
-- module is opened again.
local function given(workspace, dir, files)
  local schema_files = lazy.load "hclexpr.editor.schema_files"
  return table.concat(files, "\n") .. "\n" .. workspace.documents.others .. "\n" .. schema_files.imported(workspace),
    (schema_files.document(workspace, dir))
end

local function open(workspace, dir, work, files)
  work.module, work.stamps = nil, {}
  work.given, work.schemas = given(workspace, dir, files)
  local options = options_of(workspace, dir, work, files)
  local module, err, readable = lazy.load "hclexpr.terraform.module"(dir == "" and "." or dir, options, true)
  work.module, work.broken, work.last = module or readable, err, work.last or {}
  note_read(work, texts_of(workspace, dir, work, files))
end

-- Returns the documents without syntax errors whose texts are new to a module; nil if the set of files has changed.
local function changed_texts(work, texts)
  local changed = {}
  for path in pairs(work.stamps) do
    if not texts[path] then return nil end
  end
  for path, document in pairs(texts) do
    local known = work.stamps[path]
    if known == nil then return nil end
    if known ~= document.stamp and document:is_sound() then changed[#changed + 1] = document end
  end
  return changed
end

-- The functions that evaluate Terraform folders.
local terraform = {}

function terraform.texts(workspace, work) return workspace.documents:texts(work.dir) end

-- Gives a module the texts that the editor has now.
function terraform.refresh(workspace, work)
  local dir = work.dir
  local files = lazy.load("hclexpr.editor.vars").files(workspace, dir)
  local texts = texts_of(workspace, dir, work, files)
  local now, schemas = given(workspace, dir, files)
  local changed = work.module and work.given == now and work.schemas == schemas and changed_texts(work, texts)
  if not changed then return open(workspace, dir, work, files) end
  for _, document in ipairs(changed) do
    work.stamps[document.path], work.last[document.path] = document.stamp, document.text
    local sound, err = work.module:change(document.path, document.text)
    work.broken = not sound and err or nil
  end
  -- The changed texts may call further folders.
  if changed[1] then note_read(work, texts_of(workspace, dir, work, files)) end
end

function terraform.validate(workspace, work)
  terraform.refresh(workspace, work)
  local module = work.module
  if not module then return end
  -- In a new process, loading the Lua files for evaluation takes as long as a whole slice.
  for _, name in ipairs { "hclexpr.terraform.read.references", "hclexpr.terraform.instance.instances", "hclexpr.terraform.evaluate.walk",
                          "hclexpr.terraform.module.answers" } do
    lazy.load(name)
    breathe(work)
  end
  -- Mistakes elsewhere remain visible while a test file is edited, because test files are validated separately.
  local _, err = module:_validate_files()
  local tests = module:_validate_tests()
  work.found, work.judged = Findings.join(err, tests) or work.broken, {}
  work.absent = lazy.load("hclexpr.terraform.tree.missing").modules(module)
  work.outside = module.evaluation.outside
  for path, stamp in pairs(work.stamps) do work.judged[path] = stamp end
end

function evaluator_of(work) return work.folder and lazy.load "hclexpr.editor.configurations" or terraform end

-- Prepares the inlays of a folder, which takes as long as evaluating their values. Between two values, but not during one, the module
-- answers other questions.
local function prepare_inlays(workspace, work, prepare)
  local shown = {}
  for path in pairs(work.module and work.stamps or {}) do
    local document = workspace.documents.by_path[path]
    if document and document.open and document.dir == work.dir then
      prepare(workspace, document, shown, function()
        if os.clock() <= work.job.deadline then return end
        work.settled = true
        coroutine.yield()
        work.settled = false
      end)
    end
  end
  work.shown = shown
end

-- Returns true if a module calls one of the folders that have open files.
local function calls_open(workspace, work)
  for _, dir in ipairs(work.module and not work.folder and workspace.documents:open_folders() or {}) do
    if work.module.loader.folders[core.absolute_path(dir == "" and "." or dir)] then return true end
  end
  return false
end

-- Returns the next folder that was not validated since the last edit: one with open files, or a remembered one whose module calls such a
-- folder.
local function next_folder(workspace)
  local documents, works = workspace.documents, works_of(workspace)
  for _, dir in ipairs(documents:open_folders()) do
    local work = work_of(workspace, dir)
    if work.done ~= documents.edits then
      if folders.at(workspace, dir).documents[1] then return work end
      works[dir] = nil -- the files of the folder are gone
    end
  end
  for _, folder in ipairs(folders.described(workspace)) do
    local work = work_in(workspace, folder)
    if work.done ~= documents.edits then return work end
  end
  for _, dir in ipairs(rawget(workspace, "closed") or {}) do
    local work = works[dir]
    if work and work.done ~= documents.edits and calls_open(workspace, work) then
      if folders.at(workspace, dir).documents[1] then return work end
      works[dir] = nil
    end
  end
end

local function give_up(workspace)
  local job = workspace.job
  if not job then return end
  workspace.job, job.work.job, job.work.settled = nil, nil, nil
  forget_wait(job.work)
end

local function begin(workspace, prepare)
  local work = next_folder(workspace)
  if not work then return nil end
  local job = { work = work, edits = workspace.documents.edits }
  job.thread = coroutine.create(function()
    evaluator_of(work).validate(workspace, work, function() breathe(work) end)
    if not work.folder then prepare_inlays(workspace, work, prepare) end
  end)
  workspace.job, work.job = job, job
  return job
end

-- Returns true if a document is one of the files of a described language that are evaluated together.
local function is_written_in(folder, document)
  return document.vocabulary == folder.vocabulary and (folder.vocabulary.whole or document.path == folder.written[1].path)
end

-- Returns the paths of a folder's open files, sorted.
local function open_paths(workspace, work)
  local paths = {}
  for path, document in pairs(workspace.documents.by_path) do
    local is_in = document and document.open and document.dir == work.dir
    if is_in and (not work.folder or is_written_in(work.folder, document)) then paths[#paths + 1] = path end
  end
  table.sort(paths)
  return paths
end

function background.pending(workspace)
  return rawget(workspace, "job") ~= nil or next_folder(workspace) ~= nil
end

--- Continues pending work. Returns the paths of open files whose diagnostics may have changed; nil if the work isn't finished, or if there
--- was nothing to do.
---@param workspace hclexpr.service.Workspace
---@param seconds number
---@param prepare function inlays.prepare
---@return string[]?
function background.work(workspace, seconds, prepare)
  local job = rawget(workspace, "job")
  if job and job.edits ~= workspace.documents.edits then
    give_up(workspace)
    job = nil
  end
  job = job or begin(workspace, prepare)
  if not job then return nil end
  job.deadline = os.clock() + seconds
  local fine, why = coroutine.resume(job.thread)
  if not fine then note(workspace, job.thread, why) end
  if fine and coroutine.status(job.thread) ~= "dead" then return nil end
  workspace.job, job.work.job, job.work.settled = nil, nil, nil
  -- After an internal error the folder has no values, and only texts are checked.
  if not fine then job.work.module, job.work.found = nil, nil end
  job.work.done = job.edits
  return open_paths(workspace, job.work)
end

-- The number of folders without open files to remember. One of them may call the module of a folder that is opened next.
local MOST_CLOSED = 4

--- Forgets the values of folders whose files are all closed, except for the MOST_CLOSED folders that were closed last.
---@param workspace hclexpr.service.Workspace
---@param dir string the folder of a file that was closed
function background.close(workspace, dir)
  local opened, works = {}, works_of(workspace)
  for _, name in ipairs(workspace.documents:open_folders()) do opened[name] = true end
  local closed = {}
  for _, name in ipairs(rawget(workspace, "closed") or {}) do
    if not opened[name] and name ~= dir then closed[#closed + 1] = name end
  end
  if not opened[dir] then closed[#closed + 1] = dir end
  while #closed > MOST_CLOSED do works[table.remove(closed, 1)] = nil end
  workspace.closed = closed
  for key, work in pairs(works) do
    if work.folder and not open_paths(workspace, work)[1] then works[key] = nil end
  end
end

-- A folder up to this size is opened immediately when a question needs a value, because this takes only a few milliseconds.
local SMALL_BYTES, SMALL_FILES = 40000, 12

local function is_small(workspace, work)
  local bytes, files = 0, 0
  for _, document in ipairs(evaluator_of(work).texts(workspace, work)) do bytes, files = bytes + #document.text, files + 1 end
  return bytes <= SMALL_BYTES and files <= SMALL_FILES
end

-- Returns an open module that calls the module of this folder, and the work of that caller; nil if there isn't one. The caller is preferred
-- because it knows the call's arguments.
local function of_caller(workspace, dir)
  local key = core.absolute_path(dir == "" and "." or dir)
  local works = works_of(workspace)
  for _, other in ipairs(sorted(works)) do
    local work = works[other]
    local loader = work.module and not work.folder and (not work.job or work.settled) and other ~= dir and work.module.loader
    if loader and loader.folders[key] then return work.module, work end
  end
end

--- Returns the module that has the values of a document. For Terraform this is an open module that calls the document's module, or
--- otherwise the document's own; for a described language, the configuration. Returns nil if nothing is open, or can be asked now.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.Module? module
---@return boolean? current true if the module knows exactly this text
---@return hclexpr.service.Work? work the work with the module
function background.module(workspace, document)
  if document.kind ~= "terraform" and not document.vocabulary then return nil end
  local work = work_for(workspace, document)
  local edits = workspace.documents.edits
  if work.slow == edits and work.done ~= edits and not is_in_job(workspace) then return nil end
  if not work.job and work.asked ~= edits and is_small(workspace, work) then
    work.asked = edits
    local fine = background.ask(workspace, work, function()
      evaluator_of(work).refresh(workspace, work, function() breathe(work) end)
      return true
    end)
    if not fine then work.module = nil end
  end
  local module, of
  if not work.folder then module, of = of_caller(workspace, work.dir) end
  if module then return module, of.stamps[document.path] == document.stamp, of end
  if work.job and not work.settled and not is_in_job(workspace) then return nil end
  return work.module, work.stamps[document.path] == document.stamp, work
end

--- Returns the texts of values that were prepared for a document's folder, and the time (os.clock) until which further ones may be
--- computed.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return table<string, string|false>
---@return number deadline
function background.shown(workspace, document)
  local work, edits = work_for(workspace, document), workspace.documents.edits
  local is_evaluated = work.folder and work.done == edits -- then a value takes no time, whatever the size
  local soon = work.slow ~= edits and (is_evaluated or is_small(workspace, work))
  return work.shown or {}, soon and os.clock() + SOON or 0
end

--- Returns the findings for a document's folder, its missing modules, the files that functions may not read, and the module; nil if exactly
--- this text of the document wasn't validated yet.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.Diagnostics? found
---@return hclexpr.module.Config[]? absent
---@return table<any, table<string, hclexpr.Range>>? outside
---@return hclexpr.Module? module
function background.found(workspace, document)
  local work = work_for(workspace, document)
  if work.judged[document.path] == document.stamp then return work.found, work.absent, work.outside, work.module end
end

return background
