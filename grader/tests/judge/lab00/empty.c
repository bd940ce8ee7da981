/* empty.c: most submissions to lab 00 have nothing to prepare and nothing to free; those that have
 * define these themselves. */
#include "lab.h"
#include "subject/subject.h"

__attribute__((weak)) int lab00_setup(struct lab00 *lab)
{
    (void)lab;
    return 0;
}

__attribute__((weak)) int lab00_teardown(struct lab00 *lab)
{
    (void)lab;
    return 0;
}

/* Nor do they have a device whose memory counts. */
__attribute__((weak)) void bench_begin(void)
{
}

__attribute__((weak)) void bench_unwaited(struct subject *s)
{
    (void)s;
}

__attribute__((weak)) void bench_load_destroy(void)
{
}

__attribute__((weak)) double bench_own_bytes(void)
{
    return 0;
}
