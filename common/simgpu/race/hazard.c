/*
 * hazard.c: a sentence about a missing order, and the calls that add it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "hazard.h"

/* The sentence as far as it has got; what does not fit is cut off. */
struct sentence {
    char *text;
    size_t room, length;
};

static void say(struct sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->text + s->length, s->room - s->length, format, args);
    va_end(args);
    if (n > 0)
        s->length += (size_t)n;
    if (s->length >= s->room)
        s->length = s->room - 1;
}

static void say_stream(struct sentence *s, const struct simgpu_site *site)
{
    if (site->stream == 0)
        say(s, "the legacy stream");
    else
        say(s, "stream %d", site->stream);
}

/* consume (stream 2, operation 0) */
static void say_site(struct sentence *s, const struct simgpu_site *site)
{
    say(s, "%s (", site->name);
    if (site->stream < 0) {
        say(s, "called by the host)");
        return;
    }
    if (site->graph)
        say(s, "node %d of graph %d, which a kernel launched, of ", site->node, site->graph);
    else if (site->node >= 0)
        say(s, "node %d of the graph launched in ", site->node);
    say_stream(s, site);
    say(s, ", operation %" PRIu64 ")", site->index);
}

static void say_size(struct sentence *s, uint64_t bytes)
{
    if (bytes && bytes % (1 << 20) == 0)
        say(s, "%" PRIu64 " MiB", bytes >> 20);
    else if (bytes && bytes % (1 << 10) == 0)
        say(s, "%" PRIu64 " KiB", bytes >> 10);
    else
        say(s, "%" PRIu64 " bytes", bytes);
}

/* bytes 0-4095 of allocation 3 (1 MiB, cudaMalloc) */
static void say_range(struct sentence *s, const struct hazard *z, const struct hazard_memory *m)
{
    uint64_t others = z->bytes - (z->hi - z->lo);
    if (z->hi - z->lo == 1)
        say(s, "byte %" PRIu64, z->lo - m->lo);
    else
        say(s, "bytes %" PRIu64 "-%" PRIu64, z->lo - m->lo, z->hi - m->lo - 1);
    if (others)
        say(s, " and %" PRIu64 " others", others);
    const char *made_by = m->serial ? ", " : "", *call = m->serial ? m->call : "";
    if (m->serial)
        say(s, " of allocation %" PRIu64 " (", m->serial);
    else
        say(s, " of %s (", m->call);
    say_size(s, m->hi - m->lo);
    say(s, "%s%s)", made_by, call);
}

static bool same_graph_launch(const struct simgpu_site *a, const struct simgpu_site *b)
{
    return a->node >= 0 && b->node >= 0 && a->stream == b->stream && a->index == b->index &&
           a->graph == b->graph;
}

/* What a learner has to add so that z's second operation comes after its first. */
static void say_edge(struct sentence *s, const struct simgpu_site *first,
                     const struct simgpu_site *second)
{
    if (first->is_early || second->is_early) {
        say(s,
            "; %.24s starts early, by a programmatic dependency: in this kernel, call "
            "cudaGridDependencySynchronize() before the first access to that memory.",
            second->is_early ? second->name : first->name);
    } else if (same_graph_launch(first, second)) {
        say(s,
            "; add an edge from node %d to node %d of the graph (cudaGraphAddDependencies; in a "
            "capture, cudaEventRecord and cudaStreamWaitEvent).",
            first->node, second->node);
    } else if (first->stream == second->stream && (first->graph || second->graph)) {
        say(s, "; a graph launched fire-and-forget runs concurrently with the kernel that launched "
               "it and with the rest of that kernel's graph: launch later work as a tail "
               "(cudaStreamGraphTailLaunch).");
    } else if (first->stream < 0) {
        say(s, "; make that call only after %.24s has returned.", first->name);
    } else if (second->stream < 0) {
        say(s, "; let the host wait for ");
        say_stream(s, first);
        say(s, " before it calls %.24s (cudaStreamSynchronize, cudaEventSynchronize).",
            second->name);
    } else if (first->stream == 0 || second->stream == 0) {
        const struct simgpu_site *legacy = first->stream == 0 ? first : second;
        const struct simgpu_site *other = first->stream == 0 ? second : first;
        say(s,
            "; a stream created with cudaStreamNonBlocking and the legacy stream do not wait for "
            "each other: enqueue %.24s in ",
            legacy->name);
        say_stream(s, other);
        say(s, ", too (its stream argument).");
    } else {
        say(s, "; record an event after %s%.24s in ", first->node >= 0 ? "the graph of " : "",
            first->name);
        say_stream(s, first);
        say(s, " and let ");
        say_stream(s, second);
        say(s, " wait for it before %s%.24s (cudaEventRecord, cudaStreamWaitEvent).",
            second->node >= 0 ? "the graph of " : "", second->name);
    }
}

