# hclexpr. `make demo` and `make test` do everything on Debian as root; see doc/building.md for the rest. `make help` shows this:
#
# Build
#   make [LUA=5.4|5.3|5.2|5.1|jit]      the module, in build/<LUA>/hclexpr/core.so
#   make INSIDE="yaml zlib"             the same with some libraries linked into the module, not loaded later; INSIDE=all
#   make WITHOUT="re2 gmp"              the same without some installed libraries; WITHOUT=all: without any
#   make static                         with all libraries linked in whose archives allow it, in build/static/<LUA>
#   make clean                          removes build
# Install
#   make install PREFIX=... LUA=...     module, C module and the command hclexpr, which keeps the Lua of an earlier installation
#                                       (COMMAND=1: it runs with this one); COMPILED=: without a compiled Lua layer
#   make uninstall PREFIX=... LUA=...   removes them
#   make deps deps-test                 installs packages for a build and the tests (DEPS=0: nothing is installed)
# Try
#   make demo                           expressions, files and folders on one screen
#   make demo-gateway                   rules in nginx
#   make playground                     doc/playground, a page with the module inside, as WebAssembly
# Check
#   make check                          checks a change on one Lua: its specs, and quick lint
#   make test                           all specs on all installed Luas
#   make nightly                        everything that make test samples, on two Luas
#   make test-all asan valgrind         longer: everything under each Lua, sanitizers, valgrind
#   make torture tsan                   memory fails at every allocation in turn; Lua states in several threads
#   make lint                           layers, headers, warnings, luacheck, clang-format
#   make analyze                        clang-tidy, cppcheck and scan-build over csrc
#   make instructions                   instructions of commands and evaluations, compared with bench/instructions.txt
#   make bench fuzz mutants coverage    instructions and times, random input, code that no spec notices or reaches
# Write
#   make compile_commands.json          how each source is compiled, for clangd
#   make docs pictures                  pages and the manual from the sources, pictures of a terminal
#   make dist release                   an archive; the archive, tested in all packages, with notes

# LuaRocks sets LUA_INCDIR: its headers decide the version of Lua.
ifdef LUA_INCDIR
  LUA ?= $(or $(if $(wildcard $(LUA_INCDIR)/luajit.h),jit),$(shell \
    sed -n 's/^.define[ \t]*LUA_VERSION_NUM[ \t]*\([0-9]\)0\([0-9]\).*/\1.\2/p' '$(LUA_INCDIR)/lua.h'))
endif
LUA ?= 5.4
PREFIX ?= /usr/local
DEPS ?= 1
LUAS := 5.4 5.3 5.2 5.1 jit

# release; test: assertions, hclexpr.testing, warnings are errors (for a debugger add CFLAGS=-g); asan: test under the sanitizers;
# asan-clang: under clang's, which find some errors that gcc's don't, such as arithmetic on null pointers; fuzz: asan for libFuzzer;
# tsan: under the thread sanitizer.
CONFIG ?= release
CONFIGS := release test asan asan-clang fuzz tsan
ifneq ($(words $(CONFIG)) $(words $(filter $(CONFIGS),$(CONFIG))),1 1)
  $(error CONFIG=$(CONFIG) is not one of $(CONFIGS))
endif

.PHONY: help all module needs static install uninstall deps deps-test demo demo-gateway playground check test nightly test-all \
  torture tsan asan valgrind lint layers headers warnings bare musl luacheck format-check analyze bench instructions fuzz mutants \
  coverage compile_commands.json docs pictures dist release clean force
.DELETE_ON_ERROR:
.SUFFIXES:

all: module
help:
	@sed -n '/^# Build/,/^$$/s/^# \{0,1\}//p' Makefile

include csrc/build.mk
module: $(MODULE) $(LIBRARY_MODULES) $(LINE_EDIT)

# ---- installing ---------------------------------------------------------------------------------------------------------
# LuaRocks sets LUADIR, LIBDIR and BINDIR, and has no place for manual pages and completions.

