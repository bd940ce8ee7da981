/* conditional_rules.c: conditional nodes: what may be made, changed, updated and instantiated. */
#include "../conditional.h"

SITUATION("handles as numbers less the first: second; of a body; third of the graph; of a body's "
          "body; of another graph; of one after the first's graph was destroyed")
{
    cudaGraph_t g = new_graph(), body, inner;
    cudaGraphConditionalHandle first = handle_of(g, 1), second = handle_of(g, 1);
    shows("1", "%lld", (long long)(second - first));
    add_conditional(g, NULL, first, IF, 1, &body);
    cudaGraphConditionalHandle third = handle_of(body, 1);
    shows("2", "%lld", (long long)(third - first));
    shows("3", "%lld", (long long)(handle_of(g, 1) - first));
    add_conditional(body, NULL, third, IF, 1, &inner);
    shows("4", "%lld", (long long)(handle_of(inner, 1) - first));
    shows("0", "%lld", (long long)(handle_of(new_graph(), 1) - first));
    MUST(cudaGraphDestroy(g));
    shows("0", "%lld", (long long)(handle_of(new_graph(), 1) - first));
}

SITUATION("a handle whose node was destroyed: a new node with it; instantiate; run")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    MUST(cudaGraphDestroyNode(add_conditional(g, NULL, h, IF, 1, &body)));
    struct cudaGraphNodeParams q = conditional(h, WHILE, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &q));
    instantiate_gives("Success", "result 0, error NULL", g);
}

SITUATION("a handle made of a child's embedded graph; its node there; a node there with a handle "
          "of the parent; instantiate")
{
    cudaGraph_t g = new_graph(), child = new_graph(), embedded;
    cudaGraphNode_t n, m;
    cudaGraphConditionalHandle h = 0;
    add_empty(child, NULL);
    MUST(cudaGraphAddChildGraphNode(&n, g, NULL, 0, child));
    MUST(cudaGraphChildGraphNodeGetGraph(n, &embedded));
    answer(cudaGraphConditionalHandleCreate(&h, embedded, 1, cudaGraphCondAssignDefault));
    struct cudaGraphNodeParams q = conditional(h, IF, 1);
    answer(cudaGraphAddNode(&m, embedded, NULL, NULL, 0, &q));
    q = conditional(handle_of(g, 1), IF, 1);
    answer(cudaGraphAddNode(&m, embedded, NULL, NULL, 0, &q));
    instantiate_gives("Success", "result 0, error NULL", g);
}

SITUATION("conditional node: NULL parameters; NULL result; a dependency of another graph; a "
          "dependency twice; what the handle can do then")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, foreign = add_empty(new_graph(), NULL), own = add_empty(g, NULL);
    cudaGraphNode_t twice[] = {own, own};
    cudaGraphConditionalHandle h = handle_of(g, 1);
    struct cudaGraphNodeParams q = conditional(h, IF, 1);
    gives(InvalidValue, cudaGraphAddNode(&n, g, NULL, NULL, 0, NULL));
    gives(InvalidValue, cudaGraphAddNode(&n, g, &foreign, NULL, 1, &q));
    gives(InvalidValue, cudaGraphAddNode(&n, g, twice, NULL, 2, &q));
    answer(cudaGraphAddNode(&n, g, &own, NULL, 1, &q));
    shape_is("2 nodes, 1 edges, 1 roots", g);
}

SITUATION("an edge from the conditional node to a node of its body; from the body to a node after "
          "it; inside the body; a body's node as dependency of an outer one")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t c = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body), n;
    cudaGraphNode_t inside = add_empty(body, NULL), second = add_empty(body, NULL),
                    after = add_empty(g, c);
    gives(InvalidValue, cudaGraphAddDependencies(body, &c, &inside, NULL, 1));
    gives(InvalidValue, cudaGraphAddDependencies(g, &inside, &after, NULL, 1));
    answer(cudaGraphAddDependencies(body, &inside, &second, NULL, 1));
    gives(InvalidValue, cudaGraphAddEmptyNode(&n, g, &inside, 1));
    shape_is("2 nodes, 1 edges, 1 roots", body);
    shape_is("2 nodes, 1 edges, 1 roots", g);
}

