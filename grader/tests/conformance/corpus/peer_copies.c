/* peer_copies.c: copies between devices. */
#include "../graphs.h"

SITUATION("cudaMemcpyPeer 0 to 0; to device 99; from device -1; of 0 bytes; async: value; NULL; "
          "cudaDeviceCanAccessPeer(0, 0); EnablePeerAccess(0); DisablePeerAccess(0)")
{
    char *d = device_bytes(PAGE), *e = device_bytes(PAGE);
    int can = 7;
    answer(cudaMemcpyPeer(d, 0, e, 0, PAGE));
    gives(InvalidDevice, cudaMemcpyPeer(d, 99, e, 0, PAGE));
    gives(InvalidDevice, cudaMemcpyPeer(d, 0, e, -1, PAGE));
    answer(cudaMemcpyPeer(d, 0, e, 0, 0));
    answer(cudaMemset(e, 6, PAGE));
    answer(cudaMemcpyPeerAsync(d, 0, e, 0, PAGE, 0));
    gives(InvalidValue, cudaMemcpyPeer(NULL, 0, e, 0, PAGE));
    answer(cudaDeviceSynchronize());
    shows("6", "%d", byte_at(d));
    answer(cudaDeviceCanAccessPeer(&can, 0, 0));
    shows("0", "%d", can);
    gives(PeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    gives(PeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    gives(PeerAccessNotEnabled, cudaGetLastError());
}

SITUATION("cudaMemcpy3DPeerAsync from device 0 to itself: value; kinds of bad ones: device 99; "
          "extent too wide; extent 0; in a capture")
{
    cudaStream_t s = nonblocking_stream();
    char *p = device_bytes(64), *q = device_bytes(64);
    MUST(cudaMemset(q, 3, 64));
    MUST(cudaDeviceSynchronize());
    struct cudaMemcpy3DPeerParms m = {.dstPtr = pitched(p, 16, 16, 4),
                                      .srcPtr = pitched(q, 16, 16, 4),
                                      .extent = extent(16, 2, 1)};
    answer(cudaMemcpy3DPeerAsync(&m, s));
    answer(cudaStreamSynchronize(s));
    shows("3 0", "%d %d", device_byte(p + 31), device_byte(p + 32));
    m.dstDevice = 99;
    gives(InvalidDevice, cudaMemcpy3DPeerAsync(&m, s));
    m.dstDevice = 0;
    m.extent = extent(17, 2, 1);
    gives(InvalidPitchValue, cudaMemcpy3DPeerAsync(&m, s));
    m.extent = extent(16, 0, 1);
    answer(cudaMemcpy3DPeerAsync(&m, s));
    m.extent = extent(16, 1, 1);
    answer(cudaMemcpy3DPeer(&m));
    begin_capture(s, cudaStreamCaptureModeRelaxed);
    gives(StreamCaptureUnsupported, cudaMemcpy3DPeerAsync(&m, s));
    is_invalidated(s);
}
