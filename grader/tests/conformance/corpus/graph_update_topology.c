/* graph_update_topology.c: cudaGraphExecUpdate: which changes of nodes and edges it refuses, and
 * which node it names. */
#include "../graphs.h"

SITUATION(
    "update to another type of node: memset to kernel; to empty; to host; the second of two nodes")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("memset", &n), a = new_graph(), b = new_graph();
    void *p = device_bytes(SMALL);
    update_from_gives("GraphExecUpdateFailure 3 node 0 NULL", g, graph_of_one("kernel", &n));
    update_from_gives("GraphExecUpdateFailure 3 node 0 NULL", g, graph_of_one("empty", &n));
    update_from_gives("GraphExecUpdateFailure 3 node 0 NULL", g, graph_of_one("host", &n));
    add_empty(a, add_memset(a, NULL, p, 1));
    add_letter(b, add_memset(b, NULL, p, 1), 'b');
    update_from_gives("GraphExecUpdateFailure 3 node 1 NULL", a, b);
}

SITUATION("update of 3 memsets to 2; to 4; to none; of none to none; of none to one")
{
    cudaGraph_t g = captured_memsets(3);
    update_from_gives("GraphExecUpdateFailure 2 NULL NULL", g, captured_memsets(2));
    update_from_gives("GraphExecUpdateFailure 2 NULL NULL", g, captured_memsets(4));
    update_from_gives("GraphExecUpdateFailure 2 NULL NULL", g, new_graph());
    update_from_gives("Success 0 NULL NULL", new_graph(), new_graph());
    update_from_gives("GraphExecUpdateFailure 2 NULL NULL", new_graph(), captured_memsets(1));
}

SITUATION("update of a chain of three: an edge less; an edge more; a fork; a join; another order "
          "of the chain; none")
{
    cudaGraph_t g = three_memsets("ab bc");
    update_from_gives("GraphExecUpdateFailure 2 node 1 NULL", g, three_memsets("ab"));
    update_from_gives("GraphExecUpdateFailure 2 node 2 NULL", g, three_memsets("ab bc ac"));
    update_from_gives("GraphExecUpdateFailure 2 node 1 NULL", g, three_memsets("ab ac"));
    update_from_gives("GraphExecUpdateFailure 2 node 2 NULL", g, three_memsets("ac bc"));
    update_from_gives("Success 0 NULL NULL", g, three_memsets("ba ac"));
    update_from_gives("GraphExecUpdateFailure 2 node 1 NULL", g, three_memsets(""));
}

SITUATION("update to the same edges added in another order; to the same graph made in another "
          "order of nodes; two independent nodes swapped; where the same node has its two edges in "
          "another order; their sources of two kinds")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    void *p = device_bytes(SMALL);
    update_from_gives("Success 0 NULL NULL", three_memsets("ac bc"), three_memsets("bc ac"));
    update_from_gives("Success 0 NULL NULL", three_memsets("ab bc"), three_memsets("cb ba"));
    add_memset(a, NULL, p, 1);
    add_letter(a, NULL, 'a');
    add_letter(b, NULL, 'b');
    add_memset(b, NULL, p, 2);
    update_from_gives("GraphExecUpdateFailure 3 node 1 NULL", a, b);
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    for (int i = 0; i < 2; i++) {
        cudaGraphNode_t a = add_memset(g[i], NULL, p, 1), b = add_letter(g[i], NULL, 'b');
        cudaGraphNode_t c = add_empty(g[i], NULL);
        add_edge(g[i], i ? b : a, c);
        add_edge(g[i], i ? a : b, c);
    }
    update_from_gives("GraphExecUpdateFailure 3 node 1 NULL", g[0], g[1]);
}

SITUATION("update of a fork and join captured twice alike; captured with the two branches swapped")
{
    cudaGraph_t g[3];
    void *p = device_bytes(SMALL);
    for (int i = 0; i < 3; i++) {
        cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
        begin_capture(s, cudaStreamCaptureModeGlobal);
        order_streams(s, t);
        if (i == 2)
            MUST(cudaLaunchHostFunc(t, write_letter, NULL));
        MUST(cudaMemsetAsync(p, i, SMALL, s));
        if (i != 2)
            MUST(cudaLaunchHostFunc(t, write_letter, NULL));
        order_streams(t, s);
        some_work(s);
        g[i] = end_capture(s);
    }
    update_from_gives("Success 0 NULL NULL", g[0], g[1]);
    update_from_gives("Success 0 NULL NULL", g[0], g[2]);
}

static cudaGraph_t with_child(cudaGraph_t child)
{
    cudaGraph_t g = new_graph();
    add_child(g, NULL, child);
    return g;
}

SITUATION("update of a child graph: same shape; a node less; another type inside; where the error "
          "node is")
{
    cudaGraphNode_t n;
    cudaGraph_t g = with_child(captured_memsets(2));
    update_from_gives("Success 0 NULL NULL", g, with_child(captured_memsets(2)));
    update_from_gives("GraphExecUpdateFailure 2 NULL NULL", g, with_child(captured_memsets(1)));
    cudaGraph_t one = with_child(captured_memsets(1)), other = with_child(graph_of_one("host", &n));
    cudaGraph_t inside;
    cudaGraphExecUpdateResultInfo info = {0};
    gives(GraphExecUpdateFailure, cudaGraphExecUpdate(new_exec(one), other, &info));
    MUST(cudaGraphChildGraphNodeGetGraph(nth_node(other, 0), &inside));
    fact("update", "3 outer other inner node 0", "%d outer %s inner %s", (int)info.result,
         place_text(other, info.errorNode), place_text(inside, info.errorNode));
}

