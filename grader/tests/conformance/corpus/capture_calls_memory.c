/* capture_calls_memory.c: which calls a capture refuses: memory. */
#include "../capture_call.h"

CALL_ALSO_ELSEWHERE(malloc, "cudaMalloc", cudaMalloc(&scene.made, 64), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_ELSEWHERE(free, "cudaFree", cudaFree(scene.device), UNSAFE, UNSAFE_IN_GLOBAL)
CALL(free_null, "cudaFree(NULL)", cudaFree(NULL), UNSAFE)
CALL_ALSO_ELSEWHERE(malloc_host, "cudaMallocHost", cudaMallocHost(&scene.made, 64), UNSAFE,
                    UNSAFE_IN_GLOBAL)
CALL_ALSO_ELSEWHERE(free_host, "cudaFreeHost", cudaFreeHost(scene.pinned), UNSAFE, UNSAFE_IN_GLOBAL)
CALL(host_alloc, "cudaHostAlloc", cudaHostAlloc(&scene.made, 64, 0), UNSAFE)
CALL(host_register, "cudaHostRegister", cudaHostRegister(scene.pageable, 4096, 0), UNSAFE)
CALL(malloc_pitch, "cudaMallocPitch", cudaMallocPitch(&scene.made, &(size_t){0}, 64, 2), UNSAFE)
CALL(malloc_null, "cudaMalloc with a NULL result", cudaMalloc(NULL, 64), "every mode: InvalidValue")
CALL(malloc_zero, "cudaMalloc of 0 bytes", cudaMalloc(&scene.made, 0), ALLOWED)
CALL(free_bad, "cudaFree of no device memory", cudaFree(scene.pageable), UNSAFE,
     "Relaxed: InvalidValue")
CALL(malloc_host_zero, "cudaMallocHost of 0 bytes", cudaMallocHost(&scene.made, 0), ALLOWED)
CALL(free_host_null, "cudaFreeHost(NULL)", cudaFreeHost(NULL), UNSAFE)
CALL(malloc_pitch_zero, "cudaMallocPitch of height 0",
     cudaMallocPitch(&scene.made, &(size_t){0}, 64, 0), ALLOWED)
CALL(host_unregister, "cudaHostUnregister of memory that is not registered",
     cudaHostUnregister(scene.pageable), UNSAFE, "Relaxed: HostMemoryNotRegistered")
CALL(host_pointer, "cudaHostGetDevicePointer",
     cudaHostGetDevicePointer(&scene.made, scene.pinned, 0), ALLOWED)
CALL(mem_info, "cudaMemGetInfo", cudaMemGetInfo(&(size_t){0}, &(size_t){0}), ALLOWED)
CALL(pointer_attributes, "cudaPointerGetAttributes",
     cudaPointerGetAttributes(&(struct cudaPointerAttributes){0}, scene.device), ALLOWED)
CALL(pool_create, "cudaMemPoolCreate",
     cudaMemPoolCreate((cudaMemPool_t *)&scene.made,
                       &(struct cudaMemPoolProps){
                           .allocType = cudaMemAllocationTypePinned,
                           .location = {.type = cudaMemLocationTypeDevice, .id = 0}}),
     UNSAFE)
CALL(pool_trim, "cudaMemPoolTrimTo", cudaMemPoolTrimTo(scene.pool, 0), UNSAFE)
CALL(pool_attribute, "cudaMemPoolGetAttribute",
     cudaMemPoolGetAttribute(scene.pool, cudaMemPoolAttrUsedMemCurrent, &(unsigned long long){0}),
     UNSAFE)
CALL(pool_set_attribute, "cudaMemPoolSetAttribute",
     cudaMemPoolSetAttribute(scene.pool, cudaMemPoolAttrReleaseThreshold, &(unsigned long long){0}),
     UNSAFE)
CALL(pool_default, "cudaDeviceGetDefaultMemPool",
     cudaDeviceGetDefaultMemPool((cudaMemPool_t *)&scene.made, 0), ALLOWED)
CALL(pool_set, "cudaDeviceSetMemPool", cudaDeviceSetMemPool(0, scene.pool), UNSAFE)
CALL(pool_destroy, "cudaMemPoolDestroy of NULL", cudaMemPoolDestroy(NULL), UNSAFE,
     "Relaxed: InvalidValue")
CALL(free_async_null, "cudaFreeAsync(NULL) in another stream", cudaFreeAsync(NULL, scene.other),
     UNSAFE)
CALL(malloc_async_zero, "cudaMallocAsync of 0 bytes in another stream",
     cudaMallocAsync(&scene.made, 0, scene.other), UNSAFE)
CALL(graph_trim, "cudaDeviceGraphMemTrim", cudaDeviceGraphMemTrim(0), ALLOWED)
CALL(graph_attribute, "cudaDeviceGetGraphMemAttribute",
     cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &(unsigned long long){0}),
     ALLOWED)
CALL_ALSO_ELSEWHERE(malloc_async, "cudaMallocAsync in another stream",
                    cudaMallocAsync(&scene.made, 64, scene.other), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_ELSEWHERE(free_async, "cudaFreeAsync in another stream",
                    cudaFreeAsync(scene.pool_memory, scene.other), UNSAFE, UNSAFE_IN_GLOBAL)
CALL_ALSO_BLOCKING(malloc_async_0, "cudaMallocAsync in 0", cudaMallocAsync(&scene.made, 64, 0),
                   UNSAFE, IMPLICIT)
CALL_ALSO_BLOCKING(free_async_0, "cudaFreeAsync in 0", cudaFreeAsync(scene.pool_memory, 0), UNSAFE,
                   IMPLICIT)
