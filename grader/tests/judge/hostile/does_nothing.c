/* Does nothing, fast. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab->cost_us = 1;
    return 0;
}
