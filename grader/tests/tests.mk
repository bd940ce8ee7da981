# tests.mk: make test. Each test_*.c is a program of Criterion; course.c runs them all, and the audit of each lab.

TEST_SOURCES := $(wildcard grader/tests/*/test_*.c)
TESTS := $(addprefix build/grader/tests/,$(basename $(notdir $(TEST_SOURCES))))
# those of the repository itself run programs of this build, makes among them
COMMAND_TESTS := $(basename $(notdir $(wildcard grader/tests/course/test_*.c)))
# These gain nothing by sanitizers, or measure times, or compute for long.
UNSANITIZED := $(COMMAND_TESTS) $(addprefix test_,audit crash graph_report jail simcc host_access footprints busy_machine kernels)
SANITIZED := $(filter-out $(addprefix build/san/grader/tests/,$(UNSANITIZED)),$(TESTS:build/%=build/san/%))
# make test SAN=1 runs the tests with sanitizers, make test all others, make test FULL=1 both
SANITIZED_RUN := $(if $(SAN)$(FULL),$(SANITIZED))
PLAIN_RUN := $(if $(FULL)$(if $(SAN),,1),$(notdir $(TESTS)))
# these include private headers of the simulated device and are linked with its insides, the others with the library
PRIVATE_TESTS := test_exec test_register
# the corpus of conformance rows, and what they are made of
CORPUS := $(filter-out %/ask.c %/test_conformance.c,$(foreach f,*.c *.cu corpus/*.c,$(wildcard grader/tests/conformance/$(f)))) \
    grader/tests/random/launch_script.cu
RANDOM_PROGRAMS := $(filter-out %/random.c %/test_random.c,$(wildcard grader/tests/random/*.c grader/tests/random/*.cu))

# what a test is made of beside its own file
TEST_PARTS_test_exec := grader/tests/simgpu/exec_*.cu
TEST_PARTS_test_register := grader/tests/simgpu/exec_*.cu
TEST_PARTS_test_conformance := $(CORPUS)
TEST_PARTS_test_random := $(RANDOM_PROGRAMS)
TEST_PARTS_test_conditional := grader/tests/random/conditional_kernels.cu
TEST_PARTS_test_device_launch := grader/tests/simgpu/launch_kernels.cu
TEST_PARTS_test_graph_lifetime := grader/tests/simgpu/launch_kernels.cu grader/tests/conformance/log_kernels.cu

TEST_PARTS_test_fuzz := $(filter-out %/main.c,$(wildcard common/simcc/*.c))

test-sources = $(filter %/$(1).c,$(TEST_SOURCES)) $(wildcard $(TEST_PARTS_$(1))) $(COMMON_SIM)
test-library = $(if $(filter $(PRIVATE_TESTS),$(1)),libsimgpu.a,libcudart.symbols)
# build or build/san, of a target in its folder grader/tests
test-out = $(patsubst %/grader/tests,%,$(1))
$(TESTS) $(SANITIZED): $$(call made-of,$$(call objects,$$(call test-out,$$(@D))/sim,$$(call test-sources,$$(@F))) \
    $$(addprefix $$(call test-out,$$(@D))/,sim/lib/libkernels.a grader/lib/libjudge.a sim/lib/$$(call test-library,$$(@F))))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(CRITERION_LINK) \
	    $(if $(filter %.symbols,$^),$(call libraries,$(@D),$(dir $(filter %.symbols,$^))) -lcudart) $(to)

# Programs that simcc compiles (-g1: findings name lines, and no variables). test_simcc runs them, and those in right/ and estimates.cu
# also without checks. Those of TWO_BUILDS run blocks of their second build then, or it is special: volatile accesses, templates.
TWO_BUILDS := estimates $(addprefix right/,address_spaces atomic_vectors compute_bound cooperative dynamic_parallelism graphs jacobi language large_grid \
    lockstep memory processes programmatic runtime_templates seen_without_call static_shared streams template_launches times two_builds two_devices_shared_pool)
CUDA_TESTS := $(patsubst grader/tests/simgpu/%.cu,build/sim/%,$(wildcard $(addprefix grader/tests/simgpu/cuda/,right/*.cu wrong/*.cu endless/*.cu estimates.cu host_pairs.cu)))
$(CUDA_TESTS): build/sim/cuda/%: grader/tests/simgpu/cuda/%.cu $(wildcard grader/tests/simgpu/cuda/*.cuh) $(LAB_HEADERS) $(SIMCC_HEADERS) $$(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $<)$(SIMCC) $(if $(filter $(TWO_BUILDS),$*),,--recorded-only) -g1 -Wall -Werror $< $(to)
build/grader/tests/test_rules: | $$(RULES)
build/grader/tests/test_simcc: | $(CUDA_TESTS) $$(SIMCC)
# as labs are compiled, and with more in line
HOST_PAIRS := $(addprefix build/sim/cuda/host_pairs,-O1 -O3)
$(HOST_PAIRS): build/sim/cuda/host_pairs%: grader/tests/simgpu/cuda/host_pairs.cu $(wildcard grader/tests/simgpu/cuda/*.cuh) $(LAB_HEADERS) $(SIMCC_HEADERS) $$(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $@)$(SIMCC) $(if $(filter -O1,$*),--recorded-only -fPIC) $* -g1 $< $(to)
build/grader/tests/test_host_access: | build/sim/cuda/host_pairs $(HOST_PAIRS) $$(SIMCC)
# kernels that report what they access, to be compared with their declarations
RECORDED_KERNELS := $(KERNEL_SOURCES:%=build/sim/recorded/%.o)
$(RECORDED_KERNELS): build/sim/recorded/%.o: % $(LAB_HEADERS) $(SIMCC_HEADERS) $$(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $<)$(SIMCC) --recorded-only $(filter-out -x c++,$(CU_FLAGS)) -c $< -o $@.$$$$.o && mv $@.$$$$.o $@
build/grader/tests/test_footprints: $(RECORDED_KERNELS)

# ---- lab 00, with which the judge itself is judged: no device, and submissions that do not want to be judged

HOSTILE := $(filter-out defines_main,$(basename $(notdir $(wildcard grader/tests/judge/hostile/*.c))))
LAB00_SOURCES := $(addprefix grader/tests/judge/lab00/,adapter.c empty.c) common/clock.c \
    $(filter-out %bench.c %graph.c %batches.c %host_node.c,$(SUBJECT_SOURCES))
$(SIMS:%=%/obj/grader/tests/judge/hostile/%): private MORE := -w
$(foreach s,$(SIMS),$(HOSTILE:%=$(s)/lab00/%)): $$(call made-of,$$(call objects,$$(patsubst %/lab00,%,$$(@D)),grader/tests/judge/hostile/$$(@F).c $(LAB00_SOURCES)))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(SUBJECT_LINK) $(parts-of-link) -lm -ldl $(to)
$(SIMS:%=%/lab00/solution/subject): %/solution/subject: %/good
	@mkdir -p $(@D) && cp $< $@
	@ln -sfn sim/lab00/solution $(@D:%/sim/lab00/solution=%/lab00)

LAB00_SUITES := $(foreach j,$(JUDGES),$(j)/lab00 $(j)/lab00_clock)
$(JUDGES:%=%/lab00): %/lab00: $$(call made-of,%/obj/grader/tests/judge/lab00/suite.o %/lib/libjudge.a)
$(JUDGES:%=%/lab00_clock): %/lab00_clock: $$(call made-of,%/obj/grader/tests/judge/lab00/clock.o %/lib/libjudge.a)
$(LAB00_SUITES):
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(SUITE_LINK) $(parts-of-link) $(CRITERION_LINK) $(to)
JUDGE_TESTS := test_both test_crash test_judge test_judge_gpu test_stopped
$(foreach t,$(JUDGE_TESTS),$(JUDGES:%=%/tests/$(t))): %: \
    | $$(addprefix $$(call test-out,$$(@D))/,$(HOSTILE:%=sim/lab00/%) sim/lab00/solution/subject grader/lab00 grader/lab00_clock)
$(JUDGE_TESTS:%=build/grader/tests/%): | grade
$(JUDGE_TESTS:%=build/san/grader/tests/%): | build/san/grader/grade
$(foreach o,$(OUTS),$(eval $(o)/grader/tests/test_both: | $(o)/sim/lib/libcudart.symbols))
$(addsuffix /grader/tests/test_fuzz,build build/san): | $(COMPILE)
build/grader/tests/test_jail: | $(addprefix build/grader/tests/,test_judge test_stopped) $(COMPILE) build/sim/lab08/solution/subject build/grader/lab08

# ---- programs that ask a device: the simulated one or a GPU

ASK_OBJECTS := $(call objects,$(DEV),grader/tests/conformance/ask.c $(CORPUS) common/clock.c)
RANDOM_OBJECTS := $(call objects,$(DEV),grader/tests/random/random.c $(RANDOM_PROGRAMS))
$(DEV)/ask: $$(call made-of,$(ASK_OBJECTS)) $(call device-link,$(DEV)/ask,$(ASK_OBJECTS))
$(DEV)/ask.device.o: $(filter %.cu.o,$(ASK_OBJECTS))
$(DEV)/random: $$(call made-of,$(RANDOM_OBJECTS)) $(call device-link,$(DEV)/random,$(RANDOM_OBJECTS))
$(DEV)/random.device.o: $(filter %.cu.o,$(RANDOM_OBJECTS))
$(addprefix $(DEV)/,ask.device.o random.device.o):
	$(link-device-code)
$(addprefix $(DEV)/,ask random): $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(DEVICE_RUNTIME) $(CUDART_LINK) $(to)

# does the device answer as an H200 did?
semantics: $(DEV)/ask
	@SIMGPU_REPORT=0 $< 2>$<.log

# how fast the simulated device is, on this machine
$(DEV)/bench_sim: $(call objects,$(DEV),grader/tests/simgpu/bench_sim.c) $(KERNELS) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(CUDART_LINK) $(to)
# and how fast its kernels are, beside the same loops in C
BENCH_KERNELS := $(call objects,build/sim,grader/tests/simgpu/bench_kernels.cu grader/tests/simgpu/bench_loops.c)
$(filter %.cu.o,$(BENCH_KERNELS)): grader/tests/simgpu/bench_kernels.cu grader/tests/simgpu/bench_loops.h $(LAB_HEADERS) $(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $<)$(SIMCC) -Xcompiler -Wall,-Wextra -c $< -o $@.$$$$ && mv $@.$$$$ $@
$(filter %loops.o,$(BENCH_KERNELS)): private MORE := -fopenmp
build/sim/bench_kernels: $(BENCH_KERNELS) build/sim/lib/libcudart.symbols
	$(call say,simcc $@)$(SIMCC) -fopenmp $(BENCH_KERNELS) $(to)
# and loops of host code while work is pending, beside those of gcc
BENCH_HOST := grader/tests/simgpu/bench_host.cu $(call objects,build/sim,grader/tests/simgpu/bench_host_loops.c)
build/sim/bench_host: $(BENCH_HOST) $(wildcard grader/tests/simgpu/bench_host_loops.*) $(SIMCC)
	$(call say,simcc $@)$(SIMCC) $(BENCH_HOST) $(to)
bench: $(DEV)/bench_sim build/sim/bench_kernels build/sim/bench_host
	@$<
	@echo; SIMGPU_REPORT=0 build/sim/bench_host
	@echo; OMP_WAIT_POLICY=passive build/sim/bench_kernels
	@echo; OMP_WAIT_POLICY=passive SIMGPU_CHECKS=0 build/sim/bench_kernels

# how many submissions are graded in an hour, with interruptions: N=1000
bench-class: $(GRADE)
	@grader/class/bench.sh $(N)
.PHONY: bench-class

# the course in an emulated machine for 64-bit Arm: STEPS='class lab03'
arm64: $(GRADE)
	+@grader/tests/course/arm64.sh $(STEPS)
.PHONY: arm64

# the programs of labs/MYTHS.md (common claims about streams and graphs), labs/MORE.md (subjects that no lab uses) and labs/FREEING.md
MYTHS := $(patsubst labs/%.c,$(DEV)/%,$(wildcard labs/myths/*.c))
# kernels that only one of them needs are in NAME_kernels.cu
myth-kernels = $(call objects,$(DEV),$(wildcard labs/myths/$(1)_kernels.cu))
build/sim/obj/labs/myths/%.cu.o: labs/myths/%.cu labs/myths/%.h $(LAB_HEADERS) $(SIMCC_HEADERS) $(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $<)$(SIMCC) --recorded-only $(filter-out -x c++,$(CU_FLAGS)) -c $< -o $@.$$$$ && mv $@.$$$$ $@
$(MYTHS:%=%.device.o): $(DEV)/myths/%.device.o: $$(call myth-kernels,$$*)
	$(link-device-code)
$(MYTHS): $(DEV)/myths/%: $(DEV)/obj/labs/myths/%.o $$(call myth-kernels,$$*) \
    $$(call device-link,$(DEV)/myths/$$*,$$(call myth-kernels,$$*)) $(call objects,$(DEV),common/clock.c) $(KERNELS) $(CUDART)
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl $(to)
myths: $(MYTHS)
	@labs/myths/check.sh $(DEV)/myths

# make example LAB=05: builds and runs the program in that lab's handout, its first ```c or ```cuda block; lab 01's by default.
# The simulated device has two devices there.
EXAMPLES := $(NUMBERS:%=$(DEV)/example/%)
CUDA_EXAMPLES := $(patsubst %,$(DEV)/example/%,$(filter $(NUMBERS),$(subst _, ,$(subst /, ,$(shell grep -lsx '```cuda' labs/lab*/README.md)))))
C_EXAMPLES := $(filter-out $(CUDA_EXAMPLES),$(EXAMPLES))
$(C_EXAMPLES:%=%.c) $(CUDA_EXAMPLES:%=%.cu): $$(wildcard labs/$$(basename $$(@F))_*/README.md)
	@mkdir -p $(@D)
	@awk '/^```/ { if (on) exit; on = $$0 == "```c" || $$0 == "```cuda"; next } on' $< >$@.$$$$ && mv $@.$$$$ $@
