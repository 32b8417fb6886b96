-- How folders and files of described languages are evaluated: as configurations, opened from the texts that the editor has. Of a text that
-- doesn't parse the last one that did counts. Names that the program gives and its functions are unknown values of their types; nothing of
-- the program is called, and the environment isn't read.
local configuration = require "hclexpr.languages.configuration"

local configurations = {}

-- What evaluating may cost: beyond it values are missing, and nothing else.
local LIMITS = { steps = 50e6 }

function configurations.texts(_, work) return work.folder:texts() end

-- Notes the texts that a configuration is made of; true: they are others than those that it has.
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

--- Brings a configuration up to the texts that the editor has.
---@param work hclexpr.service.Work
---@param pause fun() called often; it may yield
function configurations.refresh(_, work, pause)
  local description = work.folder.vocabulary.description
  if not note_texts(work) and work.module and work.description == description then return end
  work.description, work.module = description, nil
  work.module = configuration.show(configuration.check(description, work.texts, { limits = LIMITS, pause = pause }))
end

--- Finds what is wrong with it.
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
