# Streams and graphs. `make` alone lists what there is to do.
#
# Here: settings, set-up, how a file is compiled, help. The rules of a part lie beside it:
#   common/simgpu/simgpu.mk   the simulated device
#   common/simcc/simcc.mk     the compiler for it
#   grader/grader.mk          the judge, ./grade, the audit, the bundle
#   grader/labs/labs.mk       labs, starters and known submissions
#   grader/tests/tests.mk     the tests
#   plots/plots.mk            measurements and figures
# Everything is built under build/, only ./grade beside it. Several makes may run in one checkout: each file is
# written under a name of its own and then renamed.

# ---- settings

# sim, gpu, or auto: gpu where a GPU and nvcc answer, else sim
DEVICE ?= auto
# 1: the reference solution instead of labs/labNN_*/
SOLUTION ?=
# a known submission, grader/labs/labNN/*/NAME: that instead
KNOWN ?=
# a folder with a lab.c (or lab.cu): that instead
SUBMISSION ?=
# 1: simulated device and judge with the address and undefined-behavior sanitizers, under build/san/
SAN ?=
# no: set-up only says what is missing
SETUP ?=
# figures for make plots; a folder of plots/data to draw them from
FIG ?=
DATA ?=
# a profile of common/simgpu/profiles for the simulated device, in place of the built-in one
PROFILE ?=
# a CUDA toolkit (for a GPU: 12.4 or newer), if nvcc is not on PATH
CUDA_HOME ?=
# 1: make test leaves nothing out
FULL ?=
# only this lab, or this submission
LAB ?=
# of make debug: the check
CHECK ?=
# of make audit: the inputs of an earlier one; so many gradings of each; where to write verdicts. Of make bench-class: gradings
SEED ?=
REPEAT ?=
VERDICTS ?=
N ?=
# what make arm64 runs, in place of everything; and under which kernel of one's own
STEPS ?=
KERNEL ?=
# 1: show every command
V ?=
# The environment may set these names. All others that the makefiles mention are set here: also those that only some targets have.
MORE :=
SANITIZE :=
GRADING :=
TAKEN :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: FORCE
# (with this one, make runs plain commands itself)
SHELL := /bin/sh
WANTED := $(or $(MAKECMDGOALS),help)
# make -n: nothing may change
DRY := $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS))))
# a make that this one starts has them, and would not share its jobs if they were set again
ifeq ($(findstring r,$(filter-out -%,$(firstword $(MAKEFLAGS)))),)
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(findstring -j,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
endif
ifneq ($(PROFILE),)
export SIMGPU_PROFILE := $(CURDIR)/common/simgpu/profiles/$(PROFILE).profile
ifeq ($(wildcard $(SIMGPU_PROFILE)),)
$(error there is no profile $(PROFILE); there are: $(basename $(notdir $(wildcard common/simgpu/profiles/*.profile))))
endif
endif

# A copy without solutions (make handout) has starters, suites and the objects of the solutions here, and lacks what some goals need
COMPILED := $(wildcard grader/compiled)
ABSENT := $(if $(COMPILED),test audit starters known handout exam gradescope image class rates bundle bench bench-class arm64 calls \
    semantics format check-format validate fit probe)
ifneq ($(filter $(ABSENT),$(WANTED)),)
$(error this copy of the course has no solutions and no tests, and make $(firstword $(filter $(ABSENT),$(WANTED))) needs them)
endif

# LAB=05 is LAB=lab05; some commands also take LAB=lab05/NAME
override LAB := $(foreach l,$(LAB),lab$(l:lab%=%))

# ---- set-up
# common/setup.sh finds (or gets) compilers, Criterion, gnuplot, CUDA headers…; where they are is in build/setup.mk.

ifneq ($(filter-out help clean image,$(WANTED)),)
set-up = CUDA_HOME='$(CUDA_HOME)' SETUP='$(if $(DRY),no,$(SETUP))' common/setup.sh
ifneq ($(filter test check exam format check-format bundle,$(WANTED))$(DATA),)
override DEVICE := $(if $(filter bundle,$(WANTED)),gpu,sim)
endif
ifeq ($(DEVICE),auto)
override DEVICE := $(if $(COMPILED),$(if $(wildcard grader/compiled/gpu),,sim))
override DEVICE := $(or $(DEVICE),$(shell $(set-up) which-device))
endif
ifeq ($(filter sim gpu,$(DEVICE)),)
$(error DEVICE=$(DEVICE)? It is sim, gpu or auto)
endif
# what is measured is kept under the GPU's name
ifneq ($(and $(filter gpu,$(DEVICE)),$(filter plots probe validate fit green,$(WANTED))),)
MEASURED := $(subst $(eval) ,_,$(shell name=$$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null) && echo "$$name" | head -n 1))
$(if $(MEASURED),,$(error no GPU answers (nvidia-smi names none): DEVICE=sim takes the simulated device, DATA=NVIDIA_H200 what was measured before))
endif
$(if $(SAN),$(if $(filter gpu,$(DEVICE)),$(error SAN=1 is for the simulated device: add DEVICE=sim)))
NEED := $(if $(filter setup,$(WANTED)),again,need) $(DEVICE) $(if $(filter test format check-format,$(WANTED)),format) \
    $(if $(filter test check sim,$(WANTED)),libraries)
ifneq ($(shell $(set-up) $(NEED) >&2; echo $$?),0)
$(error set-up is not complete; what to do is said above)
endif
include build/setup.mk
# make compares dates: a changed file with an old date gets the current one
# without set-up the flags are not those of a build
STATES := $(if $(DRY),,build/state)
ifneq ($(STATES),)
ifneq ($(shell common/redate.sh >&2; echo $$?),0)
$(error files cannot be dated; what to do is said above)
endif
endif
endif

# ---- how a file is compiled

CC := gcc
CXX := g++
comma := ,
# a build, and the same with sanitizers
OUTS := build build/san
# OUT= on the command line is the folder of make handout
HANDOUT := $(if $(filter command,$(origin OUT)),$(value OUT))
override OUT := build$(if $(filter debug,$(WANTED)),,$(if $(SAN),/san))
DEV := $(OUT)/$(DEVICE)
SIM := $(OUT)/sim
JUDGE := $(OUT)/grader

# (private: a prerequisite is compiled in one way, whoever needs it)
# What is never timed is compiled quickly: the judge, tests, figures and submissions for the simulated device, and what has
# sanitizers. Kernels and their CPU references compute much.
OPTIMIZE := -O2
build/grader/obj/%: private OPTIMIZE := -O1
build/sim/lab%/subject: private OPTIMIZE := -O1
build/grader/obj/kernels/%.cu.o build/sim/obj/kernels/%.cu.o: private OPTIMIZE := -O3
build/san/%: private OPTIMIZE := -O1
$(foreach o,$(OUTS),$(addprefix $(o)/sim/obj/,grader/tests/%.cu.o labs/myths/%.cu.o plots/%.cu.o)): private OPTIMIZE := -O1
$(foreach o,$(OUTS),$(addprefix $(o)/sim/obj/,grader/tests/%.o labs/myths/%.o plots/%.o)): private OPTIMIZE := -O0
build/sim/obj/grader/tests/simgpu/bench_%.o: private OPTIMIZE := -O2
build/debug/%: private OPTIMIZE := -O0

WARN := -Wall -Wextra -Wpedantic -Wno-format-truncation
# programs for a GPU are compiled with the headers of its toolkit, which may be CUDA 12; everything else with those of CUDA 13
INCLUDE = -I. -Icommon -Icommon/simgpu -Ikernels -Igrader -I$(GEN) $(if $(filter build/gpu/% build/debug/gpu/%,$@),$(GPU_HEADERS),-isystem $(CUDA_INC))
# (Debian's own toolkit is in /usr/include, where compilers look by themselves, and in another order than with -isystem)
GPU_HEADERS = $(patsubst %,-isystem %,$(filter-out /usr/include,$(GPU_INC))) $(if $(filter 12%,$(GPU_CUDA)),-include common/cuda12.h)
# by frame pointers, without tail calls, the simulated device finds the line of a call: common/simgpu/core/caller.c
FRAMES := -fno-omit-frame-pointer -fno-optimize-sibling-calls
# reports and sanitizers name lines; variables, for a debugger, only a learner's own lab has (labs.mk), and make debug
SYMBOLS := -g1
build/debug/%: private SYMBOLS := -g
BASE = -D_GNU_SOURCE $(SYMBOLS) $(OPTIMIZE) -pthread -ffp-contract=off $(FRAMES) $(SANITIZE) $(WARN) $(INCLUDE)
C_FLAGS = -std=c11 $(BASE) -Werror $(MORE)
# device code for the simulated device, and its CPU references alone for the judge
CU_FLAGS = -x c++ -std=c++17 $(BASE) -Werror $(MORE)
# and for a GPU: code for the GPUs of this machine; in a bundle for all
CUDA_CODE := $(if $(filter gpu,$(DEVICE)),$(shell common/setup.sh code '$(NVCC)' $(if $(filter bundle,$(WANTED)),all)))
NVCC_FLAGS = -std=c++17 $(if $(filter build/debug/%,$@),-O0 -g -G,-O2 -lineinfo) -Xfatbin=-compress-all -D_GNU_SOURCE -Xcompiler=-Wall,-Wextra,-fPIC $(INCLUDE) $(CUDA_CODE) $(MORE)
# little of the C++ library is needed: this links in half the time, and a process starts sooner
LD_FLAGS = -pthread $(STATIC_CXX) $(SANITIZE)
# device code for the simulated device sees the shim before its first line
SHIM := -fPIC -include $(firstword $(wildcard common/simgpu/kernel.h common/simgpu/*/kernel.h))

build/san/% build/debug/sim.san/%: private SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
build/grader/obj/%.cu.o build/san/grader/obj/%.cu.o: private MORE := -DREFERENCE_ONLY
build/sim/obj/%.cu.o build/san/sim/obj/%.cu.o: private MORE := $(SHIM)
build/gpu/obj/%.o: private MORE := $(if $(CUPTI_INC),-isystem $(CUPTI_INC))
build/gpu/obj/%.cu.o: private MORE :=

# ---- what counts beside dates
# A target is also rebuilt if the flags or the list of its parts are other than last time: an object file's flags are
# in the .d beside it (made-TARGET), what a program or library was linked from is in build/state/TARGET.made.

other = $(subst x$(strip $(1))x,,x$(strip $(2))x)
# $(call state,NAME,TEXT): build/state/NAME.made, which is written if TEXT is other than last time (and then is a new
# file: the old one may be linked to that of another checkout)
state-file = build/state/$(subst /,_,$(1:build/%=%)).made
state = $(if $(call other,$(file <$(state-file)),$(2)),FORCE$(if $(STATES),$(write-state)),$(state-file))
write-state = $(if $(wildcard $(state-file)),$(shell rm -f $(state-file)))$(file >$(state-file),$(strip $(2)))
# prerequisites of a link: $(call made-of,PARTS), and of an object file: $(call made-with,COMMAND)
made-of = $(1) $(call state,$@,$(LD_FLAGS) $(1))
made-with = $(if $(call other,$(made-$@),$(1)),FORCE)
# of all prerequisites of a link: objects come before the libraries that they need, or replace parts of
parts-of-link = $(filter %.o,$^) $(filter %.a,$^)

# $(call say,WORDS): before a command, shows these words instead of it
say = $(if $(V),,@echo '  $(1)';)
# at the end of a command that makes $@. A program that comes out the same keeps its file: another make may have made it
# a moment ago, and it may be running
to = -o $@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ && touch $@ || mv $@.$$$$ $@; }
# $(call to-object,COMPILER): compiles $<, and notes its headers and the command in a .d beside $@
to-object = $(1) -c $< -MMD -MP -MT $@ -MF $@.$$$$.d -o $@.$$$$ && echo 'made-$@ := $(strip $(1))' >>$@.$$$$.d && \
    mv $@.$$$$.d $(@:.o=.d) && mv $@.$$$$ $@ || { rm -f $@.$$$$ $@.$$$$.d; exit 1; }
c-compiler = $(CC) $(C_FLAGS)
cu-compiler = $(CXX) $(CU_FLAGS)
nvcc-compiler = $(NVCC) $(if $(filter build/gpu/obj/grader/% build/gpu/obj/plots/figures/% build/gpu/obj/labs/myths/%,$@),-rdc=true) $(NVCC_FLAGS)
# $(call objects,FOLDER,SOURCES): their object files under FOLDER/obj, and back: $(call source,build/sim/obj/common/clock)
objects = $(patsubst %.S.o,%.o,$(patsubst %.c.o,%.o,$(addprefix $(1)/obj/,$(addsuffix .o,$(2)))))
source = $(lastword $(subst /obj/, ,/$(1)))
# $(call keep-same,NEW,FILE): NEW becomes FILE, which keeps its date if it is the same
keep-same = { cmp -s $(1) $(2) && rm $(1) || mv $(1) $(2); }
# $(call libraries,FROM,TO): a program in folder FROM finds libraries in folder TO, also when the checkout is moved
libraries = -L$(2) -Wl,-rpath,'$$ORIGIN/$(shell realpath -ms --relative-to=$(1) $(2))'

build/%.o: $$(call source,$$*).c $$(call made-with,$$(c-compiler))
	@mkdir -p $(@D)
	$(call say,cc $<)$(call to-object,$(c-compiler))

build/%.o: $$(call source,$$*).S $$(call made-with,$$(c-compiler))
	@mkdir -p $(@D)
	$(call say,cc $<)$(call to-object,$(c-compiler))

build/%.cu.o: $$(call source,$$*).cu $$(call made-with,$$(cu-compiler))
	@mkdir -p $(@D)
	$(call say,c++ $<)$(call to-object,$(cu-compiler))

build/gpu/%.cu.o: $$(call source,$$*).cu $$(call made-with,$$(nvcc-compiler))
	@mkdir -p $(@D)
	$(call say,nvcc $<)$(call to-object,$(nvcc-compiler))

# On a GPU, device code that calls the device's own runtime (grader/*.cu, plots/figures/*.cu, labs/myths/*.cu, a lab.cu) is compiled with -rdc=true, and
# linked twice: what nvcc makes of all of it is one more object file. $(call device-link,NAME,OBJECTS): NAME.device.o
DEVICE_RUNTIME = $(if $(filter %.device.o,$^),-L$(CUDA_LIB) -lcudadevrt)
device-link = $(if $(and $(filter gpu,$(DEVICE)),$(filter %.cu.o,$(2))),$(1).device.o)
define link-device-code
@mkdir -p $(@D)
$(call say,nvcc $@)$(NVCC) $(CUDA_CODE) -dlink $(parts-of-link) -L$(CUDA_LIB) -lcudadevrt $(to)
endef

%.a:
	@mkdir -p $(@D)
	$(call say,ar $@)ar crs $@.$$$$ $(parts-of-link) && mv $@.$$$$ $@

.PRECIOUS: build/%.o build/%.cu.o build/gpu/%.cu.o

%/.:
	@mkdir -p $@

include common/simgpu/simgpu.mk common/simcc/simcc.mk grader/grader.mk
# the labs that are wanted, if nothing else is (of tools alone, any): nothing of tests, figures and other labs is read then
OF_LABS := $(foreach n,$(NUMBERS),$(n) $(JUDGE)/$(n) $(DEV)/$(n)/% build/known/$(n)/%) $(GRADE) $(COMPILE) $(CLASS_TOOLS)
LAB_ALONE := $(if $(filter-out $(OF_LABS),$(WANTED)),,$(or $(filter $(subst /, ,$(WANTED)),$(NUMBERS)),$(firstword $(NUMBERS))))
include grader/labs/labs.mk $(if $(LAB_ALONE),,grader/tests/tests.mk plots/plots.mk)
# for editors an older list of this folder will do
include $(if $(and $(LAB_ALONE),$(wildcard build/compile_commands.json),$(filter $(CURDIR),$(file <build/state/editor.made))),,common/editor.mk)

# with what all labs have in common, so that the first one is built sooner
setup: $(GRADE) $(MISTAKES_MADE) $(KERNELS) $(CUDART) $(COMPILE) $(JUDGE)/lib/libjudge.a $(SUBJECT_OBJECTS)
	@echo "all is there for DEVICE=$(DEVICE) (build/setup.mk). Next: ./grade lab01"

clean:
	rm -rf $(filter-out build/deps,$(wildcard build/*)) grade
	@echo "build/deps is kept: rm -r build removes it too"

define HELP
A course on CUDA streams and graphs, in C. The labs: $(NUMBERS)

  make setup          checks that everything is installed, installs what is missing, builds ./grade
                        SETUP=no           only lists what is missing
  ./grade             lists all labs; ./grade labNN builds and grades your labs/labNN_*/lab.c
  make reset          LAB=05: restores the starter; your file is kept beside it
  make handin         LAB=05: writes the file to hand in, build/handin/lab05.tar.gz
  make labNN          builds your lab; ./grade labNN grades the last build
                        SOLUTION=1         builds the reference solution
                        SUBMISSION=folder  builds the lab.c in that folder
                        KNOWN=name         builds a known submission: grader/labs/labNN/*/name
                        DEVICE=sim|gpu     selects the device (default: gpu if there is a GPU with nvcc)
  make debug          LAB=05: builds build/debug/lab05, an ordinary program for gdb, valgrind and
                      cuda-gdb, which runs a check: labs/DEBUGGING.md
                        CHECK=name SEED=7   what to run (default: as in the last report)
                        SAN=1               with the address and undefined-behavior sanitizers
  make sim            builds the simulated device, a libcudart.so for any C program, and simcc, which
                      compiles any .cu file for it; prints their folders
  make timeline       builds build/timeline, which draws traces: ./grade labNN --trace t.csv; build/timeline t.csv
  make plots          draws the figures of this machine's device (or of the simulated one), in build/plots
                        FIG='launch width'  only these figures
                        DATA=NVIDIA_H200    draws earlier measurements, without a device
  make beside         draws figures of the H200 and the H100 side by side, in build/plots/beside
  make validate       on a GPU: measures the data that the simulated device is compared with
                        DATA=NVIDIA_H200    compares it with earlier measurements: table and figure
  make fit            fits a profile to the data of make probe (DATA=NVIDIA_H200: to earlier data)
  make probe          measures the data for a profile of the simulated device: plots/data/<device>
                        PROFILE=name        for these and audit: common/simgpu/profiles/name.profile
  make green          on a GPU: measures green contexts, for labs/GREEN_CONTEXTS.md
  make example        LAB=01: builds and runs the program in that lab's handout
  make myths          runs the programs of labs/MYTHS.md (common claims), labs/MORE.md (subjects that no lab uses) and
                      labs/FREEING.md, and compares what they print with what they should
  make bundle         build/bundle: everything for grading on a GPU machine that has only the driver
                        LAB=lab03          for this lab only

For instructors (grader/class/README.md):

  ./grade class FOLDER   grades all submissions of a class
  make handout        OUT=../course: a copy for students, without solutions, known submissions and tests
  make exam           SEED=7: an exam with numbers of its own, build/exam/7.md, and its answers, build/exam/7-answers.md
  make gradescope     LAB=05: build/gradescope/lab05.zip, an autograder for Gradescope
  make image          a container image that grades a class, built with podman or docker

For people who change the course:

  make check          after a change: runs the quick tests, solutions and starters that it reaches
  make test           runs the tests that need no GPU
                        SAN=1              the tests with sanitizers
                        FULL=1             all: with and without sanitizers, every check of every known
                                           submission, every card; takes much longer
  make audit          grades every known submission
                        LAB=lab05 or lab05/name   builds and grades only these
                        REPEAT=25          rates of false verdicts; an interrupted run continues
                        SEED=7             draws all inputs from this seed (default: a random one)
                        LOAD=1 or compute  with other gradings, or a computing program, on the same device
  make rates          writes grader/rates/README.md, the rates counted on GPUs
  make semantics      runs the situations that an H200 has answered, and lists different answers
  make calls          writes labs/CALLS.md, the map of the runtime's calls
  make starters       generates labs/labNN_*/lab.c from solutions/
  make format         formats all C and CUDA sources with .clang-format
  make bench          measures the speed of the simulated device, in real time, and of kernels and host code beside loops in C
  make bench-class    measures how many submissions ./grade class grades in an hour
                        N=1000             of so many; SLURM=1: by a Slurm of one node
  make arm64          makes a bare Debian for 64-bit Arm, boots it in an emulator with pages of 4 and 16 KiB, and runs
                      setup, solutions, starters, a class and tests there; takes hours
                        STEPS='class lab03'   only these
                        KERNEL=FILE           under this kernel, with its drivers built in
  make clean          removes all builds; packages of the setup stay in build/deps

V=1 shows every command. SAN=1 builds simulated device and judge with sanitizers, under build/san.
endef
export HELP
# without the goals that a copy lacks
help:
	@echo "$$HELP" | awk -v absent=' $(ABSENT) ' -f common/help.awk

.PHONY: setup clean help

# what objects depend on
OTHERS := $(foreach n,plots myths $(filter-out $(LAB_ALONE),$(NUMBERS)),-o -name $(n))
OBJECTS := $(wildcard $(foreach o,obj gen example,$(addsuffix /$(o),$(if $(LAB_ALONE),build/grader build/$(DEVICE),build/*) \
    $(if $(SAN)$(if $(LAB_ALONE),,1),build/san/*))))
-include $(if $(OBJECTS),$(shell find $(OBJECTS) $(if $(LAB_ALONE),-type d \( -name tests $(OTHERS) \) -prune -o) -name '*.d' -type f -print))
