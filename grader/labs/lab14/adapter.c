/* adapter.c: lab 14 between the judge's buffers and the submission. Input and results are in the
 * memory of the devices, and the adapter copies them to the devices and from them. */

#include "exchange.h"
#include "labs/lab14/causes.h"
#include "common/check.h"
#include "labs/peers.h"
#include "labs/random_weights.h"
#include "links.h"
#include "subject/bench.h"
#include "subject/graph.h"

enum { MOST_NODES = 4096 };

static struct lab14 *lab;
static float *weights;

static size_t message_bytes(void)
{
    return (size_t)lab->rows * (size_t)lab->n * sizeof(float);
}

/* ---- memory of the devices ------------------------------------------------------------------- */

static cudaError_t copy_in(const struct subject *s)
{
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaMemcpy((float *)lab->x[d], subject_buffer(s, "x"), message_bytes(),
                       cudaMemcpyHostToDevice));
        TRY(cudaMemcpy(lab->y[d], (char *)subject_buffer(s, "y") + (size_t)d * message_bytes(),
                       message_bytes(), cudaMemcpyHostToDevice));
        TRY(cudaDeviceSynchronize());
    }
    return cudaSetDevice(0);
}

static cudaError_t copy_out(const struct subject *s)
{
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaMemcpy((char *)subject_buffer(s, "y") + (size_t)d * message_bytes(), lab->y[d],
                       message_bytes(), cudaMemcpyDeviceToHost));
    }
    return cudaSetDevice(0);
}

static cudaError_t create(const struct subject *s)
{
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(cudaSetDevice(d));
        TRY(cudaMalloc((void **)&lab->x[d], message_bytes()));
        TRY(cudaMalloc((void **)&lab->y[d], message_bytes()));
    }
    return copy_in(s);
}

static cudaError_t destroy(void)
{
    for (int d = 0; d < lab->n_devices; d++) {
        TRY(cudaFree((float *)lab->x[d]));
        TRY(cudaFree(lab->y[d]));
    }
    return cudaSetDevice(0);
}

/* expected_results.h: in each layer all of h is 2 x[0], and the first row of b in each device's
   part is 4 to the power of the device; the others are 0. */
static void make_digits(float *a, float *b)
{
    const int each = lab->n * lab->m;
    for (int i = 0; i < lab->n_layers * each; i++) {
        a[i] = i % each < lab->m ? 2 : 0;
        b[i] = 0;
    }
    for (int k = 0; k < lab->n_layers; k++)
        for (int d = 0; d < lab->n_devices; d++)
            for (int i = 0; i < lab->n; i++)
                b[k * each + d * lab->m / lab->n_devices * lab->n + i] = (float)(1 << (2 * d));
}

/* a, then b, of all layers: the judge makes the same (expected_results.c). */
static void take_weights(struct subject *s)
{
    const size_t each = (size_t)lab->n_layers * (size_t)lab->n * (size_t)lab->m;
    weights = subject_lend(s, "b", 2 * each * sizeof *weights);
    if (subject_numbers(s)->digits) {
        make_digits(weights, weights + each);
    } else {
        make_weights(weights, 0, each, LAB14_SEED, lab->n);
        make_weights(weights + each, each, each, LAB14_SEED, lab->m);
    }
    lab->a = weights;
    lab->b = weights + each;
}

/* ---- what the submission has done ------------------------------------------------------------ */

/* peers: pairs of devices of which the first could access the memory of the second. */
static void look_at_peers(struct subject *s)
{
    int peers = 0;
    for (int d = 0; d < lab->n_devices; d++)
        for (int q = 0; q < lab->n_devices; q++)
            if (q != d && peers_left_out(d, q, &peers))
                subject_note(s, LAB14_NO_PEER_ACCESS, NULL,
                             "device %d has no access to the memory of device %d", d, q);
    subject_value(s, peers, peers);
}

/* The device that the memory belongs to; -1: it is no device memory. */
static int device_of(const void *p)
{
    struct cudaPointerAttributes at;
    const bool is_known = cudaPointerGetAttributes(&at, p) == cudaSuccess;
    return is_known && at.type == cudaMemoryTypeDevice && at.device < LAB14_MOST_DEVICES ? at.device
                                                                                         : -1;
}

static cudaGraphNode_t nodes[MOST_NODES];

/* Leaves the nodes of that type of the graph in `nodes`, and how many in *n. */
static cudaError_t take_nodes(enum cudaGraphNodeType type, size_t *n)
{
    size_t all = MOST_NODES;
    *n = 0;
    TRY(cudaGraphGetNodes(lab->graph, nodes, &all));
    for (size_t i = 0; i < all; i++) {
        enum cudaGraphNodeType has;
        TRY(cudaGraphNodeGetType(nodes[i], &has));
        if (has == type)
            nodes[(*n)++] = nodes[i];
    }
    return cudaSuccess;
}

/* Has the kernel pointers to the memory of two devices among its arguments? */
static bool uses_two_devices(cudaGraphNode_t node)
{
    struct cudaKernelNodeParams p;
    size_t at, bytes;
    int device = -1;
    if (cudaGraphKernelNodeGetParams(node, &p) != cudaSuccess)
        return false;
    for (size_t i = 0; cudaFuncGetParamInfo(p.func, i, &at, &bytes) == cudaSuccess; i++) {
        const int other =
            bytes == sizeof(void *) ? device_of(*(void *const *)p.kernelParams[i]) : -1;
        if (device >= 0 && other >= 0 && other != device)
            return true;
        device = other >= 0 ? other : device;
    }
    cudaGetLastError(); /* there are no more arguments */
    return false;
}

