/* A window of the L2 cache */
#include "myth.h"

int main(void)
{
    enum { BYTES = 1 << 20 };
    struct cudaDeviceProp device;
    cudaStream_t stream = new_stream();
    cudaStreamAttrValue window = {0}, back;
    char *p;
    CHECK(cudaGetDeviceProperties(&device, 0));
    if (device.persistingL2CacheMaxSize == 0) {
        puts("needs compute capability 8.0: this GPU has no persisting lines");
        return MYTH_SKIPPED;
    }
    CHECK(cudaMalloc((void **)&p, BYTES));
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                             (size_t)device.persistingL2CacheMaxSize));
    window.accessPolicyWindow = (struct cudaAccessPolicyWindow){
        .base_ptr = p,
        .num_bytes = BYTES,
        .hitRatio = 1,
        .hitProp = cudaAccessPropertyPersisting,
        .missProp = cudaAccessPropertyStreaming,
    };
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back));
    printf("the stream has the window: %s\n", yes(back.accessPolicyWindow.base_ptr == p));
    window.accessPolicyWindow.num_bytes = 0; /* ends the window */
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
    CHECK(cudaCtxResetPersistingL2Cache());
    return 0;
}
