/* trace_cupti.c: the trace of a GPU, from CUPTI's activity records.
 *
 * CUPTI is opened when a trace begins, not linked: a machine that has only the driver grades
 * without timelines. It hands over buffers of records, from a thread of its own or while it is
 * flushed; rows are made of them at once. */
#include "trace_cupti.h"

#if __has_include(<cupti.h>)
#include <ctype.h>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_name.h"

/* The functions of CUPTI that are used, by their own names. */
#define CUPTI_FUNCTIONS(X)                                                                         \
    X(cuptiGetVersion)                                                                             \
    X(cuptiGetResultString)                                                                        \
    X(cuptiGetTimestamp)                                                                           \
    X(cuptiGetCallbackName)                                                                        \
    X(cuptiActivityRegisterCallbacks)                                                              \
    X(cuptiActivityEnable)                                                                         \
    X(cuptiActivityEnableDeviceGraph)                                                              \
    X(cuptiActivityDisable)                                                                        \
    X(cuptiActivityFlushAll)                                                                       \
    X(cuptiActivityGetNextRecord)                                                                  \
    X(cuptiActivityGetNumDroppedRecords)

static struct {
    void *library;
#define FIELD(name) __typeof__(&name) name;
    CUPTI_FUNCTIONS(FIELD)
#undef FIELD
} cupti;

static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                           CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                           CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };
enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8 };

/* The recorded rows; guarded by lock, because CUPTI passes buffers in a thread of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int on;             /* rows are recorded */
    struct trace trace; /* times in us of CUPTI's clock, streams by its numbers, until trace_end */
    uint64_t first_ns;  /* taken off all times at once, so that a double holds the rest exactly */
    double from_us;     /* rows that start earlier are not the program's, or were to be forgotten */
    size_t lost;        /* records that CUPTI had no buffer for, or we no memory */
} record;

static char sentence[256];

