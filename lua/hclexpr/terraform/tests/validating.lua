-- m:validate reports mistakes in a folder and in its test files.
local answers = require "hclexpr.terraform.module.answers"
local checking = require "hclexpr.terraform.tests.checking"
local Findings = require "hclexpr.terraform.language.findings"

local validating = { begin = answers.begin }

--- Returns the mistakes in a folder's test files, which aren't read if the folder's own files have errors. If the second result is true,
--- report besides these only what reading the own files found.
---@return hclexpr.Diagnostics?
---@return boolean? alone
function validating:_validate_tests()
  local list = self.root.folder.broken and {} or checking.files(self)
  local findings = Findings.new(true)
  checking.folder(self, findings)
  local found = Findings.join(findings:diagnostics(), checking.written(list))
  if not list[1] then return found end
  if Findings.has_errors(found) then return found, true end
  if not checking.is_whole(self) then return found end
  local loaded = checking.load(self, list, self.lenient)
  if Findings.has_errors(loaded) then return Findings.join(found, loaded), true end
  return Findings.join(found, loaded, checking.beside(self, list))
end

--- Reports everything that is wrong regardless of the inputs.
---@return true? sound
---@return hclexpr.Diagnostics? err only warnings if it is sound
function validating:validate()
  local tests, alone = validating._validate_tests(self)
  if alone then return nil, Findings.join(self.root.folder.findings:diagnostics(), tests) end
  local sound, found = answers._validate_files(self)
  return not Findings.has_errors(tests) and sound or nil, Findings.join(found, tests)
end

return validating
