/* two_device_updates.c: nodes and executable graphs that are changed to work on another device. */
#include "../devices.h"
#include "../graphs.h"

ON_TWO_DEVICES(
    "a memset node of device 0 set to device 1's memory, without peer access; in an exec; with")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams m = memset_params(q, 1, SMALL);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
    enable_peers();
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &m));
    answer_run(x);
    fact("bytes", "6 0", "%d %d", byte_on(0, p), byte_on(1, q));
}

ON_TWO_DEVICES("in an exec a memcpy node within device 0 is set to 0 to 1; to within 1; a node "
               "from 0 to 1 to within 0; to 1 to 0; from host to 0 to host to 1; 0 to host to 1 to "
               "host; within 0 to other memory of 0 while 1 is current")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE), *h = pinned_bytes(SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_copy(g, NULL, p, p + SMALL), b = add_copy(g, NULL, q, p),
                    c = add_copy(g, NULL, p, h), d = add_copy(g, NULL, h, p);
    cudaGraphExec_t x = new_exec(g);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, a, q, p, SMALL, cudaMemcpyDefault));
    gives(InvalidValue,
          cudaGraphExecMemcpyNodeSetParams1D(x, a, q, q + SMALL, SMALL, cudaMemcpyDefault));
    gives(InvalidValue,
          cudaGraphExecMemcpyNodeSetParams1D(x, b, p, p + SMALL, SMALL, cudaMemcpyDefault));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, b, p, q, SMALL, cudaMemcpyDefault));
    answer(
        cudaGraphExecMemcpyNodeSetParams1D(x, b, q + SMALL, p + SMALL, SMALL, cudaMemcpyDefault));
    answer_run(x);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, c, q, h, SMALL, cudaMemcpyDefault));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, d, h, q, SMALL, cudaMemcpyDefault));
    use_device(1);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, a, p + 2 * SMALL, p, SMALL, cudaMemcpyDefault));
}

ON_TWO_DEVICES("in a graph a memcpy node within device 0 is set to 0 to 1; to within 1")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_copy(g, NULL, p, p + SMALL);
    MUST(cudaMemset(p, 4, SMALL));
    answer(cudaGraphMemcpyNodeSetParams1D(a, q, p, SMALL, cudaMemcpyDefault));
    answer_run(new_exec(g));
    fact("byte", "4", "%d", byte_on(1, q));
    answer(cudaGraphMemcpyNodeSetParams1D(a, q + SMALL, q, SMALL, cudaMemcpyDefault));
    answer_run(new_exec(g));
    fact("byte", "4", "%d", byte_on(1, q + SMALL));
}

ON_TWO_DEVICES("cudaGraphExecUpdate of a graph over both: other values; the devices exchanged")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    cudaGraph_t other = graph_on_both(p, q, 5), exchanged = new_graph();
    add_store_on(0, exchanged, add_store_on(1, exchanged, NULL, q, 7), p, 8);
    update_gives("Success 0 NULL NULL", x, other);
    answer_run(x);
    fact("values", "5 6", "%d %d", device_int(p), byte_on(1, q));
    update_gives("GraphExecUpdateFailure 7 node 1 NULL", x, exchanged);
    answer_run(x);
    fact("values", "5 6", "%d %d", device_int(p), byte_on(1, q));
}

ON_TWO_DEVICES(
    "cudaGraphExecUpdate: the kernel node of device 0 becomes one of device 1; the memset node")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t from = new_graph(), to = new_graph();
    add_store_on(0, from, NULL, p, 1);
    add_store_on(1, to, NULL, q, 2);
    cudaGraphExec_t x = new_exec(from);
    update_gives("GraphExecUpdateFailure 7 node 0 NULL", x, to);
    answer_run(x);
    fact("values", "1 0", "%d %d", device_int(p), byte_on(1, q));
    from = new_graph();
    to = new_graph();
    add_memset(from, NULL, p, 1);
    use_device(1);
    add_memset(to, NULL, q, 2);
    use_device(0);
    x = new_exec(from);
    update_gives("GraphExecUpdateFailure 5 node 0 NULL", x, to);
    answer_run(x);
    fact("bytes", "1 0", "%d %d", byte_on(0, p), byte_on(1, q));
}

