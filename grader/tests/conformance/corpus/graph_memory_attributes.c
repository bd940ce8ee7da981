/* graph_memory_attributes.c: what the device says of the memory of graphs. */
#include "../graphs.h"

static unsigned long long attribute(enum cudaGraphMemAttributeType which)
{
    unsigned long long value = 99;
    MUST(cudaDeviceGetGraphMemAttribute(0, which, &value));
    return value;
}

SITUATION("two allocations of 20 MiB that live at once; in sequence: memory reserved",
          "attribute: 67108864; 33554432")
{
    for (int i = 0; i < 2; i++) {
        cudaGraph_t g = new_graph();
        void *p, *q;
        cudaGraphNode_t n = add_alloc(g, NULL, 20 << 20, &p);
        if (i)
            n = add_free(g, n, p);
        n = add_alloc(g, n, 20 << 20, &q);
        n = add_free(g, n, q);
        if (!i)
            n = add_free(g, n, p);
        cudaGraphExec_t x = new_exec(g);
        answer_run(x);
        answer_text("%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
        MUST(cudaGraphExecDestroy(x));
        MUST(cudaDeviceGraphMemTrim(0));
    }
}

SITUATION("three allocations of 64 MiB in sequence, each with a free node that the next one does "
          "not wait for: memory reserved after a launch")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    for (int i = 0; i < 3; i++) {
        void *p;
        n = add_alloc(g, n, 64 << 20, &p);
        n = add_memset(g, n, p, i);
        add_free(g, n, p);
    }
    answer_run(new_exec(g));
    shows("192", "%llu", attribute(cudaGraphMemAttrReservedMemCurrent) >> 20);
}

SITUATION(
    "two graphs that each keep 2 MiB: memory used and reserved after each launch; after a trim; "
    "one freed; trimmed; both",
    "attribute(cudaGraphMemAttrUsedMemCurrent) >> 20, "
    "attribute(cudaGraphMemAttrReservedMemCurrent) >> 20: 32 32; 64 64; 64 64; 32 32; 32 32; 0 0")
{
    void *p[2];
    for (int step = 0; step < 6; step++) {
        if (step < 2) {
            cudaGraph_t g = new_graph();
            add_alloc(g, NULL, 2 << 20, &p[step]);
            answer_run(new_exec(g));
        } else if (step == 3 || step == 5) {
            MUST(cudaFree(p[step == 5]));
        }
        if (step >= 2)
            MUST(cudaDeviceGraphMemTrim(0));
        answer_text("%llu %llu", attribute(cudaGraphMemAttrUsedMemCurrent) >> 20,
                    attribute(cudaGraphMemAttrReservedMemCurrent) >> 20);
    }
}

SITUATION("one graph of 2 MiB in each of two streams, the first blocked: memory reserved; high; "
          "mem info does not count it before a launch")
{
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    cudaGraphExec_t x[2];
    struct cudaHostNodeParams gate = {stand_at_gate, NULL};
    gate_reset();
    for (int i = 0; i < 2; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, 2 << 20, &p);
        if (i == 0)
            MUST(cudaGraphAddHostNode(&n, g, &n, 1, &gate));
        add_free(g, n, p);
        x[i] = new_exec(g);
    }
    MUST(cudaGraphLaunch(x[0], s));
    MUST(cudaGraphLaunch(x[1], t));
    shows("64", "%llu", attribute(cudaGraphMemAttrReservedMemCurrent) >> 20);
    gate_open();
    answer(cudaDeviceSynchronize());
}

static void answer_counts(void)
{
    answer_fact("graph memory", "used %llu high %llu reserved %llu high %llu",
                attribute(cudaGraphMemAttrUsedMemCurrent), attribute(cudaGraphMemAttrUsedMemHigh),
                attribute(cudaGraphMemAttrReservedMemCurrent),
                attribute(cudaGraphMemAttrReservedMemHigh));
}

SITUATION(
    "graph memory of the device: at first; an alloc node made; instantiated; launched; freed; "
    "trimmed",
    "graph memory: used 0 high 0 reserved 0 high 0; used 0 high 0 reserved 0 high 0; used 0 high 0 "
    "reserved 0 high 0; used 33554432 high 33554432 reserved 33554432 high 33554432; used 33554432 "
    "high 33554432 reserved 33554432 high 33554432; used 0 high 33554432 reserved 0 high 33554432")
{
    void *p;
    answer_counts();
    cudaGraph_t g = allocating_graph(&p, false);
    answer_counts();
    cudaGraphExec_t x = new_exec(g);
    answer_counts();
    answer_run(x);
    answer_counts();
    MUST(cudaFree(p));
    answer_counts();
    answer(cudaDeviceGraphMemTrim(0));
    answer_counts();
}

SITUATION("graph memory reserved after a launch of a graph that allocates and frees 1 byte; 2 MiB; "
          "2 MiB + 1; 33 MiB: after each, trimmed between",
          "attribute: 33554432; 33554432; 33554432; 67108864")
{
    static const size_t sizes[] = {1, 2 << 20, (2 << 20) + 1, 33 << 20};
    for (int i = 0; i < 4; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, sizes[i], &p);
        add_free(g, n, p);
        cudaGraphExec_t x = new_exec(g);
        answer_run(x);
        answer_text("%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
        MUST(cudaGraphExecDestroy(x));
        MUST(cudaGraphDestroy(g));
        MUST(cudaDeviceGraphMemTrim(0));
    }
}

SITUATION("graph memory of the device: two graphs of 2 MiB each launched in turn in one stream; "
          "two allocations of 1 MiB in one graph")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x[2];
    for (int i = 0; i < 2; i++) {
        void *p;
        cudaGraph_t g = new_graph();
        cudaGraphNode_t n = add_alloc(g, NULL, 2 << 20, &p);
        add_free(g, n, p);
        x[i] = new_exec(g);
    }
    MUST(cudaGraphLaunch(x[0], s));
    MUST(cudaGraphLaunch(x[1], s));
    MUST(cudaStreamSynchronize(s));
    shows("33554432", "%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
    void *p, *q;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = add_alloc(g, add_alloc(g, NULL, 1 << 20, &p), 1 << 20, &q);
    add_free(g, add_free(g, n, q), p);
    answer_run(new_exec(g));
    shows("33554432", "%llu", attribute(cudaGraphMemAttrReservedMemCurrent));
}

SITUATION("graph memory attributes: device 1; -1; attribute 9; NULL; set the current; set a high "
          "to 0; to 5; trim device 1")
{
    unsigned long long v = 0, five = 5;
    gives(InvalidDevice, cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemCurrent, &v));
    gives(InvalidDevice, cudaDeviceGetGraphMemAttribute(-1, cudaGraphMemAttrUsedMemCurrent, &v));
    gives(InvalidValue, cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)9, &v));
    gives(InvalidValue, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, NULL));
    gives(InvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v));
    answer(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v));
    gives(InvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &five));
    gives(InvalidDevice, cudaDeviceGraphMemTrim(1));
}
