# simcc: compiles CUDA programs for the simulated device. Included by the Makefile.

SIMCC := $(SIM)/bin/simcc
SIMCC_REWRITE := $(SIM)/bin/simcc-rewrite

$(SIMCC_REWRITE): $(call objects,$(JUDGE),$(wildcard common/simcc/*.c))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $^ -o $@

$(SIMCC): common/simcc/simcc.sh $(SIMCC_REWRITE) $(SIM)/lib/libcudart.so
	$(call say,simcc $@)sed -e 's|@ROOT@|$(CURDIR)|; s|@CUDA_INC@|$(CUDA_INC)|; s|@LIB@|$(SIM)/lib|' \
	    -e 's|@REWRITE@|$(SIMCC_REWRITE)|' $< >$@ && chmod +x $@

$(JUDGE)/tests/test_simcc: | $(SIMCC)

# kernels that report what they access, for the test of their footprints
RECORDED_KERNELS := $(patsubst %,$(SIM)/recorded/%.o,$(wildcard kernels/*.cu))
$(RECORDED_KERNELS): $(SIM)/recorded/%.o: % $(SIMCC)
	@mkdir -p $(@D)
	$(call say,simcc $<)$(SIMCC) $(filter-out -x c++,$(CU_FLAGS)) -c $< -o $@
$(JUDGE)/tests/test_footprints: $(RECORDED_KERNELS)