SITUATION("a node added to a body after instantiate: run; of a body destroyed; the graph destroyed "
          "before the launch: run")
{
    cudaGraph_t g = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    cudaGraphNode_t n = add_device_letter(body, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    add_device_letter(body, n, 'b');
    logged("'a'", x);
    answer(cudaGraphDestroyNode(n));
    logged("'a'", x);
    answer(cudaGraphDestroy(g));
    logged("'a'", x);
}

SITUATION("instantiate twice; after the first was destroyed; after a launch of it that was not "
          "waited for")
{
    cudaGraph_t g = new_graph(), body;
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = NULL, y = NULL;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    add_conditional(g, NULL, h, WHILE, 1, &body);
    add_countdown(body, NULL, 'c', h, 50);
    answer(cudaGraphInstantiate(&x, g, 0));
    gives(NotSupported, cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecDestroy(x));
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaStreamSynchronize(s));
}

SITUATION("instantiate with AutoFree; Upload flag; UseNodePriority; DeviceLaunch by WithParams: "
          "result; upload of it, twice; launch",
          "cudaGraphInstantiateWithParams: Success; Success; Success; InvalidValue",
          "result, error node: 0 NULL; 0 NULL; 0 NULL; 3 node")
{
    static const unsigned long long flags[] = {1, 2, 8, 4};
    cudaGraphExec_t x = NULL;
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphNode_t c = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
        add_device_letter(body, NULL, 'a');
        cudaGraphInstantiateParams p = {0};
        p.flags = flags[i];
        p.uploadStream = nonblocking_stream();
        cudaGraphExec_t made = NULL;
        answer(cudaGraphInstantiateWithParams(&made, g, &p));
        answer_fact("result, error node", "%d %s", (int)p.result_out,
                    p.errNode_out == c ? "node"
                    : p.errNode_out    ? "other"
                                       : "NULL");
        x = made ? made : x;
    }
    cudaStream_t s = nonblocking_stream();
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphUpload(x, s));
    logged("'a'", x);
}

SITUATION("a host node in an IF in an IF; a wait node in a body; a record in a child in a body; a "
          "free node: add, instantiate")
{
    cudaGraph_t g = new_graph(), body, inner;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_conditional(body, NULL, handle_of(g, 1), IF, 1, &inner);
    add_letter(inner, NULL, 'h');
    instantiate_gives("InvalidValue", "result 3, error other", g);
    g = new_graph();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_wait(body, NULL, new_event(0));
    instantiate_gives("InvalidValue", "result 3, error other", g);
    g = new_graph();
    cudaGraph_t child = new_graph();
    add_record(child, NULL, new_event(0));
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_child(body, NULL, child);
    instantiate_gives("InvalidValue", "result 3, error other", g);
    g = new_graph();
    void *p;
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p), n;
    add_conditional(g, a, handle_of(g, 1), IF, 1, &body);
    answer(cudaGraphAddMemFreeNode(&n, body, NULL, 0, p));
    instantiate_gives("InvalidValue", "result 3, error other", g);
}

SITUATION("an alloc node before, a free node after an IF that stores into it: instantiate, run "
          "twice; twice instantiated")
{
    cudaGraph_t g = new_graph(), body;
    void *p;
    int *out = device_bytes(SMALL);
    cudaGraphNode_t a = add_alloc(g, NULL, SMALL, &p);
    cudaGraphNode_t c = add_conditional(g, a, handle_of(g, 1), IF, 1, &body);
    add_store(body, NULL, p, 5);
    add_free(g, add_copy(g, c, out, p), p);
    cudaGraphExec_t x = NULL;
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
    answer_run(x);
    shows("5", "%d", device_int(out));
}

/* A graph of a WHILE of `most` iterations whose body writes a letter, the handles made in this
 * order.
 */
static cudaGraph_t loop_of(char letter, int most, int spare, bool assigned)
{
    cudaGraph_t g = new_graph(), body, other;
    cudaGraphConditionalHandle unused = 0, h;
    if (spare)
        unused = handle_of(g, 0);
    h = assigned ? handle_of(g, 1) : handle_without_default(g, 1);
    cudaGraphNode_t n = add_device_letter(g, NULL, '(');
    n = add_conditional(g, n, h, WHILE, 1, &body);
    add_countdown(body, NULL, letter, h, most);
    if (spare)
        add_conditional(g, n, unused, IF, 1, &other);
    return g;
}

