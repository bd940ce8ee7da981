/* Right, but claims to be faster than can be. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->cost_us = 10;
    return 0;
}
