/*
 * situations_attribute_values.c: what attributes of streams and nodes hold, and what a refused call
 * leaves in the memory it was given.
 */
#include <stdint.h>
#include <string.h>

#include "situations_control.h"
#include "situations_graphs.h"
#include "situations_kernels.h"

static void stream_attribute(cudaStream_t s, int id)
{
    cudaStreamAttrValue v;
    memset(&v, 0x11, sizeof v);
    cudaError_t e = cudaStreamGetAttribute(s, (cudaStreamAttrID)id, &v);
    answer_text("%d %s %#x", id, error_text(e), *(unsigned *)&v);
}

SITUATION(stream_all,
          "cudaStreamGetAttribute of a new stream: attributes 0 to 10: error and first word")
{
    cudaStream_t s = new_stream(0);
    for (int id = 0; id < 11; id++)
        stream_attribute(s, id);
}

SITUATION(
    stream_special,
    "cudaStreamGetAttribute priority, policy, domain, domain map of NULL, of cudaStreamPerThread")
{
    static const int ids[] = {cudaLaunchAttributePriority, cudaLaunchAttributeSynchronizationPolicy,
                              cudaLaunchAttributeMemSyncDomain,
                              cudaLaunchAttributeMemSyncDomainMap};
    for (int i = 0; i < 4; i++)
        stream_attribute(NULL, ids[i]);
    for (int i = 0; i < 4; i++)
        stream_attribute(cudaStreamPerThread, ids[i]);
}

SITUATION(stream_domains, "stream memory sync domain set to 2; domain map to 1 and 0, to 7 and 9; "
                          "get of each; priority set on NULL")
{
    cudaStream_t s = new_stream(0);
    cudaStreamAttrValue v;
    memset(&v, 0, sizeof v);
    v.memSyncDomain = (cudaLaunchMemSyncDomain)2;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomain);
    memset(&v, 0, sizeof v);
    v.memSyncDomainMap.default_ = 1;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomainMap, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomainMap);
    v.memSyncDomainMap.default_ = 7;
    v.memSyncDomainMap.remote = 9;
    answer(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomainMap, &v));
    stream_attribute(s, cudaLaunchAttributeMemSyncDomainMap);
    v.priority = -3;
    answer(cudaStreamSetAttribute(NULL, cudaLaunchAttributePriority, &v));
    stream_attribute(NULL, cudaLaunchAttributePriority);
}

SITUATION(
    stream_policies,
    "stream policy set to spin 2, yield 3, blocking 4, auto 1, 0, -1: error and what is got back")
{
    static const int asked[] = {2, 3, 4, 1, 0, -1};
    cudaStream_t s = new_stream(0);
    for (int i = 0; i < 6; i++) {
        cudaStreamAttrValue v;
        memset(&v, 0, sizeof v);
        v.syncPolicy = (enum cudaSynchronizationPolicy)asked[i];
        answer(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
        stream_attribute(s, cudaLaunchAttributeSynchronizationPolicy);
    }
}

SITUATION(stream_copy_all, "cudaStreamCopyAttributes to a new stream from one with a priority, a "
                           "domain, a map; from a per-thread stream; to NULL; GetPriority after")
{
    cudaStream_t from = NULL, to = new_stream(0);
    cudaStreamAttrValue v;
    int priority = 99;
    MUST(cudaStreamCreateWithPriority(&from, 0, -4));
    memset(&v, 0, sizeof v);
    v.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeMemSyncDomain, &v));
    memset(&v, 0, sizeof v);
    v.memSyncDomainMap.default_ = 1;
    v.memSyncDomainMap.remote = 1;
    MUST(cudaStreamSetAttribute(from, cudaLaunchAttributeMemSyncDomainMap, &v));
    answer(cudaStreamCopyAttributes(to, from));
    stream_attribute(to, cudaLaunchAttributePriority);
    stream_attribute(to, cudaLaunchAttributeSynchronizationPolicy);
    stream_attribute(to, cudaLaunchAttributeMemSyncDomain);
    stream_attribute(to, cudaLaunchAttributeMemSyncDomainMap);
    answer(cudaStreamCopyAttributes(to, cudaStreamPerThread));
    answer(cudaStreamGetPriority(to, &priority));
    answer_text("%d", priority);
    answer(cudaStreamCopyAttributes(NULL, from));
}

