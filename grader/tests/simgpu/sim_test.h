/* sim_test.h: what tests of the simulated device share. */
#pragma once

#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "common/simgpu/simgpu.h"
#include "finding_text.h"

#define OK(call) cr_assert_eq((call), cudaSuccess, "%s", #call)

static inline cudaStream_t stream(unsigned flags)
{
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

/* A kernel with one parameter, a struct that has the kernel's name. Its call is NAME_call, and its
 * footprint NAME_footprint. */
#define KERNEL_OF(name_)                                                                           \
    static const size_t name_##_params[] = {sizeof(struct name_)};                                 \
    static const struct simgpu_kernel name_##_kernel = {.entry = &name_##_kernel,                  \
                                                        .name = #name_,                            \
                                                        .n_params = 1,                             \
                                                        .param_bytes = name_##_params,             \
                                                        .call = name_##_call,                      \
                                                        .footprint = name_##_footprint}

/* Before each test: findings are asked for, not printed. */
static inline void setup_quiet(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
}

/* The same, and the kernel is known. */
static inline void setup_kernel(const struct simgpu_kernel *kernel)
{
    setup_quiet();
    simgpu_register_kernel(kernel);
}

/* Device memory, cleared. */
static inline void *zeros(size_t bytes)
{
    void *p;
    OK(cudaMalloc(&p, bytes));
    OK(cudaMemset(p, 0, bytes));
    return p;
}

static inline void expect_findings(size_t expected)
{
    struct simgpu_finding first;
    size_t n = simgpu_findings(&first, 1);
    cr_assert_eq(n, expected, "%zu findings, first: %s", n, n ? finding_text(&first) : "none");
}

/* The only finding of the device. */
static inline struct simgpu_finding only_finding(void)
{
    struct simgpu_finding f;
    expect_findings(1);
    simgpu_findings(&f, 1);
    return f;
}

/* Work that is pending is done after this. */
static inline void host_works_1_ms(void)
{
    simgpu_host_work_ns(1000000);
}
