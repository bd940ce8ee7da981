# labs.mk: make labNN, the submissions that it builds, known submissions, starters.
#
# A submission, labNN/NAME below, has a folder build/<device>/labNN/NAME: object files, subject (the program that the judge
# runs) and submission (its last line: what it was built from). NAME is yours, solution, starter, a known one, or
# FOLDER-DIGEST for SUBMISSION=folder (intake.sh). submission.sh has the steps, and this file what each depends on:
# grader/README.md, "How the build works".

number = $(firstword $(subst /, ,$(1)))
# $(call lab,lab03/NAME): lab03_overlap
lab = $(filter $(number)_%,$(LABS))
# $(call known,lab03,right): the names of the known ones
known = $(notdir $(wildcard grader/labs/$(1)/$(2)/*))

# ---- which one: SOLUTION, SUBMISSION, KNOWN

BUILT := $(filter $(NUMBERS),$(WANTED))
DEBUGGED := $(and $(filter debug,$(WANTED)),$(firstword $(filter $(NUMBERS),$(subst _, ,$(LAB)))))
# where submissions are built
BUILDS := $(if $(DEBUGGED),build/debug/$(DEVICE)$(if $(SAN),.san),$(DEV))
ifneq ($(filter-out $(NUMBERS),$(filter lab%,$(WANTED))),)
$(error there is no $(filter-out $(NUMBERS),$(filter lab%,$(WANTED))); the labs are: $(LABS))
endif
ifeq ($(origin SUBMISSION)$(value SUBMISSION),command line)
$(error SUBMISSION= names no folder: make lab05 SUBMISSION=folder, or make lab05 for your own lab)
endif
WAY := grader/labs/submission.sh
# (TAKEN: another make, which started this one, has chosen)
CHOOSING := $(or $(strip $(BUILT) $(DEBUGGED)),$(if $(filter bundle,$(WANTED)),$(NUMBERS)))
CHOICE := '$(if $(DRY),,$(BUILT:%=$(OUT)/%))' '$(SOLUTION)' '$(KNOWN)' '$(subst ','\'',$(value SUBMISSION))' $(CHOOSING)
choose = $(or $(shell $(WAY) choose $(CHOICE)),$(error $(or $(strip $(CHOOSING)),SUBMISSION) cannot be built))
CHOSEN := $(or $(TAKEN),$(if $(strip $(CHOOSING)$(value SUBMISSION)),$(choose),yours))

# $(call sources,lab03/NAME): its files; of a learner, what the copy holds; of the solution in a copy of the course, objects
own-name = $(notdir $(1))
starters-of = $(if $(COMPILED),grader/compiled/starters/$(number),solutions/$(lab))
solution-files = $(notdir $(wildcard $(addprefix $(starters-of)/,lab.c lab.cu)))
copy = $(addprefix build/intake/,$(if $(filter yours,$(own-name)),$(number),$(if $(findstring -,$(own-name)),$(own-name))))
reference = $(or $(wildcard $(addprefix grader/compiled/,$(DEVICE)/$(number)/solution/*.o names)), \
    $(addprefix solutions/$(lab)/,$(solution-files)))
sources = $(if $(copy),$(wildcard $(addprefix $(copy)/,lab.c lab.cu *.h)),$(if $(filter solution,$(own-name)),$(reference), \
    $(addprefix build/known/$(1)/,$(solution-files))))

# ---- known submissions and starters as source files: build/known/labNN/NAME/lab.c

# What each is made of, where one may be wanted; made here and not by $(shell), so that it is made only if it changes.
ifeq ($(COMPILED)$(value SUBMISSION)$(if $(filter-out help clean image $(if $(KNOWN),,setup grade $(NUMBERS)),$(WANTED)),,none),)
include $(patsubst %,$(GEN)/labs/%/known.mk,$(or $(LAB_ALONE),$(NUMBERS)))
endif
build/known/%: grader/labs/known.awk
	@$(WAY) known $@ $(filter-out $<,$^)

STARTERS := $(foreach n,$(NUMBERS),$(addprefix build/known/$(n)/starter/,$(call solution-files,$(n))))
starter-of = $(filter build/known/$(1)/starter/%,$(STARTERS))
$(STARTERS): build/known/%: $$(call starters-of,$$*)/$$(@F)
	@$(WAY) starter $@ $<

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

# What all submissions of a lab have in common, as submission.sh reads it. (SET_LOCALS: a local variable that nothing sets has
# the same value on every machine; of the heap, subject/heap.c sees to that.) Sanitizers are for what is around a submission:
# they would keep simcc from recording, and a submission's mistakes are for the checks to see. It may have warnings, but what
# C11 forbids it forbids here too, where the compiler can point at it. In the jail it reads toolchain and headers, and no other.
# On the simulated device all kernels are linked, so that no kernel of a submission's has the name of one alone.
unsanitized = $(filter-out $(if $(DEBUGGED),,-fsanitize=% -fno-sanitize%),$(1))
adapter = $(call objects,$(DEV),$(wildcard $(addprefix grader/labs/$(number)/,adapter*.c *.cu)))
own-compiler = $(if $(filter sim,$(DEVICE)$(and $(DEBUGGED),$(SAN))),$(SIMCC) --recorded-only,$(CC))
commands = device=$(DEVICE) c=($(own-compiler) $(SET_LOCALS) $(call unsanitized,$(C_FLAGS)) \
        $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)) \
    cu=($(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS),$(SIMCC) --recorded-only $(SET_LOCALS) \
        $(call unsanitized,$(filter-out -x c++,$(CU_FLAGS))) -fPIC -Xcompiler -fno-gnu-unique)) \
    device_link=($(NVCC) $(CUDA_CODE) -dlink) device_runtime=(-L$(CUDA_LIB) -lcudadevrt) \
    reads=($(addprefix -r ,common kernels $(dir $(SIMCC)) $(CUDA_INC) $(GPU_INC) $(CUDA_LIB) \
        $(if $(NVCC),$(realpath $(dir $(NVCC))..)) $(wildcard build/deps))) \
    link=($(CXX) $(LD_FLAGS) $(SUBJECT_LINK) -fno-lto -fno-use-linker-plugin) around=($(SUBJECT_OBJECTS) $(adapter)) \
    link_reads=($(addprefix -r ,build $(CUDA_LIB) $(wildcard build/deps))) \
    kernels=($(if $(filter sim,$(DEVICE)),-Wl$(comma)--whole-archive $(KERNELS) -Wl$(comma)--no-whole-archive,$(KERNELS)))
# (states are named here: a pattern rule would not find those that are new)
$(foreach n,$(NUMBERS),$(call state-file,$(BUILDS)/$(n))): ;

# what an object file may name: fence.sh
MAY_NAME := $(BUILDS)/may_name
$(MAY_NAME): grader/labs/may_name.sh common/simcc/library_calls $(KERNELS) $(CUDART)
	@mkdir -p $(@D); SANITIZED=$(and $(DEBUGGED),$(SAN)) CC=$(CC) $< $(KERNELS) $(CUDA_INC) $(if $(filter sim,$(DEVICE)),$(SIM)/lib/libcudart.so) >$@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm $@.$$$$ && touch $@ || mv $@.$$$$ $@; } # another make may be reading it in a jail
WAY_NEEDS := $(WAY) grader/labs/fence.sh $(LAB_HEADERS) $(if $(filter sim,$(DEVICE)),$(SIMCC) $(SIMCC_HEADERS))

# A file that a known submission leaves as it is in the solution has the solution's object file.
REFERENCES := $(NUMBERS:%=$(BUILDS)/%/solution/subject)
shares = $(if $(filter %.cu,$(solution-files)),$(filter-out $@,$(BUILDS)/$(number)/solution/subject))
# (A pattern rule is not applied twice in a row. No % in its prerequisites: GNU make 4.4 replaces it also inside of functions.)
$(REFERENCES):
$(BUILDS)/%/subject: $$(call sources,$$*) labs/$$(call lab,$$*)/lab.h $(WAY_NEEDS) $(SUBJECT_OBJECTS) $$(call adapter,$$*) \
    $(KERNELS) $(CUDART) $$(call state,$(BUILDS)/$$(call number,$$*),$$(call commands,$$*)) | $(COMPILE) $(MAY_NAME) $$(call shares,$$*)
	@$(WAY) build $@ $(call state-file,$(BUILDS)/$(call number,$*)) '$?' $(CUDART_LINK) -lm -ldl
.PRECIOUS: build/known/% $(BUILDS)/%/subject

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

# On a GPU both devices judge: what is built for it is built for the simulated one first, by a make of its own. So an
# error of the compiler is said once.
TWINNED := $(if $(filter gpu,$(DEVICE)),$(sort $(foreach n,$(BUILT) $(if $(filter bundle,$(WANTED)),$(AUDITED_LABS)),$(n)/$(CHOSEN) $(n)/solution) \
    $(AUDITED:$(DEV)/%/subject=%)))
.PHONY: twins
twins: $(filter build/known/%,$(foreach s,$(TWINNED),$(call sources,$(s)))) | $(COMPILE)
	@$(MAKE) $(if $(V),,-s) DEVICE=sim GRADING=$(GRADING) TAKEN=$(CHOSEN) $(TWINNED:%=build/sim/%/subject)
$(if $(TWINNED),$(TWINNED:%=$(DEV)/%/subject): | twins)

# make debug LAB=05: a program of its own for debuggers (subject/debug.c), which needs ./grade, suite and reference
.PHONY: debug debugged-by
debug: $(DEBUGGED:%=$(BUILDS)/%/$(CHOSEN)/subject)
	@[ -n "$^" ] || { echo "which lab? For example: make debug LAB=05. The labs are: $(NUMBERS)" >&2; exit 2; }
	@ln -sfn $(^:build/debug/%=%) build/debug/$(DEBUGGED)
	@ln -sfn $(DEBUGGED) build/debug/$(call lab,$(DEBUGGED))
	@echo "$(strip build/debug/$(DEBUGGED) $(CHECK) $(SEED))"
debugged-by:
	@$(MAKE) $(if $(V),,-s) LAB= SAN= TAKEN=$(CHOSEN) DEVICE=$(DEVICE) $(notdir $(GRADE)) $(JUDGE)/$(DEBUGGED) $(DEV)/$(DEBUGGED)/solution/subject
$(if $(DEBUGGED),$(BUILDS)/$(DEBUGGED)/$(CHOSEN)/subject: | debugged-by)

# ./grade compares a learner's files with the starter, and make reset takes it
.PHONY: known $(NUMBERS)
$(NUMBERS): %: $(DEV)/%/$(CHOSEN)/subject $(DEV)/%/solution/subject $(JUDGE)/% $(GRADE) $(if $(filter gpu,$(DEVICE)),build/gpu/cuda_version) | $$(call starter-of,$$@) $(GEN)/labs/%/made
	@$(WAY) built $(OUT)/$@ $(DEVICE)/$@/$(CHOSEN) $(GRADING)
