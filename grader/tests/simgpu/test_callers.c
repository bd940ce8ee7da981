/* test_callers.c: findings and failed calls name the line of the program that made the call.
 *
 * The functions of section `learner` play a submission, the rest of this file the program around
 * it. addr2line says which line an address is of. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "sim_graphs.h"

#define LEARNER __attribute__((section("learner"), noinline))
extern const char __start_learner[], __stop_learner[];

enum { N = 1024, BYTES = N * sizeof(float) };

static float *a, *b;
static cudaStream_t streams[2];

static void set_up(void)
{
    a = zeros(BYTES);
    b = zeros(BYTES);
    OK(cudaDeviceSynchronize());
    streams[0] = stream(cudaStreamNonBlocking);
    streams[1] = stream(cudaStreamNonBlocking);
}

static void set_up_submission(void)
{
    set_up();
    simgpu_own_code(__start_learner, __stop_learner);
}

TestSuite(callers, .init = set_up_submission);

/* "test_callers.c:57", or "?" */
static const char *place(uint32_t caller)
{
    static char text[256];
    char command[64];
    if (!caller)
        return "?";
    snprintf(command, sizeof command, "addr2line -e /proc/%d/exe 0x%x", (int)getpid(), caller);
    FILE *p = popen(command, "r");
    cr_assert(p && fgets(text, sizeof text, p));
    pclose(p);
    text[strcspn(text, " \n")] = 0;
    return strrchr(text, '/') ? strrchr(text, '/') + 1 : text;
}

static void expect_line(uint32_t caller, int line)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "test_callers.c:%d", line);
    cr_expect_str_eq(place(caller), line ? wanted : "?");
}

/* ---- races ----------------------------------------------------------------------------------- */

LEARNER static int set_in(cudaStream_t s)
{
    OK(cudaMemsetAsync(a, 1, BYTES, s));
    return __LINE__ - 1;
}

LEARNER static int scale_in(cudaStream_t s)
{
    OK(launch_saxpy(a, b, 2, N, s));
    return __LINE__ - 1;
}

Test(callers, a_race_names_both_calls_also_one_that_a_launcher_made)
{
    const int first = set_in(streams[0]), second = scale_in(streams[1]);
    struct simgpu_finding f = only_finding();
    expect_line(f.first.caller.at, first);
    expect_line(f.second.caller.at, second);
}

LEARNER static int set_in_first(int *call)
{
    *call = set_in(streams[0]);
    return __LINE__ - 1;
}

Test(callers, a_call_in_a_helper_also_has_the_line_that_called_the_helper)
{
    int call, helper = set_in_first(&call);
    OK(launch_saxpy(a, b, 2, N, streams[1]));
    struct simgpu_finding f = only_finding();
    expect_line(f.first.caller.at, call);
    expect_line(f.first.caller.from, helper);
    expect_line(f.second.caller.from, 0);
}

Test(program, counts_as_a_whole_until_code_of_its_own_is_named, .init = set_up)
{
    set_in(streams[0]);
    scale_in(streams[1]);
    cr_expect_eq(strncmp(place(only_finding().second.caller.at), "saxpy.cu:", 9), 0);
}

Test(callers, a_call_of_the_program_around_it_has_no_line)
{
    const int first = set_in(streams[0]);
    OK(launch_saxpy(a, b, 2, N, streams[1]));
    struct simgpu_finding f = only_finding();
    expect_line(f.first.caller.at, first);
    expect_line(f.second.caller.at, 0);
}

/* ---- what the later one's stream waited for -------------------------------------------------- */

static cudaEvent_t event(void)
{
    cudaEvent_t e;
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
}

LEARNER static int record(cudaEvent_t event, cudaStream_t s)
{
    OK(cudaEventRecord(event, s));
    return __LINE__ - 1;
}

LEARNER static int wait_for(cudaEvent_t event, cudaStream_t s)
{
    OK(cudaStreamWaitEvent(s, event, 0));
    return __LINE__ - 1;
}

