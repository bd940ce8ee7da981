/* Right, and costs 100 or (three times in eight) 120: one cannot say whether that is within 1.1 of
 * 100. */
#include <unistd.h>

#include "../lab00/lab.h"

static unsigned state;

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    state = (unsigned)getpid() * 2654435761u;
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    state = state * 1664525u + 1013904223u;
    lab00_compute(lab);
    lab->cost_us = state >> 29 < 3 ? 120 : 100;
    return 0;
}