SHAREDIR ?= $(if $(filter command,$(origin LUADIR)),,$(PREFIX)/share)
LUADIR ?= $(PREFIX)/share/lua/$(LUA_VERSION)
LIBDIR ?= $(PREFIX)/lib/lua/$(LUA_VERSION)
BINDIR ?= $(PREFIX)/bin
# Compiling the Lua layer would take a command as long as most of its work, so the command loads it compiled, beside
# core.so. 5.1 and LuaJIT share a folder: the one installed last finds its compiled layer, and the other one loads the sources.
COMPILED ?= $(LUA_PROGRAM)
PARTS = core $(foreach l,$(LATER),$(call field,$(l),1)) $(if $(LINE_EDIT),line_edit)
PLACES = DESTDIR='$(DESTDIR)' LUADIR='$(LUADIR)' LIBDIR='$(LIBDIR)' BINDIR='$(BINDIR)' SHAREDIR='$(SHAREDIR)' MANUAL='$(MANUAL)' \
  LUA=$(LUA) COMMAND_LUA='$(COMMAND_LUA)'
install: module
	@$(PLACES) OUT='$(OUT)' PARTS='$(PARTS)' LACKING='$(filter-out $(PARTS),$(LIBRARY_NAMES))' COMPILED='$(COMPILED)' COMMAND='$(COMMAND)' \
	  tools/install
uninstall:
	@$(PLACES) tools/install remove

# The format of tools/manual.lua|the file in doc/manual|its installed path.
MANUAL := man|hclexpr.1|man/man1/hclexpr.1 bash|hclexpr.bash|bash-completion/completions/hclexpr \
  zsh|_hclexpr|zsh/site-functions/_hclexpr fish|hclexpr.fish|fish/vendor_completions.d/hclexpr.fish

# Everything for a build, an installation and the tests, as one archive, and a rockspec. SOURCE: the address of the archive.
SOURCE ?= hclexpr-$(VERSION).tar.gz
dist:
	@tools/dist '$(VERSION)' '$(SOURCE)'
# The archive, tested in all packages, and notes, in build/release.
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
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='$(OUT)/?.so;;' $(COMMAND_LUA) examples/demo.lua
# A gateway of rules in nginx, beside the same written in Lua. SPEED=N: measures the time of N requests to each.
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
	@$(MAKE) --no-print-directory instructions
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
# Memory fails at every allocation in turn, and callbacks misbehave, under a sanitizer; then memory fails in new processes.
torture: deps-test
	@JOBS=$(JOBS) CONFIG=asan TORTURE=1 SPECS='$(TORTURE_SPECS)' tools/suite 5.4
	@JOBS=$(JOBS) WHOLE=1 TORTURE=1 SPECS='$(TORTURE_SPECS) spec/unit/starved_spec.lua' tools/suite jit 5.4
TORTURE_SPECS := spec/unit/torture_spec.lua spec/unit/callbacks_spec.lua
# Lua states in several threads.
tsan: deps-test
	@JOBS=$(JOBS) tools/tsan 5.4 jit
asan: deps-test
	@JOBS=$(JOBS) CONFIG=asan tools/suite 5.4
	@JOBS=$(JOBS) CONFIG=asan-clang tools/suite 5.4
valgrind: deps-test
	@JOBS=$(JOBS) VALGRIND=1 CFLAGS='-g $(CFLAGS)' CXXFLAGS='-g $(CXXFLAGS)' tools/suite 5.4

# Instructions, counted by valgrind. WRITE=1: keeps lower figures; WHY="…": also higher ones, with that reason.
instructions: deps
	@$(QUIET_MAKE) LUA=5.4 install PREFIX='$(CURDIR)/build/bench/installed' >/dev/null
	@! command -v luajit >/dev/null || $(QUIET_MAKE) LUA=jit module
	@WRITE='$(WRITE)' WHY='$(WHY)' lua5.4 bench/instructions.lua
bench: deps instructions
	@$(QUIET_MAKE) LUA=5.4 module
	@$(QUIET_MAKE) LUA=jit module
	@bench/run
# FUZZ="COUNT SEED": random input compared with the reference; TIME=SECONDS: libFuzzer on each target, or on those that TARGETS names;
# TIME=cover: how much of csrc all known inputs reach.
fuzz: deps
	@$(QUIET_MAKE) LUA=5.4 CONFIG=test module
ifdef TIME
	@$(QUIET_MAKE) LUA=5.4 CONFIG=fuzz CC='$(CLANG)' CXX='$(CLANG)++' $(or $(FUZZER_OF_$(TIME)),build/fuzz/5.4/fuzzer)
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' fuzz/targets $(TIME) $(TARGETS)
else
	@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/5.4/?.so;;' fuzz/run $(FUZZ)
