/* Right, but costs twice what it should. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->cost_us = 200;
    return 0;
}
