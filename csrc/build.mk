# How the module is built from csrc, for one LUA and one CONFIG: a part of the Makefile, which has the goals.

CC ?= cc
CXX ?= c++
PKG_CONFIG ?= pkg-config
CFLAGS ?=
LDFLAGS ?=
LIBFLAG ?= $(if $(filter Darwin,$(shell uname)),-bundle -undefined dynamic_lookup,-shared)

ifeq ($(origin CC),default)
  CC := $(if $(shell command -v gcc),gcc,cc)
endif
ifeq ($(origin CXX),default)
  CXX := $(if $(shell command -v g++),g++,c++)
endif
ifeq ($(CONFIG),asan-clang)
  override CC := $(filter ccache,$(CC)) clang
  override CXX := $(filter ccache,$(CXX)) clang++
endif

# ---- where things are built ---------------------------------------------------------------------------------------------
# All that a build for one LUA makes lies in its folder, so builds for several may run at the same time. The core knows no Lua: what was
# compiled of it in one folder may be copied to another (tools/suite does), so no object's dependencies name the folder.

OUT := $(if $(filter release,$(CONFIG)),build,build/$(CONFIG))/$(LUA)
MODULE := $(OUT)/hclexpr/core.so

CORE_SOURCES := $(filter-out csrc/binding/% csrc/testing/% csrc/terminal/% csrc/library/%,$(wildcard csrc/*/*.c csrc/*/*/*.c)) \
  csrc/library/library.c
# Files that use Lua, including those of test builds.
BINDING_SOURCES := $(wildcard csrc/binding/*/*.c csrc/testing/*.c)
HEADERS := $(wildcard csrc/*/*.h csrc/*/*/*.h)

# ---- Lua ----------------------------------------------------------------------------------------------------------------
# One binary with the symbols of 5.1 serves 5.1 and LuaJIT, so either one's headers do for both.

LUA_VERSION := $(if $(filter jit,$(LUA)),5.1,$(LUA))
PACKAGES_5.4 := lua5.4 lua-5.4 lua54 lua
PACKAGES_5.3 := lua5.3 lua-5.3 lua53 lua
PACKAGES_5.2 := lua5.2 lua-5.2 lua52 lua
PACKAGES_5.1 := lua5.1 lua-5.1 lua51 luajit lua
PACKAGES_jit := luajit lua5.1 lua-5.1 lua51
PROGRAMS_5.4 := lua5.4 lua54 lua-5.4 lua
PROGRAMS_5.3 := lua5.3 lua53 lua-5.3 lua
PROGRAMS_5.2 := lua5.2 lua52 lua-5.2 lua
PROGRAMS_5.1 := lua5.1 lua51 lua-5.1 lua
PROGRAMS_jit := luajit luajit2
DEBIAN_5.4 := liblua5.4-dev
DEBIAN_5.3 := liblua5.3-dev
DEBIAN_5.2 := liblua5.2-dev
DEBIAN_5.1 := liblua5.1-0-dev
DEBIAN_jit := libluajit2-5.1-dev

ifneq ($(words $(LUA)) $(words $(filter $(LUA),$(LUAS))),1 1)
  $(error LUA=$(LUA) is not one of $(LUAS))
endif

# The first name of a list that pkg-config has in the right version; of a program that answers with the right version.
find_package = $(firstword $(foreach p,$(1),$(shell $(PKG_CONFIG) --modversion '$(p)' 2>/dev/null | \
  grep -q '^$(2)\.\|^2\.' && echo $(p))))
find_program = $(firstword $(foreach p,$(1),$(shell command -v $(p) >/dev/null 2>&1 && \
  [ "$$($(p) -e 'io.write(_VERSION)' 2>/dev/null)" = "Lua $(2)" ] && echo $(p))))

LUA_PACKAGE = $(call find_package,$(PACKAGES_$(LUA)),$(LUA_VERSION))
LUA_PROGRAM = $(call find_program,$(PROGRAMS_$(LUA)),$(LUA_VERSION))
# What runs the command once it is installed, and the tools here; by name if it isn't there yet.
COMMAND_LUA = $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA))))
ifdef LUA_INCDIR
  LUA_CFLAGS := -I$(LUA_INCDIR)
