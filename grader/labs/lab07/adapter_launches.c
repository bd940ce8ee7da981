/* adapter_launches.c: watches the calls that instantiate, upload and launch. On the simulated
 * device kernels call the same cudaGraphLaunch as the host. */
#include "adapter_launches.h"

#include <stdbool.h>
#include <string.h>

#include "common/simgpu/simgpu.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab07_device_launch/lab.h"
#include "subject/graph.h"

#pragma weak simgpu_current_graph

enum { MOST_EXECS = 512, MOST_NODES = 64, MOST_REQUESTS = 10000 };

/* How a graph is launched. */
enum mode { BY_HOST, FIRE, TAIL, SIBLING };

/* An executable graph. */
struct made {
    cudaGraphExec_t exec;
    cudaGraph_t of;
    bool for_device, uploaded;
    cudaStream_t upload_stream;   /* of cudaGraphUpload, if that was called */
    bool upload_called, accepted; /* accepted: a launch of it by the device, ever */
};

static struct {
    struct subject *subject;
    const struct lab07 *lab;
    enum lab07_cause endless;
    struct made made[MOST_EXECS];
    int n_made;
    bool host_node; /* in a graph that was refused for device launch */
} known;

/* The launches of the present run, in their order. */
static struct {
    int by_host, instantiated, uploads, requests, relaunches,
        fire_and_forget; /* the last one: in this run of the launcher */
    unsigned handlers;   /* accepted launches of handlers */
    bool other_handler;  /* a handler was launched for a packet of another type */
    int last_type;       /* the type of the last one, from 1 on; 0: there is none */
    struct packet arguments[PACKET_TYPES]; /* as they were then */
    bool miscounted; /* ring->taken was another number when the scheduler relaunched itself */
    bool sum_is_tail;
    enum lab07_cause refused; /* the first that was */
    cudaStream_t stream;      /* of the launch by the host */
    bool siblings, was_refused;
} run;

/* ---- executable graphs ----------------------------------------------------------------------- */

static struct made *find(cudaGraphExec_t exec)
{
    for (int i = 0; i < known.n_made; i++)
        if (known.made[i].exec == exec)
            return &known.made[i];
    return NULL;
}

static bool is_worker(cudaGraph_t graph)
{
    for (int i = 0; i < known.lab->n_workers; i++)
        if (graph == known.lab->workers[i])
            return true;
    return false;
}

/* PACKET_TYPES: it is no handler. */
static int type_of(cudaGraph_t graph)
{
    int t = 0;
    while (t < PACKET_TYPES && graph != known.lab->handlers[t])
        t++;
    return t;
}

static bool is_handler(cudaGraph_t graph)
{
    return type_of(graph) < PACKET_TYPES;
}

static bool is_given(cudaGraph_t graph)
{
    return graph == known.lab->sum || graph == known.lab->root || is_worker(graph) ||
           is_handler(graph);
}

/* Is any of the given graphs not instantiated for device launch? */
static bool is_not_for_device(void)
{
    for (int i = 0; i < known.n_made; i++)
        if (known.made[i].exec && !known.made[i].for_device && is_given(known.made[i].of))
            return true;
    return false;
}

cudaGraphExec_t launches_exec_of(cudaGraph_t graph)
{
    for (int i = 0; i < known.n_made; i++)
        if (known.made[i].of == graph)
            return known.made[i].exec;
    return NULL;
}

static bool has_host_node(cudaGraph_t graph)
{
    cudaGraphNode_t nodes[MOST_NODES];
    size_t n = MOST_NODES;
    if (cudaGraphGetNodes(graph, nodes, &n) != cudaSuccess)
        return false;
    for (size_t i = 0; i < n; i++) {
        enum cudaGraphNodeType type;
        if (cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess && type == cudaGraphNodeTypeHost)
            return true;
    }
    return false;
}

