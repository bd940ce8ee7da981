# simgpu.mk: the simulated device: build/sim/lib/libcudart.so, and the same with sanitizers under build/san.

SIMS := $(OUTS:%=%/sim)
SIM_SOURCES := $(foreach e,c S,$(wildcard common/simgpu/*.$(e) common/simgpu/*/*.$(e)))

# only what is named in cudart.map is seen from outside; a variable of a thread is found without a call
$(foreach s,$(SIMS),$(s)/obj/common/simgpu/% $(s)/gen/%): MORE := -fPIC -fvisibility=hidden -ftls-model=initial-exec
# frames are looked at from api/entry.c outwards: the rest is faster without
$(SIMS:%=%/obj/common/simgpu/%): FRAMES :=
$(SIMS:%=%/obj/common/simgpu/api/%): FRAMES := -fno-omit-frame-pointer
# the default profile is part of the library
$(filter %/profile.o,$(foreach s,$(SIMS),$(call objects,$(s),$(SIM_SOURCES)))): common/simgpu/profiles/h200.profile

# every runtime function of the installed header that the sources do not define
$(SIMS:%=%/gen/stubs.c): %/gen/stubs.c: common/simgpu/api/stubs.awk $(CUDA_INC)/cuda_runtime_api.h $(call objects,%,$(SIM_SOURCES))
	@mkdir -p $(@D)
	$(call say,awk $<)awk -f $< <(nm --defined-only $(filter %.o,$^)) $(CUDA_INC)/cuda_runtime_api.h >$@.$$$$ && mv $@.$$$$ $@

$(SIMS:%=%/gen/stubs.o): %.o: %.c
	$(call say,cc $<)$(CC) $(C_FLAGS) -c $< $(to-object)

$(SIMS:%=%/lib/libcudart.so): %/lib/libcudart.so: $(call objects,%,$(SIM_SOURCES)) %/gen/stubs.o common/simgpu/api/cudart.map
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) -shared $(LD_FLAGS) -Wl,-soname,libcudart.so.13 $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) \
	    -Wl,--version-script=common/simgpu/api/cudart.map $(filter %.o,$^) -lm -ldl -o $@.$$$$ && mv $@.$$$$ $@.13
	@ln -sf libcudart.so.13 $@

# the same for tests that look inside
$(SIMS:%=%/lib/libsimgpu.a): %/lib/libsimgpu.a: $(call objects,%,$(SIM_SOURCES)) %/gen/stubs.o

.PHONY: sim
sim: $(SIM)/lib/libcudart.so $$(SIMCC)
	@echo "compiler $(abspath $(SIMCC)): simcc FILE.cu... -o PROGRAM"
	@echo "lib $(abspath $(<D))"
	@echo "include $(CUDA_INC)"
