# labs.mk: make labNN, the submissions that it builds, known submissions, starters.
#
# A submission, labNN/NAME below, has a folder build/<device>/labNN/NAME: object files, subject (the program that the judge
# runs) and submission (its last line: what it was built from). NAME is yours, solution, starter, a known one, or
# FOLDER-DIGEST for SUBMISSION=folder (intake.sh). submission.sh has the steps; grader/README.md, "How the build works".

number = $(firstword $(subst /, ,$(1)))
# $(call lab,lab03/NAME): lab03_overlap
lab = $(filter $(number)_%,$(LABS))
# $(call known,lab03,right): the names of the known ones; $(call known-file,lab03/NAME): the file
known = $(notdir $(wildcard grader/labs/$(1)/$(2)/*))
known-file = $(wildcard $(foreach w,wrong right,grader/labs/$(number)/$(w)/$(notdir $(1))))

# ---- which one: SOLUTION, SUBMISSION, KNOWN

BUILT := $(filter $(NUMBERS),$(WANTED))
DEBUGGED := $(and $(filter debug,$(WANTED)),$(firstword $(filter $(NUMBERS),$(subst _, ,$(LAB)))))
# where submissions are built
BUILDS := $(if $(DEBUGGED),build/debug/$(DEVICE)$(if $(SAN),.san),$(DEV))
ifneq ($(filter-out $(NUMBERS),$(filter lab%,$(WANTED))),)
$(error there is no $(filter-out $(NUMBERS),$(filter lab%,$(WANTED))); the labs are: $(LABS))
endif
# What was built before is not to be judged in the place of what is built now, and fails.
OTHER := $(or $(filter-out 0 no,$(SOLUTION)),$(value SUBMISSION),$(KNOWN))
ifeq ($(DRY),)
$(if $(BUILT),$(shell $(if $(OTHER),mkdir -p $(OUT); $(foreach n,$(BUILT),ln -sfn unbuilt $(OUT)/$(n);),rm -f $(BUILT:%=$(OUT)/%))))
endif
CHOSEN := $(or $(KNOWN),$(if $(filter-out 0 no,$(SOLUTION)),solution,yours))
$(foreach n,$(and $(KNOWN),$(BUILT) $(DEBUGGED)),$(if $(call known-file,$(n)/$(KNOWN))$(filter starter solution,$(KNOWN)),, \
    $(error $(if $(COMPILED),this copy of the course has no known submissions,there is no grader/labs/$(n)/*/$(KNOWN); known submissions of $(n): \
    $(call known,$(n),wrong) $(call known,$(n),right)))))
