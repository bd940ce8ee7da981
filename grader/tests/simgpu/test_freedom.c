/* test_freedom.c: SIMGPU_FREEDOM draws what NVIDIA leaves open (core/freedoms.def). A right program
 * has the same result at each seed. A program that is right by luck has another one at some seed.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/simgpu/kernel/thread.h"
#include "sim_graphs.h"
#include "stderr_text.h"

enum { SEEDS = 40, LONG_US = 100, BYTES = 1 << 20 };

/* ---- a kernel: *to = 10 * *from + digit; or a condition's value ------------------------------ */

struct step {
    const int *from; /* NULL: *to = digit */
    int *to;
    int digit;
    float us;
    cudaGraphConditionalHandle sets; /* 0: none */
    int waits;                       /* for the kernel that it may start before the end of */
};

static void step_call(void *const *params)
{
    const struct step *s = params[0];
    simgpu_launch_dependents();
    if (s->waits)
        simgpu_wait_for_dependencies();
    if (s->sets)
        simgpu_set_condition(s->sets, (unsigned)s->digit);
    else
        *s->to = (s->from ? 10 * *s->from : 0) + s->digit;
}

static void step_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    const struct step *s = params[0];
    (void)l;
    if (s->from)
        w->ranges[w->n_ranges++] = (struct simgpu_range){
            .base = s->from, .width_bytes = sizeof(int), .rows = 1, .access = SIMGPU_READ};
    if (s->to)
        w->ranges[w->n_ranges++] = (struct simgpu_range){
            .base = s->to, .width_bytes = sizeof(int), .rows = 1, .access = SIMGPU_WRITE};
    w->delay_us = s->us;
    w->triggers = s->waits;
    w->waits_for_grids = s->waits;
}

KERNEL_OF(step);

static void setup(void)
{
    setup_kernel(&step_kernel);
}

TestSuite(freedom, .init = setup);

static void run_with(struct step s, cudaStream_t in, cudaLaunchAttribute *attribute)
{
    void *args[] = {&s};
    cudaLaunchConfig_t c = {.gridDim = {1, 1, 1},
                            .blockDim = {1, 1, 1},
                            .stream = in,
                            .attrs = attribute,
                            .numAttrs = attribute != NULL};
    OK(cudaLaunchKernelExC(&c, &step_kernel, args));
}

static void run(struct step s, cudaStream_t in)
{
    run_with(s, in, NULL);
}

/* Appends the digit. */
static void append(int *x, int digit, float us, cudaStream_t in)
{
    run((struct step){.from = x, .to = x, .digit = digit, .us = us}, in);
}

static int value_of(const int *x)
{
    int value;
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* What the programs below use. */
static int *x, *y;
static cudaStream_t a, b, blocking;
static cudaEvent_t event;
static int host_log;
static char *device, pageable[BYTES];

static void prepare(void)
{
    if (!x) {
        x = zeros(sizeof *x);
        y = zeros(sizeof *y);
        device = zeros(BYTES);
        a = stream(cudaStreamNonBlocking);
        b = stream(cudaStreamNonBlocking);
        blocking = stream(cudaStreamDefault);
        OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    OK(cudaMemset(x, 0, sizeof *x));
    OK(cudaMemset(y, 0, sizeof *y));
    OK(cudaMemset(device, 0, BYTES));
    OK(cudaDeviceSynchronize());
    memset(pageable, 0, BYTES);
    host_log = 0;
}

/* ---- right programs -------------------------------------------------------------------------- */

static int orders_by_events(void)
{
    append(x, 1, LONG_US, a);
    OK(cudaEventRecord(event, a));
    OK(cudaStreamWaitEvent(b, event, 0));
    append(x, 2, 0, b);
    OK(cudaEventRecord(event, b));
    OK(cudaStreamWaitEvent(a, event, 0));
    append(x, 3, 0, a);
    return value_of(x);
}

static int frees_in_order(void)
{
    for (int i = 1; i <= 4; i++) {
        int *p;
        OK(cudaMallocAsync((void **)&p, sizeof *p, a));
        run((struct step){.to = p, .digit = i}, a);
        run((struct step){.from = p, .to = x, .digit = i}, a);
        OK(cudaFreeAsync(p, a));
    }
    return value_of(x);
}

static int starts_early_and_waits(void)
{
    cudaLaunchAttribute early = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                 .val = {.programmaticStreamSerializationAllowed = 1}};
    for (int i = 1; i <= 4; i++)
        run_with((struct step){.from = x, .to = x, .digit = i, .us = 10, .waits = 1}, a, &early);
    return value_of(x);
}

static int copies_in_the_stream(void)
{
    memset(pageable, 7, BYTES);
    OK(cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, a));
    memset(pageable, 0, BYTES); /* the call has read it */
    run((struct step){.from = (int *)(device + BYTES) - 1, .to = x}, a);
    OK(cudaMemcpyAsync(pageable, x, sizeof(int), cudaMemcpyDeviceToHost, a));
    OK(cudaStreamSynchronize(a));
    int value;
    memcpy(&value, pageable, sizeof value);
    return value;
}

