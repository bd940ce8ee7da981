/*
 * capture_calls_copy.c: which calls a capture refuses: copies and memsets.
 */
#include "../capture_call.h"
#include "../situation_kernels.h"

CALL(memcpy, "cudaMemcpy to the device",
     cudaMemcpy(scene.device, scene.pinned, 64, cudaMemcpyHostToDevice),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy, "cudaMemcpy to the device",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_d2d, "cudaMemcpy inside the device",
     cudaMemcpy(scene.device, scene.device + 64, 64, cudaMemcpyDeviceToDevice),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
ELSEWHERE(memcpy_d2d, "cudaMemcpy inside the device", "Global: Success active Success",
          "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memcpy_pageable, "cudaMemcpy from the device to pageable memory",
     cudaMemcpy(scene.pageable, scene.device, 64, cudaMemcpyDeviceToHost),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
CALL(memcpy_zero, "cudaMemcpy of 0 bytes",
     cudaMemcpy(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_zero, "cudaMemcpy of 0 bytes", "Global: Success active Success",
         "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memset, "cudaMemset", cudaMemset(scene.device, 0, 64), "Global: Success active Success",
     "ThreadLocal: Success active Success", "Relaxed: Success active Success")
BLOCKING(memset, "cudaMemset", "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_async_0, "cudaMemcpyAsync in 0",
     cudaMemcpyAsync(scene.device, scene.pinned, 64, cudaMemcpyHostToDevice, 0),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_async_0, "cudaMemcpyAsync in 0",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memset_async_0, "cudaMemsetAsync in 0", cudaMemsetAsync(scene.device, 0, 64, 0),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memset_async_0, "cudaMemsetAsync in 0",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memset_async_captured, "cudaMemsetAsync in the captured stream",
     cudaMemsetAsync(scene.device, 0, 64, scene.captured), "Global: Success active Success",
     "ThreadLocal: Success active Success", "Relaxed: Success active Success")
ELSEWHERE(memset_async_captured, "cudaMemsetAsync in the captured stream",
          "Global: Success active Success", "ThreadLocal: Success active Success",
          "Relaxed: Success active Success")
CALL(memset_async_other, "cudaMemsetAsync in another stream",
     cudaMemsetAsync(scene.device, 0, 64, scene.other), "Global: Success active Success",
     "ThreadLocal: Success active Success", "Relaxed: Success active Success")
BLOCKING(memset_async_other, "cudaMemsetAsync in another stream", "Global: Success active Success",
         "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memset_async_blocking, "cudaMemsetAsync in another blocking stream",
     cudaMemsetAsync(scene.device, 0, 64, scene.blocking), "Global: Success active Success",
     "ThreadLocal: Success active Success", "Relaxed: Success active Success")
BLOCKING(memset_async_blocking, "cudaMemsetAsync in another blocking stream",
         "Global: Success active Success", "ThreadLocal: Success active Success",
         "Relaxed: Success active Success")
CALL(memset_async_per_thread, "cudaMemsetAsync in cudaStreamPerThread",
     cudaMemsetAsync(scene.device, 0, 64, cudaStreamPerThread), "Global: Success active Success",
     "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memcpy_async_zero_0, "cudaMemcpyAsync of 0 bytes in 0",
     cudaMemcpyAsync(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice, 0),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_async_zero_0, "cudaMemcpyAsync of 0 bytes in 0", "Global: Success active Success",
         "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memset_zero, "cudaMemset of 0 bytes", cudaMemset(scene.device, 0, 0),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memset_zero, "cudaMemset of 0 bytes", "Global: Success active Success",
         "ThreadLocal: Success active Success", "Relaxed: Success active Success")
CALL(memcpy_bad, "cudaMemcpy to NULL", cudaMemcpy(NULL, scene.pinned, 64, cudaMemcpyDefault),
     "Global: InvalidValue active Success", "ThreadLocal: InvalidValue active Success",
     "Relaxed: InvalidValue active Success")
BLOCKING(memcpy_bad, "cudaMemcpy to NULL",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_bad_kind, "cudaMemcpy with kind 99",
     cudaMemcpy(scene.device, scene.pinned, 64, (enum cudaMemcpyKind)99),
     "Global: InvalidMemcpyDirection active Success",
     "ThreadLocal: InvalidMemcpyDirection active Success",
     "Relaxed: InvalidMemcpyDirection active Success")
BLOCKING(memcpy_bad_kind, "cudaMemcpy with kind 99",
         "Global: InvalidMemcpyDirection active Success",
         "ThreadLocal: InvalidMemcpyDirection active Success",
         "Relaxed: InvalidMemcpyDirection active Success")
CALL(memcpy_2d, "cudaMemcpy2D",
     cudaMemcpy2D(scene.device, 64, scene.pinned, 64, 8, 2, cudaMemcpyHostToDevice),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_2d, "cudaMemcpy2D",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memset_2d, "cudaMemset2D", cudaMemset2D(scene.device, 64, 0, 8, 2),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memset_2d, "cudaMemset2D",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_to_symbol, "cudaMemcpyToSymbol",
     cudaMemcpyToSymbol(situation_numbers(), scene.pinned, 8, 0, cudaMemcpyHostToDevice),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_to_symbol, "cudaMemcpyToSymbol",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_h2h, "cudaMemcpy from host to host",
     cudaMemcpy(scene.pageable, scene.pageable + 64, 64, cudaMemcpyHostToHost),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
BLOCKING(memcpy_h2h, "cudaMemcpy from host to host",
         "Global: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "ThreadLocal: StreamCaptureImplicit invalidated StreamCaptureInvalidated",
         "Relaxed: StreamCaptureImplicit invalidated StreamCaptureInvalidated")
CALL(memcpy_async_captured_zero, "cudaMemcpyAsync of 0 bytes in the captured stream",
     cudaMemcpyAsync(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice, scene.captured),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
CALL(memcpy_peer, "cudaMemcpyPeer", cudaMemcpyPeer(scene.device, 0, scene.device + 64, 0, 64),
     "Global: Success active Success", "ThreadLocal: Success active Success",
     "Relaxed: Success active Success")
