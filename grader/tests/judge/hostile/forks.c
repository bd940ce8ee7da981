/* A fork bomb. */
#include <unistd.h>

#include "../lab00/lab.h"

int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    return 0;
}

int lab00_run(struct lab00 *lab)
{
    for (;;)
        fork();
    lab00_compute(lab);
    return 0;
}

int lab00_teardown(struct lab00 *lab)
{
    (void)lab;
    return 0;
}
