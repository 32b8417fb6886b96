-- Made by `make dist`. The archive lies beside this file, or where SOURCE said.
package = "hclexpr"
version = "1.0.0-1"
source = { url = "hclexpr-1.0.0.tar.gz", dir = "hclexpr-1.0.0" }
description = {
  summary = "The Terraform/HCL expression language for Lua",
  detailed = "A C core with a Lua module: exact numbers, unknown and sensitive values, diagnostics, callbacks that may yield. Needs "
    .. "no library; uses utf8proc, GMP, RE2, libyaml, OpenSSL, libcrypt and zlib where they are installed.",
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.5" }
build = {
  type = "make",
  -- What Neovim looks for in a plugin.
  copy_directories = { "plugin", "lsp", "doc" },
  -- LuaRocks' own flags for C; the headers say which Lua it is.
  build_variables = { LUA_INCDIR = "$(LUA_INCDIR)", CFLAGS = "$(CFLAGS)", LIBFLAG = "$(LIBFLAG)" },
  install_variables = {
    LUA_INCDIR = "$(LUA_INCDIR)", CFLAGS = "$(CFLAGS)", LIBFLAG = "$(LIBFLAG)",
    LUADIR = "$(LUADIR)", LIBDIR = "$(LIBDIR)", BINDIR = "$(BINDIR)",
  },
}
