/* Results that are not numbers. */
#include <math.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    lab->out[5] = NAN;
    return 0;
}