else
  LUA_CFLAGS := $(if $(LUA_PACKAGE),$(shell $(PKG_CONFIG) --cflags $(LUA_PACKAGE)),$(addprefix -I,$(firstword \
    $(wildcard /usr/include/lua$(LUA_VERSION) /usr/local/include/lua$(LUA_VERSION) /opt/homebrew/include/lua$(LUA_VERSION)))))
endif

# ---- libraries ----------------------------------------------------------------------------------------------------------
# Name here|macro|header|pkg-config's name|name for -l|Debian's package. A build goes on without a library that is missing, and names it,
# or without those that WITHOUT lists: "re2 gmp", or all. Digests are libcrypto's, too, and go with WITHOUT=crypto. iconv is part of most C
# libraries. Those that have a file in csrc/library are an object each, beside the module, which loads it when it is first needed;
# INSIDE="yaml zlib", or all, names those that are linked into the module instead. ARCHIVES="gmp yaml" names those that are linked in from
# archives.

LIBRARIES := utf8proc|HX_HAS_UTF8PROC|utf8proc.h|libutf8proc|utf8proc|libutf8proc-dev gmp|HX_HAS_GMP|gmp.h|gmp|gmp|libgmp-dev \
  re2|HX_HAS_RE2|re2/re2.h|re2|re2|libre2-dev yaml|HX_HAS_YAML|yaml.h|yaml-0.1|yaml|libyaml-dev \
  crypto|HX_HAS_CRYPTO|openssl/evp.h|libcrypto|crypto|libssl-dev digest|HX_HAS_DIGEST|openssl/sha.h|libcrypto|crypto|libssl-dev \
  crypt|HX_HAS_CRYPT|crypt.h|libcrypt|crypt|libcrypt-dev zlib|HX_HAS_ZLIB|zlib.h|zlib|z|zlib1g-dev \
  iconv|HX_HAS_ICONV|iconv.h|iconv|$(if $(filter Darwin,$(shell uname)),iconv,c)|libc6-dev
# Sources of a separate module, which only the console loads.
EDIT := edit|HX_HAS_EDIT|histedit.h|libedit|edit|libedit-dev
WITHOUT ?=
INSIDE ?= $(if $(filter fuzz,$(CONFIG)),all)
ARCHIVES ?=
field = $(word $(2),$(subst |, ,$(1)))
LIBRARY_NAMES := $(foreach l,$(LIBRARIES) $(EDIT),$(call field,$(l),1))
WANTED := $(foreach l,$(LIBRARIES),$(if $(filter $(call field,$(l),1) $(call field,$(l),5) all,$(WITHOUT)),,$(l)))
ifneq ($(filter-out $(LIBRARY_NAMES) all,$(WITHOUT) $(INSIDE) $(ARCHIVES)),)
  $(error WITHOUT=$(WITHOUT) INSIDE=$(INSIDE) ARCHIVES=$(ARCHIVES): these may name all, or some of $(LIBRARY_NAMES))
endif

HASH := \#
COMMA := ,
library_source = $(wildcard csrc/library/$(call field,$(1),1).c csrc/library/$(call field,$(1),1).cc)
# Flags from pkg-config, or plain ones if the compiler finds the header without.
lib_cflags = $(shell $(PKG_CONFIG) --cflags $(call field,$(1),4) 2>/dev/null)
lib_libs = $(if $(or $(filter $(call field,$(1),1),$(ARCHIVES)),$(filter yes,$(call is_small,$(1)))),-l:lib$(call field,$(1),5).a,\
  $(call lib_shared,$(1)))
