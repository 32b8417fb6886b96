-- Evaluates folders in the background, because that takes longer than a key press may. The host calls Workspace:work (service.lua) while no
-- client waits: hclexpr lsp and the Neovim plugin call it through Server:idle (lsp.lua). It opens the modules of folders with open files,
-- gives them changed texts, and validates them, in a coroutine that yields when a slice of time is over: at each file that is read, and
-- every few nodes that are evaluated. Between two slices the host answers questions. A text that doesn't parse never reaches a module: the
-- module keeps the last text that did, so that its values stay.
local core = require "hclexpr.core"
local Findings = require "hclexpr.findings"
local folders = require "hclexpr.editor.folders"
local hcl = require "hclexpr"
local lazy = require "hclexpr.lazy"
local sorted = require("hclexpr.util").sorted

local background = {}

---@class hclexpr.service.Work the results of evaluating a folder
---@field dir string
---@field folder? hclexpr.service.Folder of a described language; nil: Terraform's
---@field module? hclexpr.Module|hclexpr.Configuration
---@field given? string what else it was opened with: the files of variables, what is on disk beside texts, and its schemas
---@field schemas? table
---@field broken? hclexpr.Diagnostics mistakes in its files
---@field stamps table<string, integer> of the texts that it knows, by path
---@field last? table<string, string> the last texts that parsed, by path
---@field found? hclexpr.Diagnostics what validating said
---@field judged table<string, integer> stamps of the texts that `found` is about
---@field absent? hclexpr.module.Config[] modules that aren't here, as of then
---@field outside? table<any, table<string, hclexpr.Range>> files that functions may not read, as of then
---@field done? integer the documents' count of edits then
---@field settled? boolean for a job: it waits between two values, so the module may be asked
---@field question? { deadline: number } the question being answered meanwhile
---@field slow? integer the documents' count of edits when a question took too long
---@field shown? table<string, string|false> texts of values after expressions, by their argument

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

-- Returns the work of a folder of a described language. After each edit the folder is another table, so it is stored anew.
local function work_in(workspace, folder)
  local work = work_of(workspace, folder.key)
  work.dir, work.folder = folder.dir, folder
  return work
end

local function work_for(workspace, document)
  if document.vocabulary then return work_in(workspace, folders.of(workspace, document)) end
  return work_of(workspace, document.dir)
end

-- Finds the evaluator of a folder; see terraform below.
local evaluator_of

-- Forgets an abandoned evaluation, which waits for an answer that will never come.
local function forget_wait(work)
  if work.module and not work.folder then work.module.waiting.thread = nil end
end

-- Yields when the slice, or a question's time, is over. Callbacks of a module may yield.
local function breathe(work)
  local job = work.question or work.job
  if job and coroutine.running() and os.clock() > job.deadline then coroutine.yield() end
end

-- Seconds for which a question may evaluate.
local SOON = 0.05

local function is_in_job(workspace)
  local job = rawget(workspace, "job")
  return job ~= nil and coroutine.running() == job.thread
end

-- Keeps an error that ended a thread, a mistake of ours, for background.fault.
local function note(workspace, thread, why) workspace.fault_noted = debug.traceback(thread, tostring(why)) end

--- The last error that evaluating a folder ended with, once; nil: none since the last call.
---@param workspace hclexpr.service.Workspace
---@return string? fault
function background.fault(workspace)
  local fault = rawget(workspace, "fault_noted")
  workspace.fault_noted = nil
  return fault
end

