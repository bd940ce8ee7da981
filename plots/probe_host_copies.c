/* probe_host_copies.c: host time of copies and memsets, by size, direction and kind of host memory.
 */
#include "probe.h"

static const size_t sizes[] = {4,     256,    1024,    4096,    16384,    32768,   65536,
                               66560, 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

static const struct {
    const char *name;
    enum cudaMemcpyKind kind;
    int to_device;
} ways[] = {{"h2d", cudaMemcpyHostToDevice, 1}, {"d2h", cudaMemcpyDeviceToHost, 0}};

static void row(const char *what, const char *way, const char *memory, size_t bytes, double us,
                const char *note)
{
    probe_us(us, note, "%s.%s.%s.%zu", what, way, memory, bytes);
}

static void one(int w, int pageable, size_t bytes)
{
    const char *memory = pageable ? "pageable" : "pinned";
    char *host = pageable ? T.pageable : T.pinned;
    char *dst = ways[w].to_device ? T.dev : host;
    char *src = ways[w].to_device ? host : T.dev;
    enum cudaMemcpyKind kind = ways[w].kind;
    int reps = bytes > (8 << 20) ? 15 : 60;
    double us;

    HOST_COST(us, reps, , cudaMemcpyAsync(dst, src, bytes, kind, T.s[0]),
              OK(cudaStreamSynchronize(T.s[0])));
    row("host.memcpy_async", ways[w].name, memory, bytes, us, "in the call; idle stream");
    HOST_COST(us, reps, ,
              (cudaMemcpyAsync(dst, src, bytes, kind, T.s[0]), cudaStreamSynchronize(T.s[0])), );
    row("trip.memcpy_async", ways[w].name, memory, bytes, us,
        "with the stream synchronise after it");
    HOST_COST(us, reps, , cudaMemcpy(dst, src, bytes, kind), );
    row("host.memcpy", ways[w].name, memory, bytes, us, "cudaMemcpy");
    HOST_COST(us, reps, , (cudaMemcpy(dst, src, bytes, kind), cudaStreamSynchronize(NULL)), );
    row("trip.memcpy", ways[w].name, memory, bytes, us,
        "cudaMemcpy and a synchronise of the legacy stream");
}

static void busy(int w, size_t bytes)
{
    char *dst = ways[w].to_device ? T.dev : T.pinned;
    char *src = ways[w].to_device ? T.pinned : T.dev;
    double us;
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 150, , cudaMemcpyAsync(dst, src, bytes, ways[w].kind, T.s[0]), );
    OK(cudaDeviceSynchronize());
    row("host.memcpy_async.busy", ways[w].name, "pinned", bytes, us,
        "in the call; stream behind a long kernel");
    OK(launch_delay(20000, T.s[0]));
    OK(launch_delay(20000, T.s[1]));
    int next = 0;
    HOST_COST(us, 150, , cudaMemcpyAsync(dst, src, bytes, ways[w].kind, T.s[next++ % 2]), );
    OK(cudaDeviceSynchronize());
    row("host.memcpy_async.alternating", ways[w].name, "pinned", bytes, us,
        "two streams in turn, both behind kernels");
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 100, OK(launch_empty(1, T.s[0])),
              cudaMemcpyAsync(dst, src, bytes, ways[w].kind, T.s[0]), );
    OK(cudaDeviceSynchronize());
    row("host.memcpy_async.after_launch", ways[w].name, "pinned", bytes, us,
        "launch and copy in turn; busy stream");
}

static void device_side(void)
{
    for (int i = 0; i < N_SIZES; i++) {
        size_t n = sizes[i];
        HOST_ROW("in the call; idle stream", 40, ,
                 cudaMemcpyAsync(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice, T.s[0]),
                 OK(cudaStreamSynchronize(T.s[0])), "host.memcpy_async.d2d.%ld", (long)n);
        HOST_ROW("cudaMemcpy: does not wait if far less than the trip", 40, ,
                 cudaMemcpy(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice),
                 OK(cudaDeviceSynchronize()), "host.memcpy.d2d.%ld", (long)n);
        HOST_ROW("", 40, ,
                 (cudaMemcpyAsync(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice, T.s[0]),
                  cudaStreamSynchronize(T.s[0])),
                 , "trip.memcpy_async.d2d.%ld", (long)n);
        HOST_ROW("in the call; idle stream", 40, , cudaMemsetAsync(T.dev, 1, n, T.s[0]),
                 OK(cudaStreamSynchronize(T.s[0])), "host.memset_async.%ld", (long)n);
        HOST_ROW("cudaMemset: does not wait if far less than the trip", 40, ,
                 cudaMemset(T.dev, 1, n), OK(cudaDeviceSynchronize()), "host.memset.%ld", (long)n);
        HOST_ROW("", 40, , (cudaMemsetAsync(T.dev, 1, n, T.s[0]), cudaStreamSynchronize(T.s[0])), ,
                 "trip.memset_async.%ld", (long)n);
    }
    OK(launch_delay(20000, T.s[0]));
    HOST_ROW("stream behind a long kernel", 200, , cudaMemsetAsync(T.dev, 1, 4, T.s[0]), ,
             "host.memset_async.busy.4");
    OK(cudaDeviceSynchronize());
    HOST_ROW("", 60, , cudaMemcpy(T.pinned, T.pinned2, 65536, cudaMemcpyHostToHost), ,
             "host.memcpy.h2h.pinned.65536");
    HOST_ROW("", 60, , cudaMemcpy(T.pageable, T.pageable2, 65536, cudaMemcpyHostToHost), ,
             "host.memcpy.h2h.pageable.65536");
}

void probe_host_copies(void)
{
    for (int w = 0; w < 2; w++) {
        for (int pageable = 0; pageable < 2; pageable++)
            for (int i = 0; i < N_SIZES; i++)
                one(w, pageable, sizes[i]);
        busy(w, 4);
        busy(w, 65536);
    }
    device_side();
}
