/* grade_trace.c: --trace FILE. The suite writes it (judge_show_timeline); here is what comes before
 * and after. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade.h"

static int cannot_write(const struct grade *g)
{
    fprintf(stderr, "cannot write %s: %s. Next: choose another file for --trace\n", g->trace,
            strerror(errno));
    return -1;
}

/* The suite runs elsewhere. */
static int find_path(struct grade *g)
{
    char here[SESSION_PATH] = "";
    if (g->trace[0] != '/' && !getcwd(here, sizeof here))
        return -1;
    int n =
        snprintf(g->trace_path, sizeof g->trace_path, "%s%s%s", here, here[0] ? "/" : "", g->trace);
    if (n < (int)sizeof g->trace_path)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int grade_trace_prepare(struct grade *g)
{
    struct stat st;
    if (!g->trace)
        return 0;
    if (find_path(g) != 0)
        return cannot_write(g);
    int fd = open(g->trace_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || fstat(fd, &st) != 0)
        return cannot_write(g);
    close(fd);
    if (S_ISREG(st.st_mode))
        unlink(g->trace_path); /* whoever finds one afterwards finds this grading's */
    return 0;
}

void grade_trace_end(const struct grade *g)
{
    if (g->trace && !g->session->timeline_check[0])
        fprintf(stderr,
                "no trace was written to %s: no check came as far as tracing a run. Next: mend the "
                "first check that fails\n",
                g->trace);
}
