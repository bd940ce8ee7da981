/* Right, and costs 100 or 120, as it comes: one cannot say whether that is within 1.1 of 100. */
#include "../lab00/lab.h"

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    lab00_compute(lab);
    lab->cost_us = state >> 31 ? 120 : 100;
    return 0;
}

int lab00_teardown(struct lab00 *lab)
{
    (void)lab;
    return 0;
}
