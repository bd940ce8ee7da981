/* Divides by zero. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    volatile int none = 0;
    return 1000 / none;
}
