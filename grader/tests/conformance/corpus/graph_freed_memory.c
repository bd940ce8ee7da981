/* graph_freed_memory.c: graphs whose memory was freed before instantiation or before a launch. */
#include "../graphs.h"

/* Launches the graph after the memory was freed: the end of the context, so each has its row. */
static void launch_after_free(cudaGraph_t g, cudaError_t (*free_it)(void *), void *p)
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = new_exec(g);
    MUST(free_it(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
}

SITUATION("a graph launched after the device source of its copy of 64 MiB was freed: the result of "
          "synchronising",
          "cudaStreamSynchronize: LaunchFailure")
{
    char *p = device_bytes(64 << 20), *h = pinned_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, h, p, 64 << 20, cudaMemcpyDeviceToHost));
    launch_after_free(g, cudaFree, p);
}

SITUATION("a graph launched after the 64 MiB that its kernel writes were freed: the result of "
          "synchronizing",
          "cudaStreamSynchronize: IllegalAddress")
{
    int *p = device_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    add_store(g, NULL, p, 1);
    launch_after_free(g, cudaFree, p);
}

SITUATION("a graph launched after the pinned source of 64 MiB of its copy was freed: the result of "
          "synchronising",
          "cudaStreamSynchronize: LaunchFailure")
{
    char *p = device_bytes(64 << 20), *h = pinned_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64 << 20, cudaMemcpyHostToDevice));
    launch_after_free(g, cudaFreeHost, h);
}

SITUATION("a graph launched after the 64 bytes that it sets were freed, while others live beside "
          "them: the result of synchronizing")
{
    cudaStream_t s = nonblocking_stream();
    char *other = device_bytes(SMALL), *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph();
    add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    answer(cudaGraphLaunch(x, s));
    answer(cudaStreamSynchronize(s));
    shows("0", "%d", device_byte(other));
}

SITUATION("a graph launched after memory it sets was freed; the result of synchronizing",
          "cudaStreamSynchronize: LaunchFailure")
{
    char *p = device_bytes(64 << 20);
    cudaGraph_t g = new_graph();
    add_memset(g, NULL, p, 1);
    launch_after_free(g, cudaFree, p);
}

SITUATION("a memset node whose memory was freed; a kernel node: instantiate")
{
    int *p = device_bytes(SMALL);
    cudaGraph_t g = new_graph(), h = new_graph();
    cudaGraphExec_t x;
    add_memset(g, NULL, p, 1);
    add_store(h, NULL, p, 1);
    MUST(cudaFree(p));
    gives(InvalidValue, cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphInstantiate(&x, h, 0));
}

SITUATION(
    "a graph's memset of memory that was freed: launch error; of memory freed and given out again")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4 << 20);
    add_memset(g, NULL, p, 7);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaFree(p));
    char *q = device_bytes(4 << 20);
    shows("same", "%s", p == q ? "same" : "other");
    answer_run(x);
    shows("7", "%d", device_byte(q));
}

SITUATION("a memcpy node of memory freed before instantiation: instantiate", CRASHES_ON_GPU)
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(64);
    cudaGraphExec_t x;
    add_copy(g, NULL, device_bytes(64), p);
    MUST(cudaFree(p));
    answer(cudaGraphInstantiate(&x, g, 0));
}
