/* host_program.c: one random program from its seed to its hash. See host_program.h. */
#include "host_program.h"

#include <stdlib.h>

#include "common/splitmix.h"

unsigned pick(struct program *p, unsigned n)
{
    return (unsigned)((splitmix(&p->state) >> 32) * n >> 32);
}

bool once_in(struct program *p, unsigned n)
{
    return pick(p, n) == 0;
}

cudaError_t said(struct program *p, cudaError_t answer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(p->out, "%d ", p->calls++);
    vfprintf(p->out, format, list);
    va_end(list);
    fprintf(p->out, ": %d\n", (int)answer);
    fflush(p->out);
    return answer;
}

/* What a program may do next, and how often, in parts of the sum. */
static const struct {
    unsigned weight;
    void (*act)(struct program *p);
} acts[] = {
    {12, do_copy},           {7, do_copy_2d},       {8, do_memset},
    {5, do_memset_2d},       {2, do_alloc},         {4, do_pool},
    {4, do_mistaken_memory}, {9, do_host_function}, {4, do_stream},
    {4, do_event},           {9, do_record},        {10, do_wait},
    {4, do_synchronize},     {4, do_query},         {3, do_error},
    {5, do_begin},           {3, do_end},           {3, do_capture_info},
    {5, do_capture_memory},  {6, do_graph},         {20, do_node},
    {3, do_node_set},        {4, do_edge},          {3, do_graph_query},
    {8, do_instantiate},     {10, do_launch},       {6, do_exec_update},
    {4, do_exec_set},        {3, do_exec_enable},
};

enum { N_ACTS = sizeof acts / sizeof acts[0], STEPS = 320 };

static void step(struct program *p)
{
    unsigned sum = 0;
    for (int i = 0; i < N_ACTS; i++)
        sum += acts[i].weight;
    unsigned n = pick(p, sum);
    int i = 0;
    while (n >= acts[i].weight)
        n -= acts[i++].weight;
    acts[i].act(p);
}

/* The buffers are the same for all programs of a process. Four on the device, two pinned, two
 * pageable. */
static bool prepare(struct program *p)
{
    static unsigned char *buffers[N_BUFFERS];
    static unsigned char first[BUFFER_CELLS * CELL_BYTES];
    for (int i = 0; i < N_BUFFERS; i++) {
        cudaError_t e = cudaSuccess;
        if (!buffers[i] && i < 4)
            e = cudaMalloc((void **)&buffers[i], sizeof first);
        else if (!buffers[i] && i < 6)
            e = cudaMallocHost((void **)&buffers[i], sizeof first);
        else if (!buffers[i])
            buffers[i] = malloc(sizeof first);
        for (size_t k = 0; k < sizeof first; k++)
            first[k] = (unsigned char)(k * 7 + (size_t)i * 31 + (k >> 8));
        if (e != cudaSuccess || !buffers[i] ||
            cudaMemcpy(buffers[i], first, sizeof first, cudaMemcpyDefault) != cudaSuccess)
            return false;
        p->model.buffers[i] = buffers[i];
    }
    return cudaDeviceSynchronize() == cudaSuccess;
}

static void begin(struct program *p, uint64_t seed)
{
    static const cudaStream_t special[] = {NULL, cudaStreamLegacy, cudaStreamPerThread};
    p->state = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
    p->mode = cudaStreamCaptureModeRelaxed;
    for (int i = 0; i < FIXED_STREAMS; i++) {
        int id = i == 2 ? 2 : LEGACY;
        p->streams[i] = (struct random_stream){.handle = special[i], .used = true, .id = id};
        p->model.live[id] = p->model.blocking[id] = true;
    }
    p->stream_ids = 3;
    for (int i = 0; i < MAX_EXECS; i++)
        p->execs[i].graph = -1;
    for (int i = 0; i < 6; i++)
        do_stream(p), do_event(p);
}

/* All is waited for; then what is in memory no longer depends on when one looks. */
static void conclude(struct program *p)
{
    static unsigned char copies[4][BUFFER_CELLS * CELL_BYTES];
    end_captures(p);
    said(p, cudaGetLastError(), "cudaGetLastError");
    said(p, cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    said(p, cudaPeekAtLastError(), "cudaPeekAtLastError");
    for (int i = 0; i < N_BUFFERS; i++) {
        int cells = 0;
        if (i < 4) {
            cudaMemcpy(copies[i], p->model.buffers[i], sizeof copies[i], cudaMemcpyDeviceToHost);
            p->model.buffers[i] = copies[i];
        }
        uint64_t hash = model_hash(&p->model, i, &cells);
        fprintf(p->out, "b%d: %d cells %016llx\n", i, cells, (unsigned long long)hash);
    }
}

static void clean(struct program *p)
{
    enum cudaStreamCaptureMode relaxed = cudaStreamCaptureModeGlobal;
    for (int i = 0; i < MAX_EXECS; i++)
        if (p->execs[i].used)
            cudaGraphExecDestroy(p->execs[i].handle);
    for (int i = 0; i < MAX_GRAPHS; i++)
        if (p->graphs[i].used)
            cudaGraphDestroy(p->graphs[i].handle);
    for (int i = 0; i < MAX_EVENTS; i++)
        if (p->events[i].used)
            cudaEventDestroy(p->events[i].handle);
    for (int i = 0; i < MAX_SLOTS; i++)
        if (p->slots[i])
            cudaFreeAsync(p->slots[i], NULL);
    for (int i = FIXED_STREAMS; i < MAX_STREAMS; i++)
        if (p->streams[i].used)
            cudaStreamDestroy(p->streams[i].handle);
    cudaThreadExchangeStreamCaptureMode(&relaxed);
    cudaDeviceSynchronize();
    cudaGetLastError();
}

void host_program(uint64_t seed, FILE *out)
{
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        return;
    p->out = out;
    fprintf(out, "seed %llu\n", (unsigned long long)seed);
    if (prepare(p)) {
        begin(p, seed);
        while (p->calls < STEPS)
            step(p);
        conclude(p);
        clean(p);
    } else {
        fprintf(out, "the device could not be prepared\n");
    }
    fflush(out);
    free(p);
}