static void count_far_kernels(struct subject *s)
{
    size_t n, far = 0;
    if (take_nodes(cudaGraphNodeTypeKernel, &n) == cudaSuccess)
        for (size_t i = 0; i < n; i++)
            far += uses_two_devices(nodes[i]);
    subject_value(s, far_kernels, (double)far);
}

/* Adds the bytes of each copy of the graph to those from its device to its other device. */
static int count_bytes(struct subject *s, float *bytes)
{
    struct cudaMemcpy3DParms p;
    size_t n;
    cudaError_t e = take_nodes(cudaGraphNodeTypeMemcpy, &n);
    for (size_t i = 0; i < n && !e; i++) {
        e = cudaGraphMemcpyNodeGetParams(nodes[i], &p);
        const int from = device_of(p.srcPtr.ptr), to = device_of(p.dstPtr.ptr);
        if (!e && from >= 0 && to >= 0)
            bytes[from * LAB14_MOST_DEVICES + to] +=
                (float)(p.extent.width * p.extent.height * p.extent.depth);
    }
    return subject_own_call(s, "reading the copies of lab->graph", e);
}

/* ---- requests of the judge ------------------------------------------------------------------- */

static int ask(struct subject *s)
{
    const enum lab14_algorithm first = lab14_choose(4, 1 << 14, 12, 400);
    if (first != LAB14_ONE_SHOT && first != LAB14_TWO_SHOT)
        return subject_failed(s,
                              "lab14_choose is not written yet (it returned %d): look for YOUR "
                              "STEP 1 in the lab's source",
                              (int)first);
    for (int i = 0; i < N_CASES; i++)
        subject_value(
            s, choices[i],
            lab14_choose(cases[i].devices, cases[i].bytes, cases[i].exchange_us, cases[i].gbps));
    return 0;
}

/* The figures for lab14_choose: the scenario's, or measured, in each process once: on two H200s
 * that takes 0.13 s. */
static cudaError_t take_figures(const struct subject *s)
{
    static int n_devices;
    static double exchange_us, gbps;
    const struct numbers *numbers = subject_numbers(s);
    if (!(numbers->gbps > 0) && n_devices != lab->n_devices) {
        TRY(links_measure(lab->n_devices, &exchange_us, &gbps));
        n_devices = lab->n_devices;
    }
    lab->exchange_us = numbers->gbps > 0 ? numbers->exchange : exchange_us;
    lab->gbps = numbers->gbps > 0 ? numbers->gbps : gbps;
    return cudaSuccess;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab14){.n_devices = bench_devices(numbers->devices, LAB14_MOST_DEVICES),
                          .n_layers = (int)numbers->n_layers,
                          .rows = (int)numbers->rows,
                          .n = (int)numbers->n,
                          .m = (int)numbers->m,
                          .algorithm = numbers->algorithm};
    if (subject_numbers(s)->ask)
        return 0;
    take_weights(s);
    int failed = subject_own_call(s, "measuring the links", take_figures(s));
    failed = failed ? failed : subject_own_call(s, "preparing x and y", create(s));
    if (failed)
        return failed;
    bench_before_setup();
    subject_given(s, lab, graph);
    const cudaError_t e = lab14_setup(lab);
    failed = subject_captured(s, "lab14_setup", e);
    cudaSetDevice(0);
    return failed;
}

static int arm(struct subject *s)
{
    if (subject_numbers(s)->ask || subject_unaided(s))
        return 0;
    return subject_own_call(s, "copying x to the devices", copy_in(s));
}

static int run(struct subject *s)
{
    if (subject_numbers(s)->ask)
        return ask(s);
    const cudaError_t e = lab14_run(lab);
    const int failed = subject_returned(s, "lab14_run", e);
    bench_pending_on(s, lab->n_devices);
    subject_value(s, n_devices, lab->n_devices);
    subject_value(s, exchange_us, lab->exchange_us);
    subject_value(s, gbps, lab->gbps);
    if (subject_numbers(s)->look) {
        look_at_peers(s);
        count_far_kernels(s);
    }
    return failed;
}

static int collect(struct subject *s)
{
    if (subject_numbers(s)->ask || subject_unaided(s))
        return 0;
    const int failed = subject_own_call(s, "copying y from the devices", copy_out(s));
    float *bytes = subject_numbers(s)->look ? subject_buffer(s, "bytes") : NULL;
    for (int i = 0; bytes && i < LAB14_MOST_DEVICES * LAB14_MOST_DEVICES; i++)
        bytes[i] = 0;
    return failed || !bytes ? failed : count_bytes(s, bytes);
}

static int teardown(struct subject *s)
{
    if (subject_numbers(s)->ask)
        return 0;
    int failed = subject_captured(s, "lab14_teardown", lab14_teardown(lab));
    cudaSetDevice(0);
    subject_take_back();
    return failed ? failed : subject_own_call(s, "freeing x and y", destroy());
}

static int floor_times(struct subject *s)
{
    double products_us;
    const cudaError_t e = links_products(lab, &products_us);
    subject_value(s, products_us, products_us);
    return subject_own_call(s, "measuring the products of one device", e);
}

/* y is in the memory of the devices. */
static void watch(struct subject *s)
{
    for (int d = 0; !subject_numbers(s)->ask && d < lab->n_devices; d++) {
        subject_watch(s, "x", lab->x[d], message_bytes());
        subject_watch(s, "y", lab->y[d], message_bytes());
    }
}

static const void *shown(const struct subject *s)
{
    return subject_numbers(s)->ask ? NULL : lab->graph;
}

SUBJECT_LAB(.shown = shown, .watch = watch, .name = "lab14", .setup = setup, .arm = arm, .run = run,
            .collect = collect, .teardown = teardown, .floor = floor_times,
            .graph = subject_shown_graph)
