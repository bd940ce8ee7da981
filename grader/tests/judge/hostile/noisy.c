/* Right, with noise, and always within 1.1 of what the reference costs. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    lab00_compute(lab);
    lab->cost_us = 95 + 14 * (state >> 16) / 65536.0;
    return 0;
}
