/* grade_debug.c: --debug: builds the program for a debugger, and becomes the debugger. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "grade.h"
#include "wire/wire.h"

static int build(const struct grade *g, const char *device)
{
    char command[5 * SESSION_PATH];
    snprintf(command, sizeof command, "cd \"$ROOT\" && make -s debug LAB=%s DEVICE=%s%s >&2",
             g->lab, device, grade_chosen(g));
    setenv("ROOT", g->root, 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    return system(command);
}

int grade_debug(const struct grade *g)
{
    char program[SESSION_PATH], seed[32], first[64];
    grade_join(program, g->root, "build", "debug", g->lab);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)g->seed);
    snprintf(first, sizeof first, "break %.5s_setup", g->lab);
    if (build(g, g->device_option ? g->device_option : "sim") != 0)
        return GRADE_USAGE;
    if (getenv("DEBUGGER"))
        execlp("sh", "sh", "-c", "exec $DEBUGGER \"$0\" \"$1\" \"$2\"", program, g->check, seed,
               (char *)NULL);
    else
        execlp("gdb", "gdb", "-q", "-iex", "set debuginfod enabled off", "-ex", first, "-ex",
               "set breakpoint pending on", "-ex", "break simgpu_found", "-ex", "run", "--args",
               program, g->check, seed, (char *)NULL);
    fprintf(stderr, "the debugger cannot be started. Next: apt-get install gdb\n");
    return GRADE_USAGE;
}

void grade_debugged(struct grade *g)
{
    static char failed[SESSION_NAME];
    g->debugged = getenv(WIRE_DEBUG);
    if (!g->debugged || !g->lab)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* the program in the debugger has started this one */
    const struct grade_record last = grade_record_read(g);
    memcpy(failed, last.failed, sizeof failed);
    if (!g->check && failed[0])
        g->check = failed;
    if (!g->has_seed && last.exists)
        g->seed = last.seed;
    g->has_seed = g->has_seed || last.exists;
}
