/* main.c: the program that the judge starts. */
#include <unistd.h>

#include "inside.h"

int subject_main(const struct subject_lab *lab, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    subject_crash_install();
    subject_serve(lab);
    _exit(WIRE_EXIT_CHANNEL);
}
