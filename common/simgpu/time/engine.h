/*
 * engine.h: between engine.c and its two kinds of engine.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "sim.h"

/* Has a the higher priority? */
bool goes_first(const struct op *a, const struct op *b);
void ready_put(struct ready_queue *q, struct op *op);
struct op *ready_take(struct ready_queue *q);
ns_t ceil_ns(double ns);

/* The engine does something next at `at`; `next_ns` is in its struct. */
void engine_is_due(ns_t *next_ns, ns_t at);

void copy_engine_submit(struct op *op, ns_t now);
void copy_engine_run(struct device *d, int which, ns_t now);
void sm_engine_submit(struct op *op, ns_t now);
void sm_engine_run(struct sm_engine *e, ns_t now);
/* The grids that op started beside are complete. */
void sm_engine_resume(struct op *op, ns_t now);

/* ---- op.c ---- */
void op_begins(struct op *op);
void op_resumes(struct op *op);
void op_lands(struct op *op);

#endif
