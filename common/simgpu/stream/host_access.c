/* host_access.c: the accesses of host code, declared to race detection. What a thread does between
 * two moments is one operation: after everything that the host has waited for, and before what it
 * enqueues later. It is checked late, and a kernel whose accesses are not known yet is compared
 * with it once it has run.
 *
 * Host and device may also talk through memory: one writes a flag, and the other polls it, as
 * volatile or by atomic operations. The host then comes after operations that write what it reads
 * so. So do its later calls, unless its code was named (simgpu_own_code): a submission waits by
 * calls. A kernel that polls memory of the host, or accesses what the host writes so, may get
 * messages from it: the accesses of both are not compared. */
#include <stdlib.h>
#include <string.h>

#include "kernel/host_record.h"
#include "stream.h"

/* Addresses that host code has accessed as signals while kernels were pending of which the accesses
 * are not known. */
enum { MOST_SIGNALS = 64 };
static struct {
    struct {
        uint64_t lo, hi;
    } at[MOST_SIGNALS];
    int n;
    bool any; /* there were more */
} signals;

/* ---- what is pending ------------------------------------------------------------------------- */

static bool is_known_done(const struct epoch *s)
{
    return s->seq == 0 || epoch_before(s, &access_epoch);
}

static bool all_known_done(void)
{
    for (int i = 0; i < sim.n_devices; i++) {
        const struct device *d = &devices[i];
        if (!is_known_done(&d->gone[0]) || !is_known_done(&d->gone[1]))
            return false;
        for (const struct stream *s = d->streams; s; s = s->next)
            if (!is_known_done(&s->work))
                return false;
    }
    return true;
}

/* When all work is known to be done: then no kernel exchanges messages with the host. */
static void signals_forget(void)
{
    signals.n = 0;
    signals.any = false;
}

void host_access_enqueued(void)
{
    if (!sim.checks)
        return;
    simgpu_host.moment += HOST_MOMENT;
    host_watch((uintptr_t)memory_shared_top());
}

void host_access_waited(void)
{
    if (!simgpu_host.watched || !sim.checks || !all_known_done())
        return;
    signals_forget();
    host_watch(0);
}

static bool begins(struct host_record *r)
{
    const struct thread_state *t = thread_self();
    if (!t->acts_as && all_known_done()) {
        signals_forget();
        return false;
    }
    epoch_drop(&r->epoch);
    r->latest = memory_latest();
    if (t->acts_as) {
        site_of(t->acts_as, &r->site);
        r->epoch = epoch_copy(&t->acts_as->epoch);
    } else {
        r->site = (struct simgpu_site){.name = "the host", .stream = -1, .node = -1};
        r->epoch = host_acts();
    }
    return true;
}

static bool quiet(uintptr_t at, struct host_span *span)
{
    uint64_t lo, hi;
    struct history *pageable = memory_pageable();
    if (!memory_gap(at, &lo, &hi) || (pageable && !history_gap(pageable, at, &lo, &hi)))
        return false;
    *span = (struct host_span){lo, hi};
    return true;
}

/* ---- the record as accesses ------------------------------------------------------------------ */

/* mask: as in struct access. */
static void declare_part(const struct host_record *r, uint64_t lo, uint64_t hi,
                         const uint64_t *mask, bool writes, uint32_t by)
{
    const struct allocation *a = memory_find((const void *)(uintptr_t)lo);
    struct history *h = a ? a->history : memory_pageable();
    if (!h || (a && (!memory_is_of_host(a) || a->serial > r->latest)))
        return;
    if (mask && hi - lo > MASK_BYTES && history_is_crowded(h, lo, hi)) {
        for (uint64_t end; lo < hi; lo = end) {
            end = lo - lo % MASK_BYTES + MASK_BYTES;
            declare_part(r, lo, end < hi ? end : hi, mask, writes, by);
        }
        return;
    }
    if (mask && history_is_crowded(h, lo, hi)) {
        for (uint64_t from = lo, to = hi; masks_meet(mask, NULL, &from, &to); from = to, to = hi)
            declare_part(r, from, to, NULL, writes, by);
        return;
    }
    struct simgpu_site site = r->site;
    site.caller = (struct simgpu_caller){.at = by};
    history_access(h, &(struct access){.lo = lo,
                                       .hi = hi,
                                       .mask = mask,
                                       .rows = 1,
                                       .mode = writes ? SIMGPU_WRITE : SIMGPU_READ,
                                       .epoch = &r->epoch,
                                       .site = &site,
                                       .expected = true,
                                       .late = true,
                                       .of_host = true,
                                       .alone = site.stream >= 0 && !thread_self()->has_synced,
                                       .also = site.stream < 0 ? NULL : &access_epoch});
}

