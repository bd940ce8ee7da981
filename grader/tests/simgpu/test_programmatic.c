/* test_programmatic.c: kernels with a footprint that start before their predecessor is complete:
 * their time, their data and their races. Kernels without a footprint: cuda/right/programmatic.cu
 * and cuda/wrong. */
#include <stdlib.h>
#include <string.h>

#include "common/simgpu/kernel/thread.h"
#include "sim_test.h"

/* ---- a kernel that lets the next one start, waits halfway, and adds 1 to what it reads ------- */

enum what { WAITS = 1, SAYS_SO = 2, READS_EARLY = 4 };

struct step {
    const int *from;
    int *to;
    float us;
    float flops, dram_bytes;
    int what;
};

static void step_call(void *const *params)
{
    const struct step *s = params[0];
    simgpu_launch_dependents();
    if (s->what & WAITS)
        simgpu_wait_for_dependencies();
    *s->to = *s->from + 1;
}

static void step_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    const struct step *s = params[0];
    (void)l;
    w->n_ranges = 2;
    w->ranges[0] = (struct simgpu_range){.base = s->from,
                                         .width_bytes = sizeof *s->from,
                                         .rows = 1,
                                         .access = SIMGPU_READ,
                                         .is_early = (s->what & READS_EARLY) != 0};
    w->ranges[1] = (struct simgpu_range){
        .base = s->to, .width_bytes = sizeof *s->to, .rows = 1, .access = SIMGPU_WRITE};
    w->delay_us = s->us;
    w->flops = s->flops;
    w->dram_bytes = s->dram_bytes;
    w->triggers = 1;
    w->waits_for_grids = (s->what & SAYS_SO) != 0;
    w->wait_share = 0.5;
}

KERNEL_OF(step);

enum { STEPS = 4, US = 100 };

static int *numbers[STEPS + 1];
static float flops, dram_bytes; /* of each step; 0: US alone */

static void setup(void)
{
    setup_kernel(&step_kernel);
}

TestSuite(programmatic, .init = setup);

static void prepare(void)
{
    for (int i = 0; i <= STEPS; i++) {
        OK(cudaMalloc((void **)&numbers[i], sizeof(int)));
        OK(cudaMemset(numbers[i], 0, sizeof(int)));
    }
    OK(cudaDeviceSynchronize());
}

/* Reads numbers[i], writes the next one. */
static cudaError_t launch_step(int i, int what, int is_early, cudaStream_t s)
{
    cudaLaunchAttribute early = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                 .val = {.programmaticStreamSerializationAllowed = is_early}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &early, .numAttrs = 1};
    struct step p = {.from = numbers[i],
                     .to = numbers[i + 1],
                     .us = dram_bytes > 0 ? 0 : US,
                     .flops = flops,
                     .dram_bytes = dram_bytes,
                     .what = what};
    return cudaLaunchKernelExC(&c, &step_kernel, (void *[]){&p});
}

/* How long STEPS of them take in a stream. */
static double chain_us(int what, int is_early)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    prepare();
    int64_t from = simgpu_now_ns();
    for (int i = 0; i < STEPS; i++)
        OK(launch_step(i, what, is_early, s));
    OK(cudaStreamSynchronize(s));
    return (double)(simgpu_now_ns() - from) / 1e3;
}

static int number(int i)
{
    int value;
    OK(cudaMemcpy(&value, numbers[i], sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* ---- time and data --------------------------------------------------------------------------- */

Test(programmatic, what_comes_before_the_wait_takes_no_time_of_its_own)
{
    double serial_us = chain_us(WAITS | SAYS_SO, 0), early_us = chain_us(WAITS | SAYS_SO, 1);
    double expected_us = serial_us - (STEPS - 1) * US / 2.0;
    cr_assert_lt(early_us, expected_us, "serial %.1f us, early %.1f us", serial_us, early_us);
    cr_assert_gt(early_us, US + (STEPS - 1) * US / 2.0);
    cr_assert_eq(number(STEPS), STEPS);
    expect_findings(0);
}

Test(programmatic, arithmetic_comes_after_the_wait)
{
    setenv("SIMGPU_COMPUTE", "0", 1);
    double gain_us[2], serial_us[2];
    dram_bytes = 1e6;
    for (int i = 0; i < 2; i++) {
        flops = i ? 1e9 : 0;
        serial_us[i] = chain_us(WAITS | SAYS_SO, 0);
        gain_us[i] = serial_us[i] - chain_us(WAITS | SAYS_SO, 1);
    }
    cr_assert_gt(serial_us[1], 4 * serial_us[0], "%.1f and %.1f us", serial_us[0], serial_us[1]);
    cr_assert_gt(gain_us[0], 0.3 * serial_us[0], "%.1f of %.1f us", gain_us[0], serial_us[0]);
    cr_assert_float_eq(gain_us[1], gain_us[0], 0.05 * gain_us[0], "%.1f us, with arithmetic %.1f",
                       gain_us[0], gain_us[1]);
}

Test(programmatic, without_data_the_time_is_the_same)
{
    setenv("SIMGPU_COMPUTE", "0", 1);
    double serial_us = chain_us(WAITS | SAYS_SO, 0), early_us = chain_us(WAITS | SAYS_SO, 1);
    cr_assert_lt(early_us, serial_us - (STEPS - 1) * US / 2.0);
    cr_assert_gt(early_us, US + (STEPS - 1) * US / 2.0);
}

Test(programmatic, a_kernel_that_never_waits_reads_old_data)
{
    double us = chain_us(0, 1);
    cr_assert_lt(us, 2 * US, "%.1f us", us);
    cr_assert_eq(number(STEPS), 1);
    const struct simgpu_finding f = only_finding();
    cr_assert(strstr(finding_text(&f), "in this kernel, call cudaGridDependencySynchronize()"),
              "%s", finding_text(&f));
}

/* ---- races ----------------------------------------------------------------------------------- */

Test(programmatic, reading_before_the_wait_is_a_race)
{
    chain_us(WAITS | SAYS_SO | READS_EARLY, 1);
    const struct simgpu_finding f = only_finding();
    cr_assert_eq(f.kind, SIMGPU_RACE);
    cr_assert(strstr(finding_text(&f), "call cudaGridDependencySynchronize() before"), "%s",
              finding_text(&f));
    cr_assert(f.second.is_early);
}

Test(programmatic, a_wait_that_the_footprint_does_not_name_ends_the_context)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    prepare();
    OK(launch_step(0, WAITS, 1, s));
    OK(launch_step(1, WAITS, 1, s));
    cr_assert_eq(cudaStreamSynchronize(s), cudaErrorLaunchFailure);
}
