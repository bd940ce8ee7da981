/* test_device_launch.c: graphs that kernels launch: what they cost, what the ordering checks and
 * the trace say of them, and loops without an end. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch_kernels.h"
#include "../random/launch_script.h"
#include "sim_graphs.h"

/* ---- graphs of one or two kernels ------------------------------------------------------------ */

static int *numbers; /* a few, in device memory */
static struct launch_orders *orders;

static void begin(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    OK(cudaMalloc((void **)&numbers, 64 * sizeof *numbers));
    OK(cudaMalloc((void **)&orders, sizeof *orders));
}

static cudaGraphExec_t uploaded(cudaGraph_t g)
{
    cudaGraphExec_t x = NULL;
    OK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(x, NULL));
    return x;
}

/* A graph of store(numbers + to, value), or next(numbers + to, numbers + from). */
static cudaGraphExec_t storing(int to, int value)
{
    cudaGraph_t g = new_graph();
    int *p = numbers + to;
    add_kernel(g, NULL, store_kernel(), (void *[]){&p, &value});
    return uploaded(g);
}

static cudaGraphExec_t reading(int to, int from)
{
    cudaGraph_t g = new_graph();
    int *p = numbers + to, *q = numbers + from;
    add_kernel(g, NULL, next_kernel(), (void *[]){&p, &q});
    return uploaded(g);
}

static cudaGraphNode_t add_launcher(cudaGraph_t g)
{
    return add_kernel(g, NULL, launch_orders_kernel(), (void *[]){&orders});
}

static cudaGraphExec_t launcher(void)
{
    cudaGraph_t g = new_graph();
    add_launcher(g);
    return uploaded(g);
}

static void order(struct launch_orders o)
{
    OK(cudaMemcpy(orders, &o, sizeof o, cudaMemcpyHostToDevice));
}

/* Launches of the same graph by the host alone wait for each other. */
Test(device_launch, a_launch_by_host_and_kernel_at_once_is_undefined)
{
    enum { LAUNCHES = 50 };
    static struct simgpu_finding all[16];
    begin();
    cudaStream_t other = stream(cudaStreamNonBlocking);
    cudaGraphExec_t root = launcher(), child = storing(0, 4);
    order((struct launch_orders){
        .n = 1, .again = LAUNCHES, .execs = {child}, .streams = {LAUNCH_FIRE_AND_FORGET}});
    size_t found[2] = {0, 0};
    for (int both = 0; both < 2; both++) {
        if (both)
            OK(cudaGraphLaunch(root, NULL));
        for (int i = 0; i < LAUNCHES; i++)
            OK(cudaGraphLaunch(child, other));
        OK(cudaDeviceSynchronize());
        const size_t n = simgpu_findings(all, 16);
        for (size_t i = 0; i < n && i < 16; i++)
            found[both] += all[i].kind == SIMGPU_UNDEFINED &&
                           all[i].what == SIMGPU_WHAT_LAUNCHED_BY_BOTH &&
                           all[i].next == SIMGPU_NEXT_WAIT_FOR_LAUNCHER;
    }
    cr_expect_eq(found[0], 0);
    cr_expect_eq(found[1], 1, "%zu", found[1]);
}

Test(device_launch, work_after_the_launch_comes_after_all_graphs_it_launched)
{
    int back[2] = {0, 0};
    begin();
    cudaGraphExec_t root = launcher();
    order((struct launch_orders){.n = 2,
                                 .execs = {storing(0, 4), reading(1, 0)},
                                 .streams = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL}});
    OK(cudaGraphLaunch(root, NULL));
    OK(cudaMemcpyAsync(back, numbers, sizeof back, cudaMemcpyDeviceToHost, NULL));
    OK(cudaMemsetAsync(numbers, 0, sizeof back, NULL));
    OK(cudaDeviceSynchronize());
    cr_expect_eq(back[0], 4);
    cr_expect_eq(back[1], 5);
    expect_findings(0);
}