ifeq ($(origin SUBMISSION)$(value SUBMISSION),command line)
$(error SUBMISSION= names no folder: make lab05 SUBMISSION=folder, or make lab05 for your own lab)
endif
ifneq ($(value SUBMISSION),)
TAKEN := $(or $(TAKEN),$(shell grader/labs/intake.sh '$(subst ','\'',$(value SUBMISSION))'),$(error SUBMISSION cannot be used))
CHOSEN := $(firstword $(TAKEN))
override SUBMISSION := $(lastword $(TAKEN))
else ifeq ($(CHOSEN),yours)
$(foreach n,$(or $(BUILT) $(DEBUGGED),$(if $(filter bundle,$(WANTED)),$(NUMBERS))), \
    $(if $(shell grader/labs/intake.sh labs/$(call lab,$(n)) $(n)),,$(error labs/$(call lab,$(n)) cannot be used)))
endif

# $(call folder,lab03/NAME): where its sources are, and what messages call that; $(call sources,…): these
folder = $(or $(if $(filter yours,$(notdir $(1))),build/intake/$(number)),$(if $(filter solution,$(notdir $(1))),solutions/$(lab)), \
    $(if $(findstring -,$(notdir $(1))),build/intake/$(notdir $(1))),build/known/$(1))
shown = $(or $(if $(filter yours,$(notdir $(1))),labs/$(lab)),$(if $(findstring -,$(notdir $(1))),$(SUBMISSION)),$(folder))
is-of-course = $(filter build/known/% solutions/%,$(folder))
solution-files = $(notdir $(wildcard $(addprefix $(if $(COMPILED),grader/compiled/starters/$(number),solutions/$(lab))/,lab.c lab.cu)))
sources = $(addprefix $(folder)/,$(if $(is-of-course),$(solution-files),$(or $(notdir $(wildcard $(folder)/lab.c $(folder)/lab.cu)),lab.c)))
# its object files
parts = $(patsubst %.c.o,%.o,$(addprefix $(BUILDS)/$(1)/,$(addsuffix .o,$(notdir $(sources)))))

$(foreach n,$(BUILT) $(DEBUGGED),$(if $(call is-of-course,$(n)/$(CHOSEN))$(wildcard $(call sources,$(n)/$(CHOSEN))),, \
    $(error $(if $(SUBMISSION),SUBMISSION=$(SUBMISSION),$(call shown,$(n)/$(CHOSEN))) has no lab.c and no lab.cu)) \
    $(if $(filter-out $(call solution-files,$(n)/),$(notdir $(wildcard $(call folder,$(n)/$(CHOSEN))/lab.cu))), \
        $(error $(if $(SUBMISSION),SUBMISSION=$(SUBMISSION),$(call shown,$(n)/$(CHOSEN))) has a lab.cu, and $(n) is written in lab.c alone: move it away)))

# ---- known submissions and starters as source files: build/known/labNN/NAME/lab.c

WAY := grader/labs/submission.sh
# What each is made of, where one may be wanted; made here and not by $(shell), so that it is made only if it changes.
ifeq ($(COMPILED)$(value SUBMISSION)$(if $(filter-out help clean image $(if $(KNOWN),,setup grade $(NUMBERS)),$(WANTED)),,none),)
include $(patsubst %,$(GEN)/labs/%/known.mk,$(or $(LAB_ALONE),$(NUMBERS)))
endif
build/known/%: grader/labs/known.awk
	@$(WAY) known $@ '$(call solution-files,$*)' $(filter-out $<,$^)

STARTERS := $(foreach n,$(NUMBERS),$(addprefix build/known/$(n)/starter/,$(call solution-files,$(n))))
starter-of = $(filter build/known/$(1)/starter/%,$(STARTERS))
$(STARTERS): build/known/%: $$(if $(COMPILED),grader/compiled/starters/$$(call number,$$*),solutions/$$(call lab,$$*))/$$(@F)
	@$(if $(COMPILED),mkdir -p $(@D); cp $< $@,$(WAY) starter $@ $<)

# make starters; make reset LAB=05, make handin LAB=05: see the scripts
OF_LAB := $(and $(filter reset handin,$(WANTED)),$(filter $(LAB),$(NUMBERS)))
.PHONY: starters reset handin
starters: $(STARTERS)
reset handin: $(call starter-of,$(OF_LAB))
starters reset:
	@FORCE='$(FORCE)' grader/labs/starters.sh $(@:starters=write) $^
handin:
	@grader/labs/handin.sh '$(if $(OF_LAB),labs/$(call lab,$(OF_LAB)))' $^

# ---- building one

learners-files = $(wildcard $(addprefix $(folder)/,lab.c lab.cu *.h))
# no % in the prerequisites of a pattern rule: GNU make 4.4 replaces it also inside of functions
$(BUILDS)/%/submission: $$(if $$(call is-of-course,$$*),$$(call sources,$$*),FORCE)
	@$(WAY) digest $@ $(or $(call known-file,$*),$(firstword $(call sources,$*))) $(or $(filter-out FORCE,$^),$(call learners-files,$*))

# A submission may have warnings, but what C11 forbids it forbids here too, where the compiler can point at it.
LAB_COMMON = -Ilabs/$(call lab,$*) $(if $(filter solutions/%,$<),-DSOLUTION) -c $<
# what is said of the copy is said of the submission
LAB_PATHS = -ffile-prefix-map=$(<D)=$(call shown,$*)
# In those of the course itself a warning is an error. Sanitizers are for what is around a submission: they would keep simcc from
# recording, and a submission's mistakes are for the checks to see.
lab-flags = $(filter-out $(if $(DEBUGGED),,-fsanitize=% -fno-sanitize%),$(if $(filter build/known/% solutions/%,$<),$(1),$(patsubst -g1,-g,$(filter-out -Werror -Wpedantic,$(1)))))
# a local variable that nothing sets has the same value on every machine; of the heap, subject/heap.c sees to that
# (build/setup.mk has SET_LOCALS: -ftrivial-auto-var-init=pattern, which gcc 11 lacks)
LAB_C = $(if $(filter sim,$(DEVICE)$(and $(DEBUGGED),$(SAN))),$(SIMCC) --recorded-only,$(CC)) $(SET_LOCALS) $(LAB_PATHS) $(call lab-flags,$(C_FLAGS)) $(LAB_COMMON) \
    $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)
