/* "When cudaMemcpyAsync has returned, the source may be overwritten." */
#include "myth.h"

static void refill(const char *kind, int *host)
{
    cudaStream_t stream = new_stream();
    int *device, got;
    CHECK(cudaMalloc((void **)&device, sizeof *device));
    keep_busy(stream);
    *host = 1;
    CHECK(cudaMemcpyAsync(device, host, sizeof *host, cudaMemcpyHostToDevice, stream));
    *host = 2; /* the next value, too early */
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
    printf("%s memory had 1 at the call and 2 later; the device has %d\n", kind, got);
}

int main(void)
{
    int pageable, *pinned;
    CHECK(cudaMallocHost((void **)&pinned, sizeof *pinned));
    refill("pinned", pinned);
    refill("pageable", &pageable);
    return 0;
}
