-- Which commit subjects tools/subjects.lua rejects, and which commits it checks.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local root = support.root
local subjects = dofile(root .. "tools/subjects.lua")

describe("subjects of commits", function()
  it("consist of an area and a verb in the imperative", function()
    for _, subject in ipairs {
      "docs: record mutant results for C and Lua", "fmt: keep a comment after a brace", "syntax, fn: pass texts by reference",
      "plan -json: bring moves up to date", "lua/hclexpr/edit: speed up", "api: need no schema", "fn: address each part",
      'Revert "api: adds a call"', ("x: add %s"):format(("é"):rep(65)),
    } do assert.is_nil(subjects.wrong(subject), subject) end
  end)

  it("are rejected in any other form", function()
    for subject, why in pairs {
      ["add a call"] = "area", ["api add a call"] = "area", ["API: add a call"] = "area", ["api:add a call"] = "area",
      ["api: added a call"] = "imperative", ["api: adds a call"] = "third person", ["api: adding a call"] = "gerund",
      ["api: wrote a page"] = "imperative", ["docs: a draw of mutants"] = "not a verb", ["docs: what folders report"] = "not a verb",
      ["specs: rows for moves"] = "third person", ["api: add a call."] = "punctuation", ["api: Add a call"] = "lower case",
      ["api: `add` a call"] = "verb", [("api: add %s"):format(("x"):rep(64))] = "73 characters",
    } do
      local wrong = subjects.wrong(subject)
      assert.truthy(wrong and wrong:find(why, 1, true), subject .. ": " .. tostring(wrong))
    end
  end)
end)

-- A git hook has these set, for the repository that commits; a preloaded checker would check git, too.
local APART = "env -u LD_PRELOAD -u GIT_DIR -u GIT_INDEX_FILE -u GIT_WORK_TREE -u GIT_PREFIX "

-- The tool's output in a folder, and its status.
local function run(folder, arguments)
  local command = "cd '%s' && { %s '%s' tools/subjects.lua %s; } 2>&1; echo status $?"
  return support.output(command:format(folder, APART, support.program, arguments or "")):match "^(.*)status (%d+)\n$"
end

describe("tools/subjects.lua", function()
  it("checks a message, also of a commit that git joins to another", function()
    local folder = support.folder { ["good"] = "api: add a call\n\nAdded.\n", ["bad"] = "added\n", ["fixup"] = "fixup! api: add a call\n" }
    support.runs(("mkdir %s/spec && cp -r '%stools' %s && cp '%sspec/support.lua' %s/spec"):format(folder, root, folder, root, folder))
    assert.same({ "", "0" }, { run(folder, "good") })
    assert.same({ "", "0" }, { run(folder, "fixup") })
    assert.same({ "subject: begin with an area: `api: add …`\n", "1" }, { run(folder, "bad") })
    assert.same({ "", "0" }, { run(folder) }) -- without git
  end)

  local it_git = support.has "git" and it or pending
  it_git("looks at the commits after the one that added it, in a shallow clone at those that are there", function()
    local folder = support.temporary_folder()
    local function git(text)
      local who = APART .. "git -C '%s' -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c core.hooksPath=/dev/null %s"
      assert.is_true(support.runs(who:format(folder, text) .. " >/dev/null 2>&1"), text)
    end
    git "init"
    git "commit --allow-empty -m 'before the rule'"
    git "checkout -b side"
    git "commit --allow-empty -m 'beside the rule'"
    git "checkout main"
    support.runs(("mkdir %s/spec %s/tools && cp '%stools/subjects.lua' %s/tools && cp '%sspec/support.lua' %s/spec"):format(
      folder, folder, root, folder, root, folder))
    git "add ."
    git "commit -m 'adds the rule'"
    git "merge --no-ff side"
    assert.same({ "", "0" }, { run(folder) })
    git "commit --allow-empty -m 'breaks the rule'"
    git "commit --allow-empty -m 'rule: keep it'"
    local out, status = run(folder)
    assert.equal("1", status)
    assert.truthy(out:find "^commit %x+: begin with an area: `api: add …` %(breaks the rule%)\n$", out)
    git("clone --depth 1 file://" .. folder .. " " .. folder .. "/shallow")
    assert.same({ "", "0" }, { run(folder .. "/shallow") })
  end)
end)
