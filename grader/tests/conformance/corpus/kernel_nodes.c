/* kernel_nodes.c: kernel nodes. */
#include "../conditional.h"

static cudaError_t add_kernel_node(dim3 grid, dim3 block, unsigned shared)
{
    static int *p;
    if (!p)
        p = device_bytes(SMALL);
    cudaGraphNode_t n;
    struct cudaKernelNodeParams k = store_params(p, 1);
    k.gridDim = grid;
    k.blockDim = block;
    k.sharedMemBytes = shared;
    return cudaGraphAddKernelNode(&n, new_graph(), NULL, 0, &k);
}

SITUATION("kernel node: grid 0; block 0; block 1025; block 2048; block z 65; grid y 65536; grid x "
          "2^31; shared 48 KiB; 48 KiB + 1; 1 GiB")
{
    dim3 one = {1, 1, 1};
    gives(InvalidValue, add_kernel_node((dim3){0, 1, 1}, one, 0));
    gives(InvalidValue, add_kernel_node(one, (dim3){0, 1, 1}, 0));
    gives(InvalidValue, add_kernel_node(one, (dim3){1025, 1, 1}, 0));
    gives(InvalidValue, add_kernel_node(one, (dim3){2048, 1, 1}, 0));
    gives(InvalidValue, add_kernel_node(one, (dim3){1, 1, 65}, 0));
    gives(InvalidValue, add_kernel_node((dim3){1, 65536, 1}, one, 0));
    gives(InvalidValue, add_kernel_node((dim3){1u << 31, 1, 1}, one, 0));
    answer(add_kernel_node(one, one, 48 << 10));
    gives(InvalidValue, add_kernel_node(one, one, (48 << 10) + 1));
    gives(InvalidValue, add_kernel_node(one, one, 1 << 30));
}

SITUATION("kernel node with 100 KiB of dynamic shared memory after the kernel's limit was raised "
          "to it: add; 1 byte more; captured; run; limit lowered, then instantiate again")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphExec_t x = NULL;
    struct cudaKernelNodeParams k = store_params(device_bytes(SMALL), 1);
    MUST(cudaFuncSetAttribute(k.func, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    k.sharedMemBytes = 100 << 10;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.sharedMemBytes++;
    gives(InvalidValue, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_run(new_exec(g));
    MUST(cudaFuncSetAttribute(k.func, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    answer(cudaGraphInstantiate(&x, g, 0));
    answer_run(x);
}

SITUATION("kernel node: function NULL; no kernel; parameters NULL of a kernel with none; NULL of a "
          "kernel with two; both forms; neither")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    int *p = device_bytes(SMALL);
    void *extra[] = {NULL};
    struct cudaKernelNodeParams k = store_params(p, 1);
    k.func = NULL;
    gives(InvalidDeviceFunction, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)&extra;
    gives(InvalidResourceHandle, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)(uintptr_t)situation_nothing();
    k.kernelParams = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.func = (void *)(uintptr_t)situation_store();
    gives(InvalidValue, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k = store_params(p, 1);
    k.extra = extra;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    shape_is("2 nodes, 0 edges, 2 roots", g);
}

SITUATION(
    "kernel node with its parameters in both forms, kernelParams and extra; in one buffer (extra)")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    struct {
        int *to;
        int value;
    } packed = {device_bytes(SMALL), 12};
    size_t bytes = sizeof packed.to + sizeof packed.value;
    /* CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END */
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)0};
    struct cudaKernelNodeParams k = store_params(packed.to, 13);
    k.extra = extra;
    gives(InvalidValue, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    k.kernelParams = NULL;
    answer(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    answer_run(new_exec(g));
    shows("12", "%d", device_int(packed.to));
}

static void answer_kernel(cudaGraphNode_t n)
{
    struct cudaKernelNodeParams k = {0};
    cudaError_t e = cudaGraphKernelNodeGetParams(n, &k);
    answer_error(NULL, "cudaGraphKernelNodeGetParams", e);
    if (e != cudaSuccess)
        return;
    answer_fact("kernel node", "func %s grid %u %u %u block %u %u %u shared %u extra %s",
                k.func == situation_store()  ? "store"
                : k.func == situation_plus() ? "add"
                                             : "other",
                k.gridDim.x, k.gridDim.y, k.gridDim.z, k.blockDim.x, k.blockDim.y, k.blockDim.z,
                k.sharedMemBytes, k.extra ? "set" : "NULL");
    if (k.kernelParams)
        answer_text("value %d", *(int *)k.kernelParams[1]);
    else
        answer_fact("parameters", "params NULL");
}

SITUATION("kernel node: parameters read back; are they copies; set to those read back; the "
          "argument changed on the host after the node was added, after it was instantiated: what "
          "runs; a captured kernel, the argument changed after it: parameters read back",
          "kernel node: func store grid 2 3 4 block 1 1 1 shared 16 extra NULL; func add grid 5 1 "
          "1 block 32 2 1 shared 128 extra NULL",
          "*(int *)k.kernelParams[1]: value 3; value 8")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL);
    struct cudaKernelNodeParams given = store_params(p, 3), got;
    cudaGraphNode_t n;
    given.gridDim = (dim3){2, 3, 4};
    given.sharedMemBytes = 16;
    MUST(cudaGraphAddKernelNode(&n, g, NULL, 0, &given));
    answer_kernel(n);
    MUST(cudaGraphKernelNodeGetParams(n, &got));
    shows("own array", got.kernelParams == given.kernelParams ? "same array" : "own array");
    shows("own values",
          got.kernelParams[1] == given.kernelParams[1] ? "same values" : "own values");
    answer(cudaGraphKernelNodeSetParams(n, &got));
    *(int *)given.kernelParams[1] = 4;
    cudaGraphExec_t x = new_exec(g);
    *(int *)given.kernelParams[1] = 5;
    answer_run(x);
    shows("3", "%d", device_int(p));
    cudaStream_t s = nonblocking_stream();
    int value = 8;
    void *args[] = {&p, &value};
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaLaunchKernel(situation_plus(), (dim3){5, 1, 1}, (dim3){32, 2, 1}, args, 128, s));
    value = 9;
    answer_kernel(nth_node(captured("1 nodes", s), 0));
}

SITUATION("kernel node: set another value and grid; another function; one of three parameters; "
          "NULL; a block of 2048; what is kept; run",
          "kernel node: func store grid 2 1 1 block 1 1 1 shared 0 extra NULL; func add grid 2 1 1 "
          "block 1 1 1 shared 0 extra NULL",
          "*(int *)k.kernelParams[1]: value 7; value 7")
{
    cudaGraph_t g = new_graph();
    int *p = device_bytes(SMALL), five = 5, six = 6;
    cudaGraphNode_t n = add_store(g, NULL, p, 3);
    struct cudaKernelNodeParams k = store_params(p, 7);
    k.gridDim.x = 2;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_kernel(n);
    k.func = (void *)(uintptr_t)situation_plus();
    answer(cudaGraphKernelNodeSetParams(n, &k));
    k.blockDim.x = 2048;
    gives(InvalidValue, cudaGraphKernelNodeSetParams(n, &k));
    gives(InvalidValue, cudaGraphKernelNodeSetParams(n, NULL));
    answer_kernel(n);
    void *three[] = {&p, &five, &six};
    k = store_params(p, 0);
    k.func = (void *)(uintptr_t)situation_plus_two();
    k.kernelParams = three;
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer_run(new_exec(g));
    shows("11", "%d", device_int(p));
}
