/*
 * kernel_launch.c: kernel launches: shapes, arguments and attributes.
 */
#include <stdint.h>

#include "../graphs.h"
#include "../situation_kernels.h"
#include "../launches.h"

SITUATION(launch_unknown,
          "cudaLaunchKernel of a host function that is no kernel; of NULL; get last error",
          "cudaLaunchKernel(not_a_kernel()): InvalidResourceHandle",
          "cudaLaunchKernel(NULL): InvalidDeviceFunction",
          "cudaGetLastError: InvalidDeviceFunction")
{
    answer(cudaLaunchKernel(not_a_kernel(), dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    answer(cudaLaunchKernel(NULL, dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    answer(cudaGetLastError());
}

SITUATION(launch_zero, "a launch with grid x 0; grid y 0; block x 0; block z 0; get last error",
          "launch_shape(dim(0, 1, 1), dim(1, 1, 1)): InvalidValue",
          "launch_shape(dim(1, 0, 1), dim(1, 1, 1)): InvalidValue",
          "launch_shape(dim(1, 1, 1), dim(0, 1, 1)): InvalidValue",
          "launch_shape(dim(1, 1, 1), dim(1, 1, 0)): InvalidValue",
          "cudaGetLastError: InvalidValue")
{
    answer(launch_shape(dim(0, 1, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 0, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(0, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 0), 0));
    answer(cudaGetLastError());
}

SITUATION(launch_block, "a launch with blocks of 1024; 1025; 32 x 33; x 2048; z 64; z 65 threads",
          "launch_shape(dim(1025, 1, 1)): InvalidValue",
          "launch_shape(dim(32, 33, 1)): InvalidValue",
          "launch_shape(dim(2048, 1, 1)): InvalidValue",
          "launch_shape(dim(1, 1, 65)): InvalidValue")
{
    answer(launch_shape(dim(1, 1, 1), dim(1024, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1025, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(32, 33, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(2048, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 64), 0));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 65), 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_grid, "a launch with grid x 2^31; y 65535; y 65536; z 65536",
          "launch_shape(dim(1u << 31, 1, 1)): InvalidValue",
          "launch_shape(dim(1, 65536, 1)): InvalidValue",
          "launch_shape(dim(1, 1, 65536)): InvalidValue")
{
    answer(launch_shape(dim(1u << 31, 1, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 65535, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 65536, 1), dim(1, 1, 1), 0));
    answer(launch_shape(dim(1, 1, 65536), dim(1, 1, 1), 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_shared,
          "a launch with dynamic shared memory of 48 KiB; 48 KiB + 1; 227 KiB; 228 KiB; 1 GiB",
          "launch_shape((48 << 10) + 1): InvalidValue", "launch_shape(227 << 10): InvalidValue",
          "launch_shape(228 << 10): InvalidValue", "launch_shape(1 << 30): InvalidValue")
{
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 48 << 10));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), (48 << 10) + 1));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 227 << 10));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 228 << 10));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 1 << 30));
    answer(cudaDeviceSynchronize());
}

SITUATION(
    launch_shared_opt_in,
    "max dynamic shared memory set to 227 KiB, to 227 KiB + 1; launches with 227 KiB; 227 KiB + 1",
    "cudaFuncSetAttribute((227 << 10) + 1): InvalidValue",
    "launch_shape((227 << 10) + 1): InvalidValue")
{
    const void *f = situation_store();
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    answer(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, (227 << 10) + 1));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), 227 << 10));
    answer(launch_shape(dim(1, 1, 1), dim(1, 1, 1), (227 << 10) + 1));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_destroyed, "a launch in a destroyed stream", CRASHES_ON_GPU,
          "cudaLaunchKernel: InvalidResourceHandle")
{
    void *p = NULL, *params[] = {&p, &p};
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0,
                            destroyed_stream()));
}

