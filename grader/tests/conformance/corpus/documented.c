/* documented.c: rows that were written from the Runtime API reference (CUDA 13.0). An H100
 * (driver 580.159.04) was asked on 2026-11-25, and answered the same. Of the second part, no GPU
 * has been asked; most of its rows are of CUDA 13.1 to 13.3. */
#include "../conditional.h"

SITUATION("cudaGetKernel; a launch of the handle")
{
    cudaKernel_t kernel = NULL;
    answer(cudaGetKernel(&kernel, situation_nothing()));
    fact("kernel", "not NULL", "%s", kernel ? "not NULL" : "NULL");
    answer(cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, 0));
    answer(cudaDeviceSynchronize());
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
SITUATION("cudaGetDriverEntryPoint of no such function")
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
    answer(cudaGetDriverEntryPoint("cuNoSuch", &function, cudaEnableDefault, &status));
    fact("status", "1", "%d", (int)status);
    fact("function", "NULL", "%s", function ? "not NULL" : "NULL");
}

SITUATION("nodes of no external semaphores: set in the graph; in the exec; read back")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t signals, waits;
    struct cudaExternalSemaphoreSignalNodeParams signal = {0};
    struct cudaExternalSemaphoreWaitNodeParams wait = {0};
    MUST(cudaGraphAddExternalSemaphoresSignalNode(&signals, g, NULL, 0, &signal));
    MUST(cudaGraphAddExternalSemaphoresWaitNode(&waits, g, NULL, 0, &wait));
    wait.numExtSems = 99;
    answer(cudaGraphExternalSemaphoresSignalNodeSetParams(signals, &signal));
    answer(cudaGraphExecExternalSemaphoresSignalNodeSetParams(new_exec(g), signals, &signal));
    answer(cudaGraphExternalSemaphoresWaitNodeGetParams(waits, &wait));
    shows("0", "%u", wait.numExtSems);
}

SITUATION("cudaGraphMemcpyNodeSetParamsFromSymbol: another offset; past the end; to a symbol; what "
          "arrives")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    const void *v = situation_numbers();
    const int numbers[] = {5, 6};
    int *back = pinned_bytes(SMALL);
    MUST(cudaMemcpyToSymbol(v, numbers, sizeof numbers, 0, cudaMemcpyHostToDevice));
    MUST(cudaGraphAddMemcpyNodeFromSymbol(&n, g, NULL, 0, back, v, 4, 0, cudaMemcpyDeviceToHost));
    answer(cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 4, 4, cudaMemcpyDeviceToHost));
    gives(InvalidValue,
          cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 65, 4, cudaMemcpyDeviceToHost));
    gives(InvalidMemcpyDirection,
          cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, v, 4, 4, cudaMemcpyHostToDevice));
    gives(InvalidSymbol,
          cudaGraphMemcpyNodeSetParamsFromSymbol(n, back, NULL, 4, 4, cudaMemcpyDeviceToHost));
    answer_run(new_exec(g));
    shows("6", "%d", *back);
}

SITUATION("cudaMemPoolImportFromShareableHandle without a handle type; with flags; "
          "cudaMemPoolImportPointer into a pool that was not imported")
{
    cudaMemPool_t pool;
    struct cudaMemPoolPtrExportData data = {0};
    void *p = NULL;
    gives(InvalidValue,
          cudaMemPoolImportFromShareableHandle(&pool, NULL, cudaMemHandleTypeNone, 0));
    gives(InvalidValue, cudaMemPoolImportFromShareableHandle(
                            &pool, NULL, cudaMemHandleTypePosixFileDescriptor, 1));
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    gives(InvalidValue, cudaMemPoolImportPointer(&p, pool, &data));
}

SITUATION("cudaMemRangeGetAttributes of managed memory that is read mostly: two; none; of memory "
          "of cudaMalloc")
{
    int read_mostly = 7, location = 7;
    void *p, *values[] = {&read_mostly, &location};
    size_t sizes[] = {sizeof read_mostly, sizeof location};
    enum cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly,
                                          cudaMemRangeAttributePreferredLocation};
    MUST(cudaMallocManaged(&p, 4096, cudaMemAttachGlobal));
    MUST(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device_location(0)));
    answer(cudaMemRangeGetAttributes(values, sizes, which, 2, p, 4096));
    shows("1 -2", "%d %d", read_mostly, location);
    gives(InvalidValue, cudaMemRangeGetAttributes(values, sizes, which, 0, p, 4096));
    gives(InvalidValue,
          cudaMemRangeGetAttributes(values, sizes, which, 2, device_bytes(4096), 4096));
}

