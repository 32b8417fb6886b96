std = "max"
max_line_length = 140
max_comment_line_length = false
exclude_files = { "build" }
files["spec/unit/catalogue_answers.lua"] = { max_line_length = false }
files["spec/modules/runner.lua"] = { max_line_length = false }
-- Lua's layer uses what every Lua has; where it asks for more, the line says so.
files["lua/**"] = { std = "min" }
files["spec/**/*_spec.lua"] = { std = "max+busted" }
files["examples/**/*_spec.lua"] = { std = "max+busted" }
files["spec/hosts/nginx/**"] = { read_globals = { "ngx" } }
files["spec/hosts/resty/probes.lua"] = { globals = { "ngx", "rules" } }
files["lua/resty/**"] = { std = "luajit", globals = { "ngx" } }
files["examples/gateway/*.lua"] = { globals = { "ngx" } }
for _, place in ipairs { "spec/hosts/nvim/**", "plugin/**", "lsp/**" } do files[place] = { globals = { "vim", "jit" } } end
for _, place in ipairs { "lua/hclexpr/nvim*", "lua/hclexpr/nvim/**", "lua/hclexpr/health.lua" } do
  files[place] = { std = "luajit", globals = { "vim" } }
end
files["bin/hclexpr"] = { std = "min", globals = { "jit" }, ignore = { "111", "112", "113" } }
files["rockspec/*.rockspec"] = { std = "rockspec" }
