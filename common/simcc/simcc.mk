# simcc.mk: build/sim/bin/simcc, which compiles CUDA programs for the simulated device.

SIMCC := build/sim/bin/simcc
SIMCC_REWRITE := build/sim/bin/simcc-rewrite

$(SIMCC_REWRITE): $$(call made-of,$(call objects,build/grader,$(wildcard common/simcc/*.c)))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) $(to)

$(SIMCC): common/simcc/simcc.sh $(SIMCC_REWRITE) build/sim/lib/libcudart.symbols
	$(call say,simcc $@)sed 's|@CUDA_INC@|$(CUDA_INC)|' $< >$@.$$$$ && chmod +x $@.$$$$ && mv $@.$$$$ $@
