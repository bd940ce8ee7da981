/* probe_inside.c: what happens on the device while a graph runs: time from node to node, crossings
 * between engines, how branches start and meet, and what a graph is to the work around it. */
#include "probe.h"

static void launch_once(int n, void *exec)
{
    (void)n;
    OK(cudaGraphLaunch(*(cudaGraphExec_t *)exec, T.s[0]));
}

/* Device time a node: the difference between graphs of 24 and of 96 of them. */
static void each(const char *name, const char *kinds, size_t bytes)
{
    double us[2];
    for (int i = 0; i < 2; i++) {
        cudaGraphExec_t x = form_exec(&(struct form){kinds, i ? 96 : 24, 1, bytes, 0});
        us[i] = queued_us(launch_once, 1, &x, 600, 12);
        OK(cudaGraphExecDestroy(x));
    }
    probe_us((us[1] - us[0]) / 72, "a node; device time by difference", "inside.each.%s%s", name,
             size_in_key(bytes));
}

static void each_rows(void)
{
    static const size_t sizes[] = {4, 4096, 65536, 262144};
    each("kernel", "k", 0);
    each("delay_10us", "d", 0);
    each("host", "f", 0);
    each("kernel_host", "kf", 0);
    each("record", "r", 0);
    each("kernel_record", "kr", 0);
    each("kernel_empty", "ke", 0);
    each("kernel_child", "kg", 0);
    for (int i = 0; i < 4; i++) {
        each("h2d", "u", sizes[i]);
        each("d2h", "w", sizes[i]);
        each("d2d", "c", sizes[i]);
        each("memset", "m", sizes[i]);
        each("kernel_h2d", "ku", sizes[i]);
        each("kernel_d2h", "kw", sizes[i]);
        each("kernel_d2d", "kc", sizes[i]);
        each("kernel_memset", "km", sizes[i]);
        each("h2d_d2h", "uw", sizes[i]);
        each("batch", "uukw", sizes[i]);
    }
}

/* ---- by the device's clock ------------------------------------------------------------------- */

static void timestamps_reset(void)
{
    OK(cudaMemset(T.dev2, 0, 8192));
    OK(cudaDeviceSynchronize());
}

static void run_behind_delay(cudaGraphExec_t x)
{
    timestamps_reset();
    OK(launch_delay(100, T.s[0]));
    OK(cudaGraphLaunch(x, T.s[0]));
    OK(cudaStreamSynchronize(T.s[0]));
}

/* From a kernel's start over one node of the kind to the next kernel's start. */
static void crossing(const char *name, const char *kinds, size_t bytes)
{
    struct samples s = {0};
    cudaGraphExec_t x = form_exec(&(struct form){kinds, 12, 1, bytes, 0});
    for (int rep = -2; rep < 20; rep++) {
        run_behind_delay(x);
        for (int i = 0; rep >= 0 && i + 2 < 12; i += 2)
            samples_add(&s, timestamp_us(i + 2) - timestamp_us(i));
    }
    probe_us(samples_median(&s), "kernel to kernel by the device's clock", "inside.stamps.%s%s",
             name, size_in_key(bytes));
    probe_us(s.v[s.n / 10], "a tenth is shorter", "inside.stamps_p10.%s.%zu", name, bytes);
    probe_us(s.v[s.n * 9 / 10], "a tenth is longer", "inside.stamps_p90.%s.%zu", name, bytes);
    OK(cudaGraphExecDestroy(x));
}

static void crossing_rows(void)
{
    static const size_t sizes[] = {4, 4096, 65536, 262144};
    crossing("kernel", "sk", 0);
    crossing("delay", "sd", 0);
    crossing("empty", "se", 0);
    crossing("record", "sr", 0);
    crossing("host", "sf", 0);
    crossing("child", "sg", 0);
    for (int i = 0; i < 4; i++) {
        crossing("h2d", "su", sizes[i]);
        crossing("d2h", "sw", sizes[i]);
        crossing("d2d", "sc", sizes[i]);
        crossing("memset", "sm", sizes[i]);
    }
}

