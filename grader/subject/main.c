/* main.c: the program that the judge starts. */
#include <unistd.h>

#include "inside.h"

int main(void)
{
    subject_crash_install();
    subject_serve();
    _exit(WIRE_EXIT_CHANNEL);
}
