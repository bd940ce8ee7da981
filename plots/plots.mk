# plots.mk: what is measured on a device (probe, figures), the figures, and the simulated device against it.

$(OUT)/timeline: $(call objects,$(JUDGE),plots/timeline.c) $(JUDGE)/lib/libjudge.a
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) -lm $(to)
timeline: $(OUT)/timeline
	@echo "./grade labNN --trace t.csv traces a lab, SIMGPU_TRACE=t.csv ./program any program on the simulated device;"
	@echo "build/timeline t.csv draws it, build/timeline t.csv t.svg as a picture"

$(DEV)/probe: $$(call made-of,$(call objects,$(DEV),$(wildcard plots/probe*.c plots/probe*.cu) $(COMMON_SOURCES)) $(KERNELS)) $(CUDART)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(CUDART_LINK) -lm -ldl $(to)

# Modelled times need no results, and are kept apart from measured ones.
PLOTS := build/plots
MODEL_ONLY := $(if $(filter sim,$(DEVICE)),SIMGPU_COMPUTE=0 SIMGPU_CHECKS=0 SIMGPU_REPORT=0)
# the probe measures two devices, too
PROBE_DEVICES := $(if $(filter sim,$(DEVICE)),SIMGPU_DEVICES=2)
ifeq ($(DEVICE),gpu)
PLOT_DATA := plots/data/$(MEASURED)
else
MEASURED := simulated
PLOT_DATA := $(PLOTS)/simulated
endif

# the measurements of the GPU that the profile in use was fitted to
PROFILED = plots/data/$(shell sed -n 's/^name  *\(.*[^ ]\)  *\#.*/\1/p' common/simgpu/profiles/$(or $(PROFILE),h200).profile | tr ' ' _)

