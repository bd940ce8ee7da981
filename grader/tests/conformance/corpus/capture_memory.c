/*
 * capture_memory.c: cudaMallocAsync and cudaFreeAsync in captures.
 */
#include "../graphs.h"

SITUATION(capture_alloc_free,
          "captured: cudaMallocAsync, a memset, cudaFreeAsync: types, edges; "
          "launched three times",
          "p: an address", "captured: 3 nodes", "types: alloc memset free", "edges: 0>1 1>2")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMallocAsync(&p, SMALL, s));
    answer_text(p ? "an address" : "NULL");
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    answer(cudaFreeAsync(p, s));
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
    cudaGraphExec_t x = new_exec(g);
    for (int i = 0; i < 3; i++)
        answer_run(x);
}

SITUATION(capture_alloc_only,
          "captured: cudaMallocAsync, never freed: launch; launch again; "
          "cudaFree of it; launch; cudaFreeAsync of it; launch; memset of it",
          "captured: 1 nodes", "run #2: InvalidValue then Success")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, SMALL, s));
    cudaGraph_t g = answer_end(s);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
    answer(cudaFree(p));
    answer_run(x);
    answer(cudaFreeAsync(p, s));
    answer_run(x);
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION(capture_alloc_zero,
          "captured: cudaMallocAsync of 0 bytes; of 1 PiB; with a NULL result; "
          "cudaFreeAsync(NULL); status; end; types",
          "p == NULL: NULL", "status: active", "cudaMallocAsync(NULL, SMALL): InvalidValue",
          "status #2: active", "cudaMallocAsync(&p, 1 << 50): MemoryAllocation",
          "status #3: active", "captured: 1 nodes", "types: memset")
{
    cudaStream_t s = nonblocking_stream();
    void *p = &p;
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMallocAsync(&p, 0, s));
    answer_text(p == NULL ? "NULL" : p == &p ? "untouched" : "an address");
    answer(cudaFreeAsync(NULL, s));
    answer_status(s);
    answer(cudaMallocAsync(NULL, SMALL, s));
    answer_status(s);
    answer(cudaMallocAsync(&p, (size_t)1 << 50, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    if (g)
        answer_types(g);
}

SITUATION(capture_free_twice, "captured: cudaFreeAsync twice of one allocation; status; end",
          "cudaFreeAsync: InvalidValue", "status: active", "captured: 2 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, SMALL, s));
    MUST(cudaFreeAsync(p, s));
    answer(cudaFreeAsync(p, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_free_pool_memory,
          "captured: cudaFreeAsync of memory that cudaMallocAsync gave "
          "before; status; end; launch twice; cudaFree of it",
          "cudaFreeAsync: InvalidValue", "status: active", "captured: 0 nodes", "types: no nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaMallocAsync(&p, SMALL, s));
    MUST(cudaStreamSynchronize(s));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaFreeAsync(p, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    if (g) {
        answer_types(g);
        cudaGraphExec_t x = new_exec(g);
        answer_run(x);
        answer_run(x);
    }
    answer(cudaFree(p));
}

SITUATION(capture_free_malloc,
          "captured: cudaFreeAsync of memory of cudaMalloc; of pinned memory; "
          "status after each; end",
          "cudaFreeAsync(h): InvalidValue", "status: active", "cudaFreeAsync(p): InvalidValue",
          "status #2: active", "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaFreeAsync(h, s));
    answer_status(s);
    answer(cudaFreeAsync(p, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_free_outside,
          "memory of a captured cudaMallocAsync: cudaFreeAsync of it in a "
          "stream outside, during the capture; after it; after a launch; "
          "cudaFree of it then",
          "cudaFreeAsync: InvalidValue", "captured: 1 nodes", "cudaFreeAsync #2: InvalidValue",
          "cudaFree: InvalidValue")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMallocAsync(&p, SMALL, s));
    answer(cudaFreeAsync(p, t));
    cudaGraph_t g = answer_end(s);
    answer(cudaFreeAsync(p, t));
    answer_run(new_exec(g));
    answer(cudaFreeAsync(p, t));
    answer(cudaFree(p));
}

SITUATION(capture_alloc_uses,
          "memory of a captured cudaMallocAsync before any launch: attributes; "
          "a memset outside and its end",
          "captured: 1 nodes", "a.type: type 0", "cudaMemsetAsync: InvalidValue")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    void *p = NULL;
    struct cudaPointerAttributes a;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMallocAsync(&p, SMALL, s));
    answer_end(s);
    answer(cudaPointerGetAttributes(&a, p));
    answer_text("type %d", (int)a.type);
    answer(cudaMemsetAsync(p, 1, SMALL, t));
    answer(cudaStreamSynchronize(t));
}

SITUATION(capture_alloc_past_end,
          "memory of a captured cudaMallocAsync of 64 bytes: captured "
          "memset of 65 bytes; of 512; of 4 MiB; status; end",
          "status: active", "captured: 4 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cudaMallocAsync(&p, SMALL, s));
    answer(cudaMemsetAsync(p, 1, SMALL + 1, s));
    answer(cudaMemsetAsync(p, 1, 512, s));
    answer(cudaMemsetAsync(p, 1, 4 << 20, s));
    answer_status(s);
    answer_end(s);
}

SITUATION(capture_from_pool,
          "captured: cudaMallocFromPoolAsync of the default pool; of a NULL "
          "pool; status; end; types; run twice",
          "status: active", "captured: 3 nodes", "types: memset alloc free")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    cudaMemPool_t pool;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMallocFromPoolAsync(&p, SMALL, pool, s));
    MUST(cudaFreeAsync(p, s));
    answer_status(s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(capture_alloc_branches,
          "captured: allocated in the origin, used in two forks, freed "
          "after the join: shape; run twice",
          "captured: 4 nodes", "shape: 4 nodes, 4 edges, 1 roots")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    char *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync((void **)&p, 2 * SMALL, s));
    order_streams(s, t);
    MUST(cudaMemsetAsync(p, 1, SMALL, s));
    MUST(cudaMemsetAsync(p + SMALL, 2, SMALL, t));
    order_streams(t, s);
    MUST(cudaFreeAsync(p, s));
    cudaGraph_t g = answer_end(s);
    answer_shape(g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(capture_alloc_crossed,
          "captured: allocated in a fork, used after the join, freed in a "
          "second fork that is joined: types, edges, run twice",
          "captured: 3 nodes", "types: alloc memset free", "edges: 0>1 0>2 1>2")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    char *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    order_streams(s, t);
    MUST(cudaMallocAsync((void **)&p, SMALL, t));
    order_streams(t, s);
    MUST(cudaMemsetAsync(p, 1, SMALL, s));
    order_streams(s, t);
    MUST(cudaFreeAsync(p, t));
    order_streams(t, s);
    cudaGraph_t g = answer_end(s);
    answer_types(g);
    answer_edges(g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION(capture_alloc_not_joined,
          "captured: allocated in a fork that is not joined: end; the "
          "address freed then",
          "cudaStreamEndCapture: StreamCaptureUnjoined", "captured: NULL", "cudaFree: InvalidValue")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    char *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    order_streams(s, t);
    MUST(cudaMallocAsync((void **)&p, SMALL, t));
    answer_end(s);
    answer(cudaFree(p));
}

SITUATION(capture_alloc_two_graphs,
          "memory that one captured graph allocates, another captured "
          "graph fills and frees: captures; launched in order; twice",
          "captured: 1 nodes", "captured #2: 2 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, SMALL, s));
    cudaGraph_t g = answer_end(s);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    answer(cudaFreeAsync(p, s));
    cudaGraph_t h = answer_end(s);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaGraphInstantiate(&y, h, 0));
    for (int i = 0; y && i < 2; i++) {
        answer(cudaGraphLaunch(x, s));
        answer(cudaGraphLaunch(y, s));
        answer(cudaStreamSynchronize(s));
    }
}

SITUATION(capture_alloc_abandoned,
          "captured: cudaMallocAsync, then the capture is invalidated: "
          "end; cudaFree of the address; attributes",
          "cudaDeviceSynchronize: StreamCaptureUnsupported",
          "cudaStreamEndCapture: StreamCaptureInvalidated", "captured: NULL",
          "cudaFree: InvalidValue", "a.type: type 0")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    struct cudaPointerAttributes a;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&p, SMALL, s));
    answer(cudaDeviceSynchronize());
    answer_end(s);
    answer(cudaFree(p));
    answer(cudaPointerGetAttributes(&a, p));
    answer_text("type %d", (int)a.type);
}

SITUATION(capture_use_pool_memory,
          "captured: memset of memory of cudaMallocAsync, freed after the "
          "capture: launch",
          "captured: 1 nodes")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    MUST(cudaMallocAsync(&p, SMALL, s));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    cudaGraphExec_t x = new_exec(answer_end(s));
    answer_run(x);
    answer_run(x);
}
