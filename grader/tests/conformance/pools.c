/* pools.c: memory pools, see pools.h. */
#include "pools.h"

#include <string.h>

#include "answer.h"

cudaMemPool_t default_pool(void)
{
    cudaMemPool_t pool = NULL;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

cudaMemPool_t new_pool(size_t max)
{
    cudaMemPool_t pool = NULL;
    struct cudaMemPoolProps p;
    memset(&p, 0, sizeof p);
    p.allocType = cudaMemAllocationTypePinned;
    p.location.type = cudaMemLocationTypeDevice;
    p.maxSize = max;
    MUST(cudaMemPoolCreate(&pool, &p));
    return pool;
}

uint64_t pool_value(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
    uint64_t v = 99;
    MUST(cudaMemPoolGetAttribute(pool, attribute, &v));
    return v;
}

unsigned long long answer_pool_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr a)
{
    unsigned long long v = 77;
    answer(cudaMemPoolGetAttribute(pool, a, &v));
    return v;
}

void answer_used(const char *whose, cudaMemPool_t pool)
{
    answer_fact("used", "%s%llu", whose,
                (unsigned long long)pool_value(pool, cudaMemPoolAttrUsedMemCurrent));
}
