/* finding.c: the findings of the checks, kept for graders and printed for people.
 *
 * A loop makes the same mistake a thousand times: findings of one kind that name the same
 * operations, streams and graph nodes are one finding, the first of them, with a count. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "race.h"

enum { MAX_FINDINGS = 256, DEFAULT_PRINTED = 16 };

static struct {
    pthread_mutex_t lock; /* the program may ask while its other threads are inside the device */
    struct simgpu_finding items[MAX_FINDINGS];
    size_t n;
    uint64_t dropped; /* found when all items were taken */
    size_t printed;
    bool said_enough;
} findings = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool same_site(const struct simgpu_site *a, const struct simgpu_site *b)
{
    return a->stream == b->stream && a->node == b->node && a->graph == b->graph &&
           strcmp(a->name, b->name) == 0;
}

static struct simgpu_finding *find_like(const struct simgpu_finding *f)
{
    for (size_t i = 0; i < findings.n; i++) {
        struct simgpu_finding *k = &findings.items[i];
        if (k->kind == f->kind && k->object == f->object && same_site(&k->first, &f->first) &&
            (f->kind == SIMGPU_UNINITIALIZED_READ || same_site(&k->second, &f->second)))
            return k;
    }
    return NULL;
}

static bool count_again(const struct simgpu_finding *f)
{
    struct simgpu_finding *known = find_like(f);
    if (known)
        known->count += f->count ? f->count : 1;
    else if (findings.n == MAX_FINDINGS)
        findings.dropped += f->count ? f->count : 1;
    return known || findings.n == MAX_FINDINGS;
}

/* SIMGPU_REPORT: how many findings to print. */
static size_t print_limit(void)
{
    const char *text = setting("SIMGPU_REPORT");
    if (!text || !*text)
        return DEFAULT_PRINTED;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (*end || errno || n < 0) {
        static bool told;
        if (!told)
            fprintf(stderr,
                    "simgpu: SIMGPU_REPORT=%s is not a number of findings to print; printing %d\n",
                    text, DEFAULT_PRINTED);
        told = true;
        return DEFAULT_PRINTED;
    }
    return (size_t)n;
}

/* Where the program made the calls, if anybody can say. */
static void print_lines(const struct simgpu_finding *f)
{
    enum { FIRST, SECOND, WAITED, RECORDED, CALLS };
    const uint32_t callers[CALLS] = {f->first.caller.at, f->second.caller.at, f->wait.waited.at,
                                     f->wait.recorded.at};
    char lines[CALLS][CALLER_LINE];
    caller_lines(callers, CALLS, lines);
    if (lines[FIRST][0] && lines[SECOND][0] && strcmp(lines[FIRST], lines[SECOND]) != 0) {
        fprintf(stderr, " (first at %s, second at %s", lines[FIRST], lines[SECOND]);
    } else if (lines[FIRST][0] || lines[SECOND][0]) {
        fprintf(stderr, " (at %s", lines[lines[FIRST][0] ? FIRST : SECOND]);
    } else {
        fputs("\n", stderr);
        return;
    }
    if (lines[WAITED][0] && f->wait.stream < 0)
        fprintf(stderr, ", after a wait at %s for an event that was not recorded", lines[WAITED]);
    else if (lines[WAITED][0] && lines[RECORDED][0])
        fprintf(stderr, ", after a wait at %s for the record at %s", lines[WAITED],
                lines[RECORDED]);
    fputs(")\n", stderr);
}

static void print(const struct simgpu_finding *f)
{
    size_t limit = print_limit();
    if (findings.printed < limit) {
        struct simgpu_words w;
        simgpu_finding_words(f, &w);
        fprintf(stderr, "simgpu: %s: %s%s%s.", simgpu_kind_name(f->kind), w.what,
                w.next[0] ? "; " : "", w.next);
        print_lines(f);
        findings.printed++;
    } else if (limit && !findings.said_enough) {
        fprintf(stderr, "simgpu: further findings are counted, not printed "
                        "(SIMGPU_REPORT=n prints n of them)\n");
        findings.said_enough = true;
    }
}

bool finding_again(const struct simgpu_finding *f)
{
    pthread_mutex_lock(&findings.lock);
    bool again = count_again(f);
    pthread_mutex_unlock(&findings.lock);
    return again;
}

EXPORT __attribute__((noinline)) void simgpu_found(const struct simgpu_finding *f)
{
    __asm__ volatile("" : : "r"(f) : "memory");
}

void finding_add(const struct simgpu_finding *f)
{
    pthread_mutex_lock(&findings.lock);
    if (!count_again(f)) {
        struct simgpu_finding *kept = &findings.items[findings.n++];
        *kept = *f;
        if (!kept->count)
            kept->count = 1;
        print(kept);
        simgpu_found(kept);
    }
    pthread_mutex_unlock(&findings.lock);
}

EXPORT size_t simgpu_findings(struct simgpu_finding *out, size_t max)
{
    pthread_mutex_lock(&findings.lock);
    size_t n = findings.n;
    if (out && max)
        memcpy(out, findings.items, (n < max ? n : max) * sizeof *out);
    pthread_mutex_unlock(&findings.lock);
    return n;
}

EXPORT uint64_t simgpu_findings_dropped(void)
{
    pthread_mutex_lock(&findings.lock);
    uint64_t dropped = findings.dropped;
    pthread_mutex_unlock(&findings.lock);
    return dropped;
}

EXPORT void simgpu_findings_clear(void)
{
    pthread_mutex_lock(&findings.lock);
    findings.n = 0;
    findings.dropped = 0;
    findings.printed = 0;
    findings.said_enough = false;
    pthread_mutex_unlock(&findings.lock);
}
