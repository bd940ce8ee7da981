/* peer_access.c: access of one device to the memory of another: enable, disable, ask. */
#include "../context_calls.h"
#include "../devices.h"

ON_TWO_DEVICES("cudaDeviceCanAccessPeer 0 1; 1 0; 1 1; 1 2; -1 0; NULL")
{
    int can[5] = {7, 7, 7, 7, 7};
    answer(cudaDeviceCanAccessPeer(&can[0], 0, 1));
    answer(cudaDeviceCanAccessPeer(&can[1], 1, 0));
    answer(cudaDeviceCanAccessPeer(&can[2], 1, 1));
    gives(InvalidDevice, cudaDeviceCanAccessPeer(&can[3], 1, 99));
    gives(InvalidDevice, cudaDeviceCanAccessPeer(&can[4], -1, 0));
    gives(InvalidValue, cudaDeviceCanAccessPeer(NULL, 0, 1));
    fact("can", "1 1 0 7 7", "%d %d %d %d %d", can[0], can[1], can[2], can[3], can[4]);
}

ON_TWO_DEVICES("cudaDeviceEnablePeerAccess of itself; 99; -1; flags 1; of itself with flags 1; "
               "enabled before with flags 1")
{
    gives(PeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    gives(InvalidDevice, cudaDeviceEnablePeerAccess(99, 0));
    gives(InvalidDevice, cudaDeviceEnablePeerAccess(-1, 0));
    gives(InvalidValue, cudaDeviceEnablePeerAccess(1, 1));
    gives(InvalidValue, cudaDeviceEnablePeerAccess(0, 1));
    gives(InvalidDevice, cudaDeviceEnablePeerAccess(99, 1));
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    gives(InvalidValue, cudaDeviceEnablePeerAccess(1, 2));
}

ON_TWO_DEVICES("cudaDeviceDisablePeerAccess(1) before enabling; after; again; of 99; of itself; "
               "cudaDeviceEnablePeerAccess(1); again; last error, twice")
{
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    answer(cudaDeviceDisablePeerAccess(1));
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    gives(InvalidDevice, cudaDeviceDisablePeerAccess(99));
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    answer(cudaDeviceEnablePeerAccess(1, 0));
    gives(PeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    gives(PeerAccessAlreadyEnabled, cudaGetLastError());
    answer(cudaGetLastError());
}

ON_TWO_DEVICES("enabled by device 0: does device 1 disable it; enable it")
{
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    use_device(1);
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    answer(cudaDeviceEnablePeerAccess(0, 0));
    answer(cudaDeviceDisablePeerAccess(0));
    use_device(0);
    gives(PeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
}

ON_TWO_DEVICES("cudaDeviceGetP2PAttribute: access, atomics, array access; rank; attribute 0; 99; "
               "of 1 and 1; 0 and 99; -1 and 0; NULL")
{
    int v[4] = {7, 7, 7, 7}, bad = 7;
    answer(cudaDeviceGetP2PAttribute(&v[0], cudaDevP2PAttrAccessSupported, 0, 1));
    answer(cudaDeviceGetP2PAttribute(&v[1], cudaDevP2PAttrNativeAtomicSupported, 0, 1));
    answer(cudaDeviceGetP2PAttribute(&v[2], cudaDevP2PAttrCudaArrayAccessSupported, 1, 0));
    answer(cudaDeviceGetP2PAttribute(&v[3], cudaDevP2PAttrPerformanceRank, 0, 1));
    gives(InvalidValue, cudaDeviceGetP2PAttribute(&bad, (enum cudaDeviceP2PAttr)0, 0, 1));
    gives(InvalidValue, cudaDeviceGetP2PAttribute(&bad, (enum cudaDeviceP2PAttr)99, 0, 1));
    fact("access, atomics, arrays", "1 1 1", "%d %d %d", v[0], v[1], v[2]);
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&bad, cudaDevP2PAttrAccessSupported, 1, 1));
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&bad, cudaDevP2PAttrAccessSupported, 0, 99));
    gives(InvalidDevice, cudaDeviceGetP2PAttribute(&bad, cudaDevP2PAttrAccessSupported, -1, 0));
    gives(InvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 1));
    gives(InvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 1, 1));
    shows("7", "%d", bad);
}

