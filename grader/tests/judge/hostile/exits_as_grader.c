/* Ends with the exit code by which subjects once reported an error of the grader. */
#include <stdlib.h>

#include "../lab00/lab.h"

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    _Exit(114);
}

int lab00_run(struct lab00 *lab)
{
    (void)lab;
    return 0;
}
