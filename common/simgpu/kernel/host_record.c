/* host_record.c: recording what host code does while work is pending. Most accesses cost a look
 * into a small cache and a bit. */
#include "host_record.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256, MOST_TRIES = 10000 };

EXPORT uintptr_t simgpu_watched;
static uintptr_t watched;   /* the same without grids */
static _Atomic int n_grids; /* that run */
static const struct host_runtime *runtime;
static __thread struct host_record *own;

void host_runtime_set(const struct host_runtime *r)
{
    runtime = r;
}

void host_watch(uintptr_t below)
{
    watched = below;
    if (n_grids == 0)
        simgpu_watched = below;
}

void host_grid(bool runs)
{
    n_grids += runs ? 1 : -1;
    simgpu_watched = n_grids ? UINTPTR_MAX : watched;
}

/* ---- the lock -------------------------------------------------------------------------------- */

/* Not for a thread that is in the device already. A grid may wait for the host to write to memory:
 * then the host must not wait for the grid, and nothing is recorded. Nor must a signal handler, if
 * its own thread has the lock. */
static bool lock(void)
{
    if (n_grids > 0)
        return false;
    struct thread_state *t = thread_self();
    if (t->in_call || t->in_destructor || sim.forked || !runtime || !sim.checks)
        return false;
    for (int tries = 0; !device_try_lock(t); tries++) {
        if (n_grids > 0 || tries == MOST_TRIES)
            return false;
        sched_yield();
    }
    return true;
}

static void unlock(void)
{
    device_unlock(thread_self());
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void *cleared(size_t n, size_t bytes)
{
    void *p = calloc(n, bytes);
    if (!p)
        fatal("out of memory for the record of what the host accesses");
    return p;
}

static size_t slot_of(const struct host_record *r, uintptr_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->n_slots - 1);
    while (r->table[i] && r->pages[r->table[i] - 1]->number != number)
        i = (i + 1) & (r->n_slots - 1);
    return i;
}

static void grow(struct host_record *r)
{
    r->n_slots = r->n_slots ? 2 * r->n_slots : FIRST_SLOTS;
    free(r->table);
    r->table = cleared(r->n_slots, sizeof *r->table);
    for (size_t i = 0; i < r->n; i++)
        r->table[slot_of(r, r->pages[i]->number)] = i + 1;
}

static void page_add(struct host_record *r, uintptr_t number)
{
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : FIRST_SLOTS;
        r->pages = realloc(r->pages, r->cap * sizeof(struct host_page *));
        if (!r->pages)
            fatal("out of memory for the record of what the host accesses");
        memset(r->pages + r->n, 0, (r->cap - r->n) * sizeof(struct host_page *));
    }
    if (!r->pages[r->n])
        r->pages[r->n] = cleared(1, sizeof(struct host_page));
    memset(r->pages[r->n]->bits, 0, sizeof r->pages[r->n]->bits);
    r->pages[r->n++]->number = number;
}

/* Its place in the cache holds another page. */
static __attribute__((noinline)) struct host_page *find_page(struct host_record *r,
                                                             uintptr_t number)
{
    if (2 * (r->n + 1) > r->n_slots)
        grow(r);
    size_t i = slot_of(r, number);
    if (!r->table[i]) {
        page_add(r, number);
        r->table[i] = r->n;
    }
    struct host_page *page = r->pages[r->table[i] - 1];
    i = number % HOST_PAGES_CACHED;
    r->cache[i].number = number;
    r->cache[i].page = page;
    return page;
}

/* ---- records --------------------------------------------------------------------------------- */

/* It holds nothing from now on. */
static void clear(struct host_record *r)
{
    if (r->n)
        memset(r->table, 0, r->n_slots * sizeof *r->table);
    r->n = 0;
    memset(r->cache, 0, sizeof r->cache);
    memset(r->quiet, 0, sizeof r->quiet);
}

void host_record_declare(void)
{
    if (!own || own->n == 0)
        return;
    runtime->declare(own);
    clear(own);
    own->moment = 0;
}

void host_record_end(void)
{
    struct host_record *r = own;
    if (!r)
        return;
    runtime->declare(r);
    own = NULL;
    for (size_t i = 0; i < r->cap && r->pages[i]; i++)
        free(r->pages[i]);
    free(r->pages);
    free(r->table);
    free(r);
}

