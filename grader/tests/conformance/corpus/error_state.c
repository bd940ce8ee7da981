/* error_state.c: the last error, and names and texts of errors. */
#include <pthread.h>

#include "../graphs.h"

SITUATION("a failed call, a successful call, get last error, get last error; two different failed "
          "calls, get last error; a failed call, peek, peek, get last error, peek; "
          "cudaGetErrorName and cudaGetErrorString leave the last error alone")
{
    void *p = NULL;
    gives(InvalidValue, cudaMalloc(NULL, 16));
    answer(cudaMalloc(&p, 16));
    gives(InvalidValue, cudaGetLastError());
    answer(cudaGetLastError());
    gives(InvalidDevice, cudaSetDevice(99));
    gives(InvalidValue, cudaMalloc(NULL, 16));
    gives(InvalidValue, cudaGetLastError());
    cudaMalloc(NULL, 16);
    gives(InvalidValue, cudaPeekAtLastError());
    gives(InvalidValue, cudaPeekAtLastError());
    gives(InvalidValue, cudaGetLastError());
    answer(cudaPeekAtLastError());
    cudaMalloc(NULL, 16);
    cudaGetErrorName(cudaErrorInvalidDevice);
    cudaGetErrorString(cudaErrorInvalidDevice);
    gives(InvalidValue, cudaGetLastError());
}

static void *last_error_there(void *code)
{
    *(cudaError_t *)code = cudaGetLastError();
    return NULL;
}

SITUATION("a failed call, get last error in another thread, in this one")
{
    pthread_t other;
    cudaError_t there = cudaErrorUnknown;
    cudaMalloc(NULL, 16);
    pthread_create(&other, NULL, last_error_there, &there);
    pthread_join(other, NULL);
    answer_error(NULL, "in the thread", there);
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("cudaMalloc(NULL), cudaStreamQuery of a busy stream, get last error")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    gives(InvalidValue, cudaMalloc(NULL, 16));
    gives(NotReady, cudaStreamQuery(s));
    gives(InvalidValue, cudaGetLastError());
}

SITUATION("texts of 0, 1, 2, 35, 98, 100, 101, 400, 600, 700, 801, 900, 901",
          "cudaGetErrorString: no error; invalid argument; out of memory; CUDA driver version is "
          "insufficient for CUDA runtime version; invalid device function; no CUDA-capable device "
          "is detected; invalid "
          "device ordinal; invalid resource handle; device not ready; an illegal memory access was "
          "encountered; operation not supported; operation not permitted when stream is capturing; "
          "operation "
          "failed due to a previous error during capture")
{
    static const int codes[] = {0, 1, 2, 35, 98, 100, 101, 400, 600, 700, 801, 900, 901};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        answer_text("%s", cudaGetErrorString((cudaError_t)codes[i]));
}

SITUATION("name and text of -1 and of 12345")
{
    shows("unrecognized error code", "%s", cudaGetErrorName((cudaError_t)-1));
    shows("unrecognized error code", "%s", cudaGetErrorString((cudaError_t)-1));
    shows("unrecognized error code", "%s", cudaGetErrorName((cudaError_t)12345));
    shows("unrecognized error code", "%s", cudaGetErrorString((cudaError_t)12345));
}
