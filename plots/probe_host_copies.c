/* probe_host_copies.c: host time of copies and memsets, by size, direction and kind of host memory.
 */
#include "probe.h"

#include <stdio.h>

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
    char key[96];
    snprintf(key, sizeof key, "%s.%s.%s.%zu", what, way, memory, bytes);
    probe_row(key, us, "us", note);
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
    double us;
    for (int i = 0; i < N_SIZES; i++) {
        size_t n = sizes[i];
        HOST_COST(us, 40, , cudaMemcpyAsync(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice, T.s[0]),
                  OK(cudaStreamSynchronize(T.s[0])));
        probe_row_n("host.memcpy_async.d2d", (long)n, us, "us", "in the call; idle stream");
        HOST_COST(us, 40, , cudaMemcpy(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice),
                  OK(cudaDeviceSynchronize()));
        probe_row_n("host.memcpy.d2d", (long)n, us, "us",
                    "cudaMemcpy: does not wait if far less than the trip");
        HOST_COST(us, 40, ,
                  (cudaMemcpyAsync(T.dev2, T.dev, n, cudaMemcpyDeviceToDevice, T.s[0]),
                   cudaStreamSynchronize(T.s[0])), );
        probe_row_n("trip.memcpy_async.d2d", (long)n, us, "us", "");
        HOST_COST(us, 40, , cudaMemsetAsync(T.dev, 1, n, T.s[0]),
                  OK(cudaStreamSynchronize(T.s[0])));
        probe_row_n("host.memset_async", (long)n, us, "us", "in the call; idle stream");
        HOST_COST(us, 40, , cudaMemset(T.dev, 1, n), OK(cudaDeviceSynchronize()));
        probe_row_n("host.memset", (long)n, us, "us",
                    "cudaMemset: does not wait if far less than the trip");
        HOST_COST(us, 40, ,
                  (cudaMemsetAsync(T.dev, 1, n, T.s[0]), cudaStreamSynchronize(T.s[0])), );
        probe_row_n("trip.memset_async", (long)n, us, "us", "");
    }
    OK(launch_delay(20000, T.s[0]));
    HOST_COST(us, 200, , cudaMemsetAsync(T.dev, 1, 4, T.s[0]), );
    OK(cudaDeviceSynchronize());
    probe_row("host.memset_async.busy.4", us, "us", "stream behind a long kernel");
    HOST_COST(us, 60, , cudaMemcpy(T.pinned, T.pinned2, 65536, cudaMemcpyHostToHost), );
    probe_row("host.memcpy.h2h.pinned.65536", us, "us", "");
    HOST_COST(us, 60, , cudaMemcpy(T.pageable, T.pageable2, 65536, cudaMemcpyHostToHost), );
    probe_row("host.memcpy.h2h.pageable.65536", us, "us", "");
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