# measures aside: what was measured before stays until all is there
probe: $(DEV)/probe
	@mkdir -p $(PLOT_DATA) $(PLOTS)/probe
	@$(MODEL_ONLY) $(PROBE_DEVICES) $< $(PLOTS)/probe || \
	    { echo "make probe: not finished. $(PLOT_DATA) is as it was; what was measured is in $(PLOTS)/probe" >&2; exit 1; }
	@mv $(PLOTS)/probe/* $(PLOT_DATA) && rmdir $(PLOTS)/probe
ifeq ($(DEVICE),gpu)
	@echo "measured: $(PLOT_DATA)"
else
	@for t in probe graphs conditions devices; do [ ! -e $(PROFILED)/$$t.csv ] || \
		awk -f plots/compare.awk $(PROFILED)/$$t.csv $(PLOT_DATA)/$$t.csv; done
	@echo "simulated: $(PLOT_DATA), above beside $(PROFILED), measured on that GPU"
endif

# make plots [FIG='launch width'] [DATA=NVIDIA_H200]: a program and a script a figure, plots/figures/NAME.c and .gp
# (a copy without solutions has no programs that contain one: these figures are drawn from plots/data)
FIGURES := $(patsubst plots/figures/%.gp,%,$(wildcard plots/figures/*.gp))
MEASURABLE := $(filter $(patsubst plots/figures/%.c,%,$(wildcard plots/figures/*.c)),$(FIGURES))
# of existing measurements: those that the folder has
FIGURES_ASKED := $(or $(FIG),$(if $(DATA),$(filter $(basename $(notdir $(wildcard plots/data/$(DATA)/*.csv))),$(FIGURES)),$(MEASURABLE)))
ifneq ($(filter-out $(FIGURES),$(FIG)),)
$(error there is no figure $(filter-out $(FIGURES),$(FIG)); the figures are: $(FIGURES))
endif
ifneq ($(if $(DATA),,$(and $(filter plots,$(WANTED)),$(filter-out $(MEASURABLE),$(FIG)))),)
$(error $(filter-out $(MEASURABLE),$(FIG)): this copy has no program that measures it; add DATA=NVIDIA_H200 to draw it. It measures: $(MEASURABLE))
endif
FIGURE_COMMON := plots/bench.c plots/bench_device.c plots/chain.c $(wildcard plots/batches.c) grader/judge/interval.c $(COMMON_SOURCES)
FIGURE_PROGRAMS := $(MEASURABLE:%=$(DEV)/plots/%)

build/sim/obj/plots/figures/%.o build/san/sim/obj/plots/figures/%.o build/gpu/obj/plots/figures/%.o: private MORE += -Iplots
# kernels that only one figure needs are in NAME_kernels.cu
figure-kernels = $(call objects,$(DEV),$(wildcard plots/figures/$(1)_kernels.cu))
$(FIGURE_PROGRAMS:%=%.device.o): $(DEV)/plots/%.device.o: $$(call figure-kernels,$$*)
	$(link-device-code)
$(FIGURE_PROGRAMS): $(DEV)/plots/%: $(DEV)/obj/plots/figures/%.o $$(call figure-kernels,$$*) \
    $$(call device-link,$(DEV)/plots/$$*,$$(call figure-kernels,$$*)) $$(call made-of,$(call objects,$(DEV),$(FIGURE_COMMON)) $(KERNELS)) $(CUDART)
	@mkdir -p $(@D)
	$(call say,ld $@)$(CXX) $(LD_FLAGS) $(parts-of-link) $(DEVICE_RUNTIME) $(CUDART_LINK) -lm -ldl $(to)

# the servers of lab 13 in one program: submissions of known verdict, whose functions get names of their own
SERVERS := solution streams_only pieces_only
SERVER_OBJECTS := $(SERVERS:%=$(DEV)/plots/serve_load.%.o)
$(SERVER_OBJECTS): $(DEV)/plots/serve_load.%.o: $(DEV)/lab13/%/subject
	@mkdir -p $(@D)
	@objcopy $(foreach f,setup serve teardown,--redefine-sym lab13_$f=$*_$f) $(<D)/lab.o $@
$(DEV)/plots/serve_load: $(SERVER_OBJECTS)

ifneq ($(DATA),)
ifeq ($(wildcard plots/data/$(DATA)),)
$(error there is no plots/data/$(DATA); there are: $(notdir $(wildcard plots/data/*)))
endif
plots:
	@WORDS='make plots DATA=$(DATA)' plots/run.sh draw plots/data/$(DATA) $(PLOTS)/$(DATA) $(FIGURES_ASKED)
	$(if $(FIG),,$(if $(filter-out $(FIGURES_ASKED),$(FIGURES)),@echo "plots: plots/data/$(DATA) has no measurements for: $(filter-out $(FIGURES_ASKED),$(FIGURES))"))
else
plots: $(FIGURES_ASKED:%=$(DEV)/plots/%)
	@WORDS='make plots DEVICE=$(DEVICE)' $(MODEL_ONLY) \
	    plots/run.sh both $(DEV)/plots $(PLOT_DATA) $(PLOTS)/$(MEASURED) $(FIGURES_ASKED)
	$(if $(filter sim,$(DEVICE)),@echo "simulated; what was measured is in plots/README.md; make plots DATA=NVIDIA_H200 draws it")
endif

# make beside [DATA=NVIDIA_H200] [WITH=NVIDIA_H100_80GB_HBM3] [FIG='launch width']: figures of two GPUs side by side
WITH := NVIDIA_H100_80GB_HBM3
BESIDE := $(or $(DATA),NVIDIA_H200) $(WITH)
BOTH := $(or $(FIG),launch overhead break_even three_ways methods width device_launch conditional)
beside:
	@for gpu in $(BESIDE); do HALF=yes plots/run.sh draw plots/data/$$gpu $(PLOTS)/beside/$$gpu $(BOTH) || exit 1; done
	@cd $(PLOTS)/beside && for f in $(BOTH); do \
	    gnuplot -e "left='$(firstword $(BESIDE))/$$f.png'; right='$(lastword $(BESIDE))/$$f.png'; out='$$f.png'" \
	        $(CURDIR)/plots/beside.gp || exit 1; \
	done; echo "plots: $(BESIDE) side by side: $(PLOTS)/beside"
.PHONY: beside

# make validate DATA=NVIDIA_H200: the simulated device against figures that were measured and the times of the labs'
# solutions (labs.csv); without DATA, on a GPU, measures these
VALIDATED := launch three_ways width methods device_launch alloc break_even first_launch conditional overhead node_kinds inference pageable
ifneq ($(or $(DATA),$(filter gpu,$(DEVICE))),)
validate: $(VALIDATED:%=$(DEV)/plots/%) $(SUITES) $(GRADE) $(REFERENCES)
ifneq ($(DATA),)
	@CUDA_INC='$(CUDA_INC)' plots/validate.sh $(DEV)/plots plots/data/$(DATA) $(PLOTS)/validate/$(DATA) $(VALIDATED)
else
	@WORDS='make validate DEVICE=gpu' plots/run.sh both $(DEV)/plots $(PLOT_DATA) $(PLOTS)/$(MEASURED) $(VALIDATED) && \
	    CUDA_INC='$(CUDA_INC)' plots/labs.sh gpu 5 $(PLOT_DATA)/labs.csv
	@echo "measured: $(PLOT_DATA); make validate DATA=$(MEASURED) compares the simulated device with it"
endif
else
validate:
	@echo "make validate compares the simulated device with a GPU, and none answers here; make validate DATA=NVIDIA_H200 compares it with one that was measured before" >&2; exit 1
endif

# green contexts, on a GPU: labs/GREEN_CONTEXTS.md
build/gpu/green_contexts: plots/green_contexts.cu plots/green_latency.cu plots/green_contexts.h
	$(call say,nvcc $<)$(NVCC) $(NVCC_FLAGS) $(filter %.cu,$^) $(to)
.PHONY: green
ifeq ($(DEVICE),gpu)
green: build/gpu/green_contexts
	@mkdir -p $(PLOT_DATA) && $< >$(PLOT_DATA)/green_contexts.tsv.new && mv $(PLOT_DATA)/green_contexts.tsv.new $(PLOT_DATA)/green_contexts.tsv
	@echo $(PLOT_DATA)/green_contexts.tsv
else
green:
	@echo "make green needs a GPU: the simulated device has no green contexts" >&2; exit 1
endif

# make fit [DATA=NVIDIA_H200] [PROFILE=h200]: that profile (or the default one) with the rows that plots/fit.rules names
# from what make probe and make plots measured
PROBED = plots/data/$(or $(DATA),$(MEASURED))
fit:
	@[ -e $(PROBED)/probe.csv ] && [ -e $(PROBED)/graphs.csv ] || \
	    { echo "make fit: $(PROBED) has no probe.csv and graphs.csv: make probe on a GPU measures them; or name a folder of plots/data, make fit DATA=NVIDIA_H200" >&2; exit 1; }
	@mkdir -p $(PLOTS)
	@awk -f plots/fit.awk plots/fit.rules common/simgpu/profiles/$(or $(PROFILE),h200).profile $(PROBED)/probe.csv $(PROBED)/graphs.csv \
	    $(wildcard $(PROBED)/properties.txt $(PROBED)/attributes.csv $(VALIDATED:%=$(PROBED)/%.csv)) >$(PLOTS)/fitted.profile
	@echo "fitted: $(PLOTS)/fitted.profile. SIMGPU_PROFILE=$(PLOTS)/fitted.profile make validate DATA=… says how good it is; then copy it to common/simgpu/profiles, where PROFILE=NAME finds it"

.PHONY: timeline probe plots validate fit
