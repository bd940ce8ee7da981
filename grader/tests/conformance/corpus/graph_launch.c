/* graph_launch.c: cudaGraphLaunch and cudaGraphUpload: what they accept. */
#include "../graphs.h"

SITUATION("cudaGraphLaunch of NULL; get last error; a graph as an exec; in 0; upload of NULL; "
          "upload in 0; in cudaStreamPerThread")
{
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    gives(InvalidValue, cudaGraphLaunch(NULL, 0));
    gives(InvalidValue, cudaGetLastError());
    gives(InvalidValue, cudaGraphLaunch((cudaGraphExec_t)captured_memsets(1), 0));
    answer(cudaGraphLaunch(x, 0));
    gives(InvalidValue, cudaGraphUpload(NULL, 0));
    answer(cudaGraphUpload(x, 0));
    answer(cudaGraphLaunch(x, cudaStreamPerThread));
    answer(cudaDeviceSynchronize());
}

SITUATION("cudaGraphLaunch in a destroyed stream; cudaGraphUpload", CRASHES_ON_GPU)
{
    cudaGraphExec_t x = new_exec(captured_memsets(1));
    gives(InvalidResourceHandle, cudaGraphLaunch(x, destroyed_stream()));
    gives(InvalidResourceHandle, cudaGraphUpload(x, destroyed_stream()));
}

SITUATION("cudaGraphUpload; twice; then launch; upload while work is before it in the stream: "
          "waits or returns")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = new_exec(letters_graph("a"));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphUpload(x, s));
    answer_run(x);
    gate_shut(s);
    answer(cudaGraphUpload(x, s));
    call_returns();
    shows("waits", "%s", done_soon(s));
    gate_open();
    answer(cudaDeviceSynchronize());
}
