/*
 * host_nodes.c: host nodes.
 */
#include <stdint.h>

#include "../graphs.h"

SITUATION(nodes_null_params,
          "NULL parameters: kernel; memcpy; memset; host; alloc; free; child; "
          "cudaGraphAddNode",
          "cudaGraphAddKernelNode: InvalidValue", "cudaGraphAddMemcpyNode: InvalidValue",
          "cudaGraphAddMemsetNode: InvalidValue", "cudaGraphAddHostNode: InvalidValue",
          "cudaGraphAddMemAllocNode: InvalidValue", "cudaGraphAddMemFreeNode: InvalidValue",
          "cudaGraphAddChildGraphNode: InvalidValue", "cudaGraphAddNode: InvalidValue",
          "shape: 0 nodes, 0 edges, 0 roots")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemcpyNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemsetNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemAllocNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddMemFreeNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddChildGraphNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, NULL));
    answer_shape(g);
}

SITUATION(nodes_last_error, "a failed cudaGraphAddHostNode; get last error twice",
          "cudaGraphAddHostNode: InvalidValue", "cudaGetLastError: InvalidValue")
{
    cudaGraphNode_t n;
    answer(cudaGraphAddHostNode(&n, new_graph(), NULL, 0, NULL));
    answer(cudaGetLastError());
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

SITUATION(host_node, "host node: function NULL; one that calls CUDA: what it is told",
          "cudaGraphAddHostNode: InvalidValue", "in the host function: NotPermitted")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {NULL, NULL};
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    h.fn = calls_cuda;
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    answer_run(new_exec(g));
    answer_error("in the host function", said_inside);
}

SITUATION(host_node_order,
          "host nodes a, then b and c, then d: order; a lone host node runs once a "
          "launch",
          "host_log: 'abde'")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_letter(g, NULL, 'a'), b = add_letter(g, a, 'b');
    cudaGraphNode_t d = add_letter(g, b, 'd');
    add_letter(g, d, 'e');
    answer_run(new_exec(g));
    answer_text("'%s'", host_log());
}

SITUATION(host_params, "host node: read back; set another; function NULL; run",
          "function, data: same a", "cudaGraphHostNodeSetParams #2: InvalidValue", "host_log: 'b'")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_letter(g, NULL, 'a');
    struct cudaHostNodeParams h = {NULL, NULL};
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_fact("function, data", "%s %c", h.fn == write_letter ? "same" : "other",
                (char)(intptr_t)h.userData);
    h = letter_params('b');
    answer(cudaGraphHostNodeSetParams(n, &h));
    h.fn = NULL;
    answer(cudaGraphHostNodeSetParams(n, &h));
    answer_run(new_exec(g));
    answer_text("'%s'", host_log());
}

SITUATION(host_node_bad,
          "cudaGraphAddHostNode with NULL parameters; with a NULL function; user "
          "data read back; set and got",
          "cudaGraphAddHostNode(NULL): InvalidValue", "cudaGraphAddHostNode(&h): InvalidValue",
          "(intptr_t)h.userData: k", "host_log: 'm'")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct cudaHostNodeParams h = {0};
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, NULL));
    answer(cudaGraphAddHostNode(&n, g, NULL, 0, &h));
    n = add_letter(g, NULL, 'k');
    answer(cudaGraphHostNodeGetParams(n, &h));
    answer_text("%c", (int)(intptr_t)h.userData);
    h.userData = (void *)'m';
    answer(cudaGraphHostNodeSetParams(n, &h));
    answer_run(new_exec(g));
    answer_text("'%s'", host_log());
}
