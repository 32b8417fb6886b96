-- Builds the folder that it lies in; `make dist` makes the rockspec of a release out of it.
package = "hclexpr"
version = "scm-1"
source = { url = "." }
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
