/* Writes one element too many. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->out[lab->n * lab->n_batches] = 1;
    return 0;
}
