-- hclexpr test -json: events as lines of JSON like those of `terraform test -json`.
local folders = require "hclexpr.cli.folders"
local shell = require "hclexpr.cli.shell"

local Lines = {}
Lines.__index = Lines

-- Writes a line; write(writer) adds the fields of its kind.
local function line(kind, message, file, run, write)
  shell.product_object(nil, function(writer)
    writer:field("@level", "info")
    writer:field("@message", message)
    writer:field("@module", "hclexpr")
    if file then writer:field("@testfile", file.path) end
    if run then writer:field("@testrun", run.name) end
    writer:field("@timestamp", os.date "!%Y-%m-%dT%H:%M:%SZ" --[[@as string]])
    writer:field("type", kind)
    write(writer)
  end)
end

local function write_snippet(writer, d)
  writer:objects("values", function(_, named)
    writer:field("traversal", named.path)
    writer:field("statement", "is " .. named.text)
  end, d.values or {})
end

local function write_diagnostic(dir)
  return function(writer, d)
    for _, name in ipairs { "severity", "summary", "detail", "code" } do writer:field(name, d[name]) end
    if d.range then writer:range("range", folders.range_in(dir, d.range)) end
    if d.values and d.values[1] then writer:object("snippet", write_snippet, d) end
  end
end

local function write_all(self, err, file, run)
  for _, d in ipairs(err or {}) do
    line("diagnostic", d.severity .. ": " .. d.summary, file, run, function(writer)
      writer:object("diagnostic", write_diagnostic(self.dir), d)
    end)
  end
end

function Lines.suite(_, result)
  local runs = 0
  for _, file in ipairs(result.files) do runs = runs + #file.runs end
  line("test_abstract", ("Found %d files and %d runs"):format(#result.files, runs), nil, nil, function(writer)
    writer:object("test_abstract", function(_, files)
      for _, file in ipairs(files) do
        writer:key(file.path)
        writer:open "["
        for _, run in ipairs(file.runs) do writer:string(run.name) end
        writer:close "]"
      end
    end, result.files)
  end)
end

-- Writes the progress of a file, or of one of its runs.
local function progress_line(progress, file, run)
  local kind, status = run and "test_run" or "test_file", progress == "complete" and (run or file).status or nil
  line(kind, ("%s... %s"):format(run and ("%q"):format(run.name) or file.path, status or progress), file, run, function(writer)
    writer:object(kind, function()
      writer:field("path", file.path)
      if run then writer:field("run", run.name) end
      writer:field("progress", progress)
      if status then writer:field("status", status) end
    end)
  end)
end

function Lines.file(_, file) progress_line("starting", file) end
function Lines.starting(_, file, run) progress_line("starting", file, run) end

function Lines:run(file, run)
  progress_line("complete", file, run)
  write_all(self, run.diagnostics, file, run)
end

Lines["end"] = function(self, file)
  progress_line("teardown", file)
  progress_line("complete", file)
  write_all(self, file.diagnostics, file)
end

local function write_item(writer, item)
  writer:field("kind", item.kind)
  writer:field("name", item.name)
  writer:raw_field("covered", tostring(item.covered))
  writer:field("line", item.range.start.line)
  writer:field("column", item.range.start.column)
end

-- Writes what is covered and what isn't: a line that Terraform lacks.
local function coverage_line(result)
  line("test_coverage", ("%d of %d covered"):format(result.covered, result.total), nil, nil, function(writer)
    writer:object("test_coverage", function()
      writer:field("covered", result.covered)
      writer:field("total", result.total)
      writer:objects("files", function(_, file)
        writer:field("path", file.path)
        writer:objects("items", write_item, file.items)
      end, result.files)
    end)
  end)
end

function Lines:finish(result, err, numbers)
  if not result then return write_all(self, err) end
  line("test_summary", numbers, nil, nil, function(writer)
    writer:object("test_summary", function()
      for _, name in ipairs { "status", "passed", "failed", "errored", "skipped" } do writer:field(name, result[name]) end
    end)
  end)
  write_all(self, result.diagnostics)
  if self.coverage then coverage_line(result.coverage) end
end

return Lines
