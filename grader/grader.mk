# grader.mk: what a subject is made of beside its submission, the judge, ./grade, the audit, the bundle.

LABS := $(notdir $(wildcard labs/lab[0-9][0-9]_*))
NUMBERS := $(foreach l,$(LABS),$(firstword $(subst _, ,$(l))))
JUDGES := $(OUTS:%=%/grader)

# ---- a subject: a submission, kernels, the judge's hand inside the process

COMMON_SIM := $(filter-out %_cupti.c %_gpu.c,$(wildcard common/*.c))
COMMON_SOURCES := $(if $(filter gpu,$(DEVICE)),$(filter-out %_sim.c,$(wildcard common/*.c)),$(COMMON_SIM))
KERNEL_SOURCES := $(wildcard kernels/*.cu)
SUBJECT_SOURCES := $(filter-out %/debug.c,$(wildcard grader/subject/*.c grader/wire/*.c))
SUBJECT_LINK := $(foreach f,malloc calloc realloc free,-Wl$(comma)--wrap=$(f))
SUBJECT_OBJECTS := $(call objects,$(DEV),$(COMMON_SOURCES) $(SUBJECT_SOURCES))
# in a debugger (make debug), malloc and signals are those of the debugger
DEBUG_OBJECTS := $(filter-out $(addprefix %/subject/,main.o crash.o heap.o),$(SUBJECT_OBJECTS)) $(call objects,$(DEV),grader/subject/debug.c)

KERNELS := $(DEV)/lib/libkernels.a
$(addsuffix /lib/libkernels.a,$(SIMS) build/gpu): %/lib/libkernels.a: $$(call made-of,$(call objects,%,$(KERNEL_SOURCES)))

ifeq ($(DEVICE),gpu)
CUDART := $(CUDA_LIB)/libcudart.so
# the first three are for a bundle, which brings the library in build/gpu/lib
CUDART_LINK = -L$(CUDA_LIB) -lcudart $(foreach l,'$$ORIGIN/lib' '$$ORIGIN/../lib' '$$ORIGIN/../../lib' \
    $(CUDA_LIB) $(CUPTI_LIB),-Wl,-rpath,$(l))
else
# what is linked with the library is rebuilt only if its names change
CUDART := $(SIM)/lib/libcudart.symbols
CUDART_LINK = $(call libraries,$(@D),$(SIM)/lib) -lcudart
endif

# ---- mistakes: what grader/judge/mistakes and grader/labs/labNN/mistakes say, as tables and constants

# build/grader/gen/judge, build/grader/gen/labs/labNN: see labs/mistakes.awk
GEN := build/grader/gen
gen-of = $(patsubst lab%,$(GEN)/labs/lab%,$(patsubst judge,$(GEN)/judge,$(1)))
MISTAKES_MADE := $(addsuffix /made,$(call gen-of,judge $(NUMBERS)))
# the rows of known.awk; the folders change if a known submission is added or removed
$(NUMBERS:%=$(GEN)/labs/%/known.tsv): $(GEN)/labs/%/known.tsv: grader/labs/known.awk $$(wildcard $$(addprefix grader/labs/$$*/,wrong right wrong/* right/*))
	@mkdir -p $(@D); awk -f $< $(filter $(addprefix grader/labs/$*/,wrong/% right/%),$^) </dev/null >$@.$$$$ && mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }
mistakes-from = grader/judge/mistakes $(wildcard grader/judge/*.c grader/labs/*.c) $(foreach n,$(patsubst judge,$(NUMBERS),$(1)),$(wildcard $(addprefix grader/labs/$(n)/,mistakes *.c)) $(GEN)/labs/$(n)/known.tsv $(wildcard $(addprefix labs/$(n)_*/,hints.md README.md))) labs/SYMPTOMS.md
$(MISTAKES_MADE): $(GEN)/%/made: grader/labs/mistakes.awk $$(if $(COMPILED),,$$(call mistakes-from,$$(notdir $$*)))
	@mkdir -p $(@D) $@.$$$$; \
	    $(if $(COMPILED),cp grader/compiled/gen/$*/* $@.$$$$,awk -v of=$(notdir $*) -v out=$@.$$$$ -f $< $(filter-out $<,$^)) && \
	    for file in $@.$$$$/*; do $(call keep-same,$$file,$(@D)/$${file##*/}) || exit; done && rm -f $@ && touch $@; \
	    status=$$?; rm -rf $@.$$$$; exit $$status