--- Calls a function that asks a module, and returns its result; nil: it failed, or takes longer than a question may. Within a job it
--- continues in the next slice. (A coroutine, not pcall: Lua 5.1 can't yield across pcall.)
---@param workspace hclexpr.service.Workspace
---@param work hclexpr.service.Work whose module is asked
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
  -- A later call of background.work evaluates this folder in slices.
  work.slow = workspace.documents.edits
  forget_wait(work)
  return nil
end

-- Limits of an evaluation. A folder that exceeds them has no values shown; everything else works.
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

-- Returns all documents of a module by path: those of its folder, the files of variables, and those of the folders that it calls.
local function texts_of(workspace, dir, work, files)
  local documents, found = workspace.documents, {}
  local function add(list)
    for _, document in ipairs(list) do found[document.path] = document end
  end
  for _, path in ipairs(files) do found[path] = documents:get(path) end
  add(documents:texts(dir))
  for key, folder in pairs(work.module and work.module.loader.folders or {}) do
    -- A missing file may have appeared.
    local called = folder and folder.dir or key
    add(documents:texts(called == "." and "" or called))
  end
  return found
end

-- Notes the stamps of the texts that a module has just read and didn't know before.
local function note_read(work, texts)
  for path, document in pairs(texts) do
    if not work.stamps[path] then
      work.stamps[path] = document.stamp
      if (document.open or document.dir == work.dir) and document:is_sound() then work.last[path] = document.text end
    end
  end
end

-- Returns the inputs of a module besides its texts: a text that changes with them, and the schemas. Once one of them has changed, the
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

-- Returns the sound documents whose texts a module doesn't know; nil if the set of files has changed.
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

-- How Terraform's folders are evaluated.
local terraform = {}

function terraform.texts(workspace, work) return workspace.documents:texts(work.dir) end

-- Brings a module up to the texts that the editor has.
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
  -- The changed texts may call other folders now.
  if changed[1] then note_read(work, texts_of(workspace, dir, work, files)) end
end

function terraform.validate(workspace, work)
  terraform.refresh(workspace, work)
  local module = work.module
  if not module then return end
  -- In a new process, reading the files that evaluate takes as long as a slice may.
  for _, name in ipairs { "hclexpr.terraform.read.references", "hclexpr.terraform.instance.instances", "hclexpr.terraform.evaluate.walk",
                          "hclexpr.terraform.module.answers" } do
    lazy.load(name)
    breathe(work)
  end
  -- While a test file is edited, mistakes elsewhere stay visible.
  local _, err = module:_validate_files()
  local tests = module:_validate_tests()
  work.found, work.judged = Findings.join(err, tests) or work.broken, {}
  work.absent = lazy.load("hclexpr.terraform.tree.missing").modules(module)
  work.outside = module.evaluation.outside
  for path, stamp in pairs(work.stamps) do work.judged[path] = stamp end
end

function evaluator_of(work) return work.folder and lazy.load "hclexpr.editor.configurations" or terraform end

-- Prepares the inlays of a folder, which takes as long as the evaluation of their values. Other questions are answered between two values,
-- not during one.
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

-- Does a module call one of the folders that have open files?
local function calls_open(workspace, work)
  for _, dir in ipairs(work.module and not work.folder and workspace.documents:open_folders() or {}) do
    if work.module.loader.folders[core.absolute_path(dir == "" and "." or dir)] then return true end
  end
  return false
end

-- Returns the next Terraform folder that was not validated since an edit: one with open files, or a remembered one that calls such a
-- folder.
local function next_folder(workspace)
  local documents, works = workspace.documents, works_of(workspace)
  for _, dir in ipairs(documents:open_folders()) do
    local work = work_of(workspace, dir)
    if work.done ~= documents.edits then
      if folders.at(workspace, dir).documents[1] then return work end
      works[dir] = nil -- what was in the folder is gone
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

-- Open files of a folder.
local function open_paths(workspace, work)
  local paths = {}
  for path, document in pairs(workspace.documents.by_path) do
    local is_in = document and document.open and document.dir == work.dir
    if is_in and (not work.folder or document.vocabulary == work.folder.vocabulary) then paths[#paths + 1] = path end
  end
  table.sort(paths)
  return paths
end

function background.pending(workspace)
  return rawget(workspace, "job") ~= nil or next_folder(workspace) ~= nil
end

--- Continues pending work. Returns the paths of open files whose diagnostics may have changed; nil: none yet.
---@param workspace hclexpr.service.Workspace
---@param seconds number
---@param prepare function inlays.prepare, for the part of evaluating a folder that takes longest
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
  -- An error of ours ended the evaluation: of such a folder only the texts are checked.
  if not fine then job.work.module, job.work.found = nil, nil end
  job.work.done = job.edits
  return open_paths(workspace, job.work)
end

-- How many folders without open files are remembered. One of them may call the module of a folder that is opened next.
local MOST_CLOSED = 4

--- Forgets the values of folders whose files were closed, except for the last ones.
---@param workspace hclexpr.service.Workspace
---@param dir string of a file that was closed
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

-- The size up to which a folder is opened immediately when a value is asked for: a few milliseconds.
local SMALL_BYTES, SMALL_FILES = 40000, 12

local function is_small(workspace, work)
  local bytes, files = 0, 0
  for _, document in ipairs(evaluator_of(work).texts(workspace, work)) do bytes, files = bytes + #document.text, files + 1 end
  return bytes <= SMALL_BYTES and files <= SMALL_FILES
end

-- Returns an open module that calls the module of this folder, and its work: the caller knows more of the inputs.
local function of_caller(workspace, dir)
  local key = core.absolute_path(dir == "" and "." or dir)
  local works = works_of(workspace)
  for _, other in ipairs(sorted(works)) do
    local work = works[other]
    local loader = work.module and not work.folder and (not work.job or work.settled) and other ~= dir and work.module.loader
    if loader and loader.folders[key] then return work.module, work end
  end
end

--- Returns what has the values of a document: for Terraform an open module that calls its module, otherwise the module of its own folder;
--- for a described language its configuration. nil: nothing is open now.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.Module? module
---@return boolean? current does it know this very text?
---@return hclexpr.service.Work? work that has the module
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

--- Returns the texts of values that were prepared for a document's folder, and the time (os.clock) until which others may be computed.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return table<string, string|false>
---@return number deadline
function background.shown(workspace, document)
  local work = work_for(workspace, document)
  local soon = work.slow ~= workspace.documents.edits and is_small(workspace, work)
  return work.shown or {}, soon and os.clock() + SOON or 0
end

--- Returns the findings for a document's folder if this very text was validated, the missing modules, the files outside of granted folders,
--- and the module; nil: nothing was found, or the text was not validated yet.
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
