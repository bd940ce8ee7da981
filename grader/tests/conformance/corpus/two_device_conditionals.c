/* two_device_conditionals.c: conditional nodes and several devices. */
#include "../conditional.h"
#include "../devices.h"

ON_TWO_DEVICES(
    "a conditional IF node made while 0 is current; a kernel of device 1 in its body; a memset")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t n;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    use_device(1);
    struct cudaKernelNodeParams k = store_params(q, 7);
    answer(cudaGraphAddKernelNode(&n, body, NULL, 0, &k));
    use_device(0);
    add_store(body, NULL, p, 6);
    instantiate_with_gives("InvalidValue", "result 4, error other, NULL", g, 0, NULL);
}

ON_TWO_DEVICES(
    "a memcpy node between devices in the body of a conditional node: added; instantiated; a "
    "memset of device 1's memory in the body of one of device 0, with peer access")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraph_t body;
    n = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer(cudaGraphAddMemcpyNode1D(&n, body, NULL, 0, q, p, SMALL, cudaMemcpyDefault));
    instantiate_with_gives("InvalidValue", "result 4, error other, NULL", g, 0, NULL);
    g = new_graph();
    enable_peers();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_memset(body, NULL, q, 3);
    instantiate_with_gives("InvalidValue", "result 4, error other, NULL", g, 0, NULL);
}

ON_TWO_DEVICES("a conditional node of device 0 in a graph that has a kernel node of device 1; a "
               "conditional node of device 1 with a kernel of device 1, launched in a stream of 0")
{
    int *p = bytes_on(0, SMALL), *q = bytes_on(1, SMALL);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraph_t body;
    n = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_store(body, NULL, p, 3);
    add_store_on(1, g, n, q, 4);
    answer_run(new_exec(g));
    fact("values", "3 4", "%d %d", device_int(p), byte_on(1, q));
    g = new_graph();
    use_device(1);
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_store(body, NULL, q, 3);
    use_device(0);
    answer_run(new_exec(g));
    fact("byte", "3", "%d", byte_on(1, q));
}

ON_TWO_DEVICES(
    "a conditional handle made while 1 is current; its node added while 0 is; while 1 is")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int *q = bytes_on(1, SMALL);
    use_device(1);
    struct cudaGraphNodeParams c = conditional(handle_of(g, 1), IF, 1);
    use_device(0);
    gives(InvalidValue, cudaGraphAddNode(&n, g, NULL, NULL, 0, &c));
    use_device(1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &c));
    add_store(c.conditional.phGraph_out[0], NULL, q, 3);
    use_device(0);
    instantiate_with_gives("Success", "result 0, error NULL, exec", g, 0, NULL);
}

ON_TWO_DEVICES("a kernel of device 1 sets the condition of a conditional node of device 0")
{
    cudaGraph_t g = new_graph(), body;
    int *p = bytes_on(0, SMALL);
    cudaGraphConditionalHandle h = handle_of(g, 0);
    use_device(1);
    cudaGraphNode_t n = add_set(g, NULL, h, 1);
    use_device(0);
    add_conditional(g, n, h, IF, 1, &body);
    add_store(body, NULL, p, 3);
    instantiate_with_gives("Success", "result 0, error NULL, exec", g, 0, NULL);
}
