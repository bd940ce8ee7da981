/* drawing.h: the steps of the calls, which suite and adapter of lab 26 draw alike from the
 * scenario's numbers. Each number is a hash of the seed and of what it is for. */
#pragma once

#include <stdbool.h>

#include "common/splitmix.h"
#include "exchange.h"
#include "labs/lab26_free_update/lab.h"

enum lab26_draw { LAB26_WEIGHT, LAB26_SWITCH, LAB26_WEIGHT_CHANGES, LAB26_SWITCH_CHANGES };

static inline uint64_t lab26_hash(const struct numbers *numbers, enum lab26_draw what, long call,
                                  long step)
{
    const uint64_t seed = (uint64_t)numbers->seed * 4 + what,
                   x = (seed * SPLITMIX_STEP + (uint64_t)call) * SPLITMIX_STEP + (uint64_t)step;
    return splitmix_of(splitmix_of(x));
}

static inline bool lab26_changes(const struct numbers *numbers, enum lab26_draw what, long call,
                                 long step)
{
    const int percent =
        what == LAB26_WEIGHT_CHANGES ? numbers->weights_percent : numbers->switches_percent;
    return call == 0 || (int)(lab26_hash(numbers, what, call, step) % 100) < percent;
}

/* The step of a call, of which `last` is that of the call before. Three of four steps are on, on
   average: 1, or 2 in every second step. One of eight new weights is that of call 0 again. */
static inline struct lab26_step lab26_next(const struct numbers *numbers, long call, long step,
                                           struct lab26_step last)
{
    if (lab26_changes(numbers, LAB26_WEIGHT_CHANGES, call, step)) {
        const bool is_new = lab26_hash(numbers, LAB26_WEIGHT_CHANGES, call, step) / 100 % 8;
        const uint64_t weight = lab26_hash(numbers, LAB26_WEIGHT, is_new ? call : 0, step);
        last.weight = (float)(splitmix_uniform(weight) * 0.2 - 0.1);
    }
    if (lab26_changes(numbers, LAB26_SWITCH_CHANGES, call, step))
        last.is_on = lab26_hash(numbers, LAB26_SWITCH, call, step) % 4 ? 1 + (int)(step % 2) : 0;
    return last;
}

static inline struct lab26_step lab26_draw(const struct numbers *numbers, long call, long step)
{
    struct lab26_step drawn = {0};
    for (long k = 0; k <= call; k++)
        drawn = lab26_next(numbers, k, step, drawn);
    return drawn;
}
