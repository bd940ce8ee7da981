/*
 * node_params.c: parameters of nodes: those of another kind of node.
 */
#include "../graphs.h"

SITUATION(params_of_others,
          "parameters read from a node of another kind: kernel of a memset; "
          "memcpy; memset; host; child; alloc; free; NULL results",
          "cudaGraphKernelNodeGetParams(set, &p.kernel): InvalidValue",
          "cudaGraphMemcpyNodeGetParams: InvalidValue",
          "cudaGraphMemsetNodeGetParams(kernel, &p.memset): InvalidValue",
          "cudaGraphHostNodeGetParams(set, &p.host): InvalidValue",
          "cudaGraphChildGraphNodeGetGraph: InvalidValue",
          "cudaGraphMemAllocNodeGetParams: InvalidValue",
          "cudaGraphMemFreeNodeGetParams: InvalidValue",
          "cudaGraphKernelNodeGetParams(kernel, NULL): InvalidValue",
          "cudaGraphMemsetNodeGetParams(set, NULL): InvalidValue",
          "cudaGraphHostNodeGetParams(host, NULL): InvalidValue",
          "cudaGraphKernelNodeGetParams(NULL, &p.kernel): InvalidValue")
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
    answer(cudaGraphKernelNodeGetParams(set, &p.kernel));
    answer(cudaGraphMemcpyNodeGetParams(set, &p.memcpy));
    answer(cudaGraphMemsetNodeGetParams(kernel, &p.memset));
    answer(cudaGraphHostNodeGetParams(set, &p.host));
    answer(cudaGraphChildGraphNodeGetGraph(set, &child));
    answer(cudaGraphMemAllocNodeGetParams(set, &p.alloc));
    answer(cudaGraphMemFreeNodeGetParams(set, &p));
    answer(cudaGraphKernelNodeGetParams(kernel, NULL));
    answer(cudaGraphMemsetNodeGetParams(set, NULL));
    answer(cudaGraphHostNodeGetParams(host, NULL));
    answer(cudaGraphKernelNodeGetParams(NULL, &p.kernel));
}

SITUATION(set_after_instantiate,
          "a node's parameters set in the graph after instantiate: the exec "
          "runs the old; a new exec the new",
          "device_byte: 1", "device_byte #2: 2")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    answer_run(x);
    answer_text("%d", device_byte(p));
    answer_run(new_exec(g));
    answer_text("%d", device_byte(p));
}

SITUATION(set_wrong_kind,
          "set a memset's parameters in a kernel node; a kernel's in a memset "
          "node; in NULL; generic with another type",
          "cudaGraphMemsetNodeSetParams(kernel): InvalidValue",
          "cudaGraphKernelNodeSetParams: InvalidValue",
          "cudaGraphMemsetNodeSetParams(NULL): InvalidValue",
          "cudaGraphNodeSetParams(set, &q): InvalidValue",
          "cudaGraphNodeSetParams(set, NULL): InvalidValue",
          "cudaGraphNodeSetParams(NULL, &q): InvalidValue")
{
    cudaGraphNode_t set, kernel;
    int *p = device_bytes(SMALL);
    struct cudaMemsetParams m = memset_params(p, 2, SMALL);
    struct cudaKernelNodeParams k = store_params(p, 1);
    struct cudaGraphNodeParams q = {.type = cudaGraphNodeTypeHost};
    graph_of_one("memset", &set);
    graph_of_one("kernel", &kernel);
    q.host.fn = write_letter;
    answer(cudaGraphMemsetNodeSetParams(kernel, &m));
    answer(cudaGraphKernelNodeSetParams(set, &k));
    answer(cudaGraphMemsetNodeSetParams(NULL, &m));
    answer(cudaGraphNodeSetParams(set, &q));
    answer(cudaGraphNodeSetParams(set, NULL));
    answer(cudaGraphNodeSetParams(NULL, &q));
}