$(C_EXAMPLES): %: %.o $(KERNELS) $(CUDART)
$(CUDA_EXAMPLES): %: %.cu.o $(if $(filter gpu,$(DEVICE)),%.device.o) $(KERNELS) $(CUDART)
$(EXAMPLES):
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl $(to)
$(C_EXAMPLES:%=%.o): %.o: %.c $$(call made-with,$$(c-compiler))
	$(call say,cc $<)$(call to-object,$(c-compiler))
$(CUDA_EXAMPLES:%=%.cu.o): %.cu.o: %.cu $(if $(filter sim,$(DEVICE)),$$(SIMCC))
	$(call say,cuda $<)$(if $(filter gpu,$(DEVICE)),$(NVCC) -rdc=true $(NVCC_FLAGS),$(SIMCC) $(filter-out -x c++,$(CU_FLAGS))) -c $< $(to)
$(CUDA_EXAMPLES:%=%.device.o): %.device.o: %.cu.o
	$(link-device-code)
example: $(or $(filter %/$(or $(LAB),lab01),$(EXAMPLES)),$(if $(filter example,$(WANTED)),$(error there is no $(LAB); the labs are: $(NUMBERS))))
	@SIMGPU_DEVICES=$${SIMGPU_DEVICES:-2} $<

# labs/CALLS.md: the runtime's calls, from labs/calls.txt and the programs that use them
CALL_MAP := build/grader/gen/CALLS.md
$(CALL_MAP): labs/calls.awk labs/calls.txt common/simgpu/api/calls.def common/simgpu/api/error.c $(sort $(wildcard solutions/*/lab.c*)) $(sort $(wildcard labs/myths/*.c*))
	@mkdir -p $(@D); awk -f $^ >$@.$$$$ && mv $@.$$$$ $@
.PHONY: calls
calls: $(CALL_MAP)
	@cp $< labs/CALLS.md && echo 'labs/CALLS.md is written'

# ---- all of it

# Faults that a test provokes are its own to see, and a kernel's threads share a stack, which the sanitizer's own one for
# locals would hide. A report names the function that allocated, and not its callers: a third of the time.
SAN_OPTIONS := env ASAN_OPTIONS=handle_segv=0:detect_stack_use_after_return=0:malloc_context_size=1

# FULL=1: the newest toolkit; and right submissions, starters and ten wrong ones of each lab, on the simulated device with the
# figures of each card
CARDS := $(if $(FULL),$(filter-out h200,$(basename $(notdir $(wildcard common/simgpu/profiles/*.profile)))))

# The known submissions that make test grades: of the wrong ones the first that fails each check on the simulated device, of the
# right ones the first, and those that tests name; the commands of the handouts grade the solutions. FULL=1: all.
one-of-each-check = $(shell awk -f grader/labs/known.awk $(KNOWN_FILES) | awk '$$3 == "wrong" { at = split($$1, part, "/"); lab = part[at - 2]; taken = 0 } \
    $$3 == "fails" && $$4 != "gpu" && !known[lab, $$5]++ && !taken++ { print lab "/" part[at] }')
NAMED_BY_TESTS := lab01/leaks lab01/memcpy_from_device lab01/milliseconds lab02/one_stream lab03/one_stream lab03/set_free_too_early \
    lab05/no_join lab06/error_not_cleared_before_step_3 lab09/break_even_before_step_2 lab11/first_kernel_early
TESTED := $(if $(filter test,$(WANTED)),$(if $(FULL),$(SUBMISSIONS),$(sort $(one-of-each-check) $(NAMED_BY_TESTS)) \
    $(foreach n,$(NUMBERS),$(addprefix $(n)/,starter $(notdir $(firstword $(filter grader/labs/$(n)/right/%,$(KNOWN_FILES))))))))

# What make test runs, a test of course.c each. Criterion goes by the names of suites, so what takes longest begins: the tests
# of commands, and test_simcc, which otherwise would end alone on one processor.
build/grader/gen/course.inc: FORCE | build/grader/gen/.
	@{ $(foreach t,$(PLAIN_RUN),echo 'COURSE($(if $(filter $(t),$(COMMAND_TESTS) test_simcc),commands,course), $(t), "build/grader/tests/$(t) -j1")';) \
	   $(if $(PLAIN_RUN),echo 'COURSE(course, format, "make check-format")'; \
	   $(foreach n,$(NUMBERS),echo 'COURSE(course, audit_$(n), "build/grader/audit sim $(if $(FULL),$(n),--named $(filter $(n)/%,$(TESTED)))")';)) \
	   $(if $(FULL),echo 'COURSE(course, newest_toolkit, "grader/tests/course/newest_toolkit.sh")';) \
	   $(foreach c,$(CARDS),echo 'COURSE(course, card_$(c), "env SIMGPU_PROFILE=$(CURDIR)/common/simgpu/profiles/$(c).profile build/grader/audit sim --named --wrong 10")';) \
	   $(foreach t,$(notdir $(SANITIZED_RUN)),echo 'COURSE(course, sanitized_$(t), "$(SAN_OPTIONS) build/san/grader/tests/$(t) -j1")';) \
	   } >$@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@
build/grader/obj/grader/tests/course/course.o: build/grader/gen/course.inc
build/grader/course: build/grader/obj/grader/tests/course/course.o build/grader/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) $(CRITERION_LINK) $(to)

# three at once, for two CPUs: some of them wait most of the time
export FULL
test: build/grader/course $(SANITIZED_RUN) $(if $(PLAIN_RUN),$(TESTS) $(JUDGE)/audit $(CLASS_TOOLS) $(SUITES) $(GRADE) $(sort $(TESTED:%=$(DEV)/%/subject) $(NUMBERS:%=$(DEV)/%/solution/subject)) \
    $(DEV)/bench_sim $(DEV)/probe $$(FIGURE_PROGRAMS) $(MYTHS) $(OUT)/timeline)
	@mkdir -p build/grader/log
	@$< --verbose -j3

# make check, after a change: the tests without sanitizers, and solution and starter of each lab, that it reaches. What
# passed is not run again until it is built again. Tests that run makes and whole gradings are left to make test.
LONG_TESTS := $(COMMAND_TESTS) $(addprefix test_,audit doors graph_report jail judge judge_parts stopped busy_machine fuzz)
TEST_STAMPS := $(addprefix build/check/,$(filter-out $(LONG_TESTS),$(notdir $(TESTS))))
LAB_STAMPS := $(NUMBERS:%=build/check/%)
# $(call checked,COMMAND): runs it, prints what it said if it fails
define checked
@mkdir -p $(@D); echo '  check $*'; GRADE_SEED=1 $(1) >$@.log 2>&1 && touch $@ || { cat $@.log; exit 1; }
endef
$(TEST_STAMPS): build/check/%: build/grader/tests/% $(SIM)/lib/libcudart.so
	$(call checked,$< -j1)
# (in a copy without solutions some of these lack a function)
$(LAB_STAMPS): build/check/%: $(DEV)/%/solution/subject $(DEV)/%/starter/subject $(JUDGE)/% $(JUDGE)/audit $(GRADE) $(SIM)/lib/libcudart.so
	$(call checked,$(JUDGE)/audit sim $(if $(COMPILED),,$*/solution) $*/starter)
.PHONY: check
check: $(TEST_STAMPS) $(LAB_STAMPS)
	@echo 'check: all passed; make test runs everything'

sanitized: $(SANITIZED)
	@for t in $^; do echo "$$t"; $(SAN_OPTIONS) $$t -j1 || exit 1; done

.PHONY: semantics bench myths example test sanitized

# each reader of what submissions send, and each writer of their names, for a minute of random changes, with sanitizers
.PHONY: fuzz
fuzz: build/san/grader/tests/test_fuzz
	FULL=1 $< -j1
