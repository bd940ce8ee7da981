/* Ends itself by SIGKILL. */
#include <signal.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    raise(SIGKILL);
    return 0;
}