static void expect_wait(int waited, int recorded, int stream, bool is_for_first)
{
    const struct simgpu_finding f = only_finding();
    expect_line(f.wait.waited.at, waited);
    expect_line(f.wait.recorded.at, recorded);
    if (waited)
        cr_expect_eq(f.wait.stream, stream);
    cr_expect_eq(f.is_wait_for_first, is_for_first);
}

Test(callers, a_record_that_comes_too_early_is_named)
{
    const cudaEvent_t e = event();
    const int recorded = record(e, streams[0]);
    set_in(streams[0]);
    const int waited = wait_for(e, streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, recorded, only_finding().first.stream, true);
}

Test(callers, a_wait_for_what_was_never_recorded_is_named)
{
    set_in(streams[0]);
    const int waited = wait_for(event(), streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, 0, -1, false);
}

Test(callers, a_wait_for_the_first_ones_stream_counts_more_than_a_later_one)
{
    const cudaEvent_t early = event(), other = event();
    const cudaStream_t third = stream(cudaStreamNonBlocking);
    const int recorded = record(early, streams[0]);
    set_in(streams[0]);
    const int waited = wait_for(early, streams[1]);
    record(other, third);
    for (int i = 0; i < 3; i++)
        wait_for(other, streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, recorded, only_finding().first.stream, true);
}

Test(callers, a_record_in_a_third_stream_is_named_with_it)
{
    const cudaEvent_t e = event();
    set_in(streams[0]);
    const int recorded = record(e, streams[1]);
    const int waited = wait_for(e, streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, recorded, only_finding().second.stream, false);
    cr_expect(only_finding().wait.is_elsewhere);
}

Test(callers, a_record_after_work_of_its_own_stream_is_not_elsewhere)
{
    const cudaEvent_t e = event();
    const cudaStream_t third = stream(cudaStreamNonBlocking);
    set_in(streams[0]);
    OK(cudaMemsetAsync(b, 1, BYTES, third));
    const int recorded = record(e, third);
    const int waited = wait_for(e, streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, recorded, only_finding().first.stream + 2, false);
    cr_expect_not(only_finding().wait.is_elsewhere);
}

Test(callers, a_stream_that_waited_for_nothing_has_no_wait)
{
    wait_for(event(), streams[0]);
    set_in(streams[0]);
    scale_in(streams[1]);
    expect_wait(0, 0, -1, false);
}

/* Both streams capture: a race of the first one's work with the second one's, which comes later. */
static void launch_captured(cudaStream_t first, cudaStream_t second, cudaStream_t in, int *waited,
                            int *recorded)
{
    const cudaEvent_t fork = event(), join = event();
    OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    *recorded = record(fork, streams[0]);
    *waited = wait_for(fork, streams[1]);
    if (first)
        set_in(first);
    scale_in(second);
    record(join, streams[1]);
    wait_for(join, streams[0]);
    cudaGraph_t graph = end_capture(streams[0]);
    cudaGraphExec_t exec = new_exec(graph);
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphLaunch(exec, in));
}

Test(callers, a_captured_wait_is_named)
{
    int waited, recorded;
    launch_captured(streams[0], streams[1], streams[0], &waited, &recorded);
    expect_wait(waited, recorded, 1, true);
}

Test(callers, a_wait_before_the_capture_is_none_of_it)
{
    int waited, recorded;
    wait_for(event(), streams[0]);
    launch_captured(streams[1], streams[0], streams[0], &waited, &recorded);
    expect_wait(0, 0, -1, false);
}

Test(callers, a_captured_wait_says_nothing_of_work_outside_its_graph)
{
    int waited, recorded;
    OK(cudaMemsetAsync(a, 0, BYTES, streams[0]));
    launch_captured(NULL, streams[1], stream(cudaStreamNonBlocking), &waited, &recorded);
    expect_wait(0, 0, -1, false);
}

