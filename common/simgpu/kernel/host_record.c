/* host_record.c: recording what host code does while work is pending. */
#include "host_record.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { FIRST_PAGES = 256, MOST_TRIES = 10000 };

static uintptr_t watched;   /* the same without grids */
static _Atomic int n_grids; /* that run */
static const struct host_runtime *runtime;
static const uint64_t none[HOST_SLOTS][2];
_Static_assert(HOST_SLOTS == 64 && HOST_SLOT_BYTES == (1 << 20) + 64 &&
                   sizeof((struct host_record *)0)->slots == sizeof none &&
                   offsetof(struct host_record, slots) == 0 &&
                   offsetof(struct simgpu_host, watched) == 8 &&
                   offsetof(struct host_record, marks) == sizeof none,
               "common/simcc/inline_checks.awk has these numbers, too");
#define FAST_THREAD __thread __attribute__((tls_model("initial-exec")))
EXPORT FAST_THREAD const void *simgpu_windows = none; /* own->slots, if there are any */
static FAST_THREAD struct host_record *own;

void host_runtime_set(const struct host_runtime *r)
{
    runtime = r;
}

void host_watch(uintptr_t below)
{
    watched = below;
    if (n_grids == 0)
        simgpu_host.watched = below;
}

void host_grid(bool runs)
{
    n_grids += runs ? 1 : -1;
    simgpu_host.watched = n_grids ? UINTPTR_MAX : watched;
    if (runs)
        simgpu_host.moment += HOST_MOMENT;
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

static const char what[] = "the record of what the host accesses";

static void *cleared(size_t bytes)
{
    return needed(calloc(1, bytes), "%s", what);
}

/* NULL: none. */
static struct host_place *place_of(const struct host_record *r, uintptr_t number)
{
    return table_find(&r->places, sizeof(struct host_place), number + 1);
}

static struct host_page *page_new(struct host_record *r, uintptr_t number)
{
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : FIRST_PAGES;
        r->pages = needed(realloc(r->pages, r->cap * sizeof(struct host_page *)), "%s", what);
        memset(r->pages + r->n, 0, (r->cap - r->n) * sizeof(struct host_page *));
    }
    if (!r->pages[r->n])
        r->pages[r->n] = cleared(sizeof(struct host_page));
    struct host_page *page = r->pages[r->n++];
    memset(page->words, 0, sizeof page->words);
    page->number = number;
    return page;
}

static __attribute__((noinline)) struct host_page *page_of(struct host_record *r, uintptr_t number)
{
    struct host_place *place = table_add(&r->places, sizeof *place, number + 1, what);
    if (!place->page)
        place->page = page_new(r, number);
    return place->page;
}

static void mark_word(struct host_page *page, size_t word, uint64_t bits, bool writes, uint32_t by)
{
    page->words[word].bits[writes] |= bits;
    page->words[word].by[writes] = by;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* A limit of the program's memory counts what it may write. So most of a record waits for a large
 * window. */
static void record_need(void *at, size_t bytes)
{
    char *from = (char *)at - (uintptr_t)at % RECORD_PAGE_BYTES;
    const size_t all = (size_t)((char *)at + bytes - from);
    needed(mprotect(from, all, PROT_READ | PROT_WRITE) == 0 ? from : NULL, "%s", what);
}

/* A bit for each of 64 bytes that are marked. */
static uint64_t bits_of(const uint8_t *marks)
{
    uint64_t bits = 0;
#ifdef __SSE2__ /* others mark nothing */
    const __m128i *at = (const void *)marks;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_loadu_si128(at + i)) << 16 * i;
#else
    (void)marks;
#endif
    return bits;
}

/* The slot has accessed the same bytes of this page as of its latest one. False: it has not, or no
 * room is left for them. */
