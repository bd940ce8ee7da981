/* Aborts. */
#include <stdio.h>
#include <stdlib.h>

#include "../lab00/lab.h"

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    (void)lab;
    fprintf(stderr, "this cannot be\n");
    abort();
}

int lab00_teardown(struct lab00 *lab)
{
    (void)lab;
    return 0;
}