/* An allocation after the other. */
static void declare_parts(const struct host_record *r, uint64_t lo, uint64_t end,
                          const uint64_t *mask, bool writes, uint32_t by)
{
    for (uint64_t hi; lo < end; lo = hi) {
        const struct allocation *a = memory_find((const void *)(uintptr_t)lo);
        if (!a && (a = memory_find_in((const void *)(uintptr_t)lo, end - lo)))
            hi = a->lo > lo ? a->lo : end;
        else
            hi = a && a->hi < end ? a->hi : end;
        declare_part(r, lo, hi, mask, writes, by);
    }
}

/* Bytes side by side, accessed at one place of the program. */
struct run {
    const struct host_record *record;
    uint64_t lo, hi; /* hi 0: none yet */
    bool writes;
    uint32_t by;
};

static void run_end(struct run *run)
{
    declare_parts(run->record, run->lo, run->hi, NULL, run->writes, run->by);
    run->lo = run->hi = 0;
}

static void run_add(struct run *run, uint64_t lo, uint64_t hi, uint32_t by)
{
    if (lo != run->hi || by != run->by) {
        run_end(run);
        run->lo = lo;
        run->by = by;
    }
    run->hi = hi;
}

static void add_word(struct run *run, uint64_t at, uint64_t bits, uint32_t by)
{
    while (bits) {
        const int skip = __builtin_ctzll(bits);
        const uint64_t rest = ~(bits >> skip);
        const int n = rest ? __builtin_ctzll(rest) : 64;
        run_add(run, at + (uint64_t)skip, at + (uint64_t)(skip + n), by);
        bits = skip + n < 64 ? bits >> (skip + n) << (skip + n) : 0;
    }
}

/* Are the bytes many runs? */
static bool is_scattered(const uint64_t *bits, const uint32_t *by)
{
    enum { FEW_RUNS = 8 };
    int n = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < RECORD_WORDS && n <= FEW_RUNS; i++) {
        const bool goes_on = last >> 63 && by[i] == by[i - 1];
        n += __builtin_popcountll(bits[i] & ~(bits[i] << 1 | goes_on));
        last = bits[i];
    }
    return n > FEW_RUNS;
}

/* As one access of each place in the program, in the order of their first bytes. */
static void add_scattered(struct run *run, uint64_t at, const uint64_t *bits, const uint32_t *by)
{
    uint64_t left = 0; /* a bit for each word */
    for (size_t i = 0; i < RECORD_WORDS; i++)
        left |= (uint64_t)(bits[i] != 0) << i;
    run_end(run);
    while (left) {
        uint64_t mask[MASK_WORDS] = {0};
        const uint32_t first = by[__builtin_ctzll(left)];
        for (uint64_t words = left; words; words &= words - 1) {
            const int i = __builtin_ctzll(words);
            if (by[i] == first) {
                mask[i] = bits[i];
                left &= ~(UINT64_C(1) << i);
            }
        }
        declare_parts(run->record, at, at + MASK_BYTES, mask, run->writes, first);
    }
}

static void add_page(struct run *run, const struct host_page *page)
{
    const uint64_t at = page->number * RECORD_PAGE_BYTES;
    uint64_t bits[RECORD_WORDS], any = 0;
    uint32_t by[RECORD_WORDS];
    for (size_t i = 0; i < RECORD_WORDS; i++) {
        any |= bits[i] = page->words[i].bits[run->writes];
        by[i] = page->words[i].by[run->writes];
    }
    if (!any)
        return;
    if (is_scattered(bits, by)) {
        add_scattered(run, at, bits, by);
        return;
    }
    for (size_t i = 0; i < RECORD_WORDS; i++)
        add_word(run, at + 64 * i, bits[i], by[i]);
}

