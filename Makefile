# hclexpr. `make demo` and `make test` do everything on Debian as root; see README.md for the rest.
#
#   make [LUA=5.4|5.3|5.2|5.1|jit]      the module, in build/<LUA>/hclexpr/core.so
#   make WITHOUT="re2 gmp"              the same without some libraries, though they are there; WITHOUT=all: without any
#   make install PREFIX=... LUA=...     module, C module and the command hclexpr
#   make deps deps-test                 what a build and the tests need (DEPS=0: nothing is installed)
#   make demo demo-gateway test test-all asan valgrind lint bench fuzz docs clean

# LuaRocks gives LUA_INCDIR: the headers there say which Lua it is.
ifdef LUA_INCDIR
  LUA ?= $(or $(if $(wildcard $(LUA_INCDIR)/luajit.h),jit),$(shell \
    sed -n 's/^.define[ \t]*LUA_VERSION_NUM[ \t]*\([0-9]\)0\([0-9]\).*/\1.\2/p' '$(LUA_INCDIR)/lua.h'))
endif
LUA ?= 5.4
PREFIX ?= /usr/local
DEPS ?= 1
LUAS := 5.4 5.3 5.2 5.1 jit

# release; test: assertions, hclexpr.testing, warnings are errors; asan: test under the sanitizers; asan-clang: under clang's, which see
# some that gcc's don't, such as arithmetic on null pointers; fuzz: asan for libFuzzer.
CONFIG ?= release
CONFIGS := release test asan asan-clang fuzz
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
# compiled of it in one folder may be copied to another (spec/tools/suite does), so no object's dependencies name the folder.

OUT := $(if $(filter release,$(CONFIG)),build,build/$(CONFIG))/$(LUA)
MODULE := $(OUT)/hclexpr/core.so

CORE_SOURCES := $(filter-out csrc/binding/% csrc/terminal/%,$(wildcard csrc/*/*.c csrc/*/*.cc))
BINDING_SOURCES := $(wildcard csrc/binding/*.c)
HEADERS := $(wildcard csrc/*/*.h)

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
# what it is told to: WITHOUT="re2 gmp", or WITHOUT=all. iconv is part of most C libraries.

LIBRARIES := utf8proc|HX_HAS_UTF8PROC|utf8proc.h|libutf8proc|utf8proc|libutf8proc-dev gmp|HX_HAS_GMP|gmp.h|gmp|gmp|libgmp-dev \
  re2|HX_HAS_RE2|re2/re2.h|re2|re2|libre2-dev yaml|HX_HAS_YAML|yaml.h|yaml-0.1|yaml|libyaml-dev \
  crypto|HX_HAS_CRYPTO|openssl/evp.h|libcrypto|crypto|libssl-dev crypt|HX_HAS_CRYPT|crypt.h|libcrypt|crypt|libcrypt-dev \
  zlib|HX_HAS_ZLIB|zlib.h|zlib|z|zlib1g-dev iconv|HX_HAS_ICONV|iconv.h|iconv|$(if $(filter Darwin,$(shell uname)),iconv,c)|libc6-dev
# What has a module of its own, since only the console loads it.
EDIT := edit|HX_HAS_EDIT|editline/readline.h|libedit|edit|libedit-dev
WITHOUT ?=
field = $(word $(2),$(subst |, ,$(1)))
LIBRARY_NAMES := $(foreach l,$(LIBRARIES) $(EDIT),$(call field,$(l),1))
WANTED := $(foreach l,$(LIBRARIES),$(if $(filter $(call field,$(l),1) all,$(WITHOUT)),,$(l)))
ifneq ($(filter-out $(LIBRARY_NAMES) all,$(WITHOUT)),)
  $(error WITHOUT=$(WITHOUT): it may name all, or some of $(LIBRARY_NAMES))
endif

HASH := \#
# Flags by pkg-config, or the plain ones where the compiler finds the header without.
lib_cflags = $(shell $(PKG_CONFIG) --cflags $(call field,$(1),4) 2>/dev/null)
lib_libs = $(or $(shell $(PKG_CONFIG) --libs $(call field,$(1),4) 2>/dev/null),-l$(call field,$(1),5))
has_header = $(shell printf '$(HASH)include <%s>\n' '$(2)' | $(1) -E - >/dev/null 2>&1 && echo yes)
is_there = $(or $(shell $(PKG_CONFIG) --exists $(call field,$(1),4) 2>/dev/null && echo yes),$(call has_header,$(2),$(call field,$(1),3)))

