/* "When cudaMemcpy or cudaMemset returns, the work is complete." */
#include "myth.h"

enum { BYTES = 8 << 20 };

/* Does the call return only after the kernel before it in the default stream? */
#define ASK(what, call)                                                                            \
    do {                                                                                           \
        keep_busy(NULL);                                                                           \
        printf("%s waits: %s\n", what, yes(WAITED(call)));                                         \
    } while (0)

int main(void)
{
    void *a, *b, *pinned, *pageable = calloc(1, BYTES);
    CHECK(cudaMalloc(&a, BYTES));
    CHECK(cudaMalloc(&b, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMemset(a, 0, BYTES));
    CHECK(cudaMemset(pinned, 0, BYTES));
    CHECK(cudaMemcpy(b, a, BYTES, cudaMemcpyDeviceToDevice));

    ASK("cudaMemcpy from pinned memory", cudaMemcpy(a, pinned, BYTES, cudaMemcpyHostToDevice));
    ASK("cudaMemcpy from pageable memory", cudaMemcpy(a, pageable, BYTES, cudaMemcpyHostToDevice));
    ASK("cudaMemcpy to the host", cudaMemcpy(pageable, a, BYTES, cudaMemcpyDeviceToHost));
    ASK("cudaMemcpy on the device", cudaMemcpy(b, a, BYTES, cudaMemcpyDeviceToDevice));
    ASK("cudaMemset of device memory", cudaMemset(a, 0, BYTES));
    ASK("cudaMemset of pinned memory", cudaMemset(pinned, 0, BYTES));
    CHECK(cudaDeviceSynchronize());
    free(pageable);
    return 0;
}