static int copies_before_a_blocking_stream(void)
{
    memset(pageable, 7, BYTES);
    OK(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
    run((struct step){.from = (int *)(device + BYTES) - 1, .to = x}, blocking);
    return value_of(x);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static cudaGraphNode_t add(cudaGraph_t g, cudaGraphNode_t after, struct step s)
{
    return add_kernel(g, after, &step_kernel, (void *[]){&s});
}

static int launch(cudaGraph_t g)
{
    const cudaGraphExec_t exec = new_exec(g);
    OK(cudaGraphLaunch(exec, a));
    const int value = value_of(x);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    return value;
}

static cudaGraph_t graph_of_if(unsigned flags, int kernel_sets)
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t before = NULL;
    OK(cudaGraphConditionalHandleCreate(&h, g, 0, flags));
    if (kernel_sets)
        before = add(g, NULL, (struct step){.sets = h, .digit = 1});
    add_conditional(g, before, h, cudaGraphCondTypeIf, &body);
    add(body, NULL, (struct step){.to = x, .digit = 5});
    return g;
}

static int handle_with_default(void)
{
    return launch(graph_of_if(cudaGraphCondAssignDefault, 0));
}

static int kernel_sets_handle(void)
{
    return launch(graph_of_if(0, 1));
}

static int ordered_nodes(void)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t first = add(g, NULL, (struct step){.to = x, .digit = 1, .us = LONG_US});
    add(g, first, (struct step){.from = x, .to = x, .digit = 2});
    return launch(g);
}

/* ---- programs that are right by luck --------------------------------------------------------- */

static int handle_without_default(void)
{
    return launch(graph_of_if(0, 0));
}

static int unordered_nodes(void)
{
    cudaGraph_t g = new_graph();
    add(g, NULL, (struct step){.to = x, .digit = 1});
    add(g, NULL, (struct step){.to = x, .digit = 2, .us = LONG_US});
    return launch(g);
}

static int unordered_streams(void)
{
    run((struct step){.to = x, .digit = 1}, a);
    run((struct step){.to = x, .digit = 2, .us = LONG_US}, b);
    return value_of(x);
}

static int reads_what_it_freed(void)
{
    for (int i = 0; i < 2; i++) {
        int *p;
        OK(cudaMallocAsync((void **)&p, sizeof *p, a));
        if (i == 0)
            run((struct step){.to = p, .digit = 6}, a);
        else
            run((struct step){.from = p, .to = x}, a);
        OK(cudaFreeAsync(p, a));
    }
    return value_of(x);
}

static int copies_beside_a_stream(void)
{
    memset(pageable, 7, BYTES);
    OK(cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice));
    run((struct step){.from = (int *)(device + BYTES) - 1, .to = x}, a);
    return value_of(x);
}

static int copies_back_without_a_wait(void)
{
    int value = -1;
    run((struct step){.to = x, .digit = 4}, a);
    OK(cudaMemcpyAsync(pageable, x, sizeof *x, cudaMemcpyDeviceToHost, a));
    memcpy(&value, pageable, sizeof value);
    OK(cudaDeviceSynchronize());
    return value;
}

/* The event only says that the kernel has started. */
static int waits_for_the_start_of_a_kernel(void)
{
    cudaLaunchAttribute started = {.id = cudaLaunchAttributeLaunchCompletionEvent,
                                   .val = {.launchCompletionEvent = {.event = event}}};
    run_with((struct step){.to = y, .digit = 1, .us = LONG_US}, a, &started);
    OK(cudaStreamWaitEvent(b, event, 0));
    run((struct step){.from = y, .to = x}, b);
    return value_of(x);
}

static void note_1(void *unused)
{
    (void)unused;
    host_log = 10 * host_log + 1;
}

static void note_2(void *unused)
{
    (void)unused;
    host_log = 10 * host_log + 2;
}

static int host_functions_of_two_streams(void)
{
    OK(cudaLaunchHostFunc(a, note_1, NULL));
    OK(cudaLaunchHostFunc(b, note_2, NULL));
    OK(cudaDeviceSynchronize());
    return host_log;
}

/* In virtual time, from its begin to its end. */
static int64_t lasts[2][2];

static void note_time(void *which)
{
    int64_t *of = which;
    of[0] = simgpu_now_ns();
    simgpu_host_work_ns(LONG_US * 1000);
    of[1] = simgpu_now_ns();
}

static int host_functions_overlap(void)
{
    OK(cudaLaunchHostFunc(a, note_time, lasts[0]));
    OK(cudaLaunchHostFunc(b, note_time, lasts[1]));
    OK(cudaDeviceSynchronize());
    return lasts[0][0] < lasts[1][1] && lasts[1][0] < lasts[0][1];
}

/* An alloc node after the free node of another one. */
static int graph_memory_is_used_again(void)
{
    int *p, *q;
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    OK(cudaMallocAsync((void **)&p, sizeof *p, a));
    OK(cudaFreeAsync(p, a));
    OK(cudaMallocAsync((void **)&q, sizeof *q, a));
    OK(cudaFreeAsync(q, a));
    OK(cudaGraphDestroy(end_capture(a)));
    return p == q;
}