_Static_assert(MASK_WORDS == (int)RECORD_WORDS, "a page of a record has masks");

static int by_number(const void *a, const void *b)
{
    const uintptr_t x = (*(struct host_page *const *)a)->number,
                    y = (*(struct host_page *const *)b)->number;
    return x < y ? -1 : x > y;
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = ((const struct host_run *)a)->lo, y = ((const struct host_run *)b)->lo;
    return x < y ? -1 : x > y;
}

/* The record's runs from *next on that begin at `last` or before. */
static void add_runs(struct run *run, unsigned *next, uint64_t last)
{
    for (; *next < run->record->n_runs && run->record->runs[*next].lo <= last; ++*next) {
        const struct host_run *of = &run->record->runs[*next];
        const bool is_full =
            of->mask[0] == UINT64_MAX && memcmp(of->mask, of->mask + 1, sizeof of->mask - 8) == 0;
        if (of->writes != run->writes)
            continue;
        if (is_full) {
            run_add(run, of->lo, of->hi, of->by);
        } else {
            run_end(run);
            declare_parts(run->record, of->lo, of->hi, of->mask, run->writes, of->by);
        }
    }
}

static void declare(struct host_record *r)
{
    qsort(r->pages, r->n, sizeof(struct host_page *), by_number);
    qsort(r->runs, r->n_runs, sizeof r->runs[0], by_address);
    for (int writes = 0; writes < 2; writes++) {
        struct run run = {.record = r, .writes = writes};
        unsigned next = 0;
        for (size_t i = 0; i < r->n; i++) {
            add_runs(&run, &next, r->pages[i]->number * RECORD_PAGE_BYTES);
            add_page(&run, r->pages[i]);
        }
        add_runs(&run, &next, UINT64_MAX);
        run_end(&run);
    }
    epoch_drop(&r->epoch);
}

/* ---- signals --------------------------------------------------------------------------------- */

static void note_signal(uint64_t lo, uint64_t hi)
{
    for (int i = 0; i < signals.n; i++)
        if (signals.at[i].lo <= lo && hi <= signals.at[i].hi)
            return;
    signals.any = signals.any || signals.n == MOST_SIGNALS;
    if (signals.n == MOST_SIGNALS)
        return;
    signals.at[signals.n].lo = lo;
    signals.at[signals.n++].hi = hi;
}

static void signal_at(const void *p, size_t bytes, bool writes)
{
    const uint64_t lo = (uint64_t)(uintptr_t)p, hi = lo + bytes;
    const struct allocation *a = memory_find(p);
    if (!a || !memory_is_of_host(a) || hi > a->hi)
        return;
    history_signal(a->history, lo, hi, writes, !own_code.is_named);
    if (late_any())
        note_signal(lo, hi);
}

static bool polls_host(const struct recording *r)
{
    for (int i = 0; i < r->n_looked && i < LOOKED_WORDS; i++) {
        const struct allocation *a = memory_find((const void *)r->looked[i].at);
        if (a && memory_is_of_host(a))
            return true;
    }
    return false;
}

bool host_access_signals(const struct op *op, const struct recording *r)
{
    const struct kernel_call *k = op->work.kernel.call;
    for (int n = 0; n < k->n_ranges && !signals.any; n++) {
        const uint64_t lo = (uint64_t)(uintptr_t)k->ranges[n].base,
                       hi = lo + k->ranges[n].width_bytes;
        for (int i = 0; i < signals.n; i++)
            if (signals.at[i].lo < hi && lo < signals.at[i].hi)
                return true;
    }
    return signals.any || polls_host(r);
}

/* ---- */

void host_access_start(void)
{
    static const struct host_runtime host = {
        .begins = begins, .quiet = quiet, .declare = declare, .signals = signal_at};
    host_runtime_set(&host);
    device_on_lock(host_record_declare);
}
