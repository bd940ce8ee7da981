/* conditional_program.c: one random program of conditional nodes from its seed to its log. See
 * conditional_program.h. */
#include "conditional_program.h"

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "common/splitmix.h"
#include "conditional_kernels.h"

enum {
    MAX_HANDLES = 24,
    MAX_CELLS = 512, /* counters, sums, and what memsets and copies touch */
    MAX_LOGS = 8,    /* the first is the program's, the others are branches' */
    MAX_CHANGES = 6, /* nodes that the exec's parameters are set of */
    DEEPEST = 3,
};

/* Memory of one program on the device. */
struct memory {
    struct conditional_log logs[MAX_LOGS];
    unsigned cells[MAX_CELLS];
};

struct program {
    FILE *out;
    uint64_t state; /* of the random numbers */
    int shift;      /* of all letters: a like graph that writes others */
    int line;
    struct memory *memory;
    int n_handles, n_cells, n_logs, n_nodes;
    bool updatable; /* it has device-updatable nodes */
    cudaGraph_t graph;
    struct {
        cudaGraphNode_t node;
        int log;
    } letters[MAX_CHANGES]; /* some kernels that write a letter */
    int n_letters;
};

/* Where nodes are added: in sequence, in one graph. */
struct place {
    cudaGraph_t graph;
    cudaGraphNode_t last; /* NULL: none yet */
    int log;
    int depth;
    bool looped; /* somewhere in a WHILE */
};

static unsigned pick(struct program *p, unsigned n)
{
    return (unsigned)((splitmix(&p->state) >> 32) * n >> 32);
}