static struct host_record *own_record(void)
{
    if (!own)
        own = cleared(1, sizeof *own);
    return own;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* The access itself comes after its report, and an operation may have written in between. So what
 * the thread learns by it is asked again before its next other access. */
static bool is_new_signal(struct host_record *r, const void *p, size_t bytes, bool writes)
{
    const bool is_later = r->signaled != *runtime->moment;
    r->signaled = *runtime->moment;
    for (unsigned i = 0; i < r->n_signals && i < LATEST_SIGNALS; i++)
        if (r->signals[i].p == p && r->signals[i].writes == writes)
            return is_later;
    const unsigned i = r->n_signals++ % LATEST_SIGNALS;
    r->signals[i].p = p;
    r->signals[i].bytes = bytes;
    r->signals[i].writes = writes;
    return true;
}

static void signal_again(struct host_record *r)
{
    for (unsigned i = 0; i < r->n_signals && i < LATEST_SIGNALS; i++)
        runtime->signals(r->signals[i].p, r->signals[i].bytes, r->signals[i].writes);
    r->n_signals = 0;
}

/* The thread's record of this moment; NULL: nothing is to be recorded. */
static __attribute__((noinline)) struct host_record *begin(void)
{
    if (!lock())
        return NULL;
    own_record();
    host_record_declare();
    clear(own);
    signal_again(own);
    const bool begins = runtime->begins(own);
    own->moment = begins ? *runtime->moment : 0;
    if (!begins)
        host_watch(0);
    unlock();
    return begins ? own : NULL;
}

/* Are the bytes memory that no device accesses? */
static inline bool is_quiet(const struct host_record *r, uintptr_t at, size_t bytes)
{
    for (int i = 0; i < QUIET_SPANS; i++)
        if (at >= r->quiet[i].lo && at + bytes <= r->quiet[i].hi)
            return true;
    return false;
}

/* The same where nobody has asked yet. */
static __attribute__((noinline)) bool becomes_quiet(struct host_record *r, uintptr_t at,
                                                    size_t bytes)
{
    struct host_span span;
    const uintptr_t number = at / RECORD_PAGE_BYTES, i = number % HOST_PAGES_CACHED;
    if (r->cache[i].number == number && r->cache[i].page)
        return false;
    if (!lock())
        return true;
    const bool is_new = runtime->quiet(at, &span);
    unlock();
    if (!is_new)
        return false;
    memmove(r->quiet + 1, r->quiet, sizeof r->quiet - sizeof r->quiet[0]);
    r->quiet[0] = span;
    return at + bytes <= span.hi;
}

/* Bytes that lie in one word of a page's bits. */
static void mark(struct host_record *r, uintptr_t at, size_t bytes, bool writes, uint32_t by)
{
    const uintptr_t number = at / RECORD_PAGE_BYTES;
    const size_t i = number % HOST_PAGES_CACHED, word = at % RECORD_PAGE_BYTES / 64;
    struct host_page *page = r->cache[i].number == number ? r->cache[i].page : find_page(r, number);
    page->bits[writes][word] |= ((bytes == 64 ? 0 : UINT64_C(1) << bytes) - 1) << at % 64;
    page->by[writes][word] = by;
}

void host_access(const void *p, size_t bytes, bool writes, const void *returns_to)
{
    uintptr_t at = (uintptr_t)p;
    struct host_record *r = own;
    uint32_t by;
    const bool is_current = r && !r->n_signals && r->moment == *runtime->moment;
    if (is_current && is_quiet(r, at, bytes))
        return;
    if (n_grids > 0 || !caller_is_own(returns_to, &by))
        return;
    if (!is_current)
        r = begin();
    if (!r || becomes_quiet(r, at, bytes))
        return;
    while (at % 64 + bytes > 64) {
        const size_t part = 64 - at % 64;
        mark(r, at, part, writes, by);
        at += part;
        bytes -= part;
    }
    if (bytes)
        mark(r, at, bytes, writes, by);
}

void host_signal(const void *p, size_t bytes, bool writes)
{
    thread_self()->has_synced = true;
    if (n_grids > 0 || !is_new_signal(own_record(), p, bytes, writes) || !lock())
        return;
    runtime->signals(p, bytes, writes);
    unlock();
}