/* ---- not asked of a GPU ---------------------------------------------------------------------- */

static struct cudaMemcpy3DOperand operand(void *p, size_t row_length)
{
    struct cudaMemcpy3DOperand o = {.type = cudaMemcpyOperandTypePointer};
    o.op.ptr.ptr = p;
    o.op.ptr.rowLength = row_length;
    return o;
}

/* Two rows of two bytes, from rows of three. */
static struct cudaMemcpy3DBatchOp two_rows(void *to, char *from)
{
    return (struct cudaMemcpy3DBatchOp){.src = operand(from, 3),
                                        .dst = operand(to, 0),
                                        .extent = {2, 2, 1},
                                        .srcAccessOrder = cudaMemcpySrcAccessOrderStream};
}

SITUATION("cudaMemcpy3DBatchAsync: rows of a pointer, into an array and out of it; in the legacy "
          "stream; with flags; rows shorter than the copy; no depth; no order")
{
    char from[] = "abcdef", back[2][5] = {"", ""};
    void *d = device_bytes(4);
    cudaStream_t s = nonblocking_stream();
    cudaArray_t array;
    struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    MUST(cudaMallocArray(&array, &bytes, 2, 2, 0));
    struct cudaMemcpy3DBatchOp op = two_rows(d, from), in = two_rows(d, from), out = in,
                               short_rows = op, flat = op, unordered = op;
    in.dst.type = out.src.type = cudaMemcpyOperandTypeArray;
    in.dst.op.array.array = out.src.op.array.array = array;
    in.dst.op.array.offset = out.src.op.array.offset = (struct cudaOffset3D){0, 0, 0};
    out.dst = operand(back[1], 0);
    answer(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    MUST(cudaMemcpyAsync(back[0], d, 4, cudaMemcpyDeviceToHost, s));
    answer(cudaMemcpy3DBatchAsync(1, &in, 0, s));
    answer(cudaMemcpy3DBatchAsync(1, &out, 0, s));
    MUST(cudaStreamSynchronize(s));
    fact("arrived", "abde", "%s", back[0]);
    fact("through an array", "abde", "%s", back[1]);
    gives(InvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, NULL));
    gives(InvalidValue, cudaMemcpy3DBatchAsync(1, &op, 1, s));
    short_rows.src.op.ptr.rowLength = 1;
    gives(InvalidValue, cudaMemcpy3DBatchAsync(1, &short_rows, 0, s));
    flat.extent.depth = 0;
    gives(InvalidValue, cudaMemcpy3DBatchAsync(1, &flat, 0, s));
    unordered.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    gives(InvalidValue, cudaMemcpy3DBatchAsync(1, &unordered, 0, s));
}

#if CUDART_VERSION >= 13020

SITUATION("cudaMemcpy3DWithAttributesAsync: rows of a pointer; of nothing; with flags; captured")
{
    char from[] = "abcdef", back[5] = "";
    void *d = device_bytes(4);
    cudaStream_t s = nonblocking_stream();
    struct cudaMemcpy3DBatchOp op = two_rows(d, from);
    answer(cudaMemcpy3DWithAttributesAsync(&op, 0, s));
    MUST(cudaMemcpyAsync(back, d, 4, cudaMemcpyDeviceToHost, s));
    MUST(cudaStreamSynchronize(s));
    fact("arrived", "abde", "%s", back);
    gives(InvalidValue, cudaMemcpy3DWithAttributesAsync(NULL, 0, s));
    gives(InvalidValue, cudaMemcpy3DWithAttributesAsync(&op, 1, s));
    op.src.op.ptr.ptr = pinned_bytes(6);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    answer(cudaMemcpy3DWithAttributesAsync(&op, 0, s));
    captured("1 nodes", s);
}

SITUATION("cudaFuncGetParamCount of kernels with three and no parameters; into NULL")
{
    size_t three = 9, none = 9;
    answer(cudaFuncGetParamCount(situation_plus_two(), &three));
    answer(cudaFuncGetParamCount(situation_nothing(), &none));
    fact("parameters", "3 0", "%zu %zu", three, none);
    gives(InvalidValue, cudaFuncGetParamCount(situation_nothing(), NULL));
}

