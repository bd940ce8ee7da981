/* order_inside.h: the ordering checks themselves, inside a test: no device around them, and their
 * private parts in sight. Include it once a program. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>

#include "common/simgpu/core/caller_line.c"
#include "common/simgpu/core/fatal.c"
#include "common/simgpu/core/settings.c"
#include "common/simgpu/race/finding.c"
#include "common/simgpu/race/finding_words.c"
#include "common/simgpu/race/hazard.c"
#include "common/simgpu/race/history.c"
#include "common/simgpu/race/late.c"
#include "common/simgpu/race/lineage.c"
#include "common/simgpu/race/order.c"
#include "common/simgpu/race/questions.c"
#include "common/simgpu/race/segment.c"
#include "common/simgpu/race/touch.c"
#include "common/simgpu/race/waits.c"
#include "finding_text.h"

/* One stream, as the device has it. */
struct test_stream {
    int id;
    uint32_t clock_id;
    struct epoch last;
    uint64_t n_ops;
};

static inline struct test_stream stream_begin(int id)
{
    uint32_t clock_id = clock_id_new();
    return (struct test_stream){.id = id, .clock_id = clock_id, .last.clock_id = clock_id};
}

/* The stream is given one more operation, which also comes after *also (or NULL). */
static inline struct simgpu_site stream_op(struct test_stream *s, const char *name,
                                           const struct epoch *also)
{
    const struct epoch *after[] = {&s->last, also};
    struct epoch epoch = epoch_new(s->clock_id, after, also ? 2 : 1);
    epoch_drop(&s->last);
    s->last = epoch;
    struct simgpu_site site = {.stream = s->id, .node = -1, .index = s->n_ops++};
    snprintf(site.name, sizeof site.name, "%s", name);
    return site;
}

static inline void stream_end(struct test_stream *s)
{
    epoch_drop(&s->last);
    clock_id_free(s->clock_id);
}

/* The stream's newest operation touches [lo, hi). */
static inline void stream_touch(const struct test_stream *s, const struct simgpu_site *site,
                                struct history *h, uint64_t lo, uint64_t hi,
                                enum simgpu_access mode)
{
    history_access(
        h, &(struct access){.lo = lo, .hi = hi, .mode = mode, .epoch = &s->last, .site = site});
}

/* A random number below n. The state is not 0. */
static inline uint32_t below(uint64_t *state, uint32_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32) % n;
}

static inline bool chance(uint64_t *state, uint32_t percent)
{
    return below(state, 100) < percent;
}