endif
CLANG ?= clang
FUZZER_OF_cover := build/fuzz/cover/fuzzer OUT=build/fuzz/cover CFLAGS='$(CFLAGS) -fprofile-instr-generate -fcoverage-mapping' \
  LDFLAGS='$(LDFLAGS) -fprofile-instr-generate'
# The module inside a libFuzzer program; FUZZ_TARGET chooses the target.
$(OUT)/fuzzer: fuzz/target.c $(OBJECTS)
	$(call say,LINK,$@)$(LINK) $(filter-out -std=c11,$(C_FLAGS)) $(LUA_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ -x c -std=c11 $< -x none \
	  $(OBJECTS) $(LIBS) $(shell $(PKG_CONFIG) --libs $(LUA_PACKAGE))

# Changes that no spec notices: SEED and COUNT of the changes, ONLY="lua/ csrc/fn/ …" and EXCEPT="…" of the sources, WHOLE= for samples of
# cases, LONGEST; see tools/mutants.lua.
mutants: deps-test
	@JOBS=$(JOBS) WHOLE='$(if $(filter undefined,$(origin WHOLE)),1,$(WHOLE))' ONLY='$(ONLY)' EXCEPT='$(EXCEPT)' \
	  VERBOSE='$(VERBOSE)' LONGEST='$(LONGEST)' lua5.4 tools/mutants.lua $(or $(SEED),1) $(or $(COUNT),60)

# Code that no spec reaches.
coverage: deps-test
	@JOBS=$(JOBS) tools/coverage
	@JOBS=$(JOBS) tools/coverage_lua

# Longer: static analysis of csrc.
analyze: deps
	@DEPS=$(DEPS) LUA=$(LUA) tools/deps analyze
	@JOBS=$(JOBS) tools/analyze

lint: layers headers warnings bare musl luacheck format-check
	@echo "lint: clean"
layers:
	@$(firstword $(foreach l,$(LUAS),$(call find_program,$(PROGRAMS_$(l)),$(if $(filter jit,$(l)),5.1,$(l)))) lua) tools/lint.lua
CHECK_FLAGS = -std=c11 -DHX_VERSION=$(VERSION) $(WARNINGS) $(C_WARNINGS) -Werror -DHX_TEST -ffp-contract=off -Icsrc \
  $(LIB_DEFINES) $(LIB_CFLAGS)
headers warnings bare musl:
	@CC='$(CC)' FLAGS='$(CHECK_FLAGS) $(LUA_CFLAGS)' FEWER='$(filter-out $(LIB_DEFINES) $(LIB_CFLAGS),$(CHECK_FLAGS)) $(LUA_CFLAGS)' \
	  SOURCES='$(CORE_SOURCES) $(filter %.c,$(LIBRARY_SOURCES)) $(BINDING_SOURCES)' JOBS=$(JOBS) tools/compiles $@
luacheck:
	@luacheck --quiet lua plugin lsp bin/hclexpr spec tools bench fuzz examples rockspec doc/playground
format-check:
	@clang-format --dry-run -Werror $(filter-out %_list.h,$(HEADERS)) $(CORE_SOURCES) $(LIBRARY_SOURCES) $(BINDING_SOURCES) \
	  csrc/terminal/*.c doc/playground/wasm/*.[ch]

# Pages made from the rows of functions, diagnostics and commands, by the test module, which a change has built anyway. If its tool fails,
# a page doesn't change.
define page
@LUA_PATH='lua/?.lua;;' LUA_CPATH='build/test/$(LUA)/?.so;;' $(COMMAND_LUA) tools/$(1).lua $(2) >build/page && cat build/page >doc/$(3)

endef
docs:
	@$(QUIET_MAKE) CONFIG=test module
	$(call page,functions,,functions.md)
	$(call page,diagnostics,,diagnostics.md)
	$(call page,manual,markdown,command.md)
	$(foreach m,$(MANUAL),$(call page,manual,$(word 1,$(subst |, ,$(m))),manual/$(word 2,$(subst |, ,$(m)))))

compile_commands.json:
	@$(MAKE) --no-print-directory -nB V=1 LUA=$(LUA) CONFIG=test module | \
	  $(COMMAND_LUA) tools/compile_commands.lua '$(CURDIR)' >$@

# Pictures of program output; bench makes the chart.
pictures: module
	@LUA_CPATH='$(CURDIR)/$(OUT)/?.so;;' tools/pictures

clean:
	rm -rf build
