/* An explicit memory pool */
#include <stdint.h>

#include "myth.h"

enum { BYTES = 1 << 20 };

static cudaMemPool_t pool;

static void *allocate(cudaStream_t stream)
{
    void *p;
    CHECK(cudaMallocFromPoolAsync(&p, BYTES, pool, stream));
    return p;
}

static void use_once(cudaStream_t stream)
{
    CHECK(cudaFreeAsync(allocate(stream), stream));
    CHECK(cudaStreamSynchronize(stream));
}

static const char *keeps(void)
{
    uint64_t bytes;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return yes(bytes > 0);
}

int main(void)
{
    const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                           .location = {.type = cudaMemLocationTypeDevice}};
    uint64_t all = UINT64_MAX;
    cudaStream_t a = new_stream(), b = new_stream();
    cudaEvent_t freed;
    void *p;
    CHECK(cudaEventCreateWithFlags(&freed, cudaEventDisableTiming));
    CHECK(cudaMemPoolCreate(&pool, &props));
    use_once(a);
    printf("after a free and a synchronization the pool keeps the memory: %s\n", keeps());
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    use_once(a);
    printf("with a release threshold: %s\n", keeps());

    p = allocate(a);
    CHECK(launch_delay(BUSY_US, a));
    CHECK(cudaFreeAsync(p, a));
    printf("while the free is pending, the same stream gets the memory again: %s\n",
           yes(allocate(a) == p));
    CHECK(cudaFreeAsync(p, a));
    CHECK(cudaEventRecord(freed, a));
    CHECK(cudaStreamWaitEvent(b, freed, 0));
    printf("a stream that waits for an event after the free: %s\n", yes(allocate(b) == p));
    CHECK(cudaFreeAsync(p, b));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemPoolTrimTo(pool, 0));
    printf("after cudaMemPoolTrimTo(pool, 0) the pool keeps memory: %s\n", keeps());
    CHECK(cudaMemPoolDestroy(pool));
    return 0;
}