SITUATION(captured_domain, "a kernel captured in a stream of the remote domain: the node's domain; "
                           "of a map; launched with the attribute itself")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    cudaStreamAttrValue v;
    memset(&v, 0, sizeof v);
    v.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    MUST(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &v));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, s));
    cudaGraph_t g = answer_end(s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributeMemSyncDomain, &v));
    answer_text("%d", (int)v.memSyncDomain);
}

SITUATION(updatable_again,
          "device-updatable set with a device node already in the value: on a fresh node; on one "
          "that is updatable; off with one in it; get, then set what was got")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 1), b = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue v = updatable(1), w;
    v.deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(uintptr_t)8;
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    v = updatable(1);
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &v));
    answer(cudaGraphKernelNodeGetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    w.deviceUpdatableKernelNode.deviceUpdatable = 0;
    answer(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributeDeviceUpdatableKernelNode, &w));
}

SITUATION(refused_outputs,
          "what refused calls leave: cudaMalloc of 1 PiB, of too much by cudaMallocHost, "
          "cudaGraphInstantiate of a cycle, cudaGraphClone of NULL, cudaStreamCreateWithFlags 7, "
          "cudaEventCreateWithFlags 8, cudaMallocAsync of 1 PiB")
{
    void *mark = (void *)(uintptr_t)0x11, *p = mark;
    cudaGraph_t g = new_graph(), copy = mark;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    cudaGraphExec_t x = mark;
    cudaStream_t s = mark;
    cudaEvent_t e = mark;
    add_edge(g, b, a);
#define LEFT(v) ((void *)(v) == mark ? "kept" : (v) ? "written" : "NULL")
    answer(cudaMalloc(&p, 1ull << 50));
    answer_text("%s", LEFT(p));
    p = mark;
    answer(cudaMallocHost(&p, 1ull << 55));
    answer_text("%s", LEFT(p));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_text("%s", LEFT(x));
    answer(cudaGraphClone(&copy, NULL));
    answer_text("%s", LEFT(copy));
    answer(cudaStreamCreateWithFlags(&s, 7));
    answer_text("%s", LEFT(s));
    answer(cudaEventCreateWithFlags(&e, 8));
    answer_text("%s", LEFT(e));
    p = mark;
    answer(cudaMallocAsync(&p, 1ull << 50, 0));
    answer_text("%s", LEFT(p));
}

SITUATION(refused_nodes,
          "what refused calls leave: an empty node with a bad dependency; a kernel node without a "
          "function; cudaGraphNodeFindInClone of no clone; cudaGraphChildGraphNodeGetGraph of an "
          "empty node; cudaGraphCreate with flags 1; a handle with flags 2")
{
    void *mark = (void *)(uintptr_t)0x11;
    cudaGraph_t g = new_graph(), h = mark;
    cudaGraphNode_t a = add_empty(g, NULL), other = add_empty(new_graph(), NULL), n = mark;
    struct cudaKernelNodeParams k = {0};
    cudaGraphConditionalHandle c = 0x11;
    answer(cudaGraphAddEmptyNode(&n, g, &other, 1));
    answer_text("%s", LEFT(n));
    n = mark;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_text("%s", LEFT(n));
    n = mark;
    answer(cudaGraphNodeFindInClone(&n, a, g));
    answer_text("%s", LEFT(n));
    answer(cudaGraphChildGraphNodeGetGraph(a, &h));
    answer_text("%s", LEFT(h));
    h = mark;
    answer(cudaGraphCreate(&h, 1));
    answer_text("%s", LEFT(h));
    answer(cudaGraphConditionalHandleCreate(&c, g, 1, 2));
    answer_text("%s", c == 0x11 ? "kept" : "written");
}

SITUATION(refused_params, "what refused gets leave: kernel parameters of an empty node; memset's; "
                          "host's; an event of a host node; type of NULL; priority into a bad "
                          "stream; elapsed time not ready; query of enabled of an empty node")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_empty(g, NULL), host = add_letter(g, NULL, 'a');
    struct cudaKernelNodeParams k;
    struct cudaMemsetParams m;
    struct cudaHostNodeParams h;
    void *mark = (void *)(uintptr_t)0x11;
    cudaEvent_t e = mark;
    enum cudaGraphNodeType type = (enum cudaGraphNodeType)0x11;
    unsigned on = 0x11;
    float ms = 17;
    memset(&k, 0x11, sizeof k);
    memset(&m, 0x11, sizeof m);
    memset(&h, 0x11, sizeof h);
    answer(cudaGraphKernelNodeGetParams(n, &k));
    answer_text("%s", k.func ? "kept" : "zeroed");
    answer(cudaGraphMemsetNodeGetParams(n, &m));
    answer_text("%s", m.width ? "kept" : "zeroed");
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_text("%s", h.fn ? "kept" : "zeroed");
    answer(cudaGraphEventRecordNodeGetEvent(host, &e));
    answer_text("%s", LEFT(e));
    answer(cudaGraphNodeGetType(NULL, &type));
    answer_text("%#x", (unsigned)type);
    answer(cudaEventElapsedTime(&ms, new_event(0), new_event(0)));
    answer_text("%g", (double)ms);
    answer(cudaGraphNodeGetEnabled(new_exec(g), n, &on));
    answer_text("%#x", on);
}

