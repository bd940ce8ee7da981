/* lineage.c: the origin of bytes.
 *
 * Each write in a history has an origin: the kernels that computed the bytes, and the origins of
 * the data that these kernels read. A copy passes on the origin of its source. No history knows the
 * writes of the host, so each watched result has a shadow with the bytes that operations wrote
 * there. */
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "race.h"

enum { MOST_KERNELS = 60, MOST_WATCHED = 256 };

struct watched {
    uint64_t lo, hi;
    bool is_result;
    unsigned char *shadow; /* of a result of the host; NULL: nobody compares */
};

static struct watched watched[MOST_WATCHED];
static int n_watched;
static struct watched constant; /* lasts from run to run */
static uint32_t run; /* counts from 1: the first is what comes before a begin; 0: nobody asks */
static const char *kernels[MOST_KERNELS];
static int n_kernels;

uint32_t lineage_run(void)
{
    return run;
}

/* ---- origins --------------------------------------------------------------------------------- */

uint64_t lineage_kernel(const char *name)
{
    int i = 0;
    while (i < n_kernels && strcmp(kernels[i], name) != 0)
        i++;
    if (i == MOST_KERNELS)
        return ORIGIN_HOST;
    if (i == n_kernels) {
        kernels[i] = needed(strdup(name), "the name of a kernel");
        n_kernels++;
    }
    return UINT64_C(1) << i;
}

uint64_t lineage_kernels(const struct simgpu_makers *by, uint64_t *through)
{
    uint64_t all = 0;
    *through = by->after ? lineage_kernel(by->after) : 0;
    for (int i = 0; by->kernels[i]; i++)
        all |= lineage_kernel(by->kernels[i]);
    return all;
}

static bool is_inside(const struct watched *w, uint64_t lo, uint64_t hi)
{
    return lo >= w->lo && hi <= w->hi;
}

uint64_t lineage_unwritten(uint64_t lo, uint64_t hi, uint64_t other)
{
    for (int i = 0; i < n_watched; i++)
        if (!watched[i].is_result && is_inside(&watched[i], lo, hi))
            return ORIGIN_INPUT;
    return is_inside(&constant, lo, hi) ? ORIGIN_CONSTANT : other;
}

/* ---- shadows --------------------------------------------------------------------------------- */

void lineage_written(const void *base, size_t width, size_t rows, size_t pitch)
{
    for (int i = 0; i < n_watched; i++) {
        struct watched *w = &watched[i];
        for (size_t r = 0; w->shadow && r < rows; r++) {
            uint64_t lo = (uint64_t)(uintptr_t)base + r * pitch, hi = lo + width;
            lo = lo > w->lo ? lo : w->lo;
            hi = hi < w->hi ? hi : w->hi;
            if (lo < hi)
                memcpy(w->shadow + (lo - w->lo), (const void *)(uintptr_t)lo, hi - lo);
        }
    }
}

static struct watched *watch(const void *base, size_t bytes)
{
    uint64_t lo = (uint64_t)(uintptr_t)base;
    if (n_watched == MOST_WATCHED)
        fatal("more than %d ranges are watched", MOST_WATCHED);
    watched[n_watched] = (struct watched){.lo = lo, .hi = lo + bytes};
    return &watched[n_watched++];
}

void lineage_begin(void)
{
    for (int i = 0; i < n_watched; i++)
        free(watched[i].shadow);
    n_watched = 0;
    run++;
}

void lineage_constant(const void *base, size_t bytes)
{
    constant.lo = (uint64_t)(uintptr_t)base;
    constant.hi = constant.lo + bytes;
    run += run == 0;
}

void lineage_input(const void *base, size_t bytes)
{
    watch(base, bytes);
}

void lineage_result(const void *base, size_t bytes, bool compares)
{
    struct watched *w = watch(base, bytes);
    w->is_result = true;
    if (!compares)
        return;
    w->shadow = needed(malloc(bytes + 1), "a shadow of %zu bytes", bytes);
    memcpy(w->shadow, base, bytes);
}

const void *lineage_copy(const void *base, size_t bytes)
{
    for (int i = 0; i < n_watched; i++)
        if (watched[i].shadow && watched[i].lo == (uint64_t)(uintptr_t)base &&
            watched[i].hi == watched[i].lo + bytes)
            return watched[i].shadow;
    return NULL;
}

/* The first byte that differs from the shadow; `bytes` if none does. */
size_t lineage_changed(const void *base, size_t bytes)
{
    const unsigned char *now = base, *shadow = lineage_copy(base, bytes);
    size_t at = 0;
    if (!shadow || memcmp(now, shadow, bytes) == 0)
        return bytes;
    while (at < bytes && now[at] == shadow[at])
        at++;
    return at;
}