Test(callers, a_wait_before_other_work_counts_no_more)
{
    const cudaEvent_t e = event();
    record(e, streams[0]);
    wait_for(e, streams[1]);
    OK(cudaMemsetAsync(b, 0, BYTES, streams[1]));
    set_in(streams[0]);
    const int waited = wait_for(event(), streams[1]);
    scale_in(streams[1]);
    expect_wait(waited, 0, -1, false);
}

Test(callers, a_refused_wait_is_none)
{
    const cudaEvent_t e = event();
    OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed));
    record(e, streams[0]);
    cr_expect_eq(cudaStreamWaitEvent(0, e, 0), cudaErrorStreamCaptureImplicit);
    cudaGraph_t graph;
    cr_expect_neq(cudaStreamEndCapture(streams[0], &graph), cudaSuccess);
    set_in(streams[0]);
    scale_in(0);
    expect_wait(0, 0, -1, false);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

LEARNER static int capture(cudaStream_t s, cudaGraph_t *graph)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(launch_saxpy(a, b, 2, N, s));
    const int line = __LINE__ - 1;
    OK(cudaStreamEndCapture(s, graph));
    return line;
}

LEARNER static cudaGraphExec_t launch(cudaGraph_t graph, cudaStream_t s)
{
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    return exec;
}

Test(callers, a_captured_node_names_the_call_that_was_captured)
{
    cudaGraph_t graph;
    const int node = capture(streams[0], &graph), set = set_in(streams[1]);
    launch(graph, streams[0]);
    struct simgpu_finding f = only_finding();
    expect_line(f.first.caller.at, set);
    expect_line(f.second.caller.at, node);
}

LEARNER static int build(cudaGraph_t *graph, cudaGraphNode_t *node)
{
    struct cudaMemsetParams p = {.dst = a, .width = N, .height = 1, .elementSize = 4};
    OK(cudaGraphCreate(graph, 0));
    OK(cudaGraphAddMemsetNode(node, *graph, NULL, 0, &p));
    return __LINE__ - 1;
}

LEARNER static int change(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct cudaMemsetParams p = {.dst = b, .width = N, .height = 1, .elementSize = 4};
    OK(cudaGraphExecMemsetNodeSetParams(exec, node, &p));
    return __LINE__ - 1;
}

Test(callers, a_node_names_the_call_that_added_or_changed_it)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    const int added = build(&graph, &node);
    set_in(streams[1]);
    cudaGraphExec_t exec = launch(graph, streams[0]);
    expect_line(only_finding().second.caller.at, added);
    OK(cudaDeviceSynchronize());
    simgpu_findings_clear();

    const int changed = change(exec, node), read = scale_in(streams[1]);
    OK(cudaGraphLaunch(exec, streams[0]));
    struct simgpu_finding f = only_finding();
    expect_line(f.first.caller.at, read);
    expect_line(f.second.caller.at, changed);
}

/* ---- errors, leaks --------------------------------------------------------------------------- */

LEARNER static int fail(void)
{
    cr_assert_eq(cudaEventRecord(NULL, streams[0]), cudaErrorInvalidResourceHandle);
    return __LINE__ - 1;
}

Test(callers, a_failed_call_has_its_line)
{
    struct simgpu_caller caller;
    const int line = fail();
    cr_assert_str_eq(simgpu_failed_call(cudaErrorInvalidResourceHandle, &caller),
                     "cudaEventRecord");
    expect_line(caller.at, line);
    simgpu_failed_call(cudaErrorInvalidValue, &caller);
    expect_line(caller.at, 0);
}

/* A query, an update, and twice two others; which of these calls have failed. */
LEARNER static unsigned call_twice(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraphExecUpdateResultInfo info;
    unsigned failed = 0;
    failed |= (cudaDeviceGetStreamPriorityRange(NULL, NULL) != cudaSuccess) << 0;
    failed |= (cudaGraphExecUpdate(exec, graph, &info) != cudaSuccess) << 1;
    for (int i = 0; i < 2; i++) {
        failed |= (cudaStreamSynchronize(streams[0]) != cudaSuccess) << (2 + 2 * i);
        failed |= (cudaStreamSynchronize(streams[1]) != cudaSuccess) << (3 + 2 * i);
    }
    return failed;
}

