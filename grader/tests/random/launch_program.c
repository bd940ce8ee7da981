/* launch_program.c: random programs of device graph launch, see launch_program.h. */
#include "launch_program.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/splitmix.h"
#include "launch_script.h"

enum { MAX_GRAPHS = 6, MAX_PARTS = 4, MAX_LAUNCHES = 3, STEP_US = 200, ALWAYS = 1 << 30 };

/* A launch that a kernel makes in its first runs. */
struct random_launch {
    int graph; /* -1: its own, by cudaGetCurrentGraphExec */
    int mode;  /* of modes[] */
    int runs;
};

struct random_part {
    int delay_us;
    bool after[MAX_PARTS]; /* parts of the same graph that come before it */
    bool memset_after;     /* a memset follows it */
    struct random_launch launches[MAX_LAUNCHES];
    int n_launches;
};

struct random_launches {
    uint64_t state;
    int n_graphs;
    int n_parts[MAX_GRAPHS];
    struct random_part parts[MAX_GRAPHS][MAX_PARTS];
    int root_launches; /* by the host, in sequence */
    bool two_roots;    /* graph 1 is launched too, in another stream */
};

static const cudaStream_t modes[] = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL, LAUNCH_SIBLING};

/* ---- choosing -------------------------------------------------------------------------------- */

static unsigned pick(struct random_launches *p, unsigned n)
{
    return (unsigned)((splitmix(&p->state) >> 32) * n >> 32);
}

/* What the host launches more than once, or beside another graph, no kernel launches: what a GPU
 * does when both meet is not defined. */
static int first_target(const struct random_launches *p)
{
    return p->two_roots ? 2 : p->root_launches > 1 ? 1 : 0;
}

static void choose_launch(struct random_launches *p, int graph, struct random_launch *l)
{
    static const int often[] = {0, 0, 0, 0, 1, 1, 1, 1, 2};
    int first = first_target(p);
    bool self = pick(p, 5) == 0;
    l->mode = often[pick(p, sizeof often / sizeof *often)];
    l->graph = first + (int)pick(p, (unsigned)(p->n_graphs - first));
    if (self || l->graph == graph)
        l->graph = -1;
    if (l->graph == -1 && pick(p, 4))
        l->mode = 1;
    l->runs = 1 + (int)pick(p, 3);
}

static void choose_part(struct random_launches *p, int graph, int part)
{
    struct random_part *r = &p->parts[graph][part];
    r->delay_us = STEP_US * (int)(pick(p, 3) ? pick(p, 5) : 0);
    for (int k = 0; k < part; k++)
        r->after[k] = pick(p, 2);
    r->memset_after = pick(p, 8) == 0;
    int often = graph == 0 ? 2 : 4;
    r->n_launches = pick(p, (unsigned)often) == 0 ? 1 + (int)pick(p, MAX_LAUNCHES) : 0;
    if (graph == 0 && part == 0 && r->n_launches == 0)
        r->n_launches = 1 + (int)pick(p, MAX_LAUNCHES);
    for (int i = 0; i < r->n_launches; i++)
        choose_launch(p, graph, &r->launches[i]);
}

static void choose(struct random_launches *p, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->state = seed * UINT64_C(0x2545f4914f6cdd1d) + 7;
    p->n_graphs = 3 + (int)pick(p, MAX_GRAPHS - 2);
    p->root_launches = pick(p, 4) ? 1 : 2;
    p->two_roots = pick(p, 5) == 0;
    for (int g = 0; g < p->n_graphs; g++) {
        p->n_parts[g] = 1 + (int)pick(p, pick(p, 2) ? MAX_PARTS : 1);
        for (int i = 0; i < p->n_parts[g]; i++)
            choose_part(p, g, i);
    }
}

/* ---- making it ------------------------------------------------------------------------------- */

/* What exists on the device. */
struct made {
    struct script_log *log;
    struct script *parts[MAX_GRAPHS][MAX_PARTS];
    unsigned char *bytes; /* for memsets */
    cudaGraph_t graphs[MAX_GRAPHS];
    cudaGraphExec_t execs[MAX_GRAPHS];
    cudaStream_t streams[2];
    const char *failed; /* the call that did */
    cudaError_t error;
};

