/* main.c: the program that the judge starts. */
#include <stdlib.h>
#include <unistd.h>

#include "inside.h"

int subject_main(const struct subject_lab *lab, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    subject_crash_install();
    const char *early = getenv(WIRE_EARLY);
    if (early)
        subject_make_contexts(early[0] == '1');
    subject_serve(lab);
    _exit(WIRE_EXIT_CHANNEL);
}