static bool run_extend(struct host_record *r, struct host_opened *o, uintptr_t at,
                       const uint64_t *bits)
{
    struct host_run *run = &r->runs[o->run];
    if (memcmp(o->bits, bits, sizeof o->bits) != 0) {
        memcpy(o->bits, bits, sizeof o->bits);
        return false;
    }
    const bool goes_on = o->run < r->n_runs && run->by == o->by && run->writes == o->writes &&
                         run->lo <= at && at <= run->hi &&
                         memcmp(run->mask, bits, sizeof run->mask) == 0;
    if (!goes_on && r->n_runs == HOST_RUNS)
        return false;
    if (!goes_on) {
        o->run = (uint8_t)r->n_runs;
        run = &r->runs[r->n_runs++];
        *run = (struct host_run){.lo = at, .hi = at, .by = o->by, .writes = o->writes};
        memcpy(run->mask, bits, sizeof run->mask);
    }
    if (run->hi < at + RECORD_PAGE_BYTES)
        run->hi = at + RECORD_PAGE_BYTES;
    return true;
}

/* Empties the marks of a page; returns how many of its words have any. */
static unsigned page_close(struct host_record *r, struct host_opened *o, uintptr_t at,
                           uint8_t *marks)
{
    const bool is_uniform = memcmp(marks, marks + 64, RECORD_PAGE_BYTES - 64) == 0;
    const uint64_t first = bits_of(marks);
    uint64_t bits[RECORD_WORDS];
    unsigned n = 0;
    if (is_uniform && !first)
        return 0;
    for (size_t i = 0; i < RECORD_WORDS; i++) {
        bits[i] = is_uniform ? first : bits_of(marks + 64 * i);
        n += bits[i] != 0;
    }
    memset(marks, 0, RECORD_PAGE_BYTES);
    if (o->is_quiet || run_extend(r, o, at, bits))
        return n;
    struct host_page *page = page_of(r, at / RECORD_PAGE_BYTES);
    for (size_t i = 0; i < RECORD_WORDS; i++)
        if (bits[i])
            mark_word(page, i, bits[i], o->writes, o->by);
    return n;
}

/* Returns how many words of 64 bytes are marked. */
static unsigned slot_close(struct host_record *r, unsigned slot)
{
    struct host_opened *o = &r->opened[slot];
    const size_t bytes = r->slots[slot].last + 1;
    uint8_t *marks = r->marks[slot];
    unsigned n = 0;
    if (!r->slots[slot].from)
        return 0;
    r->slots[slot].from = r->slots[slot].last = 0;
    for (size_t i = 0; i < bytes; i += RECORD_PAGE_BYTES)
        n += page_close(r, o, o->at + i, marks + i);
    const uint64_t beyond = bits_of(marks + bytes);
    if (beyond && !o->is_quiet)
        mark_word(page_of(r, (o->at + bytes) / RECORD_PAGE_BYTES), 0, beyond, o->writes, o->by);
    memset(marks + bytes, 0, 64);
    return n;
}

static unsigned slot_of(uint32_t site)
{
    return site == HOST_NO_SITE ? HOST_SLOTS : site % HOST_SLOTS;
}

/* Is none to be opened now, because few bytes were marked in the latest ones, or two sites took
 * turns? */
static inline bool slot_skips(struct host_record *r, unsigned slot, uintptr_t number)
{
    if (r->opened[slot].skips && r->opened[slot].number != number) {
        r->opened[slot].number = number;
        r->opened[slot].skips -= slot < HOST_SLOTS;
    }
    return r->opened[slot].skips;
}

/* Are the bytes memory that no device accesses? */
static inline bool is_quiet(const struct host_record *r, uintptr_t at, size_t bytes)
{
    for (int i = 0; i < QUIET_SPANS; i++)
        if (at >= r->quiet[i].lo && at + bytes <= r->quiet[i].hi)
            return true;
    return false;
}

/* The slot's window is left. If many words are marked, the next one has more than a page. If few
 * are, it is large. If few are in a large one, or two sites take turns, none opens for a while. */