static bool good(struct made *m, cudaError_t e, const char *call)
{
    if (e != cudaSuccess && !m->failed) {
        m->failed = call;
        m->error = e;
    }
    return !m->failed;
}

#define GOOD(call) good(m, call, #call)

static void make_part(const struct random_launches *p, struct made *m, int g, int i,
                      cudaGraphNode_t nodes[MAX_PARTS])
{
    const struct random_part *r = &p->parts[g][i];
    int delay_us = r->delay_us, n = 0;
    void *args[] = {&m->parts[g][i], &m->log, &delay_us};
    cudaGraphNode_t before[MAX_PARTS];
    for (int k = 0; k < i; k++)
        if (r->after[k])
            before[n++] = nodes[k];
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)script_kernel(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    GOOD(cudaGraphAddKernelNode(&nodes[i], m->graphs[g], before, (size_t)n, &k));
    struct cudaMemsetParams set = {
        .dst = m->bytes + 64 * (g * MAX_PARTS + i), .elementSize = 1, .width = 64, .height = 1};
    cudaGraphNode_t kernel = nodes[i];
    if (r->memset_after)
        GOOD(cudaGraphAddMemsetNode(&nodes[i], m->graphs[g], &kernel, 1, &set));
}

static void make_graph(const struct random_launches *p, struct made *m, int g)
{
    cudaGraphNode_t nodes[MAX_PARTS];
    GOOD(cudaGraphCreate(&m->graphs[g], 0));
    for (int i = 0; i < p->n_parts[g]; i++) {
        GOOD(cudaMalloc((void **)&m->parts[g][i], sizeof *m->parts[g][i]));
        make_part(p, m, g, i, nodes);
    }
    GOOD(cudaGraphInstantiate(&m->execs[g], m->graphs[g], cudaGraphInstantiateFlagDeviceLaunch));
    GOOD(cudaGraphUpload(m->execs[g], m->streams[0]));
}

static int letter_of(int g, int i)
{
    return g * MAX_PARTS + i + 1;
}

/* Each part's list: its letter, then its launches. */
static void tell_part(const struct random_launches *p, struct made *m, int g, int i)
{
    static struct script list;
    const struct random_part *r = &p->parts[g][i];
    memset(&list, 0, sizeof list);
    list.steps[list.n++] =
        (struct script_step){.verb = SCRIPT_LOG, .until = ALWAYS, .letter = (char)letter_of(g, i)};
    for (int k = 0; k < r->n_launches; k++) {
        const struct random_launch *l = &r->launches[k];
        list.steps[list.n++] =
            (struct script_step){.verb = l->graph < 0 ? SCRIPT_RELAUNCH : SCRIPT_LAUNCH,
                                 .until = l->runs,
                                 .letter = (char)(letter_of(g, i) + 32 + 32 * k),
                                 .exec = l->graph < 0 ? NULL : m->execs[l->graph],
                                 .stream = modes[l->mode]};
    }
    GOOD(cudaMemcpy(m->parts[g][i], &list, sizeof list, cudaMemcpyHostToDevice));
}

static void make(const struct random_launches *p, struct made *m)
{
    for (int i = 0; i < 2; i++)
        GOOD(cudaStreamCreateWithFlags(&m->streams[i], cudaStreamNonBlocking));
    GOOD(cudaMalloc((void **)&m->log, sizeof *m->log));
    GOOD(cudaMemset(m->log, 0, sizeof *m->log));
    GOOD(cudaMalloc((void **)&m->bytes, 64 * MAX_GRAPHS * MAX_PARTS));
    for (int g = 0; g < p->n_graphs; g++)
        make_graph(p, m, g);
    for (int g = 0; g < p->n_graphs; g++)
        for (int i = 0; i < p->n_parts[g]; i++)
            tell_part(p, m, g, i);
    GOOD(cudaDeviceSynchronize());
}

