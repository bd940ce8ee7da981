/* Never stops calling itself. */
#include "../lab00/lab.h"

static int deeper(volatile int *n)
{
    volatile int here[256] = {*n + 1};
    return deeper(here) + here[0];
}

int lab00_run(struct lab00 *lab)
{
    volatile int n = 0;
    lab00_compute(lab);
    return deeper(&n);
}
