/* Fills more and more host memory, below what it may use. */
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    const size_t bytes = 16 << 20;
    (void)lab;
    for (;;) {
        void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            continue;
        memset(p, 1, bytes);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); /* at most 1.6 GiB a second */
    }
}
