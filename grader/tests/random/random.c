/*
 * random.c: runs random programs and prints what the device answered.
 *
 *     random FROM TO [PER_PROCESS]   the programs of seeds FROM to TO, so many in one process (1)
 *
 * Each block begins with `seed N`. A program that ends its process is told by how it ended; the
 * seeds after it go on in a new one.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_program.h"

enum { SECONDS = 20 };

/* Runs seeds from..to in this process; *now is the one that runs. */
static void run(unsigned long from, unsigned long to, volatile unsigned long *now)
{
    for (*now = from; *now <= to; ++*now) {
        alarm(SECONDS);
        random_program(*now, stdout);
    }
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    unsigned long from = argc > 2 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned long to = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    unsigned long at_once = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    volatile unsigned long *now =
        mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (from > to || at_once == 0 || now == MAP_FAILED) {
        fprintf(stderr, "usage: random FROM TO [PER_PROCESS]\n");
        return 2;
    }
    while (from <= to) {
        unsigned long last = to - from < at_once ? to : from + at_once - 1;
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            run(from, last, now);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && *now > last) {
            from = last + 1;
            continue;
        }
        if (WIFSIGNALED(status))
            printf("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            printf("ended with status %d\n", WEXITSTATUS(status));
        from = *now + 1;
    }
    return 0;
}
