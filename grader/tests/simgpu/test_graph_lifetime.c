/* test_graph_lifetime.c: what graphs, their memory and their nodes outlive, and in which order they
 * go: a reset, a trim, objects released too often, graphs moved into themselves, pointers that are
 * none in calls of device code. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "kernels/kernels.h"
#include "launch_kernels.h"
#include "sim_graphs.h"
#include "../conformance/log_kernels.h"

#define NO(call, code) cr_assert_eq((call), (code), "%s", #call)

enum { BYTES = 4096 };

static cudaStream_t s;

static void setup(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    s = stream(cudaStreamNonBlocking);
}

TestSuite(graph_lifetime, .init = setup, .timeout = 30);

/* ---- memory of graphs ------------------------------------------------------------------------ */

/* A graph that allocates memory, sets it, and frees it or not. */
static cudaGraph_t allocating(void **p, bool frees)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(cudaMallocAsync(p, BYTES, s));
    OK(cudaMemsetAsync(*p, 1, BYTES, s));
    if (frees)
        OK(cudaFreeAsync(*p, s));
    return end_capture(s);
}

Test(graph_lifetime, memory_of_a_graph_and_a_reset)
{
    void *p, *q;
    size_t reserved = 1;
    cudaGraph_t g = allocating(&p, true), h = allocating(&q, false);
    cudaGraphExec_t x = new_exec(g), y = new_exec(h);
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(y, s));
    OK(cudaDeviceReset());
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    cr_assert_eq(reserved, 0);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphExecDestroy(y));
    OK(cudaGraphDestroy(h));
    for (int i = 0; i < 2000; i++) {
        OK(cudaMalloc(&q, BYTES));
        OK(cudaFree(q));
    }
}

static sem_t go;

static void wait_for_go(void *unused)
{
    (void)unused;
    sem_wait(&go);
}

/* Real time: it trims while the launching thread waits inside a call, where it cannot report. */
static void *trim_and_go(void *unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        OK(cudaDeviceGraphMemTrim(0));
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    sem_post(&go);
    return NULL;
}

Test(graph_lifetime, memory_of_a_graph_whose_launch_waits_is_not_trimmed)
{
    pthread_t other;
    void *p, *q;
    size_t reserved = 0;
    cudaGraph_t g = allocating(&p, true);
    cudaGraphExec_t x = new_exec(g);
    OK(cudaMalloc(&q, BYTES));
    sem_init(&go, 0, 0);
    OK(cudaLaunchHostFunc(s, wait_for_go, NULL));
    for (int i = 0; i < 1021; i++)
        OK(cudaMemsetAsync(q, 0, 4, s));
    pthread_create(&other, NULL, trim_and_go, NULL);
    OK(cudaMemsetAsync(q, 0, 4, s));
    OK(cudaGraphLaunch(x, s)); /* waits for room */
    pthread_join(other, NULL);
    OK(cudaStreamSynchronize(s));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    cr_assert_gt(reserved, 0);
}

Test(graph_lifetime, a_thousand_branches_that_allocate_are_made_in_little_time, .timeout = 15)
{
    enum { BRANCHES = 1000 };
    static cudaGraphNode_t frees[BRANCHES];
    cudaGraph_t g = new_graph();
    for (int i = 0; i < BRANCHES; i++) {
        cudaGraphNode_t a;
        struct cudaMemAllocNodeParams p = {.bytesize = BYTES};
        p.poolProps.allocType = cudaMemAllocationTypePinned;
        p.poolProps.location.type = cudaMemLocationTypeDevice;
        OK(cudaGraphAddMemAllocNode(&a, g, NULL, 0, &p));
        OK(cudaGraphAddMemFreeNode(&frees[i], g, &a, 1, p.dptr));
    }
    OK(cudaGraphDestroy(g));
}

/* ---- objects, and graphs in graphs ----------------------------------------------------------- */

static void count(void *n)
{
    ++*(int *)n;
}

