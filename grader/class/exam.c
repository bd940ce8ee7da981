/* exam.c: an exam whose numbers are drawn from a seed: exam SEED QUESTIONS ANSWERS writes two
 * pages. Each answer is a formula. Where a run can confirm it, the simulated device runs the case,
 * and a formula that is off by more than a few percent ends the program. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/clock.h"
#include "common/splitmix.h"
#include "kernels/kernels.h"

enum { MOST_STAGES = 8, MOST_ITEMS = 16, MOST_SHAPES = 9 };

static FILE *asked, *answers;
static uint64_t drawn;
static int number;
static cudaStream_t streams[MOST_STAGES];

/* A number from least to most. */
static int draw(int least, int most)
{
    return least + (int)(splitmix(&drawn) % (unsigned)(most - least + 1));
}

__attribute__((format(printf, 2, 3))) static void ask(const char *labs, const char *words, ...)
{
    va_list list;
    va_start(list, words);
    fprintf(asked, "\n## Question %d (lab %s)\n\n", ++number, labs);
    vfprintf(asked, words, list);
    va_end(list);
    fprintf(answers, "\n## Question %d (lab %s)\n\n", number, labs);
}

__attribute__((format(printf, 1, 2))) static void answer(const char *words, ...)
{
    va_list list;
    va_start(list, words);
    vfprintf(answers, words, list);
    va_end(list);
}

/* Device and formula agree up to 2 %, and to the launches, which some questions leave out. */
enum { LAUNCHES_US = 40 };

static void confirm(double formula_us, double simulated_us, double left_out_us)
{
    if (fabs(simulated_us - formula_us) > 0.02 * formula_us + left_out_us) {
        fprintf(stderr, "exam: question %d: %.1f us by formula, %.1f us simulated\n", number,
                formula_us, simulated_us);
        exit(1);
    }
    answer("Simulated: %.0f µs.\n", simulated_us);
}

