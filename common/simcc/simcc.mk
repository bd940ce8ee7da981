# simcc.mk: build/sim/bin/simcc, which compiles CUDA programs for the simulated device.

SIMCC := build/sim/bin/simcc
SIMCC_REWRITE := build/sim/bin/simcc-rewrite

$(SIMCC_REWRITE): $(call objects,build/grader,$(wildcard common/simcc/*.c))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ $(to)

$(SIMCC): common/simcc/simcc.sh $(SIMCC_REWRITE) build/sim/lib/libcudart.so
	$(call say,simcc $@)sed -e 's|@ROOT@|$(CURDIR)|; s|@CUDA_INC@|$(CUDA_INC)|; s|@LIB@|build/sim/lib|' \
	    -e 's|@REWRITE@|$(SIMCC_REWRITE)|' $< >$@.$$$$ && chmod +x $@.$$$$ && mv $@.$$$$ $@
