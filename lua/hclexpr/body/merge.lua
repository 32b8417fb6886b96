-- hcl.merge: reads several files as one body. Their texts become one source with a section for each file. Each section keeps the places of
-- its file, so everything that works on a body also works on a merged one.
local core = require "hclexpr.core"
local check = require "hclexpr.check"

local bom = "\239\187\191"

-- How to join texts of each syntax: JSON documents become elements of an array. Each section begins on a new line.
local layouts = {
  native = { open = "", between = "\n", close = "" },
  json = { open = "[\n", between = "\n,\n", close = "\n]" },
}

local function join(sections, layout)
  local parts, at = { layout.open }, #layout.open
  for i, s in ipairs(sections) do
    if s.text:sub(1, 3) == bom then s.text, s.byte = s.text:sub(4), s.byte + 3 end
    if i > 1 then
      parts[#parts + 1] = layout.between
      at = at + #layout.between
    end
    parts[#parts + 1] = s.text
    s.at = at
    at = at + #s.text
    s.stop = at
  end
  parts[#parts + 1] = layout.close
  return table.concat(parts)
end

-- Collects the sections of all bodies in order. Returns them and their syntax, or nil and Diagnostics.
local function collect(bodies)
  local all, syntax = {}, nil
  for i, body in ipairs(bodies) do
    if getmetatable(body) ~= core.classes.Body then check.bad(1, "merge", "Body expected at [%d], got %s", i, type(body)) end
    local sections, its = core.source(body)
    if not sections then
      check.bad(1, "merge", "the Body at [%d] is a part of a file: whole files are merged, as hcl.parse gives them", i)
    end
    syntax = syntax or its
    if its ~= syntax then
      local text = "This file is in %s syntax, but %s is in %s syntax. Files that are read as one body must have the same syntax."
      local first = all[1].name ~= "" and all[1].name or "the first"
      return nil, core.diagnose("MERGE_SYNTAX", body, body:range(), text:format(its == "json" and "JSON" or "native", first,
        syntax == "json" and "JSON" or "native"))
    end
    for _, s in ipairs(sections) do all[#all + 1] = s end
  end
  return all, syntax
end

local known_options = { limits = "limits" }

local function merge(bodies, options)
  check.type(1, "merge", bodies, "table")
  local limits = check.options(2, "merge", options, known_options).limits
  local sections, syntax = collect(bodies)
  if not sections then return nil, syntax end
  syntax = syntax or "native"
  return core.parse(join(sections, layouts[syntax] or layouts.json), { limits = limits, syntax = syntax, sections = sections })
end

return merge
