/*
 * drawing.h: the steps of the calls, which suite and adapter of lab 26 draw alike from the
 * scenario's numbers. Each number is a hash of the seed and of what it is for.
 */
#ifndef LAB26_DRAWING_H
#define LAB26_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include "exchange.h"
#include "labs/lab26_free_update/lab.h"

enum lab26_draw { LAB26_WEIGHT, LAB26_SWITCH, LAB26_WEIGHT_CHANGES, LAB26_SWITCH_CHANGES };

static inline uint64_t lab26_hash(const struct numbers *numbers, enum lab26_draw what, long call,
                                  long step)
{
    uint64_t x = (uint64_t)numbers->seed * 4 + what;
    x = (x * 0x9e3779b97f4a7c15u + (uint64_t)call) * 0x9e3779b97f4a7c15u + (uint64_t)step;
    for (int i = 0; i < 2; i++) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return x;
}

/* The last call up to this one in which the number changed. */
static inline long lab26_changed(const struct numbers *numbers, enum lab26_draw what, int percent,
                                 long call, long step)
{
    while (call > 0 && (int)(lab26_hash(numbers, what, call, step) % 100) >= percent)
        call--;
    return call;
}

/* Three of four steps are on, on average. */
static inline struct lab26_step lab26_draw(const struct numbers *numbers, long call, long step)
{
    const long weight_of = lab26_changed(numbers, LAB26_WEIGHT_CHANGES, numbers->weights_percent,
                                         call, step),
               switch_of = lab26_changed(numbers, LAB26_SWITCH_CHANGES, numbers->switches_percent,
                                         call, step);
    const uint64_t weight = lab26_hash(numbers, LAB26_WEIGHT, weight_of, step);
    return (struct lab26_step){.is_on = lab26_hash(numbers, LAB26_SWITCH, switch_of, step) % 4 != 0,
                               .weight = (float)((double)(weight >> 11) * 0x1p-53 * 0.2 - 0.1)};
}

#endif