lib_shared = $(or $(shell $(PKG_CONFIG) --libs $(call field,$(1),4) 2>/dev/null),-l$(call field,$(1),5))
# Of libcrypto digests need a hundredth, so they take it from the archive in any case.
is_small = $(and $(filter digest|%,$(1)),$(call links,$(1)))
has_header = $(shell printf '$(HASH)include <%s>\n' '$(2)' | $(1) -E - >/dev/null 2>&1 && echo yes)
is_there = $(or $(shell $(PKG_CONFIG) --exists $(call field,$(1),4) 2>/dev/null && echo yes),$(call has_header,$(2),$(call field,$(1),3)))

BUILDING := $(filter-out clean deps deps-test luacheck layers dist playground,$(or $(MAKECMDGOALS),all))
ifneq ($(BUILDING),)
  HAS := $(foreach l,$(WANTED),$(if $(call is_there,$(l),$(if $(filter re2|%,$(l)),$(CXX) -std=c++17 -x c++,$(CC) -x c) $(CFLAGS)),$(l)))
  LACKS := $(filter-out $(HAS),$(WANTED))
  LATER := $(foreach l,$(HAS),$(if $(filter $(call field,$(l),1) all,$(INSIDE)),,$(if $(call library_source,$(l)),$(l))))
  LIBRARY_SOURCES := $(foreach l,$(HAS),$(call library_source,$(l)))
  LIBRARY_MODULES := $(foreach l,$(LATER),$(OUT)/hclexpr/$(call field,$(l),1).so)
  LINKED := $(filter-out $(LATER),$(HAS))
  LIB_CFLAGS := $(sort $(foreach l,$(HAS),$(call lib_cflags,$(l))))
  LIB_DEFINES := $(foreach l,$(LINKED),-D$(call field,$(l),2)=1)
  LIBS := $(foreach l,$(LINKED),$(call lib_libs,$(l))) -lm -pthread $(if $(filter Linux,$(shell uname)),-ldl)
  LINE_EDIT := $(if $(filter edit all,$(WITHOUT)),,$(if $(call is_there,$(EDIT),$(CC) -x c $(CFLAGS)),$(OUT)/hclexpr/line_edit.so))
endif

LIBRARY_OBJECTS := $(patsubst csrc/%,$(OUT)/%.o,$(LIBRARY_SOURCES))
OBJECTS := $(patsubst csrc/%,$(OUT)/%.o,$(CORE_SOURCES) \
  $(filter-out $(if $(filter release,$(CONFIG)),csrc/testing/%),$(BINDING_SOURCES)) $(foreach l,$(LINKED),$(call library_source,$(l))))

# ---- flags --------------------------------------------------------------------------------------------------------------

OPTIMISE_release := -O2
OPTIMISE_test := -O1
OPTIMISE_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPTIMISE_fuzz := $(OPTIMISE_asan) -fsanitize=fuzzer-no-link
OPTIMISE_tsan := -O1 -g -fsanitize=thread
CONFIG_test := -DHX_TEST -Werror
CONFIG_asan := -DHX_TEST -Werror
CONFIG_fuzz := -DHX_TEST -Werror
CONFIG_tsan := -DHX_TEST -Werror
LINK_tsan := -fsanitize=thread
LINK_asan := -fsanitize=address,undefined
OPTIMISE_asan-clang := $(OPTIMISE_asan)
CONFIG_asan-clang := $(CONFIG_asan)
LINK_asan-clang := $(LINK_asan)
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum
C_WARNINGS := -Wstrict-prototypes -Wmissing-prototypes
# A sum and a product must not become one rounding: results would depend on the processor. Lua's functions are called so often that going
# through a table of jumps costs a twentieth of a loop over Lua tables.
# The version is that of Lua's layer, which refuses a core of another.
VERSION := $(shell sed -n 's/^hcl.version = "\(.*\)"/\1/p' lua/hclexpr.lua)
COMMON := -DHX_VERSION=$(VERSION) $(WARNINGS) $(OPTIMISE_$(CONFIG)) $(CONFIG_$(CONFIG)) -ffp-contract=off \
  -fvisibility=hidden -fPIC $(if $(filter Darwin,$(shell uname)),,-fno-plt) -Icsrc
