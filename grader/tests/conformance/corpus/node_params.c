/* node_params.c: parameters of nodes: those of another kind of node. */
#include "../graphs.h"

SITUATION("parameters read from a node of another kind: kernel of a memset; memcpy; memset; host; "
          "child; alloc; free; NULL results")
{
    cudaGraphNode_t set, kernel, host;
    union {
        struct cudaKernelNodeParams kernel;
        struct cudaMemcpy3DParms memcpy;
        struct cudaMemsetParams memset;
        struct cudaHostNodeParams host;
        struct cudaMemAllocNodeParams alloc;
    } p;
    cudaGraph_t child;
    graph_of_one("memset", &set);
    graph_of_one("kernel", &kernel);
    graph_of_one("host", &host);
    gives(InvalidValue, cudaGraphKernelNodeGetParams(set, &p.kernel));
    gives(InvalidValue, cudaGraphMemcpyNodeGetParams(set, &p.memcpy));
    gives(InvalidValue, cudaGraphMemsetNodeGetParams(kernel, &p.memset));
    gives(InvalidValue, cudaGraphHostNodeGetParams(set, &p.host));
    gives(InvalidValue, cudaGraphChildGraphNodeGetGraph(set, &child));
    gives(InvalidValue, cudaGraphMemAllocNodeGetParams(set, &p.alloc));
    gives(InvalidValue, cudaGraphMemFreeNodeGetParams(set, &p));
    gives(InvalidValue, cudaGraphKernelNodeGetParams(kernel, NULL));
    gives(InvalidValue, cudaGraphMemsetNodeGetParams(set, NULL));
    gives(InvalidValue, cudaGraphHostNodeGetParams(host, NULL));
    gives(InvalidValue, cudaGraphKernelNodeGetParams(NULL, &p.kernel));
}

SITUATION("a node's parameters set in the graph after instantiate: the exec runs the old; a new "
          "exec the new")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer_run(x);
    shows("1", "%d", device_byte(p));
    answer_run(new_exec(g));
    shows("2", "%d", device_byte(p));
}

SITUATION(
    "set a memset's parameters in a kernel node; a kernel's in a memset node; in NULL; a host's on "
    "an empty, an event's on a host, 1-D copy's on a child; of NULL; generic with another type")
{
    cudaGraphNode_t set, kernel;
    int *p = device_bytes(SMALL);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeHost};
    graph_of_one("memset", &set);
    graph_of_one("kernel", &kernel);
    q.host.fn = write_letter;
    gives(InvalidValue, cudaGraphMemsetNodeSetParams(kernel, &m));
    gives(InvalidValue, cudaGraphKernelNodeSetParams(set, &k));
    gives(InvalidValue, cudaGraphMemsetNodeSetParams(NULL, &m));
    gives(InvalidValue, cudaGraphNodeSetParams(set, &q));
    gives(InvalidValue, cudaGraphNodeSetParams(set, NULL));
    gives(InvalidValue, cudaGraphNodeSetParams(NULL, &q));
    struct cudaHostNodeParams h = letter_params('b');
    gives(InvalidValue, cudaGraphKernelNodeSetParams(NULL, &k));
    gives(InvalidValue, cudaGraphKernelNodeSetParams(kernel, NULL));
    gives(InvalidValue, cudaGraphHostNodeSetParams(node_of("empty"), &h));
    gives(InvalidValue, cudaGraphEventRecordNodeSetEvent(node_of("host"), new_event(0)));
    gives(InvalidValue,
          cudaGraphMemcpyNodeSetParams1D(node_of("child"), p, p + 8, 8, cudaMemcpyDefault));
}