static const struct program {
    const char *name;
    int (*run)(void);
    int result; /* of an H200 */
    int is_luck;
} programs[] = {
#define RIGHT(name, result)                                                                        \
    {                                                                                              \
#name, name, result, 0                                                                     \
    }
#define LUCK(name, result)                                                                         \
    {                                                                                              \
#name, name, result, 1                                                                     \
    }
    RIGHT(orders_by_events, 123),
    RIGHT(frees_in_order, 44),
    RIGHT(starts_early_and_waits, 1234),
    RIGHT(copies_in_the_stream, 0x07070707 * 10),
    RIGHT(copies_before_a_blocking_stream, 0x07070707 * 10),
    RIGHT(handle_with_default, 0),
    RIGHT(kernel_sets_handle, 5),
    RIGHT(ordered_nodes, 12),
    LUCK(handle_without_default, 0),
    LUCK(unordered_nodes, 2),
    LUCK(unordered_streams, 2),
    LUCK(reads_what_it_freed, 60),
    LUCK(copies_beside_a_stream, 0x07070707 * 10),
    LUCK(copies_back_without_a_wait, 4),
    LUCK(waits_for_the_start_of_a_kernel, 10),
    LUCK(host_functions_of_two_streams, 12),
    LUCK(host_functions_overlap, 0),
    LUCK(graph_memory_is_used_again, 1),
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

Test(freedom, results_of_right_programs_are_the_same_at_each_seed)
{
    for (int i = 0; i < PROGRAMS; i++)
        for (unsigned seed = 0; seed <= SEEDS && !programs[i].is_luck; seed++) {
            simgpu_set_freedom(seed);
            prepare();
            const int result = programs[i].run();
            cr_expect_eq(result, programs[i].result, "%s at seed %u: %d", programs[i].name, seed,
                         result);
        }
    expect_findings(0);
}

Test(freedom, luck_ends_at_some_seed)
{
    for (int i = 0; i < PROGRAMS; i++) {
        int others = 0;
        for (unsigned seed = 0; seed <= SEEDS && programs[i].is_luck; seed++) {
            simgpu_set_freedom(seed);
            prepare();
            const int is_other = programs[i].run() != programs[i].result;
            cr_expect(seed > 0 || !is_other, "%s without a freedom", programs[i].name);
            others += is_other;
        }
        cr_expect(others > 0 || !programs[i].is_luck, "%s", programs[i].name);
    }
}

/* ---- seeds ----------------------------------------------------------------------------------- */

/* All programs with SIMGPU_FREEDOM=seed, in a process of their own; NULL: without. Their results
 * and times. */
static void run_all(const char *seed, int64_t out[2 * PROGRAMS])
{
    const size_t bytes = 2 * PROGRAMS * sizeof *out;
    int64_t *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(shared != MAP_FAILED);
    const pid_t child = fork();
    if (child == 0) {
        if (seed)
            setenv("SIMGPU_FREEDOM", seed, 1);
        for (int i = 0; i < PROGRAMS; i++) {
            prepare();
            shared[2 * i] = programs[i].run();
            shared[2 * i + 1] = simgpu_now_ns();
        }
        _exit(0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    memcpy(out, shared, bytes);
    munmap(shared, bytes);
}

Test(freedom, seed_repeats_a_run)
{
    int64_t plain[2 * PROGRAMS], none[2 * PROGRAMS], first[2 * PROGRAMS], again[2 * PROGRAMS],
        other[2 * PROGRAMS];
    run_all(NULL, plain);
    run_all("0", none);
    run_all("7", first);
    run_all("7", again);
    run_all("8", other);
    cr_expect_arr_eq(plain, none, sizeof plain);
    cr_expect_arr_eq(first, again, sizeof first);
    cr_expect_arr_neq(plain, first, sizeof plain);
    cr_expect_arr_neq(first, other, sizeof first);
}

Test(freedom, bad_seed_is_said)
{
    setenv("SIMGPU_FREEDOM", "luck", 1);
    stderr_capture();
    OK(cudaFree(NULL));
    cr_expect(strstr(stderr_text(), "simgpu: SIMGPU_FREEDOM=luck is not a number from 0 to"), "%s",
              stderr_text());
}

/* ---- findings -------------------------------------------------------------------------------- */

Test(freedom, undefined_value_is_a_finding)
{
    prepare();
    kernel_sets_handle();
    handle_with_default();
    expect_findings(0);
    handle_without_default();
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_UNDEFINED);
    cr_expect_eq(f.what, SIMGPU_WHAT_CONDITION_UNDEFINED);
    cr_expect_eq(f.next, SIMGPU_NEXT_ASSIGN_DEFAULT);
    cr_expect_eq(f.first.node, 0);
}

Test(freedom, launch_completion_event_orders_nothing_after_the_kernel)
{
    prepare();
    waits_for_the_start_of_a_kernel();
    cr_expect_eq(only_finding().what, SIMGPU_WHAT_READS_EARLY);
}
