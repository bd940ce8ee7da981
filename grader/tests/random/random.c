/* random.c: runs random programs and prints what the device answered.
 *
 *     random FAMILY FROM TO [PER_PROCESS]   seeds FROM to TO, so many in one process (1)
 *
 * The families: host (runtime calls, host_program.h), conditional (conditional nodes,
 * conditional_program.h), launch (device graph launch, launch_program.h) and launch-words (what
 * those do, in words). Each block begins with `seed N`. A program that ends its process is reported
 * by how it ended; the seeds after it go on in a new one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conditional_program.h"
#include "host_program.h"
#include "launch_program.h"

enum { SECONDS = 20 };

static const struct family {
    const char *name;
    void (*run)(uint64_t seed, FILE *out);
} families[] = {{"host", host_program},
                {"conditional", conditional_program},
                {"launch", launch_program},
                {"launch-words", launch_program_describe}};

static const struct family *family_called(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(name, families[i].name) == 0)
            return &families[i];
    return NULL;
}

/* Runs seeds from..to in this process; *now is the one that runs. */
static void run(const struct family *f, unsigned long from, unsigned long to,
                volatile unsigned long *now)
{
    for (*now = from; *now <= to; ++*now) {
        alarm(SECONDS);
        f->run(*now, stdout);
    }
    fflush(stdout);
    _exit(0);
}

/* Runs seeds from..last in a new process; the seed after the last that ran. 0: no process. */
static unsigned long run_some(const struct family *f, unsigned long from, unsigned long last,
                              volatile unsigned long *now)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run(f, from, last, now);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && *now > last)
        return last + 1;
    if (WIFSIGNALED(status))
        printf("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        printf("ended with status %d\n", WEXITSTATUS(status));
    return *now + 1;
}

int main(int argc, char **argv)
{
    const struct family *f = argc > 3 ? family_called(argv[1]) : NULL;
    unsigned long from = f ? strtoul(argv[2], NULL, 10) : 1;
    unsigned long to = f ? strtoul(argv[3], NULL, 10) : 0;
    unsigned long at_once = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
    volatile unsigned long *now =
        mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!f || from == 0 || from > to || at_once == 0 || now == MAP_FAILED) {
        fprintf(stderr,
                "usage: random host|conditional|launch|launch-words FROM TO [PER_PROCESS]\n");
        return 2;
    }
    while (from && from <= to)
        from = run_some(f, from, to - from < at_once ? to : from + at_once - 1, now);
    return from == 0;
}
