/* test_memory_limits.c: memory of pools and its reuse, and sizes, pitches and ranges at their
 * limits. */
#include <stdint.h>

#include "kernels/kernels.h"
#include "buffers.h"

TestSuite(memory_limits, .init = setup_buffers, .timeout = 30);

Test(memory_limits, memory_handed_out_again_keeps_what_pending_work_will_read)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaEvent_t filled;
    char *first, *second;
    OK(cudaEventCreate(&filled));
    OK(cudaMallocAsync((void **)&first, BYTES, s));
    OK(cudaMemsetAsync(first, 7, BYTES, s));
    OK(cudaEventRecord(filled, s));
    OK(launch_delay(1000, s));
    OK(cudaMemcpyAsync(pinned, first, BYTES, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(first, s));
    OK(cudaEventSynchronize(filled));
    OK(cudaMallocAsync((void **)&second, BYTES, s));
    OK(cudaStreamSynchronize(s));
    cr_assert_eq(first, second);
    cr_assert_eq(pinned[0], 7);
}

Test(memory_limits, a_pool_destroyed_before_its_last_free_gives_its_memory_back)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .location = {.type = cudaMemLocationTypeDevice}};
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaMemPool_t pool;
    size_t before, after, total;
    void *p;
    OK(cudaMemGetInfo(&before, &total));
    OK(launch_delay(100, s));
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaMallocFromPoolAsync(&p, 1 << 20, pool, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaMemPoolDestroy(pool));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemGetInfo(&after, &total));
    cr_assert_eq(after, before);
}

Test(memory_limits, freeing_memory_of_a_pool_at_once_is_a_race_with_pending_work)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    void *p;
    OK(cudaMallocAsync(&p, BYTES, s));
    OK(cudaMemsetAsync(p, 1, BYTES, s));
    OK(cudaFree(p));
    cr_assert_eq(only_finding().kind, SIMGPU_HOST_RACE);
    simgpu_findings_clear();
    OK(cudaMallocAsync(&p, BYTES, s));
    OK(cudaMemsetAsync(p, 1, BYTES, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(p));
    expect_findings(0);
}

Test(memory_limits, sizes_and_pitches_that_wrap_around_are_refused)
{
    const size_t minus = (size_t)-64;
    cr_expect_eq(cudaMemcpy(device, pinned, minus, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemcpy(pinned, device, minus, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset(device, 0, minus), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset2D(device + 1024, minus, 0, 16, 3), cudaErrorInvalidValue);
    cr_expect_eq(
        cudaMemcpy2D(device + 1024, minus, pinned + 1024, minus, 16, 3, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
    cr_expect_eq(cudaMemcpy2D(device, SIZE_MAX / 2 + 1, pinned, SIZE_MAX / 2 + 1, 16, 3,
                              cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
}

Test(memory_limits, slices_on_top_of_each_other_are_refused)
{
    struct cudaMemcpy3DParms copy = {.srcPtr = {pinned, 16, 16, 0},
                                     .dstPtr = {device, 16, 16, 0},
                                     .extent = {16, 1, (size_t)1 << 40},
                                     .kind = cudaMemcpyHostToDevice};
    cr_expect_eq(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset3D(copy.dstPtr, 0, copy.extent), cudaErrorInvalidValue);
}

Test(memory_limits, pitched_memory_beyond_the_address_space_is_not_to_be_had)
{
    const size_t large = (size_t)1 << 33;
    struct cudaPitchedPtr box;
    size_t pitch;
    void *p;
    cr_expect_eq(cudaMallocPitch(&p, &pitch, (size_t)-100, 1), cudaErrorMemoryAllocation);
    cr_expect_eq(cudaMallocPitch(&p, &pitch, large, large), cudaErrorMemoryAllocation);
    cr_expect_eq(cudaMalloc3D(&box, (struct cudaExtent){large, large, large}),
                 cudaErrorMemoryAllocation);
}

Test(memory_limits, host_memory_is_registered_once_in_all_its_parts)
{
    static char host[16 * BYTES];
    OK(cudaHostRegister(host + 4 * BYTES, BYTES, 0));
    cr_assert_eq(cudaHostRegister(host, sizeof host, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostUnregister(host + 4 * BYTES));
    OK(cudaHostRegister(host, sizeof host, 0));
}
