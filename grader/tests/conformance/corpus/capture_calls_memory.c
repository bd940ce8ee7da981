/*
 * capture_calls_memory.c: which calls a capture refuses: memory.
 */
#include "../capture_call.h"

CALL(malloc, "cudaMalloc", cudaMalloc(&scene.made, 64),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(malloc, "cudaMalloc",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(free, "cudaFree", cudaFree(scene.device),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(free, "cudaFree", "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(free_null, "cudaFree(NULL)", cudaFree(NULL),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_host, "cudaMallocHost", cudaMallocHost(&scene.made, 64),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(malloc_host, "cudaMallocHost",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(free_host, "cudaFreeHost", cudaFreeHost(scene.pinned),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(free_host, "cudaFreeHost",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(host_alloc, "cudaHostAlloc", cudaHostAlloc(&scene.made, 64, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(host_register, "cudaHostRegister", cudaHostRegister(scene.pageable, 4096, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_pitch, "cudaMallocPitch", cudaMallocPitch(&scene.made, &(size_t){0}, 64, 2),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_null, "cudaMalloc with a NULL result", cudaMalloc(NULL, 64), "every mode: InvalidValue")
CALL(malloc_zero, "cudaMalloc of 0 bytes", cudaMalloc(&scene.made, 0), SUCCEEDS)
CALL(free_bad, "cudaFree of no device memory", cudaFree(scene.pageable),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "Relaxed: InvalidValue")
CALL(malloc_host_zero, "cudaMallocHost of 0 bytes", cudaMallocHost(&scene.made, 0), SUCCEEDS)
CALL(free_host_null, "cudaFreeHost(NULL)", cudaFreeHost(NULL),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_pitch_zero, "cudaMallocPitch of height 0",
     cudaMallocPitch(&scene.made, &(size_t){0}, 64, 0), SUCCEEDS)
CALL(host_unregister, "cudaHostUnregister of memory that is not registered",
     cudaHostUnregister(scene.pageable),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "Relaxed: HostMemoryNotRegistered")
CALL(host_pointer, "cudaHostGetDevicePointer",
     cudaHostGetDevicePointer(&scene.made, scene.pinned, 0), SUCCEEDS)
CALL(mem_info, "cudaMemGetInfo", cudaMemGetInfo(&(size_t){0}, &(size_t){0}), SUCCEEDS)
CALL(pointer_attributes, "cudaPointerGetAttributes",
     cudaPointerGetAttributes(&(struct cudaPointerAttributes){0}, scene.device), SUCCEEDS)
CALL(pool_create, "cudaMemPoolCreate",
     cudaMemPoolCreate((cudaMemPool_t *)&scene.made,
                       &(struct cudaMemPoolProps){
                           .allocType = cudaMemAllocationTypePinned,
                           .location = {.type = cudaMemLocationTypeDevice, .id = 0}}),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(pool_trim, "cudaMemPoolTrimTo", cudaMemPoolTrimTo(scene.pool, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(pool_attribute, "cudaMemPoolGetAttribute",
     cudaMemPoolGetAttribute(scene.pool, cudaMemPoolAttrUsedMemCurrent, &(unsigned long long){0}),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(pool_set_attribute, "cudaMemPoolSetAttribute",
     cudaMemPoolSetAttribute(scene.pool, cudaMemPoolAttrReleaseThreshold, &(unsigned long long){0}),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(pool_default, "cudaDeviceGetDefaultMemPool",
     cudaDeviceGetDefaultMemPool((cudaMemPool_t *)&scene.made, 0), SUCCEEDS)
CALL(pool_set, "cudaDeviceSetMemPool", cudaDeviceSetMemPool(0, scene.pool),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(pool_destroy, "cudaMemPoolDestroy of NULL", cudaMemPoolDestroy(NULL),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "Relaxed: InvalidValue")
CALL(free_async_null, "cudaFreeAsync(NULL) in another stream", cudaFreeAsync(NULL, scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_async_zero, "cudaMallocAsync of 0 bytes in another stream",
     cudaMallocAsync(&scene.made, 0, scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(graph_trim, "cudaDeviceGraphMemTrim", cudaDeviceGraphMemTrim(0), SUCCEEDS)
CALL(graph_attribute, "cudaDeviceGetGraphMemAttribute",
     cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &(unsigned long long){0}),
     SUCCEEDS)
CALL(malloc_async, "cudaMallocAsync in another stream",
     cudaMallocAsync(&scene.made, 64, scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(malloc_async, "cudaMallocAsync in another stream",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(free_async, "cudaFreeAsync in another stream", cudaFreeAsync(scene.pool_memory, scene.other),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
ELSEWHERE(free_async, "cudaFreeAsync in another stream",
          "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
CALL(malloc_async_0, "cudaMallocAsync in 0", cudaMallocAsync(&scene.made, 64, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
BLOCKING(malloc_async_0, "cudaMallocAsync in 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(free_async_0, "cudaFreeAsync in 0", cudaFreeAsync(scene.pool_memory, 0),
     "Global: StreamCaptureUnsupported invalidated StreamCaptureInvalidated",
     "ThreadLocal: StreamCaptureUnsupported invalidated StreamCaptureInvalidated")
BLOCKING(free_async_0, "cudaFreeAsync in 0",
         "every mode: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
