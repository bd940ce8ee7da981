/* Fills one element too many, by a function of the C library. */
#include <string.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    memset(lab->out, 0, sizeof(float) * ((size_t)lab->n * (size_t)lab->n_batches + 1));
    return 0;
}
