/* green_contexts.h: what the parts of green_contexts.cu share: checked calls, the functions of the
 * driver, and kernels that take their time. */
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorName(error_));                                                     \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#define CHECK_DRIVER(call)                                                                         \
    do {                                                                                           \
        CUresult error_ = (call);                                                                  \
        if (error_ != CUDA_SUCCESS) {                                                              \
            fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, (int)error_);      \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#define FUNCTIONS(F)                                                                               \
    F(cuDeviceGetDevResource)                                                                      \
    F(cuDevSmResourceSplitByCount)                                                                 \
    F(cuDevResourceGenerateDesc)                                                                   \
    F(cuGreenCtxCreate)                                                                            \
    F(cuGreenCtxDestroy)                                                                           \
    F(cuGreenCtxGetDevResource)                                                                    \
    F(cuGreenCtxStreamCreate)                                                                      \
    F(cuGreenCtxRecordEvent)                                                                       \
    F(cuGreenCtxWaitEvent)                                                                         \
    F(cuStreamGetGreenCtx)                                                                         \
    F(cuCtxFromGreenCtx)                                                                           \
    F(cuCtxGetCurrent)                                                                             \
    F(cuCtxSetCurrent)                                                                             \
    F(cuGetErrorName)

#define DECLARE(name) extern decltype(&name) p_##name;
FUNCTIONS(DECLARE)

/* Prints a line of the output. */
void say(const char *part, const std::string &question, const std::string &answer);
std::string number(double value, const char *format = "%.0f");

struct partition {
    CUgreenCtx context;
    CUdevResource sms;
};

cudaStream_t stream_of(CUgreenCtx context, int priority);

/* Each block takes this time of its SM's clock, in microseconds. */
void spin_us(int blocks, int threads, double time, cudaStream_t stream);
extern int n_sms;

/* green_latency.cu: the parts about two contexts that work at the same time. */
void ask_both(struct partition *group, struct partition *rest);
void ask_latency(struct partition *group, struct partition *rest);