/* numbers[0] after the launch of a graph that stores 4 there. Its upload is in the stream. */
static int stored_by_child(cudaStream_t upload, bool wait)
{
    int value = 4, *p = numbers, got = 0;
    cudaGraph_t child = new_graph();
    cudaGraphExec_t x = NULL, root = launcher();
    add_kernel(child, NULL, store_kernel(), (void *[]){&p, &value});
    OK(cudaGraphInstantiate(&x, child, cudaGraphInstantiateFlagDeviceLaunch));
    order((struct launch_orders){.n = 1, .execs = {x}, .streams = {LAUNCH_FIRE_AND_FORGET}});
    OK(cudaMemset(numbers, 0, 64));
    OK(cudaGraphUpload(x, upload));
    if (wait)
        OK(cudaStreamSynchronize(upload));
    OK(cudaGraphLaunch(root, NULL));
    OK(cudaMemcpy(&got, numbers, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

Test(device_launch, an_upload_in_another_stream_must_be_waited_for)
{
    cudaStream_t other = stream(cudaStreamNonBlocking);
    begin();
    cr_expect_eq(stored_by_child(NULL, false), 4, "the stream orders them");
    cr_expect_eq(stored_by_child(other, true), 4, "the host orders them");
    cr_expect_eq(stored_by_child(other, false), 0, "nothing orders them");
}

Test(device_launch, a_child_races_with_the_rest_of_its_parent)
{
    begin();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t launcher = add_launcher(g);
    int *p = numbers, value = 3;
    add_kernel(g, launcher, store_kernel(), (void *[]){&p, &value});
    cudaGraphExec_t root = uploaded(g);
    order((struct launch_orders){
        .n = 1, .execs = {reading(1, 0)}, .streams = {LAUNCH_FIRE_AND_FORGET}});
    OK(cudaMemset(numbers, 0, 64));
    run_exec(root, NULL);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_RACE);
    cr_expect_str_eq(f.first.name, "store");
    cr_expect_str_eq(f.second.name, "next");
    cr_expect_eq(f.first.graph, 0);
    cr_expect_eq(f.second.graph, 2);
    cr_expect(strstr(finding_text(&f),
                     "next (node 0 of graph 2, which a kernel launched, of the legacy stream"),
              "%s", finding_text(&f));
    cr_expect(strstr(finding_text(&f), "launch later work as a tail (cudaStreamGraphTailLaunch)"),
              "%s", finding_text(&f));
}

/* A child of a kernel that writes numbers[0], launches it, writes numbers[1]. It reads the one at
 * `from`. Returns what it made of that. */
static int launch_between(int from, cudaStream_t how)
{
    begin();
    int *p = numbers, got[2] = {0, 0};
    cudaGraph_t g = new_graph();
    add_kernel(g, NULL, launch_between_kernel(), (void *[]){&orders, &p});
    cudaGraphExec_t root = uploaded(g);
    OK(cudaMemset(numbers, 0, 64));
    order((struct launch_orders){.n = 1, .execs = {reading(2, from)}, .streams = {how}});
    OK(cudaGraphLaunch(root, NULL));
    OK(cudaMemcpy(got, numbers + 1, sizeof got, cudaMemcpyDeviceToHost));
    cr_expect_eq(got[0], 2);
    return got[1];
}

Test(device_launch, a_child_sees_what_its_launcher_wrote_before)
{
    cr_expect_eq(launch_between(0, LAUNCH_FIRE_AND_FORGET), 2);
    expect_findings(0);
}

Test(device_launch, a_child_races_with_what_its_launcher_writes_later)
{
    launch_between(1, LAUNCH_FIRE_AND_FORGET);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_RACE);
    cr_expect_str_eq(f.first.name, "launch_between");
    cr_expect_str_eq(f.second.name, "next");
    cr_expect(strstr(finding_text(&f), "writes after it has launched the graph"), "%s",
              finding_text(&f));
}

Test(device_launch, a_tail_sees_all_that_its_launcher_wrote)
{
    cr_expect_eq(launch_between(1, LAUNCH_TAIL), 3);
    expect_findings(0);
}

Test(device_launch, children_race_with_each_other_and_not_with_what_was_before)
{
    begin();
    cudaGraph_t g = new_graph();
    int *p = numbers, value = 3;
    cudaGraphNode_t before = add_kernel(g, NULL, store_kernel(), (void *[]){&p, &value});
    add_kernel(g, before, launch_orders_kernel(), (void *[]){&orders});
    cudaGraphExec_t root = uploaded(g);
    order((struct launch_orders){.n = 2,
                                 .execs = {reading(1, 0), reading(1, 0)},
                                 .streams = {LAUNCH_FIRE_AND_FORGET, LAUNCH_FIRE_AND_FORGET}});
    run_exec(root, NULL);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_RACE);
    cr_expect_eq(f.first.graph, 2);
    cr_expect_eq(f.second.graph, 3);
}

Test(device_launch, a_child_may_read_what_nobody_wrote)
{
    begin();
    cudaGraphExec_t root = launcher();
    order((struct launch_orders){.n = 1, .execs = {reading(1, 0)}, .streams = {LAUNCH_TAIL}});
    run_exec(root, NULL);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_UNINITIALIZED_READ);
    cr_expect_eq(f.first.graph, 2);
}

