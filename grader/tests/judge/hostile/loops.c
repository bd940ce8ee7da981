/* Loops for ever, all signals ignored. */
#include <signal.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_IGN);
    for (volatile int forever = 1; forever;)
        ;
    lab00_compute(lab);
    return 0;
}
