/* "cudaMemcpy synchronizes the device." */
#include "myth.h"

static void ask(const char *kind, cudaStream_t stream, void *device, void *pinned)
{
    keep_busy(stream);
    printf("with work in a %s stream it waits: %s\n", kind,
           yes(WAITED(cudaMemcpy(device, pinned, 4096, cudaMemcpyHostToDevice))));
    CHECK(cudaStreamSynchronize(stream));
}

int main(void)
{
    cudaStream_t blocking;
    void *device, *pinned;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaMalloc(&device, 4096));
    CHECK(cudaMallocHost(&pinned, 4096));
    ask("blocking", blocking, device, pinned);
    ask("non-blocking", new_stream(), device, pinned);
    return 0;
}