BUILDING := $(filter-out clean deps deps-test luacheck layers,$(or $(MAKECMDGOALS),all))
ifneq ($(BUILDING),)
  HAS := $(foreach l,$(WANTED),$(if $(call is_there,$(l),$(if $(filter re2|%,$(l)),$(CXX) -std=c++17 -x c++,$(CC) -x c) $(CFLAGS)),$(l)))
  LACKS := $(filter-out $(HAS),$(WANTED))
  LIB_CFLAGS := $(sort $(foreach l,$(HAS),$(call lib_cflags,$(l))))
  LIB_DEFINES := $(foreach l,$(HAS),-D$(call field,$(l),2)=1)
  LIBS := $(foreach l,$(HAS),$(call lib_libs,$(l))) -lm -pthread
  LINE_EDIT := $(if $(filter edit all,$(WITHOUT)),,$(if $(call is_there,$(EDIT),$(CC) -x c $(CFLAGS)),$(OUT)/hclexpr/line_edit.so))
endif

# Only what knows RE2 is C++.
ifeq ($(filter re2|%,$(HAS)),)
  CORE_SOURCES := $(filter-out %.cc,$(CORE_SOURCES))
endif
OBJECTS := $(patsubst csrc/%,$(OUT)/%.o,$(CORE_SOURCES) $(BINDING_SOURCES))

# ---- flags --------------------------------------------------------------------------------------------------------------

OPTIMISE_release := -O2
OPTIMISE_test := -O1 -g
OPTIMISE_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPTIMISE_fuzz := $(OPTIMISE_asan) -fsanitize=fuzzer-no-link
CONFIG_test := -DHX_TEST -Werror
CONFIG_asan := -DHX_TEST -Werror
CONFIG_fuzz := -DHX_TEST -Werror
LINK_asan := -fsanitize=address,undefined
OPTIMISE_asan-clang := $(OPTIMISE_asan)
CONFIG_asan-clang := $(CONFIG_asan)
LINK_asan-clang := $(LINK_asan)
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wswitch-enum
C_WARNINGS := -Wstrict-prototypes -Wmissing-prototypes
# A sum and a product must not become one rounding: results would depend on the processor. Lua's functions are called so often that going
# through a table of jumps costs a twentieth of a loop over Lua tables.
COMMON := $(WARNINGS) $(OPTIMISE_$(CONFIG)) $(CONFIG_$(CONFIG)) -ffp-contract=off -fvisibility=hidden -fPIC $(if $(filter Darwin,$(shell uname)),,-fno-plt) -Icsrc
C_FLAGS := -std=c11 $(C_WARNINGS) $(COMMON) $(LIB_DEFINES) $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS)
CXX_FLAGS := -std=c++17 $(filter-out -std=%,$(COMMON) $(LIB_DEFINES) $(LIB_CFLAGS)) $(CPPFLAGS) $(CXXFLAGS)
LINK := $(if $(filter %.cc,$(CORE_SOURCES)),$(CXX),$(CC))

# Only the module's entry points are seen from outside, whatever a C++ library's templates say. The module stays loaded when a Lua
# state closes: finalizers that run then may make objects of ours, which LuaJIT and 5.1 finalize after they have let the module go.
ifeq ($(shell uname),Darwin)
  EXPORTS := -Wl,-exported_symbol,_luaopen_hclexpr*
else
  EXPORTS := -Wl,--version-script=$(OUT)/exports.map -Wl,-z,nodelete
endif

# Commands are shown by name, in full with V=1, not at all with make -s.
say = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $(1) $(2)'; ))

# ---- building -----------------------------------------------------------------------------------------------------------

.PHONY: all module needs deps deps-test demo demo-gateway test test-all asan valgrind lint layers headers bare musl luacheck format-check warnings \
  bench fuzz docs clean install force
.DELETE_ON_ERROR:
.SUFFIXES:

all: module
module: $(MODULE) $(LINE_EDIT)

# Names all that is missing before the first compiler error would.
MISSING = $(if $(call has_header,$(CC) $(CFLAGS) $(LUA_CFLAGS) -x c,lua.h),,$(DEBIAN_$(LUA)))
needs:
	@for cc in $(firstword $(CC)) $(firstword $(LINK)); do command -v $$cc >/dev/null || { \
	  echo "No compiler $$cc, for C and C++. Debian: build-essential" >&2; exit 1; }; done
	@missing="$(strip $(MISSING))"; [ -z "$$missing" ] || { \
	  echo "To build hclexpr for LUA=$(LUA) this is missing (Debian's names; README.md has those of other systems):" >&2; \
	  echo "    $$missing" >&2; exit 1; }

# The flags of the last build: other flags, other objects.
FLAGS_TEXT := $(CC) $(C_FLAGS) | $(CXX) $(CXX_FLAGS) | $(LINK) $(LDFLAGS) $(LIBS)
$(OUT)/flags: force
	@mkdir -p $(@D); printf '%s\n' '$(FLAGS_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_TEXT)' >$@