/* W branches of a few kernels between an opening and a closing one: when each branch starts. */
static void fan(int width)
{
    struct samples first = {0}, last = {0}, close = {0}, mean = {0}, order = {0};
    cudaGraphExec_t x = form_exec(&(struct form){"s", 3 * width, width, 0, FORM_CLOSED});
    for (int rep = -2; rep < 20; rep++) {
        run_behind_delay(x);
        if (rep < 0)
            continue;
        double open = timestamp_us(1023), least = 1e9, most = 0, end = 0, sum = 0;
        for (int i = 0; i < width; i++) {
            double t = timestamp_us(i) - open, e = timestamp_us(2 * width + i) - open;
            least = t < least ? t : least;
            most = t > most ? t : most;
            end = e > end ? e : end;
            sum += e - t;
        }
        samples_add(&first, least);
        samples_add(&last, most);
        samples_add(&mean, sum / width / 2);
        samples_add(&order, timestamp_us(width - 1) - open);
        samples_add(&close, timestamp_us(1022) - open - end);
    }
    probe_row_n("inside.fan.first", width, samples_median(&first), "us",
                "from the opening kernel to the first branch; branches in the key");
    probe_row_n("inside.fan.last", width, samples_median(&last), "us", "to the last branch");
    probe_row_n("inside.fan.last_made", width, samples_median(&order), "us",
                "to the branch that was added last");
    probe_row_n("inside.fan.step", width, samples_median(&mean), "us", "from node to node in one");
    probe_row_n("inside.fan.close", width, samples_median(&close), "us",
                "from the last branch's last start to the closing kernel");
    OK(cudaGraphExecDestroy(x));
}

/* The same without an opening kernel: how far apart the roots start. */
static void roots(int width)
{
    struct samples last = {0}, before = {0}, after = {0};
    cudaGraphExec_t x = form_exec(&(struct form){"s", 2 * width, width, 0, 0});
    for (int rep = -2; rep < 20; rep++) {
        timestamps_reset();
        OK(launch_delay(100, T.s[0]));
        OK(launch_timestamp(TIMESTAMP(1000), T.s[0]));
        OK(cudaGraphLaunch(x, T.s[0]));
        OK(launch_timestamp(TIMESTAMP(1001), T.s[0]));
        OK(cudaStreamSynchronize(T.s[0]));
        if (rep < 0)
            continue;
        double least = 1e18, most = 0, end = 0;
        for (int i = 0; i < width; i++) {
            double t = timestamp_us(i), e = timestamp_us(width + i);
            least = t < least ? t : least;
            most = t > most ? t : most;
            end = e > end ? e : end;
        }
        samples_add(&last, most - least);
        samples_add(&before, least - timestamp_us(1000));
        samples_add(&after, timestamp_us(1001) - end);
    }
    probe_row_n("inside.roots.spread", width, samples_median(&last), "us",
                "from the first root's start to the last one's");
    probe_row_n("inside.roots.before", width, samples_median(&before), "us",
                "from a kernel before the launch in its stream to the first root");
    probe_row_n("inside.roots.after", width, samples_median(&after), "us",
                "from the last node to a kernel after the launch");
    OK(cudaGraphExecDestroy(x));
}

/* Eight branches of kernel, copy, kernel, copy, kernel; n is their number. */
static void branches(int n, void *unused)
{
    (void)unused;
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 3; i++) {
            OK(launch_timestamp(TIMESTAMP(8 * i + b), T.s[b]));
            if (i < 2)
                OK(cudaMemcpyAsync(T.dev + 65536 * b, T.pinned + 65536 * b, 4,
                                   cudaMemcpyHostToDevice, T.s[b]));
        }
}

/* In which order the host launches the nodes: when each branch's kernels start in an idle device.
 * Stamps of successive kernels of a branch are `apart`. */
static void order(const char *name, cudaGraphExec_t x, int apart)
{
    struct samples at[24] = {0};
    for (int rep = -3; rep < 30; rep++) {
        timestamps_reset();
        OK(cudaGraphLaunch(x, T.s[0]));
        OK(cudaStreamSynchronize(T.s[0]));
        for (int i = 0; rep >= 0 && i < 24; i++)
            samples_add(&at[i], timestamp_us(i / 8 * apart + i % 8) - timestamp_us(0));
    }
    for (int i = 0; i < 24; i++) {
        probe_us(samples_median(&at[i]),
                 "start after the first one's; which kernel and which branch in the key",
                 "inside.order.%s.%d.%d", name, i / 8, i % 8);
    }
    OK(cudaGraphExecDestroy(x));
}

/* The same nodes, made branch by branch or level by level. */
static void order_rows(void)
{
    static char kinds[41];
    for (int i = 0; i < 40; i++)
        kinds[i] = i / 8 % 2 ? 'u' : 's';
    order("branch_by_branch", captured(branches, 8, NULL, 8), 8);
    order("level_by_level", form_exec(&(struct form){kinds, 40, 8, 4, 0}), 16);
}

