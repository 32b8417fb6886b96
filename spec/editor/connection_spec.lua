-- The connection of Neovim to the language service in its process (lua/hclexpr/nvim.lua), with a clock that this spec turns.
-- spec/hosts/nvim runs it in Neovim.
local lsp = require "hclexpr.lsp"

local clock, due, turn, worked

-- What a connection needs of Neovim.
local function pretend()
  clock, due, worked = 0, nil, {}
  return {
    g = {}, schedule = function() end, schedule_wrap = function(act) return act end,
    uv = {
      hrtime = function() return clock * 1e6 end,
      new_timer = function()
        return { start = function(_, milliseconds, _, act) due, turn = clock + milliseconds, act end, stop = function() end,
                 close = function() end }
      end,
    },
  }
end

-- Lets the time pass until an instant, in milliseconds.
local function pass(stop)
  while due and due <= stop do
    clock, due = math.max(clock, due), nil
    turn()
  end
  clock = stop
end

describe("the connection of Neovim", function()
  local nvim, server

  before_each(function()
    _G.vim = pretend()
    nvim = require "hclexpr.nvim"
    local make = lsp.new
    function lsp.new(...)
      server = make(...)
      local idle = server.idle
      -- Notes when folders have their turn. The clock goes on with each slice.
      function server:idle(seconds)
        if next(self.dirty) == nil and self.workspace and self.workspace:pending() then worked[#worked + 1] = clock end
        clock = clock + 1
        return idle(self, seconds)
      end
      return server
    end
    local client = nvim.connect {}
    lsp.new = make
    client.request("initialize", { capabilities = {} })
    client.notify("initialized", {})
    pass(10)
    server.client_of_spec = client
  end)
  after_each(function() _G.vim = nil end)

  local function notify(method, params) server.client_of_spec.notify(method, params) end

  local document = { uri = "file:///nowhere/main.tf", languageId = "terraform", version = 1, text = "locals {\n  a = 1 + 1\n}\n" }

  it("works on folders once nothing was typed for a while, whatever is asked meanwhile", function()
    notify("textDocument/didOpen", { textDocument = document })
    pass(60)
    server.client_of_spec.request("textDocument/hover", { textDocument = document, position = { line = 1, character = 2 } })
    pass(100)
    assert.same({}, worked)
    notify("textDocument/didChange", { textDocument = document, contentChanges = { { text = "locals {\n  a = 2 + 1\n}\n" } } })
    pass(240)
    server.client_of_spec.request("textDocument/hover", { textDocument = document, position = { line = 1, character = 2 } })
    pass(248)
    assert.same({}, worked)
    pass(400)
    assert.is_true(worked[1] ~= nil and worked[1] >= 250 and worked[1] < 260, tostring(worked[1]))
    assert.is_false(server.workspace:pending())
  end)
end)
