# Streams and graphs. `make` alone lists what there is to do.
#
# Read from top to bottom: settings, set-up, how a file is compiled, the simulated device, what both devices share,
# the judge, labs, starters, tests, tools. Everything is built under build/, only ./grade beside it.

# ---- settings

# sim, gpu, or auto: gpu where a GPU and nvcc answer, else sim
DEVICE ?= auto
# 1: the reference solution instead of labs/labNN_*/
SOLUTION ?=
# a folder with a lab.c (or lab.cu): that instead
SUBMISSION ?=
# 1: simulated device and judge with the address and undefined-behaviour sanitizers, under build/san/
SAN ?=
# no: set-up only says what is missing
SETUP ?=
# figures for make plots; a folder of plots/data to draw them from
FIG ?=
DATA ?=
# a CUDA 13 toolkit, where nvcc is not on PATH
CUDA_HOME ?=
# 1: show every command
V ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: FORCE
SHELL := /bin/bash
WANTED := $(or $(MAKECMDGOALS),help)
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(findstring -j,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- set-up
# common/setup.sh finds (or gets) compilers, Criterion, gnuplot, CUDA headers…; where they are is in build/setup.mk.

ifneq ($(filter-out help clean,$(WANTED)),)
ifneq ($(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),)
SETUP := no
endif
set-up = CUDA_HOME='$(CUDA_HOME)' SETUP='$(SETUP)' common/setup.sh
ifneq ($(filter test bundle,$(WANTED))$(DATA),)
override DEVICE := $(if $(filter bundle,$(WANTED)),gpu,sim)
endif
ifeq ($(DEVICE),auto)
override DEVICE := $(shell $(set-up) which-device)
endif
ifeq ($(filter sim gpu,$(DEVICE)),)
$(error DEVICE=$(DEVICE)? It is sim, gpu or auto)
endif
# what is measured is kept under the GPU's name
ifneq ($(and $(filter gpu,$(DEVICE)),$(filter plots probe validate fit,$(WANTED))),)
MEASURED := $(subst $(eval) ,_,$(shell name=$$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null) && echo "$$name" | head -n 1))
$(if $(MEASURED),,$(error no GPU answers (nvidia-smi names none): DEVICE=sim takes the simulated device, DATA=NVIDIA_H200 what was measured before))
endif
$(if $(SAN),$(if $(filter gpu,$(DEVICE)),$(error SAN=1 is for the simulated device: add DEVICE=sim)))
ifneq ($(shell $(set-up) $(if $(filter setup,$(WANTED)),again,need) $(DEVICE) >&2; echo $$?),0)
$(error set-up is not complete; what to do is said above)
endif
include build/setup.mk
endif

# ---- how a file is compiled

CC := gcc
CXX := g++
comma := ,
OUT := build$(if $(SAN),/san)
DEV := $(OUT)/$(DEVICE)
SIM := $(OUT)/sim
JUDGE := $(OUT)/grader

SANITIZE := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
WARN := -Wall -Wextra -Wpedantic -Wno-format-truncation
INCLUDE := -I. -Icommon -Icommon/simgpu -Ikernels -Igrader -isystem $(CUDA_INC)
BASE := -D_GNU_SOURCE -O2 -g -pthread -ffp-contract=off $(SANITIZE) -MMD -MP $(WARN) $(INCLUDE)
C_FLAGS := -std=c11 $(BASE) -Werror
# device code for the simulated device, and its CPU references alone for the judge
CU_FLAGS := -x c++ -std=c++17 $(BASE) -Werror
# and for a GPU: binaries for sm_80 and sm_90 (and what is compatible), PTX from which the driver makes the others
CUDA_CODE := $(foreach a,80 90,-gencode arch=compute_$(a)$(comma)code=sm_$(a)) -gencode arch=compute_75,code=compute_75
NVCC_FLAGS := -std=c++17 -O2 -lineinfo -D_GNU_SOURCE -Xcompiler=-Wall,-Wextra,-fPIC -MMD -MP $(INCLUDE) $(CUDA_CODE)
LD_FLAGS := -pthread $(SANITIZE)

# On a GPU, device code that calls the device's own runtime (grader/*.cu, plots/figures/*.cu, a lab.cu) is compiled with -rdc=true, and
# linked twice: what nvcc makes of all of it is one more object file. $(call device-link,NAME,OBJECTS): NAME.device.o
DEVICE_RUNTIME = $(if $(filter %.device.o,$^),-L$(CUDA_LIB) -lcudadevrt)
device-link = $(if $(and $(filter gpu,$(DEVICE)),$(filter %.cu.o,$(2))),$(1).device.o)
%.device.o:
	@mkdir -p $(@D)
	$(call say,nvcc $@)$(NVCC) $(CUDA_CODE) -dlink $^ -o $@ -L$(CUDA_LIB) -lcudadevrt

# $(call say,WORDS): before a command, shows these words instead of it
say = $(if $(V),,@echo '  $(1)';)
# $(call objects,FOLDER,SOURCES): their object files under FOLDER/obj
objects = $(patsubst %,$(1)/obj/%.o,$(patsubst %.S,%,$(patsubst %.c,%,$(2))))
# $(call libraries,FROM,TO): a program in folder FROM finds libraries in folder TO, also when the checkout is moved
libraries = -L$(2) -Wl,-rpath,'$$ORIGIN/$(shell realpath -ms --relative-to=$(1) $(2))'