ON_TWO_DEVICES("cudaGraphExecUpdate: a copy within device 0 becomes one from 0 to 1; from 0 to 1 "
               "becomes 1 to 0")
{
    char *p = bytes_on(0, PAGE), *q = bytes_on(1, PAGE);
    cudaGraph_t within = new_graph(), there = new_graph(), back = new_graph();
    add_copy(within, NULL, p, p + SMALL);
    add_copy(there, NULL, q, p);
    add_copy(back, NULL, p, q);
    update_from_gives("GraphExecUpdateFailure 5 node 0 NULL", within, there);
    update_from_gives("GraphExecUpdateFailure 5 node 0 NULL", there, back);
    update_from_gives("GraphExecUpdateFailure 5 node 0 NULL", there, within);
}

ON_TWO_DEVICES("parameters of device 0's kernel node set while 1 is current: in the graph, in the "
               "exec; where it runs; of device 1's in the exec; while 0 is")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    use_device(1);
    struct cudaKernelNodeParams k = store_params(p, 9);
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, n, &k));
    use_device(0);
    answer_run(x);
    shows("1", "%d", device_int(p));
    use_device(1);
    struct cudaKernelNodeParams k2 = store_params(q, 3);
    answer(cudaGraphKernelNodeSetParams(n, &k2));
    use_device(0);
    answer_run(new_exec(g));
    fact("byte", "3", "%d", byte_on(1, q));
    g = new_graph();
    n = add_store_on(1, g, NULL, q, 1);
    x = new_exec(g);
    k = store_params(q, 9);
    use_device(1);
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    use_device(0);
    gives(InvalidValue, cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer_run(x);
    fact("byte", "9", "%d", byte_on(1, q));
}

ON_TWO_DEVICES(
    "a memset node of device 0 set, while 1 is current, to device 1's memory: in the graph; run")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_memset(g, NULL, p, 6);
    struct cudaMemsetParams m = memset_params(q, 1, SMALL);
    use_device(1);
    answer(cudaGraphMemsetNodeSetParams(n, &m));
    use_device(0);
    answer_run(new_exec(g));
    fact("byte", "1", "%d", byte_on(1, q));
}

ON_TWO_DEVICES("in an exec a memset node of device 1's memory, made by device 0 with peer access, "
               "set to other memory of device 1; of device 0; while 1 is current")
{
    char *p = bytes_on(0, SMALL), *q = bytes_on(1, PAGE);
    cudaGraph_t g = new_graph();
    enable_peers();
    cudaGraphNode_t n = add_memset(g, NULL, q, 6);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams other = memset_params(q + SMALL, 1, SMALL),
                            own = memset_params(p, 1, SMALL);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &other));
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, n, &own));
    use_device(1);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &other));
    use_device(0);
    answer_run(x);
}

ON_TWO_DEVICES("cudaGraphExecUpdate of a graph over both while 1 is current; a child graph of "
               "device 1 in place of one of device 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraphExec_t x = new_exec(graph_on_both(p, q, 1));
    cudaGraph_t to = graph_on_both(p, q, 5), own = new_graph(), other = new_graph(),
                g = new_graph();
    add_store_on(0, own, NULL, p, 1);
    add_store_on(1, other, NULL, q, 1);
    cudaGraphNode_t n = add_child(g, NULL, own);
    cudaGraphExec_t y = new_exec(g);
    use_device(1);
    update_gives("Success 0 NULL NULL", x, to);
    gives(GraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(y, n, other));
}

ON_TWO_DEVICES(
    "an attribute of device 0's kernel node set, copied to device 1's node, while 1 is current")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_store_on(0, g, NULL, p, 1), b = add_store_on(1, g, NULL, q, 2);
    cudaLaunchAttributeValue v = {.priority = -1};
    use_device(1);
    answer(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &v));
    gives(InvalidValue, cudaGraphKernelNodeCopyAttributes(b, a));
}