/* ---- graphs between other work --------------------------------------------------------------- */

struct around {
    cudaGraphExec_t x[2];
    int execs;
    char between; /* k kernel, u copy, 0 nothing */
    int streams;
};

static void graphs_between(int n, void *arg)
{
    const struct around *a = arg;
    fork_streams(a->streams);
    for (int i = 0; i < n; i++) {
        OK(cudaGraphLaunch(a->x[i % a->execs], T.s[i % a->streams]));
        if (a->between == 'k')
            OK(launch_empty(1, T.s[0]));
        if (a->between == 'u')
            OK(cudaMemcpyAsync(T.dev, T.pinned, 65536, cudaMemcpyHostToDevice, T.s[0]));
    }
    join_streams(a->streams);
}

static void around_rows(void)
{
    static const struct {
        const char *name, *kinds;
        int nodes, width, execs, streams;
        char between;
    } all[] = {{"same_exec", "k", 1, 1, 1, 1, 0},
               {"two_execs", "k", 1, 1, 2, 1, 0},
               {"same_exec", "k", 8, 1, 1, 1, 0},
               {"two_execs", "k", 8, 1, 2, 1, 0},
               {"with_kernel", "k", 1, 1, 1, 1, 'k'},
               {"with_kernel", "k", 8, 1, 1, 1, 'k'},
               {"with_h2d", "k", 1, 1, 1, 1, 'u'},
               {"two_streams", "d", 4, 1, 2, 2, 0},
               {"one_exec_two_streams", "d", 4, 1, 1, 2, 0},
               {"wide_4", "k", 8, 4, 1, 1, 0},
               {"wide_4_two_execs", "k", 8, 4, 2, 1, 0},
               {"copies", "u", 1, 1, 1, 1, 0},
               {"copies_two_execs", "u", 1, 1, 2, 1, 0}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct form f = {all[i].kinds, all[i].nodes, all[i].width, 65536, 0};
        struct around a = {
            {form_exec(&f), form_exec(&f)}, all[i].execs, all[i].between, all[i].streams};
        probe_us(queued_each_us(graphs_between, 24, &a, 20),
                 "device time a launch with what is between; nodes in the key", "around.%s.%d",
                 all[i].name, all[i].nodes);
        OK(cudaGraphExecDestroy(a.x[0]));
        OK(cudaGraphExecDestroy(a.x[1]));
    }
}

/* ---- from and to the host -------------------------------------------------------------------- */

static void signals(int n, void *arg)
{
    for (int i = 0; i < n; i++)
        OK(launch_signal((unsigned *)T.pinned2 + (i == n - 1), *(unsigned *)arg, T.s[0]));
}

static void latencies(void)
{
    volatile unsigned *flag = (volatile unsigned *)T.pinned2;
    unsigned value = 1;
    if (clock_is_virtual())
        return;
    for (int n = 2; n <= 128; n *= 8) {
        struct samples called = {0}, first = {0}, last = {0}, back = {0};
        cudaGraphExec_t x = captured(signals, n, &value, 1);
        for (int rep = -5; rep < 100; rep++) {
            flag[0] = flag[1] = 0;
            double t0 = clock_now_us();
            OK(cudaGraphLaunch(x, T.s[0]));
            double t1 = clock_now_us();
            while (flag[0] == 0)
                ;
            double t2 = clock_now_us();
            while (flag[1] == 0)
                ;
            double t3 = clock_now_us();
            OK(cudaStreamSynchronize(T.s[0]));
            double t4 = clock_now_us();
            if (rep < 0)
                continue;
            samples_add(&called, t2 - t0);
            samples_add(&first, t2 - t1);
            samples_add(&last, t3 - t2);
            samples_add(&back, t4 - t3);
        }
        probe_row_n("latency.launch_to_first", n, samples_median(&called), "us",
                    "from before the launch to the first node's store seen; nodes in the key");
        probe_row_n("latency.launched_to_first", n, samples_median(&first), "us",
                    "from the launch's return");
        probe_row_n("latency.first_to_last", n, samples_median(&last), "us", "");
        probe_row_n("latency.last_to_sync", n, samples_median(&back), "us",
                    "to the return of the synchronise");
        OK(cudaGraphExecDestroy(x));
    }
}

void probe_inside(void)
{
    form_begin();
    each_rows();
    crossing_rows();
    for (int w = 2; w <= 32; w *= 2)
        fan(w);
    for (int w = 1; w <= 32; w *= 2)
        roots(w);
    order_rows();
    around_rows();
    latencies();
    form_end();
}
