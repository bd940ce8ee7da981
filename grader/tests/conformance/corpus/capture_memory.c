/* capture_memory.c: cudaMallocAsync and cudaFreeAsync in captures. */
#include "../graphs.h"

SITUATION("captured: cudaMallocAsync, never freed: launch; launch again; cudaFree of it; launch; "
          "cudaFreeAsync of it; launch; memset of it")
{
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    void *p = async_bytes(SMALL, s);
    cudaGraphExec_t x = new_exec(captured("1 nodes", s));
    answer_run(x);
    run_gives("InvalidValue then Success", x);
    answer(cudaFree(p));
    answer_run(x);
    answer(cudaFreeAsync(p, s));
    answer_run(x);
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION("captured: cudaMallocAsync of 0 bytes; of 1 PiB; with a NULL result; "
          "cudaFreeAsync(NULL); status; end; types")
{
    void *p = &p;
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    answer(cudaMallocAsync(&p, 0, s));
    shows("NULL", p == NULL ? "NULL" : p == &p ? "untouched" : "an address");
    answer(cudaFreeAsync(NULL, s));
    status_is("active", s);
    gives(InvalidValue, cudaMallocAsync(NULL, SMALL, s));
    status_is("active", s);
    gives(MemoryAllocation, cudaMallocAsync(&p, (size_t)1 << 50, s));
    status_is("active", s);
    types_are("memset", captured("1 nodes", s));
}

SITUATION("captured: cudaFreeAsync of memory that cudaMallocAsync gave before; status; end; launch "
          "twice; cudaFree of it")
{
    cudaStream_t s = nonblocking_stream();
    void *p = async_bytes(SMALL, s);
    MUST(cudaStreamSynchronize(s));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    gives(InvalidValue, cudaFreeAsync(p, s));
    status_is("active", s);
    cudaGraph_t g = captured("0 nodes", s);
    types_are("no nodes", g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
    answer(cudaFree(p));
}

SITUATION(
    "captured: cudaFreeAsync of memory of cudaMalloc; of pinned memory; status after each; end")
{
    void *p = device_bytes(SMALL), *h = pinned_bytes(SMALL);
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(InvalidValue, cudaFreeAsync(h, s));
    status_is("active", s);
    gives(InvalidValue, cudaFreeAsync(p, s));
    status_is("active", s);
    captured("1 nodes", s);
}

SITUATION("memory of a captured cudaMallocAsync: cudaFreeAsync of it in a stream outside, during "
          "the capture; after it; attributes; cudaFree; a memset outside and its end; after a "
          "launch; cudaFree of it then")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    struct cudaPointerAttributes a;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    void *p = async_bytes(SMALL, s);
    gives(InvalidValue, cudaFreeAsync(p, t));
    cudaGraph_t g = captured("1 nodes", s);
    gives(InvalidValue, cudaFreeAsync(p, t));
    answer(cudaPointerGetAttributes(&a, p));
    shows("type 0", "type %d", (int)a.type);
    gives(InvalidValue, cudaFree(p));
    gives(InvalidValue, cudaMemsetAsync(p, 1, SMALL, t));
    answer(cudaStreamSynchronize(t));
    answer_run(new_exec(g));
    answer(cudaFreeAsync(p, t));
    gives(InvalidValue, cudaFree(p));
}

SITUATION("memory of a captured cudaMallocAsync of 64 bytes: captured memset of 65 bytes; of 512; "
          "of 4 MiB; status; end")
{
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    void *p = async_bytes(SMALL, s);
    answer(cudaMemsetAsync(p, 1, SMALL + 1, s));
    answer(cudaMemsetAsync(p, 1, 512, s));
    answer(cudaMemsetAsync(p, 1, 4 << 20, s));
    status_is("active", s);
    captured("4 nodes", s);
}

SITUATION("captured: cudaMallocFromPoolAsync of the default pool; of a NULL pool; status; end; "
          "types; run twice")
{
    cudaStream_t s = nonblocking_stream();
    void *p = NULL;
    cudaMemPool_t pool = default_pool();
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaMallocFromPoolAsync(&p, SMALL, pool, s));
    MUST(cudaFreeAsync(p, s));
    status_is("active", s);
    cudaGraph_t g = captured("3 nodes", s);
    types_are("memset alloc free", g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION("captured: allocated in a fork, used after the join, freed in a second fork that is "
          "joined: types, edges, run twice")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    order_streams(s, t);
    void *p = async_bytes(SMALL, t);
    order_streams(t, s);
    MUST(cudaMemsetAsync(p, 1, SMALL, s));
    order_streams(s, t);
    MUST(cudaFreeAsync(p, t));
    order_streams(t, s);
    cudaGraph_t g = captured("3 nodes", s);
    types_are("alloc memset free", g);
    edges_are("0>1 0>2 1>2", g);
    cudaGraphExec_t x = new_exec(g);
    answer_run(x);
    answer_run(x);
}

SITUATION("memory that one captured graph allocates, another captured graph fills and frees: "
          "captures; launched in order; twice")
{
    cudaStream_t s = nonblocking_stream();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    void *p = async_bytes(SMALL, s);
    cudaGraph_t g = captured("1 nodes", s);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaMemsetAsync(p, 1, SMALL, s));
    answer(cudaFreeAsync(p, s));
    cudaGraph_t h = captured("2 nodes", s);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    answer(cudaGraphInstantiate(&y, h, 0));
    for (int i = 0; y && i < 2; i++) {
        answer(cudaGraphLaunch(x, s));
        answer(cudaGraphLaunch(y, s));
        answer(cudaStreamSynchronize(s));
    }
}

SITUATION("captured: cudaMallocAsync, then the capture is invalidated: end; cudaFree of the "
          "address; attributes")
{
    cudaStream_t s = nonblocking_stream();
    struct cudaPointerAttributes a;
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    void *p = async_bytes(SMALL, s);
    gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
    end_gives(StreamCaptureInvalidated, "NULL", s);
    gives(InvalidValue, cudaFree(p));
    answer(cudaPointerGetAttributes(&a, p));
    shows("type 0", "type %d", (int)a.type);
}
