/* Makes an input writable and changes it. */
#include <sys/mman.h>
#include <stdint.h>

#include "../lab00/lab.h"
#include "common/memory_page.h"

int lab00_run(struct lab00 *lab)
{
    float *in = (float *)lab->in;
    const uintptr_t page = memory_page();
    mprotect((void *)((uintptr_t)in / page * page), page, PROT_READ | PROT_WRITE);
    lab00_compute(lab);
    in[3] = 1;
    return 0;
}
