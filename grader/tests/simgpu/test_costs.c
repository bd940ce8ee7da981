/* test_costs.c: what makes the same call or the same kernel of the simulated device take longer, as
 * on an H200. Times are virtual and are compared with each other only. */
#include "sim_graphs.h"

enum { NODES = 64 };

/* ---- kernels that touch one int, or wait for memory ------------------------------------------ */

static void nothing(void *const *params)
{
    (void)params;
}

static void touch(struct simgpu_work *w, void *const *params, enum simgpu_access access)
{
    w->n_ranges = 1;
    w->ranges[0] = (struct simgpu_range){*(int **)params[0], sizeof(int), 0, 1, access, 0};
}

static void write_footprint(const struct simgpu_launch *l, void *const *params,
                            struct simgpu_work *w)
{
    (void)l;
    touch(w, params, SIMGPU_WRITE);
}

static void read_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    (void)l;
    touch(w, params, SIMGPU_READ);
}

static void chase_footprint(const struct simgpu_launch *l, void *const *params,
                            struct simgpu_work *w)
{
    (void)l;
    touch(w, params, SIMGPU_READ);
    w->waits = 1000;
}

/* About 20 us of arithmetic on one SM, all of it in the first block. */
static void first_footprint(const struct simgpu_launch *l, void *const *params,
                            struct simgpu_work *w)
{
    (void)l;
    touch(w, params, SIMGPU_WRITE);
    w->flops = 4e6;
    w->busy_blocks = 1;
}

static const size_t pointer[] = {sizeof(int *)};

#define KERNEL(kernel)                                                                             \
    static const struct simgpu_kernel kernel##_kernel = {.entry = &kernel##_kernel,                \
                                                         .name = #kernel,                          \
                                                         .n_params = 1,                            \
                                                         .param_bytes = pointer,                   \
                                                         .call = nothing,                          \
                                                         .footprint = kernel##_footprint}
KERNEL(write);
KERNEL(read);
KERNEL(chase);
KERNEL(first);

static cudaStream_t one, other;
static int *at;

static void setup(void)
{
    setup_kernel(&write_kernel);
    setup_kernel(&read_kernel);
    setup_kernel(&chase_kernel);
    setup_kernel(&first_kernel);
    one = stream(cudaStreamNonBlocking);
    other = stream(cudaStreamNonBlocking);
    at = zeros(1 << 20);
    OK(cudaDeviceSynchronize());
}

TestSuite(costs, .init = setup);

static void launch(const struct simgpu_kernel *kernel, int n, cudaStream_t s)
{
    void *params[] = {&at};
    for (int i = 0; i < n; i++)
        OK(cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){32, 1, 1}, params, 0, s));
}

static double now_us(void)
{
    return (double)simgpu_now_ns() / 1e3;
}

static cudaGraphExec_t chain(const struct simgpu_kernel *kernel, int n)
{
    OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
    launch(kernel, n, one);
    cudaGraph_t graph = end_capture(one);
    cudaGraphExec_t exec = new_exec(graph);
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphUpload(exec, one));
    OK(cudaStreamSynchronize(one));
    return exec;
}