# each of them is written only if it is another one
$(foreach f,mistakes.h causes.h mistakes.c rules.tsv steps.tsv expected.tsv,$(MISTAKES_MADE:made=$(f))): $$(@D)/made ;
# a rule that cannot decide is an error of the build
RULES := build/grader/rules
$(RULES): $$(call made-of,$(call objects,build/grader,$(wildcard grader/rules/*.c)) build/grader/lib/libjudge.a)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) $(CRITERION_LINK) $(to)
$(foreach n,judge $(NUMBERS),$(call gen-of,$(n))/rules.ok): %/rules.ok: %/rules.tsv $(RULES)
	@$(RULES) $< && touch $@
# whatever is compiled may include them
BUILT_FROM := $(foreach o,$(OUTS),$(o)/grader $(o)/sim) build/gpu
$(foreach o,$(BUILT_FROM),$(call objects,$(o),$(wildcard grader/judge/*.c grader/labs/*.c grader/labs/lab*/*.c) $(NUMBERS:%=$(GEN)/labs/%/mistakes.c))): | $(GEN)/judge/made
$(foreach n,$(NUMBERS),$(if $(wildcard grader/labs/$(n)/*.c), \
    $(eval $(foreach o,$(BUILT_FROM),$(call objects,$(o),$(wildcard grader/labs/$(n)/*.c))): | $(GEN)/labs/$(n)/made)))

# ---- the judge: ./grade, and a suite a lab

JUDGE_SOURCES := $(filter-out grader/rules/check.c,$(wildcard $(addprefix grader/,files/output.c judge/*.c jail/*.c rules/*.c query/*.c report/*.c session/*.c wire/*.c command/grade_*.c)))
JUDGE_SOURCES += $(filter-out %_sim.c,$(COMMON_SIM)) $(KERNEL_SOURCES) $(wildcard grader/labs/*.c) $(GEN)/judge/mistakes.c
# reports have the words of the device
JUDGE_SOURCES += common/simgpu/race/finding_words.c
GRADE := $(if $(filter %/san,$(OUT)),$(JUDGE)/grade,grade)

# Criterion, libseccomp and what they need are looked for in lib/ beside the program first: make bundle puts them there
CRITERION_LINK = -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib',-rpath,'$$ORIGIN/../lib',-rpath-link,$(JUDGE)/lib -lcriterion -lseccomp -fopenmp -lm -ldl

$(JUDGES:%=%/lib/libjudge.a): %/lib/libjudge.a: $$(call made-of,$(call objects,%,$(JUDGE_SOURCES))) | %/lib/libgit2.so

# Criterion shows differences of texts by libgit2, if a test asks for that, and none does here. With libgit2, each process
# of a test would load 15 more libraries, and read all certificates of the machine: a third of the CPU time of a grading.
# The linker, too, would read them all: half of its time. This library has its name, and functions that do nothing.
$(JUDGES:%=%/lib/libgit2.so):
	@mkdir -p $(@D); echo 'int main(void) { return 0; }' | $(CC) -x c - -Wl,--no-as-needed -lcriterion -o $@.$$$$.main && \
	criterion=$$(ldd $@.$$$$.main | awk '$$1 ~ /^libcriterion/ { print $$3 }') && rm $@.$$$$.main && \
	name=$$(readelf -d "$$criterion" | sed -n 's/.*(NEEDED).*\[\(libgit2[^]]*\)\]/\1/p') && \
	nm -D --undefined-only "$$criterion" | awk '$$2 ~ /^git_/ { print "int " $$2 "(void); int " $$2 "(void) { return -1; }" }' | \
	    $(CC) -x c - -shared -fPIC -Wl,-soname,"$${name:=libgit2.so}" -o $@.$$$$ && mv $@.$$$$ $@ && \
	    { [ "$$name" = libgit2.so ] || ln -sf libgit2.so $(@D)/$$name; }

# the judge fills and verifies large buffers with threads
$(JUDGES:%=%/obj/grader/judge/%.o) $(JUDGES:%=%/obj/grader/labs/%.o): private MORE := -fopenmp

SUITES := $(NUMBERS:%=$(JUDGE)/%)
# libraries call these instead of the C library's: judge/names.c
SUITE_LINK := $(foreach f,bind connect unlink shm_open shm_unlink, \
    -Wl$(comma)--defsym=$(f)=judge_names_$(f) -Wl$(comma)--export-dynamic-symbol=$(f))
suite-sources = $(filter-out $(wildcard grader/labs/$(1)/adapter*.c),$(wildcard grader/labs/$(1)/*.c)) $(GEN)/labs/$(1)/mistakes.c
suite-objects = $(if $(COMPILED),$(wildcard grader/compiled/suites/$(1)/*.o),$(call objects,$(JUDGE),$(call suite-sources,$(1))))
$(SUITES): $(JUDGE)/%: $$(call made-of,$$(call suite-objects,$$*) $(JUDGE)/lib/libjudge.a) | $$(if $(COMPILED),,$(GEN)/judge/rules.ok $(GEN)/labs/$$*/rules.ok)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(SUITE_LINK) $(parts-of-link) $(CRITERION_LINK) $(to)

grade: $$(call made-of,build/grader/obj/grader/command/grade.o build/grader/lib/libjudge.a)
build/san/grader/grade: $$(call made-of,build/san/grader/obj/grader/command/grade.o build/san/grader/lib/libjudge.a)
grade build/san/grader/grade:
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) -lm -ldl $(to)

# ---- the compiler of a submission, in a jail

# what programs for a GPU are built with, for ./grade: does the driver run it?
build/gpu/cuda_version: build/setup.mk
	@mkdir -p $(@D); echo $(GPU_CUDA) >$@.$$$$ && mv $@.$$$$ $@

COMPILE := build/grader/compile
$(COMPILE): $$(call made-of,$(call objects,build/grader,$(wildcard grader/compile/*.c grader/jail/*.c) common/plain_text.c))
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) -lseccomp $(to)

# ---- a class: which submissions resemble each other, and copies of files of others

CLASS_TOOLS := build/grader/similar build/grader/take
$(CLASS_TOOLS): build/grader/%: $$(call made-of,$$(call objects,build/grader,grader/class/$$*.c $$(if $$(filter similar,$$*),common/plain_text.c grader/files/output.c)))
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) $(to)

# ---- the course for other places

# make handout OUT=folder: a copy without solutions, known submissions and tests
handout:
	@grader/class/handout.sh '$(subst ','\'',$(HANDOUT))' $(DEVICE) $(NUMBERS)
# make gradescope LAB=05 [SEED=7]: the zip file of an autograder
gradescope:
	@grader/class/platforms/gradescope.sh '$(filter $(LAB),$(NUMBERS))' '$(NUMBERS)' '$(subst ','\'',$(SEED))'
# make image: a container image that grades a class
image:
	@grader/class/platforms/image.sh
# make exam SEED=7: an exam with numbers of its own, and its answers
$(SIM)/exam: $$(call made-of,$(call objects,$(SIM),grader/class/exam.c $(COMMON_SIM)) $(SIM)/lib/libkernels.a) $(SIM)/lib/libcudart.symbols
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(call libraries,$(@D),$(SIM)/lib) -lcudart -lm -ldl $(to)
exam: $(SIM)/exam
	@case '$(SEED)' in '' | *[!0-9]*) echo "make exam: a number selects the questions' numbers. For example: make exam SEED=7" >&2; exit 2 ;; esac; \
	mkdir -p build/exam && SIMGPU_REPORT=0 $< $(SEED) build/exam/$(SEED).md build/exam/$(SEED)-answers.md && \
	    echo "build/exam/$(SEED).md, and build/exam/$(SEED)-answers.md"
.PHONY: handout exam gradescope image

# ---- the audit: the verdict on every known submission

$(JUDGE)/audit: $$(call made-of,$(call objects,$(JUDGE),$(wildcard grader/audit/*.c) grader/files/output.c))
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) -lm $(to)

# a program that computes all the time, for LOAD=compute
$(DEV)/load: $$(call made-of,$(call objects,$(DEV),grader/audit/load/load.c $(COMMON_SOURCES)) $(KERNELS)) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(CUDART_LINK) -lm -ldl $(to)

# REPEAT=n: rates of false and undecided verdicts, of n gradings of each submission, with LOAD=k other gradings or
# LOAD=compute on the same device; the same command goes on where it was cut. LAB=lab05 or LAB=lab05/NAME: only these.
# On a machine with several GPUs each of them has gradings of its own. SEED=n: the inputs of another audit again.
# VERDICTS=FILE: what each report names, for a diff with another audit of the same seed.
LOAD ?= 0
COMMIT := $(if $(filter audit bundle,$(WANTED)),$(shell git describe --always --dirty 2>/dev/null))
AUDIT_RATES = --repeat $(REPEAT) --load $(LOAD) --log build/audit/$(DEVICE).tsv --json build/audit/$(DEVICE)-load-$(LOAD).json \
    --commit $(or $(COMMIT),unknown)
.PHONY: audit
audit: $(JUDGE)/audit $$(addprefix $(JUDGE)/,$$(AUDITED_LABS)) $(GRADE) $(if $(REPEAT),$(DEV)/load)
	@mkdir -p build/audit
	@$< $(DEVICE) $(if $(REPEAT),$(AUDIT_RATES)) $(if $(SEED),--seed $(SEED)) $(if $(VERDICTS),--verdicts $(VERDICTS)) $(LAB)

# the page with what was counted on GPUs; build/grader/audit merge LOG… >grader/rates/NAME.tsv adds to it
.PHONY: rates
rates: $(JUDGE)/audit
	@{ sed '/^<!-- make rates/q' grader/rates/README.md && echo && $< table $(wildcard grader/rates/*.tsv); } >build/rates.md
	@cp build/rates.md grader/rates/README.md && echo grader/rates/README.md

# ---- the bundle: a course (for both devices) in which nothing needs to be built, for a machine with a GPU and its driver

BUNDLE := build/bundle
# what a program needs beside the C library, which every machine has
needed = ldd $(1) | awk '/=> \// && $$1 !~ /^(ld-linux|libc|libm|libdl|libpthread|librt|libresolv)[.-]/ { print $$3 }' | sort -u

# what asks a device for everything that CUDA 13 has
ASKERS := $(if $(filter 12%,$(GPU_CUDA)),,$(DEV)/probe $(DEV)/ask)
$(if $(and $(filter gpu,$(DEVICE)),$(filter 12%,$(GPU_CUDA)),$(filter probe semantics,$(WANTED))), \
    $(error make $(filter probe semantics,$(WANTED)) needs a CUDA 13 toolkit; $(NVCC) is of CUDA 12))

# LAB="lab03 lab05/NAME": with these submissions and the reference solutions of their labs only
.PHONY: bundle
bundle: $$(AUDITED_LABS) $(DEV)/cuda_version $$(addprefix $(JUDGE)/,$$(AUDITED_LABS)) $(JUDGE)/audit $(DEV)/load $(ASKERS) $(OUT)/timeline $$(MYTHS)
	@rm -rf $(BUNDLE); mkdir -p $(BUNDLE)/grader $(BUNDLE)/labs/myths $(BUNDLE)/$(DEV)/lib $(BUNDLE)/$(JUDGE)/lib
	@for n in $(AUDITED_LABS); do \
	    l=$(BUNDLE)/labs/$$(basename labs/$${n}_*); mkdir -p $$l; \
	    cp labs/$${n}_*/README.md labs/$${n}_*/hints.md $$l; cp -P build/$$n $(BUNDLE)/build; \
	done
	@for s in $(foreach d,$(DEV) build/sim,$(TWINNED:%=$d/%/)); do \
	    mkdir -p $(BUNDLE)/$$s; cp $${s}subject $${s}submission $${s}lab.c* $(BUNDLE)/$$s; \
	done
	@mkdir -p $(BUNDLE)/build/sim/lib; cp -P build/sim/lib/libcudart.so* $(BUNDLE)/build/sim/lib; cp -r --parents common/simgpu/profiles $(BUNDLE)
	@cp -r --parents $(AUDITED_LABS:%=build/known/%/starter) $(BUNDLE)
	@cp -r --parents $(AUDITED_LABS:%=$(GEN)/labs/%/steps.tsv) $(AUDITED_LABS:%=$(GEN)/labs/%/expected.tsv) $(BUNDLE)
	@cp $(GRADE) $(BUNDLE); cp $(AUDITED_LABS:%=$(JUDGE)/%) $(JUDGE)/audit $(BUNDLE)/$(JUDGE); cp -r grader/labs $(BUNDLE)/grader
	@mkdir $(BUNDLE)/$(DEV)/myths; cp $(MYTHS) $(BUNDLE)/$(DEV)/myths; cp labs/myths/*.txt labs/myths/check.sh $(BUNDLE)/labs/myths
	@cp $(OUT)/timeline $(BUNDLE)/build; cp $(ASKERS) $(DEV)/load $(DEV)/cuda_version $(BUNDLE)/$(DEV)
	@cp $$($(call needed,$(DEV)/load)) $(wildcard $(CUPTI_LIB)/libcupti.so.1[23]) $(BUNDLE)/$(DEV)/lib
	@cp $$($(call needed,$(AUDITED_LABS:%=$(JUDGE)/%))) $(BUNDLE)/$(JUDGE)/lib
	@printf '#!/bin/sh\ncd "$$(dirname "$$0")" && exec $(JUDGE)/audit gpu --commit $(or $(COMMIT),unknown) "$$@"\n' >$(BUNDLE)/audit; chmod +x $(BUNDLE)/audit
	@find $(BUNDLE) -path $(BUNDLE)/build/sim -prune -o -type f -perm /100 -exec strip --strip-debug {} + 2>/dev/null || true
	@du -sh $(BUNDLE)
	@echo "on the GPU machine: cd build/bundle && ./grade lab01, or ./audit for all of them"