static int refuse(const char **why, const char *what, const char *detail)
{
    snprintf(sentence, sizeof sentence, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
    *why = sentence;
    return -1;
}

static int refuse_result(const char **why, const char *call, CUptiResult result)
{
    const char *name = NULL;
    cupti.cuptiGetResultString(result, &name);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        name = "another profiler is attached to this program";
    return refuse(why, call, name ? name : "failed");
}

/* ---- records to rows ------------------------------------------------------------------------- */

static double since_first_us(uint64_t ns)
{
    if (record.first_ns == 0)
        record.first_ns = ns;
    return (double)(int64_t)(ns - record.first_ns) / 1000;
}

/* Adds a row unless CUPTI never learned its times. graph_node: 0 outside a graph, its number in the
 * low half else. */
static void add(struct trace_row row, const char *engine, uint64_t start_ns, uint64_t end_ns,
                uint64_t graph_node)
{
    if (start_ns == 0 || end_ns < start_ns)
        return;
    snprintf(row.engine, sizeof row.engine, "%s", engine);
    row.start_us = since_first_us(start_ns);
    row.end_us = since_first_us(end_ns);
    row.node = graph_node ? (int64_t)(graph_node & 0xffffffffu) : -1;
    if (trace_add(&record.trace, &row) != 0)
        record.lost++;
}

/* A memset node of a graph runs as a kernel of the driver's that is called memset8, memset16 or
 * memset32. */
static int is_memset(const char *kernel)
{
    return strcmp(kernel, "memset8") == 0 || strcmp(kernel, "memset16") == 0 ||
           strcmp(kernel, "memset32") == 0;
}

static void add_kernel(const CUpti_ActivityKernel10 *k)
{
    struct trace_row row = {.device = (int)k->deviceId, .stream = (int)k->streamId};
    const char *symbol = k->name ? k->name : "kernel";
    kernel_name(is_memset(symbol) ? "memset" : symbol, row.name, sizeof row.name);
    add(row, is_memset(symbol) ? "d2d" : "sm", k->start, k->end, k->graphNodeId);
}

static void add_copy(const CUpti_ActivityMemcpy6 *m)
{
    struct trace_row row = {
        .device = (int)m->deviceId, .stream = (int)m->streamId, .bytes = m->bytes};
    const char *engine = m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? "h2d"
                         : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "d2h"
                         : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOH ? "host"
                         : m->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_PTOP ? "p2p"
                                                                          : "d2d";
    int pageable = m->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
                   m->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    int on_host = strcmp(engine, "d2d") != 0 && strcmp(engine, "p2p") != 0;
    snprintf(row.name, sizeof row.name, "memcpy_%s",
             pageable  ? "pageable"
             : on_host ? "pinned"
                       : "device");
    add(row, engine, m->start, m->end, m->graphNodeId);
}

/* A copy between devices is a row of the one that the bytes come from. */
static void add_peer_copy(const CUpti_ActivityMemcpyPtoP4 *m)
{
    struct trace_row row = {.device = (int)m->srcDeviceId,
                            .stream = (int)m->streamId,
                            .name = "memcpy_device",
                            .bytes = m->bytes};
    add(row, m->srcDeviceId == m->dstDeviceId ? "d2d" : "p2p", m->start, m->end, m->graphNodeId);
}

static void add_memset(const CUpti_ActivityMemset4 *m)
{
    struct trace_row row = {.device = (int)m->deviceId,
                            .stream = (int)m->streamId,
                            .name = "memset",
                            .bytes = m->bytes};
    add(row, "d2d", m->start, m->end, m->graphNodeId);
}

/* One run of a graph that the host launched; for `bytes` see trace_renumber. */
static void add_graph(const CUpti_ActivityGraphTrace2 *g)
{
    struct trace_row row = {
        .device = (int)g->deviceId, .stream = (int)g->streamId, .bytes = 0, .name = "host"};
    add(row, "graph", g->start, g->end, g->graphId);
}

/* And of one that a kernel launched. */
static void add_device_graph(const CUpti_ActivityDeviceGraphTrace *g)
{
    struct trace_row row = {
        .device = (int)g->deviceId, .stream = UNKNOWN_STREAM, .bytes = g->launcherGraphId};
    snprintf(row.name, sizeof row.name, "%s",
             g->deviceLaunchMode == CUPTI_DEVICE_GRAPH_LAUNCH_MODE_TAIL ? "tail after"
             : g->deviceLaunchMode == CUPTI_DEVICE_GRAPH_LAUNCH_MODE_FIRE_AND_FORGET
                 ? "fire_and_forget by"
                 : "sibling by");
    add(row, "graph", g->start, g->end, g->graphId);
}

/* A runtime call. CUPTI adds _v7000 or _ptsz_v7000 to the name of cudaLaunchKernel. */
static void add_call(const CUpti_ActivityAPI *a)
{
    struct trace_row row = {.stream = -1};
    const char *name = NULL;
    if (cupti.cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, a->cbid, &name) != CUPTI_SUCCESS ||
        !name)
        name = "runtime call";
    snprintf(row.name, sizeof row.name, "%s", name);
    char *version = strstr(row.name, "_v");
    if (version && isdigit((unsigned char)version[2]))
        *version = '\0';
    char *variant = strstr(row.name, "_pt");
    if (variant && (strcmp(variant, "_ptsz") == 0 || strcmp(variant, "_ptds") == 0))
        *variant = '\0';
    add(row, "api", a->start, a->end, 0);
}

