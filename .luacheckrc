std = "max"
max_line_length = 140
max_comment_line_length = false
exclude_files = { "build" }
files["spec/unit/catalogue_answers.lua"] = { max_line_length = false }
files["spec/modules/runner.lua"] = { max_line_length = false }
files["spec/**/*_spec.lua"] = { std = "max+busted" }
files["examples/**/*_spec.lua"] = { std = "max+busted" }
files["spec/hosts/nginx/**"] = { read_globals = { "ngx" } }
files["spec/hosts/resty/probes.lua"] = { globals = { "ngx", "rules" } }
files["lua/resty/**"] = { globals = { "ngx" } }
files["examples/gateway/*.lua"] = { globals = { "ngx" } }
for _, place in ipairs { "spec/hosts/nvim/**", "lua/hclexpr/nvim*", "lua/hclexpr/nvim/**", "lua/hclexpr/health.lua", "plugin/**", "lsp/**" } do
  files[place] = { globals = { "vim", "jit" } }
end
files["bin/hclexpr"] = { ignore = { "111", "112", "113" } }
files["rockspec/*.rockspec"] = { std = "rockspec" }
