/* test_pending_launches.c: launches of graphs that have not begun: what they take of memory, and
 * that they stay as they were when their graph is changed. */
#include <string.h>
#include <sys/resource.h>

#include "kernels/kernels.h"
#include "sim_graphs.h"

TestSuite(pending_launches, .init = setup_quiet, .timeout = 60);

/* ---- changes --------------------------------------------------------------------------------- */

/* memset -> copy to the host, launched after a delay. */
struct changing {
    cudaStream_t s;
    unsigned char *device, *host;
    cudaGraph_t g;
    cudaGraphNode_t fill, copy;
    cudaGraphExec_t x;
};

static struct cudaMemsetParams bytes_of(const struct changing *c, unsigned value)
{
    return (struct cudaMemsetParams){
        .dst = c->device, .value = value, .elementSize = 1, .width = 4, .height = 1};
}

static void make_graph(struct changing *c, unsigned value, int to)
{
    struct cudaMemsetParams p = bytes_of(c, value);
    c->g = new_graph();
    OK(cudaGraphAddMemsetNode(&c->fill, c->g, NULL, 0, &p));
    OK(cudaGraphAddMemcpyNode1D(&c->copy, c->g, &c->fill, 1, c->host + to, c->device, 1,
                                cudaMemcpyDeviceToHost));
}

static struct changing first_launch(void)
{
    struct changing c = {.s = stream(cudaStreamNonBlocking)};
    OK(cudaMalloc((void **)&c.device, 4));
    OK(cudaMallocHost((void **)&c.host, 4));
    memset(c.host, 0, 4);
    make_graph(&c, 11, 0);
    c.x = new_exec(c.g);
    OK(launch_delay(1000, c.s));
    OK(cudaGraphLaunch(c.x, c.s));
    return c;
}

static void expect(const struct changing *c, unsigned first, unsigned second)
{
    run_exec(c->x, c->s);
    cr_assert_eq(c->host[0], first, "the first launch copied %d, not %u", c->host[0], first);
    cr_assert_eq(c->host[1], second, "the second launch copied %d, not %u", c->host[1], second);
    expect_findings(0);
}

Test(pending_launches, keep_their_parameters)
{
    struct changing c = first_launch();
    struct cudaMemsetParams p = bytes_of(&c, 22);
    OK(cudaGraphExecMemsetNodeSetParams(c.x, c.fill, &p));
    OK(cudaGraphExecMemcpyNodeSetParams1D(c.x, c.copy, c.host + 1, c.device, 1,
                                          cudaMemcpyDeviceToHost));
    expect(&c, 11, 22);
}

Test(pending_launches, keep_what_an_update_replaces)
{
    struct changing c = first_launch();
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphDestroy(c.g));
    make_graph(&c, 22, 1);
    OK(cudaGraphExecUpdate(c.x, c.g, &info));
    expect(&c, 11, 22);
}

Test(pending_launches, keep_nodes_that_are_disabled)
{
    struct changing c = first_launch();
    OK(cudaGraphNodeSetEnabled(c.x, c.copy, 0));
    expect(&c, 11, 0);
}

Test(pending_launches, outlive_their_graph)
{
    struct changing c = first_launch();
    OK(cudaGraphExecDestroy(c.x));
    OK(cudaGraphDestroy(c.g));
    OK(cudaStreamSynchronize(c.s));
    cr_assert_eq(c.host[0], 11);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long memory_kib(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

Test(pending_launches, take_less_than_a_hundred_bytes_for_each_node)
{
    enum { NODES = 5000, LAUNCHES = 40 };
    const long most_kib = 100L * NODES * LAUNCHES / 1024;
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++)
        OK(launch_empty(1, s));
    cudaGraphExec_t x = new_exec(end_capture(s));
    run_exec(x, s);
    const long before = memory_kib();
    OK(launch_delay(1e6f, s));
    for (int i = 0; i < LAUNCHES; i++)
        OK(cudaGraphLaunch(x, s));
    const long more = memory_kib() - before;
    OK(cudaStreamSynchronize(s));
    cr_assert_lt(more, most_kib, "%d nodes that are pending take %ld KiB", NODES * LAUNCHES, more);
}
