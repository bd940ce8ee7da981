/* test_lineage.c: where results come from, as the simulated device follows it from run to run; and
 * which graphs the launches of a run came from. */
#include "sim_graphs.h"

#include <stdlib.h>
#include <string.h>

#include "common/simgpu/lineage.h"
#include "kernels/kernels.h"

enum { N = 256, BYTES = N * sizeof(float) };

static float *in, *out; /* pinned */
static float *x, *y;    /* device memory */
static cudaStream_t s;

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    s = stream(cudaStreamNonBlocking);
    OK(cudaMallocHost((void **)&in, BYTES));
    OK(cudaMallocHost((void **)&out, BYTES));
    OK(cudaMalloc((void **)&x, BYTES));
    y = zeros(BYTES);
    memset(in, 0, BYTES);
    memset(out, 0, BYTES);
    OK(cudaDeviceSynchronize());
}

TestSuite(lineage, .init = setup, .timeout = 30);

static void begin(void)
{
    simgpu_lineage_begin();
    simgpu_lineage_watch(in, BYTES, 0);
    simgpu_lineage_watch(out, BYTES, 1);
}

static void copy(void *to, const void *from, size_t bytes)
{
    OK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s));
}

#define BY(...) (&(const struct simgpu_makers){.kernels = {__VA_ARGS__}})
#define AFTER(kernel, before) (&(const struct simgpu_makers){.kernels = {kernel}, .after = before})

static void expect(enum simgpu_lineage expected, const void *result, const struct simgpu_makers *by,
                   size_t expected_offset)
{
    size_t offset;
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(simgpu_lineage(result, BYTES, by, &offset), expected);
    if (expected != SIMGPU_LINEAGE_GOOD)
        cr_assert_eq(offset, expected_offset, "%zu, not %zu", offset, expected_offset);
}

Test(lineage, a_result_comes_from_a_kernel_that_read_the_inputs)
{
    size_t offset;
    begin();
    copy(x, in, BYTES);
    OK(launch_consume(y, x, N, s));
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_GOOD, out, BY("consume"), 0);
    expect(SIMGPU_LINEAGE_GOOD, out, BY("saxpy", "consume"), 0);
    expect(SIMGPU_LINEAGE_NOT_COMPUTED, out, BY("saxpy", "consum"), 0);
    cr_assert(simgpu_lineage_is_read(in, BYTES, &offset));
    begin(); /* what the last run did is old now */
    expect(SIMGPU_LINEAGE_NOT_COPIED, out, BY("consume"), 0);
    cr_assert_not(simgpu_lineage_is_read(in, BYTES, &offset));
}

Test(lineage, every_byte_counts)
{
    begin();
    copy(x, in, BYTES);
    OK(launch_consume(y, x, N / 2, s));
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_NOT_COPIED, out, BY("consume"), 0); /* of the copy, as a whole */
    OK(launch_consume(y, x, N, s));
    copy(out, y, BYTES - 4);
    OK(cudaStreamSynchronize(s));
    expect(SIMGPU_LINEAGE_NOT_COPIED, out, BY("consume"), BYTES - 4);
    copy(out, y, BYTES);
    OK(cudaStreamSynchronize(s));
    memset((char *)out + 21, 1, 1);
    expect(SIMGPU_LINEAGE_CHANGED, out, BY("consume"), 21);
}

Test(lineage, what_a_kernel_adds_to_is_an_input_too)
{
    begin();
    copy(x, in, BYTES);
    OK(launch_saxpy(y, x, 1, N, s)); /* y is from before the run */
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_OTHER_INPUTS, out, BY("saxpy"), 0);
    OK(cudaMemsetAsync(y, 0, BYTES, s));
    OK(launch_saxpy(y, x, 1, N, s));
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_GOOD, out, BY("saxpy"), 0);
}

Test(lineage, the_first_byte_of_a_result_from_other_data_is_found)
{
    begin();
    copy(x, in, BYTES / 2);
    copy(x + N / 2, out, BYTES / 2); /* no input */
    OK(launch_consume(y, x, N / 2, s));
    OK(launch_consume(y + N / 2, x + N / 2, N / 2, s));
    for (int i = 0; i < 2; i++) /* all bytes of one copy have one origin */
        copy(out + i * N / 2, y + i * N / 2, BYTES / 2);
    expect(SIMGPU_LINEAGE_OTHER_INPUTS, out, BY("consume"), BYTES / 2);
}

