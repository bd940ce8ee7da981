/*
 * situations_errors.c: the last error, names and texts of errors.
 */
#include <pthread.h>
#include <string.h>

#include "situations.h"

SITUATION(error_kept, "a failed call, a successful call, get last error, get last error")
{
    void *p = NULL;
    answer(cudaMalloc(NULL, 16));
    answer(cudaMalloc(&p, 16));
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(error_latest, "two different failed calls, get last error")
{
    answer(cudaSetDevice(99));
    answer(cudaMalloc(NULL, 16));
    answer(cudaGetLastError());
}

SITUATION(error_peek, "a failed call, peek, peek, get last error, peek")
{
    cudaMalloc(NULL, 16);
    answer(cudaPeekAtLastError());
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaPeekAtLastError());
}

static void *last_error_there(void *code)
{
    *(cudaError_t *)code = cudaGetLastError();
    return NULL;
}

SITUATION(error_per_thread, "a failed call, get last error in another thread, in this one")
{
    pthread_t other;
    cudaError_t there = cudaErrorUnknown;
    cudaMalloc(NULL, 16);
    pthread_create(&other, NULL, last_error_there, &there);
    pthread_join(other, NULL);
    answer(there);
    answer(cudaGetLastError());
}

SITUATION(error_not_ready_stream, "cudaStreamQuery of a busy stream, get last error")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaStreamQuery(s));
    answer(cudaGetLastError());
    gate_open();
    MUST(cudaStreamSynchronize(s));
}

SITUATION(error_not_ready_event, "cudaEventQuery of an event not yet reached, get last error")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t e = new_event(0);
    gate_shut(s);
    MUST(cudaEventRecord(e, s));
    answer(cudaEventQuery(e));
    answer(cudaGetLastError());
    gate_open();
    MUST(cudaStreamSynchronize(s));
}

SITUATION(error_not_ready_elapsed, "cudaEventElapsedTime before the end event, get last error")
{
    cudaStream_t s = new_stream(0);
    cudaEvent_t from = new_event(0), to = new_event(0);
    float ms = -1;
    MUST(cudaEventRecord(from, s));
    gate_shut(s);
    MUST(cudaEventRecord(to, s));
    answer(cudaEventElapsedTime(&ms, from, to));
    answer(cudaGetLastError());
    gate_open();
    MUST(cudaStreamSynchronize(s));
}

SITUATION(error_not_ready_hides,
          "cudaMalloc(NULL), cudaStreamQuery of a busy stream, get last error")
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaMalloc(NULL, 16));
    answer(cudaStreamQuery(s));
    answer(cudaGetLastError());
    gate_open();
    MUST(cudaStreamSynchronize(s));
}

SITUATION(error_out_of_memory,
          "cudaMalloc of 1 PiB; peek; get last error; get last error; cudaMalloc of 16 bytes")
{
    void *p = NULL;
    answer(cudaMalloc(&p, (size_t)1 << 50));
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
    answer(cudaMalloc(&p, 16));
}

SITUATION(error_free_twice_kept, "cudaFree twice, cudaDeviceSynchronize, get last error")
{
    void *p = device_bytes(16);
    answer(cudaFree(p));
    answer(cudaFree(p));
    answer(cudaDeviceSynchronize());
    answer(cudaGetLastError());
}

SITUATION(error_in_get_name, "cudaGetErrorName and cudaGetErrorString leave the last error alone")
{
    cudaMalloc(NULL, 16);
    cudaGetErrorName(cudaErrorInvalidDevice);
    cudaGetErrorString(cudaErrorInvalidDevice);
    answer(cudaGetLastError());
}

SITUATION(error_names, "names of 0, 1, 2, 600, 700, 901, 999")
{
    static const int codes[] = {0, 1, 2, 600, 700, 901, 999};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        answer_text("%s", cudaGetErrorName((cudaError_t)codes[i]));
}

SITUATION(error_texts, "texts of 0, 1, 2, 35, 100, 101, 400, 600, 700, 801, 900")
{
    static const int codes[] = {0, 1, 2, 35, 100, 101, 400, 600, 700, 801, 900};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        answer_text("%s", cudaGetErrorString((cudaError_t)codes[i]));
}

SITUATION(error_unknown, "name and text of -1 and of 12345")
{
    answer_text("%s", cudaGetErrorName((cudaError_t)-1));
    answer_text("%s", cudaGetErrorString((cudaError_t)-1));
    answer_text("%s", cudaGetErrorName((cudaError_t)12345));
    answer_text("%s", cudaGetErrorString((cudaError_t)12345));
}

SITUATION(error_sync_clean,
          "a failed call, then cudaDeviceSynchronize and cudaStreamSynchronize(0)")
{
    cudaMalloc(NULL, 16);
    answer(cudaDeviceSynchronize());
    answer(cudaStreamSynchronize(0));
    answer(cudaGetLastError());
}