static double launched_us(cudaGraphExec_t exec)
{
    double t0 = now_us();
    run_exec(exec, one);
    return now_us() - t0;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

Test(costs, nodes_are_faster_while_one_stream_alone_was_given_kernels)
{
    cudaGraphExec_t exec = chain(&write_kernel, NODES);
    double first = launched_us(exec);
    launch(&write_kernel, 100, one);
    OK(cudaStreamSynchronize(one));
    cr_expect_float_eq(launched_us(exec), first, 1e-6, "its own stream makes no difference");
    launch(&write_kernel, 2, other);
    OK(cudaStreamSynchronize(other));
    cr_expect_float_eq(launched_us(exec), first, 1e-6, "nor do two kernels in another");
    launch(&write_kernel, 20, other);
    OK(cudaStreamSynchronize(other));
    double later = launched_us(exec);
    cr_expect_gt(later, 1.2 * first, "%.1f us first, %.1f later", first, later);
}

/* Asked of an H100, and of an H200 in part: 8 + 7 kernels and 4 + 12 change nothing, 8 + 8 do. */
Test(costs, nodes_are_slower_once_eight_of_sixteen_kernels_went_to_other_streams)
{
    const cudaStream_t third = stream(cudaStreamNonBlocking);
    cudaGraphExec_t exec = chain(&write_kernel, NODES);
    const double first = launched_us(exec);
    const cudaStream_t streams[] = {one, other, third};
    for (int i = 0; i < 3; i++)
        launch(&write_kernel, 5, streams[i]);
    OK(cudaDeviceSynchronize());
    cr_expect_float_eq(launched_us(exec), first, 1e-6, "10 of 15");
    launch(&write_kernel, 1, one);
    OK(cudaDeviceSynchronize());
    cr_expect_gt(launched_us(exec), 1.2 * first, "10 of 16");
}

Test(costs, a_graph_that_waited_while_others_were_made_launches_slower_once)
{
    cudaGraphExec_t exec = chain(&write_kernel, NODES);
    double warm = launched_us(exec);
    OK(cudaGraphExecDestroy(chain(&write_kernel, 1000)));
    double cold = launched_us(exec), again = launched_us(exec);
    cr_expect_gt(cold, warm + 2, "%.1f us, %.1f after others were made", warm, cold);
    cr_expect_float_eq(again, warm, 1e-6);
}

/* ---- kernels --------------------------------------------------------------------------------- */

Test(costs, a_kernel_that_reads_takes_longer_than_one_that_writes)
{
    double writes = launched_us(chain(&write_kernel, NODES)),
           reads = launched_us(chain(&read_kernel, NODES));
    cr_expect_gt(reads, writes + 0.2 * NODES, "%.1f and %.1f us", reads, writes);
}

Test(costs, a_kernel_lasts_as_long_as_it_waits_for_memory)
{
    double reads = launched_us(chain(&read_kernel, 1)),
           waits = launched_us(chain(&chase_kernel, 1));
    cr_expect_gt(waits, reads + 100, "%.1f and %.1f us", waits, reads);
}

static double blocks_us(unsigned blocks)
{
    void *params[] = {&at};
    const double t0 = now_us();
    OK(cudaLaunchKernel(&first_kernel, (dim3){blocks, 1, 1}, (dim3){256, 1, 1}, params, 0, one));
    OK(cudaStreamSynchronize(one));
    return now_us() - t0;
}

/* An H200 takes 39 us longer for 65,536 empty blocks than for one (probe.csv, kernel.empty). */
Test(costs, blocks_without_work_do_not_share_that_of_others_and_take_time_to_start)
{
    const double one_us = blocks_us(1), some_us = blocks_us(240), many_us = blocks_us(65536);
    cr_expect_gt(one_us, 20);
    cr_expect_float_eq(some_us, one_us, 0.2, "%.1f and %.1f us", one_us, some_us);
    cr_expect_gt(many_us, 35, "%.1f us", many_us);
    cr_expect_lt(many_us, one_us + 40, "%.1f us", many_us);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static double to_pageable_us(char *host, size_t bytes)
{
    double t0 = now_us();
    OK(cudaMemcpyAsync(host, at, bytes, cudaMemcpyDeviceToHost, one));
    OK(cudaStreamSynchronize(one));
    return now_us() - t0;
}

Test(costs, the_first_chunk_to_pageable_memory_is_the_slowest)
{
    const size_t chunk = 1 << 20;
    char *host = malloc(8 * chunk);
    cr_assert_not_null(host);
    at = zeros(8 * chunk);
    OK(cudaDeviceSynchronize());
    double few = to_pageable_us(host, chunk), many = to_pageable_us(host, 8 * chunk);
    cr_expect_lt((many - few) / 7, 0.7 * few, "%.1f us for the first, %.1f for seven more", few,
                 many - few);
    free(host);
}