SITUATION("update of a graph with alloc and free: by itself; by another such graph")
{
    cudaGraph_t g[2] = {new_graph(), new_graph()};
    void *p;
    for (int i = 0; i < 2; i++) {
        cudaGraphNode_t a = add_alloc(g[i], NULL, SMALL, &p);
        add_free(g[i], add_memset(g[i], a, p, 1), p);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    update_gives("Success 0 NULL NULL", x, g[0]);
    update_gives("GraphExecUpdateFailure 1 node 1 NULL", x, g[1]);
    answer_run(x);
}

SITUATION("after an update, the exec's node set by the first graph's node; by the second graph's; "
          "the second graph destroyed: what runs")
{
    cudaGraph_t a = new_graph(), b = new_graph();
    int *p = device_bytes(SMALL);
    cudaGraphNode_t n = add_memset(a, NULL, p, 1), m = add_memset(b, NULL, p, 2);
    cudaGraphExec_t x = new_exec(a);
    struct cudaMemsetParams v = memset_params(p, 7, SMALL);
    update_gives("Success 0 NULL NULL", x, b);
    answer(cudaGraphExecMemsetNodeSetParams(x, n, &v));
    answer_run(x);
    shows("7", "%d", device_byte(p));
    v.value = 8;
    gives(InvalidValue, cudaGraphExecMemsetNodeSetParams(x, m, &v));
    MUST(cudaGraphDestroy(b));
    answer_run(x);
    shows("7", "%d", device_byte(p));
}

SITUATION("update of a graph of alloc and free alone by another; of 64 bytes by one of 4096; of an "
          "alloc alone; of a memset of memory of cudaMalloc by one of an alloc node")
{
    cudaGraph_t g[3], a[2], m = new_graph();
    void *p;
    for (int i = 0; i < 3; i++) {
        g[i] = new_graph();
        cudaGraphNode_t n = add_alloc(g[i], NULL, i == 2 ? 4096 : SMALL, &p);
        add_free(g[i], n, p);
    }
    for (int i = 0; i < 2; i++) {
        a[i] = new_graph();
        add_alloc(a[i], NULL, SMALL, &p);
    }
    cudaGraphExec_t x = new_exec(g[0]);
    update_gives("Success 0 NULL NULL", x, g[1]);
    update_gives("Success 0 NULL NULL", x, g[2]);
    answer_run(x);
    update_gives("Success 0 NULL NULL", new_exec(a[0]), a[1]);
    cudaGraphNode_t n = NULL;
    struct cudaMemsetParams given = memset_params(p, 1, SMALL);
    cudaError_t e = cudaGraphAddMemsetNode(&n, m, NULL, 0, &given);
    answer_error(NULL, "cudaGraphAddMemsetNode", e);
    if (e == cudaSuccess)
        update_from_gives("Success 0 NULL NULL", captured_memsets(1), m);
}

SITUATION(
    "update with two wrong memsets in a chain of three: which is named; two wrong roots of a join")
{
    char *p = device_bytes(256);
    struct cudaMemsetParams flat = memset_params(p, 1, 16),
                            two = {
                                .dst = p, .elementSize = 1, .width = 8, .height = 2, .pitch = 64};
    cudaGraph_t g[4];
    for (int i = 0; i < 4; i++) {
        cudaGraphNode_t a, b, c;
        g[i] = new_graph();
        MUST(cudaGraphAddMemsetNode(&a, g[i], NULL, 0, i % 2 ? &two : &flat));
        MUST(cudaGraphAddMemsetNode(&b, g[i], &a, i < 2, i % 2 ? &two : &flat));
        MUST(cudaGraphAddMemsetNode(&c, g[i], &b, 1, &flat));
        if (i >= 2)
            add_edge(g[i], a, c);
    }
    update_from_gives("GraphExecUpdateFailure 5 node 1 NULL", g[0], g[1]);
    update_from_gives("GraphExecUpdateFailure 5 node 1 NULL", g[2], g[3]);
}

SITUATION("update of a child graph: other values; a child with a node more")
{
    cudaGraph_t g = new_graph(), h = new_graph(), i = new_graph(), c = new_graph(), d = new_graph(),
                e = new_graph();
    int *p = device_bytes(64);
    add_store(c, NULL, p, 1);
    add_store(d, NULL, p, 2);
    add_store(e, add_store(e, NULL, p, 3), p, 4);
    add_child(g, NULL, c);
    add_child(h, NULL, d);
    add_child(i, NULL, e);
    cudaGraphExec_t x = new_exec(g);
    update_gives("Success 0 NULL NULL", x, h);
    answer_run(x);
    shows("2", "%d", device_int(p));
    update_gives("GraphExecUpdateFailure 2 NULL NULL", x, i);
    answer_run(x);
    shows("2", "%d", device_int(p));
}
