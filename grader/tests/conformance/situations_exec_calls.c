/*
 * situations_exec_calls.c: instantiation, launch and upload, and the flags and results of each.
 */
#include <stdint.h>
#include <string.h>

#include "situations_graphs.h"
#include "situations_kernels.h"

SITUATION(flags, "cudaGraphInstantiate with flags 1, 2, 4, 8, 16, 32, 64, 6; cudaGraphExecGetFlags "
                 "of each that works")
{
    static const unsigned long long asked[] = {1, 2, 4, 8, 16, 32, 64, 6};
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    for (int i = 0; i < 8; i++) {
        cudaGraphExec_t x = NULL;
        unsigned long long f = 77;
        cudaError_t e = cudaGraphInstantiate(&x, g, asked[i]);
        if (e == cudaSuccess)
            e = cudaGraphExecGetFlags(x, &f);
        answer_text("%s %llu", error_text(e), f);
    }
}

SITUATION(null, "cudaGraphInstantiate: NULL graph, NULL out; WithParams with NULL parameters; "
                "cudaGraphExecDestroy(NULL); cudaGraphLaunch(NULL); cudaGraphUpload(NULL)")
{
    cudaGraphExec_t x = NULL;
    cudaStream_t s = new_stream(0);
    answer(cudaGraphInstantiate(&x, NULL, 0));
    answer(cudaGraphInstantiate(NULL, new_graph(), 0));
    answer(cudaGraphExecDestroy(NULL));
    answer(cudaGraphLaunch(NULL, s));
    answer(cudaGraphUpload(NULL, s));
    answer(cudaGetLastError());
}

SITUATION(with_params, "cudaGraphInstantiateWithParams of a good graph: result, error node; with "
                       "flags 64; with an upload stream and the flag; without the flag")
{
    cudaGraphNode_t n;
    cudaGraph_t g = graph_of_one("kernel", &n);
    cudaGraphExec_t x = NULL;
    cudaGraphInstantiateParams p = {.errNode_out = n, .result_out = cudaGraphInstantiateError};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d %s", (int)p.result_out, p.errNode_out ? "a node" : "NULL");
    p = (cudaGraphInstantiateParams){.flags = 64};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
    p = (cudaGraphInstantiateParams){.flags = cudaGraphInstantiateFlagUpload,
                                     .uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
    answer_run(x);
    p = (cudaGraphInstantiateParams){.uploadStream = new_stream(0)};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d", (int)p.result_out);
}

SITUATION(cycle_result, "cudaGraphInstantiateWithParams of a cycle: result, error node")
{
    cudaGraph_t g = new_graph();
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t a = add_empty(g, NULL), b = add_empty(g, a);
    add_edge(g, b, a);
    cudaGraphInstantiateParams p = {0};
    answer(cudaGraphInstantiateWithParams(&x, g, &p));
    answer_text("%d %s %s", (int)p.result_out, place_text(g, p.errNode_out),
                x ? "an exec" : "NULL");
}

SITUATION(device_flag,
          "device launch instantiation of: an empty graph; an empty node; a kernel; a memset; an "
          "event record; a child of a kernel; an allocation: error and result")
{
    static const char *const kinds[] = {"empty", "kernel", "memset", "record",
                                        "child", "alloc",  "memcpy"};
    for (int i = -1; i < 7; i++) {
        cudaGraphNode_t n;
        cudaGraphExec_t x = NULL;
        cudaGraph_t g = i < 0 ? new_graph() : graph_of_one(kinds[i], &n);
        cudaGraphInstantiateParams p = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
        cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &p);
        answer_text("%s %d", error_text(e), (int)p.result_out);
    }
}

SITUATION(launch_snapshot,
          "the graph is changed after instantiation: the exec's value; instantiated anew: value")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer_run(new_exec(g));
    answer_text("%d", device_int(p));
}

SITUATION(node_destroyed,
          "a node destroyed in the graph: the exec still runs it; set parameters of it in the exec")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t a = add_store(g, NULL, p, 5), b = add_empty(g, a);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphDestroyNode(b));
    answer_run(x);
    answer_text("%d", device_int(p));
    struct cudaKernelNodeParams k = store_params(p, 6);
    answer(cudaGraphExecKernelNodeSetParams(x, a, &k));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(running_changed, "an exec is changed while it runs: the running launch keeps its value, "
                           "the next has the new one")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams k = store_params(p, 2);
    gate_shut(s);
    MUST(cudaGraphLaunch(x, s));
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("%d", device_int(p));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(order_in_stream, "a launch between two memsets of a stream: value after; cudaStreamQuery "
                           "while a host node in it waits")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = new_graph();
    char *p = device_bytes(64);
    cudaGraphNode_t h;
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    MUST(cudaGraphAddHostNode(&h, g, NULL, 0, &gate));
    add_memset(g, h, p, 2);
    cudaGraphExec_t x = new_exec(g);
    gate_reset();
    MUST(cudaMemsetAsync(p, 1, 64, s));
    answer(cudaGraphLaunch(x, s));
    MUST(cudaMemsetAsync(p, 3, 4, s));
    answer(cudaStreamQuery(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    answer_text("%d %d", device_byte(p), device_byte(p + 4));
}

SITUATION(enabled, "cudaGraphNodeGetEnabled of a kernel, an empty node, a host node; set with 2, "
                   "get; NULL out; a node of another graph")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    unsigned on = 7;
    cudaGraphNode_t k = add_store(g, NULL, p, 1), e = add_empty(g, NULL),
                    h = add_letter(g, NULL, 'a');
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphNodeGetEnabled(x, k, &on));
    answer_text("%u", on);
    answer(cudaGraphNodeGetEnabled(x, e, &on));
    answer(cudaGraphNodeGetEnabled(x, h, &on));
    answer(cudaGraphNodeSetEnabled(x, k, 0));
    answer(cudaGraphNodeGetEnabled(x, k, &on));
    answer_text("%u", on);
    answer(cudaGraphNodeSetEnabled(x, add_store(new_graph(), NULL, p, 1), 0));
    answer_run(x);
    answer_text("%d", device_int(p));
}