/* Prints one call and its answer. */
static cudaError_t said(struct program *p, cudaError_t answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static cudaError_t said(struct program *p, cudaError_t answer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(p->out, "%d ", p->line++);
    vfprintf(p->out, format, list);
    va_end(list);
    fprintf(p->out, ": %d\n", (int)answer);
    fflush(p->out);
    return answer;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static cudaGraphNode_t kernel(struct place *at, const void *func, void **args)
{
    cudaGraphNode_t n = NULL;
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)func,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    if (cudaGraphAddKernelNode(&n, at->graph, &at->last, at->last != NULL, &k) == cudaSuccess)
        at->last = n;
    return n;
}

static struct conditional_log *log_of(struct program *p, int log)
{
    return &p->memory->logs[log];
}

static unsigned *new_cell(struct program *p)
{
    return &p->memory->cells[p->n_cells < MAX_CELLS ? p->n_cells++ : MAX_CELLS - 1];
}

static int letter(struct program *p)
{
    return 'a' + (p->n_nodes++ + p->shift) % 26;
}

static void add_letter(struct program *p, struct place *at)
{
    struct conditional_log *log = log_of(p, at->log);
    int which = letter(p);
    void *args[] = {&log, &which};
    cudaGraphNode_t n = kernel(at, conditional_write(), args);
    if (p->n_letters < MAX_CHANGES && pick(p, 3) == 0) {
        p->letters[p->n_letters].node = n;
        p->letters[p->n_letters++].log = at->log;
    }
}

static void add_counted(struct program *p, struct place *at, const void *func, int most,
                        cudaGraphConditionalHandle h)
{
    struct conditional_log *log = log_of(p, at->log);
    unsigned *runs = new_cell(p);
    int which = letter(p);
    void *args[] = {&log, &which, &runs, &most, &h};
    kernel(at, func, args);
}

static void add_memory(struct program *p, struct place *at)
{
    unsigned *from = new_cell(p), *to = new_cell(p);
    struct conditional_log *log = log_of(p, at->log);
    struct cudaMemsetParams m = {
        .dst = from, .value = pick(p, 250), .elementSize = 1, .width = 4, .height = 1};
    void *args[] = {&log, &to};
    cudaGraphNode_t n;
    if (cudaGraphAddMemsetNode(&n, at->graph, &at->last, at->last != NULL, &m) == cudaSuccess)
        at->last = n;
    if (cudaGraphAddMemcpyNode1D(&n, at->graph, &at->last, at->last != NULL, to, from, 4,
                                 cudaMemcpyDeviceToDevice) == cudaSuccess)
        at->last = n;
    kernel(at, conditional_read(), args);
}

/* A kernel that runs beside what follows it, and that nothing but the end of its graph waits for.
 */
static void add_beside(struct program *p, struct place *at)
{
    unsigned *sum = new_cell(p), more = 1 + pick(p, 9);
    struct place beside = *at;
    void *args[] = {&sum, &more};
    kernel(&beside, conditional_sum(), args);
}

/* A node that a kernel before it changes. */
static void add_changed(struct program *p, struct place *at)
{
    unsigned *sum = new_cell(p), *runs = new_cell(p), more = 1 + pick(p, 9);
    int what = (int)pick(p, 3);
    struct conditional_log *log = log_of(p, at->log);
    struct place alone = {.graph = at->graph};
    cudaLaunchAttributeValue v;
    void *args[] = {&sum, &more};
    cudaGraphNode_t changed = kernel(&alone, conditional_sum(), args);
    memset(&v, 0, sizeof v);
    v.deviceUpdatableKernelNode.deviceUpdatable = 1;
    if (said(p,
             cudaGraphKernelNodeSetAttribute(changed, cudaLaunchAttributeDeviceUpdatableKernelNode,
                                             &v),
             "make updatable") != cudaSuccess)
        return;
    void *changer[] = {&v.deviceUpdatableKernelNode.devNode, &runs, &what, &log};
    cudaGraphNode_t before = kernel(at, conditional_change(), changer);
    said(p, cudaGraphAddDependencies(at->graph, &before, &changed, NULL, 1), "edge");
    at->last = changed;
}

static void add_child(struct program *p, struct place *at)
{
    cudaGraph_t child;
    cudaGraphNode_t n;
    cudaGraphCreate(&child, 0);
    struct place inside = {.graph = child, .log = at->log};
    int kept = p->n_letters;
    p->n_letters = MAX_CHANGES; /* the child is copied: its nodes are not the exec's */
    for (unsigned i = pick(p, 3); i < 3; i++)
        add_letter(p, &inside);
    p->n_letters = kept;
    if (said(p, cudaGraphAddChildGraphNode(&n, at->graph, &at->last, at->last != NULL, child),
             "add child") == cudaSuccess)
        at->last = n;
    cudaGraphDestroy(child);
}

/* ---- conditional nodes ----------------------------------------------------------------------- */

static void add_nodes(struct program *p, struct place *at, int n);

static bool add_node(struct program *p, struct place *at, cudaGraphConditionalHandle h, int type,
                     unsigned size, cudaGraph_t *bodies)
{
    static const char *const names[] = {"IF", "WHILE", "SWITCH"};
    cudaGraphNode_t n;
    struct cudaGraphNodeParams q;
    memset(&q, 0, sizeof q);
    q.type = cudaGraphNodeTypeConditional;
    q.conditional.handle = h;
    q.conditional.type = (enum cudaGraphConditionalNodeType)type;
    q.conditional.size = size;
    cudaError_t e = cudaGraphAddNode(&n, at->graph, &at->last, NULL, at->last != NULL, &q);
    if (said(p, e, "add %s of %u", names[type], size) != cudaSuccess)
        return false;
    at->last = n;
    memcpy(bodies, q.conditional.phGraph_out, size * sizeof *bodies);
    return true;
}

/* What sets the handle's value, besides its default; before the node that asks for it, or after. */
static void add_setter(struct program *p, struct place *at, cudaGraphConditionalHandle h)
{
    add_counted(p, at, conditional_turn(), 2 + (int)pick(p, 3), h);
}

static void add_while(struct program *p, struct place *at, cudaGraphConditionalHandle h)
{
    cudaGraph_t body;
    int rounds = 1 + (int)pick(p, 3);
    if (!add_node(p, at, h, cudaGraphCondTypeWhile, 1, &body))
        return;
    struct place inside = {body, NULL, at->log, at->depth + 1, true};
    add_nodes(p, &inside, 1 + (int)pick(p, 3));
    add_counted(p, &inside, conditional_round(), rounds, h);
    if (pick(p, 4) == 0)
        add_letter(p, &inside);
}

static void add_choice(struct program *p, struct place *at, cudaGraphConditionalHandle h)
{
    bool is_if = pick(p, 2) == 0;
    unsigned size = 1 + pick(p, is_if ? 2 : 4);
    cudaGraph_t bodies[4];
    if (!add_node(p, at, h, is_if ? cudaGraphCondTypeIf : cudaGraphCondTypeSwitch, size, bodies))
        return;
    for (unsigned i = 0; i < size; i++) {
        struct place inside = {bodies[i], NULL, at->log, at->depth + 1, at->looped};
        add_nodes(p, &inside, (int)pick(p, 4));
        if (pick(p, 5) == 0)
            add_setter(p, &inside, h);
    }
}

static void add_conditional(struct program *p, struct place *at)
{
    cudaGraphConditionalHandle h = 0;
    unsigned value = pick(p, 4), assigned = pick(p, 4) ? cudaGraphCondAssignDefault : 0;
    bool loop = pick(p, 3) == 0;
    if (p->n_handles == MAX_HANDLES || at->depth == DEEPEST)
        return;
    p->n_handles++;
    cudaGraph_t of = pick(p, 2) ? at->graph : p->graph;
    if (said(p, cudaGraphConditionalHandleCreate(&h, of, value, assigned), "handle %u %u", value,
             assigned) != cudaSuccess)
        return;
    if (pick(p, 2) == 0 || !assigned) /* a value that nobody set is whatever was there */
        add_setter(p, at, h);
    if (loop)
        add_while(p, at, h);
    else
        add_choice(p, at, h);
    if (pick(p, 3) == 0)
        add_setter(p, at, h);
}

/* Two branches side by side, the second with a log of its own, that meet again. */
static void add_branches(struct program *p, struct place *at)
{
    if (p->n_logs == MAX_LOGS || at->depth == DEEPEST)
        return;
    struct place first = *at, second = *at;
    second.log = p->n_logs++;
    first.depth = second.depth = at->depth + 1;
    add_nodes(p, &first, 1 + (int)pick(p, 3));
    add_nodes(p, &second, 1 + (int)pick(p, 3));
    cudaGraphNode_t both[] = {first.last, second.last}, n;
    bool two = first.last && second.last && first.last != second.last;
    if (two && cudaGraphAddEmptyNode(&n, at->graph, both, 2) == cudaSuccess)
        at->last = n;
    else if (!two)
        at->last = first.last ? first.last : second.last;
}

/* Calls that a device refuses; their side effects must not show. */
static void add_mistake(struct program *p, struct place *at)
{
    struct place copy = *at;
    cudaGraph_t bodies[4], other = NULL;
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = 0;
    switch (pick(p, 7)) {
    case 0:
        add_node(p, &copy, 0, cudaGraphCondTypeIf, 1, bodies);
        break;
    case 1:
        add_node(p, &copy, 1000, cudaGraphCondTypeSwitch, 2, bodies);
        break;
    case 2:
        said(p, cudaGraphConditionalHandleCreate(&h, at->graph, 1, 2 + pick(p, 3)), "bad handle");
        break;
    case 3:
        said(p, cudaGraphClone(&other, at->graph), "clone %s",
             at->depth || p->n_handles ? "" : "plain");
        if (other)
            cudaGraphDestroy(other);
        break;
    case 4:
        if (at->graph != p->graph ||
            p->n_handles) /* the runtime does not survive it with any other graph */
            said(p, cudaGraphAddChildGraphNode(&n, at->graph, NULL, 0, at->graph),
                 "itself as child");
        break;
    case 5:
        if (at->last)
            said(p,
                 cudaGraphAddEmptyNode(&n, at->graph, (cudaGraphNode_t[]){at->last, at->last}, 2),
                 "twice after it");
        break;
    default:
        said(p, cudaGraphDestroy(at->graph != p->graph ? at->graph : NULL), "destroy");
    }
}

static void add_nodes(struct program *p, struct place *at, int n)
{
    for (int i = 0; i < n && p->n_nodes < 150; i++)
        switch (pick(p, p->updatable ? 15 : 14)) {
        case 0:
        case 1:
        case 2:
        case 3:
            add_letter(p, at);
            break;
        case 4:
            add_memory(p, at);
            break;
        case 5:
            add_beside(p, at);
            break;
        case 6:
            add_child(p, at);
            break;
        case 7:
            add_branches(p, at);
            break;
        case 8:
            add_mistake(p, at);
            break;
        case 14:
            add_changed(p, at);
            break;
        default:
            add_conditional(p, at);
        }
}

/* ---- the program ----------------------------------------------------------------------------- */

static cudaGraph_t build(struct program *p, int shift)
{
    p->shift = shift;
    p->n_handles = p->n_cells = p->n_nodes = p->n_letters = 0;
    p->n_logs = 1;
    cudaGraphCreate(&p->graph, 0);
    struct place at = {.graph = p->graph};
    add_nodes(p, &at, 4 + (int)pick(p, 5));
    add_letter(p, &at);
    return p->graph;
}

static void print_memory(struct program *p)
{
    struct memory m;
    unsigned sum = 0;
    if (said(p, cudaMemcpy(&m, p->memory, sizeof m, cudaMemcpyDeviceToHost), "read") != cudaSuccess)
        return;
    for (int i = 0; i < p->n_logs; i++) {
        m.logs[i].letters[LOG_LETTERS] = '\0';
        fprintf(p->out, "  log %d: %u letters, %08x %s\n", i, m.logs[i].n, m.logs[i].hash,
                m.logs[i].letters);
    }
    for (int i = 0; i < MAX_CELLS; i++)
        sum = sum * 31 + m.cells[i];
    fprintf(p->out, "  cells %08x\n", sum);
}

static void launch(struct program *p, cudaGraphExec_t x, cudaStream_t s, int times)
{
    for (int i = 0; i < times; i++)
        said(p, cudaGraphLaunch(x, s), "launch");
    said(p, cudaStreamSynchronize(s), "synchronize");
    print_memory(p);
}

static void change_letter(struct program *p, cudaGraphExec_t x)
{
    if (!p->n_letters)
        return;
    unsigned i = pick(p, (unsigned)p->n_letters);
    struct conditional_log *log = log_of(p, p->letters[i].log);
    int which = 'A' + (int)pick(p, 26);
    void *args[] = {&log, &which};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)conditional_write(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    if (pick(p, 2))
        said(p, cudaGraphExecKernelNodeSetParams(x, p->letters[i].node, &k), "set %c", which);
    else
        said(p, cudaGraphNodeSetEnabled(x, p->letters[i].node, pick(p, 2)), "enable");
}

/* The same program's graph with other letters, or another one's. */
static void update(struct program *p, cudaGraphExec_t x, uint64_t seed)
{
    cudaGraphExecUpdateResultInfo info;
    struct program other = *p;
    other.state = seed;
    other.out = fopen("/dev/null", "w");
    if (!other.out)
        return;
    cudaGraph_t g = build(&other, 7);
    fclose(other.out);
    memset(&info, 0, sizeof info);
    cudaError_t e = cudaGraphExecUpdate(x, g, &info);
    said(p, e, "update, %d", (int)info.result);
    cudaGraphDestroy(g);
}

static void run(struct program *p, uint64_t start, cudaGraph_t g, cudaStream_t s)
{
    cudaGraphExec_t x = NULL, again = NULL;
    cudaGraphInstantiateParams q;
    memset(&q, 0, sizeof q);
    q.flags = p->updatable || pick(p, 3) ? 0 : cudaGraphInstantiateFlagUseNodePriority;
    cudaError_t e = cudaGraphInstantiateWithParams(&x, g, &q);
    if (said(p, e, "instantiate, %d", (int)q.result_out) != cudaSuccess)
        return;
    if (p->updatable || pick(p, 2))
        said(p, cudaGraphUpload(x, s), "upload");
    launch(p, x, s, 1);
    launch(p, x, s, 1 + (int)pick(p, 3));
    said(p, cudaGraphInstantiate(&again, g, 0), "again %s", p->n_handles ? "" : "plain");
    if (again)
        cudaGraphExecDestroy(again);
    for (unsigned i = pick(p, 3); i > 0; i--)
        change_letter(p, x);
    if (p->updatable)
        said(p, cudaGraphUpload(x, s), "upload");
    launch(p, x, s, 1);
    if (!p->updatable &&
        pick(p, 2)) /* an update is refused, but not for such nodes in bodies, and ends badly */
        update(p, x, start);
    else if (!p->updatable && pick(p, 3) == 0)
        update(p, x, start + 1);
    if (p->updatable)
        said(p, cudaGraphUpload(x, s), "upload");
    launch(p, x, s, 1);
    said(p, cudaGraphExecDestroy(x), "destroy");
    if (cudaGraphInstantiate(&x, g, 0) != cudaSuccess)
        return;
    if (p->updatable)
        said(p, cudaGraphUpload(x, s), "upload");
    launch(p, x, s, 1);
    cudaGraphExecDestroy(x);
}

void conditional_program(uint64_t seed, FILE *out)
{
    struct program p = {.out = out, .state = seed, .updatable = seed % 4 == 0};
    cudaStream_t s;
    fprintf(out, "seed %llu\n", (unsigned long long)seed);
    if (cudaMalloc((void **)&p.memory, sizeof *p.memory) != cudaSuccess ||
        cudaMemset(p.memory, 0, sizeof *p.memory) != cudaSuccess ||
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess) {
        fprintf(out, "no device\n");
        return;
    }
    cudaGraph_t g = build(&p, 0);
    run(&p, seed, g, s);
    said(&p, cudaGraphDestroy(g), "destroy");
    said(&p, cudaGetLastError(), "last error");
    cudaStreamDestroy(s);
    cudaFree(p.memory);
}