$(OUT)/binding/flags: force
	@mkdir -p $(@D); printf '%s\n' '$(LUA_CFLAGS)' | cmp -s - $@ || printf '%s\n' '$(LUA_CFLAGS)' >$@
$(OUT)/exports.map: Makefile
	@mkdir -p $(@D); echo '{ global: luaopen_hclexpr*; local: *; };' >$@

DEPENDENCIES = -MMD -MP -MT '$$(OUT)/$(@:$(OUT)/%=%)'
$(OUT)/%.cc.o: csrc/%.cc $(OUT)/flags | needs
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CXX_FLAGS) $(DEPENDENCIES) -c -o $@ $<
$(OUT)/binding/%.c.o: csrc/binding/%.c $(OUT)/flags $(OUT)/binding/flags | needs
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(C_FLAGS) $(LUA_CFLAGS) $(DEPENDENCIES) -c -o $@ $<
$(OUT)/%.c.o: csrc/%.c $(OUT)/flags | needs
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(C_FLAGS) $(DEPENDENCIES) -c -o $@ $<
$(MODULE): $(OBJECTS) $(OUT)/exports.map
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LINK) $(LIBFLAG) $(LINK_$(CONFIG)) $(LDFLAGS) $(EXPORTS) -o $@.new $(OBJECTS) $(LIBS)
	@left_out="$(foreach l,$(LACKS),$(call field,$(l),6))"; [ -z "$$left_out" ] || \
	  echo "note: built without what isn't installed (Debian's names): $$left_out" >&2
	@# Lua's symbols are left open, so the linker says nothing of ours.
	@! nm -u $@.new 2>/dev/null | grep '[ _]hx_' || { echo "$@ lacks the functions above" >&2; exit 1; }
	@mv -f $@.new $@ # a new file: the old one may be in the memory of a running process

# The same of the small module beside it.
$(OUT)/hclexpr/line_edit.so: csrc/terminal/line_edit.c csrc/binding/compat.h $(OUT)/exports.map $(OUT)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(C_FLAGS) $(LUA_CFLAGS) $(call lib_cflags,$(EDIT)) $(LIBFLAG) $(LINK_$(CONFIG)) $(LDFLAGS) $(EXPORTS) \
	  -o $@.new $< $(call lib_libs,$(EDIT))
	@mv -f $@.new $@

-include $(OBJECTS:.o=.d)

# ---- installing ---------------------------------------------------------------------------------------------------------
# LuaRocks gives LUADIR, LIBDIR and BINDIR.

LUADIR ?= $(PREFIX)/share/lua/$(LUA_VERSION)
LIBDIR ?= $(PREFIX)/lib/lua/$(LUA_VERSION)
BINDIR ?= $(PREFIX)/bin

# A new file here, too.
install: $(MODULE) $(LINE_EDIT)
	mkdir -p '$(DESTDIR)$(LUADIR)' '$(DESTDIR)$(LIBDIR)/hclexpr' '$(DESTDIR)$(BINDIR)'
	cp -R lua/. '$(DESTDIR)$(LUADIR)/'
	for m in core $(if $(LINE_EDIT),line_edit); do \
	  cp $(OUT)/hclexpr/$$m.so '$(DESTDIR)$(LIBDIR)/hclexpr/'$$m.so.new && \
	  mv -f '$(DESTDIR)$(LIBDIR)/hclexpr/'$$m.so.new '$(DESTDIR)$(LIBDIR)/hclexpr/'$$m.so || exit 1; done
	sed '1s|^#!.*|#!/usr/bin/env $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA))))|' bin/hclexpr >'$(DESTDIR)$(BINDIR)/hclexpr'
	chmod 755 '$(DESTDIR)$(BINDIR)/hclexpr'

# ---- demo, tests, checks ------------------------------------------------------------------------------------------------

JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && n=4; echo $$n)
QUIET_MAKE = $(MAKE) --no-print-directory -s -j$(JOBS)

deps:
	@DEPS=$(DEPS) LUA=$(LUA) spec/tools/deps build
deps-test: deps
	@DEPS=$(DEPS) LUA=$(LUA) spec/tools/deps test

demo: deps
	@$(QUIET_MAKE) module
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='$(OUT)/?.so;;' $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) examples/demo.lua
# A gateway of rules in nginx, beside the same by hand in Lua. SPEED=N: how long N requests take each.
demo-gateway: deps
	@$(QUIET_MAKE) LUA=jit module
	@SPEED=$(SPEED) examples/gateway/run

test: deps-test
	@JOBS=$(JOBS) spec/tools/suite $(LUAS)
test-all: deps-test
	@DEPS=$(DEPS) JOBS=$(JOBS) spec/tools/musl
	@JOBS=$(JOBS) spec/tools/suite $(LUAS)
	@luajit spec/hosts/resty/long.lua
