/* node_kinds.c: what a node of another kind costs between kernels: a chain of empty kernels with
 * one such node after each of them, less the chain without, by the number of pairs. Bytes of copies
 * and memsets: 4096. */
#include "bench.h"

enum { PAIRS = 32, BYTES = 4096 };

enum kind { KERNEL, EMPTY, MEMSET, COPY_INSIDE, COPY_IN, COPY_OUT, HOST, RECORD, KINDS };
static const char *const names[KINDS] = {"kernel", "empty", "memset", "d2d",
                                         "h2d",    "d2h",   "host",   "event"};

static cudaStream_t stream;
static cudaEvent_t event;
static char *dev, *dev2, *pinned;
static struct cudaKernelNodeParams kernel;
static cudaGraphExec_t bare, with[KINDS];

static void CUDART_CB nothing(void *unused)
{
    (void)unused;
}

/* The parameters of an empty kernel, by capture. */
static void learn_kernel(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    size_t n = 1;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(launch_empty(1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, &node, &n));
    CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
}

static cudaGraphNode_t add(cudaGraph_t g, enum kind kind, const cudaGraphNode_t *after)
{
    const size_t n = after != NULL;
    const struct cudaMemsetParams set = {.dst = dev, .elementSize = 1, .width = BYTES, .height = 1};
    const struct cudaHostNodeParams host = {.fn = nothing};
    cudaGraphNode_t node;
    switch (kind) {
    case KERNEL:
        CHECK(cudaGraphAddKernelNode(&node, g, after, n, &kernel));
        break;
    case MEMSET:
        CHECK(cudaGraphAddMemsetNode(&node, g, after, n, &set));
        break;
    case COPY_INSIDE:
        CHECK(cudaGraphAddMemcpyNode1D(&node, g, after, n, dev2, dev, BYTES,
                                       cudaMemcpyDeviceToDevice));
        break;
    case COPY_IN:
        CHECK(cudaGraphAddMemcpyNode1D(&node, g, after, n, dev, pinned, BYTES,
                                       cudaMemcpyHostToDevice));
        break;
    case COPY_OUT:
        CHECK(cudaGraphAddMemcpyNode1D(&node, g, after, n, pinned, dev, BYTES,
                                       cudaMemcpyDeviceToHost));
        break;
    case HOST:
        CHECK(cudaGraphAddHostNode(&node, g, after, n, &host));
        break;
    case RECORD:
        CHECK(cudaGraphAddEventRecordNode(&node, g, after, n, event));
        break;
    default:
        CHECK(cudaGraphAddEmptyNode(&node, g, after, n));
    }
    return node;
}

/* PAIRS kernels one after the other; after each a node of this kind, unless it is KINDS. */
static cudaGraphExec_t chain_of(enum kind kind)
{
    cudaGraph_t graph;
    cudaGraphNode_t last = NULL;
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < PAIRS; i++) {
        last = add(graph, KERNEL, last ? &last : NULL);
        if (kind != KINDS)
            last = add(graph, kind, &last);
    }
    return bench_instantiate(graph);
}

static void pair(void *exec, double *v)
{
    v[0] =
        (bench_launch_us(*(cudaGraphExec_t *)exec, stream) - bench_launch_us(bare, stream)) / PAIRS;
}

static void alone(void *unused, double *v)
{
    (void)unused;
    v[0] = bench_launch_us(bare, stream) / PAIRS;
}

int main(int argc, char **argv)
{
    struct bench_variant variants[KINDS + 1] = {{{"chain"}, alone, NULL}};
    bench_begin(argc, argv, "node_kinds",
                "what a node costs after each of 32 empty kernels in a chain; chain: a kernel of "
                "the chain without",
                "bytes of copies and memsets", 1);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaMalloc((void **)&dev, BYTES));
    CHECK(cudaMalloc((void **)&dev2, BYTES));
    CHECK(cudaMallocHost((void **)&pinned, BYTES));
    CHECK(cudaMemset(dev, 0, BYTES));
    learn_kernel();
    bare = chain_of(KINDS);
    for (int k = 0; k < KINDS; k++) {
        with[k] = chain_of(k);
        variants[k + 1] = (struct bench_variant){{names[k]}, pair, &with[k]};
    }
    bench_point(BYTES, "us", variants, KINDS + 1);
    return bench_end();
}