Test(lineage, a_kernel_between_must_have_written_all_that_was_read)
{
    begin();
    copy(x, in, BYTES);
    OK(launch_produce(x, x, 1, N, s));
    OK(launch_consume(y, x, N, s));
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_GOOD, out, AFTER("consume", "produce"), 0);
    expect(SIMGPU_LINEAGE_LEFT_OUT, out, AFTER("consume", "saxpy"), 0);
    copy(x, in, BYTES);
    OK(launch_produce(x, x, 1, N / 2, s));
    OK(launch_consume(y, x, N, s));
    copy(out, y, BYTES);
    expect(SIMGPU_LINEAGE_LEFT_OUT, out, AFTER("consume", "produce"), 0);
    expect(SIMGPU_LINEAGE_GOOD, out, BY("consume"), 0);
}

Test(lineage, device_memory_can_be_input_and_result)
{
    simgpu_lineage_begin();
    simgpu_lineage_watch(x, BYTES, 0);
    simgpu_lineage_watch(y, BYTES, 1);
    OK(launch_consume(y, x, N, s));
    expect(SIMGPU_LINEAGE_GOOD, y, BY("consume"), 0);
    copy(x, out, BYTES); /* is nothing that the run found there */
    OK(launch_consume(y, x, N, s));
    expect(SIMGPU_LINEAGE_OTHER_INPUTS, y, BY("consume"), 0);
}

Test(lineage, what_was_made_of_constants_alone_is_an_input_of_each_run)
{
    static float constants[N]; /* pageable */
    float *z;
    OK(cudaMalloc((void **)&z, BYTES));
    simgpu_lineage_constant(constants, BYTES);
    copy(z, constants, BYTES);
    OK(launch_consume(y, z, N, s)); /* before the first run */
    for (int i = 0; i < 2; i++) {
        begin();
        OK(launch_saxpy(z, y, 0, N, s)); /* made of both */
        copy(x, in, BYTES);
        OK(launch_saxpy(x, y, 1, N, s));
        copy(out, x, BYTES);
        expect(SIMGPU_LINEAGE_GOOD, out, BY("saxpy"), 0);
        copy(out, y, BYTES);
        expect(SIMGPU_LINEAGE_NOT_COMPUTED, out, BY("consume"), 0); /* a constant is no result */
    }
    copy(y, out, BYTES); /* of other memory of the host */
    begin();
    copy(x, in, BYTES);
    OK(launch_saxpy(x, y, 1, N, s));
    copy(out, x, BYTES);
    expect(SIMGPU_LINEAGE_OTHER_INPUTS, out, BY("saxpy"), 0);
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(simgpu_lineage(out, BYTES,
                                &(const struct simgpu_makers){{"saxpy"}, .of_any_data = 1},
                                &(size_t){0}),
                 SIMGPU_LINEAGE_GOOD);
    simgpu_lineage_constant(NULL, 0);
    copy(y, constants, BYTES); /* no more */
    begin();
    copy(x, in, BYTES);
    OK(launch_saxpy(x, y, 1, N, s));
    copy(out, x, BYTES);
    expect(SIMGPU_LINEAGE_OTHER_INPUTS, out, BY("saxpy"), 0);
}

/* ---- launches -------------------------------------------------------------------------------- */

static cudaGraph_t graph_of(float *to)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(launch_consume(to, x, N, s));
    return end_capture(s);
}

Test(lineage, launches_belong_to_the_graph_that_was_instantiated)
{
    cudaGraph_t shown = graph_of(y), other = graph_of(x + N / 2);
    cudaGraphExec_t exec = new_exec(shown);
    simgpu_lineage_begin();
    cr_expect_eq(simgpu_graph_launches(NULL), 0);
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphLaunch(exec, s));
    cr_expect_eq(simgpu_graph_launches(NULL), 2);
    cr_expect_eq(simgpu_graph_launches(shown), 2);
    cr_expect_eq(simgpu_graph_launches(other), 0);
    simgpu_lineage_begin();
    cr_expect_eq(simgpu_graph_launches(NULL), 0);

    OK(cudaGraphExecUpdate(exec, other, NULL));
    OK(cudaGraphLaunch(exec, s));
    cr_expect_eq(simgpu_graph_launches(shown), 0);
    cr_expect_eq(simgpu_graph_launches(other), 1);
}

Test(lineage, a_graph_that_was_changed_since_is_another_one_with_the_same_number)
{
    cudaGraph_t graph = graph_of(y);
    cudaGraphExec_t exec = new_exec(graph);
    cudaGraphNode_t node;
    const unsigned long long number = simgpu_graph_number(graph);
    simgpu_lineage_begin();
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    cr_expect_eq(simgpu_graph_launches(graph), 0);
    cr_expect_eq(simgpu_number_launches(number), 1);
    OK(cudaGraphDestroy(graph));
    cr_expect_eq(simgpu_number_launches(number), 1);
    cr_expect_eq(simgpu_graph_number(exec), 0);
}
