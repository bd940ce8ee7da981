/* Puts something else where the channel was, and goes on for ever. */
#include <fcntl.h>
#include <unistd.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    int fd = open("/dev/null", O_RDWR);
    for (int i = 3; i < 1024; i++)
        dup2(fd, i);
    for (volatile int forever = 1; forever;)
        ;
    lab00_compute(lab);
    return 0;
}
