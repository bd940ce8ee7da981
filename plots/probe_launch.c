/* probe_launch.c: launching graphs: the first, the second and later launches of graphs of many
 * forms, uploads, and how many launches a stream takes. */
#include "probe.h"

#include <stdio.h>

/* The host's time in the launching call, and until a synchronise after it returned. */
struct launch {
    struct samples host, total;
};

static void launch(struct launch *l, cudaGraphExec_t x, int keep)
{
    double host_us, us = launched_us(x, &host_us);
    if (!keep)
        return;
    samples_add(&l->host, host_us - probe_clock_us);
    samples_add(&l->total, us - 2 * probe_clock_us);
}

static void row(const char *name, const struct form *f, const char *what, struct samples *s,
                const char *note)
{
    probe_us(samples_median(s), note, "launch.%s%s.%d.%s", name, size_in_key(f->bytes), f->nodes,
             what);
}

static void rows(const char *name, const struct form *f, const char *what, struct launch *l)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s.host", what);
    row(name, f, whole, &l->host, "time in cudaGraphLaunch");
    snprintf(whole, sizeof whole, "%s.total", what);
    row(name, f, whole, &l->total, "and until a synchronise after it returned");
}

/* Launches of execs that are new, and of one that is not; f names the rows. */
static void measure_graph(const char *name, const struct form *f, cudaGraph_t g, int reps)
{
    static struct launch first, second, later, uploaded;
    struct samples upload = {0}, upload_all = {0}, used = {0};
    first.host.n = first.total.n = second.host.n = second.total.n = 0;
    later.host.n = later.total.n = uploaded.host.n = uploaded.total.n = 0;
    for (int rep = -1; rep < reps; rep++) {
        cudaGraphExec_t x;
        OK(cudaGraphInstantiate(&x, g, 0));
        launch(&first, x, rep >= 0);
        launch(&second, x, rep >= 0);
        for (int i = 0; i < 8; i++)
            launch(&later, x, rep >= 0 && i > 0);
        double t0 = clock_now_us();
        OK(cudaGraphExecDestroy(x));
        double t1 = clock_now_us();
        OK(cudaGraphInstantiate(&x, g, 0));
        double t2 = clock_now_us();
        OK(cudaGraphUpload(x, T.s[0]));
        double t3 = clock_now_us();
        OK(cudaStreamSynchronize(T.s[0]));
        double t4 = clock_now_us();
        launch(&uploaded, x, rep >= 0);
        OK(cudaGraphExecDestroy(x));
        if (rep < 0)
            continue;
        samples_add(&used, t1 - t0);
        samples_add(&upload, t3 - t2);
        samples_add(&upload_all, t4 - t2);
    }
    OK(cudaGraphDestroy(g));
    rows(name, f, "first", &first);
    rows(name, f, "second", &second);
    rows(name, f, "later", &later);
    row(name, f, "upload.host", &upload, "time in cudaGraphUpload");
    row(name, f, "upload.total", &upload_all, "and until a synchronise after it returned");
    rows(name, f, "uploaded", &uploaded);
    row(name, f, "destroy", &used, "cudaGraphExecDestroy after launches");
}

static void measure(const char *name, const struct form *f, int reps)
{
    measure_graph(name, f, form_graph(f), reps);
}

/* A chain of kernels in which a copy leads from every fourth kernel to the one after the next. */
static void detours(void)
{
    struct form f = {"k", 64, 1, 0, 0};
    cudaGraph_t g = form_graph(&f);
    cudaGraphNode_t nodes[64], copy;
    size_t n = 64;
    OK(cudaGraphGetNodes(g, nodes, &n));
    for (int i = 0; i + 2 < 64; i += 4) {
        OK(cudaGraphAddMemcpyNode1D(&copy, g, &nodes[i], 1, T.dev + i * 4096, T.pinned + i * 4096,
                                    4096, cudaMemcpyHostToDevice));
        OK(cudaGraphAddDependencies(g, &copy, &nodes[i + 2], NULL, 1));
    }
    measure_graph("detours", &f, g, 6);
}

/* Its width is in the name. */
static void measure_wide(const char *name, const struct form *f, int reps)
{
    char whole[40];
    snprintf(whole, sizeof whole, "%s_%d", name, f->width);
    measure(whole, f, reps);
}

static void widths(void)
{
    for (int w = 2; w <= 128; w *= 2) {
        measure_wide("width", &(struct form){"k", 128, w, 0, 0}, 10);
    }
    for (int w = 2; w <= 32; w *= 2) {
        measure_wide("closed", &(struct form){"k", 128, w, 0, FORM_CLOSED}, 10);
        measure_wide("delays", &(struct form){"d", 8 * w, w, 0, FORM_CLOSED}, 6);
    }
    for (int w = 4; w <= 16; w *= 4) {
        measure_wide("opened", &(struct form){"k", 64, w, 0, FORM_OPEN}, 6);
        measure_wide("joined", &(struct form){"k", 64, w, 0, FORM_CLOSE}, 6);
        measure_wide("empty_ends", &(struct form){"k", 64, w, 0, FORM_CLOSED | FORM_EMPTY}, 6);
        measure_wide("copies_closed", &(struct form){"u", 64, w, 65536, FORM_CLOSED}, 6);
        measure_wide("memsets_closed", &(struct form){"m", 64, w, 65536, FORM_CLOSED}, 6);
    }
    for (int w = 4; w <= 8; w *= 2) {
        measure_wide("width", &(struct form){"k", 32, w, 0, 0}, 10);
        measure_wide("width", &(struct form){"k", 1024, w, 0, 0}, 6);
    }
}

