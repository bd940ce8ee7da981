/*
 * situations_exec_copies.c: a copy from one kind of memory to another in an executable graph, given
 * other operands: what it is built for, and what it does to memory of another kind. All copies say
 * cudaMemcpyDefault.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "situations.h"

enum { BYTES = 256, WAS = 3, IS = 7 };
enum place { device, pinned, pageable };

/* Memory of the kind, every byte of it `value`. */
static void *bytes_in(enum place p, int value)
{
    void *m = NULL;
    if (p == device)
        MUST(cudaMalloc(&m, BYTES));
    else if (p == pinned)
        MUST(cudaMallocHost(&m, BYTES));
    else
        m = malloc(BYTES);
    if (p == device)
        MUST(cudaMemset(m, value, BYTES));
    else
        memset(m, value, BYTES);
    MUST(cudaDeviceSynchronize());
    return m;
}

static void answer_byte(enum place p, const void *m)
{
    unsigned char first = 0;
    cudaError_t e = p == device ? cudaMemcpy(&first, m, 1, cudaMemcpyDefault) : cudaSuccess;
    if (p != device)
        first = *(const unsigned char *)m;
    if (e == cudaSuccess)
        answer_text("%d", first);
    else
        answer(e);
}

static void becomes(enum place to, enum place from, enum place new_to, enum place new_from)
{
    void *dst = bytes_in(to, 0), *src = bytes_in(from, WAS);
    void *new_dst = bytes_in(new_to, 0), *new_src = bytes_in(new_from, IS);
    cudaGraph_t g = NULL;
    cudaGraphNode_t n = NULL;
    cudaGraphExec_t x = NULL;
    MUST(cudaGraphCreate(&g, 0));
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, dst, src, BYTES, cudaMemcpyDefault));
    MUST(cudaGraphInstantiate(&x, g, 0));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, new_dst, new_src, BYTES, cudaMemcpyDefault));
    answer(cudaGraphLaunch(x, 0));
    answer(cudaDeviceSynchronize());
    answer_byte(to, dst);
    answer_byte(new_to, new_dst);
}

#define TO(a, b, c, d)                                                                             \
    SITUATION(a##_##b##_##c##_##d, "exec memcpy node from " #b " to " #a " set from " #d " to " #c \
                                   ": launch; wait; first bytes of both destinations")             \
    {                                                                                              \
        becomes(a, b, c, d);                                                                       \
    }
#define FROM(a, b)                                                                                 \
    TO(a, b, device, device)                                                                       \
    TO(a, b, device, pinned)                                                                       \
    TO(a, b, device, pageable)                                                                     \
    TO(a, b, pinned, device)                                                                       \
    TO(a, b, pinned, pinned)                                                                       \
    TO(a, b, pinned, pageable)                                                                     \
    TO(a, b, pageable, device)                                                                     \
    TO(a, b, pageable, pinned)                                                                     \
    TO(a, b, pageable, pageable)

FROM(device, device)
FROM(device, pinned)
FROM(device, pageable)
FROM(pinned, device)
FROM(pinned, pinned)
FROM(pinned, pageable)
FROM(pageable, device)
FROM(pageable, pinned)
FROM(pageable, pageable)
