-- Run inside Neovim. `nvim -l` is newer than Debian's Neovim, so use `nvim --headless -u NONE -c "luafile probe.lua"`. Prints one line for
-- each check; nvim_spec.lua reads them.
local hcl = require "hclexpr"

-- A nil gives the reason, in one line.
local function say(name, value, why)
  if value == nil and why then value = tostring(why):gsub("%s+", " ") end
  io.stdout:write(name, "=", tostring(value), "\n")
end

local ok, err = pcall(function()
  say("eval", hcl.eval('"Hello, ${upper(name)}!"', { name = "nvim" }))
  say("nil", hcl.eval("x == null", { x = vim.NIL }))

  -- A buffer with mistakes gives its diagnostics to vim.diagnostic.
  local lines = { 'name = "é" + ', "port = [1, 2", "}" }
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  local _, problems = hcl.parse(table.concat(lines, "\n"), { filename = "buffer.hcl" })
  local namespace = vim.api.nvim_create_namespace "hclexpr"
  vim.diagnostic.set(namespace, buffer, problems and problems:vim() or {})
  local shown = vim.diagnostic.get(buffer, { namespace = namespace })
  say("count", #shown)
  say("severity", shown[1] and shown[1].severity == vim.diagnostic.severity.ERROR)
  say("line", shown[1] and shown[1].lnum)
  say("inside", shown[1] and shown[1].col >= 0 and shown[1].lnum < #lines and #shown[1].message > 0)

  -- Byte columns: `é` takes two.
  local _, unknown = hcl.eval('"é" == nope', {})
  say("column", unknown:vim()[1].col)
  say("end", unknown:vim()[1].end_col)

  -- A custom function may wait for Neovim's loop, in a coroutine.
  local thread = coroutine.create(function()
    local scope = hcl.scope {
      functions = {
        later = function(n)
          local me, timer = coroutine.running(), vim.loop.new_timer()
          timer:start(1, 0, function()
            timer:close()
            coroutine.resume(me, n * 2)
          end)
          return coroutine.yield()
        end,
      },
    }
    say("waited", vim.inspect(hcl.eval("[for n in [1, 2, 3] : later(n)]", nil, scope)):gsub("%s+", " "):gsub("%s*<metatable>.*", ""))
  end)
  assert(coroutine.resume(thread))
  vim.wait(60000, function() return coroutine.status(thread) == "dead" end, 5)
  say("status", coroutine.status(thread))
end)
if not ok then say("failed", err) end
io.stdout:flush()
vim.cmd "qa!"
