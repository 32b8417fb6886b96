# hclexpr. `make demo` and `make test` do everything on Debian as root; see doc/building.md for the rest. `make help` shows this:
#
# Build
#   make [LUA=5.4|5.3|5.2|5.1|jit]      the module, in build/<LUA>/hclexpr/core.so
#   make INSIDE="yaml zlib"             the same with some libraries linked into the module, not loaded later; INSIDE=all
#   make WITHOUT="re2 gmp"              the same without some libraries, though they are there; WITHOUT=all: without any
#   make static                         with all that can be linked in from archives, in build/static/<LUA>
#   make clean                          removes build
# Install
#   make install PREFIX=... LUA=...     module, C module and the command hclexpr, which keeps the Lua of an earlier installation
#                                       (COMMAND=1: it gets this one); COMPILED=: nothing compiled for one Lua
#   make uninstall PREFIX=... LUA=...   removes them
#   make deps deps-test                 what a build and the tests need (DEPS=0: nothing is installed)
# Try
#   make demo                           expressions, files and folders on one screen
#   make demo-gateway                   rules in nginx
#   make playground                     doc/playground, a page with the module inside, as WebAssembly
# Check
#   make check                          what matters to a change, on one Lua: its specs, and quick lint
#   make test                           all specs on all Luas that are there
#   make nightly                        all of what make test takes samples of, on two Luas
#   make test-all asan valgrind         longer: all of all under each Lua, sanitizers, valgrind
#   make torture tsan                   memory fails at every allocation in turn; Lua states in several threads
#   make lint                           layers, headers, warnings, luacheck, clang-format
#   make analyze                        clang-tidy, cppcheck and scan-build over csrc
#   make bench fuzz mutants coverage    times, random input, what no spec notices or reaches
# Write
#   make compile_commands.json          how each source is compiled, for clangd
#   make docs pictures                  pages and the manual from the sources, pictures of a terminal
#   make dist release                   an archive; the archive, tried in all packages, with notes

# LuaRocks gives LUA_INCDIR: the headers there say which Lua it is.
ifdef LUA_INCDIR
  LUA ?= $(or $(if $(wildcard $(LUA_INCDIR)/luajit.h),jit),$(shell \
    sed -n 's/^.define[ \t]*LUA_VERSION_NUM[ \t]*\([0-9]\)0\([0-9]\).*/\1.\2/p' '$(LUA_INCDIR)/lua.h'))
endif
LUA ?= 5.4
PREFIX ?= /usr/local
DEPS ?= 1
LUAS := 5.4 5.3 5.2 5.1 jit

# release; test: assertions, hclexpr.testing, warnings are errors (for a debugger add CFLAGS=-g); asan: test under the sanitizers;
# asan-clang: under clang's, which see some that gcc's don't, such as arithmetic on null pointers; fuzz: asan for libFuzzer;
# tsan: under the thread sanitizer.
CONFIG ?= release
CONFIGS := release test asan asan-clang fuzz tsan
ifneq ($(words $(CONFIG)) $(words $(filter $(CONFIGS),$(CONFIG))),1 1)
  $(error CONFIG=$(CONFIG) is not one of $(CONFIGS))
endif

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