SITUATION("cudaGraphConditionalHandleCreate_v2: without a context, the node of the handle; without "
          "a graph; with flags 2")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphConditionalHandle c;
    answer(cudaGraphConditionalHandleCreate_v2(&c, g, NULL, 1, cudaGraphCondAssignDefault));
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    p.conditional.handle = c;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    gives(InvalidValue, cudaGraphConditionalHandleCreate_v2(&c, NULL, NULL, 1, 0));
    gives(InvalidValue, cudaGraphConditionalHandleCreate_v2(&c, g, NULL, 1, 2));
}

SITUATION("cudaGraphNodeGetParams: a kernel; a memset; a while; a node that is gone; into NULL")
{
    struct cudaGraphNodeParams p;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t run, set;
    struct cudaKernelNodeParams k = {
        .func = (void *)(size_t)situation_nothing(), .gridDim = {2, 1, 1}, .blockDim = {1, 1, 1}};
    struct cudaMemsetParams m = {
        .dst = device_bytes(4), .value = 7, .elementSize = 4, .width = 1, .height = 1};
    MUST(cudaGraphAddKernelNode(&run, g, NULL, 0, &k));
    MUST(cudaGraphAddMemsetNode(&set, g, NULL, 0, &m));
    answer(cudaGraphNodeGetParams(run, &p));
    fact("blocks", "2 1 1", "%u %u %u", p.kernel.gridDim.x, p.kernel.gridDim.y, p.kernel.gridDim.z);
    answer(cudaGraphNodeGetParams(set, &p));
    fact("value", "7", "%u", p.memset.value);
    cudaGraph_t body;
    cudaGraphNode_t loop = add_conditional(g, NULL, handle_without_default(g, 0), WHILE, 1, &body);
    answer(cudaGraphNodeGetParams(loop, &p));
    fact("bodies", "1", "%u", p.conditional.size);
    fact("as the body that was made", "1", "%d", p.conditional.phGraph_out[0] == body);
    gives(InvalidValue, cudaGraphNodeGetParams(set, NULL));
    cudaGraphNode_t gone = add_empty(g, NULL);
    MUST(cudaGraphDestroyNode(gone));
    gives(InvalidValue, cudaGraphNodeGetParams(gone, &p));
}

SITUATION("ids of two graphs, of two nodes and of an exec; the graph of a node; of NULL")
{
    cudaGraph_t g = new_graph(), other = new_graph(), found = NULL;
    cudaGraphNode_t first = add_empty(g, NULL), second = add_empty(g, NULL);
    unsigned a = 0, b = 0;
    unsigned long long tools[2];
    answer(cudaGraphGetId(g, &a));
    answer(cudaGraphGetId(other, &b));
    fact("graphs differ", "1", "%d", a != b);
    answer(cudaGraphNodeGetLocalId(first, &a));
    answer(cudaGraphNodeGetLocalId(second, &b));
    fact("nodes differ", "1", "%d", a != b);
    answer(cudaGraphNodeGetToolsId(first, &tools[0]));
    answer(cudaGraphNodeGetToolsId(second, &tools[1]));
    fact("tools' ids differ", "1", "%d", tools[0] != tools[1]);
    answer(cudaGraphExecGetId(new_exec(g), &a));
    answer(cudaGraphNodeGetContainingGraph(second, &found));
    fact("its own", "1", "%d", found == g);
    gives(InvalidValue, cudaGraphGetId(NULL, &a));
    gives(InvalidValue, cudaGraphNodeGetLocalId(NULL, &a));
    gives(InvalidValue, cudaGraphExecGetId(NULL, &a));
}

static void CUDART_CB add_one(void *data)
{
    ++*(int *)data;
}

SITUATION("cudaLaunchHostFunc_v2: what it did; in an unknown mode; of no function")
{
    int calls = 0;
    answer(cudaLaunchHostFunc_v2(0, add_one, &calls, cudaHostTaskBlocking));
    MUST(cudaDeviceSynchronize());
    fact("calls", "1", "%d", calls);
    gives(InvalidValue, cudaLaunchHostFunc_v2(0, add_one, &calls, 2));
    gives(InvalidValue, cudaLaunchHostFunc_v2(0, NULL, &calls, cudaHostTaskBlocking));
}

SITUATION("cudaMemcpyWithAttributesAsync: what arrives; without attributes; in an unknown order")
{
    int five = 5, *d = device_bytes(4);
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    answer(cudaMemcpyWithAttributesAsync(d, &five, sizeof five, &a, 0));
    fact("arrived", "5", "%d", device_int(d));
    gives(InvalidValue, cudaMemcpyWithAttributesAsync(d, &five, sizeof five, NULL, 0));
    a.srcAccessOrder = (enum cudaMemcpySrcAccessOrder)77;
    gives(InvalidValue, cudaMemcpyWithAttributesAsync(d, &five, sizeof five, &a, 0));
}

