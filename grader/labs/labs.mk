# labs.mk: make labNN, the submissions that it builds, known submissions, starters.
#
# A submission has a folder of its own, build/<device>/labNN/NAME, with its object files, subject (the program that the
# judge runs) and submission (its last line: what it was built from). NAME is
#   yours           labs/labNN_*, see intake.sh
#   solution        solutions/labNN_*, also the reference that others are timed against
#   starter         what a learner begins with: the solution without what is marked #ifdef SOLUTION
#   a known one     grader/labs/labNN/{wrong,right}/NAME, the solution with changes: see grader/README.md
#   FOLDER-DIGEST   SUBMISSION=folder: see intake.sh
# build/labNN is a link to the one that make labNN built last. Below, a submission is called labNN/NAME.

number = $(firstword $(subst /, ,$(1)))
# $(call lab,lab03): lab03_overlap
lab = $(filter $(1)_%,$(LABS))
# $(call known,lab03,right): the names of the known ones; $(call known-file,lab03/NAME): the file
known = $(notdir $(wildcard grader/labs/$(1)/$(2)/*))
known-file = $(wildcard $(foreach w,wrong right,grader/labs/$(call number,$(1))/$(w)/$(notdir $(1))))
RESERVED := yours solution starter
$(foreach n,$(NUMBERS),$(foreach s,$(filter $(call known,$(n),right) $(RESERVED),$(call known,$(n),wrong)) \
    $(filter $(RESERVED),$(call known,$(n),right)), \
    $(error grader/labs/$(n)/*/$(s) has the name of another submission of known verdict: remove or rename one)))

# ---- which one: SOLUTION, SUBMISSION, KNOWN