Test(graph_lifetime, an_object_released_too_often_and_its_graph)
{
    int n = 0;
    cudaUserObject_t o;
    cudaGraph_t g = new_graph(), copy;
    OK(cudaUserObjectCreate(&o, &n, count, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    OK(cudaUserObjectRelease(o, 1)); /* the graph's */
    cr_assert_eq(n, 1);
    OK(cudaGraphClone(&copy, g));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(copy));
    cr_assert_eq(n, 1);
}

static void CUDART_CB do_nothing(void *unused)
{
    (void)unused;
}

Test(graph_lifetime, an_update_keeps_the_objects_of_a_launch_that_runs)
{
    int n = 0;
    cudaUserObject_t o;
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphNode_t node;
    cudaGraphExecUpdateResultInfo info;
    struct cudaHostNodeParams p = {.fn = do_nothing};
    OK(cudaGraphAddHostNode(&node, g, NULL, 0, &p));
    OK(cudaGraphAddHostNode(&node, h, NULL, 0, &p));
    OK(cudaUserObjectCreate(&o, &n, count, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    OK(cudaGraphDestroy(g));
    OK(launch_delay(1000, s));
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphExecUpdate(x, h, &info));
    cr_assert_eq(n, 0, "the launch has not run yet");
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(n, 1);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(h));
}

static struct cudaGraphNodeParams child_params(cudaGraph_t g,
                                               enum cudaGraphChildGraphNodeOwnership how)
{
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeGraph};
    p.graph.graph = g;
    p.graph.ownership = how;
    return p;
}

Test(graph_lifetime, a_graph_is_no_child_of_what_it_holds)
{
    cudaGraph_t g = new_graph(), inner = new_graph();
    cudaGraphNode_t n, m;
    OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, inner));
    OK(cudaGraphChildGraphNodeGetGraph(n, &inner));
    struct cudaGraphNodeParams p = child_params(g, cudaGraphChildGraphOwnershipMove);
    NO(cudaGraphAddNode(&m, inner, NULL, NULL, 0, &p), cudaErrorInvalidValue);
    NO(cudaGraphAddChildGraphNode(&m, inner, NULL, 0, g), cudaErrorInvalidValue);
    cudaGraphExec_t x = new_exec(g);
    run_exec(x, s);
    OK(cudaGraphDestroy(g));
}

Test(graph_lifetime, graphs_a_few_thousand_deep)
{
    enum { DEEP = 4000 };
    cudaGraph_t g = new_graph();
    for (int i = 0; i < DEEP; i++) {
        cudaGraph_t outer = new_graph();
        cudaGraphNode_t n;
        struct cudaGraphNodeParams p = child_params(g, cudaGraphChildGraphOwnershipMove);
        OK(cudaGraphAddNode(&n, outer, NULL, NULL, 0, &p));
        g = outer;
    }
    cudaGraphExec_t x = new_exec(g);
    run_exec(x, s);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

Test(graph_lifetime, a_switch_of_billions_of_bodies_is_refused)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    OK(cudaGraphConditionalHandleCreate(&p.conditional.handle, g, 0, 0));
    p.conditional.type = cudaGraphCondTypeSwitch;
    p.conditional.size = 0xffffffffu;
    cr_assert_neq(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p), cudaSuccess);
    p.conditional.size = 0x7fffffffu;
    cr_assert_neq(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p), cudaSuccess);
    p.conditional.size = 1000;
    OK(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    OK(cudaGraphDestroy(g));
}

