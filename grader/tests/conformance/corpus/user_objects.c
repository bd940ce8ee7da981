/* user_objects.c: user objects. */
#include "../graphs.h"

/* An object whose destructor writes the letter. */
static cudaUserObject_t object(char letter, unsigned refs)
{
    cudaUserObject_t o = NULL;
    MUST(cudaUserObjectCreate(&o, (void *)(intptr_t)letter, write_letter, refs,
                              cudaUserObjectNoDestructorSync));
    return o;
}

/* Destructors may run a moment later on another thread. */
static const char *letters_soon(void)
{
    let_pass(100000);
    return host_log();
}

SITUATION("cudaUserObjectCreate: flags 0; 2; 0 references; 2^31; NULL destructor; NULL result; "
          "NULL resource")
{
    cudaUserObject_t o = NULL;
    unsigned no_sync = cudaUserObjectNoDestructorSync;
    gives(InvalidValue, cudaUserObjectCreate(&o, &o, write_letter, 1, 0));
    gives(InvalidValue, cudaUserObjectCreate(&o, &o, write_letter, 1, 2));
    gives(InvalidValue, cudaUserObjectCreate(&o, &o, write_letter, 0, no_sync));
    answer(cudaUserObjectCreate(&o, &o, write_letter, 1u << 31, no_sync));
    gives(InvalidValue, cudaUserObjectCreate(&o, &o, NULL, 1, no_sync));
    gives(InvalidValue, cudaUserObjectCreate(NULL, &o, write_letter, 1, no_sync));
    answer(cudaUserObjectCreate(&o, NULL, write_letter, 1, no_sync));
}

SITUATION("release of an object of 1; retain, release twice; release of 2 of 3, then 1: when the "
          "destructor runs")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1), c = object('c', 3);
    answer(cudaUserObjectRelease(a, 1));
    shows("'a'", "'%s'", letters_soon());
    answer(cudaUserObjectRetain(b, 1));
    answer(cudaUserObjectRelease(b, 1));
    shows("'a'", "'%s'", letters_soon());
    answer(cudaUserObjectRelease(b, 1));
    shows("'ab'", "'%s'", letters_soon());
    answer(cudaUserObjectRelease(c, 2));
    answer(cudaUserObjectRelease(c, 1));
    shows("'abc'", "'%s'", letters_soon());
}

SITUATION("retain 0; release 0; retain 2^31; retain NULL; release NULL; get last error; release of "
          "2 of an object of 1 reference")
{
    cudaUserObject_t a = object('a', 1);
    gives(InvalidValue, cudaUserObjectRetain(a, 0));
    gives(InvalidValue, cudaUserObjectRelease(a, 0));
    gives(InvalidValue, cudaUserObjectRetain(a, 1u << 31));
    gives(InvalidValue, cudaUserObjectRetain(NULL, 1));
    gives(InvalidValue, cudaUserObjectRelease(NULL, 1));
    gives(InvalidValue, cudaGetLastError());
    shows("''", "'%s'", letters_soon());
    answer(cudaUserObjectRelease(a, 2));
    shows("''", "'%s'", letters_soon());
}

SITUATION("an object moved to a graph; another retained by it; the graph destroyed: destructors; "
          "the own reference released")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1);
    cudaGraph_t g = new_graph();
    answer(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    answer(cudaGraphRetainUserObject(g, b, 1, 0));
    shows("''", "'%s'", letters_soon());
    answer(cudaGraphDestroy(g));
    shows("'a'", "'%s'", letters_soon());
    answer(cudaUserObjectRelease(b, 1));
    shows("'ab'", "'%s'", letters_soon());
}

SITUATION("cudaGraphRetainUserObject: count 0; flags 2; NULL graph; NULL object; move of more than "
          "there is; release of one not held; of more references than the graph holds")
{
    cudaUserObject_t a = object('a', 1), b = object('b', 1);
    cudaGraph_t g = new_graph();
    gives(InvalidValue, cudaGraphRetainUserObject(g, a, 0, 0));
    gives(InvalidValue, cudaGraphRetainUserObject(g, a, 1, 2));
    gives(InvalidValue, cudaGraphRetainUserObject(NULL, a, 1, 0));
    gives(InvalidValue, cudaGraphRetainUserObject(g, NULL, 1, 0));
    answer(cudaGraphReleaseUserObject(g, b, 1));
    answer(cudaGraphRetainUserObject(g, a, 1, 0));
    gives(InvalidValue, cudaGraphReleaseUserObject(g, a, 0));
    answer(cudaGraphReleaseUserObject(g, a, 1));
    shows("'b'", "'%s'", letters_soon());
    MUST(cudaGraphRetainUserObject(g, a, 1, 0));
    answer(cudaGraphReleaseUserObject(g, a, 2));
    shows("'ba'", "'%s'", letters_soon());
}

SITUATION("an exec that holds an object destroyed while it runs: destructor only after the launch")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = new_graph();
    cudaStream_t s = nonblocking_stream();
    add_letter(g, add_gate(g), 'g');
    MUST(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaGraphDestroy(g));
    answer(cudaGraphLaunch(x, s));
    answer(cudaGraphExecDestroy(x));
    shows("''", "'%s'", letters_soon());
    gate_open();
    answer(cudaStreamSynchronize(s));
    shows("'ga'", "'%s'", letters_soon());
}

SITUATION("a graph that holds an object, cloned, and added as a child: each destroyed in turn: "
          "when the destructor runs")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = captured_memsets(1), copy, outer = new_graph();
    MUST(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    MUST(cudaGraphClone(&copy, g));
    add_child(outer, NULL, g);
    answer(cudaGraphDestroy(g));
    shows("''", "'%s'", letters_soon());
    answer(cudaGraphDestroy(copy));
    shows("''", "'%s'", letters_soon());
    answer(cudaGraphDestroy(outer));
    shows("'a'", "'%s'", letters_soon());
}

