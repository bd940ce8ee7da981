/* host_nodes.c: host nodes. */
#include "../graphs.h"

SITUATION("NULL parameters: kernel; memcpy; memset; host; alloc; free; child; cudaGraphAddNode; "
          "get last error twice")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    gives(InvalidValue, cudaGraphAddKernelNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddMemcpyNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddMemsetNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddHostNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddMemAllocNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddMemFreeNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddNode(&n, g, NULL, NULL, 0, NULL));
    shape_is("0 nodes, 0 edges, 0 roots", g);
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGetLastError());
}

static cudaError_t said_inside;

static void CUDART_CB calls_cuda(void *unused)
{
    int d;
    (void)unused;
    said_inside = cudaGetDevice(&d);
    if (said_inside == cudaSuccess)
        said_inside = cudaFree(NULL);
}

SITUATION("host node: function NULL; one that calls CUDA: what it is told")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {NULL, NULL};
    gives(InvalidValue, cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    h.fn = calls_cuda;
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    answer_run(new_exec(g));
    answer_error("NotPermitted", "in the host function", said_inside);
}

SITUATION("host node: read back; set another; function NULL; run")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_letter(g, NULL, 'a');
    struct cudaHostNodeParams h = {NULL, NULL};
    answer(cudaGraphHostNodeGetParams(n, &h));
    fact("function, data", "same a", "%s %c", h.fn == write_letter ? "same" : "other",
         (char)(intptr_t)h.userData);
    h = letter_params('b');
    answer(cudaGraphHostNodeSetParams(n, &h));
    h.fn = NULL;
    gives(InvalidValue, cudaGraphHostNodeSetParams(n, &h));
    answer_run(new_exec(g));
    shows("'b'", "'%s'", host_log());
}