static void add_record(const CUpti_Activity *a)
{
    switch (a->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
        add_kernel((const CUpti_ActivityKernel10 *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        add_copy((const CUpti_ActivityMemcpy6 *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        add_peer_copy((const CUpti_ActivityMemcpyPtoP4 *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        add_memset((const CUpti_ActivityMemset4 *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
        add_call((const CUpti_ActivityAPI *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        add_graph((const CUpti_ActivityGraphTrace2 *)(const void *)a);
        break;
    case CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE:
        add_device_graph((const CUpti_ActivityDeviceGraphTrace *)(const void *)a);
        break;
    default:
        break;
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void CUPTIAPI buffer_wanted(uint8_t **buffer, size_t *bytes, size_t *max_records)
{
    *max_records = 0;
    *bytes = BUFFER_BYTES;
    *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    if (!*buffer)
        *bytes = 0;
}

static void CUPTIAPI buffer_full(CUcontext context, uint32_t stream, uint8_t *buffer, size_t room,
                                 size_t bytes)
{
    CUpti_Activity *a = NULL;
    size_t dropped = 0;
    (void)room;
    pthread_mutex_lock(&lock);
    if (record.on && bytes > 0)
        while (cupti.cuptiActivityGetNextRecord(buffer, bytes, &a) == CUPTI_SUCCESS)
            add_record(a);
    if (cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        record.lost += dropped;
    pthread_mutex_unlock(&lock);
    free(buffer);
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void *open_in(const char *folder, const char *under)
{
    char path[4096];
    int n =
        snprintf(path, sizeof path, "%s%s/libcupti.so.%d", folder, under, CUDART_VERSION / 1000);
    return n < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* On the loader's own paths, beside the CUDA runtime that runs, or in the toolkit that CUDA_HOME
 * names. */
static void *find_library(void)
{
    char name[64], folder[4096];
    Dl_info runtime;
    const char *home = getenv("CUDA_HOME");
    snprintf(name, sizeof name, "libcupti.so.%d", CUDART_VERSION / 1000);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library && dladdr((void *)(uintptr_t)cudaGetDeviceProperties, &runtime) &&
        runtime.dli_fname) {
        snprintf(folder, sizeof folder, "%s", runtime.dli_fname);
        char *slash = strrchr(folder, '/');
        if (slash) {
            *slash = '\0';
            library = open_in(folder, "");
        }
    }
    if (!library && home)
        library = open_in(home, "/lib64");
    if (!library && home)
        library = open_in(home, "/extras/CUPTI/lib64");
    return library;
}

static int open_library(const char **why)
{
    if (cupti.library)
        return 0;
    void *library = find_library();
    if (!library)
        return refuse(
            why, "no timeline: this machine has no CUPTI (set CUDA_HOME to a toolkit that has it)",
            NULL);
#define LOAD(name)                                                                                 \
    *(void **)&cupti.name = dlsym(library, #name);                                                 \
    if (!cupti.name) {                                                                             \
        dlclose(library);                                                                          \
        return refuse(why, "no timeline: the CUPTI of this machine lacks " #name, NULL);           \
    }
    CUPTI_FUNCTIONS(LOAD)
#undef LOAD
    uint32_t version = 0;
    if (cupti.cuptiGetVersion(&version) != CUPTI_SUCCESS || version < CUPTI_API_VERSION) {
        dlclose(library);
        return refuse(
            why, "no timeline: the CUPTI of this machine is older than the one this was built with",
            NULL);
    }
    CUptiResult r = cupti.cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full);
    if (r != CUPTI_SUCCESS) {
        refuse_result(why, "no timeline: cuptiActivityRegisterCallbacks", r);
        dlclose(library);
        return -1;
    }
    cupti.library = library;
    return 0;
}

static void disable_all(void)
{
    for (int i = 0; i < N_KINDS; i++)
        cupti.cuptiActivityDisable(kinds[i]);
}

static int give_up(void)
{
    disable_all();
    pthread_mutex_lock(&lock);
    trace_free(&record.trace);
    record.on = 0;
    pthread_mutex_unlock(&lock);
    return -1;
}

/* The first calls after the start of tracing take half a millisecond more: make them here. The
 * memset in the legacy stream is the first row, so it also shows CUPTI's number of that stream. */
static int first_calls(const char **why)
{
    void *p = NULL;
    cudaError_t e = cudaMalloc(&p, 4);
    if (e == cudaSuccess)
        e = cudaMemset(p, 0, 4);
    if (e == cudaSuccess)
        e = cudaFree(p);
    return e == cudaSuccess
               ? 0
               : refuse(why, "no timeline: a first call failed", cudaGetErrorString(e));
}

/* The buffers are not flushed, since the first call into a new one is slow, too. */
int trace_restart(const char **why)
{
    uint64_t now_ns = 0;
    *why = "";
    if (!record.on)
        return refuse(why, "no timeline: no trace was begun", NULL);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        refuse(why, "no timeline: the traced work failed", cudaGetErrorString(e));
        return give_up();
    }
    CUptiResult r = cupti.cuptiGetTimestamp(&now_ns);
    if (r != CUPTI_SUCCESS) {
        refuse_result(why, "no timeline: cuptiGetTimestamp", r);
        return give_up();
    }
    pthread_mutex_lock(&lock);
    record.from_us = since_first_us(now_ns);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* CUPTI has rows only for graphs instantiated after the kind was switched on: it stays on. */
int trace_whole_graphs(const char **why)
{
    *why = "";
    if (open_library(why) != 0)
        return -1;
    CUptiResult r = cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    if (r == CUPTI_SUCCESS)
        r = cupti.cuptiActivityEnableDeviceGraph(1);
    if (r != CUPTI_SUCCESS)
        return refuse_result(why, "no timeline of graphs", r);
    return 0;
}

int trace_begin(const char **why)
{
    *why = "";
    if (open_library(why) != 0)
        return -1;
    if (record.on)
        return refuse(why, "no timeline: a trace has begun already", NULL);
    pthread_mutex_lock(&lock);
    memset(&record, 0, sizeof record);
    record.on = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < N_KINDS; i++) {
        CUptiResult r = cupti.cuptiActivityEnable(kinds[i]);
        if (r != CUPTI_SUCCESS) {
            refuse_result(why, "no timeline: cuptiActivityEnable", r);
            return give_up();
        }
    }
    return first_calls(why) != 0 ? give_up() : trace_restart(why);
}

/* The stream of the first memset, which is first_calls'; and only the rows of the program stay. */
static int keep_program(struct trace *t, double from_us)
{
    const struct trace_row *first = NULL;
    size_t kept = 0;
    int legacy = -1;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct trace_row *r = &t->rows[i];
        if (strcmp(r->name, "memset") == 0 && (!first || r->start_us < first->start_us)) {
            first = r;
            legacy = r->stream;
        }
    }
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].start_us >= from_us)
            t->rows[kept++] = t->rows[i];
    t->n_rows = kept;
    return legacy;
}

int trace_end(struct trace *out, const char **why)
{
    struct cudaDeviceProp device;
    *why = "";
    memset(out, 0, sizeof *out);
    if (!record.on)
        return refuse(why, "no timeline: no trace was begun", NULL);
    cupti.cuptiActivityDisable(
        CUPTI_ACTIVITY_KIND_RUNTIME); /* further calls are not the program's */
    cudaError_t e = cudaDeviceSynchronize();
    CUptiResult r = cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    disable_all();
    pthread_mutex_lock(&lock);
    record.on = 0;
    *out = record.trace;
    memset(&record.trace, 0, sizeof record.trace);
    pthread_mutex_unlock(&lock);
    if (e != cudaSuccess)
        refuse(why, "no timeline: the traced work failed", cudaGetErrorString(e));
    else if (r != CUPTI_SUCCESS)
        refuse_result(why, "no timeline: cuptiActivityFlushAll", r);
    else if (record.lost)
        refuse(why, "no timeline: CUPTI lost records; trace a shorter run", NULL);
    if (**why) {
        trace_free(out);
        return -1;
    }
    int legacy = keep_program(out, record.from_us);
    trace_arrange(out);
    trace_renumber(out, legacy);
    if (cudaGetDeviceProperties(&device, 0) == cudaSuccess)
        snprintf(out->device, sizeof out->device, "%.95s", device.name);
    return 0;
}

#else

#include <string.h>

static const char no_header[] =
    "no timeline: built without CUPTI's header (pip package nvidia-cuda-cupti, or a toolkit)";

int trace_begin(const char **why)
{
    *why = no_header;
    return -1;
}

int trace_whole_graphs(const char **why)
{
    *why = no_header;
    return -1;
}

int trace_restart(const char **why)
{
    *why = no_header;
    return -1;
}

int trace_end(struct trace *out, const char **why)
{
    memset(out, 0, sizeof *out);
    *why = no_header;
    return -1;
}

#endif