Test(callers, the_first_call_at_a_place_fails_as_a_test)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    const unsigned expected[] = {0, 1 << 2, 1 << 3, 0};
    fail();
    for (int place = 0; place < 4; place++) {
        simgpu_fail_place(place, cudaErrorMemoryAllocation);
        cr_expect_eq(call_twice(exec, graph), expected[place], "place %d", place);
        cr_expect_eq(simgpu_fail_place(0, cudaSuccess), expected[place] != 0);
    }
    struct simgpu_caller caller;
    struct simgpu_refusal refusal;
    int error = 0;
    cr_expect(simgpu_ignored_call(&error, &caller, &refusal));
    cr_expect_eq(error, cudaErrorMemoryAllocation, "not the error of fail()");
}

LEARNER static int allocate(void **p)
{
    OK(cudaMalloc(p, BYTES));
    return __LINE__ - 1;
}

LEARNER static int create(cudaEvent_t *e)
{
    OK(cudaEventCreate(e));
    return __LINE__ - 1;
}

LEARNER static int create_two(cudaEvent_t *e)
{
    for (int i = 0; i < 2; i++)
        OK(cudaEventCreate(e));
    return __LINE__ - 1;
}

Test(callers, a_leak_names_the_call_that_created_most_of_what_is_left)
{
    struct simgpu_finding f[4];
    cudaEvent_t event;
    create(&event);
    const int most = create_two(&event);
    simgpu_findings_end();
    const size_t n = simgpu_findings(f, 4);
    for (size_t i = 0; i < n; i++)
        if (f[i].object == SIMGPU_OBJECT_EVENT)
            expect_line(f[i].first.caller.at, most);
    cr_assert(n > 0 && f[n - 1].object == SIMGPU_OBJECT_EVENT);
}

Test(callers, a_leak_names_the_call_that_created_what_is_left)
{
    struct simgpu_finding f[2];
    cudaEvent_t event;
    void *p;
    OK(cudaStreamDestroy(streams[0]));
    OK(cudaStreamDestroy(streams[1]));
    OK(cudaFree(a));
    OK(cudaFree(b));
    const int memory = allocate(&p), handle = create(&event);
    simgpu_findings_end();
    cr_assert_eq(simgpu_findings(f, 2), 2);
    expect_line(f[0].first.caller.at, memory);
    expect_line(f[1].first.caller.at, handle);
}

/* ---- code without frame pointers ------------------------------------------------------------- */

#if defined(__x86_64__)
/* Calls fn with this in the register of the frame pointer. */
void call_with_frame(void (*fn)(void), uintptr_t frame);
__asm__("call_with_frame:\n"
        "    push %rbp\n"
        "    mov %rsi, %rbp\n"
        "    call *%rdi\n"
        "    pop %rbp\n"
        "    ret\n");

static void ask(void)
{
    OK(cudaPeekAtLastError());
    OK(cudaStreamSynchronize(streams[0]));
}

static void *ask_with_bad_frames(void *unused)
{
    uintptr_t word[2] = {1, 1};
    const uintptr_t bad[] = {
        0, 1, 8, 0x1000, UINTPTR_MAX, UINTPTR_MAX - 7, (uintptr_t)ask, (uintptr_t)word,
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        call_with_frame(ask, bad[i]);
    return unused;
}

Test(callers, a_frame_pointer_that_is_none_does_no_harm)
{
    pthread_t thread;
    ask_with_bad_frames(NULL);
    cr_assert_eq(pthread_create(&thread, NULL, ask_with_bad_frames, NULL), 0);
    pthread_join(thread, NULL);
}
#endif
