/* test_conditional.c: conditional nodes: the ordering checks see through their bodies, and loops
 * are quick, small and can be ended. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../random/conditional_kernels.h"
#include "sim_graphs.h"

/* ---- graphs of a conditional node ------------------------------------------------------------ */

static struct conditional_log *log_new(void)
{
    struct conditional_log *log = zeros(sizeof *log);
    OK(cudaDeviceSynchronize());
    return log;
}

static cudaGraphNode_t add_write(cudaGraph_t g, cudaGraphNode_t after, struct conditional_log *log)
{
    int letter = 'x';
    void *args[] = {&log, &letter};
    return add_kernel(g, after, conditional_write(), args);
}

/* A WHILE of `rounds` rounds whose body writes into the log. */
static cudaGraph_t loop_of(struct conditional_log *log, int rounds)
{
    cudaGraph_t g = new_graph(), body;
    unsigned *runs = zeros(sizeof *runs);
    int letter = 'r';
    OK(cudaDeviceSynchronize());
    cudaGraphConditionalHandle h = handle_of(g, 1);
    add_conditional(g, NULL, h, cudaGraphCondTypeWhile, &body);
    void *args[] = {&log, &letter, &runs, &rounds, &h};
    add_kernel(body, NULL, conditional_round(), args);
    return g;
}

static cudaStream_t launched(cudaGraph_t g)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaGraphLaunch(new_exec(g), s));
    return s;
}

/* ---- ordering checks ------------------------------------------------------------------------- */

Test(conditional, a_body_that_races_with_a_branch_beside_it_is_found_and_both_are_named)
{
    struct conditional_log *log = log_new();
    struct simgpu_finding f[4];
    cudaGraph_t g = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    add_write(g, NULL, log);
    void *args[] = {&log, &log};
    add_kernel(body, NULL, conditional_read(), args);
    OK(cudaStreamSynchronize(launched(g)));
    cr_assert_geq(simgpu_findings(f, 4), 1);
    cr_expect_eq(f[0].kind, SIMGPU_RACE);
    cr_expect_neq(f[0].first.node, f[0].second.node, "%s", finding_text(&f[0]));
    cr_expect(strstr(finding_text(&f[0]), "write (node 1") &&
                  strstr(finding_text(&f[0]), "read (node 2"),
              "%s", finding_text(&f[0]));
}

Test(conditional, a_body_comes_after_what_its_node_waits_for_and_before_what_waits_for_it)
{
    struct conditional_log *log = log_new();
    cudaGraph_t g = new_graph(), body, inner;
    cudaGraphNode_t n = add_write(g, NULL, log);
    n = add_conditional(g, n, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    add_write(g, n, log);
    n = add_write(body, NULL, log);
    n = add_conditional(body, n, handle_of(g, 1), cudaGraphCondTypeIf, &inner);
    add_write(body, n, log);
    add_write(inner, NULL, log);
    OK(cudaStreamSynchronize(launched(g)));
    cr_expect_eq(simgpu_findings(NULL, 0), 0);
}

Test(conditional, two_branches_of_one_body_that_race_are_found)
{
    struct conditional_log *log = log_new();
    cudaGraph_t g = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    add_write(body, NULL, log);
    add_write(body, NULL, log);
    OK(cudaStreamSynchronize(launched(g)));
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_RACE);
}

static void add_memset(cudaGraph_t g, struct conditional_log *log)
{
    cudaGraphNode_t n;
    const struct cudaMemsetParams m = {
        .dst = log, .value = 5, .elementSize = 1, .width = sizeof *log, .height = 1};
    OK(cudaGraphAddMemsetNode(&n, g, NULL, 0, &m));
}

/* Its accesses are declared when the graph is launched. */
Test(conditional, a_memset_of_a_body_is_named_with_the_stream_of_the_launch)
{
    struct conditional_log *log = log_new();
    cudaGraph_t g = new_graph(), body;
    add_memset(g, log);
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    add_memset(body, log);
    cudaGraphExec_t x = new_exec(g);
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(log, 0, 1, s));
    run_exec(x, s);
    const struct simgpu_finding f = only_finding();
    cr_expect(strstr(finding_text(&f),
                     " and memset (node 2 of the graph launched in stream 1, operation 1) both "),
              "%s", finding_text(&f));
}

