# editor.mk: for editors, build/compile_commands.json (.clangd points at it); for all, one layout of the sources. The list has no
# solutions, so an editor that looks for a function of a lab opens the learner's file.

# one compilation of each source: as a subject's or the judge's own for C, for the simulated device for device code
EDITED := $(wildcard common/*.c common/simgpu/*.c common/simgpu/*/*.c grader/*/*.c grader/*/*/*.c grader/tests/judge/*/*.c \
    grader/*/*/*.cu labs/*/lab.c labs/*/lab.cu labs/myths/*.c kernels/*.cu plots/*.c plots/*.cu plots/figures/*.c plots/figures/*.cu)
edited-by = $(if $(filter %.cu,$(1)),$(CXX) $(CU_FLAGS) $(SHIM),$(CC) $(C_FLAGS)) \
    $(patsubst %,-Ilabs/%,$(filter $(LABS),$(subst /, ,$(1)))) $(if $(filter plots/%,$(1)),-Iplots)
define edited

{"directory": "$(CURDIR)", "file": "$(1)", "command": "$(strip $(call edited-by,$(1))) -c $(1)"}
endef
# make writes this file, so its name until then has the number of the make
making = $@.$(shell echo $$PPID)
# a folder is newer than the list if a source was added to it
build/compile_commands.json: $(MAKEFILE_LIST) $(sort $(dir $(EDITED))) $(call state,editor,$(CURDIR))
	$(if $(DRY),,$(file >$(making),[$(call edited,$(firstword $(EDITED)))$(foreach s,$(wordlist 2,9999,$(EDITED)),$(comma)$(call edited,$(s)))]))
	@mv $(making) $@

$(NUMBERS) setup test: | build/compile_commands.json

# clang-format 14 for all: others lay out some things in another way. Not what make starters or a learner writes.
# It leaves comments as they are, tables and diagrams among them, so check-format also looks for long lines.
# (A line `// message:` of a test is what a program must print.)
format check-format: FOUND = find . \( -path ./build -o -path './labs/lab*/lab.c*' \) -prune -o \( -name '*.[ch]' -o -name '*.cu' \) -print0
format check-format: FORMAT = $(FOUND) | xargs -0 -P $$(nproc) -n 32 $(CLANG_FORMAT)
.PHONY: format check-format
format:
	@$(FORMAT) -i
check-format:
	@$(FORMAT) --dry-run -Werror || { echo "not laid out by .clang-format; next: make format" >&2; exit 1; }
	@! $(FOUND) | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{101,}' | grep -v ':// message: ' || { echo "more than 100 columns; next: shorten these lines" >&2; exit 1; }
