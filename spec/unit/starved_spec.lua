-- Memory failing while the module is loaded and used for the first time, in new processes: tools/fail_malloc.c makes one allocation fail
-- in each, and spec/unit/starved.lua does the work. In `make test-all` each allocation fails in turn, and every 101st of the tens of
-- thousands that load files of the library; otherwise a sample.
local support = dofile((debug.getinfo(1, "S").source:match "^@(.-)[^/]*$") .. "../support.lua")
local cli = dofile(support.root .. "spec/command.lua")

describe("a process without memory", function()
  local library, folder
  setup(function()
    library = cli.begin() .. "/fail_malloc.so"
    folder = support.folder {
      ["main.tf"] = 'locals {\n  a = [for x in range(2) : "${x}"]\n}\nresource "terraform_data" "r" {\n  input = local.a[0]\n}\n',
      ["m.tftest.hcl"] = 'run "r" {\n  assert {\n    condition = terraform_data.r.input == 0\n    error_message = "no"\n  }\n}\n',
    }
  end)
  teardown(function()
    support.remove(folder)
    cli.finish()
  end)

  local preloads = (os.getenv "LD_PRELOAD" or "") ~= ""
  local has_glibc = not preloads and support.runs "ldd --version 2>/dev/null | grep -qi 'glibc\\|gnu'"
  if not has_glibc or not support.runs "cc --version >/dev/null 2>&1" then
    return it("is not tested", function() support.note "failing memory is not tested (the GNU library, cc, no preload)" end)
  end

  -- For each task: every nth allocation fails in the sample, then the same for `make test-all`; without a number, each does. fatal: the system's loader
  -- may end the process with a message, because the library also has thread-local variables.
  for what, how in pairs {
    load = { 23 }, body = { 17 }, numbers = { 1 }, encoding = { 1 }, yaml = { 3 }, gzip = { 3 }, digests = { 3 }, bcrypt = { 3 },
    regex = { 7, fatal = true }, others = { 5003, 101 }, folder = { 10007, 101 }, tests = { 15013, 101 }, server = { 15013, 101 },
  } do
    it("ends in an error and works afterwards: " .. what, function()
      local source = cli.quote(support.root .. "tools/fail_malloc.c")
      if not support.exists(library) then
        assert.equal("", support.output(("cc -O1 -shared -fPIC -o %s %s 2>&1"):format(cli.quote(library), source)))
      end
      local words = { cli.program, support.root .. "spec/unit/starved.lua", library, what, folder }
      for i, word in ipairs(words) do words[i] = cli.quote(word) end
      local fail = "1 " .. support.sample(how[1], how[2] or 1)
      local said = support.output(("FAIL='%s' LD_PRELOAD=%s %s 2>%s"):format(fail, words[3], table.concat(words, " "),
        cli.quote(cli.folder .. "/stderr")))
      local wrong = said:gsub("tried %d+, bad %d+\n$", "")
      if how.fatal then wrong = wrong:gsub("%d+ of %d+: status 127\n", "") end
      assert.equal("", wrong, support.read(cli.folder .. "/stderr"))
      assert.truthy(said:find "tried [1-9]", said)
    end)
  end
end)