ON_TWO_DEVICES("peer access enabled, disabled during a Global capture; a Relaxed one",
               "cudaDeviceEnablePeerAccess: StreamCaptureUnsupported; Success",
               "status: invalidated; invalidated; active; active",
               "cudaDeviceDisablePeerAccess: StreamCaptureUnsupported; Success",
               "cudaStreamEndCapture: StreamCaptureInvalidated; Success", "captured: NULL; 1 nodes")
{
    for (int i = 0; i < 3; i += 2) {
        cudaStream_t s = nonblocking_stream();
        begin_capture(s, capture_modes[i]);
        answer(cudaDeviceEnablePeerAccess(1, 0));
        answer_status(s);
        answer(cudaDeviceDisablePeerAccess(1));
        answer_status(s);
        answer_end(s);
    }
}

ON_TWO_DEVICES("during a Global capture: cudaDeviceCanAccessPeer; cudaSetDevice; cudaGetDevice; "
               "cudaDeviceGetP2PAttribute; cudaMemGetInfo of the other device")
{
    int v = 7;
    size_t free_bytes, total;
    cudaStream_t s = nonblocking_stream();
    start_device(1);
    begin_capture(s, cudaStreamCaptureModeGlobal);
    answer(cudaDeviceCanAccessPeer(&v, 0, 1));
    answer(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 1));
    answer(cudaSetDevice(1));
    answer(cudaGetDevice(&v));
    answer(cudaMemGetInfo(&free_bytes, &total));
    status_is("active", s);
}

static void enable_in_host_function(void *unused)
{
    (void)unused;
    answer(cudaDeviceEnablePeerAccess(1, 0));
    answer(cudaSetDevice(1));
}

ON_TWO_DEVICES("peer access enabled, and cudaSetDevice, in a host function",
               "cudaDeviceEnablePeerAccess: NotPermitted", "cudaSetDevice: NotPermitted")
{
    MUST(cudaLaunchHostFunc(nonblocking_stream(), enable_in_host_function, NULL));
    MUST(cudaDeviceSynchronize());
    shows("0", "%d", device_in_use());
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
}

ON_TWO_DEVICES("does disabling peer access wait for work")
{
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    gate_shut(nonblocking_stream());
    answer(cudaDeviceDisablePeerAccess(1));
    call_returns();
}

ON_TWO_DEVICES("does enabling peer access wait for work")
{
    start_device(1);
    gate_shut(nonblocking_stream());
    answer(cudaDeviceEnablePeerAccess(1, 0));
    call_returns();
}

ON_TWO_DEVICES("peer access enabled; cudaDeviceReset of device 0; disabled; enabled")
{
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    MUST(cudaDeviceReset());
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    answer(cudaDeviceEnablePeerAccess(1, 0));
}

ON_TWO_DEVICES("peer access of 0 to 1 enabled; cudaDeviceReset of device 1; disabled; enabled")
{
    MUST(cudaDeviceEnablePeerAccess(1, 0));
    use_device(1);
    MUST(cudaDeviceReset());
    use_device(0);
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    answer(cudaDeviceEnablePeerAccess(1, 0));
}

static void enable_in_thread(void *unused)
{
    (void)unused;
    answer_text("%d", device_in_use());
    answer(cudaDeviceEnablePeerAccess(1, 0));
}

ON_TWO_DEVICES(
    "a new thread's device, after cudaSetDevice(1) in the first; enabled there, then here",
    "device_in_use: 0")
{
    use_device(1);
    in_thread(enable_in_thread, NULL);
    use_device(0);
    gives(PeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
}

ON_TWO_DEVICES("after device 0's fault: on device 1 peer access enabled, disabled; on device 0")
{
    start_device(1);
    cudaStream_t s = nonblocking_stream();
    MUST(launch_store(s, (int *)16, 1));
    gives(IllegalAddress, cudaStreamSynchronize(s));
    gives(IllegalAddress, cudaDeviceEnablePeerAccess(1, 0));
    answer(cudaSetDevice(1));
    gives(IllegalAddress, cudaDeviceEnablePeerAccess(0, 0));
    gives(IllegalAddress, cudaDeviceDisablePeerAccess(0));
}