$(DEV)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(C_FLAGS) $(if $(CUPTI_INC),-isystem $(CUPTI_INC)) -c $< -o $@

$(DEV)/obj/%.cu.o: %.cu
	@mkdir -p $(@D)
ifeq ($(DEVICE),gpu)
	$(call say,nvcc $<)$(NVCC) $(if $(filter grader/% plots/figures/%,$<),-rdc=true) $(NVCC_FLAGS) -MF $(@:.o=.d) -c $< -o $@
else
	$(call say,c++ $<)$(CXX) $(CU_FLAGS) -fPIC -include common/simgpu/kernel.h -c $< -o $@
endif

$(JUDGE)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(C_FLAGS) -c $< -o $@

$(JUDGE)/obj/%.cu.o: %.cu
	@mkdir -p $(@D)
	$(call say,c++ $< (references))$(CXX) $(CU_FLAGS) -DREFERENCE_ONLY -c $< -o $@

%.a:
	$(call say,ar $@)rm -f $@ && ar crs $@ $^

# ---- the simulated device: build/sim/lib/libcudart.so

SIM_SOURCES := $(wildcard common/simgpu/*/*.c common/simgpu/*/*.S)
SIM_OBJECTS := $(call objects,$(SIM),$(SIM_SOURCES))
SIM_FLAGS = $(C_FLAGS) -fPIC -fvisibility=hidden

$(SIM)/obj/common/simgpu/%.o: common/simgpu/%.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(SIM_FLAGS) -c $< -o $@

$(SIM)/obj/common/simgpu/%.o: common/simgpu/%.S
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(SIM_FLAGS) -c $< -o $@

$(SIM)/obj/common/simgpu/core/profile.o: common/simgpu/profiles/h200.profile

# every runtime function of the installed header that the sources do not define
$(SIM)/gen/stubs.c: common/simgpu/api/stubs.awk $(CUDA_INC)/cuda_runtime_api.h $(SIM_OBJECTS)
	@mkdir -p $(@D)
	$(call say,awk $<)awk -f $< <(nm --defined-only $(SIM_OBJECTS)) $(CUDA_INC)/cuda_runtime_api.h >$@

$(SIM)/gen/stubs.o: $(SIM)/gen/stubs.c
	$(call say,cc $<)$(CC) $(SIM_FLAGS) -c $< -o $@

$(SIM)/lib/libcudart.so: $(SIM_OBJECTS) $(SIM)/gen/stubs.o common/simgpu/api/cudart.map
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) -shared $(LD_FLAGS) -Wl,-soname,libcudart.so.13 $(if $(SAN),,-Wl$(comma)-z$(comma)defs) \
	    -Wl,--version-script=common/simgpu/api/cudart.map $(filter %.o,$^) -o $@.13 -lm -ldl
	@ln -sf libcudart.so.13 $@

# the same for tests that look inside
$(SIM)/lib/libsimgpu.a: $(SIM_OBJECTS) $(SIM)/gen/stubs.o | $(SIM)/lib/libcudart.so

include common/simcc/simcc.mk

sim: $(SIM)/lib/libcudart.so $(SIMCC)
	@echo "compiler $(abspath $(SIMCC)): simcc FILE.cu... -o PROGRAM"
	@echo "lib $(abspath $(<D))"
	@echo "include $(CUDA_INC)"

# ---- what a subject is made of: a submission, kernels, the judge's hand inside the process

LABS := $(notdir $(wildcard labs/lab[0-9][0-9]_*))
NUMBERS := $(foreach l,$(LABS),$(firstword $(subst _, ,$(l))))
# $(call lab,lab03): lab03_overlap
lab = $(filter $(1)_%,$(LABS))
# $(call sources,FOLDER): the lab.c and lab.cu in it
sources = $(or $(wildcard $(1)/lab.c $(1)/lab.cu),$(1)/lab.c)