/* What is set and not modeled is refused, not ignored: the answers are the simulated device's. */
SITUATION("nodes with a context, and with a host function that is waited for by polling")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int calls = 0;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemset};
    p.memset.dst = device_bytes(4);
    p.memset.elementSize = 4;
    p.memset.width = p.memset.height = 1;
    p.memset.ctx = (cudaExecutionContext_t)(void *)g;
    gives(NotSupported, cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeHost;
    p.host.fn = add_one;
    p.host.userData = &calls;
    p.host.syncMode = cudaHostTaskSpinWait;
    gives(NotSupported, cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.host.syncMode = cudaHostTaskBlocking;
    MUST(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p.host.syncMode = cudaHostTaskSpinWait;
    gives(NotSupported, cudaGraphNodeSetParams(n, &p));
}

#endif

#if CUDART_VERSION >= 13030

/* What a recapture reports, and the executable graph that gets it. */
struct changes {
    int n, ineligible;
    unsigned value; /* of the last memset, as captured again */
    cudaGraphExec_t exec;
    cudaError_t returns;
};

static cudaError_t CUDART_CB note_change(void *data, cudaGraphNode_t node,
                                         const struct cudaGraphNodeParams *old,
                                         const struct cudaGraphNodeParams *new,
                                         enum cudaGraphRecaptureStatus status)
{
    struct changes *c = data;
    c->n++;
    c->ineligible += status == cudaGraphRecaptureIneligibleForUpdate;
    if (new->type == cudaGraphNodeTypeMemset && old->memset.value != new->memset.value)
        c->value = new->memset.value;
    if (c->exec && c->returns == cudaSuccess)
        MUST(cudaGraphExecNodeSetParams(c->exec, node, (struct cudaGraphNodeParams *)new));
    return c->returns;
}

static void recapture(cudaStream_t s, cudaGraph_t g, struct changes *c)
{
    static struct cudaGraphRecaptureCallbackData callback;
    callback = (struct cudaGraphRecaptureCallbackData){note_change, c};
    answer(cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeThreadLocal, g, &callback));
}

SITUATION("a graph of two memsets is captured again: with the same parameters; with another value, "
          "which the executable graph gets; what a launch leaves")
{
    struct changes c = {.exec = NULL};
    unsigned char left = 0, *d = device_bytes(2);
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    MUST(cudaMemsetAsync(d, 5, 1, s));
    MUST(cudaMemsetAsync(d + 1, 6, 1, s));
    cudaGraph_t g = end_capture(s);
    c.exec = new_exec(g);
    recapture(s, g, &c);
    MUST(cudaMemsetAsync(d, 5, 1, s));
    MUST(cudaMemsetAsync(d + 1, 6, 1, s));
    fact("same", "0 changes", "%d changes", c.n);
    captured("2 nodes", s);
    recapture(s, g, &c);
    MUST(cudaMemsetAsync(d, 5, 1, s));
    MUST(cudaMemsetAsync(d + 1, 7, 1, s));
    fact("other", "1 change, of value 7", "%d change, of value %u", c.n, c.value);
    captured("2 nodes", s);
    MUST(cudaGraphLaunch(c.exec, s));
    MUST(cudaMemcpyAsync(&left, d + 1, 1, cudaMemcpyDeviceToHost, s));
    MUST(cudaStreamSynchronize(s));
    fact("left", "7", "%u", left);
}

SITUATION("a graph of two memsets is captured again: with a copy as the second node; with a third "
          "memset; with one only; without a callback")
{
    struct changes c = {.exec = NULL};
    void *d = device_bytes(2), *from = pinned_bytes(1);
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(2);
    recapture(s, g, &c);
    MUST(cudaMemsetAsync(d, 5, 1, s));
    gives(GraphRecaptureFailure, cudaMemcpyAsync(d, from, 1, cudaMemcpyHostToDevice, s));
    end_gives(StreamCaptureInvalidated, "NULL", s);
    g = captured_memsets(2);
    recapture(s, g, &c);
    MUST(cudaMemsetAsync(d, 5, 1, s));
    MUST(cudaMemsetAsync(d, 5, 1, s));
    gives(GraphRecaptureFailure, cudaMemsetAsync(d, 6, 1, s));
    end_gives(StreamCaptureInvalidated, "NULL", s);
    g = captured_memsets(2);
    recapture(s, g, &c);
    MUST(cudaMemsetAsync(d, 5, 1, s));
    end_gives(GraphRecaptureFailure, "NULL", s);
    g = captured_memsets(2);
    answer(cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeThreadLocal, g, NULL));
    MUST(cudaMemsetAsync(d, 5, 1, s));
    MUST(cudaMemsetAsync(d, 6, 1, s));
    captured("2 nodes", s);
}

