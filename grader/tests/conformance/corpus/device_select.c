/*
 * device_select.c: choosing, setting and resetting the device, and its peers.
 */
#include <string.h>

#include "../situation.h"

SITUATION(device_count_null, "cudaGetDeviceCount(NULL)", "cudaGetDeviceCount: InvalidValue")
{
    answer(cudaGetDeviceCount(NULL));
}

SITUATION(set_device_99, "cudaSetDevice(99); peek; get last error; get last error",
          "cudaSetDevice: InvalidDevice", "cudaPeekAtLastError: InvalidDevice",
          "cudaGetLastError: InvalidDevice")
{
    answer(cudaSetDevice(99));
    answer(cudaPeekAtLastError());
    answer(cudaGetLastError());
    answer(cudaGetLastError());
}

SITUATION(set_device_negative, "cudaSetDevice(-1); get last error", "cudaSetDevice: InvalidDevice",
          "cudaGetLastError: InvalidDevice")
{
    answer(cudaSetDevice(-1));
    answer(cudaGetLastError());
}

SITUATION(device_kept, "cudaGetDevice after a failed cudaSetDevice", "d: device 0")
{
    int d = -7;
    cudaSetDevice(99);
    answer(cudaGetDevice(&d));
    answer_text("device %d", d);
}

SITUATION(get_device_null, "cudaGetDevice(NULL)", "cudaGetDevice: InvalidValue")
{
    answer(cudaGetDevice(NULL));
}

SITUATION(can_access_peer, "cudaDeviceCanAccessPeer: device 0 to 0; to 99; from 99; NULL", "can: 0",
          "cudaDeviceCanAccessPeer(&can, 0, 99): InvalidDevice",
          "cudaDeviceCanAccessPeer(&can, 99, 0): InvalidDevice",
          "cudaDeviceCanAccessPeer(NULL, 0, 0): InvalidValue")
{
    int can = 99;
    answer(cudaDeviceCanAccessPeer(&can, 0, 0));
    answer_text("%d", can);
    answer(cudaDeviceCanAccessPeer(&can, 0, 99));
    answer(cudaDeviceCanAccessPeer(&can, 99, 0));
    answer(cudaDeviceCanAccessPeer(NULL, 0, 0));
}

SITUATION(enable_peer, "cudaDeviceEnablePeerAccess: to itself; device 99; flags 1",
          "cudaDeviceEnablePeerAccess(0, 0): PeerAccessUnsupported",
          "cudaDeviceEnablePeerAccess(99, 0): InvalidDevice",
          "cudaDeviceEnablePeerAccess(0, 1): InvalidValue")
{
    answer(cudaDeviceEnablePeerAccess(0, 0));
    answer(cudaDeviceEnablePeerAccess(99, 0));
    answer(cudaDeviceEnablePeerAccess(0, 1));
}

SITUATION(disable_peer, "cudaDeviceDisablePeerAccess: of itself; of device 99",
          "cudaDeviceDisablePeerAccess(0): PeerAccessNotEnabled",
          "cudaDeviceDisablePeerAccess(99): InvalidDevice")
{
    answer(cudaDeviceDisablePeerAccess(0));
    answer(cudaDeviceDisablePeerAccess(99));
}

