/* objects.h: memory, streams, events and host functions that situations are made of. Whatever only
 * prepares a situation must succeed. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

static inline struct cudaExtent extent(size_t width, size_t height, size_t depth)
{
    return (struct cudaExtent){width, height, depth};
}

static inline struct cudaPitchedPtr pitched(void *p, size_t pitch, size_t width, size_t height)
{
    return (struct cudaPitchedPtr){p, pitch, width, height};
}

enum { SMALL = 64, PAGE = 4096, LARGE = 4 << 20 }; /* bytes of memory */

static inline struct cudaMemcpy3DParms copy_3d_params(struct cudaPitchedPtr to,
                                                      struct cudaPitchedPtr from,
                                                      struct cudaExtent e, enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.dstPtr = to, .srcPtr = from, .extent = e, .kind = kind};
}

/* Zeroed memory of each kind. */
void *device_bytes(size_t n);
void *pinned_bytes(size_t n);
void *pageable_bytes(size_t n);
/* Memory of cudaMallocAsync, not set. */
void *async_bytes(size_t n, cudaStream_t s);
/* Mapped memory that is not registered, of n bytes from the start of a page. */
void *pages(size_t n);
/* Its address is one that no call gives. */
extern int host_word;
struct cudaMemLocation device_location(int id);

/* The int or byte that device memory begins with; the byte that any memory begins with. */
int device_int(const void *p);
int device_byte(const void *p);
void set_device_int(void *p, int value);
int byte_at(const char *p);

cudaStream_t new_stream(unsigned flags);
cudaStream_t nonblocking_stream(void);
cudaEvent_t new_event(unsigned flags);
cudaStream_t destroyed_stream(void);
cudaEvent_t destroyed_event(void);

/* Enqueues a host function that adds `letter` to the log; the log as a string. */
void log_letter(cudaStream_t s, char letter);
const char *host_log(void);
/* The same for a host node, whose user data is the letter. */
void CUDART_CB write_letter(void *letter);

/* The stream's flags and priority; the error of the call is part of the answer. */
int flags_of(cudaStream_t s);
int priority_of(cudaStream_t s);