Test(conditional, what_only_a_body_writes_may_be_copied_in_the_stream_at_once)
{
    struct conditional_log *log, *host;
    OK(cudaMalloc((void **)&log, sizeof *log)); /* never written but by the body */
    OK(cudaMallocHost((void **)&host, sizeof *host));
    cudaGraph_t g = new_graph(), body;
    add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeIf, &body);
    add_memset(body, log);
    cudaStream_t s = launched(g);
    OK(cudaMemcpyAsync(host, log, sizeof *host, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    cr_expect_eq(host->hash, 0x05050505u);
    cr_expect_eq(simgpu_findings(NULL, 0), 0);
}

Test(conditional, a_body_that_reads_what_nobody_writes_is_found_when_it_runs)
{
    struct conditional_log *log = log_new();
    for (unsigned value = 0; value < 2; value++) {
        cudaGraph_t g = new_graph(), body;
        unsigned *cell;
        OK(cudaMalloc((void **)&cell, sizeof *cell));
        add_conditional(g, NULL, handle_of(g, value), cudaGraphCondTypeIf, &body);
        void *args[] = {&log, &cell};
        add_kernel(body, NULL, conditional_read(), args);
        OK(cudaStreamSynchronize(launched(g)));
        expect_findings(value);
    }
    cr_expect_eq(only_finding().kind, SIMGPU_UNINITIALIZED_READ);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static double loop_us(int rounds)
{
    struct conditional_log *log = log_new();
    cudaGraph_t g = loop_of(log, rounds);
    int64_t t0 = simgpu_now_ns();
    OK(cudaStreamSynchronize(launched(g)));
    struct conditional_log seen;
    double us = (double)(simgpu_now_ns() - t0) * 1e-3;
    OK(cudaMemcpy(&seen, log, sizeof seen, cudaMemcpyDeviceToHost));
    cr_expect_eq(seen.n, (unsigned)rounds);
    return us;
}

Test(conditional, an_iteration_costs_what_it_costs_an_H200)
{
    double each = (loop_us(1010) - loop_us(10)) / 1000;
    cr_expect(each > 4.33 * 0.9 && each < 4.49 * 1.1, "%.3f us a round; an H200 takes 4.33 to 4.49",
              each);
}

Test(conditional, a_loop_of_a_million_iterations_takes_no_more_memory_than_one_of_ten)
{
    loop_us(10);
    size_t before = mallinfo2().uordblks;
    loop_us(1000000);
    size_t after = mallinfo2().uordblks;
    cr_expect_lt(after, before + 100000, "%zu bytes more", after - before);
}

/* Kilobytes of memory that the process holds. */
static long resident_kb(pid_t pid)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmRSS: %ld", &kb);
    if (f)
        fclose(f);
    return kb;
}

Test(conditional, an_endless_loop_can_be_ended_and_takes_no_more_and_more_memory)
{
    int ready[2], status = 0;
    char byte;
    cr_assert_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        cudaGraph_t g = new_graph(), body;
        struct conditional_log *log = log_new();
        add_conditional(g, NULL, handle_of(g, 1), cudaGraphCondTypeWhile, &body);
        add_write(body, NULL, log);
        cudaStream_t s = launched(g);
        if (write(ready[1], "!", 1) == 1)
            cudaStreamSynchronize(s);
        _exit(0);
    }
    cr_assert_gt(child, 0);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    usleep(100000); /* real time: the loop has no end, and its virtual time means nothing here */
    long first = resident_kb(child);
    usleep(400000);
    long later = resident_kb(child);
    cr_assert_eq(kill(child, SIGTERM), 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status %x", status);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what was freed for a while */
    cr_expect(first > 0 && later < first + 2000, "%ld KB, then %ld", first, later);
#else
    cr_expect(first > 0 && later > 0);
#endif
}

Test(conditional, the_host_cannot_set_a_value, .signal = SIGABRT)
{
    simgpu_set_condition(handle_of(new_graph(), 1), 0);
}
