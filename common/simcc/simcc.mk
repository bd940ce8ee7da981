# simcc.mk: build/sim/bin/simcc, which compiles CUDA programs for the simulated device.

SIMCC := build/sim/bin/simcc
SIMCC_REWRITE := build/sim/bin/simcc-rewrite

$(SIMCC_REWRITE): $$(call made-of,$(call objects,build/grader,$(wildcard common/simcc/*.c)))
	@mkdir -p $(@D)
	$(call say,ld $@)$(CC) $(LD_FLAGS) $(parts-of-link) $(to)

# The folders and libraries of a toolkit, which CMake looks for. Projects link libcudart_static by default, without a path
# for the loader: the library behind that name has its own path as its name.
SIMCC_TOOLKIT := build/sim/lib/libcudart_static.a
build/sim/lib/path/libcudart.so: $$(call made-of,$(call objects,build/sim,$(SIM_SOURCES)) build/sim/gen/stubs.o) common/simgpu/api/cudart.map \
    $$(call state,$$@.path,$(CURDIR))
	@mkdir -p $(@D)
	$(call say,ld $@)$(call link-libcudart,$(abspath $@)) -o $@.$$$$ && mv $@.$$$$ $@
$(SIMCC_TOOLKIT): $$(call state,$$@,$(CURDIR)) | build/sim/lib/path/libcudart.so
	$(call say,toolkit build/sim)rm -f $(@D)/libcudadevrt.a && ar rc $(@D)/libcudadevrt.a && ln -sfn lib build/sim/lib64 && \
	    ln -sfn $(CUDA_INC) build/sim/include && echo 'INPUT($(abspath $(firstword $|)))' >$@.$$$$ && mv $@.$$$$ $@

# With it comes what each source includes first, compiled for programs and for labs.
$(SIMCC): $(addprefix common/simcc/,simcc.sh options.sh options second_build.awk inline_checks.awk library_calls) $(SIMCC_REWRITE) build/sim/lib/libcudart.symbols \
    $$(DEVICE_HEADERS) common/simcc/include/simcc_first.h $(CUDA_INC)/cuda_runtime_api.h | $(SIMCC_TOOLKIT)
	$(call say,simcc $@)sed 's|@CUDA_INC@|$(CUDA_INC)|' $< >$@.$$$$ && chmod +x $@.$$$$ && \
	    $@.$$$$ --prepare && $@.$$$$ --prepare --recorded-only -O1 -fPIC && \
	    find $(@D)/prepared -type f ! -newer $@.$$$$ -delete && mv $@.$$$$ $@

# The headers that a lab can include; of the simulated device, what device code sees. (The compiler's own list names files that
# are gone when another submission is built; test_stale compares the two.)
DEVICE_HEADERS := $(wildcard common/simgpu/*.h $(addprefix common/simgpu/kernel/,cuda12_calls.h cuda_headers.h declare_kernel.h device_*.h thread.h))
LAB_HEADERS := $(wildcard common/*.h kernels/*.h) $(DEVICE_HEADERS)
SIMCC_HEADERS := $(wildcard common/simcc/include/* common/simcc/include/*/*)