CORE_SOURCES := $(filter-out csrc/binding/% csrc/testing/% csrc/terminal/% csrc/library/%,$(wildcard csrc/*/*.c csrc/*/*/*.c)) csrc/library/library.c
# What knows Lua, with what only test builds have.
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
ifdef LUA_INCDIR
  LUA_CFLAGS := -I$(LUA_INCDIR)
else
  LUA_CFLAGS := $(if $(LUA_PACKAGE),$(shell $(PKG_CONFIG) --cflags $(LUA_PACKAGE)),$(addprefix -I,$(firstword \
    $(wildcard /usr/include/lua$(LUA_VERSION) /usr/local/include/lua$(LUA_VERSION) /opt/homebrew/include/lua$(LUA_VERSION)))))
endif

# ---- libraries ----------------------------------------------------------------------------------------------------------
# Name here|macro|header|pkg-config's name|name for -l|Debian's package. A build does without what is missing, which is told, and without
# what it is told to: WITHOUT="re2 gmp", or WITHOUT=all; digests are libcrypto's, too, and go with WITHOUT=crypto. iconv is part of most C
# libraries. Those that have a file in csrc/library are an object each, beside the module, which loads it when it is first needed;
# INSIDE="yaml zlib", or all, names those that are linked into the module instead. ARCHIVES="gmp yaml" names those that are linked in from
# archives.

LIBRARIES := utf8proc|HX_HAS_UTF8PROC|utf8proc.h|libutf8proc|utf8proc|libutf8proc-dev gmp|HX_HAS_GMP|gmp.h|gmp|gmp|libgmp-dev \
  re2|HX_HAS_RE2|re2/re2.h|re2|re2|libre2-dev yaml|HX_HAS_YAML|yaml.h|yaml-0.1|yaml|libyaml-dev \
  crypto|HX_HAS_CRYPTO|openssl/evp.h|libcrypto|crypto|libssl-dev digest|HX_HAS_DIGEST|openssl/sha.h|libcrypto|crypto|libssl-dev \
  crypt|HX_HAS_CRYPT|crypt.h|libcrypt|crypt|libcrypt-dev zlib|HX_HAS_ZLIB|zlib.h|zlib|z|zlib1g-dev \
  iconv|HX_HAS_ICONV|iconv.h|iconv|$(if $(filter Darwin,$(shell uname)),iconv,c)|libc6-dev
# What has a module of its own, since only the console loads it.
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
# Flags by pkg-config, or the plain ones where the compiler finds the header without.
lib_cflags = $(shell $(PKG_CONFIG) --cflags $(call field,$(1),4) 2>/dev/null)
lib_libs = $(if $(or $(filter $(call field,$(1),1),$(ARCHIVES)),$(filter yes,$(call is_small,$(1)))),-l:lib$(call field,$(1),5).a,$(call lib_shared,$(1)))
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
COMMON := -DHX_VERSION=$(VERSION) $(WARNINGS) $(OPTIMISE_$(CONFIG)) $(CONFIG_$(CONFIG)) -ffp-contract=off -fvisibility=hidden -fPIC $(if $(filter Darwin,$(shell uname)),,-fno-plt) -Icsrc
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

.PHONY: help uninstall all module needs deps deps-test demo demo-gateway check test nightly test-all torture tsan asan valgrind lint analyze layers headers bare musl luacheck \
  format-check warnings bench fuzz mutants coverage docs compile_commands.json static dist release clean install force
.DELETE_ON_ERROR:
.SUFFIXES:

all: module
help:
	@sed -n '/^# Build/,/^$$/s/^# \{0,1\}//p' Makefile
module: $(MODULE) $(LIBRARY_MODULES) $(LINE_EDIT)

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
$(OUT)/exports.map: Makefile
	@mkdir -p $(@D); echo '{ global: luaopen_hclexpr*; local: *; };' >$@
$(OUT)/library.map: Makefile
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

# What loads a library when it is needed: it stands alone.
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
  $(or $(PROBE_$(call field,$(1),1)),-Wl$(COMMA)--whole-archive) $(call archive_file,$(1)) -Wl,--no-whole-archive 2>/dev/null && echo yes; rm -f $(OUT)/probe.so)
STATIC := build/static/$(LUA)
STATIC_FLAGS := -static-libgcc -static-libstdc++ -Wl,--exclude-libs,ALL

static:
	@rm -rf $(STATIC)/hclexpr
	@$(eval PACKED := $(foreach l,$(filter-out iconv|%,$(HAS)),$(if $(call links,$(l)),$(call field,$(l),1))))
	@$(MAKE) --no-print-directory OUT=$(STATIC) INSIDE='$(PACKED)' ARCHIVES='$(PACKED)' LDFLAGS='$(LDFLAGS) $(STATIC_FLAGS)' module
	@outside="$(filter-out $(PACKED) iconv,$(foreach l,$(HAS),$(call field,$(l),1)))"; [ -z "$$outside" ] || \
	  echo "note: not inside, since their archives are missing or not made for shared objects: $$outside" >&2

# ---- installing ---------------------------------------------------------------------------------------------------------
# LuaRocks gives LUADIR, LIBDIR and BINDIR, and has no place for pages of the manual and completions.

SHAREDIR ?= $(if $(filter command,$(origin LUADIR)),,$(PREFIX)/share)
LUADIR ?= $(PREFIX)/share/lua/$(LUA_VERSION)
LIBDIR ?= $(PREFIX)/lib/lua/$(LUA_VERSION)
BINDIR ?= $(PREFIX)/bin
# A process of the command would take as long to compile the Lua layer as for most of its work, so the command finds it compiled, beside
# core.so. In the folders of 5.1, which are LuaJIT's, too, neither could read what the other one made.
COMPILED ?= $(if $(filter 5.1,$(LUA_VERSION)),,$(LUA_PROGRAM))
COMMAND_LUA = $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA))))
PARTS = core $(foreach l,$(LATER),$(call field,$(l),1)) $(if $(LINE_EDIT),line_edit)
PLACES = DESTDIR='$(DESTDIR)' LUADIR='$(LUADIR)' LIBDIR='$(LIBDIR)' BINDIR='$(BINDIR)' SHAREDIR='$(SHAREDIR)' MANUAL='$(MANUAL)' LUA=$(LUA) \
  COMMAND_LUA='$(COMMAND_LUA)'
install: module
	@$(PLACES) OUT='$(OUT)' PARTS='$(PARTS)' LACKING='$(filter-out $(PARTS),$(LIBRARY_NAMES))' COMPILED='$(COMPILED)' COMMAND='$(COMMAND)' \
	  tools/install
uninstall:
	@$(PLACES) tools/install remove

# What tools/manual.lua writes|the file in doc/manual|where it is installed.
MANUAL := man|hclexpr.1|man/man1/hclexpr.1 bash|hclexpr.bash|bash-completion/completions/hclexpr \
  zsh|_hclexpr|zsh/site-functions/_hclexpr fish|hclexpr.fish|fish/vendor_completions.d/hclexpr.fish

# All that a build, an installation and the tests need, as one archive, and a rockspec for it. SOURCE: where the archive can be had.
SOURCE ?= hclexpr-$(VERSION).tar.gz
dist:
	@tools/dist '$(VERSION)' '$(SOURCE)'
# The archive with all packages tried, and notes, in build/release.
release: deps
	@tools/release '$(VERSION)'

# ---- demo, tests, checks ------------------------------------------------------------------------------------------------

JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && n=4; echo $$n)
QUIET_MAKE = $(MAKE) --no-print-directory -s -j$(JOBS)

deps:
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps build
deps-test: deps
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps test

demo: deps
	@$(QUIET_MAKE) module
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='$(OUT)/?.so;;' $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) examples/demo.lua
# A gateway of rules in nginx, beside the same by hand in Lua. SPEED=N: how long N requests take each.
demo-gateway: deps
	@$(QUIET_MAKE) LUA=jit module
	@SPEED=$(SPEED) examples/gateway/run

# The page works from its folder; Lua's sources are in LUA_SOURCES, or apt fetches those of Debian's package.
playground: deps
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps playground
	@sources=$$(DEPS=$(DEPS) tools/lua-sources); \
	[ -n "$$sources" ] || { echo "playground: the sources of Lua 5.4 are missing: name their folder, LUA_SOURCES=…" >&2; exit 1; }; \
	$(QUIET_MAKE) -C doc/playground/wasm LUA_SOURCES="$$sources" VERSION=$(VERSION)

check:
	@LUA=$(LUA) JOBS=$(JOBS) BASE='$(BASE)' tools/check
test: deps-test
	@JOBS=$(JOBS) tools/suite $(LUAS)
nightly: deps-test
	@JOBS=$(JOBS) WHOLE=1 tools/suite 5.4 jit
test-all: deps
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps all
	@DEPS=$(DEPS) JOBS=$(JOBS) tools/musl
	@tools/annotations
	@JOBS=$(JOBS) tools/packages
	@DEPS=$(DEPS) JOBS=$(JOBS) tools/playground
	@DEPS=$(DEPS) JOBS=$(JOBS) tools/policies
	@JOBS=$(JOBS) WHOLE=1 tools/suite $(LUAS)
	@luajit spec/hosts/resty/long.lua
	@lua5.4 spec/editor/long.lua 3
# Memory fails at every allocation in turn, and callbacks do what they shouldn't, under a sanitizer; then in fresh processes.
torture: deps-test
	@JOBS=$(JOBS) CONFIG=asan TORTURE=1 SPECS='spec/unit/torture_spec.lua spec/unit/callbacks_spec.lua' tools/suite 5.4
	@JOBS=$(JOBS) WHOLE=1 TORTURE=1 SPECS='spec/unit/torture_spec.lua spec/unit/callbacks_spec.lua spec/unit/starved_spec.lua' tools/suite jit 5.4
# Lua states in several threads.
tsan: deps-test
	@JOBS=$(JOBS) tools/tsan 5.4 jit
asan: deps-test
	@JOBS=$(JOBS) CONFIG=asan tools/suite 5.4
	@JOBS=$(JOBS) CONFIG=asan-clang tools/suite 5.4
valgrind: deps-test
	@JOBS=$(JOBS) VALGRIND=1 CFLAGS='-g $(CFLAGS)' CXXFLAGS='-g $(CXXFLAGS)' tools/suite 5.4

bench: deps
	@$(QUIET_MAKE) LUA=5.4 module
	@$(QUIET_MAKE) LUA=jit module
	@bench/run
# FUZZ="COUNT SEED": random input compared with the reference; TIME=SECONDS: libFuzzer on each target, or on those that TARGETS names;
# TIME=cover: how much of csrc reach the inputs that are known after that.
fuzz: deps
	@$(QUIET_MAKE) LUA=5.4 CONFIG=test module
ifdef TIME
	@$(QUIET_MAKE) LUA=5.4 CONFIG=fuzz CC='$(CLANG)' CXX='$(CLANG)++' $(or $(FUZZER_OF_$(TIME)),build/fuzz/5.4/fuzzer)
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' fuzz/targets $(TIME) $(TARGETS)
else
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' fuzz/run $(FUZZ)
endif
CLANG ?= clang
FUZZER_OF_cover := build/fuzz/cover/fuzzer OUT=build/fuzz/cover CFLAGS='$(CFLAGS) -fprofile-instr-generate -fcoverage-mapping' LDFLAGS='$(LDFLAGS) -fprofile-instr-generate'
# The module inside a program of libFuzzer, with FUZZ_TARGET choosing what to do with inputs.
$(OUT)/fuzzer: fuzz/target.c $(OBJECTS)
	$(call say,LINK,$@)$(LINK) $(filter-out -std=c11,$(C_FLAGS)) $(LUA_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ -x c -std=c11 $< -x none \
	  $(OBJECTS) $(LIBS) $(shell $(PKG_CONFIG) --libs $(LUA_PACKAGE))

# What no spec notices: SEED and COUNT of the changes, ONLY="lua/ csrc/fn/ …" and EXCEPT="…" of the sources, WHOLE= for samples of the
# cases, LONGEST; see tools/mutants.lua.
mutants: deps-test
	@JOBS=$(JOBS) WHOLE='$(if $(filter undefined,$(origin WHOLE)),1,$(WHOLE))' ONLY='$(ONLY)' EXCEPT='$(EXCEPT)' VERBOSE='$(VERBOSE)' LONGEST='$(LONGEST)' lua5.4 tools/mutants.lua $(or $(SEED),1) $(or $(COUNT),60)

# What no spec reaches.
coverage: deps-test
	@JOBS=$(JOBS) tools/coverage
	@JOBS=$(JOBS) tools/coverage_lua

# Longer: what analyzers find in csrc.
analyze: deps
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps analyze
	@JOBS=$(JOBS) tools/analyze

lint: layers headers warnings bare musl luacheck format-check
	@echo "lint: clean"
layers:
	@$(firstword $(foreach l,$(LUAS),$(call find_program,$(PROGRAMS_$(l)),$(if $(filter jit,$(l)),5.1,$(l)))) lua) tools/lint.lua
CHECK_FLAGS = -std=c11 -DHX_VERSION=$(VERSION) $(WARNINGS) $(C_WARNINGS) -Werror -DHX_TEST -ffp-contract=off -Icsrc $(LIB_DEFINES) $(LIB_CFLAGS)
headers warnings bare musl:
	@CC='$(CC)' FLAGS='$(CHECK_FLAGS) $(LUA_CFLAGS)' FEWER='$(filter-out $(LIB_DEFINES) $(LIB_CFLAGS),$(CHECK_FLAGS)) $(LUA_CFLAGS)' \
	  SOURCES='$(CORE_SOURCES) $(filter %.c,$(LIBRARY_SOURCES)) $(BINDING_SOURCES)' JOBS=$(JOBS) tools/compiles $@
luacheck:
	@luacheck --quiet lua plugin lsp bin/hclexpr spec tools bench fuzz examples rockspec doc/playground
format-check:
	@clang-format --dry-run -Werror $(filter-out %_list.h,$(HEADERS)) $(CORE_SOURCES) $(LIBRARY_SOURCES) $(BINDING_SOURCES) csrc/terminal/*.c doc/playground/wasm/*.[ch]

# What is made of the rows of functions, diagnostics and commands: doc/functions.md, diagnostics.md, command.md, manual/.
docs: module
	@for d in functions diagnostics; do LUA_PATH='lua/?.lua;;' LUA_CPATH='$(OUT)/?.so;;' \
	  $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) tools/$$d.lua >doc/$$d.md || exit 1; done
	@$(foreach m,$(MANUAL),LUA_CPATH='$(OUT)/?.so;;' $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) tools/manual.lua \
	  $(word 1,$(subst |, ,$(m))) >doc/manual/$(word 2,$(subst |, ,$(m))) &&) true
	@LUA_CPATH='$(OUT)/?.so;;' $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) tools/manual.lua markdown >doc/command.md

compile_commands.json:
	@$(MAKE) --no-print-directory -nB V=1 LUA=$(LUA) CONFIG=test module | \
	  $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) tools/compile_commands.lua '$(CURDIR)' >$@

# Those that programs print; the chart is made by bench.
pictures: module
	@LUA_CPATH='$(CURDIR)/$(OUT)/?.so;;' tools/pictures

clean:
	rm -rf build
