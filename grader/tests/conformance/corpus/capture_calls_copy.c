/* capture_calls_copy.c: which calls a capture refuses: copies and memsets. */
#include "../capture_call.h"

CALL_ALSO_BLOCKING(memcpy, "cudaMemcpy to the device",
                   cudaMemcpy(scene.device, scene.pinned, 64, cudaMemcpyHostToDevice), ALLOWED,
                   IMPLICIT)
CALL_ALSO_ELSEWHERE(memcpy_d2d, "cudaMemcpy inside the device",
                    cudaMemcpy(scene.device, scene.device + 64, 64, cudaMemcpyDeviceToDevice),
                    ALLOWED, ALLOWED)
CALL(memcpy_pageable, "cudaMemcpy from the device to pageable memory",
     cudaMemcpy(scene.pageable, scene.device, 64, cudaMemcpyDeviceToHost), ALLOWED)
CALL_ALSO_BLOCKING(memcpy_zero, "cudaMemcpy of 0 bytes",
                   cudaMemcpy(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice), ALLOWED,
                   ALLOWED)
CALL_ALSO_BLOCKING(memset, "cudaMemset", cudaMemset(scene.device, 0, 64), ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(memcpy_async_0, "cudaMemcpyAsync in 0",
                   cudaMemcpyAsync(scene.device, scene.pinned, 64, cudaMemcpyHostToDevice, 0),
                   ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(memset_async_0, "cudaMemsetAsync in 0", cudaMemsetAsync(scene.device, 0, 64, 0),
                   ALLOWED, IMPLICIT)
CALL_ALSO_ELSEWHERE(memset_async_captured, "cudaMemsetAsync in the captured stream",
                    cudaMemsetAsync(scene.device, 0, 64, scene.captured), ALLOWED, ALLOWED)
CALL_ALSO_BLOCKING(memset_async_other, "cudaMemsetAsync in another stream",
                   cudaMemsetAsync(scene.device, 0, 64, scene.other), ALLOWED, ALLOWED)
CALL_ALSO_BLOCKING(memset_async_blocking, "cudaMemsetAsync in another blocking stream",
                   cudaMemsetAsync(scene.device, 0, 64, scene.blocking), ALLOWED, ALLOWED)
CALL(memset_async_per_thread, "cudaMemsetAsync in cudaStreamPerThread",
     cudaMemsetAsync(scene.device, 0, 64, cudaStreamPerThread), ALLOWED)
CALL_ALSO_BLOCKING(memcpy_async_zero_0, "cudaMemcpyAsync of 0 bytes in 0",
                   cudaMemcpyAsync(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice, 0),
                   ALLOWED, ALLOWED)
CALL_ALSO_BLOCKING(memset_zero, "cudaMemset of 0 bytes", cudaMemset(scene.device, 0, 0), ALLOWED,
                   ALLOWED)
CALL_ALSO_BLOCKING(memcpy_bad, "cudaMemcpy to NULL",
                   cudaMemcpy(NULL, scene.pinned, 64, cudaMemcpyDefault),
                   "every mode: InvalidValue", IMPLICIT)
CALL_ALSO_BLOCKING(memcpy_bad_kind, "cudaMemcpy with kind 99",
                   cudaMemcpy(scene.device, scene.pinned, 64, (enum cudaMemcpyKind)99),
                   "every mode: InvalidMemcpyDirection", "every mode: InvalidMemcpyDirection")
CALL_ALSO_BLOCKING(memcpy_2d, "cudaMemcpy2D",
                   cudaMemcpy2D(scene.device, 64, scene.pinned, 64, 8, 2, cudaMemcpyHostToDevice),
                   ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(memset_2d, "cudaMemset2D", cudaMemset2D(scene.device, 64, 0, 8, 2), ALLOWED,
                   IMPLICIT)
CALL_ALSO_BLOCKING(memcpy_to_symbol, "cudaMemcpyToSymbol",
                   cudaMemcpyToSymbol(situation_numbers(), scene.pinned, 8, 0,
                                      cudaMemcpyHostToDevice),
                   ALLOWED, IMPLICIT)
CALL_ALSO_BLOCKING(memcpy_h2h, "cudaMemcpy from host to host",
                   cudaMemcpy(scene.pageable, scene.pageable + 64, 64, cudaMemcpyHostToHost),
                   ALLOWED, IMPLICIT)
CALL(memcpy_async_captured_zero, "cudaMemcpyAsync of 0 bytes in the captured stream",
     cudaMemcpyAsync(scene.device, scene.pinned, 0, cudaMemcpyHostToDevice, scene.captured),
     ALLOWED)
CALL(memcpy_peer, "cudaMemcpyPeer", cudaMemcpyPeer(scene.device, 0, scene.device + 64, 0, 64),
     ALLOWED)
