/* test_graph_misuse.c: what learners do to graphs without meaning it: captures left open, work that
 * is never launched, two threads at once, and graphs that outlive the memory their nodes name. Each
 * is reported, none crashes. What single calls answer is the conformance corpus's. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/kernels.h"
#include "sim_graphs.h"

enum { BYTES = 4096 };

static cudaStream_t s;

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    s = stream(cudaStreamNonBlocking);
}

TestSuite(graph_misuse, .init = setup, .timeout = 30);

static void add_memset(cudaGraph_t g, void *p)
{
    cudaGraphNode_t n;
    struct cudaMemsetParams m = {
        .dst = p, .elementSize = 1, .width = BYTES, .height = 1, .value = 1};
    OK(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
}

/* A graph that sets the memory, ready to be launched. */
static cudaGraphExec_t exec_that_sets(void *p)
{
    cudaGraph_t g = new_graph();
    add_memset(g, p);
    cudaGraphExec_t x = new_exec(g);
    OK(cudaGraphDestroy(g));
    return x;
}

static void expect_words(enum simgpu_finding_kind kind, const char *words)
{
    struct simgpu_finding found[64];
    size_t n = simgpu_findings(found, 64);
    for (size_t i = 0; i < n && i < 64; i++)
        if (found[i].kind == kind && strstr(finding_text(&found[i]), words))
            return;
    cr_assert_fail("no finding has the words \"%s\"; the first of %zu: %s", words, n,
                   n ? finding_text(&found[0]) : "none");
}

Test(graph_misuse, branches_that_race_are_both_named)
{
    cudaGraph_t g = new_graph();
    char *p;
    OK(cudaMalloc((void **)&p, BYTES));
    add_memset(g, p);
    add_memset(g, p);
    run_exec(new_exec(g), s);
    struct simgpu_finding f[2];
    cr_assert_eq(simgpu_findings(f, 2), 1);
    cr_assert_eq(f[0].kind, SIMGPU_RACE);
    cr_assert_eq(f[0].first.node, 0);
    cr_assert_eq(f[0].second.node, 1);
}

Test(graph_misuse, an_open_capture_is_reported_at_the_end)
{
    char *p;
    OK(cudaMalloc((void **)&p, BYTES));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMemsetAsync(p, 0, BYTES, s));
    simgpu_findings_end();
    expect_words(SIMGPU_UNFINISHED, "was still capturing: its 1 node never ran");
}

Test(graph_misuse, a_captured_graph_never_launched_is_reported_at_the_end)
{
    char *p;
    OK(cudaMalloc((void **)&p, BYTES));
    exec_that_sets(p);
    simgpu_findings_end();
    expect_words(SIMGPU_UNFINISHED, "An executable graph of 1 node was never launched");
}

Test(graph_misuse, a_graph_leaked_each_call_is_counted)
{
    for (int i = 0; i < 5; i++)
        new_graph();
    simgpu_findings_end();
    expect_words(SIMGPU_LEAK, "5 graphs were created and never destroyed");
}

static void expect_no_leak_of(enum simgpu_object object)
{
    struct simgpu_finding all[8];
    const size_t n = simgpu_findings(all, 8);
    for (size_t i = 0; i < n && i < 8; i++)
        cr_expect_neq(all[i].object, object);
}

static void no_destructor(void *unused)
{
    (void)unused;
}

Test(graph_misuse, a_user_object_that_is_never_released_is_a_leak)
{
    cudaUserObject_t o;
    cudaGraph_t g = new_graph();
    OK(cudaUserObjectCreate(&o, NULL, no_destructor, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, o, 1, 0));
    OK(cudaGraphDestroy(g));
    simgpu_findings_end();
    expect_words(SIMGPU_LEAK, "1 user object was created and never destroyed");
    simgpu_findings_clear();
    OK(cudaUserObjectRelease(o, 1));
    simgpu_findings_end();
    expect_no_leak_of(SIMGPU_OBJECT_USER_OBJECT);
}

Test(graph_misuse, a_pool_that_is_never_destroyed_is_a_leak)
{
    const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                           .location = {.type = cudaMemLocationTypeDevice}};
    cudaMemPool_t pool, usual;
    OK(cudaDeviceGetDefaultMemPool(&usual, 0)); /* belongs to the device */
    simgpu_findings_end();
    expect_no_leak_of(SIMGPU_OBJECT_POOL);
    OK(cudaMemPoolCreate(&pool, &props));
    simgpu_findings_end();
    expect_words(SIMGPU_LEAK, "1 memory pool was created and never destroyed");
    simgpu_findings_clear();
    OK(cudaMemPoolDestroy(pool));
    simgpu_findings_end();
    expect_no_leak_of(SIMGPU_OBJECT_POOL);
}

Test(graph_misuse, a_replay_with_freed_memory_fails_and_is_reported)
{
    char *p;
    OK(cudaMalloc((void **)&p, 64 << 20));
    cudaGraphExec_t x = exec_that_sets(p);
    OK(cudaFree(p));
    OK(cudaGraphLaunch(x, s));
    cr_assert_eq(cudaStreamSynchronize(s), cudaErrorLaunchFailure);
    expect_words(SIMGPU_USE_AFTER_FREE, "which was freed before the launch");
}

