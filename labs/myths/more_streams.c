/* "The more streams, the faster." */
#include "myth.h"

enum { COPIES = 16, MOST = 8, BYTES = 4 << 20 };

int main(void)
{
    cudaStream_t streams[MOST];
    char *device, *pinned;
    double us[2];
    CHECK(cudaMalloc((void **)&device, (size_t)MOST * BYTES));
    CHECK(cudaMallocHost((void **)&pinned, (size_t)MOST * BYTES));
    for (int i = 0; i < MOST; i++)
        streams[i] = new_stream();
    for (int many = 0; many < 2; many++) {
        int n = many ? MOST : 1;
        MEASURE(us[many], for (int i = 0; i < COPIES; i++)
                              CHECK(cudaMemcpyAsync(device + (size_t)(i % n) * BYTES, pinned, BYTES,
                                                    cudaMemcpyHostToDevice, streams[i % n]));
                CHECK(cudaDeviceSynchronize()));
    }
    printf("copies to the device: 8 streams are over 1.1 times as fast as one: %s\n",
           yes(us[1] * 1.1 < us[0]));
    return 0;
}