SITUATION("a recapture whose callback returns an error; of a change that no executable graph "
          "takes; of allocated bytes; of no graph; of a graph that is being captured")
{
    struct changes c = {.returns = cudaErrorInvalidValue};
    void *d = device_bytes(8), *p = NULL, *q = NULL;
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    recapture(s, g, &c);
    gives(GraphRecaptureFailure, cudaMemsetAsync(d, 5, 1, s));
    cudaStreamEndCapture(s, &g);
    c = (struct changes){.exec = NULL};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMemset2DAsync(d, 4, 5, 2, 2, s));
    MUST(cudaMallocAsync(&p, 4096, s));
    MUST(cudaFreeAsync(p, s));
    g = end_capture(s);
    recapture(s, g, &c);
    MUST(cudaMemset2DAsync(d, 4, 5, 1, 2, s));
    fact("ineligible", "1", "%d", c.ineligible);
    MUST(cudaMallocAsync(&q, 4096, s));
    fact("the same memory", "1", "%d", p == q);
    MUST(cudaFreeAsync(q, s));
    g = end_capture(s);
    recapture(s, g, &c);
    MUST(cudaMemset2DAsync(d, 4, 5, 1, 2, s));
    gives(GraphRecaptureFailure, cudaMallocAsync(&q, 8192, s));
    cudaStreamEndCapture(s, &g);
    gives(InvalidValue,
          cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeRelaxed, NULL, NULL));
    g = captured_memsets(1);
    MUST(cudaStreamBeginRecaptureToGraph(s, cudaStreamCaptureModeRelaxed, g, NULL));
    gives(IllegalState, cudaStreamBeginRecaptureToGraph(t, cudaStreamCaptureModeRelaxed, g, NULL));
}

#endif

#if CUDART_VERSION >= 13050

static struct cudaGraphNodeParams batch_of(void *dsts[2], void *srcs[2], size_t sizes[2])
{
    static struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    static size_t first;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemcpyBatch};
    p.memcpyBatch = (struct cudaMemcpyBatchNodeParams){2, dsts, srcs, sizes, &a, &first, 1, NULL};
    return p;
}

SITUATION("a node for a batch of two copies: what a launch leaves; read back; in the executable "
          "graph the second one disabled, then three copies; of no copies; in the graph other ones")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, none;
    int *from = pinned_bytes(2 * sizeof *from), *to = pinned_bytes(2 * sizeof *to);
    void *dsts[] = {to, to + 1, to}, *srcs[] = {from, from + 1, from};
    size_t sizes[] = {sizeof *from, sizeof *from, 0};
    struct cudaGraphNodeParams p = batch_of(dsts, srcs, sizes), read;
    MUST(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    cudaGraphExec_t x = new_exec(g);
    from[0] = 1, from[1] = 2;
    answer_run(x);
    fact("left", "1 2", "%d %d", to[0], to[1]);
    answer(cudaGraphNodeGetParams(n, &read));
    fact("copies", "2 of 4 bytes", "%zu of %zu bytes", read.memcpyBatch.count,
         read.memcpyBatch.sizes[1]);
    sizes[1] = 0;
    answer(cudaGraphExecNodeSetParams(x, n, &p));
    from[0] = 3, from[1] = 4;
    answer_run(x);
    fact("left", "3 2", "%d %d", to[0], to[1]);
    p.memcpyBatch.count = 3;
    gives(InvalidValue, cudaGraphExecNodeSetParams(x, n, &p));
    p.memcpyBatch.count = 0;
    gives(InvalidValue, cudaGraphAddNode(&none, g, NULL, NULL, 0, &p));
    sizes[1] = sizeof *from;
    p.memcpyBatch.count = 2;
    answer(cudaGraphNodeSetParams(n, &p));
    from[0] = 5, from[1] = 6;
    answer_run(new_exec(g));
    fact("left", "5 6", "%d %d", to[0], to[1]);
}

#endif
