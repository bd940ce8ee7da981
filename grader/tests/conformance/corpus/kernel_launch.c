/* kernel_launch.c: kernel launches: shapes, arguments and attributes. */
#include "../graphs.h"

SITUATION(
    "cudaLaunchKernel of a host function that is no kernel; of NULL; get last error; with grid x "
    "0; grid y 0; block x 0; block z 0; get last error; with NULL for the list of parameters")
{
    gives(InvalidResourceHandle,
          cudaLaunchKernel(not_a_kernel(), dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    gives(InvalidDeviceFunction, cudaLaunchKernel(NULL, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    gives(InvalidDeviceFunction, cudaGetLastError());
    gives(InvalidValue, launch_shape(dim(0, 1, 1), dim(1, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 0, 1), dim(1, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(0, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 0), 0));
    gives(InvalidValue, cudaGetLastError());
    gives(InvalidValue,
          cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION("a launch with blocks of 1024; 1025; 32 x 33; x 2048; z 64; z 65 threads; with grid x "
          "2^31; y 65535; y 65536; z 65536; with dynamic shared memory of 48 KiB; 48 KiB + 1; 227 "
          "KiB; 228 KiB; 1 GiB")
{
    answer(launch_shape(dim(1, 1, 1), dim(1024, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1025, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(32, 33, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(2048, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 64), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 65), 0));
    gives(InvalidValue, launch_shape(dim(1u << 31, 1, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 65535, 1), dim(1, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 65536, 1), dim(1, 1, 1), 0));
    gives(InvalidValue, launch_shape(dim(1, 1, 65536), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 48 << 10));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 1), (48 << 10) + 1));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 1), 227 << 10));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 1), 228 << 10));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 1), 1 << 30));
    answer(cudaDeviceSynchronize());
}

SITUATION(
    "max dynamic shared memory set to 227 KiB, to 227 KiB + 1; launches with 227 KiB; 227 KiB + 1")
{
    const void *f = situation_store();
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    gives(InvalidValue,
          cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, (227 << 10) + 1));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 227 << 10));
    gives(InvalidValue, launch_shape(dim(1, 1, 1), dim(1, 1, 1), (227 << 10) + 1));
    answer(cudaDeviceSynchronize());
}

SITUATION("a launch in a destroyed stream", CRASHES_ON_GPU)
{
    void *p = NULL, *params[] = {&p, &p};
    gives(InvalidResourceHandle, cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1),
                                                  params, 0, destroyed_stream()));
}

SITUATION("a launch that stores 5: what a copy after it brings; cudaLaunchKernelExC: valid; NULL "
          "function; no such kernel; block 2048; cudaLaunchCooperativeKernel of 1 block; of "
          "1,000,000 blocks; a launch that stores 7 in pinned host memory")
{
    int *p = device_bytes(64), value = 5, got[2] = {-1, -1};
    void *params[] = {&p, &value};
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    value = 6;
    answer(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    shows("5 0", "%d %d", got[0], got[1]);
    cudaLaunchConfig_t c = {.gridDim = dim(1, 1, 1), .blockDim = dim(1, 1, 1)};
    answer(cudaLaunchKernelExC(&c, situation_store(), params));
    gives(InvalidDeviceFunction, cudaLaunchKernelExC(&c, NULL, params));
    gives(InvalidResourceHandle, cudaLaunchKernelExC(&c, not_a_kernel(), params));
    c.blockDim = dim(2048, 1, 1);
    gives(InvalidValue, cudaLaunchKernelExC(&c, situation_store(), params));
    answer(
        cudaLaunchCooperativeKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    gives(CooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(situation_store(), dim(1000000, 1, 1), dim(1, 1, 1), params,
                                      0, 0));
    p = pinned_bytes(64);
    value = 7;
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    answer(cudaDeviceSynchronize());
    shows("7", "%d", *p);
}

SITUATION("cudaLaunchKernelExC with a priority attribute; with a bad attribute 99; with NULL "
          "config; with programmatic serialization in a capture: edge port and type",
          CRASHES_ON_GPU)
{
    int *p = device_bytes(64), value = 8;
    void *args[] = {&p, &value};
    cudaStream_t s = nonblocking_stream();
    cudaLaunchAttribute a = {.id = cudaLaunchAttributePriority, .val = {.priority = -1}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a.id = (cudaLaunchAttributeID)99;
    gives(InvalidValue, cudaLaunchKernelExC(&c, situation_store(), args));
    gives(InvalidValue, cudaLaunchKernelExC(NULL, situation_store(), args));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    c.numAttrs = 0;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                              .val = {.programmaticStreamSerializationAllowed = 1}};
    c.numAttrs = 1;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    cudaGraph_t g = captured("2 nodes", s);
    cudaGraphNode_t from[2], to[2];
    cudaGraphEdgeData d[2];
    size_t n = 2;
    answer(cudaGraphGetEdges(g, from, to, d, &n));
    fact("edges", "1 edges, port 1 type 1", "%zu edges, port %d type %d", n, d[0].from_port,
         d[0].type);
}