/* Updates the exec: the error, the result, and the place of the error node in `inside`. */
#define updated_gives(...) (note_reached(), answer_updated(__VA_ARGS__))
static void answer_updated(const char *expected, cudaGraphExec_t x, cudaGraph_t to,
                           cudaGraph_t inside)
{
    cudaGraphExecUpdateResultInfo info = {0};
    cudaError_t e = cudaGraphExecUpdate(x, to, &info);
    answer_fact_as("cudaGraphExecUpdate", expected, "%s %d %s", error_text(e), (int)info.result,
                   place_text(inside, info.errorNode));
}

SITUATION("update of an exec with a WHILE: another letter and number of iterations; without "
          "default; handles made in another order and one more IF; result, then run",
          "cudaGraphExecUpdate: Success 0 NULL; Success 0 NULL; GraphExecUpdateFailure 2 NULL",
          "device_log: '(bb'; '('; '('")
{
    cudaGraphExec_t x = new_exec(loop_of('a', 3, 0, true));
    logged("'(aaa'", x);
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = loop_of((char)('b' + i), 2, i == 2, i != 1);
        answer_updated(NULL, x, g, g);
        answer_logged(x);
    }
}

/* Two IFs, whose handles are made first to last or last to first. */
static cudaGraph_t two_ifs(bool swapped)
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle a = handle_of(g, !swapped), b = handle_of(g, swapped);
    cudaGraphNode_t n = add_conditional(g, NULL, swapped ? b : a, IF, 1, &body);
    add_device_letter(body, NULL, swapped ? 'A' : 'a');
    add_conditional(g, n, swapped ? a : b, IF, 1, &body);
    add_device_letter(body, NULL, swapped ? 'B' : 'b');
    return g;
}

SITUATION("update of an exec with two IFs by a graph whose handles are swapped, first default 1: "
          "result, run")
{
    cudaGraphExec_t x = new_exec(two_ifs(false));
    logged("'a'", x);
    cudaGraph_t g = two_ifs(true);
    updated_gives("GraphExecUpdateFailure 6 node 1", x, g, g);
    logged("'a'", x);
}

SITUATION("update of an exec with an IF in an IF: another letter; another kernel; a memset instead "
          "of the kernel; result, place in the inner body; run",
          "cudaGraphExecUpdate: Success 0 NULL; Success 0 NULL; GraphExecUpdateFailure 3 node 0",
          "device_log: 'b'; ''; ''")
{
    cudaGraph_t g[4], body, inner[4];
    void *p = device_bytes(SMALL);
    for (int i = 0; i < 4; i++) {
        g[i] = new_graph();
        add_conditional(g[i], NULL, handle_of(g[i], 1), IF, 1, &body);
        add_conditional(body, NULL, handle_of(g[i], 1), IF, 1, &inner[i]);
        if (i < 2)
            add_device_letter(inner[i], NULL, (char)('a' + i));
        else if (i == 2)
            add_store(inner[i], NULL, p, 1);
        else
            add_memset(inner[i], NULL, p, 1);
    }
    device_log();
    cudaGraphExec_t x = new_exec(g[0]);
    for (int i = 1; i < 4; i++) {
        answer_updated(NULL, x, g[i], inner[i]);
        answer_logged(x);
    }
}

SITUATION("parameters set in the exec of a kernel in an IF in a WHILE, of a memset and a copy in "
          "the body; of a node of another graph; while a launch waits")
{
    cudaGraph_t g = new_graph(), body, inner;
    unsigned char *p = device_bytes(SMALL), *q = device_bytes(SMALL);
    int *kept = device_bytes(SMALL);
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaStream_t s = nonblocking_stream();
    add_conditional(g, NULL, h, WHILE, 1, &body);
    cudaGraphNode_t m = add_memset(body, NULL, p, 1), c = add_copy(body, m, q, p);
    cudaGraphNode_t n = add_conditional(body, c, handle_of(g, 1), IF, 1, &inner);
    cudaGraphNode_t k = add_store(inner, NULL, kept, 5);
    add_countdown(body, n, '.', h, 2);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemsetParams mp = memset_params(p, 3, SMALL);
    struct cudaKernelNodeParams kp = store_params(kept, 6);
    gate_shut(s);
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecMemsetNodeSetParams(x, m, &mp));
    answer(cudaGraphExecKernelNodeSetParams(x, k, &kp));
    gives(InvalidValue,
          cudaGraphExecMemcpyNodeSetParams1D(x, c, q, p, SMALL, cudaMemcpyDeviceToDevice));
    gives(InvalidValue,
          cudaGraphExecKernelNodeSetParams(x, add_store(new_graph(), NULL, kept, 5), &kp));
    gate_open();
    answer(cudaStreamSynchronize(s));
    shows("1 5", "%d %d", device_byte(q), device_int(kept));
    answer_run(x);
    shows("3 6", "%d %d", device_byte(q), device_int(kept));
}