SITUATION(symbol_pointer, "the address of a symbol: cudaMemset of it; past its end; cudaFree of "
                          "it; interior attributes; cudaMemcpy of 68 bytes to it; device pointer")
{
    char *p;
    struct cudaPointerAttributes a;
    MUST(cudaGetSymbolAddress((void **)&p, situation_numbers()));
    answer(cudaMemset(p, 1, 64));
    answer(cudaMemset(p, 1, 1 << 28));
    answer(cudaPointerGetAttributes(&a, p + 8));
    answer_text("%d %d %s %s", (int)a.type, a.device, a.devicePointer == p + 8 ? "same" : "other",
                a.hostPointer ? "h" : "-");
    answer(cudaFree(p));
    answer(cudaFreeAsync(p, 0));
    answer_text("%d", device_byte(p));
}

SITUATION(pool_flags,
          "cudaMemPoolSetAccess of device 0 with flags 1, 2, 3, 4; of a host location; of none")
{
    cudaMemPool_t pool;
    struct cudaMemAccessDesc d = {.location = {.type = cudaMemLocationTypeDevice}};
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    for (int f = 1; f < 5; f++) {
        d.flags = (enum cudaMemAccessFlags)f;
        answer(cudaMemPoolSetAccess(pool, &d, 1));
    }
    d.flags = cudaMemAccessFlagsProtReadWrite;
    d.location.type = cudaMemLocationTypeHost;
    answer(cudaMemPoolSetAccess(pool, &d, 1));
    answer(cudaMemPoolSetAccess(pool, &d, 0));
    answer(cudaMemPoolSetAccess(pool, NULL, 1));
}

SITUATION(batch_more,
          "cudaMemcpyBatchAsync: the first copy bad, the second good: value; a size of 0 first; "
          "flags 1; flags 2; a destination that overlaps the next; a destroyed stream")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    memset(h, 9, 64);
    void *dsts[] = {p, p + 32};
    const void *srcs[] = {h, h + 32};
    size_t sizes[] = {1 << 30, 16}, first = 0;
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p + 32));
    sizes[0] = 0;
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, s));
    MUST(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p + 32));
    sizes[0] = 16;
    a.flags = 1;
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, s));
    a.flags = 2;
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &a, &first, 1, s));
    a.flags = 0;
    sizes[1] = 0;
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 1, &a, &first, 1, s));
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_byte(p));
}

SITUATION(batch_captures, "during a Relaxed capture of a stream: a batch into it twice, then a "
                          "memset: status, end; a batch into cudaStreamPerThread")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    void *dsts[] = {p};
    const void *srcs[] = {h};
    size_t sizes[] = {16}, first = 0;
    struct cudaMemcpyAttributes a = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    for (int i = 0; i < 2; i++)
        answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 1, &a, &first, 1, s));
    some_work(s);
    answer_status(s);
    answer_end(s);
    answer(cudaMemcpyBatchAsync(dsts, srcs, sizes, 1, &a, &first, 1, cudaStreamPerThread));
}

SITUATION(stream_policy_unset, "the synchronization policy of a new stream, asked with 0, 1, 2, 3, "
                               "4, 5, 99, -1 in the value: what it holds then")
{
    static const int before[] = {0, 1, 2, 3, 4, 5, 99, -1};
    cudaStream_t s = new_stream(0);
    for (int i = 0; i < 8; i++) {
        cudaStreamAttrValue v;
        memset(&v, 0, sizeof v);
        v.syncPolicy = (enum cudaSynchronizationPolicy)before[i];
        answer(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
        answer_text("%d", (int)v.syncPolicy);
    }
}