LAB_CU = $(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS), \
    $(SIMCC) --recorded-only $(SET_LOCALS) $(LAB_PATHS) $(call lab-flags,$(filter-out -x c++,$(CU_FLAGS))) -fPIC -Xcompiler -fno-gnu-unique) $(LAB_COMMON)
# It reads toolchain and headers, the submission's folder, and no other; a minute, 2 GiB (what nvcc starts takes more)
LAB_JAIL = $(COMPILE) $(addprefix -r ,$(CURDIR)/common $(CURDIR)/kernels $(CURDIR)/labs/$(call lab,$*) \
    $(CURDIR)/$(dir $(SIMCC)) $(CUDA_INC) $(GPU_INC) $(CUDA_LIB) $(if $(NVCC),$(realpath $(dir $(NVCC))..)) $(wildcard $(CURDIR)/build/deps)) \
    -r $(<D) -w $(@D) -m $(if $(and $(filter gpu,$(DEVICE)),$(filter %.cu,$<)),0,2048) -n $(<D)=$(call shown,$*) --
LINK_JAIL = $(COMPILE) -s 30 -r build $(addprefix -r ,$(CUDA_LIB) $(wildcard build/deps)) -w $(@D) -m 2048 --
# what its object file may name: fence.sh
MAY_NAME := $(BUILDS)/may_name
$(MAY_NAME): grader/labs/may_name.sh common/simcc/library_calls $(KERNELS) $(CUDART)
	@mkdir -p $(@D); SANITIZED=$(and $(DEBUGGED),$(SAN)) CC=$(CC) $< $(KERNELS) $(CUDA_INC) $(if $(filter sim,$(DEVICE)),$(SIM)/lib/libcudart.so) >$@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm $@.$$$$ && touch $@ || mv $@.$$$$ $@; } # another make may be reading it in a jail
# The headers that a lab can include; of the simulated device, what device code sees. (The compiler's own list names files that
# are gone when another submission is built; test_stale compares the two.)
DEVICE_HEADERS := $(wildcard common/simgpu/*.h $(addprefix common/simgpu/kernel/,cuda12_calls.h cuda_headers.h declare_kernel.h device_*.h thread.h))
LAB_HEADERS := $(wildcard common/*.h kernels/*.h) $(DEVICE_HEADERS)
# everything else comes before the submission, so that the compiler's words about it are the last ones
LAB_FIRST := $(SUBJECT_OBJECTS) $(KERNELS) $(CUDART) $(COMPILE) $(MAY_NAME)
SIMCC_HEADERS := $(wildcard common/simcc/include/* common/simcc/include/*/*)
# what the object file of a source, lab.c or lab.cu, depends on beside it: $(call lab-needs,lab03/NAME,lab.c)
lab-needs = $(BUILDS)/$(1)/submission $(learners-files) labs/$(lab)/lab.h $(LAB_HEADERS) grader/labs/fence.sh $(WAY) \
    $(call state,$(BUILDS)/$(2),$(SET_LOCALS) $(if $(filter lab.c,$(2)),$(c-compiler),$(if $(filter gpu,$(DEVICE)),$(nvcc-compiler), \
        $(cu-compiler)))) $(if $(filter sim,$(DEVICE)),$(SIMCC) $(if $(filter lab.cu,$(2)),$(SIMCC_HEADERS)))

# known.mk adds the solution's object to the prerequisites of what a known submission leaves as it is there.
lab-object = @$(WAY) compile $@ $(call shown,$*) $< '$(filter %.o,$^)' $(LAB_JAIL)

