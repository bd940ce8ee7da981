/* engine.h: between engine.c and its two kinds of engine. */
#pragma once

#include "sim.h"

/* Has a the higher priority? */
bool goes_first(const struct op *a, const struct op *b);
void ready_put(struct ready_queue *q, struct op *op);
struct op *ready_take(struct ready_queue *q);
ns_t ceil_ns(double ns);

/* When any engine does something next. */
extern struct engines_due {
    ns_t next_ns;
    bool is_old; /* what was to happen then is put off */
} engines_due;
ns_t engine_search_next(void);

static inline ns_t engine_next(void)
{
    return engines_due.is_old ? engine_search_next() : engines_due.next_ns;
}

/* The engine does something next at `at`; `next_ns` is in its struct. */
static inline void engine_is_due(ns_t *next_ns, ns_t at)
{
    if (at <= engines_due.next_ns)
        engines_due.next_ns = at;
    else if (*next_ns <= engines_due.next_ns)
        engines_due.is_old = true; /* it may have been the only one that is due then */
    *next_ns = at;
}

void copy_engine_submit(struct op *op, ns_t now);
void copy_engine_run(struct device *d, int which, ns_t now);
void sm_engine_submit(struct op *op, ns_t now);
void sm_engine_run(struct sm_engine *e, ns_t now);
/* The grids that op started beside are complete. */
void sm_engine_resume(struct op *op, ns_t now);

/* op waited for these grids, or for what others write. */
void sm_engine_go_on(struct op *op, ns_t now);

/* While kernels wait in a loop for what others write (set_aside.c): */
struct onlooker {
    /* Has what they wait for changed, by op `by` (NULL: by the host)? Then they go on. */
    void (*look)(const struct op *by);
    /* Those that read the clock look in vain, until then at most; false: all have done so. `at`:
     * something else happens next. */
    bool (*look_on)(ns_t at, ns_t until);
    /* Something else happens at `at`: when the host may see a change first. */
    ns_t (*next)(ns_t at);
    /* Nothing else happens. Gives other host threads time; false: none is set aside. */
    bool (*wait)(void);
};
extern const struct onlooker *onlooker; /* NULL: no kernel has been set aside */

/* ---- op.c ---- */
bool op_sees(struct op *op, const struct op *by);
void op_waits_in_vain(struct op *op, double seconds);
void op_begins(struct op *op);
void op_resumes(struct op *op);
void op_lands(struct op *op);
