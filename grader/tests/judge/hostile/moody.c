/* Right, and one process in four costs a quarter more, for its whole life. */
#include <unistd.h>

#include "../lab00/lab.h"

static double cost_us;

int lab00_setup(struct lab00 *lab)
{
    /* a process id tells nothing of the next one's, once it is mixed */
    unsigned mixed = (unsigned)getpid() * 2654435761u;
    (void)lab;
    cost_us = mixed >> 30 ? 100 : 125;
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->cost_us = cost_us;
    return 0;
}