SITUATION(set_bad,
          "set parameters to bad ones: a NULL event; a destroyed event; a NULL host "
          "function; memset of 0 bytes; element size 3; pitch below width",
          "cudaGraphEventRecordNodeSetEvent: InvalidValue",
          "cudaGraphHostNodeSetParams: InvalidValue", "cudaGraphMemsetNodeSetParams: InvalidValue",
          "cudaGraphMemsetNodeSetParams #2: InvalidValue",
          "cudaGraphMemsetNodeSetParams #3: InvalidValue")
{
    cudaGraphNode_t n;
    char *p = device_bytes(256);
    graph_of_one("record", &n);
    answer(cudaGraphEventRecordNodeSetEvent(n, NULL));
    graph_of_one("host", &n);
    answer(cudaGraphHostNodeSetParams(n, &(struct cudaHostNodeParams){NULL, NULL}));
    graph_of_one("memset", &n);
    struct cudaMemsetParams m = memset_params(p, 1, 0);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = memset_params(p, 1, 64);
    m.elementSize = 3;
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    m = (struct cudaMemsetParams){.dst = p, .elementSize = 1, .width = 16, .height = 2, .pitch = 8};
    answer(cudaGraphMemsetNodeSetParams(n, &m));
}

SITUATION(get_wrong_kind,
          "on an empty node: get parameters of kernel, memcpy, memset, host, "
          "child, record, wait, alloc, free",
          "cudaGraphKernelNodeGetParams: InvalidValue",
          "cudaGraphMemcpyNodeGetParams: InvalidValue",
          "cudaGraphMemsetNodeGetParams: InvalidValue", "cudaGraphHostNodeGetParams: InvalidValue",
          "cudaGraphChildGraphNodeGetGraph: InvalidValue",
          "cudaGraphEventRecordNodeGetEvent: InvalidValue",
          "cudaGraphEventWaitNodeGetEvent: InvalidValue",
          "cudaGraphMemAllocNodeGetParams: InvalidValue",
          "cudaGraphMemFreeNodeGetParams: InvalidValue")
{
    cudaGraphNode_t n = add_empty(new_graph(), NULL);
    union {
        struct cudaKernelNodeParams k;
        struct cudaMemcpy3DParms c;
        struct cudaMemsetParams m;
        struct cudaHostNodeParams h;
        struct cudaMemAllocNodeParams a;
        cudaGraph_t g;
        cudaEvent_t e;
        void *p;
    } u;
    answer(cudaGraphKernelNodeGetParams(n, &u.k));
    answer(cudaGraphMemcpyNodeGetParams(n, &u.c));
    answer(cudaGraphMemsetNodeGetParams(n, &u.m));
    answer(cudaGraphHostNodeGetParams(n, &u.h));
    answer(cudaGraphChildGraphNodeGetGraph(n, &u.g));
    answer(cudaGraphEventRecordNodeGetEvent(n, &u.e));
    answer(cudaGraphEventWaitNodeGetEvent(n, &u.e));
    answer(cudaGraphMemAllocNodeGetParams(n, &u.a));
    answer(cudaGraphMemFreeNodeGetParams(n, &u.p));
}

SITUATION(set_params_kinds,
          "set parameters of the wrong kind: a kernel's on a memset, a memset's on a kernel, a "
          "host's on an empty, an event's on a host, 1-D copy's on a child; of NULL",
          "cudaGraphKernelNodeSetParams(m, &kp): InvalidValue",
          "cudaGraphMemsetNodeSetParams: InvalidValue", "cudaGraphHostNodeSetParams: InvalidValue",
          "cudaGraphEventRecordNodeSetEvent: InvalidValue",
          "cudaGraphMemcpyNodeSetParams1D: InvalidValue",
          "cudaGraphKernelNodeSetParams(NULL, &kp): InvalidValue",
          "cudaGraphKernelNodeSetParams(k, NULL): InvalidValue")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t k = add_store(g, NULL, p, 1), m = add_memset(g, NULL, p, 1),
                    e = add_empty(g, NULL), h = add_letter(g, NULL, 'a'),
                    c = add_child(g, NULL, captured_memsets(1));
    struct cudaKernelNodeParams kp = store_params(p, 2);
    struct cudaMemsetParams mp = memset_params(p, 1, 8);
    struct cudaHostNodeParams hp = letter_params('b');
    answer(cudaGraphKernelNodeSetParams(m, &kp));
    answer(cudaGraphMemsetNodeSetParams(k, &mp));
    answer(cudaGraphHostNodeSetParams(e, &hp));
    answer(cudaGraphEventRecordNodeSetEvent(h, new_event(0)));
    answer(cudaGraphMemcpyNodeSetParams1D(c, p, p + 8, 8, cudaMemcpyDefault));
    answer(cudaGraphKernelNodeSetParams(NULL, &kp));
    answer(cudaGraphKernelNodeSetParams(k, NULL));
}
