/* objects.c: memory, streams, events and host functions, see objects.h. */
#include "objects.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "answer.h"

void *device_bytes(size_t n)
{
    void *p = NULL;
    MUST(cudaMalloc(&p, n));
    MUST(cudaMemset(p, 0, n));
    MUST(cudaDeviceSynchronize());
    return p;
}

void *pinned_bytes(size_t n)
{
    void *p = NULL;
    MUST(cudaMallocHost(&p, n));
    memset(p, 0, n);
    return p;
}

void *pageable_bytes(size_t n)
{
    void *p = calloc(1, n);
    must(p ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    return p;
}

cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t s = NULL;
    MUST(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

cudaStream_t nonblocking_stream(void)
{
    return new_stream(cudaStreamNonBlocking);
}

cudaEvent_t new_event(unsigned flags)
{
    cudaEvent_t e = NULL;
    MUST(cudaEventCreateWithFlags(&e, flags));
    return e;
}

cudaStream_t destroyed_stream(void)
{
    cudaStream_t s = new_stream(0);
    MUST(cudaStreamDestroy(s));
    return s;
}

cudaEvent_t destroyed_event(void)
{
    cudaEvent_t e = new_event(0);
    MUST(cudaEventDestroy(e));
    return e;
}

static char letters[64];
static atomic_int n_letters;

void CUDART_CB write_letter(void *letter)
{
    int i = atomic_fetch_add(&n_letters, 1);
    if (i < (int)sizeof letters - 1)
        letters[i] = (char)(intptr_t)letter;
}

void log_letter(cudaStream_t s, char letter)
{
    MUST(cudaLaunchHostFunc(s, write_letter, (void *)(intptr_t)letter));
}

const char *host_log(void)
{
    return letters;
}

int byte_at(const char *p)
{
    char c = 0;
    MUST(cudaMemcpy(&c, p, 1, cudaMemcpyDefault));
    return c;
}

int host_word;

void *pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(p == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess, "mmap");
    memset(p, 1, n);
    return p;
}

void *async_bytes(size_t n, cudaStream_t s)
{
    void *p = NULL;
    MUST(cudaMallocAsync(&p, n, s));
    return p;
}

struct cudaMemLocation device_location(int id)
{
    struct cudaMemLocation l = {.type = cudaMemLocationTypeDevice};
    l.id = id;
    return l;
}

int flags_of(cudaStream_t s)
{
    unsigned flags = 99;
    answer(cudaStreamGetFlags(s, &flags));
    return (int)flags;
}

int priority_of(cudaStream_t s)
{
    int priority = 99;
    answer(cudaStreamGetPriority(s, &priority));
    return priority;
}

int device_int(const void *p)
{
    int value = -99;
    MUST(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    return value;
}

int device_byte(const void *p)
{
    return device_int(p) & 0xff;
}

void set_device_int(void *p, int value)
{
    MUST(cudaMemcpy(p, &value, sizeof value, cudaMemcpyDefault));
    MUST(
        cudaDeviceSynchronize()); /* a copy from pageable memory may return before it has arrived */
}
