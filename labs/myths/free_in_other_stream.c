/* "cudaFreeAsync frees memory when its last use is complete." */
#include "myth.h"

enum { BYTES = 4096 };

/* Memory that one stream still uses is freed in another stream, where the next owner gets it. */
static void hand_over(const char *how, int in_order)
{
    cudaStream_t user = new_stream(), other = new_stream();
    cudaEvent_t used;
    unsigned char *first, *second, got;
    CHECK(cudaEventCreateWithFlags(&used, cudaEventDisableTiming));
    CHECK(cudaMallocAsync((void **)&first, BYTES, other));
    CHECK(cudaMemsetAsync(first, 0, BYTES, other));
    keep_busy(user);
    CHECK(cudaMemsetAsync(first, 3, BYTES, user)); /* the last use */
    if (in_order) {
        CHECK(cudaEventRecord(used, user));
        CHECK(cudaStreamWaitEvent(other, used, 0));
    }
    CHECK(cudaFreeAsync(first, other));
    CHECK(cudaMallocAsync((void **)&second, BYTES, other));
    CHECK(cudaMemsetAsync(second, 4, BYTES, other));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&got, second, 1, cudaMemcpyDeviceToHost));
    printf("%s: the same memory: %s; the new owner wrote 4 and reads %d\n", how,
           yes(first == second), got);
    CHECK(cudaFreeAsync(second, other));
    CHECK(cudaStreamSynchronize(other));
}

int main(void)
{
    hand_over("freed in a stream that waits for nothing", 0);
    hand_over("freed after a wait for the last use", 1);
    return 0;
}