static struct {
    void *pinned, *memory;
    cudaGraph_t graph;
    const char *answers[5];
} from_destructor;

static void call_runtime(void *unused)
{
    int device;
    (void)unused;
    from_destructor.answers[0] = cudaGetErrorName(cudaFreeHost(from_destructor.pinned));
    from_destructor.answers[1] = cudaGetErrorName(cudaFree(from_destructor.memory));
    from_destructor.answers[2] = cudaGetErrorName(cudaGraphDestroy(from_destructor.graph));
    from_destructor.answers[3] = cudaGetErrorName(cudaGetDevice(&device));
    from_destructor.answers[4] = cudaGetErrorName(cudaDeviceSynchronize());
}

SITUATION("a destructor calls cudaFreeHost, cudaFree, cudaGraphDestroy, cudaGetDevice, "
          "cudaDeviceSynchronize")
{
    cudaUserObject_t a = NULL;
    cudaGraph_t g = new_graph();
    MUST(cudaMallocHost(&from_destructor.pinned, 64));
    MUST(cudaMalloc(&from_destructor.memory, 64));
    from_destructor.graph = new_graph();
    MUST(cudaUserObjectCreate(&a, &from_destructor, call_runtime, 1,
                              cudaUserObjectNoDestructorSync));
    MUST(cudaGraphRetainUserObject(g, a, 1, cudaGraphUserObjectMove));
    answer(cudaGraphDestroy(g));
    let_pass(100000);
    for (size_t i = 0; i < 5; i++)
        shows("cudaErrorNotPermitted", "%s", from_destructor.answers[i]);
    answer(cudaFreeHost(from_destructor.pinned));
    answer(cudaFree(from_destructor.memory));
    answer(cudaGraphDestroy(from_destructor.graph));
}

SITUATION("three objects moved to a graph in the order a, b, c; the graph destroyed: order of "
          "destructors")
{
    cudaGraph_t g = new_graph();
    MUST(cudaGraphRetainUserObject(g, object('a', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(g, object('b', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(g, object('c', 1), 1, cudaGraphUserObjectMove));
    answer(cudaGraphDestroy(g));
    shows("'abc'", "'%s'", letters_soon());
}

SITUATION("an exec whose graph holds object a, updated to a graph that holds b; graphs destroyed; "
          "exec destroyed: destructors")
{
    cudaGraph_t g = captured_memsets(1), h = captured_memsets(1);
    cudaGraphExecUpdateResultInfo info;
    MUST(cudaGraphRetainUserObject(g, object('a', 1), 1, cudaGraphUserObjectMove));
    MUST(cudaGraphRetainUserObject(h, object('b', 1), 1, cudaGraphUserObjectMove));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecUpdate(x, h, &info));
    answer(cudaGraphDestroy(g));
    shows("'a'", "'%s'", letters_soon());
    answer(cudaGraphDestroy(h));
    shows("'a'", "'%s'", letters_soon());
    answer(cudaGraphExecDestroy(x));
    shows("'ab'", "'%s'", letters_soon());
}

SITUATION("an object retained twice by a graph with count 1 and 2; released by 1; destroyed; own "
          "reference released")
{
    cudaUserObject_t a = object('a', 1);
    cudaGraph_t g = new_graph();
    answer(cudaGraphRetainUserObject(g, a, 1, 0));
    answer(cudaGraphRetainUserObject(g, a, 2, 0));
    answer(cudaGraphReleaseUserObject(g, a, 1));
    answer(cudaUserObjectRelease(a, 1));
    shows("''", "'%s'", letters_soon());
    answer(cudaGraphDestroy(g));
    shows("'a'", "'%s'", letters_soon());
}

SITUATION(
    "an exec made of a clone of a graph with a user object; all destroyed in order: destructors")
{
    cudaGraph_t g = captured_memsets(1), h;
    cudaUserObject_t o;
    MUST(cudaUserObjectCreate(&o, (void *)'a', write_letter, 1, cudaUserObjectNoDestructorSync));
    answer(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
    answer(cudaGraphClone(&h, g));
    cudaGraphExec_t x = new_exec(h);
    answer(cudaGraphDestroy(g));
    answer(cudaGraphDestroy(h));
    shows("''", "'%s'", host_log());
    answer(cudaGraphExecDestroy(x));
}

SITUATION("a user object moved to the graph of a capture: end; graph destroyed; of an invalidated "
          "capture: end",
          "cudaStreamEndCapture: Success; StreamCaptureInvalidated", "captured: 1 nodes; NULL",
          "host_log: 'a'; 'ab'")
{
    for (int bad = 0; bad < 2; bad++) {
        cudaStream_t s = nonblocking_stream();
        enum cudaStreamCaptureStatus status;
        cudaGraph_t g = NULL;
        cudaUserObject_t o;
        MUST(cudaUserObjectCreate(&o, (void *)(intptr_t)('a' + bad), write_letter, 1,
                                  cudaUserObjectNoDestructorSync));
        begin_capture(s, cudaStreamCaptureModeGlobal);
        MUST(cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL, NULL));
        answer(cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove));
        if (bad)
            gives(StreamCaptureUnsupported, cudaDeviceSynchronize());
        g = answer_end(s);
        if (g)
            MUST(cudaGraphDestroy(g));
        some_work(s);
        MUST(cudaStreamSynchronize(s));
        let_pass(100000);
        answer_text("'%s'", host_log());
    }
}
