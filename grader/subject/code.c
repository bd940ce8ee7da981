/* code.c: addresses of the program's own code, as addr2line takes them. */
#include "inside.h"

/* Of the program itself; the linker makes them. */
extern const char __executable_start[], etext[];

uint64_t subject_code_at(uintptr_t address)
{
    const uintptr_t first = (uintptr_t)__executable_start;
    return address > first && address < (uintptr_t)etext ? address - first : 0;
}

uint64_t subject_code_offset(const void *caller)
{
    return subject_code_at((uintptr_t)caller - 1);
}
