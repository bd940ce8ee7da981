/* conditional_update.c: parameters and updates of conditional nodes. */
#include "../conditional.h"

SITUATION("cudaGraphClone of a graph with a conditional node; cudaGraphAddNode of it as a child; "
          "destroy the node; instantiate; twice; clone")
{
    cudaGraph_t g = new_graph(), body, copy = NULL;
    cudaGraphNode_t n = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    gives(NotSupported, cudaGraphClone(&copy, g));
    instantiate_gives("Success", "result 0, error NULL", g);
    instantiate_gives("NotSupported", "result 1, error NULL", g);
    answer(cudaGraphDestroyNode(n));
    shape_is("0 nodes, 0 edges, 0 roots", g);
    instantiate_gives("InvalidValue", "result 5, error NULL", g);
    gives(NotSupported, cudaGraphClone(&copy, g));
}

SITUATION("parameters of a conditional node: set; in the exec; enable; device launch of its graph; "
          "AutoFree")
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t n = add_conditional(g, NULL, h, IF, 1, &body);
    cudaGraphExec_t x = new_exec(g), y = NULL;
    struct cudaGraphNodeParams q = conditional(h, IF, 1);
    unsigned on;
    gives(NotSupported, cudaGraphNodeSetParams(n, &q));
    gives(NotSupported, cudaGraphExecNodeSetParams(x, n, &q));
    gives(InvalidValue, cudaGraphNodeSetEnabled(x, n, 0));
    gives(InvalidValue, cudaGraphNodeGetEnabled(x, n, &on));
    gives(InvalidValue, cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagDeviceLaunch));
    gives(NotSupported, cudaGraphInstantiate(&y, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
}

SITUATION("update of an exec with an IF: a like one with another value in the body; two bodies; "
          "WHILE instead; another body shape; another default; itself",
          "cudaGraphExecUpdate: Success 0 NULL NULL; GraphExecUpdateFailure 6 node 0 other; "
          "GraphExecUpdateFailure 6 node 0 other; GraphExecUpdateFailure 2 NULL NULL; Success 0 "
          "NULL NULL; Success 0 NULL NULL",
          "device_int: 2; 2; 2; 2; 0; 1")
{
    static const int types[] = {0, 0, 0, 1, 0, 0};
    cudaGraph_t g[6], bodies[2], inside[6];
    int *p = device_bytes(SMALL);
    for (int i = 0; i < 6; i++) {
        g[i] = new_graph();
        add_conditional(g[i], NULL, handle_of(g[i], i != 5),
                        (enum cudaGraphConditionalNodeType)types[i], i == 2 ? 2 : 1, bodies);
        add_store(bodies[0], NULL, p, i + 1);
        if (i == 4)
            add_empty(bodies[0], NULL);
        inside[i] = bodies[0];
    }
    cudaGraphExec_t x = new_exec(g[0]);
    for (int i = 1; i <= 6; i++) {
        cudaGraphExecUpdateResultInfo info = {0};
        cudaError_t e = cudaGraphExecUpdate(x, g[i % 6], &info);
        answer_fact("cudaGraphExecUpdate", "%s %d %s %s", error_text(e), (int)info.result,
                    place_text(g[i % 6], info.errorNode),
                    place_text(inside[i % 6], info.errorNode));
        set_device_int(p, 0);
        answer_run(x);
        answer_text("%d", device_int(p));
    }
}

SITUATION("the parameters of a conditional node as cudaGraphAddNode leaves them: bodies set; the "
          "node in two places of an array; enable; type; dependencies")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL, first = add_empty(g, NULL);
    struct cudaGraphNodeParams q = conditional(handle_of(g, 1), SWITCH, 3);
    size_t dependencies = 9;
    answer(cudaGraphAddNode(&n, g, &first, NULL, 1, &q));
    shows("set", q.conditional.phGraph_out ? "set" : "NULL");
    shows("differ",
          q.conditional.phGraph_out[0] != q.conditional.phGraph_out[2] ? "differ" : "same");
    MUST(cudaGraphNodeGetDependencies(n, NULL, NULL, &dependencies));
    shows("1", "%zu", dependencies);
    types_are("empty cond", g);
}