SITUATION("a graph with an unused handle as a child; a graph with an IF as a body's child; dot of "
          "it; the graph as child of its own body; the body as child of the body; of another body; "
          "the body's nodes by cudaGraphGetNodes")
{
    cudaGraph_t g = new_graph(), h = new_graph(), body;
    cudaGraphNode_t n;
    handle_of(h, 1);
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, g, NULL, 0, h));
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    h = new_graph();
    cudaGraph_t inner;
    add_conditional(h, NULL, handle_of(h, 1), IF, 1, &inner);
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, body, NULL, 0, h));
    answer(cudaGraphDebugDotPrint(g, "/dev/null", 0));
    cudaGraph_t other;
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &other);
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, body, NULL, 0, g));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, body, NULL, 0, body));
    gives(NotSupported, cudaGraphAddChildGraphNode(&n, body, NULL, 0, other));
    add_device_letter(body, NULL, 'a');
    shape_is("1 nodes, 0 edges, 1 roots", body);
    types_are("kernel", body);
}

SITUATION(
    "in a body: a 2-D copy inside the device; a 2-D memset; a memset of pinned memory; instantiate")
{
    for (int i = 0; i < 3; i++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphNode_t n;
        char *p = device_bytes(1024), *q = device_bytes(1024), *h = pinned_bytes(SMALL);
        struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 128, 64, 4), pitched(q, 128, 64, 4),
                                                    extent(64, 4, 1), cudaMemcpyDefault);
        struct cudaMemsetParams m = memset_params(p, 1, 64), t = memset_params(h, 1, SMALL);
        m.height = 4;
        m.pitch = 128;
        add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
        if (i == 0)
            answer(cudaGraphAddMemcpyNode(&n, body, NULL, 0, &c));
        else
            answer(cudaGraphAddMemsetNode(&n, body, NULL, 0, i == 1 ? &m : &t));
        instantiate_gives("Success", "result 0, error NULL", g);
    }
}

SITUATION("update of an exec whose IF has a memset and a copy, in the body: another byte; another "
          "source; another destination and length: error, result, then run",
          "device_byte(q), device_byte(r): 4 0; 3 0; 3 3")
{
    cudaGraph_t g[4], body[4];
    unsigned char *p = device_bytes(SMALL), *q = device_bytes(SMALL), *r = device_bytes(SMALL);
    for (int i = 0; i < 4; i++) {
        g[i] = new_graph();
        add_conditional(g[i], NULL, handle_of(g[i], 1), IF, 1, &body[i]);
        cudaGraphNode_t n = add_memset(body[i], NULL, p, i == 1 ? 4 : 3), c;
        MUST(cudaGraphAddMemcpyNode1D(&c, body[i], &n, 1, i == 3 ? r : q, i == 2 ? p + 8 : p,
                                      i == 3 ? 32 : 16, cudaMemcpyDeviceToDevice));
    }
    cudaGraphExec_t x = new_exec(g[0]);
    for (int i = 1; i < 4; i++) {
        updated_gives("Success 0 NULL", x, g[i], body[i]);
        answer_run(x);
        answer_text("%d %d", device_byte(q), device_byte(r));
    }
}

SITUATION("in an exec, nodes of a body: a copy's parameters as they are; a copy disabled; a memset "
          "disabled; enabled; an empty node disabled; run")
{
    cudaGraph_t g = new_graph(), body;
    unsigned char *p = device_bytes(SMALL), *q = device_bytes(SMALL);
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    cudaGraphNode_t m = add_memset(body, NULL, p, 3), c = add_copy(body, m, q, p),
                    e = add_empty(body, c);
    cudaGraphExec_t x = new_exec(g);
    struct cudaMemcpy3DParms same = copy_params(q, p, SMALL, cudaMemcpyDefault);
    answer(cudaGraphExecMemcpyNodeSetParams(x, c, &same));
    answer(cudaGraphNodeSetEnabled(x, c, 0));
    answer(cudaGraphNodeSetEnabled(x, m, 0));
    answer(cudaGraphNodeSetEnabled(x, m, 1));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, e, 0));
    answer_run(x);
    shows("3 0", "%d %d", device_byte(p), device_byte(q));
}
