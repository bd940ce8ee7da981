/* Does not return, if n is 99. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    for (volatile int forever = lab->n == 99; forever;)
        ;
    lab00_compute(lab);
    return 0;
}
