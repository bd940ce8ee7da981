/* model.h: the cache of lab 09 without a device: what a right submission does with each request. */
#pragma once

#include <stdbool.h>

#include "labs/lab09_amortise/lab.h"

enum { MODEL_MOST = 64 };

struct model {
    int max_execs, max_floats;
    int n, floats;                         /* entries in use, floats of their workspaces */
    struct lab09_shape shapes[MODEL_MOST]; /* the least recently used first */
};

struct model_step {
    bool hit;
    int evicted;
    bool updated; /* an evicted executable graph has as many nodes: no instantiation */
};

struct model_step model_serve(struct model *m, struct lab09_shape shape);
