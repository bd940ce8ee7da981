/* Calls exit(0) in place of working. */
#include <stdlib.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    (void)lab;
    exit(0);
}
