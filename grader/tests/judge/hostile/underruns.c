/* Writes one element in front of an output. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->out[-1] = 1;
    return 0;
}