static void slot_leave(struct host_record *r, unsigned slot, bool for_other_site)
{
    struct host_opened *o = &r->opened[slot];
    const size_t words = (r->slots[slot].last + 1) / 64;
    const bool is_large = o->bytes == HOST_WINDOW;
    if (!r->slots[slot].from)
        return;
    const bool is_few = slot_close(r, slot) < words / (is_large ? 64 : 4),
               fails = for_other_site || (is_few && is_large);
    /* 1, 3, 7 up to 65535 */
    o->all_skips = fails ? (uint16_t)(2 * o->all_skips + 1) : is_few ? o->all_skips : 0;
    o->skips = fails ? o->all_skips : 0;
    o->bytes = fails ? 0 : is_few != is_large ? HOST_WINDOW : HOST_SMALL_WINDOW;
}

static void slots_close(struct host_record *r)
{
    for (unsigned i = 0; r->has_open && i < HOST_SLOTS; i++)
        if (r->opened[i].bytes == HOST_WINDOW)
            slot_leave(r, i, false);
        else
            slot_close(r, i);
    r->has_open = false;
}

/* Opens a window with the page for this moment, if the latest access of the slot was near. A large
 * one has both in its middle. Of a quiet one, the marks are of no interest. */
static bool slot_open(struct host_record *r, uint32_t site, uintptr_t number, bool quiet)
{
    enum { NEAR = HOST_WINDOW / RECORD_PAGE_BYTES - 2 };
    const unsigned slot = slot_of(site);
    struct host_opened *o = &r->opened[slot];
    const uintptr_t latest = o->number;
    o->number = number;
    if (number - latest + NEAR > 2 * NEAR)
        return false;
    slot_leave(r, slot, site != o->site);
    size_t bytes = o->bytes ? o->bytes : RECORD_PAGE_BYTES;
    o->at = bytes == HOST_WINDOW ? (latest + number) / 2 * RECORD_PAGE_BYTES - HOST_WINDOW / 2
                                 : number * RECORD_PAGE_BYTES & -bytes;
    if (quiet && !is_quiet(r, o->at, bytes)) {
        bytes = RECORD_PAGE_BYTES;
        o->at = number * RECORD_PAGE_BYTES;
    }
    if (o->skips || (quiet && !is_quiet(r, o->at, bytes)))
        return false;
    if (o->room < bytes)
        record_need(r->marks[slot], (o->room = bytes) + HOST_SLOT_BYTES - HOST_WINDOW);
    o->is_quiet = quiet;
    o->site = site;
    r->slots[slot].last = bytes - 1;
    r->slots[slot].from = o->at + r->moment + ((uint64_t)site << 32);
    return r->has_open = true;
}

/* ---- records --------------------------------------------------------------------------------- */

/* It holds nothing from now on. A place that is cleared would end the search for another. */
static void clear(struct host_record *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->pages[i]->place = place_of(r, r->pages[i]->number);
    for (size_t i = 0; i < r->n; i++)
        *r->pages[i]->place = (struct host_place){.key = 0};
    r->places.n = 0;
    r->n = 0;
    r->n_runs = 0;
    memset(r->quiet, 0, sizeof r->quiet);
}

void host_record_declare(void)
{
    if (!own)
        return;
    slots_close(own);
    if (own->n == 0 && own->n_runs == 0)
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
    slots_close(r);
    runtime->declare(r);
    own = NULL;
    simgpu_windows = none;
    for (size_t i = 0; i < r->cap && r->pages[i]; i++)
        free(r->pages[i]);
    free(r->pages);
    free(r->places.slots);
    munmap(r, sizeof *r);
}