SITUATION(disabled_set, "a disabled kernel gets new parameters: still disabled? enabled again: "
                        "value; a disabled copy between two memsets: value")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    int *p = device_bytes(64);
    char *q = device_bytes(256);
    unsigned on = 7;
    cudaGraphNode_t k = add_store(g, NULL, p, 1);
    cudaGraphExec_t x = new_exec(g);
    struct cudaKernelNodeParams n = store_params(p, 2);
    MUST(cudaGraphNodeSetEnabled(x, k, 0));
    answer(cudaGraphExecKernelNodeSetParams(x, k, &n));
    answer(cudaGraphNodeGetEnabled(x, k, &on));
    answer_text("%u", on);
    answer(cudaGraphNodeSetEnabled(x, k, 1));
    answer_run(x);
    answer_text("%d", device_int(p));
    cudaGraphNode_t a = add_memset(h, NULL, q, 1), b = add_memset(h, a, q, 2);
    add_memset(h, b, q + 32, 3);
    cudaGraphExec_t y = new_exec(h);
    answer(cudaGraphNodeSetEnabled(y, b, 0));
    answer_run(y);
    answer_text("%d %d", device_byte(q), device_byte(q + 40));
}

SITUATION(upload, "cudaGraphUpload then a launch in another stream; upload twice; upload of an "
                  "exec that runs; to NULL")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking), t = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = new_graph();
    int *p = device_bytes(64);
    add_store(g, NULL, p, 3);
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphLaunch(x, t));
    answer(cudaGraphUpload(x, s));
    answer(cudaGraphUpload(x, NULL));
    answer(cudaDeviceSynchronize());
    answer_text("%d", device_int(p));
}

SITUATION(user_objects, "user object of 2 references: released 1, retained by a graph 1, released "
                        "1, graph destroyed: when the destructor ran")
{
    cudaUserObject_t o;
    cudaGraph_t g = new_graph();
    answer(cudaUserObjectCreate(&o, (void *)'d', write_letter, 2, cudaUserObjectNoDestructorSync));
    answer(cudaUserObjectRelease(o, 1));
    answer(cudaGraphRetainUserObject(g, o, 1, 0));
    answer(cudaUserObjectRelease(o, 1));
    answer_text("'%s'", log_text());
    answer(cudaGraphReleaseUserObject(g, o, 2));
    answer(cudaGraphDestroy(g));
}

SITUATION(user_object_bad,
          "cudaUserObjectCreate: flags 0; 0 references; NULL function; cudaGraphRetainUserObject "
          "with flags 2; count 0; cudaUserObjectRetain of NULL; release of more than there are")
{
    cudaUserObject_t o = NULL;
    cudaGraph_t g = new_graph();
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 1, 0));
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 0, cudaUserObjectNoDestructorSync));
    answer(cudaUserObjectCreate(&o, NULL, NULL, 1, cudaUserObjectNoDestructorSync));
    MUST(cudaUserObjectCreate(&o, NULL, write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(g, o, 1, 2));
    answer(cudaGraphRetainUserObject(g, o, 0, 0));
    answer(cudaUserObjectRetain(NULL, 1));
    answer(cudaUserObjectRetain(o, 0));
    answer(cudaUserObjectRelease(o, 0));
}

SITUATION(auto_free, "an exec with AutoFreeOnLaunch of an unfreed allocation: two launches; used "
                     "graph memory does not grow; without it the second launch")
{
    cudaGraph_t g = new_graph(), h = new_graph();
    void *p;
    cudaGraphExec_t x = NULL;
    unsigned long long a = 1, b = 2;
    add_alloc(g, NULL, 1 << 20, &p);
    add_alloc(h, NULL, 1 << 20, &p);
    answer(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    answer_run(x);
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &a));
    answer_run(x);
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &b));
    answer_text("%s", a == b ? "same" : "grows");
    cudaGraphExec_t y = new_exec(h);
    answer_run(y);
    answer_run(y);
    answer(cudaGetLastError());
}