static cudaEvent_t new_event(void)
{
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

/* Each stage has a stream. An item goes through all stages; an item's set is free after its
 * last. */
static double pipeline_us(const int *stage_us, int stages, int items, int sets)
{
    cudaEvent_t done[MOST_STAGES][MOST_ITEMS];
    double t0 = clock_now_us();
    for (int i = 0; i < items; i++)
        for (int s = 0; s < stages; s++) {
            if (s > 0)
                CHECK(cudaStreamWaitEvent(streams[s], done[s - 1][i], 0));
            else if (i >= sets)
                CHECK(cudaStreamWaitEvent(streams[s], done[stages - 1][i - sets], 0));
            CHECK(launch_delay((float)stage_us[s], streams[s]));
            CHECK(cudaEventRecord(done[s][i] = new_event(), streams[s]));
        }
    CHECK(cudaDeviceSynchronize());
    double us = clock_now_us() - t0;
    for (int i = 0; i < items; i++)
        for (int s = 0; s < stages; s++)
            CHECK(cudaEventDestroy(done[s][i]));
    return us;
}

static int longest(const int *us, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = us[i] > most ? us[i] : most;
    return most;
}

static void pipeline(void)
{
    const int us[3] = {10 * draw(12, 60), 10 * draw(12, 60), 10 * draw(12, 60)},
              items = draw(6, MOST_ITEMS), most = longest(us, 3),
              total = us[0] + us[1] + us[2] + (items - 1) * most;
    ask("03",
        "Of each of %d batches, the copy to the device takes %d µs, the kernel %d µs and the copy "
        "back %d µs. The three engines work at the same time, and there is memory for all batches. "
        "How long do all batches take at least? Which engine is the limit?\n",
        items, us[0], us[1], us[2]);
    answer("%d + %d + %d + %d * %d = %d µs. The limit is the stage of %d µs.\n", us[0], us[1],
           us[2], items - 1, most, total, most);
    confirm(total, pipeline_us(us, 3, items, items), LAUNCHES_US);
}

static void ring(void)
{
    int us[3], sets, sum, most;
    do { /* until no rounding decides */
        for (int s = 0; s < 3; s++)
            us[s] = 10 * draw(12, 60);
        sum = us[0] + us[1] + us[2], most = longest(us, 3);
        sets = (sum + most - 1) / most;
    } while (sum < 1.15 * (sets - 1) * most);
    ask("03",
        "The stages of a batch take %d, %d and %d µs, as in question 1, for many batches. A batch "
        "uses one set of buffers from the begin of its first stage to the end of its last one. How "
        "many sets does the ring need, so that the slowest stage never waits for a set? How long "
        "does a batch take on average with one set less?\n",
        us[0], us[1], us[2]);
    answer("A set is in use for %d µs, and every %d µs a batch begins: %d sets. With %d: %d / %d = "
           "%.0f µs for each batch.\n",
           sum, most, sets, sets - 1, sum, sets - 1, (double)sum / (sets - 1));
    confirm(sum + (MOST_ITEMS - 1.0) * most, pipeline_us(us, 3, MOST_ITEMS, sets), LAUNCHES_US);
    const int late = (MOST_ITEMS - 1) % (sets - 1), rounds = (MOST_ITEMS - 1) / (sets - 1);
    confirm((rounds + 1.0) * sum + (double)late * most, pipeline_us(us, 3, MOST_ITEMS, sets - 1),
            LAUNCHES_US);
}

static cudaGraphExec_t end_capture(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

static double replays_us(cudaGraphExec_t exec, int n)
{
    double t0 = clock_now_us();
    for (int i = 0; i < n; i++) {
        CHECK(cudaGraphLaunch(exec, streams[0]));
        CHECK(cudaStreamSynchronize(streams[0]));
    }
    return clock_now_us() - t0;
}

static double serial_us(const int *us, int n)
{
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    for (int s = 0; s < 3; s++)
        CHECK(launch_delay((float)us[s], streams[0]));
    cudaGraphExec_t exec = end_capture();
    replays_us(exec, 1);
    double time_us = replays_us(exec, n);
    CHECK(cudaGraphExecDestroy(exec));
    return time_us;
}

static void prediction(void)
{
    const int known[3] = {draw(20, 60), draw(20, 60), draw(20, 60)},
              other[3] = {draw(20, 60), draw(20, 60), draw(20, 60)}, n = draw(5, 20),
              m = draw(21, 40);
    const double known_us = serial_us(known, n),
                 fixed_us = (known_us - n * (known[0] + known[1] + known[2])) / n,
                 total_us = m * (fixed_us + other[0] + other[1] + other[2]);
    ask("04",
        "A graph has three kernels of %d, %d and %d µs, one after another. %d replays, each with a "
        "wait of the host, take %.0f µs on the simulated device. How long do %d replays take if "
        "the kernels take %d, %d and %d µs?\n",
        known[0], known[1], known[2], n, known_us, m, other[0], other[1], other[2]);
    answer("Each replay costs %.1f µs beside its kernels: %d * (%.1f + %d + %d + %d) = %.0f µs.\n",
           fixed_us, m, fixed_us, other[0], other[1], other[2], total_us);
    confirm(total_us, serial_us(other, m), 0);
}

enum { NODES = 7 };

/* Kernel j of the graph in a stream of its own waits for the kernels before[j]. */
static double graph_us(const int *us, int before[NODES][2])
{
    cudaEvent_t done[NODES];
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    for (int j = 0; j < NODES; j++) {
        for (int k = 0; j > 0 && k < 2; k++)
            CHECK(cudaStreamWaitEvent(streams[j], done[before[j][k]], 0));
        CHECK(launch_delay((float)us[j], streams[j]));
        CHECK(cudaEventRecord(done[j] = new_event(), streams[j]));
    }
    for (int j = 1; j < NODES; j++)
        CHECK(cudaStreamWaitEvent(streams[0], done[j], 0));
    cudaGraphExec_t exec = end_capture();
    replays_us(exec, 1);
    double time_us = replays_us(exec, 1);
    CHECK(cudaGraphExecDestroy(exec));
    for (int j = 0; j < NODES; j++)
        CHECK(cudaEventDestroy(done[j]));
    return time_us;
}

static void critical_path(void)
{
    int us[NODES], before[NODES][2] = {{0}}, end[NODES], last = 0, sum = 0;
    ask("05", "A graph has these kernels, which can all run at the same time:\n\n"
              "| kernel | µs | waits for |\n| --- | ---: | --- |\n");
    for (int j = 0; j < NODES; j++) {
        sum += us[j] = draw(120, 600);
        end[j] = us[j];
        for (int k = 0; j > 0 && k < 2; k++) {
            before[j][k] = draw(j > 3 ? j - 3 : 0, j - 1);
            end[j] = end[before[j][k]] + us[j] > end[j] ? end[before[j][k]] + us[j] : end[j];
        }
        last = end[j] > end[last] ? j : last;
        fprintf(asked, "| %c | %d |", 'A' + j, us[j]);
        if (j > 0)
            fprintf(asked, before[j][0] == before[j][1] ? " %c" : " %c, %c", 'A' + before[j][0],
                    'A' + before[j][1]);
        fprintf(asked, " |\n");
    }
    fprintf(asked, "\nWhich kernels are on the critical path? How long does a launch take at "
                   "least, and how many times as fast is that as one stream?\n");
    answer("From the last kernel back: %c", 'A' + last);
    for (int j = last; end[j] != us[j];)
        for (int k = 1; k >= 0; k--)
            if (end[before[j][k]] + us[j] == end[j]) {
                answer(", %c", 'A' + (j = before[j][k]));
                break;
            }
    answer(". %d µs; %d / %d = %.2f times as fast.\n", end[last], sum, end[last],
           (double)sum / end[last]);
    confirm(end[last], graph_us(us, before), LAUNCHES_US);
}

static void chain(int n)
{
    for (int i = 0; i < n; i++)
        CHECK(launch_empty(1, streams[0]));
}

static double streams_us(int n, int times)
{
    double t0 = clock_now_us();
    for (int i = 0; i < times; i++) {
        chain(n);
        CHECK(cudaStreamSynchronize(streams[0]));
    }
    return clock_now_us() - t0;
}

/* Builds the graph of a chain. once_us: how long that takes */
static cudaGraphExec_t new_chain(int n, double *once_us)
{
    const double t0 = clock_now_us();
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    chain(n);
    cudaGraphExec_t exec = end_capture();
    CHECK(cudaGraphUpload(exec, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
    *once_us = clock_now_us() - t0;
    return exec;
}

static void break_even(void)
{
    const int n = draw(2, 12), shapes = draw(2, MOST_SHAPES);
    double once_us, again_us;
    cudaGraphExec_t exec = new_chain(n, &once_us);
    const double graph = replays_us(exec, 100) / 100, stream = streams_us(n, 100) / 100,
                 all_us = shapes * once_us;
    const int first = (int)ceil(all_us / (stream - graph));
    ask("09",
        "A request is a chain of %d kernels. It takes %.2f µs with stream launches, and %.2f µs as "
        "a graph, each with a wait of the host. A service builds the graphs of its %d shapes at "
        "the start: capture, instantiation and upload take %.2f µs for each. After how many "
        "requests do the graphs pay? And if each request has another shape?\n",
        n, stream, graph, shapes, once_us);
    answer("%d * %.2f / (%.2f - %.2f) = %.2f: after %d requests. With another shape for each "
           "request a graph costs %.2f µs and saves %.2f µs: never.\n",
           shapes, once_us, stream, graph, all_us / (stream - graph), first, once_us,
           stream - graph);
    CHECK(cudaGraphExecDestroy(exec));
    cudaGraphExec_t execs[MOST_SHAPES];
    double service_us = clock_now_us();
    for (int i = 0; i < shapes; i++)
        execs[i] = new_chain(n, &again_us);
    service_us = clock_now_us() - service_us + replays_us(execs[0], first);
    confirm(all_us + first * graph, service_us, 0);
    for (int i = 0; i < shapes; i++)
        CHECK(cudaGraphExecDestroy(execs[i]));
}

static void micro_batches(void)
{
    int us[MOST_STAGES];
    const int stages = draw(3, 6), items = draw(4, 12), each = 10 * draw(12, 60),
              percent = draw(8, 24), total = (items + stages - 1) * each;
    for (int s = 0; s < stages; s++)
        us[s] = each;
    ask("12",
        "A model is split into %d equal stages on %d GPUs. A stage takes %d µs for a micro-batch; "
        "copies take no time. How long do %d micro-batches take, and how many times as fast is "
        "that as one GPU? How many micro-batches keep the bubble at %d %% or less?\n",
        stages, stages, each, items, percent);
    answer("(%d + %d - 1) * %d = %d µs; %d * %d / %d = %.2f times as fast. (%d - 1) / (M + %d - 1) "
           "<= %d %% from M = %d on.\n",
           items, stages, each, total, items * stages, each, total,
           (double)items * stages / (items + stages - 1), stages, stages, percent,
           ((stages - 1) * (100 - percent) + percent - 1) / percent);
    confirm(total, pipeline_us(us, stages, items, items), LAUNCHES_US);
}

static void all_reduce(void)
{
    const int devices = draw(3, 8), mib = devices * draw(2, 16);
    ask("14",
        "%d devices reduce a message of %d MiB, and each of them needs the sum. How many MiB does "
        "each device send in one shot, and in two? How many does device 0 receive and send if it "
        "adds everything?\n",
        devices, mib);
    answer("One shot: %d * %d = %d MiB. Two: 2 * %d * %d / %d = %d MiB. Device 0 receives %d MiB "
           "and sends as much. (Calculated.)\n",
           devices - 1, mib, (devices - 1) * mib, devices - 1, mib, devices,
           2 * (devices - 1) * mib / devices, (devices - 1) * mib);
}

int main(int argc, char **argv)
{
    void (*const questions[])(void) = {pipeline,   ring,          prediction, critical_path,
                                       break_even, micro_batches, all_reduce};
    if (argc != 4 || !(asked = fopen(argv[2], "w")) || !(answers = fopen(argv[3], "w"))) {
        fprintf(stderr,
                "usage: exam SEED QUESTIONS.md ANSWERS.md, two files that can be written\n");
        return 2;
    }
    drawn = strtoull(argv[1], NULL, 10);
    for (int s = 0; s < MOST_STAGES; s++)
        CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    pipeline_us((int[]){10, 10, 10}, 3, 2, 2); /* what a first run costs more */
    fprintf(asked, "# Streams and graphs: exam %s\n", argv[1]);
    fprintf(answers, "# Streams and graphs: exam %s, answers\n", argv[1]);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        questions[i]();
    return fclose(asked) || fclose(answers);
}
