/* probe_copies.c: bandwidths, one way and both, and what two copies at once do to each other. */
#include "probe.h"

/* A set of copies that are given out together: where each goes, and in which stream. */
struct mix {
    int n;
    struct {
        enum cudaMemcpyKind kind;
        size_t bytes;
    } of[4];
};

/* Every member in its own stream, each on its own quarter of the buffers. */
static void run_mix(int count, void *arg)
{
    const struct mix *m = arg;
    size_t quarter = PROBE_BYTES / 4;
    if (m->n == 1)
        OK(cudaEventRecord(T.ev[62], T.s[0])); /* as with several */
    fork_streams(m->n);
    for (int r = 0; r < count; r++)
        for (int i = 0; i < m->n; i++) {
            char *host = T.pinned + quarter * (size_t)i, *dev = T.dev + quarter * (size_t)i;
            char *other = T.dev2 + quarter * (size_t)i;
            enum cudaMemcpyKind k = m->of[i].kind;
            OK(cudaMemcpyAsync(k == cudaMemcpyDeviceToHost   ? host
                               : k == cudaMemcpyHostToDevice ? dev
                                                             : other,
                               k == cudaMemcpyHostToDevice ? host : dev, m->of[i].bytes, k,
                               T.s[i]));
        }
    join_streams(m->n);
}

static void mix_row(const char *key, struct mix m, const char *note)
{
    double bytes = 0;
    for (int i = 0; i < m.n; i++)
        bytes += (double)m.of[i].bytes;
    double us = queued_each_us(run_mix, 4, &m, 40);
    probe_row(key, bytes / us / 1000, "GB/s", note);
}

/* Device time of one copy between two events, by size. */
static void by_size(void)
{
    for (size_t n = 4; n <= (16 << 20); n *= n < 4096 ? 32 : 4) {
        struct mix up = {1, {{cudaMemcpyHostToDevice, n}}},
                   down = {1, {{cudaMemcpyDeviceToHost, n}}};
        struct mix across = {1, {{cudaMemcpyDeviceToDevice, n}}};
        probe_row_n("copy.h2d", (long)n, queued_us(run_mix, 1, &up, 60, 21), "us",
                    "between events around one copy");
        probe_row_n("copy.d2h", (long)n, queued_us(run_mix, 1, &down, 60, 21), "us", "");
        probe_row_n("copy.d2d", (long)n, queued_us(run_mix, 1, &across, 60, 21), "us", "");
    }
}

static void two_dimensional(void)
{
    static const size_t widths[] = {64, 512, 4096, 65536};
    for (int i = 0; i < 4; i++) {
        size_t rows = (4 << 20) / widths[i];
        HOST_ROW("pinned; source pitch twice the width", 15, ,
                 (cudaMemcpy2DAsync(T.dev, widths[i], T.pinned, 2 * widths[i], widths[i], rows,
                                    cudaMemcpyHostToDevice, T.s[0]),
                  cudaStreamSynchronize(T.s[0])),
                 , "trip.memcpy2d.h2d.4MiB.width.%ld", (long)widths[i]);
    }
}

void probe_copies(void)
{
    enum cudaMemcpyKind up = cudaMemcpyHostToDevice, down = cudaMemcpyDeviceToHost,
                        across = cudaMemcpyDeviceToDevice;
    size_t n = PROBE_BYTES / 4;
    double us;

    mix_row("bandwidth.h2d", (struct mix){1, {{up, n}}}, "pinned 16 MiB copies; one stream");
    mix_row("bandwidth.d2h", (struct mix){1, {{down, n}}}, "");
    mix_row("bandwidth.d2d_moved", (struct mix){1, {{across, n}}},
            "bytes moved: half of read plus written");
    mix_row("bandwidth.h2d_d2h", (struct mix){2, {{up, n}, {down, n}}}, "both directions; sum");
    mix_row("bandwidth.h2d_h2d", (struct mix){2, {{up, n}, {up, n}}},
            "two streams the same way; sum");
    mix_row("bandwidth.d2h_d2h", (struct mix){2, {{down, n}, {down, n}}}, "");
    mix_row("bandwidth.2h2d_2d2h", (struct mix){4, {{up, n}, {down, n}, {up, n}, {down, n}}},
            "four streams; sum");
    mix_row("bandwidth.h2d_d2d", (struct mix){2, {{up, n}, {across, n}}}, "sum");
    mix_row("bandwidth.d2d_d2d", (struct mix){2, {{across, n}, {across, n}}}, "sum of bytes moved");
    mix_row("bandwidth.h2d_d2h_1MiB", (struct mix){2, {{up, 1 << 20}, {down, 1 << 20}}},
            "both directions; sum");
    mix_row("bandwidth.h2d_h2d_64KiB", (struct mix){2, {{up, 65536}, {up, 65536}}},
            "two streams; sum");
    HOST_COST(us, 9, , cudaMemcpy(T.dev, T.pageable, PROBE_BYTES, up), );
    probe_row("bandwidth.pageable_h2d", PROBE_BYTES / us / 1000, "GB/s", "64 MiB; touched pages");
    HOST_COST(us, 9, , cudaMemcpy(T.pageable, T.dev, PROBE_BYTES, down), );
    probe_row("bandwidth.pageable_d2h", PROBE_BYTES / us / 1000, "GB/s", "64 MiB; touched pages");
    by_size();
    two_dimensional();
}