SITUATION(
    device_flags,
    "cudaGetDeviceFlags before anything; after cudaFree(0); after cudaSetDeviceFlags(BlockingSync)",
    "f: 8", "f #2: 8", "f #3: 12")
{
    unsigned f = 99;
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    MUST(cudaFree(NULL));
    MUST(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    MUST(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
}

SITUATION(device_flags_first, "cudaSetDeviceFlags(BlockingSync) before anything, then get", "f: 12")
{
    unsigned f = 99;
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
}

SITUATION(device_flags_bad,
          "cudaSetDeviceFlags(0x1000); two schedules at once; cudaGetDeviceFlags(NULL)",
          "cudaSetDeviceFlags(0x1000): InvalidValue",
          "cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield): InvalidValue",
          "cudaGetDeviceFlags: InvalidValue")
{
    answer(cudaSetDeviceFlags(0x1000));
    answer(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    answer(cudaGetDeviceFlags(NULL));
}

SITUATION(init_device,
          "cudaInitDevice(0, 0, 0); device 99; flags without the flag that says so; unknown flags",
          "cudaInitDevice(99, 0, 0): InvalidDevice",
          "cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid): InvalidValue")
{
    answer(cudaInitDevice(0, 0, 0));
    answer(cudaInitDevice(99, 0, 0));
    answer(cudaInitDevice(0, cudaDeviceScheduleBlockingSync, 0));
    answer(cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid));
    answer(cudaInitDevice(0, 0, 0x80));
}

SITUATION(valid_devices, "cudaSetValidDevices: none; {0}; {99}; length 9; length -1",
          "cudaSetValidDevices(&ninety_nine, 1): InvalidDevice",
          "cudaSetValidDevices(&zero, 9): InvalidValue",
          "cudaSetValidDevices(&zero, -1): InvalidValue")
{
    int zero = 0, ninety_nine = 99;
    answer(cudaSetValidDevices(NULL, 0));
    answer(cudaSetValidDevices(&zero, 1));
    answer(cudaSetValidDevices(&ninety_nine, 1));
    answer(cudaSetValidDevices(&zero, 9));
    answer(cudaSetValidDevices(&zero, -1));
}

SITUATION(choose_device, "cudaChooseDevice; NULL device; NULL properties", "d: device 0",
          "cudaChooseDevice(NULL, &prop): InvalidValue", "cudaChooseDevice(&d, NULL): InvalidValue")
{
    struct cudaDeviceProp prop;
    int d = -1;
    memset(&prop, 0, sizeof prop);
    answer(cudaChooseDevice(&d, &prop));
    answer_text("device %d", d);
    answer(cudaChooseDevice(NULL, &prop));
    answer(cudaChooseDevice(&d, NULL));
}

SITUATION(device_reset, "cudaDeviceReset twice; memory of before is gone",
          "cudaMemcpy: InvalidValue")
{
    char *p = device_bytes(64), h[64];
    answer(cudaDeviceReset());
    answer(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    answer(cudaDeviceReset());
}

SITUATION(reset_stream, "cudaDeviceReset, then cudaStreamSynchronize on a stream of before",
          CRASHES_ON_GPU, "cudaStreamSynchronize: InvalidResourceHandle")
{
    cudaStream_t s = new_stream(0);
    MUST(cudaDeviceReset());
    answer(cudaStreamSynchronize(s));
}

SITUATION(reset_keeps_error, "cudaSetDevice(99), cudaDeviceReset, get last error",
          "cudaGetLastError: InvalidDevice")
{
    cudaSetDevice(99);
    answer(cudaDeviceReset());
    answer(cudaGetLastError());
}

SITUATION(reset_after,
          "cudaDeviceReset: memory and stream from before: cudaFree, "
          "cudaStreamSynchronize-free calls: cudaMalloc works after; cudaGetDevice",
          "cudaFree: InvalidValue", "d: 0")
{
    void *p = device_bytes(64), *q;
    int d = 7;
    answer(cudaDeviceReset());
    answer(cudaFree(p));
    answer(cudaMalloc(&q, 64));
    answer(cudaGetDevice(&d));
    answer_text("%d", d);
}

SITUATION(device_flags_more,
          "cudaGetDeviceFlags at first; cudaSetDeviceFlags of blocking sync and get; "
          "of 99; of spin and yield at once",
          "f: 8", "f #2: 12", "cudaSetDeviceFlags(99): InvalidValue",
          "cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield): InvalidValue",
          "cudaGetLastError: InvalidValue")
{
    unsigned f = 77;
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    answer(cudaGetDeviceFlags(&f));
    answer_text("%u", f);
    answer(cudaSetDeviceFlags(99));
    answer(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    answer(cudaGetLastError());
}
