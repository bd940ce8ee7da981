/* Leaves the last batch out. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab->n_batches--;
    lab00_compute(lab);
    lab->n_batches++;
    return 0;
}