C_FLAGS := -std=c11 $(C_WARNINGS) $(COMMON) $(LIB_DEFINES) $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS)
CXX_FLAGS := -std=c++17 $(filter-out -std=%,$(COMMON) $(LIB_DEFINES) $(LIB_CFLAGS)) $(CPPFLAGS) $(CXXFLAGS)
# Only what knows RE2 is C++.
linker = $(if $(filter %.cc.o,$(1)),$(CXX),$(CC))
LINK := $(call linker,$(OBJECTS))

# Only the module's entry points are seen from outside, whatever a C++ library's templates say. The module stays loaded when a Lua
# state closes: finalizers that run then may make objects of ours, which LuaJIT and 5.1 finalize after they have let the module go.
ifeq ($(shell uname),Darwin)
  EXPORTS := -Wl,-exported_symbol,_luaopen_hclexpr*
  LIBRARY_EXPORTS := -Wl,-exported_symbol,_hx_library_*
else
  EXPORTS := -Wl,--version-script=$(OUT)/exports.map -Wl,-z,nodelete
  LIBRARY_EXPORTS := -Wl,--version-script=$(OUT)/library.map
endif

# Commands are shown by name, in full with V=1, not at all with make -s.
say = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $(1) $(2)'; ))

# ---- building -----------------------------------------------------------------------------------------------------------

# Names all that is missing before the first compiler error would.
MISSING = $(if $(call has_header,$(CC) $(CFLAGS) $(LUA_CFLAGS) -x c,lua.h),,$(DEBIAN_$(LUA)))
needs:
	@for cc in $(firstword $(CC)) $(firstword $(call linker,$(LIBRARY_OBJECTS))); do command -v $$cc >/dev/null || { \
	  echo "No compiler $$cc, for C and C++. Debian: build-essential" >&2; exit 1; }; done
	@missing="$(strip $(MISSING))"; [ -z "$$missing" ] || { \
	  echo "To build hclexpr for LUA=$(LUA) this is missing (Debian's names; doc/building.md has those of other systems):" >&2; \
	  echo "    $$missing" >&2; exit 1; }

# The flags of the last build: other flags, other objects.
FLAGS_TEXT := $(CC) $(C_FLAGS) | $(CXX) $(CXX_FLAGS) | $(LINK) $(LDFLAGS) $(LIBS)
$(OUT)/flags: force
	@mkdir -p $(@D); printf '%s\n' '$(FLAGS_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_TEXT)' >$@
$(OUT)/binding/flags: force
	@mkdir -p $(@D); printf '%s\n' '$(LUA_CFLAGS)' | cmp -s - $@ || printf '%s\n' '$(LUA_CFLAGS)' >$@
$(OUT)/exports.map: csrc/build.mk
	@mkdir -p $(@D); echo '{ global: luaopen_hclexpr*; local: *; };' >$@
$(OUT)/library.map: csrc/build.mk
	@mkdir -p $(@D); echo '{ global: hx_library_*; local: *; };' >$@

compile_with_lua = $(call say,CC,$<)$(CC) $(C_FLAGS) $(LUA_CFLAGS) $(DEPENDENCIES) -c -o $@ $<
DEPENDENCIES = -MMD -MP -MT '$$(OUT)/$(@:$(OUT)/%=%)'
$(OUT)/%.cc.o: csrc/%.cc $(OUT)/flags | needs
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CXX_FLAGS) $(DEPENDENCIES) -c -o $@ $<
$(OUT)/binding/%.c.o: csrc/binding/%.c $(OUT)/flags $(OUT)/binding/flags | needs
	@mkdir -p $(@D)
	$(compile_with_lua)
$(OUT)/testing/%.c.o: csrc/testing/%.c $(OUT)/flags $(OUT)/binding/flags | needs
	@mkdir -p $(@D)
	$(compile_with_lua)
