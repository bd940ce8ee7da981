/* device_select.c: choosing, setting and resetting the device, and its peers. */
#include "../situation.h"

SITUATION("cudaSetDevice(99); peek; get last error; get last error; cudaSetDevice(-1); get last "
          "error; cudaGetDevice then; of NULL; cudaGetDeviceCount(NULL)")
{
    gives(InvalidDevice, cudaSetDevice(99));
    gives(InvalidDevice, cudaPeekAtLastError());
    gives(InvalidDevice, cudaGetLastError());
    answer(cudaGetLastError());
    gives(InvalidDevice, cudaSetDevice(-1));
    gives(InvalidDevice, cudaGetLastError());
    int d = -7;
    answer(cudaGetDevice(&d));
    shows("device 0", "device %d", d);
    gives(InvalidValue, cudaGetDevice(NULL));
    gives(InvalidValue, cudaGetDeviceCount(NULL));
}

SITUATION(
    "cudaDeviceCanAccessPeer: device 0 to 0; to 99; from 99; NULL; cudaDeviceEnablePeerAccess: to "
    "itself; device 99; flags 1; cudaDeviceDisablePeerAccess: of itself; of device 99")
{
    int can = 99;
    answer(cudaDeviceCanAccessPeer(&can, 0, 0));
    shows("0", "%d", can);
    gives(InvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 99));
    gives(InvalidDevice, cudaDeviceCanAccessPeer(&can, 99, 0));
    gives(InvalidValue, cudaDeviceCanAccessPeer(NULL, 0, 0));
    gives(PeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    gives(InvalidDevice, cudaDeviceEnablePeerAccess(99, 0));
    gives(InvalidValue, cudaDeviceEnablePeerAccess(0, 1));
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    gives(InvalidDevice, cudaDeviceDisablePeerAccess(99));
}

SITUATION(
    "cudaGetDeviceFlags before anything; after cudaFree(0); after cudaSetDeviceFlags(BlockingSync)")
{
    unsigned f = 99;
    answer(cudaGetDeviceFlags(&f));
    shows("8", "%u", f);
    MUST(cudaFree(NULL));
    MUST(cudaGetDeviceFlags(&f));
    shows("8", "%u", f);
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    MUST(cudaGetDeviceFlags(&f));
    shows("12", "%u", f);
}

SITUATION("cudaSetDeviceFlags(BlockingSync) before anything, then get; 0x1000; two schedules at "
          "once; cudaGetDeviceFlags(NULL)")
{
    unsigned f = 99;
    answer(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    answer(cudaGetDeviceFlags(&f));
    shows("12", "%u", f);
    gives(InvalidValue, cudaSetDeviceFlags(0x1000));
    gives(InvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    gives(InvalidValue, cudaGetDeviceFlags(NULL));
}

SITUATION("cudaInitDevice(0, 0, 0); device 99; flags without the flag that says so; unknown flags")
{
    answer(cudaInitDevice(0, 0, 0));
    gives(InvalidDevice, cudaInitDevice(99, 0, 0));
    answer(cudaInitDevice(0, cudaDeviceScheduleBlockingSync, 0));
    gives(InvalidValue, cudaInitDevice(0, 0x1000, cudaInitDeviceFlagsAreValid));
    answer(cudaInitDevice(0, 0, 0x80));
}

SITUATION("cudaSetValidDevices: none; {0}; {99}; length 9; length -1")
{
    int zero = 0, ninety_nine = 99;
    answer(cudaSetValidDevices(NULL, 0));
    answer(cudaSetValidDevices(&zero, 1));
    gives(InvalidDevice, cudaSetValidDevices(&ninety_nine, 1));
    gives(InvalidValue, cudaSetValidDevices(&zero, 9));
    gives(InvalidValue, cudaSetValidDevices(&zero, -1));
}

SITUATION("cudaChooseDevice; NULL device; NULL properties")
{
    struct cudaDeviceProp prop;
    int d = -1;
    memset(&prop, 0, sizeof prop);
    answer(cudaChooseDevice(&d, &prop));
    shows("device 0", "device %d", d);
    gives(InvalidValue, cudaChooseDevice(NULL, &prop));
    gives(InvalidValue, cudaChooseDevice(&d, NULL));
}

SITUATION("cudaDeviceReset twice; memory of before is gone; cudaSetDevice(99), cudaDeviceReset, "
          "get last error")
{
    char *p = device_bytes(64), h[64];
    answer(cudaDeviceReset());
    gives(InvalidValue, cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    answer(cudaDeviceReset());
    cudaSetDevice(99);
    answer(cudaDeviceReset());
    gives(InvalidDevice, cudaGetLastError());
}

SITUATION("cudaDeviceReset, then cudaStreamSynchronize on a stream of before", CRASHES_ON_GPU)
{
    cudaStream_t s = new_stream(0);
    MUST(cudaDeviceReset());
    gives(InvalidResourceHandle, cudaStreamSynchronize(s));
}
