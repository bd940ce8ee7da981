/*
 * exec_copy_kinds.c: a memcpy node of an executable graph, set to memory of another kind; all
 * copies are cudaMemcpyDefault.
 */
#include <stdlib.h>
#include <string.h>

#include "../situation.h"

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

static void answer_byte(const char *label, enum place p, const void *m)
{
    unsigned char first = 0;
    cudaError_t e = p == device ? cudaMemcpy(&first, m, 1, cudaMemcpyDefault) : cudaSuccess;
    if (p != device)
        first = *(const unsigned char *)m;
    if (e == cudaSuccess)
        answer_fact(label, "%d", first);
    else
        answer_error(NULL, label, e);
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
    answer_byte("old destination", to, dst);
    answer_byte("new destination", new_to, new_dst);
}

/* COPY(to, from, new to, new from, answer…) */
#define COPY(a, b, c, d, ...)                                                                      \
    SITUATION(a##_##b##_##c##_##d,                                                                 \
              "exec memcpy node from " #b " to " #a " set from " #d " to " #c                      \
              ": launch; wait; first bytes of both destinations",                                  \
              __VA_ARGS__)                                                                         \
    {                                                                                              \
        becomes(a, b, c, d);                                                                       \
    }

COPY(device, device, device, device, "old destination: 0", "new destination: 7")
COPY(device, device, device, pinned, "old destination: 0", "new destination: 7")
COPY(device, device, device, pageable, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: IllegalAddress")
COPY(device, device, pinned, device, "old destination: 0", "new destination: 7")
COPY(device, device, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(device, device, pinned, pageable, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: 0")
COPY(device, device, pageable, device, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: 0")
COPY(device, device, pageable, pinned, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: 0")
COPY(device, device, pageable, pageable, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: 0")
COPY(device, pinned, device, device, "old destination: 0", "new destination: 7")
COPY(device, pinned, device, pinned, "old destination: 0", "new destination: 7")
COPY(device, pinned, device, pageable, "old destination: 0", "new destination: 7")
COPY(device, pinned, pinned, device, "old destination: 0", "new destination: 7")
COPY(device, pinned, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(device, pinned, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(device, pinned, pageable, device, "old destination: 0", "new destination: 7")
COPY(device, pinned, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(device, pinned, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(device, pageable, device, device, "old destination: 0", "new destination: 7")
COPY(device, pageable, device, pinned, "old destination: 0", "new destination: 7")
COPY(device, pageable, device, pageable, "old destination: 0", "new destination: 7")
COPY(device, pageable, pinned, device, "old destination: 0", "new destination: 7")
COPY(device, pageable, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(device, pageable, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(device, pageable, pageable, device, "old destination: 0", "new destination: 7")
COPY(device, pageable, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(device, pageable, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, device, device, device, "old destination: 0", "new destination: 7")
COPY(pinned, device, device, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, device, device, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, device, pinned, device, "old destination: 0", "new destination: 7")
COPY(pinned, device, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, device, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, device, pageable, device, "old destination: 0", "new destination: 7")
COPY(pinned, device, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, device, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, device, device, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, device, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, device, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pinned, device, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pageable, device, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pinned, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, device, device, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, device, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, device, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pinned, device, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pageable, device, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pinned, pageable, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, device, device, device, "old destination: 0", "new destination: 7")
COPY(pageable, device, device, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, device, device, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, device, pinned, device, "old destination: 0", "new destination: 7")
COPY(pageable, device, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, device, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, device, pageable, device, "old destination: 0", "new destination: 7")
COPY(pageable, device, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, device, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, device, device, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, device, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, device, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pinned, device, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pageable, device, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pinned, pageable, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, device, device, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, device, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, device, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pinned, device, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pinned, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pinned, pageable, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pageable, device, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pageable, pinned, "old destination: 0", "new destination: 7")
COPY(pageable, pageable, pageable, pageable, "old destination: 0", "new destination: 7")
