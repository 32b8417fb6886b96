-- The Neovim plugin: starts the language service with the first buffer of a fitting file type, and defines the command :Hclexpr. It loads
-- nothing else at startup. With `vim.g.hclexpr = { start = false }` the service starts only by vim.lsp.enable.
if vim.g.loaded_hclexpr or vim.fn.has "nvim-0.10" == 0 then return end
vim.g.loaded_hclexpr = true

-- Without this, Neovim would take an empty .tf file for a script of TinyFugue.
vim.filetype.add {
  extension = { tf = "terraform", tofu = "terraform", tfvars = "terraform-vars", tftpl = "terraform-template" },
  pattern = { [".*%.tftest%.hcl"] = "terraform", [".*%.tofutest%.hcl"] = "terraform" },
}

-- The user's own languages may have files with any names, so they are loaded now.
if (vim.g.hclexpr or {}).languages then require("hclexpr.nvim").load_languages() end

vim.api.nvim_create_autocmd("FileType", {
  group = vim.api.nvim_create_augroup("hclexpr", {}),
  pattern = { "terraform", "terraform-vars", "terraform-template", "opentofu", "opentofu-vars", "hcl" },
  desc = "the language service of hclexpr",
  callback = function(event)
    if (vim.g.hclexpr or {}).start ~= false then require("hclexpr.nvim").attach(event.buf) end
  end,
})

vim.api.nvim_create_user_command("Hclexpr", function(given) require("hclexpr.nvim.commands").run(given) end, {
  nargs = "*", range = true, bar = false, desc = "eval, explain, graph, values, vars",
  complete = function(...) return require("hclexpr.nvim.commands").complete(...) end,
})