static void note_instantiation(const struct subject_call *call)
{
    const bool for_device = call->flags & cudaGraphInstantiateFlagDeviceLaunch;
    if (call->error) {
        known.host_node |= for_device && has_host_node(call->graph);
        return;
    }
    const bool uploads = call->flags & cudaGraphInstantiateFlagUpload;
    run.instantiated++;
    run.uploads += uploads;
    struct made *m = find(*call->made);
    m = m ? m : find(NULL); /* of one that is destroyed */
    if (!m && known.n_made < MOST_EXECS)
        m = &known.made[known.n_made++];
    if (!m)
        return;
    *m = (struct made){
        .exec = *call->made, .of = call->graph, .for_device = for_device, .uploaded = uploads};
}

static void forget(cudaGraphExec_t exec)
{
    struct made *m = find(exec);
    if (m)
        *m = (struct made){.of = NULL};
}

#define END_FOR(mistake, ...)                                                                      \
    (subject_note(known.subject, mistake, NULL, NULL), subject_end(known.subject, __VA_ARGS__))

static void uploaded(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct made *m = find(exec);
    if (!m)
        return;
    m->uploaded = m->upload_called = true;
    m->upload_stream = stream;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* cuda_device_runtime_api.h has these streams for nvcc only. */
static enum mode mode_of(cudaStream_t stream)
{
    switch ((uintptr_t)stream) {
    case 0x0100000000000000:
        return TAIL;
    case 0x0200000000000000:
        return FIRE;
    case 0x0300000000000000:
        return SIBLING;
    default:
        return BY_HOST;
    }
}

static enum lab07_cause why_refused(const struct made *m, cudaGraphExec_t exec,
                                    cudaGraphExec_t current, enum mode mode)
{
    if (mode == BY_HOST)
        return LAB07_STREAM_ON_DEVICE;
    if (!exec && !current)
        return LAB07_NOT_FOR_DEVICE;
    if (!exec || !m)
        return LAB07_NOT_AN_EXEC;
    if (!m->uploaded)
        return LAB07_NOT_UPLOADED;
    if (run.siblings)
        return LAB07_AS_SIBLINGS;
    if (exec == current)
        return mode == TAIL ? LAB07_RELAUNCHED_TWICE : LAB07_RELAUNCH_FIRED;
    if (mode != TAIL && run.fire_and_forget >= LAB07_MAX_FIRE_AND_FORGET)
        return LAB07_TOO_MANY_FIRED;
    if (!m->accepted && m->upload_called && m->upload_stream != run.stream)
        return LAB07_UPLOAD_UNORDERED;
    if (is_handler(m->of))
        return run.other_handler ? LAB07_OTHER_TYPE : LAB07_HANDLER_BUSY;
    const bool ends = m->of == known.lab->sum || m->of == known.lab->root;
    return ends && run.relaunches > 0 ? LAB07_SUM_TOO_EARLY : LAB07_REFUSED;
}

static void note(enum lab07_cause mistake, bool holds)
{
    if (holds)
        subject_note(known.subject, mistake, NULL, NULL);
}

/* Before the launch of a handler its argument slot is written, and no other one. (A slot that is
   written too late is that of the handler before.) */
static void note_handler(int type)
{
    bool is_written[PACKET_TYPES] = {0}, other = false;
    for (int t = 0; t < PACKET_TYPES; t++) {
        const struct packet now = known.lab->arguments[t].packet;
        is_written[t] = memcmp(&now, &run.arguments[t], sizeof now) != 0;
        other |= is_written[t] && t != type && t + 1 != run.last_type;
        run.arguments[t] = now;
    }
    run.other_handler |= other && !is_written[type];
    run.last_type = type + 1;
}

static void accepted(struct made *m, bool itself, enum mode mode)
{
    run.fire_and_forget += mode != TAIL;
    run.siblings |= mode == SIBLING;
    if (itself) {
        run.miscounted |= run.handlers > 0 && known.lab->ring->taken != run.handlers;
        run.relaunches++;
        run.fire_and_forget = 0;
        note(LAB07_SUM_TOO_EARLY, run.sum_is_tail);
    }
    if (!m)
        return;
    m->accepted = true;
    run.handlers += is_handler(m->of);
    run.sum_is_tail |= m->of == known.lab->sum && mode == TAIL;
    note(LAB07_SUM_FIRED, m->of == known.lab->root && mode != TAIL);
    note(LAB07_AS_SIBLINGS, is_worker(m->of) && mode == SIBLING);
    note(LAB07_HANDLERS_AS_TAILS, is_handler(m->of) && mode == TAIL);
}

static void by_device(cudaError_t error, cudaGraphExec_t exec, cudaGraphExec_t current,
                      enum mode mode)
{
    struct made *m = find(exec);
    if (m && is_handler(m->of))
        note_handler(type_of(m->of));
    if (!error)
        accepted(m, exec == current, mode);
    else if (!run.was_refused)
        run.refused = why_refused(m, exec, current, mode);
    run.was_refused |= error != cudaSuccess;
    if (run.requests < MOST_REQUESTS)
        return;
    const enum lab07_cause endless = run.refused      ? run.refused
                                     : run.miscounted ? LAB07_TAKEN_MISCOUNTED
                                                      : known.endless;
    const bool spins = error && run.refused != LAB07_NOT_AN_EXEC; /* those differ: a long loop */
    END_FOR(spins ? LAB07_SPINS : endless,
            "kernels called cudaGraphLaunch %d times in one call of the lab's function",
            MOST_REQUESTS);
}

/* The executable graph whose kernel calls; NULL: the host does. */
static cudaGraphExec_t current_graph(void)
{
    return simgpu_current_graph ? simgpu_current_graph() : NULL;
}

static bool is_by_device(const struct subject_call *launch)
{
    return current_graph() || mode_of(launch->stream) != BY_HOST;
}

static void note_launch(const struct subject_call *launch)
{
    if (is_by_device(launch)) {
        run.requests++;
        return;
    }
    run.by_host++;
    run.stream = launch->stream;
    uploaded(launch->exec, launch->stream);
}

/* ---- arguments of kernels -------------------------------------------------------------------- */

/* A pointer to memory that CUDA did not allocate? Handles of executable graphs look alike. */
static bool is_host_pointer(const void *p)
{
    struct cudaPointerAttributes a;
    const uint64_t at = (uintptr_t)p;
    return at >> 32 && !(at >> 47) && !find((cudaGraphExec_t)(uintptr_t)p) &&
           cudaPointerGetAttributes(&a, p) == cudaSuccess && a.type == cudaMemoryTypeUnregistered;
}

/* Of the scheduler, whose first argument is the ring. A GPU reports that a kernel reads host
 * memory, the simulated device does not. */
static void expect_no_host_pointers(const void *kernel, void **args)
{
    enum { RING, ARGUMENTS, HANDLERS };
    size_t at, bytes;
    for (size_t i = RING; i <= HANDLERS; i++) {
        if (cudaFuncGetParamInfo(kernel, i, &at, &bytes) != cudaSuccess || bytes != sizeof(void *))
            return;
        const void *p = *(void **)args[i];
        if (i == RING && p != known.lab->ring)
            return;
        if (is_host_pointer(p))
            END_FOR(LAB07_BAD_ADDRESS, "argument %zu of a kernel is an address of host memory", i);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

void launches_before_call(struct subject_call *call)
{
    switch (call->function) {
    case CALL_cudaGraphExecDestroy:
        forget(call->exec);
        return;
    case CALL_cudaGraphDestroy:
        if (known.lab && is_given(call->graph))
            END_FOR(LAB07_GIVEN_DESTROYED,
                    "cudaGraphDestroy was called for a graph that the lab is given");
        return;
    case CALL_cudaGraphUpload:
        run.uploads++;
        uploaded(call->exec, call->stream);
        return;
    case CALL_cudaGraphLaunch:
        note_launch(call);
        return;
    case CALL_cudaLaunchKernel:
        if (simgpu_current_graph && known.lab && call->kernel != kernel_saxpy())
            expect_no_host_pointers(call->kernel, call->arguments);
        return;
    default:
        return;
    }
}

void launches_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphInstantiate)
        note_instantiation(call);
    else if (call->function == CALL_cudaGraphLaunch && is_by_device(call))
        by_device(call->error, call->exec, current_graph(), mode_of(call->stream));
}

/* ---- runs ------------------------------------------------------------------------------------ */

void launches_begin(struct subject *s, const struct lab07 *lab, enum lab07_cause endless)
{
    memset(&known, 0, sizeof known);
    known.subject = s;
    known.lab = lab;
    known.endless = endless;
}

void launches_end(void)
{
    known.lab = NULL;
}

void launches_run_begin(void)
{
    memset(&run, 0, sizeof run);
}

/* The function returned no error. */
static void note_lost_error(void)
{
    static const char *const why[LAB07_CAUSES] = {
        [LAB07_STREAM_ON_DEVICE] = "its second argument is no launch mode of a device",
        [LAB07_NOT_FOR_DEVICE] = "the graph was not instantiated for device launch",
        [LAB07_NOT_AN_EXEC] = "its first argument is no executable graph",
        [LAB07_NOT_UPLOADED] = "the graph was never uploaded",
        [LAB07_AS_SIBLINGS] = "this run launched siblings before",
        [LAB07_RELAUNCHED_TWICE] = "this run had relaunched its graph before",
        [LAB07_RELAUNCH_FIRED] = "a graph launched itself fire-and-forget",
        [LAB07_TOO_MANY_FIRED] = "one run launched more than 120 graphs fire-and-forget",
        [LAB07_UPLOAD_UNORDERED] = "the kernel did not wait for the upload of the graph",
        [LAB07_OTHER_TYPE] = "the handler was launched for a packet of another type",
        [LAB07_HANDLER_BUSY] = "the handler was still running",
        [LAB07_SUM_TOO_EARLY] = "the sum or the root was launched before the last run of the "
                                "launcher",
        [LAB07_REFUSED] = "most often, the graph still runs or waits to run"};
    subject_note(known.subject, LAB07_ERROR_LOST, "the error of a refused launch is returned",
                 "the device refused a launch: %s", why[run.refused]);
}

void launches_report(void)
{
    struct subject *s = known.subject;
    note(LAB07_LAUNCHED_TO_UPLOAD,
         run.instantiated > 0 && run.uploads == 0 && run.by_host == run.instantiated + 1);
    if (run.by_host > 1)
        subject_note(s, LAB07_HOST_LOOP, "1 graph launch by the host",
                     "%d graph launches by the host", run.by_host);
    if (run.refused)
        note_lost_error();
    note(LAB07_TAKEN_MISCOUNTED, run.miscounted);
    note(LAB07_OTHER_TYPE, run.other_handler);
    subject_value(s, relaunches, run.relaunches);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static enum lab07_cause cause_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorNotYetImplemented:
        return run.requests ? LAB07_STARTER_LINE : LAB07_NOT_KNOWN;
    case cudaErrorIllegalAddress:
        if (is_not_for_device())
            return LAB07_NOT_FOR_DEVICE;
        return run.miscounted ? LAB07_TAKEN_MISCOUNTED : LAB07_BAD_ADDRESS;
    case cudaErrorInvalidValue:
        if (known.host_node)
            return LAB07_HOST_NODE;
        if (subject_call_is_known(error))
            return LAB07_NOT_KNOWN; /* a call of the host gave it */
        return run.refused ? run.refused : LAB07_REFUSED;
    default:
        return LAB07_NOT_KNOWN;
    }
}

int launches_returned(struct subject *s, const char *function, cudaError_t error)
{
    const enum lab07_cause cause = cause_of(error);
    if (!error)
        return 0;
    if (!cause)
        return subject_captured(s, function, error);
    subject_note(s, cause, NULL, NULL);
    return subject_returned(s, function, error);
}