asan: deps-test
	@JOBS=$(JOBS) CONFIG=asan spec/tools/suite 5.4
	@JOBS=$(JOBS) CONFIG=asan-clang spec/tools/suite 5.4
valgrind: deps-test
	@JOBS=$(JOBS) VALGRIND=1 spec/tools/suite 5.4

bench: deps
	@$(QUIET_MAKE) LUA=5.4 module
	@$(QUIET_MAKE) LUA=jit module
	@spec/bench/run
# FUZZ="COUNT SEED": random input compared with the reference; TIME=SECONDS: libFuzzer on each target, or on those that TARGETS names.
fuzz: deps
	@$(QUIET_MAKE) LUA=5.4 CONFIG=test module
ifdef TIME
	@$(QUIET_MAKE) LUA=5.4 CONFIG=fuzz CC='$(CLANG)' CXX='$(CLANG)++' build/fuzz/5.4/fuzzer
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' spec/fuzz/targets $(TIME) $(TARGETS)
else
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' spec/fuzz/run $(FUZZ)
endif
CLANG ?= clang
# The module inside a program of libFuzzer, with FUZZ_TARGET choosing what to do with inputs.
$(OUT)/fuzzer: spec/fuzz/target.c $(OBJECTS)
	$(call say,LINK,$@)$(LINK) $(filter-out -std=c11,$(C_FLAGS)) $(LUA_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ -x c -std=c11 $< -x none \
	  $(OBJECTS) $(LIBS) $(shell $(PKG_CONFIG) --libs $(LUA_PACKAGE))

lint: layers headers warnings bare musl luacheck format-check
	@echo "lint: clean"
layers:
	@$(firstword $(foreach l,$(LUAS),$(call find_program,$(PROGRAMS_$(l)),$(if $(filter jit,$(l)),5.1,$(l)))) lua) spec/tools/lint.lua
# Each header must do by itself; each source must please both compilers.
CHECK_FLAGS = -std=c11 $(WARNINGS) $(C_WARNINGS) -Werror -DHX_TEST -ffp-contract=off -Icsrc $(LIB_DEFINES) $(LIB_CFLAGS)
headers:
	@for h in $(HEADERS); do \
	  case $$h in *_list.h) continue;; esac; \
	  echo "#include \"$${h#csrc/}\"" | $(CC) $(CHECK_FLAGS) $(LUA_CFLAGS) -Wno-unused -fsyntax-only -x c - || exit 1; done
warnings:
	@for cc in gcc clang; do command -v $$cc >/dev/null || { echo "lint: $$cc is not installed: not checked with it"; continue; }; \
	  printf '%s\n' $(filter %.c,$(CORE_SOURCES)) $(BINDING_SOURCES) | \
	    xargs -P $(JOBS) -n 8 $$cc $(CHECK_FLAGS) -O1 $(LUA_CFLAGS) -fsyntax-only || exit 1; done
# Whatever knows of a library must do without any.
bare:
	@grep -rlE 'HX_HAS_|"(value/limbs|value/number_internal|text/ucd|text/unicode)\.h"' csrc --include='*.c' | xargs -P $(JOBS) -n 8 \
	  $(CC) $(filter-out $(LIB_DEFINES) $(LIB_CFLAGS),$(CHECK_FLAGS)) $(LUA_CFLAGS) -fsyntax-only
# So must all be compiled against a smaller C library, which declares what the standards say and no more.
musl:
	@command -v musl-gcc >/dev/null || { echo "lint: musl-gcc is not installed: not checked with it"; exit 0; }; \
	printf '%s\n' $(filter %.c,$(CORE_SOURCES)) $(BINDING_SOURCES) | xargs -P $(JOBS) -n 8 \
	  musl-gcc $(filter-out $(LIB_DEFINES) $(LIB_CFLAGS),$(CHECK_FLAGS)) $(LUA_CFLAGS) -idirafter /usr/include/$$(musl-gcc -print-multiarch) \
	  -fsyntax-only
luacheck:
	@luacheck --quiet lua bin/hclexpr spec examples rockspec
format-check:
	@clang-format --dry-run -Werror $(filter-out %_list.h,$(HEADERS)) $(CORE_SOURCES) $(BINDING_SOURCES) csrc/terminal/*.c

# What is made of the rows of functions and diagnostics.
docs: module
	@for d in functions diagnostics; do LUA_PATH='lua/?.lua;;' LUA_CPATH='$(OUT)/?.so;;' \
	  $(or $(LUA_PROGRAM),$(firstword $(PROGRAMS_$(LUA)))) spec/tools/$$d.lua >doc/$$d.md || exit 1; done

clean:
	rm -rf build