SITUATION(launch_null_params, "a launch with NULL for the list of parameters",
          "cudaLaunchKernel: InvalidValue")
{
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), NULL, 0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_values, "a launch that stores 5: what a copy after it brings",
          "got[0], got[1]: 5 0")
{
    int *p = device_bytes(64), value = 5, got[2] = {-1, -1};
    void *params[] = {&p, &value};
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    value = 6;
    answer(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    answer_text("%d %d", got[0], got[1]);
}

SITUATION(launch_ex, "cudaLaunchKernelExC: valid; NULL function; no such kernel; block 2048",
          "cudaLaunchKernelExC(NULL): InvalidDeviceFunction",
          "cudaLaunchKernelExC(not_a_kernel()): InvalidResourceHandle",
          "cudaLaunchKernelExC(situation_store()) #2: InvalidValue")
{
    int *p = device_bytes(64), value = 5;
    void *params[] = {&p, &value};
    cudaLaunchConfig_t c = {.gridDim = dim(1, 1, 1), .blockDim = dim(1, 1, 1)};
    answer(cudaLaunchKernelExC(&c, situation_store(), params));
    answer(cudaLaunchKernelExC(&c, NULL, params));
    answer(cudaLaunchKernelExC(&c, not_a_kernel(), params));
    c.blockDim = dim(2048, 1, 1);
    answer(cudaLaunchKernelExC(&c, situation_store(), params));
    answer(cudaDeviceSynchronize());
}

SITUATION(launch_cooperative, "cudaLaunchCooperativeKernel of 1 block; of 1,000,000 blocks",
          "cudaLaunchCooperativeKernel(dim(1000000, 1, 1)): CooperativeLaunchTooLarge")
{
    int *p = device_bytes(64), value = 5;
    void *params[] = {&p, &value};
    answer(
        cudaLaunchCooperativeKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    answer(cudaLaunchCooperativeKernel(situation_store(), dim(1000000, 1, 1), dim(1, 1, 1), params,
                                       0, 0));
    answer(cudaDeviceSynchronize());
}

SITUATION(kernel_order, "two launches in one stream store 1, then 2: which value is left", "got: 2")
{
    int *p = device_bytes(64), value = 1, got = 0;
    void *params[] = {&p, &value};
    cudaStream_t s = new_stream(0);
    MUST(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, s));
    value = 2;
    MUST(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, s));
    answer(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
    answer_text("%d", got);
}

SITUATION(kernel_mapped, "a launch that stores 7 in pinned host memory", "*p: 7")
{
    int *p = pinned_bytes(64), value = 7;
    void *params[] = {&p, &value};
    answer(cudaLaunchKernel(situation_store(), dim(1, 1, 1), dim(1, 1, 1), params, 0, 0));
    answer(cudaDeviceSynchronize());
    answer_text("%d", *p);
}

SITUATION(cooperative,
          "cudaLaunchCooperativeKernel of one block; of 100000 blocks of 1024; in a "
          "capture: node's attribute",
          "cudaLaunchCooperativeKernel((dim3){100000, 1, 1}, (dim3){1024, 1, 1}): "
          "CooperativeLaunchTooLarge",
          "cudaGetLastError: CooperativeLaunchTooLarge", "captured: 1 nodes", "v.cooperative: 1")
{
    int *p = device_bytes(64), value = 8;
    void *args[] = {&p, &value};
    cudaStream_t s = nonblocking_stream();
    cudaLaunchAttributeValue v = {0};
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
                                       s));
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){100000, 1, 1}, (dim3){1024, 1, 1},
                                       args, 0, s));
    answer(cudaGetLastError());
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    answer(cudaLaunchCooperativeKernel(situation_store(), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
                                       s));
    cudaGraph_t g = answer_end(s);
    answer(cudaGraphKernelNodeGetAttribute(nth_node(g, 0), cudaLaunchAttributeCooperative, &v));
    answer_text("%d", v.cooperative);
}

SITUATION(launch_ex_more,
          "cudaLaunchKernelExC with a priority attribute; with a bad attribute 99; with NULL "
          "config; with programmatic serialization in a capture: edge port and type",
          CRASHES_ON_GPU, "cudaLaunchKernelExC(&c) #2: InvalidValue",
          "cudaLaunchKernelExC(NULL): InvalidValue", "captured: 2 nodes",
          "edges: 1 edges, port 1 type 1")
{
    int *p = device_bytes(64), value = 8;
    void *args[] = {&p, &value};
    cudaStream_t s = nonblocking_stream();
    cudaLaunchAttribute a = {.id = cudaLaunchAttributePriority, .val = {.priority = -1}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &a, .numAttrs = 1};
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a.id = (cudaLaunchAttributeID)99;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    answer(cudaLaunchKernelExC(NULL, situation_store(), args));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    c.numAttrs = 0;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    a = (cudaLaunchAttribute){.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                              .val = {.programmaticStreamSerializationAllowed = 1}};
    c.numAttrs = 1;
    answer(cudaLaunchKernelExC(&c, situation_store(), args));
    cudaGraph_t g = answer_end(s);
    cudaGraphNode_t from[2], to[2];
    cudaGraphEdgeData d[2];
    size_t n = 2;
    answer(cudaGraphGetEdges(g, from, to, d, &n));
    answer_fact("edges", "%zu edges, port %d type %d", n, d[0].from_port, d[0].type);
}

SITUATION(launch_bad,
          "cudaLaunchKernel with a block of 1025, of 0, of 1x1x65; a grid of 65536 in "
          "y; 300 KB of shared memory; last error after each",
          "cudaLaunchKernel((dim3){1, 1, 1}, (dim3){1025, 1, 1}, 0): InvalidValue",
          "cudaGetLastError: InvalidValue",
          "cudaLaunchKernel((dim3){1, 1, 1}, (dim3){0, 1, 1}, 0): InvalidValue",
          "cudaLaunchKernel((dim3){1, 1, 1}, (dim3){1, 1, 65}, 0): InvalidValue",
          "cudaLaunchKernel((dim3){1, 65536, 1}, (dim3){1, 1, 1}, 0): InvalidValue",
          "cudaLaunchKernel((dim3){1, 1, 1}, (dim3){1, 1, 1}, 300 << 10): InvalidValue",
          "cudaPeekAtLastError: InvalidValue", "cudaGetLastError #2: InvalidValue")
{
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    const void *f = situation_store();
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1025, 1, 1}, args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){0, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 65}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 65536, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 300 << 10, 0));
    answer(cudaPeekAtLastError());
    answer(cudaLaunchKernel(f, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(launch_no_function,
          "cudaLaunchKernel of NULL, of a host function's address; then cudaGetLastError",
          "cudaLaunchKernel(NULL, (dim3){1, 1, 1}, (dim3){1, 1, 1}): InvalidDeviceFunction",
          "cudaLaunchKernel(write_letter, (dim3){1, 1, 1}, (dim3){1, 1, 1}): InvalidResourceHandle",
          "cudaGetLastError: InvalidResourceHandle")
{
    int *p = device_bytes(64), value = 1;
    void *args[] = {&p, &value};
    answer(cudaLaunchKernel(NULL, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    answer(cudaLaunchKernel((const void *)(uintptr_t)write_letter, (dim3){1, 1, 1}, (dim3){1, 1, 1},
                            args, 0, 0));
    answer(cudaGetLastError());
    answer(cudaLaunchKernel(situation_store(), (dim3){2, 2, 2}, (dim3){4, 4, 4}, args, 0, 0));
    answer(cudaDeviceSynchronize());
}