BUILT := $(filter $(NUMBERS),$(WANTED))
ifneq ($(filter-out $(NUMBERS),$(filter lab%,$(WANTED))),)
$(error there is no $(filter-out $(NUMBERS),$(filter lab%,$(WANTED))); the labs are: $(LABS))
endif
# What was built before is not to be judged in the place of what is built now, and fails. ./grade builds the learner's
# own lab if there is no link; a link that leads nowhere says that another submission was asked for.
OTHER := $(or $(filter-out 0 no,$(SOLUTION)),$(value SUBMISSION),$(KNOWN))
ifeq ($(DRY),)
$(if $(BUILT),$(shell mkdir -p $(OUT); $(foreach n,$(BUILT),$(if $(OTHER),ln -sfn unbuilt,rm -f) $(OUT)/$(n);)))
endif
CHOSEN := $(or $(KNOWN),$(if $(filter-out 0 no,$(SOLUTION)),solution,yours))
$(foreach n,$(and $(KNOWN),$(BUILT)),$(if $(call known-file,$(n)/$(KNOWN))$(filter starter solution,$(KNOWN)),, \
    $(error there is no grader/labs/$(n)/*/$(KNOWN); known submissions of $(n): $(call known,$(n),wrong) $(call known,$(n),right))))
ifeq ($(origin SUBMISSION)$(value SUBMISSION),command line)
$(error SUBMISSION= names no folder: make lab05 SUBMISSION=folder, or make lab05 for your own lab)
endif
ifneq ($(value SUBMISSION),)
# two words: the name of the copy, and what messages call the submission
TAKEN := $(or $(shell grader/labs/intake.sh '$(subst ','\'',$(value SUBMISSION))'),$(error SUBMISSION cannot be used))
CHOSEN := $(firstword $(TAKEN))
override SUBMISSION := $(lastword $(TAKEN))
else ifeq ($(CHOSEN),yours)
$(foreach n,$(or $(BUILT),$(if $(filter bundle,$(WANTED)),$(NUMBERS))), \
    $(if $(shell grader/labs/intake.sh labs/$(call lab,$(n)) $(n)),,$(error labs/$(call lab,$(n)) cannot be used)))
endif

# $(call folder,lab03/NAME): where its sources are; $(call sources,…): these; $(call parts,…): their object files
given-files = $(wildcard $(addprefix $(if $(COMPILED),grader/compiled/starters/$(call number,$(1)),solutions/$(call lab,$(call number,$(1))))/,lab.c lab.cu))
solution-files = $(notdir $(given-files))
folder = $(or $(and $(filter yours,$(notdir $(1))),build/intake/$(call number,$(1))), \
              $(and $(filter solution,$(notdir $(1))),solutions/$(call lab,$(call number,$(1)))), \
              $(and $(SUBMISSION),$(filter $(CHOSEN),$(notdir $(1))),build/intake/$(CHOSEN)),build/known/$(1))
# what messages call this folder: that of the submission, if this one holds its copy
is-copy = $(filter build/intake/%,$(call folder,$(1)))
shown = $(or $(and $(filter yours,$(notdir $(1))),labs/$(call lab,$(call number,$(1)))), \
             $(and $(is-copy),$(SUBMISSION)),$(call folder,$(1)))
is-known = $(filter build/known/%,$(call folder,$(1)))
sources = $(addprefix $(call folder,$(1))/, \
    $(or $(if $(or $(is-known),$(filter solution,$(notdir $(1)))),$(solution-files)),$(notdir $(wildcard $(folder)/lab.c $(folder)/lab.cu)),lab.c))
parts = $(patsubst %.c.o,%.o,$(addprefix $(DEV)/$(1)/,$(addsuffix .o,$(notdir $(sources)))))
# what was said to choose it
choice = $(if $(and $(SUBMISSION),$(filter $(CHOSEN),$(notdir $(1)))), SUBMISSION=$(if $(filter build/intake/%,$(SUBMISSION)),…,$(SUBMISSION)),$(call choice-$(or $(filter yours solution,$(notdir $(1))),known),$(1)))
choice-yours =
choice-solution = $() SOLUTION=1
choice-known = $() KNOWN=$(notdir $(1))

$(foreach n,$(BUILT),$(if $(call is-known,$(n)/$(CHOSEN))$(and $(COMPILED),$(filter solution,$(CHOSEN)))$(wildcard $(call sources,$(n)/$(CHOSEN))),, \
    $(error $(if $(SUBMISSION),SUBMISSION=$(SUBMISSION),$(call shown,$(n)/$(CHOSEN))) has no lab.c and no lab.cu)))

# ---- known submissions and starters as source files: build/known/labNN/NAME/lab.c

solution-of = solutions/$(call lab,$(call number,$(1)))/$(notdir $(1))
# what it is the difference from: the solution, or, if it has the line "base: NAME", another one
define newline


endef
other-base = $(foreach b,$(patsubst base-line:%,%,$(filter base-line:%,$(subst $(newline)base: ,$(newline)base-line:,$(file <$(call known-file,$(1)))))), \
    $(if $(filter $(b),$(notdir $(1))),$(error $(call known-file,$(1)): base:$(b) is this submission itself),$(b)))
base-of = $(or $(addprefix build/known/$(call number,$(1))/,$(addsuffix /$(notdir $(1)),$(call other-base,$(patsubst %/,%,$(dir $(1)))))), \
    $(solution-of))
# $(call is-changed,lab08/NAME,lab.cu): or it is as in the solution
is-changed = $(or $(if $(call known-file,$(1)),,yes),$(filter <<<<$(2),$(subst <<<< ,<<<<,$(strip $(file <$(call known-file,$(1)))))), \
    $(foreach b,$(call other-base,$(1)),$(call is-changed,$(call number,$(1))/$(b),$(2))))
build/known/%: $$(call known-file,$$(*D)) $$(call base-of,$$*) grader/labs/known.awk
	@mkdir -p $(@D)
	@unifdef -DSOLUTION $(call base-of,$*) | awk -v file=$(@F) -v files='$(call solution-files,$*)' -v base=$(call base-of,$*) \
	    -f grader/labs/known.awk $< - >$@.$$$$ && mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }

STARTERS := $(foreach n,$(NUMBERS),$(addprefix build/known/$(n)/starter/,$(call solution-files,$(n))))
starter-file = grader/compiled/starters/$(call number,$(1))/$(notdir $(1))
starter-of = $(filter build/known/$(1)/starter/%,$(STARTERS))
$(STARTERS): build/known/%: $$(if $(COMPILED),$$(call starter-file,$$*),$$(call solution-of,$$*))
	@mkdir -p $(@D)
# unifdef's status is 1 if it changed something, which it must
	@$(if $(COMPILED),cp $< $@; exit;) unifdef -USOLUTION -o $@.$$$$ $<; [ $$? = 1 ] || { echo "$<: nothing is marked #ifdef SOLUTION" >&2; exit 1; }; \
	    mv $@.$$$$ $@

.PHONY: starters
starters: $(STARTERS)
	@for new in $^; do \
	    lab=$${new#build/known/}; lab=$$(echo labs/$${lab%%/*}_*)/$${new##*/}; \
	    cmp -s $$new $$lab && continue; \
	    if [ -z "$(FORCE)" ] && ! git diff --quiet HEAD -- $$lab; then \
	        echo "$$lab has changes that are not committed: left as it is (make starters FORCE=1 overwrites it)"; \
	    else \
	        cp $$new $$lab && echo "$$lab written"; \
	    fi; \
	done

# make reset LAB=05: the starter again; the learner's file stays beside it, as lab.c.1, lab.c.2, …
RESET := $(filter $(LAB),$(NUMBERS))
.PHONY: reset
reset: $(call starter-of,$(RESET))
	@[ -n "$^" ] || { echo "which lab? For example: make reset LAB=05. The labs are: $(NUMBERS)" >&2; exit 2; }
	@for new in $^; do \
	    mine=labs/$(call lab,$(RESET))/$${new##*/} kept=; \
	    if cmp -s $$new $$mine; then echo "$$mine is the starter already"; continue; fi; \
	    if [ -e $$mine ]; then \
	        n=1; while [ -e $$mine.$$n ]; do n=$$((n + 1)); done; \
	        mv $$mine $$mine.$$n && kept="; your file is $$mine.$$n"; \
	    fi; \
	    cp $$new $$mine && echo "$$mine is the starter again$$kept"; \
	done

# ---- building one

# What is in a learner's sources counts, not only their age: those unpacked from an archive may be older than what was
# built last from the same folder.
learners-files = $(wildcard $(addprefix $(folder)/,lab.c lab.cu *.h))
# no % in the prerequisites of a pattern rule: GNU make 4.4 replaces it also inside of functions
is-of-course = $(filter build/known/% solutions/%,$(call folder,$(1)))
$(DEV)/%/submission: $$(if $$(call is-of-course,$$*),$$(call sources,$$*),FORCE)
	@mkdir -p $(@D)
	@{ cat /dev/null $(or $(filter-out FORCE,$^),$(call learners-files,$*)) | sha256sum; \
	    $(if $(call is-copy,$*),{ tr -d '\n' <$(call folder,$*).from; echo '/$(notdir $(firstword $(call sources,$*)))'; },echo '$(or \
	        $(and $(call is-known,$*),$(call known-file,$*)),$(firstword $(call sources,$*)))'); } >$@.$$$$; \
	    $(if $(filter FORCE,$^),cmp -s $@.$$$$ $@ && rm $@.$$$$ ||) mv $@.$$$$ $@

# A submission may have warnings, but what C11 forbids it forbids here too, where the compiler can point at it.
LAB_COMMON = -Ilabs/$(call lab,$(call number,$*)) $(if $(filter solutions/%,$<),-DSOLUTION) -c $< -o $@.$$$$
# what is said of the copy is said of the submission
LAB_PATHS = -ffile-prefix-map=$(<D)=$(call shown,$*)
# In those of the course itself a warning is an error: a learner should never wonder whether one is theirs. Sanitizers are for
# what is around a submission: its own mistakes are for the checks to see, and they would keep simcc from recording.
lab-flags = $(filter-out -fsanitize=% -fno-sanitize%,$(if $(filter build/known/% solutions/%,$<),$(1),$(patsubst -g1,-g,$(filter-out -Werror -Wpedantic,$(1)))))
# a local variable that nothing sets has the same value on every machine; of the heap, subject/heap.c sees to that
# (build/setup.mk has SET_LOCALS: -ftrivial-auto-var-init=pattern, which gcc 11 lacks)
LAB_C = $(if $(filter sim,$(DEVICE)),$(SIMCC) --recorded-only,$(CC)) $(SET_LOCALS) $(LAB_PATHS) $(call lab-flags,$(C_FLAGS)) $(LAB_COMMON) \
    $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)
LAB_CU = $(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS), \
    $(SIMCC) --recorded-only $(SET_LOCALS) $(LAB_PATHS) $(call lab-flags,$(filter-out -x c++,$(CU_FLAGS))) -fPIC) $(LAB_COMMON)
# It reads toolchain and headers, the submission's folder, and no other; a minute, 2 GiB (what nvcc starts takes more)
LAB_JAIL = $(COMPILE) $(addprefix -r ,$(CURDIR)/common $(CURDIR)/kernels $(CURDIR)/labs/$(call lab,$(call number,$*)) \
    $(CURDIR)/$(dir $(SIMCC)) $(CUDA_INC) $(GPU_INC) $(CUDA_LIB) $(if $(NVCC),$(realpath $(dir $(NVCC))..)) $(wildcard $(CURDIR)/build/deps)) \
    -r $(<D) -w $(@D) -m $(if $(and $(filter gpu,$(DEVICE)),$(filter %.cu,$<)),0,2048) -n $(<D)=$(call shown,$*) --
# What reads the object files of a submission can be misled by them, too, and repeats their names
FENCE = $(COMPILE) -s 30 $(addprefix -r ,grader/labs/fence.sh common/simcc/library_calls $(wildcard build/deps)) -w $(@D) -m 2048 -- grader/labs/fence.sh
LINK_JAIL = $(COMPILE) -s 30 -r build $(addprefix -r ,$(CUDA_LIB) $(wildcard build/deps)) -w $(@D) -m 2048 --
# The headers that a lab can include: not from the compiler's own list, which names files that are gone when another
# submission is built. Of the simulated device, only what device code sees (test_stale compares with the compiler's list).
DEVICE_HEADERS := $(wildcard common/simgpu/*.h $(addprefix common/simgpu/kernel/,cuda12_calls.h cuda_headers.h declare_kernel.h device_*.h thread.h))
LAB_HEADERS := $(wildcard common/*.h kernels/*.h) $(DEVICE_HEADERS)
# everything else comes before the submission, so that the compiler's words about it are the last ones
LAB_FIRST := $(SUBJECT_OBJECTS) $(KERNELS) $(CUDART) $(COMPILE)
SIMCC_HEADERS := $(wildcard common/simcc/include/* common/simcc/include/*/*)
# what the object file of a source, lab.c or lab.cu, depends on beside it: $(call lab-needs,lab03/NAME,lab.c)
lab-needs = $(DEV)/$(1)/submission $(learners-files) labs/$(call lab,$(call number,$(1)))/lab.h $(LAB_HEADERS) grader/labs/fence.sh \
    $(object-of) $(call state,$(DEV)/$(2),$(SET_LOCALS) $(if $(filter lab.c,$(2)),$(c-compiler),$(if $(filter gpu,$(DEVICE)),$(nvcc-compiler), \
        $(cu-compiler)))) $(if $(filter sim,$(DEVICE)),$(SIMCC) $(if $(filter lab.cu,$(2)),$(SIMCC_HEADERS)))

# Only what its contract names is seen by the rest, and it sees nothing of the grader: fence.sh. The source stays beside
# it: a report of a crash quotes the line.
# (No grading of an older subject, but for the solution's: other makes may have it already, and grade with it.)
define lab-object
@$(if $(filter solution,$(notdir $(@D))),:,rm -f $(@D)/subject)
@$(call clean-up,$@.$$$$ $(@D)/$(<F).$$$$); \
    $(if $(solution-object),cp $(solution-object) $@.$$$$,$(compile-lab)) && \
    $(put-source) && mv $(@D)/$(<F).$$$$ $(@D)/$(<F) && mv $@.$$$$ $@
endef
# what a learner does not write is not in the source beside the object, and its lines keep their numbers
define put-source
$(if $(filter solutions/%,$<),{ unifdef -b -DSOLUTION $< >$(@D)/$(<F).$$$$ || [ $$? = 1 ]; }, \
    cp $(if $(solution-object),$(dir $(solution-object))$(<F),$<) $(@D)/$(<F).$$$$)
endef
define compile-lab
again='and run make $(call number,$*)$(call choice,$*) again'; \
    $(LAB_JAIL) $(if $(filter %.cu,$<),$(LAB_CU),$(LAB_C)) || \
        { echo "$(call number,$*): $(call shown,$*)/$(<F) does not compile; fix the first error above $$again" >&2; exit 1; }; \
    $(FENCE) $(call number,$*) $< $@.$$$$ || \
        { echo "$(call number,$*): $(call shown,$*)/$(<F) does not link; fix that $$again" >&2; exit 1; }
endef
# what a known submission leaves as it is in the solution, it takes from there
object-of = $(if $(call is-changed,$(1),$(2)),,$(DEV)/$(call number,$(1))/solution/$(patsubst %.c.o,%.o,$(2).o))
solution-object = $(call object-of,$*,$(<F))

$(DEV)/%/lab.o: $$(call folder,$$*)/lab.c $$(call lab-needs,$$*,lab.c) | $(LAB_FIRST)
	$(lab-object)

$(DEV)/%/lab.cu.o: $$(call folder,$$*)/lab.cu $$(call lab-needs,$$*,lab.cu) | $(LAB_FIRST)
	$(lab-object)

# What a subject has of device code that may call the device's own runtime: of the lab, and of its adapter.
device-parts = $(filter %.cu.o,$(call parts,$(1)) $(call objects,$(DEV),$(wildcard grader/labs/$(call number,$(1))/*.cu)))
adapter = $(call objects,$(DEV),$(wildcard $(addprefix grader/labs/$(call number,$(1))/,adapter*.c *.cu)))
$(DEV)/%/lab.device.o: $$(call device-parts,$$*)
	$(link-device-code)

# On the simulated device all kernels are linked, so that no kernel of a submission's has the name of one alone.
all-kernels = $(if $(filter sim,$(DEVICE)),-Wl$(comma)--whole-archive $(KERNELS) -Wl$(comma)--no-whole-archive,$(KERNELS))

# what the linker says of a submission, in words; the rest as it is
link-words = sed -nE \
    -e "s/.*undefined reference to .([A-Za-z0-9_]+).*/  \1 is not defined: labs\/$(call lab,$(call number,$*))\/lab.h says what it does/p" \
    -e "s/.*multiple definition of .([A-Za-z0-9_]+).*/  \1 must not be defined: the program around the lab has its own/p"

# what all subjects of a lab are linked from, beside the submission
around = $(SUBJECT_OBJECTS) $(adapter) $(KERNELS)
around-state = $(call state,$(DEV)/$(number)/subject,$(LD_FLAGS) $(around))
# (states that several targets have in common are named here: a pattern rule would not find those that are new)
$(foreach t,lab.c lab.cu $(NUMBERS:%=%/subject),$(call state-file,$(DEV)/$(t))): ;

$(DEV)/%/subject: $$(call parts,$$*) $$(call device-link,$(DEV)/$$*/lab,$$(call device-parts,$$*)) \
    $$(call around,$$*) $$(call around-state,$$*) $(CUDART) | $(COMPILE)
	@log=$@.$$$$.log; $(call clean-up,$$log); \
	$(LINK_JAIL) $(CXX) $(LD_FLAGS) $(SUBJECT_LINK) -fno-lto -fno-use-linker-plugin $(filter-out $(KERNELS),$(parts-of-link)) $(all-kernels) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl -o $@.$$$$ 2>$$log && mv $@.$$$$ $@ || \
	    { $(link-words) $$log | sort -u | grep . || cat $$log; rm -f $@; \
	      $(foreach f,$(filter-out $(notdir $(call sources,$*)),$(call solution-files,$*)), \
	          echo "  $(call number,$*) has a $f, too: copy labs/$(call lab,$(call number,$*))/$f to $(call shown,$*)/";) \
	      echo "$(call number,$*): $(call shown,$*)/$(notdir $(firstword $(call sources,$*))) does not link; fix that and run make $(call number,$*)$(call choice,$*) again"; \
	      exit 1; } >&2

.PRECIOUS: build/known/% $(DEV)/%/submission $(DEV)/%/lab.o $(DEV)/%/lab.cu.o $(DEV)/%/lab.device.o
# A pattern rule is not applied twice in a row: what other submissions take from the solution is named here.
SOLUTION_PARTS := $(foreach n,$(NUMBERS),$(call parts,$(n)/solution))
ifeq ($(COMPILED),)
$(SOLUTION_PARTS):
else
COMPILED_PARTS := $(SOLUTION_PARTS:$(DEV)/%=grader/compiled/$(DEVICE)/%)
ifneq ($(filter-out $(wildcard $(COMPILED_PARTS)),$(COMPILED_PARTS)),)
$(error this copy of the course has no reference solutions for a GPU: add DEVICE=sim, or take one that was made with DEVICE=gpu)
endif
$(SOLUTION_PARTS): $(DEV)/%: grader/compiled/$(DEVICE)/%
	@mkdir -p $(@D); cp $< $@
$(NUMBERS:%=$(DEV)/%/solution/submission): $(DEV)/%/submission: $$(call parts,$$*)
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

# ./grade compares a learner's files with the starter, and make reset takes it
.PHONY: known $(NUMBERS)
$(NUMBERS): %: $(DEV)/%/$(CHOSEN)/subject $(DEV)/%/solution/subject $(JUDGE)/% $(GRADE) $(if $(filter gpu,$(DEVICE)),build/gpu/cuda_version) | $$(call starter-of,$$@) $(GEN)/labs/%/made
	@ln -sfn $(DEVICE)/$@/$(CHOSEN) $(OUT)/$@
	@echo "$@: built from $(addprefix $(call shown,$@/$(CHOSEN))/,$(notdir $(call sources,$@/$(CHOSEN)))) for the $(if $(filter gpu,$(DEVICE)),GPU,simulated device)$(if $(GRADING),,; now ./grade $@)"
