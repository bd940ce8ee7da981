/* Follows a null pointer. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    int *volatile nowhere = 0;
    return *nowhere;
}
