# labs.mk: make labNN, the submissions that it builds, known submissions, starters.
#
# A submission, labNN/NAME below, has a folder build/<device>/labNN/NAME: object files, subject (the program that the judge
# runs) and submission (its last line: what it was built from). NAME is yours, solution, starter, a known one, or
# FOLDER-DIGEST for SUBMISSION=folder (intake.sh). submission.sh has the steps, and this file what each depends on:
# grader/README.md, "How the build works".

WAY := grader/labs/submission.sh
# $(call number,build/sim/lab03/NAME): lab03, and $(call lab,…): lab03_overlap
number = $(filter $(NUMBERS),$(subst /, ,$(1)))
lab = $(filter $(number)_%,$(LABS))

# ---- which ones

# of known verdict
KNOWN_FILES := $(wildcard $(foreach n,$(or $(LAB_ALONE),$(NUMBERS)),$(addprefix grader/labs/$(n)/,right/* wrong/*)))
SUBMISSIONS := $(foreach n,$(or $(LAB_ALONE),$(NUMBERS)),$(addprefix $(n)/,starter solution $(notdir $(filter grader/labs/$(n)/%,$(KNOWN_FILES)))))
# make audit (or bundle) LAB=lab03, or LAB=lab03/NAME: only what that grades, with the reference solution
AUDITED_ONLY := $(if $(filter audit bundle,$(WANTED)),$(or $(LAB),$(NUMBERS)))
$(foreach s,$(filter-out $(NUMBERS) $(SUBMISSIONS),$(AUDITED_ONLY) $(filter lab%,$(WANTED))),$(error there is no $(s); $(if $(call \
    number,$(s)),the submissions of $(call number,$(s)) are: $(notdir $(filter $(call number,$(s))/%,$(SUBMISSIONS))),the labs are: $(NUMBERS))))
AUDITED_LABS := $(sort $(call number,$(AUDITED_ONLY)))
AUDITED := $(sort $(AUDITED_LABS:%=%/solution) $(filter $(AUDITED_ONLY) $(AUDITED_ONLY:%=%/%),$(SUBMISSIONS)))

# of SOLUTION, SUBMISSION, KNOWN (TAKEN: another make, which started this one, has chosen)
BUILT := $(filter $(NUMBERS),$(WANTED)) $(if $(filter bundle,$(WANTED)),$(AUDITED_LABS))
DEBUGGED := $(and $(filter debug,$(WANTED)),$(firstword $(filter $(NUMBERS),$(subst _, ,$(LAB)))))
$(if $(value SUBMISSION),,$(if $(findstring command,$(origin SUBMISSION)),$(error SUBMISSION= names no folder: make lab05 SUBMISSION=folder, or make lab05 for your own lab)))
CHOSEN := $(or $(TAKEN),$(if $(strip $(BUILT) $(DEBUGGED))$(value SUBMISSION),$(or $(shell $(WAY) choose '$(if $(DRY),,$(BUILT:%=$(OUT)/%))' '$(SOLUTION)' '$(KNOWN)' \
    '$(subst ','\'',$(value SUBMISSION))' $(BUILT) $(DEBUGGED)),$(error $(or $(strip $(BUILT) $(DEBUGGED)),SUBMISSION) cannot be built)),yours))
# where they are built
BUILDS := $(DEV) $(if $(DEBUGGED),build/debug/$(DEVICE)$(if $(SAN),.san))

.PHONY: known starters reset handin twins debug $(NUMBERS)

# ---- known submissions and starters as source files: build/known/labNN/NAME/lab.c

# (in a copy of the course, starters are files, and the solution is objects)
starters-of = $(if $(COMPILED),grader/compiled/starters/$(number),solutions/$(lab))
solution-files = $(notdir $(wildcard $(addprefix $(starters-of)/,lab.c lab.cu)))
KNOWN_SOURCES := $(foreach s,$(filter-out %/solution,$(SUBMISSIONS)),$(addprefix build/known/$(s)/,$(call solution-files,$(s))))
# FOLDER:FOLDER for each whose base is not the solution; read when the first is wanted
bases = $(eval bases := $(shell { awk -f grader/labs/known.awk $(KNOWN_FILES) && echo read; } | awk -F '[/\t]' '$$1 == "read"; $$7 == "base" \
    { print "build/known/" $$3 "/" $$5 ":build/known/" $$3 "/" $$8 }'))$(if $(filter read,$(bases)),$(bases),$(error known submissions cannot be read))
known-file = $(filter $(patsubst %,grader/labs/$(number)/%/$(notdir $(1)),right wrong),$(KNOWN_FILES))
based-on = $(or $(if $(known-file),$(patsubst $(1):%,%,$(filter $(1):%,$(bases)))),$(starters-of))
known: $(KNOWN_SOURCES)
build/known/%: grader/labs/known.awk $$(call known-file,$$(@D)) $$(call based-on,$$(@D))/$$(@F)
	@$(WAY) write $@ $(filter-out $<,$^)

# make starters; make reset LAB=05, make handin LAB=05: see the scripts
starters: $(filter %/starter/lab.c %/starter/lab.cu,$(KNOWN_SOURCES))
reset handin: $(filter $(LAB:%=build/known/%/starter/%),$(KNOWN_SOURCES))
starters reset:
	@FORCE='$(FORCE)' grader/labs/starters.sh $(@:starters=write) $^
handin:
	@grader/labs/handin.sh $^

# ---- building one

# $(call sources,lab03/NAME): its files; of a learner, what the copy holds
folder = $(if $(filter %/solution,$(1)),$(if $(COMPILED),grader/compiled/$(DEVICE)/$(1),solutions/$(lab)),build/intake/$(patsubst yours,$(number),$(notdir $(1))))
sources = $(or $(filter build/known/$(1)/%,$(KNOWN_SOURCES)),$(wildcard $(addprefix $(folder)/,lab.c lab.cu *.h *.o)))

# What all submissions of a lab have in common, as submission.sh reads it. (SET_LOCALS: a local variable that nothing sets has
# the same value on every machine; of the heap, subject/heap.c sees to that.) Sanitizers are for what is around a submission:
# they would keep simcc from recording, and a submission's mistakes are for the checks to see. It may have warnings, but what
# C11 forbids it forbids here too, where the compiler can point at it. In the jail it reads toolchain and headers, and no other.
# On the simulated device all kernels are linked, so that no kernel of a submission's has the name of one alone.
unsanitized = $(filter-out $(if $(findstring .san/,$@),,-fsanitize=% -fno-sanitize%),$(1))
around = $(if $(filter build/debug/%,$@),$(DEBUG_OBJECTS),$(SUBJECT_OBJECTS)) \
    $(call objects,$(DEV),$(wildcard $(addprefix grader/labs/$(call number,$@)/,adapter*.c *.cu)))
commands = device=$(DEVICE) c=($(if $(filter sim,$(DEVICE)$(findstring .san/,$@)),$(SIMCC) --recorded-only,$(CC)) $(SET_LOCALS) $(call unsanitized,$(C_FLAGS)) \
        $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)) \
    cu=($(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS),$(SIMCC) --recorded-only $(SET_LOCALS) \
        $(call unsanitized,$(filter-out -x c++,$(CU_FLAGS))) -fPIC -Xcompiler -fno-gnu-unique)) \
    device_link=($(NVCC) $(CUDA_CODE) -dlink) device_runtime=(-L$(CUDA_LIB) -lcudadevrt) \
    reads=($(addprefix -r ,common kernels $(dir $(SIMCC)) $(CUDA_INC) $(GPU_INC) $(CUDA_LIB) \
        $(if $(NVCC),$(realpath $(dir $(NVCC))..)) $(wildcard build/deps))) \
    link=($(CXX) $(LD_FLAGS) $(if $(filter build/debug/%,$@),,$(SUBJECT_LINK)) -fno-lto -fno-use-linker-plugin) around=($(around)) \
    kernels=($(if $(filter sim,$(DEVICE)),-Wl$(comma)--whole-archive $(KERNELS) -Wl$(comma)--no-whole-archive,$(KERNELS)))
# (states are named here: a pattern rule would not find those that are new)
$(foreach b,$(BUILDS),$(NUMBERS:%=$(call state-file,$(b)/%/commands))): ;

# what an object file may name: fence.sh
$(BUILDS:%=%/may_name): grader/labs/may_name.sh common/simcc/library_calls $(KERNELS) $(CUDART)
	@mkdir -p $(@D); SANITIZED=$(filter %.san,$(@D)) CC=$(CC) $< $(KERNELS) $(CUDA_INC) $(if $(filter sim,$(DEVICE)),$(SIM)/lib/libcudart.so) >$@.$$$$ && \
	    $(call keep-same,$@.$$$$,$@) && touch $@ # another make may be reading it in a jail

# A file that a known submission leaves as it is in the solution has the solution's object file. (A pattern rule is not applied
# twice in a row. No % in its prerequisites: GNU make 4.4 replaces it also inside of functions.)
REFERENCES := $(foreach b,$(BUILDS),$(NUMBERS:%=$(b)/%/solution/subject))
shares = $(if $(filter %.cu,$(call solution-files,$@)),$(filter-out $@,$(dir $(@D))solution/subject))
$(REFERENCES):
build/%/subject: $$(call sources,$$(call number,$$@)/$$(notdir $$*)) labs/$$(call lab,$$@)/lab.h $$(around) $(KERNELS) $(CUDART) \
    $(WAY) grader/labs/fence.sh $(LAB_HEADERS) $(if $(filter sim,$(DEVICE)),$(SIMCC) $(SIMCC_HEADERS)) \
    $$(call state,$$(dir $$(@D))commands,$$(commands)) | $(COMPILE) $(BUILDS:=/may_name) $$(shares)
	@$(WAY) build $@ $(call state-file,$(dir $(@D))commands) '$?' $(CUDART_LINK) -lm -ldl
.PRECIOUS: build/known/% build/%/subject
audit bundle: $(AUDITED:%=$(DEV)/%/subject)

# On a GPU both devices judge: what is wanted is built for the simulated one first, by a make of its own. So an error of the
# compiler is said once.
TWINNED := $(if $(filter gpu,$(DEVICE)),$(sort $(foreach n,$(BUILT),$(n)/$(CHOSEN) $(n)/solution) $(AUDITED)))
$(TWINNED:%=$(DEV)/%/subject): | twins
twins: $(foreach s,$(TWINNED),$(filter build/known/$(s)/%,$(KNOWN_SOURCES))) | $(COMPILE)
	@$(MAKE) $(if $(V),,-s) DEVICE=sim TAKEN=$(CHOSEN) $(TWINNED:%=build/sim/%/subject)

# make labNN: ./grade also compares a learner's files with the starter, and make reset takes it
$(NUMBERS): %: $(DEV)/%/$(CHOSEN)/subject $(DEV)/%/solution/subject $(JUDGE)/% $(GRADE) $(if $(filter gpu,$(DEVICE)),build/gpu/cuda_version) | $$(call sources,$$@/starter) $(GEN)/labs/%/made
	@$(WAY) built $(OUT)/$@ $(DEVICE)/$@/$(CHOSEN) $(GRADING)

# make debug LAB=05: a program of its own for debuggers (subject/debug.c), which needs ./grade, suite and reference
debug: $(DEBUGGED:%=$(lastword $(BUILDS))/%/$(CHOSEN)/subject) | $(foreach n,$(DEBUGGED),$(GRADE) $(JUDGE)/$(n) $(DEV)/$(n)/solution/subject)
	@[ -n "$^" ] || { echo "which lab? For example: make debug LAB=05. The labs are: $(NUMBERS)" >&2; exit 2; }
	@for link in $(DEBUGGED) $(call lab,$(DEBUGGED)); do ln -sfn $(^:build/debug/%=%) build/debug/$$link; done
	@echo "$(strip build/debug/$(DEBUGGED) $(CHECK) $(SEED))"
