/* copy_batch.c: cudaMemcpyBatchAsync. */
#include "../graphs.h"

struct batch {
    void *dsts[2];
    const void *srcs[2];
    size_t sizes[2], first[2];
    struct cudaMemcpyAttributes attributes[2];
};

static struct batch batch_of(char *to, char *from)
{
    struct batch b = {{to, to + 32},
                      {from, from + 32},
                      {16, 32},
                      {0, 1},
                      {{.srcAccessOrder = cudaMemcpySrcAccessOrderStream},
                       {.srcAccessOrder = cudaMemcpySrcAccessOrderStream}}};
    return b;
}

static cudaError_t copy_batch(struct batch *b, size_t n, size_t n_attributes, cudaStream_t s)
{
    return cudaMemcpyBatchAsync(b->dsts, b->srcs, b->sizes, n, b->attributes, b->first,
                                n_attributes, s);
}

static const struct {
    char *name;
    int order;
} orders[] = {{"invalid", cudaMemcpySrcAccessOrderInvalid},
              {"stream", cudaMemcpySrcAccessOrderStream},
              {"during call", cudaMemcpySrcAccessOrderDuringApiCall},
              {"any", cudaMemcpySrcAccessOrderAny},
              {"9", 9}};

SITUATION("cudaMemcpyBatchAsync from pinned memory with source access order invalid, stream, "
          "during the call, any, 9; from pageable with stream, with during the call",
          "copy_batch: InvalidValue; Success; Success; Success; InvalidValue; Success; Success")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64), *q = pageable_bytes(64);
    for (int i = 0; i < 5; i++) {
        struct batch b = batch_of(p, h);
        b.attributes[0].srcAccessOrder = (enum cudaMemcpySrcAccessOrder)orders[i].order;
        answer(copy_batch(&b, 2, 1, s));
    }
    for (int i = 1; i < 3; i++) {
        struct batch b = batch_of(p, q);
        b.attributes[0].srcAccessOrder = (enum cudaMemcpySrcAccessOrder)orders[i].order;
        answer(copy_batch(&b, 2, 1, s));
    }
    answer(cudaStreamSynchronize(s));
}

SITUATION("cudaMemcpyBatchAsync device to device, host to host, device to pinned: values; after a "
          "gate in the stream: waits")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *q = device_bytes(64), *h = pinned_bytes(64), *i = pinned_bytes(64);
    MUST(cudaMemset(q, 5, 64));
    MUST(cudaDeviceSynchronize());
    struct batch b = batch_of(p, q);
    answer(copy_batch(&b, 2, 1, s));
    b = batch_of(h, q);
    answer(copy_batch(&b, 2, 1, s));
    answer(cudaStreamSynchronize(s));
    shows("5 5 0", "%d %d %d", device_byte(p + 40), h[0], h[20]);
    b = batch_of(i, h);
    gate_shut(s);
    answer(copy_batch(&b, 2, 1, s));
    shows("waits", "%s", done_soon(s));
    gate_open();
    answer(cudaStreamSynchronize(s));
    shows("5", "%d", i[0]);
}

SITUATION("cudaMemcpyBatchAsync into a capturing stream; status; types; in another stream during a "
          "Global capture")
{
    char *p = device_bytes(64), *h = pinned_bytes(64);
    struct batch b = batch_of(p, h);
    cudaStream_t t = nonblocking_stream(), s = capturing(cudaStreamCaptureModeGlobal);
    answer(copy_batch(&b, 2, 1, t));
    status_is("active", s);
    gives(StreamCaptureUnsupported, copy_batch(&b, 2, 1, s));
    status_is("active", s);
    cudaGraph_t g = captured("1 nodes", s);
    types_are("memset", g);
    edges_are("no edges", g);
}

SITUATION("cudaMemcpyBatchAsync: the second copy bad: value of the first; the first copy bad, the "
          "second good: value; a size of 0 first; flags 1; flags 2; of one copy")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *h = pinned_bytes(64);
    memset(h, 9, 64);
    struct batch b = batch_of(p, h);
    b.sizes[1] = 1 << 30;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    MUST(cudaStreamSynchronize(s));
    shows("9", "%d", device_byte(p));
    b = batch_of(p, h);
    b.sizes[0] = 1 << 30;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    MUST(cudaStreamSynchronize(s));
    shows("0", "%d", device_byte(p + 32));
    b.sizes[0] = 0;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    MUST(cudaStreamSynchronize(s));
    shows("0", "%d", device_byte(p + 32));
    b.sizes[0] = 16;
    b.attributes[0].flags = 1;
    answer(copy_batch(&b, 2, 1, s));
    b.attributes[0].flags = 2;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    b.attributes[0].flags = 0;
    b.sizes[1] = 0;
    answer(copy_batch(&b, 1, 1, s));
    answer(cudaStreamSynchronize(s));
    shows("9", "%d", device_byte(p));
}

SITUATION("cudaMemcpyBatchAsync of two copies: values; with 0 copies; with no attributes; with "
          "attribute indices {1}, {0, 0}, {0, 2}; 2 attributes for 1 copy; NULL indices; NULL "
          "attributes of 1; NULL destinations; a NULL destination; a size past the end; a size of "
          "0; NULL stream; cudaStreamLegacy; cudaStreamPerThread")
{
    cudaStream_t s = new_stream(0);
    char *p = device_bytes(64), *h = pinned_bytes(64);
    memset(h, 4, 64);
    struct batch b = batch_of(p, h);
    answer(copy_batch(&b, 2, 1, s));
    answer(cudaStreamSynchronize(s));
    fact("bytes 0, 16, 63", "4 0 4", "%d %d %d", byte_at(p), byte_at(p + 16), byte_at(p + 63));
    gives(InvalidValue, copy_batch(&b, 0, 1, s));
    gives(InvalidValue, cudaMemcpyBatchAsync(b.dsts, b.srcs, b.sizes, 2, NULL, NULL, 0, s));
    b = batch_of(p, h);
    b.first[0] = 1;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    b.first[0] = 0;
    b.first[1] = 0;
    gives(InvalidValue, copy_batch(&b, 2, 2, s));
    b.first[1] = 2;
    gives(InvalidValue, copy_batch(&b, 2, 2, s));
    b.first[1] = 1;
    answer(copy_batch(&b, 2, 2, s));
    gives(InvalidValue, copy_batch(&b, 1, 2, s));
    gives(InvalidValue, cudaMemcpyBatchAsync(b.dsts, b.srcs, b.sizes, 2, b.attributes, NULL, 1, s));
    gives(InvalidValue, cudaMemcpyBatchAsync(b.dsts, b.srcs, b.sizes, 2, NULL, b.first, 1, s));
    b = batch_of(p, h);
    gives(InvalidValue,
          cudaMemcpyBatchAsync(NULL, b.srcs, b.sizes, 2, b.attributes, b.first, 1, s));
    b.dsts[1] = NULL;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    b = batch_of(p, h);
    b.sizes[1] = 1 << 30;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    b.sizes[1] = 0;
    gives(InvalidValue, copy_batch(&b, 2, 1, s));
    b = batch_of(p, h);
    gives(InvalidValue, copy_batch(&b, 2, 1, NULL));
    gives(InvalidValue, copy_batch(&b, 2, 1, cudaStreamLegacy));
    answer(copy_batch(&b, 2, 1, cudaStreamPerThread));
    gives(InvalidValue, cudaGetLastError());
}