static struct host_record *own_record(void)
{
    if (!own) {
        own = mmap(NULL, sizeof *own, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        needed(own == MAP_FAILED ? NULL : own, "%s", what);
        record_need(own->slots, sizeof own->slots);
        record_need(own->opened, sizeof *own - offsetof(struct host_record, opened));
        own->opened[HOST_SLOTS].skips = 1;
        simgpu_windows = own->slots;
    }
    return own;
}

/* ---- signals --------------------------------------------------------------------------------- */

/* The access itself comes after its report, and an operation may have written in between. So what
 * the thread learns by it is asked again before its next other access. */
static bool is_new_signal(struct host_record *r, const void *p, size_t bytes, bool writes)
{
    const bool is_later = r->signaled != simgpu_host.moment;
    r->signaled = simgpu_host.moment;
    for (unsigned i = 0; i < r->n_signals && i < LATEST_SIGNALS; i++)
        if (r->signals[i].p == p && r->signals[i].writes == writes)
            return is_later;
    slots_close(r);
    r->moment = 0;
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
    own->moment = begins ? simgpu_host.moment : 0;
    if (!begins)
        host_watch(0);
    unlock();
    return begins ? own : NULL;
}

/* The same where nobody has asked yet. */
static __attribute__((noinline)) bool becomes_quiet(struct host_record *r, uintptr_t at,
                                                    size_t bytes)
{
    struct host_span span;
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

/* Bytes that lie in one word of the page. */
static void mark(struct host_page *page, uintptr_t at, size_t bytes, bool writes, uint32_t by)
{
    mark_word(page, at / 64 % RECORD_WORDS,
              ((bytes == 64 ? 0 : UINT64_C(1) << bytes) - 1) << at % 64, writes, by);
}

static __attribute__((noinline)) void access_any(const void *p, size_t bytes, bool writes,
                                                 const void *returns_to, uint32_t site)
{
    uintptr_t at = (uintptr_t)p;
    const uintptr_t number = at / RECORD_PAGE_BYTES;
    struct host_record *r = own;
    uint32_t by;
    if (n_grids > 0 || !caller_is_own(returns_to, &by))
        return;
    if (!r || r->moment != simgpu_host.moment)
        r = begin();
    if (!r)
        return;
    const struct host_place *place = place_of(r, number);
    struct host_page *page = place ? place->page : NULL;
    if (!page && is_quiet(r, at, bytes)) {
        if (!slot_skips(r, slot_of(site), number))
            slot_open(r, site, number, true);
        return;
    }
    if (!page && becomes_quiet(r, at, bytes))
        return;
    if (!slot_skips(r, slot_of(site), number) && slot_open(r, site, number, false)) {
        struct host_opened *o = &r->opened[site % HOST_SLOTS];
        memset(r->marks[site % HOST_SLOTS] + (at - o->at), 0xff, bytes);
        o->by = by;
        o->writes = writes;
        return;
    }
    for (size_t part; bytes; at += part, bytes -= part, page = NULL) {
        part = at % 64 + bytes > 64 ? 64 - at % 64 : bytes;
        mark(page ? page : page_of(r, at / RECORD_PAGE_BYTES), at, part, writes, by);
    }
}

/* Most accesses that have no open page are of one that was accessed before. */
void host_access(const void *p, size_t bytes, bool writes, const void *returns_to, uint32_t site)
{
    const uintptr_t at = (uintptr_t)p, number = at / RECORD_PAGE_BYTES;
    struct host_record *r = own;
    uint32_t by;
    const struct host_place *place =
        r && r->moment == simgpu_host.moment && at % 64 + bytes <= 64 ? place_of(r, number) : NULL;
    if (place && slot_skips(r, slot_of(site), number) && caller_is_own(returns_to, &by)) {
        mark(place->page, at, bytes, writes, by);
        return;
    }
    access_any(p, bytes, writes, returns_to, site);
}

void host_signal(const void *p, size_t bytes, bool writes)
{
    thread_self()->has_synced = true;
    if (n_grids > 0 || !is_new_signal(own_record(), p, bytes, writes) || !lock())
        return;
    runtime->signals(p, bytes, writes);
    unlock();
}