COMMON_SOURCES := $(filter-out $(if $(filter gpu,$(DEVICE)),%_sim.c,%_cupti.c %_gpu.c),$(wildcard common/*.c))
SUBJECT_SOURCES := $(wildcard grader/subject/*.c grader/wire/*.c)
SUBJECT_OBJECTS := $(call objects,$(DEV),$(COMMON_SOURCES) $(SUBJECT_SOURCES))
KERNELS := $(DEV)/lib/libkernels.a
$(KERNELS): $(call objects,$(DEV),$(wildcard kernels/*.cu)) | $(DEV)/lib/.
%/.:
	@mkdir -p $@

ifeq ($(DEVICE),gpu)
CUDART := $(CUDA_LIB)/libcudart.so
# the first three are for a bundle, which brings the library in build/gpu/lib
CUDART_LINK = -L$(CUDA_LIB) -lcudart $(foreach l,'$$ORIGIN/lib' '$$ORIGIN/../lib' '$$ORIGIN/../../../lib' \
    $(CUDA_LIB) $(CUPTI_LIB),-Wl,-rpath,$(l))
else
CUDART := $(SIM)/lib/libcudart.so
CUDART_LINK = $(call libraries,$(@D),$(SIM)/lib) -lcudart
endif

# A submission may have warnings, but what C11 forbids it forbids here too, where the compiler can point at it.
LAB_COMMON = -Ilabs/$(call lab,$(LAB)) $(if $(filter solutions/%,$<),-DSOLUTION) -c $< -o $@
LAB_C = $(CC) $(filter-out -Werror -Wpedantic -MMD -MP,$(C_FLAGS)) $(LAB_COMMON) \
    $(addprefix -Werror=,implicit-function-declaration incompatible-pointer-types int-conversion)
LAB_CU = $(filter-out -Werror -Wpedantic -MMD -MP,$(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS), \
    $(SIMCC) $(filter-out -x c++,$(CU_FLAGS)) -fPIC)) $(LAB_COMMON)
# and the compiler's own bounds: a minute, 256 MiB of output, 2 GiB (what nvcc starts takes more): #include "/dev/zero"
LAB_LIMIT = -t 60 -f 262144 $(if $(and $(filter gpu,$(DEVICE)),$(filter %.cu,$<)),,-v 2097152)
# not from the compiler's own list: that names files which are gone when another submission is built
LAB_HEADERS := $(wildcard common/*.h kernels/*.h common/simgpu/*.h common/simgpu/kernel/*.h)

# what the linker says of a submission, in words; the rest as it is
link-words = sed -nE \
    -e "s/.*undefined reference to .([A-Za-z0-9_]+).*/  \1 is not defined: labs\/$(call lab,$(LAB))\/lab.h says what it does/p" \
    -e "s/.*multiple definition of .([A-Za-z0-9_]+).*/  \1 must not be defined: the program around the lab has its own/p"

# $(call part,lab03,FOLDER,SOURCE,HINT): the object file of SOURCE, FOLDER/lab.o or FOLDER/lab.cu.o.
# Only what its contract names is seen by the rest, and it sees nothing of the grader: grader/fence.sh.
part-of = $(1)/$(patsubst lab.c,lab.o,$(patsubst %.cu,%.cu.o,$(notdir $(2))))
define part
$(call part-of,$(2),$(3)): LAB := $(1)
$(call part-of,$(2),$(3)): $(3) $(2)/submission $(wildcard $(addprefix $(dir $(3)),*.c *.cu *.h) labs/$(1)_*/*.h) $(LAB_HEADERS) \
    grader/fence.sh | $(LAB_FIRST)
	@rm -f $(2)/subject
	@ulimit $$(LAB_LIMIT) 2>/dev/null; $$(if $$(filter %.cu,$$<),$$(LAB_CU),$$(LAB_C)) || \
	    { echo "$(1): $(3) does not compile; mend the first error above and run make $(1)$(4) again" >&2; exit 1; }
	@grader/fence.sh $(1) $$< $$@ || \
	    { echo "$(1): $(3) does not link; mend that and run make $(1)$(4) again" >&2; exit 1; }

endef

# What a subject has of device code that may call the device's own runtime: of the lab, and of its adapter.
device-parts = $(filter %.cu.o,$(foreach s,$(3),$(call part-of,$(2),$(s))) \
    $(call objects,$(DEV),$(wildcard grader/labs/$(1)/*.cu)))

# $(call subject,lab03,FOLDER,SOURCES,NAME,HINT): builds FOLDER/subject from lab.c, lab.cu or both; ./grade reads
# the last line of FOLDER/submission. What is in the sources counts, not only their age: those unpacked from an archive
# may be older than what was built last, in the same place, for somebody else.
define subject
$(2)/subject: LAB := $(1)
$(2)/submission: FORCE | $(2)/. $(3)
	@cat $(foreach s,$(3),$(wildcard $(addprefix $(dir $(s)),*.c *.cu *.h)) $(s)) | cksum | \
	    { read -r sum; printf '%s\n' '$(4)' '$(3)' "$$$$sum" '$(firstword $(3))'; } >$$@.new
	@cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(foreach s,$(3),$(call part,$(1),$(2),$(s),$(5)))
$(2)/lab.device.o: $(device-parts)
$(2)/subject: $(foreach s,$(3),$(call part-of,$(2),$(s))) $(call device-link,$(2)/lab,$(device-parts)) $(SUBJECT_OBJECTS) \
              $(call objects,$(DEV),$(wildcard grader/labs/$(1)/adapter.c grader/labs/$(1)/*.cu)) $(KERNELS) $(CUDART)
	@$$(CXX) $$(LD_FLAGS) $$(filter %.o %.a,$$^) $$(DEVICE_RUNTIME) $$(CUDART_LINK) -lm -ldl -o $$@ 2>$(2)/link.log || \
	    { $$(link-words) $(2)/link.log | sort -u | grep . || cat $(2)/link.log; rm -f $$@; \
	      $(foreach f,$(filter-out $(notdir $(3)),$(notdir $(call sources,labs/$(call lab,$(1))))), \
	          echo "  $(1) has a $f, too: copy labs/$(call lab,$(1))/$f to $(dir $(firstword $(3)))";) \
	      echo "$(1): $(firstword $(3)) does not link; mend that and run make $(1)$(5) again"; exit 1; } >&2

endef

# everything else comes before the submission, so that the compiler's words about it are the last ones
LAB_FIRST := $(SUBJECT_OBJECTS) $(KERNELS) $(CUDART) $(if $(filter sim,$(DEVICE)),$(SIMCC))

# ---- the judge: ./grade, and a suite a lab

SUITES := $(NUMBERS:%=$(JUDGE)/%)
suite-sources = $(filter-out %/adapter.c,$(wildcard grader/labs/$(1)/*.c))
JUDGE_SOURCES := $(wildcard $(addprefix grader/,judge/*.c jail/*.c query/*.c report/*.c session/*.c wire/*.c command/grade_*.c))
JUDGE_SOURCES += $(filter-out %_sim.c %_cupti.c %_gpu.c,$(wildcard common/*.c)) $(wildcard kernels/*.cu)
GRADE := $(if $(SAN),$(JUDGE)/grade,grade)

# Criterion, libseccomp and what they need are looked for in lib/ beside the program first: make bundle puts them there
CRITERION_LINK = -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' -lcriterion -lseccomp -lm -ldl

$(JUDGE)/lib/libjudge.a: $(call objects,$(JUDGE),$(JUDGE_SOURCES)) | $(JUDGE)/lib/.

$(SUITES): $(JUDGE)/%: $$(call objects,$(JUDGE),$$(call suite-sources,$$*)) $(JUDGE)/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ $(CRITERION_LINK) -o $@

$(JUDGE)/audit: $(call objects,$(JUDGE),$(wildcard grader/audit/*.c))
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ -o $@

$(GRADE): $(JUDGE)/obj/grader/command/grade.o $(JUDGE)/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ -lm -ldl -o $@

# ---- labs: make lab03 [SOLUTION=1 | SUBMISSION=folder]

# a folder with a blank or the like in its name goes by another one from here on
ifneq ($(value SUBMISSION),)
ASKED := $(value SUBMISSION)
override SUBMISSION := $(or $(shell grader/folder.sh '$(subst ','\'',$(ASKED))'),$(error SUBMISSION=$(ASKED) cannot be used))
ifeq ($(wildcard $(call sources,$(SUBMISSION))),)
# and what was built before is not to be judged in its place
$(shell rm -f $(foreach n,$(filter $(NUMBERS),$(WANTED)),$(DEV)/$(n)/subject))
$(error SUBMISSION=$(ASKED) has no lab.c and no lab.cu)
endif
endif
# two that are built at once would be mixed
ifneq ($(filter $(NUMBERS) probe validate $(if $(DATA),,plots),$(WANTED)),)
$(shell grader/turn.sh $$PPID)
endif
SOLVED := $(filter-out 0 no,$(SOLUTION))
# $(call chosen,lab03): the sources that are built; how it is called; what was said to choose it
chosen = $(call sources,$(or $(SUBMISSION),$(if $(SOLVED),solutions,labs)/$(call lab,$(1))))
chosen-name = $(if $(SUBMISSION),$(notdir $(SUBMISSION:/=)),$(if $(SOLVED),solution,yours))
chosen-words = $(if $(SUBMISSION), SUBMISSION=$(SUBMISSION),$(if $(SOLVED), SOLUTION=1))

$(foreach n,$(NUMBERS),$(eval $(call subject,$(n),$(DEV)/$(n),$(call chosen,$(n)),$(chosen-name),$(chosen-words))))

.PHONY: $(NUMBERS)
$(NUMBERS): $(DEV)/$$@/subject $(DEV)/$$@/ref_subject $(JUDGE)/$$@ $(GRADE)
	@echo $(DEVICE) >$(OUT)/$@.device
	@echo "$@: built from $(call chosen,$@) for the $(if $(filter gpu,$(DEVICE)),GPU,simulated device); now ./grade $@"

$(DEV)/%/ref_subject: $(DEV)/audit/%/solution/subject | $(DEV)/%/.
	@ln -sfnr $< $@

ifneq ($(filter-out $(NUMBERS),$(filter lab%,$(WANTED))),)
$(error there is no $(filter-out $(NUMBERS),$(filter lab%,$(WANTED))); the labs are: $(LABS))
endif

# ---- starters: labs/labNN_*/lab.c from solutions/labNN_*/lab.c

STARTERS := $(foreach l,$(LABS),$(patsubst solutions/%,build/starters/%,$(wildcard solutions/$(l)/lab.c solutions/$(l)/lab.cu)))

# unifdef's status is 1 where it changed something, which it must
build/starters/%: solutions/%
	@mkdir -p $(@D)
	@unifdef -USOLUTION -o $@ $<; [ $$? = 1 ] || { echo "$<: nothing is marked #ifdef SOLUTION" >&2; exit 1; }

starters: $(STARTERS)
	@for new in $^; do \
	    lab=labs/$${new#build/starters/}; \
	    cmp -s $$new $$lab && continue; \
	    if [ -z "$(FORCE)" ] && ! git diff --quiet HEAD -- $$lab; then \
	        echo "$$lab has changes that are not committed: left as it is (make starters FORCE=1 overwrites it)"; \
	    else \
	        cp $$new $$lab && echo "$$lab written"; \
	    fi; \
	done

# ---- audit: every submission whose verdict is known, and the verdict

# $(call submissions,lab03): starter, solution, and the others that are known to be right or wrong
known = $(notdir $(patsubst %/,%,$(wildcard grader/labs/$(1)/$(2)/*/)))
submissions = starter solution $(call known,$(1),right) $(call known,$(1),wrong)
$(foreach n,$(NUMBERS),$(foreach s,$(filter $(call known,$(n),right),$(call known,$(n),wrong) starter solution), \
    $(error grader/labs/$(n)/right/$(s) has the name of another submission of known verdict: see grader/labs/$(n)/wrong)))
# $(call submission,lab03,NAME): its sources; of a known one that has only lab.c or lab.cu the other is the solution's
solution-of = $(call sources,solutions/$(call lab,$(1)))
known-part = $(foreach s,$(notdir $(solution-of)),$(or $(wildcard grader/labs/$(1)/*/$(2)/$(s)),solutions/$(call lab,$(1))/$(s)))
submission = $(or $(if $(filter starter,$(2)),$(patsubst solutions/%,build/starters/%,$(solution-of))), \
                  $(if $(filter solution,$(2)),$(solution-of)),$(known-part))

$(foreach n,$(NUMBERS),$(foreach s,$(call submissions,$(n)),$(eval \
    $(call subject,$(n),$(DEV)/audit/$(n)/$(s),$(call submission,$(n),$(s)),$(s)))))
AUDITED := $(foreach n,$(NUMBERS),$(foreach s,$(call submissions,$(n)),$(DEV)/audit/$(n)/$(s)/subject))

# ---- tests of the course: grader/tests

TEST_SOURCES := $(wildcard grader/tests/*/test_*.c)
TESTS := $(addprefix $(JUDGE)/tests/,$(basename $(notdir $(TEST_SOURCES))))
# those that include a private header of the simulated device are linked with its insides, the others with the library
PRIVATE_TESTS := $(patsubst %.c,$(JUDGE)/tests/%,$(notdir $(shell grep -lE '/(worker|grid)\.h"' \
    $(TEST_SOURCES))))
# the corpus of conformance rows, and what they are made of
CORPUS := $(filter-out %/ask.c %/test_conformance.c,$(foreach f,*.c *.cu corpus/*.c,$(wildcard grader/tests/conformance/$(f)))) \
    grader/tests/random/launch_script.cu
RANDOM_PROGRAMS := $(filter-out %/random.c %/test_random.c,$(wildcard grader/tests/random/*.c grader/tests/random/*.cu))

TEST_COMMON := $(call objects,$(SIM),$(filter-out %_cupti.c %_gpu.c,$(wildcard common/*.c)))
# what the tests of one subject share
test-parts = $(call objects,$(SIM),$(filter %/$(1).c,$(TEST_SOURCES)) $(wildcard $(TEST_PARTS_$(1))))
TEST_PARTS_test_exec := grader/tests/simgpu/exec_*.cu
TEST_PARTS_test_conformance := $(CORPUS)
TEST_PARTS_test_random := $(RANDOM_PROGRAMS)
TEST_PARTS_test_conditional := grader/tests/random/conditional_kernels.cu
TEST_PARTS_test_device_launch := grader/tests/simgpu/launch_kernels.cu
TEST_PARTS_test_graph_lifetime := grader/tests/simgpu/launch_kernels.cu grader/tests/conformance/log_kernels.cu

$(TESTS): $(JUDGE)/tests/%: $$(call test-parts,$$*) $(TEST_COMMON) $(SIM)/lib/libkernels.a $(JUDGE)/lib/libjudge.a
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o,$^) $(filter %.a,$^) $(CRITERION_LINK) $(TEST_LINK) -o $@
$(PRIVATE_TESTS): $(SIM)/lib/libsimgpu.a
$(filter-out $(PRIVATE_TESTS),$(TESTS)): $(SIM)/lib/libcudart.so
$(filter-out $(PRIVATE_TESTS),$(TESTS)): TEST_LINK = $(call libraries,$(@D),$(SIM)/lib) -lcudart

# lab 00, with which the judge itself is judged: no device, and submissions that do not want to be judged
LAB00 := $(filter-out %/defines_main,$(patsubst grader/tests/judge/hostile/%.c,$(SIM)/lab00/%,$(wildcard grader/tests/judge/hostile/*.c)))
LAB00_SOURCES := grader/tests/judge/lab00/adapter.c common/clock.c \
    $(filter-out %/bench.c %graph.c %/batches.c,$(SUBJECT_SOURCES))
$(SIM)/obj/grader/tests/judge/hostile/%.o: C_FLAGS := $(filter-out -W%,$(C_FLAGS)) -w
$(LAB00): $(SIM)/lab00/%: $(SIM)/obj/grader/tests/judge/hostile/%.o $(call objects,$(SIM),$(LAB00_SOURCES))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ -lm -ldl -o $@
$(SIM)/lab00/subject $(SIM)/lab00/ref_subject: $(SIM)/lab00/good
	@cp $< $@
$(JUDGE)/lab00: $(JUDGE)/obj/grader/tests/judge/lab00/suite.o
$(JUDGE)/lab00_clock: $(JUDGE)/obj/grader/tests/judge/lab00/clock.o
$(JUDGE)/lab00 $(JUDGE)/lab00_clock: $(JUDGE)/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(filter %.o,$^) $(filter %.a,$^) $(CRITERION_LINK) -o $@
$(JUDGE)/tests/test_judge $(JUDGE)/tests/test_judge_parts: | $(LAB00) $(SIM)/lab00/subject \
    $(SIM)/lab00/ref_subject $(JUDGE)/lab00 $(JUDGE)/lab00_clock $(GRADE)

ASK_OBJECTS := $(call objects,$(DEV),grader/tests/conformance/ask.c $(CORPUS) common/clock.c)
$(DEV)/ask.device.o: $(filter %.cu.o,$(ASK_OBJECTS))
$(DEV)/ask: $(ASK_OBJECTS) $(call device-link,$(DEV)/ask,$(ASK_OBJECTS)) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o,$^) $(DEVICE_RUNTIME) $(CUDART_LINK) -o $@

# does the device answer as an H200 did?
semantics: $(DEV)/ask
	@SIMGPU_REPORT=0 $< 2>$<.log

RANDOM_OBJECTS := $(call objects,$(DEV),grader/tests/random/random.c $(RANDOM_PROGRAMS))
$(DEV)/random.device.o: $(filter %.cu.o,$(RANDOM_OBJECTS))
$(DEV)/random: $(RANDOM_OBJECTS) $(call device-link,$(DEV)/random,$(RANDOM_OBJECTS)) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o,$^) $(DEVICE_RUNTIME) $(CUDART_LINK) -o $@

# sayings about streams and graphs, each with the program that settles it: labs/MYTHS.md
MYTHS := $(patsubst labs/%.c,$(DEV)/%,$(wildcard labs/myths/*.c))
$(MYTHS): $(DEV)/myths/%: $(DEV)/obj/labs/myths/%.o $(call objects,$(DEV),common/clock.c) $(KERNELS) $(CUDART)
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o %.a,$^) $(CUDART_LINK) -lm -ldl -o $@
$(JUDGE)/tests/test_myths: | $(MYTHS)
$(JUDGE)/tests/test_plots: | $$(FIGURE_PROGRAMS)
# it reads their objects
$(JUDGE)/tests/test_dependencies: | $(SUITES) $(JUDGE)/audit $(GRADE) $$(REFERENCES)
myths: $(MYTHS)
	@labs/myths/check.sh $(DEV)/myths

# With SAN=1: those tests that gain by it. Faults that a test provokes are its own to see, and a kernel's threads share
# a stack, which the sanitizer's own one for locals would hide.
SANITIZED := $(filter-out test_commands test_footprints $(notdir $(basename $(shell grep -l checkout.h $(TEST_SOURCES)))), \
    $(notdir $(TESTS)))
SAN_OPTIONS := env ASAN_OPTIONS=handle_segv=0:detect_stack_use_after_return=0

# what make test runs, a test of build/grader/course each
$(JUDGE)/gen/course.inc: FORCE | $(JUDGE)/gen/.
	@{ $(foreach t,$(notdir $(TESTS)),echo 'COURSE($(t), "$(JUDGE)/tests/$(t) -j1")';) \
	   $(foreach n,$(NUMBERS),echo 'COURSE(audit_$(n), "$(JUDGE)/audit sim $(n)")';) \
	   $(foreach t,$(SANITIZED),echo 'COURSE(sanitized_$(t), "$(SAN_OPTIONS) build/san/grader/tests/$(t) -j1")';) \
	   } >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
$(JUDGE)/obj/grader/tests/course/course.o: $(JUDGE)/gen/course.inc
$(JUDGE)/obj/grader/tests/course/course.o: C_FLAGS += -I$(JUDGE)/gen
$(JUDGE)/course: $(JUDGE)/obj/grader/tests/course/course.o
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ $(CRITERION_LINK) -o $@

REFERENCES := $(foreach n,$(NUMBERS),$(DEV)/$(n)/ref_subject)
test: $(JUDGE)/course $(TESTS) $(JUDGE)/audit $(SUITES) $(GRADE) $(AUDITED) $(REFERENCES) \
      $(DEV)/bench_sim $(DEV)/probe $(OUT)/timeline
	@$(MAKE) SAN=1 sanitized-programs
	@mkdir -p $(JUDGE)/log
	@$(JUDGE)/course --verbose -j2

sanitized-programs: $(SANITIZED:%=$(JUDGE)/tests/%)
sanitized: sanitized-programs
	@for t in $(SANITIZED); do echo "$$t"; $(SAN_OPTIONS) $(JUDGE)/tests/$$t -j1 || exit 1; done

audit: $(JUDGE)/audit $(SUITES) $(GRADE) $(AUDITED) $(REFERENCES)
	@$< $(DEVICE)

# ---- tools

# how fast the simulated device is, on this machine
$(DEV)/bench_sim: $(call objects,$(DEV),grader/tests/simgpu/bench_sim.c) $(KERNELS) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o %.a,$^) $(CUDART_LINK) -o $@
bench: $(DEV)/bench_sim
	@$<

$(OUT)/timeline: $(call objects,$(JUDGE),plots/timeline.c) $(JUDGE)/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ -lm -o $@
timeline: $(OUT)/timeline
	@echo "./grade labNN --trace t.csv traces a lab, SIMGPU_TRACE=t.csv ./program any program on the simulated device;"
	@echo "build/timeline t.csv draws it, build/timeline t.csv t.svg as a picture"

# ---- plots: what a profile is fitted to (probe), and the figures

$(DEV)/probe: $(call objects,$(DEV),$(wildcard plots/probe*.c plots/probe*.cu) $(COMMON_SOURCES)) $(KERNELS) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o %.a,$^) $(CUDART_LINK) -lm -ldl -o $@

# Modelled times need no results, and are kept apart from measured ones.
PLOTS := build/plots
MODEL_ONLY := SIMGPU_COMPUTE=0 SIMGPU_CHECKS=0 SIMGPU_REPORT=0
# measures aside: what was measured before stays until all is there
define probe-aside
@rm -f build/turn; mkdir -p $(PLOT_DATA) $(PLOTS)/probe
$(if $(filter sim,$(DEVICE)),$(MODEL_ONLY)) $< $(PLOTS)/probe || \
    { echo "make probe: not finished. $(PLOT_DATA) is as it was; what was measured is in $(PLOTS)/probe" >&2; exit 1; }
@mv $(PLOTS)/probe/* $(PLOT_DATA) && rmdir $(PLOTS)/probe
endef
ifeq ($(DEVICE),gpu)
PLOT_DATA := plots/data/$(MEASURED)
probe: $(DEV)/probe
	$(probe-aside)
	@echo "measured: $(PLOT_DATA)"
else
MEASURED := simulated
PLOT_DATA := $(PLOTS)/simulated
probe: $(DEV)/probe
	$(probe-aside)
	@for t in probe graphs conditions; do awk -f plots/compare.awk plots/data/NVIDIA_H200/$$t.csv $(PLOT_DATA)/$$t.csv; done
	@echo "simulated: $(PLOT_DATA), above beside what was measured on an H200"
endif

# make plots [FIG='launch width'] [DATA=NVIDIA_H200]: a program and a script a figure, plots/figures/NAME.c and .gp
FIGURES := $(patsubst plots/figures/%.gp,%,$(wildcard plots/figures/*.gp))
CHOSEN := $(or $(FIG),$(FIGURES))
ifneq ($(filter-out $(FIGURES),$(FIG)),)
$(error there is no figure $(filter-out $(FIGURES),$(FIG)); the figures are: $(FIGURES))
endif
FIGURE_COMMON := plots/bench.c plots/bench_device.c plots/chain.c plots/batches.c grader/judge/interval.c $(COMMON_SOURCES)
FIGURE_PROGRAMS := $(FIGURES:%=$(DEV)/plots/%)

$(FIGURE_PROGRAMS): C_FLAGS += -Iplots
# kernels that only one figure needs are in NAME_kernels.cu
figure-kernels = $(call objects,$(DEV),$(wildcard plots/figures/$(1)_kernels.cu))
$(foreach f,$(FIGURES),$(eval $(DEV)/plots/$(f).device.o: $(call figure-kernels,$(f))))
$(FIGURE_PROGRAMS): $(DEV)/plots/%: $(DEV)/obj/plots/figures/%.o $$(call figure-kernels,$$*) \
    $$(call device-link,$(DEV)/plots/$$*,$$(call figure-kernels,$$*)) $(call objects,$(DEV),$(FIGURE_COMMON)) $(KERNELS) $(CUDART)
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(filter %.o %.a,$^) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl -o $@

ifneq ($(DATA),)
ifeq ($(wildcard plots/data/$(DATA)),)
$(error there is no plots/data/$(DATA); there are: $(notdir $(wildcard plots/data/*)))
endif
plots:
	@WORDS='make plots DATA=$(DATA)' plots/run.sh draw plots/data/$(DATA) $(PLOTS)/$(DATA) $(CHOSEN)
else
plots: $(CHOSEN:%=$(DEV)/plots/%)
	@rm -f build/turn; \
	    WORDS='make plots DEVICE=$(DEVICE)' $(if $(filter sim,$(DEVICE)),$(MODEL_ONLY)) \
	    plots/run.sh both $(DEV)/plots $(PLOT_DATA) $(PLOTS)/$(MEASURED) $(CHOSEN)
	$(if $(filter sim,$(DEVICE)),@echo "simulated; what was measured is in plots/README.md; make plots DATA=NVIDIA_H200 draws it")
endif

# make validate [DATA=NVIDIA_H200]: the simulated device against figures that were measured, here or before, and against
# the times of the labs' solutions (labs.csv)
VALIDATED := launch three_ways width methods device_launch alloc break_even first_launch conditional overhead node_kinds inference pageable
ifneq ($(DATA),)
validate: $(VALIDATED:%=$(DEV)/plots/%) $(SUITES) $(GRADE) $(REFERENCES)
	@rm -f build/turn; CUDA_INC='$(CUDA_INC)' plots/validate.sh $(DEV)/plots plots/data/$(DATA) $(PLOTS)/validate $(VALIDATED)
else ifeq ($(DEVICE),gpu)
validate: $(SUITES) $(GRADE) $(REFERENCES)
	@rm -f build/turn; $(MAKE) plots DEVICE=gpu FIG='$(VALIDATED)' && CUDA_INC='$(CUDA_INC)' plots/labs.sh gpu 5 $(PLOT_DATA)/labs.csv && \
	    $(MAKE) validate DATA=$(MEASURED)
else
validate:
	@echo "make validate compares the simulated device with a GPU, and none answers here; make validate DATA=NVIDIA_H200 compares it with one that was measured before" >&2; exit 1
endif

# make fit [DATA=NVIDIA_H200]: the rows of the profile that plots/fit.rules names, from what make probe and make plots measured
PROBED = plots/data/$(or $(DATA),$(MEASURED))
fit:
	@[ -e $(PROBED)/probe.csv ] && [ -e $(PROBED)/graphs.csv ] || \
	    { echo "make fit: $(PROBED) has no probe.csv and graphs.csv: make probe on a GPU measures them; or name a folder of plots/data, make fit DATA=NVIDIA_H200" >&2; exit 1; }
	@mkdir -p $(PLOTS)
	@awk -f plots/fit.awk plots/fit.rules common/simgpu/profiles/h200.profile $(PROBED)/probe.csv $(PROBED)/graphs.csv \
	    $(wildcard $(VALIDATED:%=$(PROBED)/%.csv)) >$(PLOTS)/fitted.profile
	@echo "fitted: $(PLOTS)/fitted.profile. SIMGPU_PROFILE=$(PLOTS)/fitted.profile make validate DATA=… says how good it is; then copy it to common/simgpu/profiles"

# ---- bundle: a course in which nothing needs to be built, for a machine with a GPU and its driver

BUNDLE := build/bundle
# what a program needs beside the C library, which every machine has
needed = ldd $(1) | awk '/=> \// && $$1 !~ /^(ld-linux|libc|libm|libdl|libpthread|librt|libresolv)[.-]/ { print $$3 }' | sort -u

bundle: $(AUDITED) $(NUMBERS) $(JUDGE)/audit $(DEV)/probe $(DEV)/ask $(OUT)/timeline $(MYTHS)
	@rm -rf $(BUNDLE); mkdir -p $(BUNDLE)/grader
	@for n in $(NUMBERS); do \
	    d=$(BUNDLE)/$(DEV)/$$n; l=$(BUNDLE)/labs/$$(basename labs/$${n}_*); mkdir -p $$d $$l; \
	    cp $(DEV)/$$n/subject $(DEV)/$$n/submission $$d; cp -L $(DEV)/$$n/ref_subject $$d; \
	    cp labs/$${n}_*/README.md $$l; \
	done
	@for s in $(AUDITED); do mkdir -p $(BUNDLE)/$$(dirname $$s) && cp $$s $(BUNDLE)/$$s; done
	@mkdir -p $(BUNDLE)/$(DEV)/lib $(BUNDLE)/$(JUDGE)/lib
	@cp $(GRADE) $(BUNDLE); cp $(SUITES) $(JUDGE)/audit $(BUNDLE)/$(JUDGE); cp -r grader/labs $(BUNDLE)/grader
	@mkdir -p $(BUNDLE)/labs/myths; cp -r $(DEV)/myths $(BUNDLE)/$(DEV); cp labs/myths/*.txt labs/myths/check.sh $(BUNDLE)/labs/myths
	@cp $(OUT)/timeline $(BUNDLE)/build; cp $(DEV)/probe $(DEV)/ask $(BUNDLE)/$(DEV)
	@cp $$($(call needed,$(DEV)/probe)) $(wildcard $(CUPTI_LIB)/libcupti.so.13) $(BUNDLE)/$(DEV)/lib
	@cp $$($(call needed,$(SUITES))) $(BUNDLE)/$(JUDGE)/lib
	@printf '#!/bin/sh\ncd "$$(dirname "$$0")" && exec $(JUDGE)/audit gpu "$$@"\n' >$(BUNDLE)/audit; chmod +x $(BUNDLE)/audit
	@find $(BUNDLE) -type f -perm /100 -exec strip --strip-debug {} + 2>/dev/null || true
	@du -sh $(BUNDLE)
	@echo "on the GPU machine: cd build/bundle && ./grade lab01, or ./audit for all of them"

setup:
	@echo "all is there for DEVICE=$(DEVICE); see build/setup.mk"

clean:
	rm -rf build/sim build/gpu build/grader build/san build/starters build/bundle build/plots build/submissions build/class grade
	@echo "build/deps is kept: rm -r build removes it too"

define HELP
A course on CUDA streams and graphs, in C. The labs: $(NUMBERS)

  make labNN          builds your labs/labNN_*/lab.c; then ./grade labNN judges it
                        SOLUTION=1         the reference solution instead
                        SUBMISSION=folder  the lab.c in that folder instead
                        DEVICE=sim|gpu     which device (where a GPU and nvcc answer: gpu, else sim)
  make setup          looks for everything that is needed, and gets what is missing
                        SETUP=no           only says what is missing
  make sim            the simulated device as a libcudart.so for any C program, simcc, which
                      compiles any .cu file for it, and where they are
  make timeline       build/timeline, which draws traces: ./grade labNN --trace t.csv; build/timeline t.csv
  make plots          the figures of this machine's device (or of the simulated one), under build/plots
                        FIG='launch width'  only these
                        DATA=NVIDIA_H200    draws what was measured before, without any device
  make validate       the simulated device against this machine's GPU, or DATA=NVIDIA_H200: table and figure
  make fit            a profile from what make probe measured (DATA=NVIDIA_H200: measured before)
  make probe          what a profile of the simulated device is fitted to: plots/data/<device>
  make myths          what is said of streams and graphs, and what is so: runs the programs of labs/MYTHS.md
  make bundle         build/bundle: everything to grade on a GPU machine that has only the driver

For those who work on the course itself:

  make test           everything that needs no GPU
  make audit          the verdict on every submission whose verdict is known
  make semantics      asks the device what an H200 was asked, and says where it answers otherwise
  make starters       labs/labNN_*/lab.c from solutions/
  make bench          how fast the simulated device is, in real time
  make clean          removes what was built; what set-up got stays in build/deps

V=1 shows every command. SAN=1 builds simulated device and judge with sanitizers, under build/san.
endef
export HELP
help:
	@echo "$$HELP"

.PHONY: sim starters audit test sanitized sanitized-programs bench timeline plots probe validate fit myths semantics bundle setup clean help

# none whose object file is not there: the compiler had no room to write the whole of it, or was stopped
-include $(shell find build -name '*.d' -not -path 'build/deps/*' 2>/dev/null | while read -r d; do [ ! -e "$${d%.d}.o" ] || echo "$$d"; done)
