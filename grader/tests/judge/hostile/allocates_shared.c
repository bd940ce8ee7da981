/* Uses memory that is not counted as data: shared mappings, of which it keeps a page each. */
#include <string.h>
#include <sys/mman.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    const size_t gigabyte = (size_t)1 << 30, part = (size_t)1 << 20;
    for (int i = 0; i < 100; i++) {
        char *p = mmap(NULL, gigabyte, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return 2;
        for (size_t at = 0; at < gigabyte; at += part) {
            memset(p + at, i, part);
            if (at)
                munmap(p + at, part);
        }
    }
    lab00_compute(lab);
    return 0;
}