$(BUILDS)/%/lab.o: $$(call folder,$$*)/lab.c $$(call lab-needs,$$*,lab.c) | $(LAB_FIRST)
	$(lab-object) $(LAB_C)

$(BUILDS)/%/lab.cu.o: $$(call folder,$$*)/lab.cu $$(call lab-needs,$$*,lab.cu) | $(LAB_FIRST)
	$(lab-object) $(LAB_CU)

# What a subject has of device code that may call the device's own runtime: of the lab, and of its adapter.
device-parts = $(filter %.cu.o,$(call parts,$(1)) $(call objects,$(DEV),$(wildcard grader/labs/$(call number,$(1))/*.cu)))
adapter = $(call objects,$(DEV),$(wildcard $(addprefix grader/labs/$(call number,$(1))/,adapter*.c *.cu)))
$(BUILDS)/%/lab.device.o: $$(call device-parts,$$*)
	$(link-device-code)

# On the simulated device all kernels are linked, so that no kernel of a submission's has the name of one alone.
all-kernels = $(if $(filter sim,$(DEVICE)),-Wl$(comma)--whole-archive $(KERNELS) -Wl$(comma)--no-whole-archive,$(KERNELS))

# what all subjects of a lab are linked from, beside the submission
around = $(SUBJECT_OBJECTS) $(adapter) $(KERNELS)
around-state = $(call state,$(BUILDS)/$(number)/subject,$(LD_FLAGS) $(around))
# (states that several targets have in common are named here: a pattern rule would not find those that are new)
$(foreach t,lab.c lab.cu $(NUMBERS:%=%/subject),$(call state-file,$(BUILDS)/$(t))): ;

$(BUILDS)/%/subject: $$(call parts,$$*) $$(call device-link,$(BUILDS)/$$*/lab,$$(call device-parts,$$*)) \
    $$(call around,$$*) $$(call around-state,$$*) $(CUDART) | $(COMPILE)
	@$(WAY) link $@ $(call shown,$*) $(notdir $(firstword $(call sources,$*))) \
	    '$(filter-out $(notdir $(call sources,$*)),$(call solution-files,$*))' \
	    $(LINK_JAIL) $(CXX) $(LD_FLAGS) $(SUBJECT_LINK) -fno-lto -fno-use-linker-plugin $(filter-out $(KERNELS),$(parts-of-link)) $(all-kernels) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl

.PRECIOUS: build/known/% $(BUILDS)/%/submission $(BUILDS)/%/lab.o $(BUILDS)/%/lab.cu.o $(BUILDS)/%/lab.device.o
# A pattern rule is not applied twice in a row: what other submissions take from the solution is named here.
SOLUTION_PARTS := $(foreach n,$(NUMBERS),$(call parts,$(n)/solution))
ifeq ($(COMPILED),)
$(SOLUTION_PARTS):
else
# (there the runtime's calls have numbers for names, so that a look at an object does not name them)
$(SOLUTION_PARTS): $(BUILDS)/%: grader/compiled/$(DEVICE)/% grader/compiled/names
	@mkdir -p $(@D); objcopy --redefine-syms=grader/compiled/names $< $@
grader/compiled/gpu/%:
	@echo "this copy of the course has no reference solutions for a GPU. Next: add DEVICE=sim, or take a copy made with DEVICE=gpu" >&2; exit 1
$(NUMBERS:%=$(BUILDS)/%/solution/submission): $(BUILDS)/%/submission: $$(call parts,$$*)
	@{ cat $^ | cksum; echo $(firstword $(call sources,$*)); } >$@.$$$$ && mv $@.$$$$ $@
endif

# ---- make labNN, and all of known verdict

SUBMISSIONS := $(foreach n,$(or $(LAB_ALONE),$(NUMBERS)),$(addprefix $(n)/,starter solution $(call known,$(n),right) $(call known,$(n),wrong)))
# make audit (or bundle) LAB=lab03, or LAB=lab03/NAME: only what that grades, with the reference solution
AUDITED_ONLY := $(if $(filter audit bundle,$(WANTED)),$(if $(filter test,$(WANTED)),,$(LAB)))
$(foreach s,$(filter-out $(NUMBERS) $(SUBMISSIONS),$(AUDITED_ONLY)),$(error there is no $(s); \
    $(if $(filter $(NUMBERS),$(call number,$(s))),the submissions of $(call number,$(s)) are: $(notdir $(filter $(call number,$(s))/%,$(SUBMISSIONS))),the labs are: $(NUMBERS))))
AUDITED_LABS := $(or $(sort $(foreach s,$(AUDITED_ONLY),$(call number,$(s)))),$(NUMBERS))
AUDITED := $(if $(filter audit bundle,$(WANTED)),$(patsubst %,$(DEV)/%/subject,$(if $(AUDITED_ONLY),$(sort $(AUDITED_LABS:%=%/solution) \
    $(foreach s,$(AUDITED_ONLY),$(filter $(s) $(s)/%,$(SUBMISSIONS)))),$(SUBMISSIONS))))
# as whole programs, to look at
known: $(foreach s,$(filter-out %/solution,$(SUBMISSIONS)),$(addprefix build/known/$(s)/,$(call solution-files,$(s))))
REFERENCES := $(NUMBERS:%=$(DEV)/%/solution/subject)

# On a GPU both devices judge: what is built for it is built for the simulated one first, by a make of its own. So an
# error of the compiler is said once.
TWINNED := $(if $(filter gpu,$(DEVICE)),$(sort $(foreach n,$(BUILT) $(if $(filter bundle,$(WANTED)),$(AUDITED_LABS)),$(n)/$(CHOSEN) $(n)/solution) \
    $(AUDITED:$(DEV)/%/subject=%)))
.PHONY: twins
twins: $(TWINNED:%=$(DEV)/%/submission) | $(COMPILE)
	@$(MAKE) $(if $(V),,-s) DEVICE=sim GRADING=$(GRADING) $(if $(TAKEN),TAKEN='$(TAKEN)') $(TWINNED:%=build/sim/%/subject)
$(if $(TWINNED),$(foreach s,$(TWINNED),$(call parts,$(s))): | twins)

# make debug LAB=05: a program of its own for debuggers (subject/debug.c), which needs ./grade, suite and reference
.PHONY: debug debugged-by
debug: $(DEBUGGED:%=$(BUILDS)/%/$(CHOSEN)/subject)
	@[ -n "$^" ] || { echo "which lab? For example: make debug LAB=05. The labs are: $(NUMBERS)" >&2; exit 2; }
	@ln -sfn $(^:build/debug/%=%) build/debug/$(DEBUGGED)
	@ln -sfn $(DEBUGGED) build/debug/$(call lab,$(DEBUGGED))
	@echo "$(strip build/debug/$(DEBUGGED) $(CHECK) $(SEED))"
debugged-by:
	@$(MAKE) $(if $(V),,-s) LAB= SAN= $(if $(TAKEN),TAKEN='$(TAKEN)') DEVICE=$(DEVICE) $(notdir $(GRADE)) $(JUDGE)/$(DEBUGGED) $(DEV)/$(DEBUGGED)/solution/subject
$(if $(DEBUGGED),$(BUILDS)/$(DEBUGGED)/$(CHOSEN)/submission: | debugged-by)

# ./grade compares a learner's files with the starter, and make reset takes it
.PHONY: known $(NUMBERS)
$(NUMBERS): %: $(DEV)/%/$(CHOSEN)/subject $(DEV)/%/solution/subject $(JUDGE)/% $(GRADE) $(if $(filter gpu,$(DEVICE)),build/gpu/cuda_version) | $$(call starter-of,$$@) $(GEN)/labs/%/made
	@ln -sfn $(DEVICE)/$@/$(CHOSEN) $(OUT)/$@
	@echo "$@: built from $(if $(and $(COMPILED),$(filter solution,$(CHOSEN))),the reference solution's object files,$(addprefix $(call shown,$@/$(CHOSEN))/, \
	    $(notdir $(call sources,$@/$(CHOSEN))))) for the $(if $(filter gpu,$(DEVICE)),GPU and the )simulated device$(if $(GRADING),,; now ./grade $@)"
