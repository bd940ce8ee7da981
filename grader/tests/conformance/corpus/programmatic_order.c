/* programmatic_order.c: when kernels start that need not wait for the end of others, and what they
 * wait for. All by the device's clock. */
#include "../graphs.h"

enum { STEPS = 4, LONG_US = 400, SHORT_US = 20 };

static const struct situation_step triggers = {.triggers = 1, .after_us = LONG_US},
                                   never_triggers = {.after_us = LONG_US},
                                   waits = {.before_us = SHORT_US, .waits = 1, .after_us = 1},
                                   never_waits = {.after_us = 1},
                                   passes_on = {.triggers = 1, .waits = 1, .after_us = 1};

static const cudaGraphEdgeData completion = {.from_port = cudaGraphKernelNodePortLaunchCompletion,
                                             .type = cudaGraphDependencyTypeProgrammatic};
static const cudaGraphEdgeData untyped = {.from_port = cudaGraphKernelNodePortLaunchCompletion};
static const cudaGraphEdgeData plain;

static unsigned long long *device_times;

static cudaStream_t prepared(void)
{
    device_times = device_bytes(STEPS * 3 * sizeof *device_times);
    return nonblocking_stream();
}

static cudaGraphNode_t add_step(cudaGraph_t g, int number, struct situation_step s)
{
    unsigned long long *times = device_times + 3 * number;
    void *args[] = {&s, &times};
    return add_kernel(g, NULL, situation_note_times(), args);
}

static void link(cudaGraph_t g, cudaGraphNode_t from, cudaGraphNode_t to,
                 const cudaGraphEdgeData *data)
{
    MUST(cudaGraphAddDependencies(g, &from, &to, data, 1));
}

/* Clocks differ by a few microseconds between kernels of the simulated device. */
static const char *beside(unsigned long long t, unsigned long long end)
{
    return t + 500ull * LONG_US < end ? "beside" : "after";
}

/* "b: starts beside a, goes on after a": kernel 0 is a. */
static void answer_order(int number)
{
    unsigned long long t[STEPS][3];
    char label[] = {(char)('a' + number), 0};
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(t, device_times, sizeof t, cudaMemcpyDeviceToHost));
    answer_fact(label, "starts %s a, goes on %s a", beside(t[number][0], t[0][2]),
                beside(t[number][1], t[0][2]));
}

static void run_steps(cudaGraph_t g, int n)
{
    cudaStream_t s = nonblocking_stream();
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphLaunch(x, s));
    for (int i = 1; i < n; i++)
        answer_order(i);
}

/* a -> b */
static void two_steps(struct situation_step a, struct situation_step b,
                      const cudaGraphEdgeData *data)
{
    prepared();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t first = add_step(g, 0, a);
    link(g, first, add_step(g, 1, b), data);
    run_steps(g, 2);
}

/* a -> b -> c */
static cudaGraph_t three_steps(struct situation_step b, const cudaGraphEdgeData *b_to_c,
                               cudaGraphNode_t *second)
{
    prepared();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t first = add_step(g, 0, triggers);
    *second = add_step(g, 1, b);
    link(g, first, *second, &programmatic_edge);
    link(g, *second, add_step(g, 2, waits), b_to_c);
    return g;
}

ROW(two_steps(triggers, waits, &programmatic_edge),
    "a kernel that triggers at its start, then a programmatic edge",
    "b: starts beside a, goes on after a")
ROW(two_steps(never_triggers, waits, &programmatic_edge),
    "a kernel that never triggers, then a programmatic edge", "b: starts after a, goes on after a")
ROW(two_steps(never_triggers, waits, &completion),
    "a programmatic edge from the launch of a kernel", "b: starts beside a, goes on after a")
ROW(two_steps(never_triggers, waits, &untyped),
    "an edge from the launch of a kernel, without a type, to one that waits",
    "b: starts beside a, goes on beside a")
ROW(two_steps(triggers, waits, &plain),
    "a kernel that triggers, then a plain edge to one that waits",
    "b: starts after a, goes on after a")

ROW(run_steps(three_steps(never_waits, &plain, &(cudaGraphNode_t){0}), 3),
    "a, then a programmatic edge to b, which never waits, then a plain one",
    "b: starts beside a, goes on beside a", "c: starts after a, goes on after a")
ROW(run_steps(three_steps(never_waits, &programmatic_edge, &(cudaGraphNode_t){0}), 3),
    "two programmatic edges; b neither waits nor triggers", "b: starts beside a, goes on beside a",
    "c: starts beside a, goes on after a")
ROW(run_steps(three_steps(passes_on, &programmatic_edge, &(cudaGraphNode_t){0}), 3),
    "two programmatic edges; b triggers and then waits", "b: starts beside a, goes on after a",
    "c: starts beside a, goes on after a")

SITUATION("two programmatic edges; b is disabled: c", "c: starts beside a, goes on after a")
{
    cudaGraphNode_t b;
    cudaGraph_t g = three_steps(waits, &programmatic_edge, &b);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphNodeSetEnabled(x, b, 0));
    MUST(cudaGraphLaunch(x, nonblocking_stream()));
    answer_order(2);
}

SITUATION("a programmatic edge and a plain one from a short kernel to b",
          "b: starts after a, goes on after a")
{
    prepared();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_step(g, 0, triggers), b = add_step(g, 1, waits);
    link(g, a, b, &programmatic_edge);
    link(g, add_step(g, 2, never_waits), b, &plain);
    run_steps(g, 2);
}

SITUATION("a programmatic edge in a child graph", "b: starts beside a, goes on after a")
{
    prepared();
    cudaGraph_t child = new_graph(), g = new_graph();
    cudaGraphNode_t a = add_step(child, 0, triggers);
    link(child, a, add_step(child, 1, waits), &programmatic_edge);
    add_child(g, NULL, child);
    run_steps(g, 2);
}

SITUATION("a graph whose last kernel starts early and never waits; then a kernel",
          "b: starts beside a, goes on beside a", "c: starts after a, goes on after a")
{
    cudaStream_t s = prepared();
    cudaGraph_t g = new_graph();
    cudaGraphNode_t a = add_step(g, 0, triggers);
    link(g, a, add_step(g, 1, never_waits), &programmatic_edge);
    MUST(cudaGraphLaunch(new_exec(g), s));
    struct situation_step last = waits;
    unsigned long long *times = device_times + 6;
    MUST(launch_one(situation_note_times(), (void *[]){&last, &times}, s));
    answer_order(1);
    answer_order(2);
}

/* a, then b with programmatic stream serialization; `between`: in the stream before b. */
static void serialized(struct situation_step b, void between(cudaStream_t))
{
    cudaStream_t s = prepared();
    struct situation_step a = triggers;
    unsigned long long *second = device_times + 3;
    cudaLaunchAttribute early = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                 .val = {.programmaticStreamSerializationAllowed = 1}};
    cudaLaunchConfig_t c = {
        .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = s, .attrs = &early, .numAttrs = 1};
    prepare_work();
    MUST(launch_one(situation_note_times(), (void *[]){&a, &device_times}, s));
    if (between)
        between(s);
    MUST(cudaLaunchKernelExC(&c, situation_note_times(), (void *[]){&b, &second}));
    answer_order(1);
}

ROW(serialized(waits, NULL), "programmatic stream serialization: b waits",
    "b: starts beside a, goes on after a")
ROW(serialized(never_waits, NULL), "programmatic stream serialization: b never waits",
    "b: starts beside a, goes on beside a")
ROW(serialized(waits, some_work), "programmatic stream serialization with a memset before b",
    "b: starts after a, goes on after a")
