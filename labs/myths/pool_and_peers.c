/* Pool memory and peer access */
#include "myth.h"

enum { BYTES = 4096 };

static void use(const char *what, void *of_device_1, cudaStream_t stream)
{
    printf("%s: %s\n", what, cudaGetErrorName(cudaMemsetAsync(of_device_1, 0, BYTES, stream)));
    cudaGetLastError();
}

int main(void)
{
    int n = 0, can = 0;
    void *plain, *of_pool;
    cudaMemPool_t pool;
    struct cudaMemAccessDesc access = {.location = {.type = cudaMemLocationTypeDevice, .id = 0},
                                       .flags = cudaMemAccessFlagsProtReadWrite};
    CHECK(cudaGetDeviceCount(&n));
    if (n > 1)
        CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (!can) {
        printf("needs two devices with peer access\n");
        return MYTH_SKIPPED;
    }
    CHECK(cudaSetDevice(1));
    cudaStream_t stream = new_stream();
    CHECK(cudaMalloc(&plain, BYTES));
    CHECK(cudaMallocAsync(&of_pool, BYTES, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceEnablePeerAccess(1, 0));

    stream = new_stream();
    use("device 0 sets memory of cudaMalloc on device 1", plain, stream);
    use("memory of cudaMallocAsync", of_pool, stream);
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 1));
    CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    use("the same after cudaMemPoolSetAccess", of_pool, stream);
    CHECK(cudaStreamSynchronize(stream));
    return 0;
}