static void kinds(void)
{
    static const struct {
        const char *name, *kinds;
        size_t bytes[3];
    } all[] = {{"memset", "m", {4, 65536, 0}},      {"h2d", "u", {4, 65536, 262144}},
               {"d2h", "w", {4, 65536, 262144}},    {"d2d", "c", {4, 65536, 262144}},
               {"kernel_memset", "km", {4, 65536}}, {"kernel_h2d", "ku", {4, 262144}},
               {"kernel_d2h", "kw", {4, 262144}},   {"kernel_d2d", "kc", {4, 262144}},
               {"h2d_d2h", "uw", {4, 262144}},      {"host", "f", {0}},
               {"kernel_host", "kf", {0}},          {"record", "r", {0}},
               {"kernel_record", "kr", {0}},        {"empty", "e", {0}},
               {"kernel_empty", "ke", {0}},         {"child", "g", {0}},
               {"kernel_child", "kg", {0}},         {"batch", "uukw", {65536, 262144}}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (int b = 0; b < 3 && (b == 0 || all[k].bytes[b]); b++)
            for (int n = 8; n <= 64; n *= 8)
                measure(all[k].name, &(struct form){all[k].kinds, n, 1, all[k].bytes[b], 0}, 6);
    measure("batch_wide_4", &(struct form){"uuuuuuuukkkkwwww", 16, 4, 262144, 0}, 6);
    measure("batch_wide_4", &(struct form){"uuuuuuuukkkkwwww", 64, 4, 262144, 0}, 6);
    measure("h2d_wide_4", &(struct form){"u", 32, 4, 65536, 0}, 6);
    measure("memset_wide_4", &(struct form){"m", 32, 4, 65536, 0}, 6);
}

/* A hundred launches, one after the other: what each costs the host and, in all, the device. */
static void trains(void)
{
    for (int n = 1; n <= 64; n *= 8)
        for (int execs = 1; execs <= 2; execs++) {
            struct form f = {"k", n, 1, 0, 0};
            cudaGraphExec_t x[2] = {form_exec(&f), form_exec(&f)};
            struct samples host = {0}, all = {0};
            for (int rep = -1; rep < 15; rep++) {
                double t0 = clock_now_us();
                for (int i = 0; i < 100; i++)
                    OK(cudaGraphLaunch(x[i % execs], T.s[0]));
                double t1 = clock_now_us();
                OK(cudaStreamSynchronize(T.s[0]));
                double t2 = clock_now_us();
                if (rep >= 0)
                    samples_add(&host, (t1 - t0) / 100), samples_add(&all, (t2 - t0) / 100);
            }
            probe_us(samples_median(&all), "a launch; 100 in a row; nodes of the chain in the key",
                     "train.%d_execs.%d", execs, n);
            probe_us(samples_median(&host), "", "train.%d_execs.%d.host", execs, n);
            OK(cudaGraphExecDestroy(x[0]));
            OK(cudaGraphExecDestroy(x[1]));
        }
}

/* How many launches return at once while the stream is held by a kernel of 100 ms. */
static void depths(void)
{
    for (int n = 1; n <= 64; n *= 8)
        for (int w = 1; w <= 4 && w <= n; w *= 4) {
            cudaGraphExec_t x = form_exec(&(struct form){"k", n, w, 0, 0});
            int count = 0, limit = 4000 / (1 + n / 16);
            double behind = 0;
            OK(launch_delay(100000, T.s[0]));
            double start = clock_now_us();
            for (; count < limit; count++) {
                double t0 = clock_now_us();
                OK(cudaGraphLaunch(x, T.s[0]));
                double us = clock_now_us() - t0;
                if (us > 5000)
                    break;
                behind += us;
            }
            double took = clock_now_us() - start;
            OK(cudaStreamSynchronize(T.s[0]));
            char key[80];
            snprintf(key, sizeof key, "depth.launch.%d.width_%d", n, w);
            probe_row(key, count, "launches",
                      count == limit ? "none waited: the most that were tried"
                                     : "before a launch waits; nodes in the key");
            probe_us(behind / (count ? count : 1),
                     took > 95000 ? "mean host time behind a long kernel; it ended meanwhile"
                                  : "mean host time behind a long kernel",
                     "launch.behind_busy.%d.width_%d", n, w);
            OK(cudaGraphExecDestroy(x));
        }
}

void probe_launch(void)
{
    form_begin();
    for (int n = 1; n <= 1024; n *= 2)
        measure("chain", &(struct form){"k", n, 1, 0, 0}, n <= 128 ? 16 : 8);
    widths();
    detours();
    kinds();
    trains();
    depths();
    form_end();
}