static void unmake(struct made *m)
{
    for (int g = 0; g < MAX_GRAPHS; g++) {
        if (m->execs[g])
            cudaGraphExecDestroy(m->execs[g]);
        if (m->graphs[g])
            cudaGraphDestroy(m->graphs[g]);
        for (int i = 0; i < MAX_PARTS; i++)
            cudaFree(m->parts[g][i]);
    }
    for (int i = 0; i < 2; i++)
        if (m->streams[i])
            cudaStreamDestroy(m->streams[i]);
    cudaFree(m->log);
    cudaFree(m->bytes);
}

/* ---- its log --------------------------------------------------------------------------------- */

static int by_letter(const void *a, const void *b)
{
    return (int)*(const unsigned char *)a - (int)*(const unsigned char *)b;
}

static void print_letter(const struct random_launches *p, unsigned char c, FILE *out)
{
    int which = (c & 0x7f) - 1, part = which % 32, launch = which / 32 - 1;
    char name = (char)('a' + part);
    if (launch < 0) {
        fputc(name, out);
        return;
    }
    static const char how[] = {'f', 't', 's'};
    const struct random_launch *l = &p->parts[part / MAX_PARTS][part % MAX_PARTS].launches[launch];
    fprintf(out, "%s%c%c%d", c & SCRIPT_REFUSED ? "no:" : "", name, how[l->mode], l->graph);
}

/* Letters that are no more than half a step apart are of one moment. */
static void print_log(const struct random_launches *p, struct script_log *log, FILE *out)
{
    int n = log->n_letters < SCRIPT_LETTERS ? log->n_letters : SCRIPT_LETTERS;
    for (int first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n; end++)
            if (log->at_ns[end] > log->at_ns[end - 1] + 1000ull * STEP_US / 2)
                break;
        qsort(log->letters + first, (size_t)(end - first), 1, by_letter);
        for (int i = first; i < end; i++) {
            print_letter(p, (unsigned char)log->letters[i], out);
            fputc(i + 1 < end ? ' ' : '\n', out);
        }
    }
}

void launch_program(uint64_t seed, FILE *out)
{
    static struct script_log log;
    struct random_launches p;
    struct made made = {0}, *m = &made;
    fprintf(out, "seed %llu\n", (unsigned long long)seed);
    choose(&p, seed);
    make(&p, m);
    for (int i = 0; i < p.root_launches; i++)
        GOOD(cudaGraphLaunch(m->execs[0], m->streams[0]));
    if (p.two_roots)
        GOOD(cudaGraphLaunch(m->execs[1], m->streams[1]));
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy(&log, m->log, sizeof log, cudaMemcpyDeviceToHost));
    if (m->failed)
        fprintf(out, "%s gave %s\n", m->failed, cudaGetErrorName(m->error));
    else
        print_log(&p, &log, out);
    fputs("end\n", out);
    unmake(m);
}

void launch_program_describe(uint64_t seed, FILE *out)
{
    static const char *const how[] = {"fires", "appends", "fires beside itself"};
    struct random_launches p;
    choose(&p, seed);
    fprintf(out, "seed %llu\n", (unsigned long long)seed);
    fprintf(out, "graph 0 launched %d times%s\n", p.root_launches,
            p.two_roots ? ", graph 1 beside it" : "");
    for (int g = 0; g < p.n_graphs; g++)
        for (int i = 0; i < p.n_parts[g]; i++) {
            const struct random_part *r = &p.parts[g][i];
            fprintf(out, "graph %d, %c, %d us, after:", g, 'a' + g * MAX_PARTS + i, r->delay_us);
            for (int k = 0; k < i; k++)
                if (r->after[k])
                    fprintf(out, " %c", 'a' + g * MAX_PARTS + k);
            for (int k = 0; k < r->n_launches; k++)
                fprintf(out, "; %s %d (%d times)", how[r->launches[k].mode], r->launches[k].graph,
                        r->launches[k].runs);
            fprintf(out, "%s\n", r->memset_after ? "; memset" : "");
        }
}