$(OUT)/%.c.o: csrc/%.c $(OUT)/flags | needs
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(C_FLAGS) $(DEPENDENCIES) -c -o $@ $<
$(MODULE): $(OBJECTS) $(OUT)/exports.map
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) $(LIBFLAG) $(LINK_$(CONFIG)) $(LDFLAGS) $(EXPORTS) -o $@.new $(OBJECTS) $(LIBS)
	@left_out="$(sort $(foreach l,$(LACKS),$(call field,$(l),6)))"; [ -z "$$left_out" ] || \
	  echo "note: built without what isn't installed (Debian's names): $$left_out" >&2
	$(settle)
# Lua's symbols are left open, so the linker says nothing of ours. A new file: the old one may be in the memory of a running process.
define settle
@! nm -u $@.new 2>/dev/null | grep '[ _]hx_' || { echo "$@ lacks the functions above" >&2; exit 1; }
@mv -f $@.new $@
endef

# Sources that load a library on first use, each a separate object.
.SECONDARY: $(LIBRARY_OBJECTS)
library_row = $(filter $(notdir $(basename $(1)))|%,$(LATER))
$(OUT)/hclexpr/%.so: $(OUT)/library/%.c.o $(OUT)/library.map
	$(link_library)
$(OUT)/hclexpr/%.so: $(OUT)/library/%.cc.o $(OUT)/library.map
	$(link_library)
define link_library
@mkdir -p $(@D)
$(call say,LINK,$@)$(call linker,$<) $(LIBFLAG) $(LINK_$(CONFIG)) $(LDFLAGS) $(LIBRARY_EXPORTS) \
  -o $@.new $< $(call lib_libs,$(call library_row,$@))
$(settle)
endef

# The same of the small module beside it.
$(OUT)/hclexpr/line_edit.so: csrc/terminal/line_edit.c csrc/binding/state/compat.h $(OUT)/exports.map $(OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(C_FLAGS) $(LUA_CFLAGS) $(call lib_cflags,$(EDIT)) $(LIBFLAG) $(LINK_$(CONFIG)) $(LDFLAGS) $(EXPORTS) \
	  -o $@.new $< $(call lib_libs,$(EDIT))
	$(settle)

-include $(OBJECTS:.o=.d) $(LIBRARY_OBJECTS:.o=.d)

# ---- the module with its libraries inside -------------------------------------------------------------------------------
# An archive can become part of a shared object if it was compiled for that, which is tried. Of GMP the layer below its printing is.
# iconv is the C library's, which stays outside.

PROBE_gmp := -Wl,-u,__gmpn_mul,-u,__gmpn_tdiv_qr
PROBE_digest := -Wl,-u,MD5_Init,-u,SHA1_Init,-u,SHA256_Init,-u,SHA512_Init
archive_file = $(shell $(CC) -print-file-name=lib$(call field,$(1),5).a)
links = $(shell mkdir -p $(OUT) && [ -e '$(call archive_file,$(1))' ] && $(CXX) -shared -o $(OUT)/probe.so -Wl,-z,text,-Bsymbolic \
  $(or $(PROBE_$(call field,$(1),1)),-Wl$(COMMA)--whole-archive) $(call archive_file,$(1)) -Wl,--no-whole-archive 2>/dev/null && echo yes; \
  rm -f $(OUT)/probe.so)
STATIC := build/static/$(LUA)
STATIC_FLAGS := -static-libgcc -static-libstdc++ -Wl,--exclude-libs,ALL

static:
	@rm -rf $(STATIC)/hclexpr
	@$(eval PACKED := $(foreach l,$(filter-out iconv|%,$(HAS)),$(if $(call links,$(l)),$(call field,$(l),1))))
	@$(MAKE) --no-print-directory OUT=$(STATIC) INSIDE='$(PACKED)' ARCHIVES='$(PACKED)' LDFLAGS='$(LDFLAGS) $(STATIC_FLAGS)' module
	@outside="$(filter-out $(PACKED) iconv,$(foreach l,$(HAS),$(call field,$(l),1)))"; [ -z "$$outside" ] || \
	  echo "note: not inside, since their archives are missing or not made for shared objects: $$outside" >&2
