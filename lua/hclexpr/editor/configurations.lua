-- Evaluates files and folders of described languages as configurations, from the texts that the editor has. If a text doesn't parse, the
-- last text that did is used. Names and functions that the program gives are unknown values of their types. No code of the program is
-- called, and the environment isn't read.
local configuration = require "hclexpr.languages.configuration"

local configurations = {}

-- Limits of an evaluation. Beyond them only values are missing.
local LIMITS = { steps = 50e6 }

function configurations.texts(_, work) return work.folder:texts() end

-- Notes the texts of a configuration. Returns true if they differ from the texts noted before.
local function note_texts(work)
  local texts, changed = {}, false
  work.last = work.last or {}
  for _, document in ipairs(work.folder:texts()) do
    local path = document.path
    if document:is_sound() then work.last[path], work.stamps[path] = document.text, document.stamp end
    if work.last[path] then
      local body = document.text == work.last[path] and document.body or nil
      texts[#texts + 1] = { path = path, text = work.last[path], body = body, syntax = document.kind == "json" and "json" or "native" }
    end
  end
  for i = 1, math.max(#texts, #(work.texts or {})) do
    local new, old = texts[i], work.texts and work.texts[i]
    changed = changed or not (new and old and new.path == old.path and new.text == old.text)
  end
  work.texts = texts
  return changed
end

--- Makes a new configuration if the editor's texts have changed.
---@param work hclexpr.service.Work
---@param pause fun() called often, and may yield
function configurations.refresh(_, work, pause)
  local description = work.folder.vocabulary.description
  if not note_texts(work) and work.module and work.description == description then return end
  work.description, work.module = description, nil
  work.module = configuration.show(configuration.check(description, work.texts, { limits = LIMITS, pause = pause }))
end

--- Finds the mistakes in the files of a configuration.
---@param workspace hclexpr.service.Workspace
---@param work hclexpr.service.Work
---@param pause fun()
function configurations.validate(workspace, work, pause)
  configurations.refresh(workspace, work, pause)
  local _, err = work.module:validate()
  work.found, work.judged = err, {}
  for path, stamp in pairs(work.stamps) do work.judged[path] = stamp end
end

return configurations
