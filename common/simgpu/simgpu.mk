# simgpu.mk: the simulated device: build/sim/lib/libcudart.so, and the same with sanitizers under build/san.

SIMS := $(OUTS:%=%/sim)
SIM_SOURCES := $(foreach e,c S,$(wildcard common/simgpu/*.$(e) common/simgpu/*/*.$(e)))

# only what is named in cudart.map is seen from outside; a variable of a thread is found without a call
$(foreach s,$(SIMS),$(s)/obj/common/simgpu/% $(s)/gen/%): private MORE := -fPIC -fvisibility=hidden -ftls-model=initial-exec
# frames are looked at from api/entry.c outwards: the rest is faster without
$(SIMS:%=%/obj/common/simgpu/%): private FRAMES :=
$(SIMS:%=%/obj/common/simgpu/api/%): private FRAMES := -fno-omit-frame-pointer
# the default profile is part of the library
$(filter %/profile.o,$(foreach s,$(SIMS),$(call objects,$(s),$(SIM_SOURCES)))): common/simgpu/profiles/h200.profile

# Every runtime function of the installed header that the sources do not define. stubs.c, like libcudart.symbols below,
# keeps its date if it stays as it is: then what is made of it stays, too.
$(SIMS:%=%/gen/stubs.c): %/stubs.c: %/stubs.made ;
$(SIMS:%=%/gen/stubs.made): %/gen/stubs.made: common/simgpu/api/stubs.awk $(CUDA_INC)/cuda_runtime_api.h \
    $$(call made-of,$(call objects,%,$(SIM_SOURCES)))
	@mkdir -p $(@D)
	$(call say,awk $<)nm --defined-only $(parts-of-link) | awk -f $< - $(CUDA_INC)/cuda_runtime_api.h >$(@D)/stubs.$$$$ && \
	    $(call keep-same,$(@D)/stubs.$$$$,$(@D)/stubs.c) && rm -f $@ && touch $@

$(SIMS:%=%/gen/stubs.o): %.o: %.c $$(call made-with,$$(c-compiler))
	$(call say,cc $<)$(call to-object,$(c-compiler))

# $(call link-libcudart,NAME): by this name programs will ask for it
link-libcudart = $(CC) -shared $(LD_FLAGS) -Wl,-soname,$(1) $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs) \
    -Wl,--version-script=common/simgpu/api/cudart.map $(parts-of-link) -lm -ldl

# With the library come the names of its functions: a program that was linked with the same ones is not linked anew.
$(SIMS:%=%/lib/libcudart.symbols): %.symbols: %.so ;
$(SIMS:%=%/lib/libcudart.so): %/lib/libcudart.so: $$(call made-of,$(call objects,%,$(SIM_SOURCES)) %/gen/stubs.o) common/simgpu/api/cudart.map
	@mkdir -p $(@D)
	$(call say,ld $@)$(call link-libcudart,libcudart.so.13) -o $@.$$$$ && mv $@.$$$$ $@.13
	@nm -D --defined-only $@.13 | cut -d' ' -f2- >$(@D)/symbols.$$$$ && $(call keep-same,$(@D)/symbols.$$$$,$(@:.so=.symbols))
	@ln -sf libcudart.so.13 $@

# the same for tests that look inside
$(SIMS:%=%/lib/libsimgpu.a): %/lib/libsimgpu.a: $$(call made-of,$(call objects,%,$(SIM_SOURCES)) %/gen/stubs.o)

.PHONY: sim
sim: $(SIM)/lib/libcudart.so $$(SIMCC)
	@echo "compiler $(abspath $(SIMCC)): simcc FILE.cu... -o PROGRAM"
	@echo "lib $(abspath $(<D))"
	@echo "include $(CUDA_INC)"
