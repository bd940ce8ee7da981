/* exec_copy_kinds.c: a memcpy node of an executable graph, set to memory of another kind; all
 * copies are cudaMemcpyDefault. */
#include "../graphs.h"

enum { BYTES = 256, WAS = 3, IS = 7 };

enum place { device, pinned, pageable };

/* Memory of the kind, every byte of it `value`. */
static void *bytes_in(enum place p, int value)
{
    void *m = p == device   ? device_bytes(BYTES)
              : p == pinned ? pinned_bytes(BYTES)
                            : pageable_bytes(BYTES);
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
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n = NULL;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, dst, src, BYTES, cudaMemcpyDefault));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, new_dst, new_src, BYTES, cudaMemcpyDefault));
    answer(cudaGraphLaunch(x, 0));
    answer(cudaDeviceSynchronize());
    answer_byte("old destination", to, dst);
    answer_byte("new destination", new_to, new_dst);
}

/* COPY(to, from, new to, new from, answer…) */
#define COPY(a, b, c, d, ...)                                                                      \
    SITUATION_NAMED(a##_##b##_##c##_##d, 1,                                                        \
                    "exec memcpy node from " #b " to " #a " set from " #d " to " #c                \
                    ": launch; wait; first bytes of both destinations",                            \
                    __VA_ARGS__)                                                                   \
    {                                                                                              \
        becomes(a, b, c, d);                                                                       \
    }

#define ARRIVES "old destination: 0", "new destination: 7"

/* A node that copied inside the device cannot be set to pageable memory: it does not run. */
COPY(device, device, device, device, ARRIVES)
COPY(device, device, device, pinned, ARRIVES)
COPY(device, device, device, pageable, "cudaDeviceSynchronize: IllegalAddress",
     "old destination: IllegalAddress", "new destination: IllegalAddress")
COPY(device, device, pinned, device, ARRIVES)
COPY(device, device, pinned, pinned, ARRIVES)
#define DOES_NOT_RUN                                                                               \
    "cudaDeviceSynchronize: IllegalAddress", "old destination: IllegalAddress", "new destination: 0"
COPY(device, device, pinned, pageable, DOES_NOT_RUN)
COPY(device, device, pageable, device, DOES_NOT_RUN)
COPY(device, device, pageable, pinned, DOES_NOT_RUN)
COPY(device, device, pageable, pageable, DOES_NOT_RUN)

/* Any other node can be set to any memory. */
#define COPIES_TO(to, from, new_to)                                                                \
    COPY(to, from, new_to, device, ARRIVES)                                                        \
    COPY(to, from, new_to, pinned, ARRIVES)                                                        \
    COPY(to, from, new_to, pageable, ARRIVES)
#define COPIES(to, from)                                                                           \
    COPIES_TO(to, from, device)                                                                    \
    COPIES_TO(to, from, pinned)                                                                    \
    COPIES_TO(to, from, pageable)
COPIES(device, pinned)
COPIES(device, pageable)
COPIES(pinned, device)
COPIES(pinned, pinned)
COPIES(pinned, pageable)
COPIES(pageable, device)
COPIES(pageable, pinned)
COPIES(pageable, pageable)