Test(graph_lifetime, a_child_that_is_replaced_while_a_capture_goes_into_it)
{
    cudaGraph_t g = new_graph(), inner = new_graph(), old, ended;
    cudaGraphNode_t n;
    void *p;
    OK(cudaMalloc(&p, BYTES));
    OK(cudaGraphAddChildGraphNode(&n, g, NULL, 0, inner));
    OK(cudaGraphChildGraphNodeGetGraph(n, &old));
    OK(cudaStreamBeginCaptureToGraph(s, old, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
    struct cudaGraphNodeParams params = child_params(inner, cudaGraphChildGraphOwnershipClone);
    cudaGraphNodeSetParams(n, &params);
    cudaGraphDestroy(g);
    OK(cudaMemsetAsync(p, 0, 4, s));
    if (cudaStreamEndCapture(s, &ended) == cudaSuccess)
        cudaGraphDestroy(ended);
}

Test(graph_lifetime, a_body_destroyed_while_a_capture_goes_into_it)
{
    cudaGraph_t g = new_graph(), body, ended;
    void *p;
    OK(cudaMalloc(&p, BYTES));
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    OK(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
    OK(cudaMemsetAsync(p, 0, 4, s));
    OK(cudaGraphDestroyNode(n));
    OK(cudaGraphDestroy(g));
    NO(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    NO(cudaStreamEndCapture(s, &ended), cudaErrorStreamCaptureInvalidated);
    OK(cudaMemsetAsync(p, 0, 4, s));
    OK(cudaStreamSynchronize(s));
}

Test(graph_lifetime, a_loop_changed_and_destroyed_while_it_runs)
{
    enum { LAUNCHES = 20 };
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    int *log = zeros(DEVICE_LOG_INTS * sizeof *log), *runs = zeros(sizeof *runs);
    int letter = 0, most = 50, total = 0, wanted = 0;
    add_conditional(g, NULL, h, cudaGraphCondTypeWhile, &body);
    void *args[] = {&log, &letter, &h, &runs, &most};
    cudaGraphNode_t n = add_kernel(body, NULL, situation_countdown(), args);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 0; i < LAUNCHES; i++) {
        OK(cudaGraphLaunch(x, s));
        wanted = (wanted / most + 1) * most;
        most = 10 + i;
        struct cudaKernelNodeParams k = one_thread(situation_countdown(), args);
        OK(cudaGraphExecKernelNodeSetParams(x, n, &k));
    }
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&total, runs, sizeof total, cudaMemcpyDeviceToHost));
    cr_assert_eq(total, wanted, "%d rounds of %d", total, wanted);
}

/* ---- device code ----------------------------------------------------------------------------- */

static cudaGraphDeviceNode_t make_updatable(cudaGraphNode_t n)
{
    cudaLaunchAttributeValue v = {.deviceUpdatableKernelNode = {.deviceUpdatable = 1}};
    OK(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    return v.deviceUpdatableKernelNode.devNode;
}

Test(graph_lifetime, an_updatable_node_with_a_bad_pointer_fails)
{
    int *bad = (int *)(uintptr_t)0x1230, value = 1;
    cudaGraph_t g = new_graph();
    make_updatable(add_kernel(g, NULL, store_kernel(), (void *[]){&bad, &value}));
    OK(cudaGraphLaunch(new_exec(g), s));
    NO(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
}

static int *ints;

static void set_param(cudaGraphDeviceNode_t node, const int *value, size_t bytes, unsigned blocks)
{
    size_t offset = 8;
    OK(cudaLaunchKernel(situation_param_node(), (dim3){blocks, 1, 1}, (dim3){1, 1, 1},
                        (void *[]){&node, &offset, &value, &bytes, &ints}, 0, s));
}

static cudaGraphDeviceNode_t launched_updatable(cudaGraphExec_t *x)
{
    int value = 1;
    cudaGraph_t g = new_graph();
    OK(cudaMalloc((void **)&ints, BYTES));
    cudaGraphDeviceNode_t node =
        make_updatable(add_kernel(g, NULL, store_kernel(), (void *[]){&ints, &value}));
    *x = new_exec(g);
    run_exec(*x, s);
    return node;
}

Test(graph_lifetime, a_parameter_of_a_node_whose_exec_is_gone)
{
    cudaGraphExec_t x;
    cudaGraphDeviceNode_t node = launched_updatable(&x);
    OK(cudaGraphExecDestroy(x));
    set_param(node, NULL, 4, 1);
    OK(cudaStreamSynchronize(s));
    set_param(node, ints, SIZE_MAX, 1);
    OK(cudaStreamSynchronize(s));
}

Test(graph_lifetime, a_parameter_from_a_bad_pointer_ends_the_kernel_and_no_more)
{
    cudaGraphExec_t x;
    cudaGraphDeviceNode_t node = launched_updatable(&x);
    set_param(node, (const int *)(uintptr_t)0x10, 4, 4000);
    NO(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
}

static struct launch_orders *orders;

/* A graph whose kernel launches it again, `again` times. */
static cudaGraphExec_t repeating(int again)
{
    cudaGraph_t g = new_graph();
    OK(cudaMalloc((void **)&orders, sizeof *orders));
    add_kernel(g, NULL, launch_orders_kernel(), (void *[]){&orders});
    OK(cudaMemcpy(orders, &(struct launch_orders){.again = again}, sizeof *orders,
                  cudaMemcpyHostToDevice));
    cudaGraphExec_t x;
    OK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(x, s));
    OK(cudaGraphDestroy(g));
    return x;
}

Test(graph_lifetime, a_graph_destroyed_while_it_launches_itself)
{
    cudaGraphExec_t x = repeating(100);
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphExecDestroy(x));
    OK(cudaStreamSynchronize(s));
}

Test(graph_lifetime, a_reset_while_a_graph_launches_itself)
{
    cudaGraphExec_t x = repeating(100);
    OK(cudaGraphLaunch(x, s));
    OK(cudaDeviceReset());
    cudaGraphExecDestroy(x);
}

static cudaGraphExec_t shared;

static void *launch_often(void *stream)
{
    for (int i = 0; i < 300; i++)
        OK(cudaGraphLaunch(shared, stream));
    OK(cudaStreamSynchronize(stream));
    return NULL;
}

Test(graph_lifetime, threads_that_launch_one_graph)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    shared = repeating(2);
    for (int i = 0; i < THREADS; i++) {
        cudaStream_t mine = stream(cudaStreamNonBlocking);
        pthread_create(&threads[i], NULL, launch_often, mine);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(cudaGraphExecDestroy(shared));
}
