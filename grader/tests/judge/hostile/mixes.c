/* Two batches get the result of the one before. */
#include <string.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    memcpy(lab->out + lab->n, lab->out, (size_t)lab->n * sizeof *lab->out);
    return 0;
}
