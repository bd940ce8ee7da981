/* pools.h: memory pools that situations are made of. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

cudaMemPool_t default_pool(void);
/* A pool of at most `max` bytes; 0: no limit. */
cudaMemPool_t new_pool(size_t max);
uint64_t pool_value(cudaMemPool_t pool, enum cudaMemPoolAttr attribute);
/* The same; the error of the call is part of the answer. */
unsigned long long answer_pool_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute);
/* The bytes used, after the words `whose`. */
void answer_used(const char *whose, cudaMemPool_t pool);