static void say_hazard(struct sentence *s, const struct hazard *z, const struct hazard_memory *m)
{
    bool overwrites = z->kind == HAZARD_WRITE_AFTER_READ;
    switch (z->kind) {
    case HAZARD_READ_AFTER_WRITE:
    case HAZARD_USE_AFTER_ALLOC:
        say(s, "Nothing orders ");
        say_site(s, &z->second);
        say(s, " after ");
        say_site(s, &z->first);
        say(s, ": %.24s %s ", z->first.name,
            z->kind == HAZARD_USE_AFTER_ALLOC ? "allocates" : "writes");
        say_range(s, z, m);
        say(s, ", and %.24s %s %s", z->second.name,
            z->kind == HAZARD_USE_AFTER_ALLOC ? "uses" : "reads", z->bytes == 1 ? "it" : "them");
        return;
    case HAZARD_WRITE_AFTER_READ:
    case HAZARD_FREE_AFTER_USE:
        say_site(s, &z->second);
        say(s, overwrites ? " overwrites " : " frees ");
        say_range(s, z, m);
        say(s, ", which ");
        say_site(s, &z->first);
        say(s, overwrites ? " may still be reading" : " may still be using");
        return;
    case HAZARD_WRITE_AFTER_WRITE:
        say_site(s, &z->first);
        say(s, " and ");
        say_site(s, &z->second);
        say(s, " both write ");
        say_range(s, z, m);
        say(s, " and nothing orders them: either result may remain");
        return;
    case HAZARD_NEVER_WRITTEN:
        say_site(s, &z->first);
        say(s, " reads ");
        say_range(s, z, m);
        say(s,
            ", which no earlier operation has written; write them first (cudaMemcpyAsync, "
            "cudaMemsetAsync or a kernel), and order that operation before %.24s.",
            z->first.name);
        return;
    }
}

static enum simgpu_finding_kind finding_kind(const struct hazard *z)
{
    if (z->kind == HAZARD_NEVER_WRITTEN)
        return SIMGPU_UNINITIALIZED_READ;
    if (z->kind != HAZARD_FREE_AFTER_USE)
        return SIMGPU_RACE;
    return z->second.stream < 0 ? SIMGPU_HOST_RACE : SIMGPU_USE_AFTER_FREE;
}

/* Of the waits directly before the second operation: the latest for the stream of the first one; if
 * there is none, the latest. Waits in a capture order the nodes of that capture alone. */
static void find_wait(struct simgpu_finding *f)
{
    const struct wait_list *first = waits_of(f->first.waits), *l = waits_of(f->second.waits);
    const bool captured =
        same_graph_launch(&f->first, &f->second) && l->capture && l->capture == first->capture;
    const int from = captured ? first->stream : f->first.stream,
              to = captured ? l->stream : f->second.stream;
    if ((f->second.node >= 0 && !captured) || from < 0 || to < 0 || from == to || l->n == 0)
        return;
    int i = 0;
    while (i < l->n && l->at[i].stream != from)
        i++;
    f->is_wait_for_first = i < l->n;
    f->wait = l->at[f->is_wait_for_first ? i : 0];
}

void hazard_report(const struct hazard *z, const struct hazard_memory *m)
{
    struct simgpu_finding f = {.kind = finding_kind(z),
                               .first = z->first,
                               .second = z->second,
                               .address = z->lo,
                               .bytes = z->bytes,
                               .count = 1};
    if (finding_again(&f))
        return;
    find_wait(&f);
    struct sentence s = {.text = f.text, .room = sizeof f.text};
    say_hazard(&s, z, m);
    if (z->kind != HAZARD_NEVER_WRITTEN)
        say_edge(&s, &z->first, &z->second);
    finding_add(&f);
}