/* ---- the trace, and what launches cost ------------------------------------------------------- */

/* Of one node, as an H200 took: plots/data/NVIDIA_H200/device_shapes.csv. */
static double measured(const char *variant)
{
    FILE *f = fopen("plots/data/NVIDIA_H200/device_shapes.csv", "r");
    char line[256];
    double us = 0;
    cr_assert(f);
    while (us == 0 && fgets(line, sizeof line, f))
        if (strncmp(line, "1,", 2) == 0 && strncmp(line + 2, variant, strlen(variant)) == 0)
            us = atof(line + 2 + strlen(variant) + 1);
    fclose(f);
    cr_assert_gt(us, 0, "no such row: %s", variant);
    return us;
}

static void is_near(double got, const char *variant)
{
    double want = measured(variant);
    cr_expect(got > 0.75 * want && got < 1.25 * want, "%s: %.2f us, an H200 %.2f", variant, got,
              want);
}

static const struct simgpu_trace_row *find(const struct simgpu_trace_row *rows, size_t n,
                                           const char *engine, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].engine, engine) == 0 && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    cr_assert(false, "no row of engine %s is called %s", engine, name);
    return NULL;
}

Test(device_launch, the_trace_says_who_launched_what_and_when)
{
    struct simgpu_trace_row *rows;
    begin();
    cudaGraphExec_t root = launcher(), fired = storing(0, 1), tail = reading(1, 0);
    order((struct launch_orders){
        .n = 2, .execs = {fired, tail}, .streams = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL}});
    OK(cudaDeviceSynchronize());
    simgpu_trace_begin();
    run_exec(root, NULL);
    size_t n = simgpu_trace_end(&rows);
    const struct simgpu_trace_row *a = find(rows, n, "graph", "host"),
                                  *b = find(rows, n, "graph", "fire_and_forget by 1"),
                                  *c = find(rows, n, "graph", "tail after 1");
    cr_expect_eq(a->node, 1);
    cr_expect_eq(b->node, 2);
    cr_expect_eq(c->node, 3);
    const struct simgpu_trace_row *launcher = find(rows, n, "sm", "launch_orders"),
                                  *store = find(rows, n, "sm", "store"),
                                  *next = find(rows, n, "sm", "next");
    cr_expect_leq(b->end_ns, c->start_ns);
    cr_expect_leq(store->end_ns, next->start_ns);
    is_near((double)(store->start_ns - launcher->start_ns) / 1e3, "straight.fire.first");
    free(rows);
}

static double round_us(int rounds)
{
    order((struct launch_orders){.again = rounds});
    cudaGraphExec_t x = launcher();
    OK(cudaDeviceSynchronize());
    int64_t t0 = simgpu_now_ns();
    run_exec(x, NULL);
    return (double)(simgpu_now_ns() - t0) / 1e3 / rounds;
}

#ifdef __SANITIZE_ADDRESS__ /* it keeps what was freed */
enum { ROUNDS = 10000, MORE_KIB = 512 << 10 };
#else
enum { ROUNDS = 1000000, MORE_KIB = 4096 };
#endif

Test(device_launch, a_million_relaunches_take_no_memory)
{
    struct rusage before, after;
    struct launch_orders o;
    begin();
    is_near(round_us(1000), "straight.self.round");
    getrusage(RUSAGE_SELF, &before);
    is_near(round_us(ROUNDS), "straight.self.round");
    getrusage(RUSAGE_SELF, &after);
    cr_expect_lt(after.ru_maxrss - before.ru_maxrss, MORE_KIB, "%ld KiB more",
                 after.ru_maxrss - before.ru_maxrss);
    OK(cudaMemcpy(&o, orders, sizeof o, cudaMemcpyDeviceToHost));
    cr_expect_eq(o.again, 0);
}

/* ---- a loop without an end ------------------------------------------------------------------- */

static void loop_for_ever(void)
{
    begin();
    round_us(2000000000);
    _exit(0);
}

Test(device_launch, a_loop_without_an_end_can_be_ended, .timeout = 30)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        loop_for_ever();
    /* real time: the loop has no end, and no call returns */
    nanosleep(&(struct timespec){.tv_nsec = 400 * 1000 * 1000}, NULL);
    cr_expect_eq(waitpid(child, &status, WNOHANG), 0, "it goes on until it is ended");
    kill(child, SIGTERM);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
