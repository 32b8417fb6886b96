-- The server configuration for vim.lsp.enable "hclexpr" (Neovim 0.11 and later). The service runs in the editor's process.
return require("hclexpr.nvim").config()