Test(graph_misuse, a_replay_with_reused_memory_is_reported)
{
    char *p, *q;
    OK(cudaMalloc((void **)&p, BYTES));
    cudaGraphExec_t x = exec_that_sets(p);
    run_exec(x, s);
    cr_assert_eq(simgpu_findings(NULL, 0), 0);
    OK(cudaFree(p));
    OK(cudaMalloc((void **)&q, BYTES));
    cr_assert_eq(p, q, "the address was not used again: nothing is tested");
    run_exec(x, s);
    expect_words(SIMGPU_USE_AFTER_FREE, "freed and allocated again after the graph was created");
}

Test(graph_misuse, memory_of_a_graph_used_after_its_free_node_is_reported)
{
    char *p;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMallocAsync((void **)&p, BYTES, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaMemsetAsync(p, 0, BYTES, s));
    run_exec(new_exec(end_capture(s)), s);
    expect_words(SIMGPU_USE_AFTER_FREE, "a free node of a graph frees before it");
}

/* An alloc node, a memset of its memory, and a free node after the memset or after the alloc node.
 */
static cudaGraphExec_t exec_that_frees(bool after_memset)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[2], freed;
    struct cudaMemAllocNodeParams p = {.bytesize = BYTES};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    OK(cudaGraphAddMemAllocNode(&nodes[0], g, NULL, 0, &p));
    struct cudaMemsetParams set = {
        .dst = p.dptr, .elementSize = 1, .width = BYTES, .height = 1, .pitch = BYTES};
    OK(cudaGraphAddMemsetNode(&nodes[1], g, &nodes[0], 1, &set));
    OK(cudaGraphAddMemFreeNode(&freed, g, &nodes[after_memset], 1, p.dptr));
    return new_exec(g);
}

Test(graph_misuse, memory_of_a_graph_used_beside_its_free_node_is_reported)
{
    cudaGraphExec_t right = exec_that_frees(true), wrong = exec_that_frees(false);
    for (int i = 0; i < 2; i++)
        OK(cudaGraphLaunch(right, s));
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(simgpu_findings(NULL, 0), 0);
    run_exec(wrong, s);
    expect_words(SIMGPU_USE_AFTER_FREE, "may still be using; add an edge from node 1 to node 2");
}

Test(graph_misuse, writing_to_the_parameters_of_a_node_changes_no_equal_one)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t nodes[2];
    float *p, two[] = {0, 1}, alpha = 1, *q;
    int n = 1;
    OK(cudaMalloc((void **)&p, sizeof two));
    OK(cudaMemcpy(p, two, sizeof two, cudaMemcpyDefault));
    q = p + 1;
    void *args[] = {&p, &q, &alpha, &n};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)kernel_saxpy(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {256, 1, 1},
                                     .kernelParams = args};
    for (size_t i = 0; i < 2; i++)
        OK(cudaGraphAddKernelNode(&nodes[i], g, nodes, i, &k));
    OK(cudaGraphKernelNodeGetParams(nodes[0], &k));
    *(float *)k.kernelParams[2] = 10;
    OK(cudaGraphKernelNodeSetParams(nodes[0], &k));
    OK(cudaGraphLaunch(new_exec(g), s));
    OK(launch_saxpy(p, q, 1, 1, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(two, p, sizeof two, cudaMemcpyDefault));
    cr_assert_eq(two[0], 10 + 1 + 1);
}

Test(graph_misuse, a_hundred_thousand_nodes_are_no_trouble)
{
    size_t n = 0;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 100000; i++)
        OK(launch_empty(1, s));
    cudaGraph_t g = end_capture(s);
    OK(cudaGraphGetNodes(g, NULL, &n));
    cr_assert_eq(n, 100000);
    cudaGraphExec_t x = new_exec(g);
    run_exec(x, s);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

/* ---- two threads ----------------------------------------------------------------------------- */

static cudaGraph_t shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add_empty(bool is_locked)
{
    cudaGraphNode_t n;
    if (is_locked)
        pthread_mutex_lock(&lock);
    OK(cudaGraphAddEmptyNode(&n, shared, NULL, 0));
    if (is_locked)
        pthread_mutex_unlock(&lock);
}

static void *adds_alone(void *unused)
{
    for (int i = 0; i < 5000; i++)
        add_empty(true);
    return unused;
}

/* Until calls of both threads have overlapped. */
static void *adds_beside(void *unused)
{
    while (simgpu_findings(NULL, 0) == 0)
        add_empty(false);
    return unused;
}

static void in_two_threads(void *(*run_thread)(void *))
{
    pthread_t other;
    shared = new_graph();
    cr_assert_eq(pthread_create(&other, NULL, run_thread, NULL), 0);
    run_thread(NULL);
    pthread_join(other, NULL);
}

Test(graph_misuse, a_graph_that_two_threads_use_at_once)
{
    in_two_threads(adds_alone);
    cr_expect_eq(simgpu_findings(NULL, 0), 0);
    in_two_threads(adds_beside);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_UNDEFINED);
    cr_expect_eq(f.what, SIMGPU_WHAT_GRAPH_IN_TWO_THREADS);
}
