/*
 * grade_both.c: on a GPU both devices judge. The simulated one is asked first: it takes a fraction
 * of a second, and finds races, leaks and missing waits. The GPU gets the checks to which it adds
 * something (session_asks_gpu): it measures times, and confirms results.
 */
#include <string.h>

#include "grade.h"

bool grade_twin(const struct grade *g, char path[SESSION_PATH])
{
    char gpu[SESSION_PATH], twin[SESSION_PATH];
    grade_join(gpu, g->build, "gpu", NULL, NULL);
    const size_t n = strlen(gpu);
    if (strncmp(path, gpu, n) != 0 || path[n] != '/')
        return false;
    grade_join(twin, g->build, "sim", path + n + 1, NULL);
    memcpy(path, twin, sizeof twin);
    return true;
}

/* The names of the checks for the GPU: width,nodes. Returns how many. */
static int name_open_checks(const struct session *s, char names[SESSION_PATH])
{
    int n = 0;
    names[0] = '\0';
    for (int i = 0; i < s->n_checks; i++) {
        const size_t used = strlen(names);
        if (session_asks_gpu(&s->checks[i]))
            snprintf(names + used, SESSION_PATH - used, "%s%s", n++ ? "," : "", s->checks[i].name);
    }
    return n;
}

/* The simulated device's part; its session becomes that of the grading. */
static int ask_simulated(struct grade *g)
{
    static struct grade sim;
    char why[256];
    sim = *g;
    sim.device = DEVICE_SIM;
    grade_twin(g, sim.subject);
    grade_twin(g, sim.reference);
    grade_device_name(&sim, why, sizeof why);
    snprintf(g->simulated_name, sizeof g->simulated_name, "%s", sim.device_name);
    const int status = grade_run(&sim);
    if (status)
        return status;
    session_begin_both(sim.session);
    grade_take_steps(&sim);
    g->session = sim.session;
    return 0;
}

static int ask_gpu(struct grade *g, const char *checks, bool is_part)
{
    static struct grade gpu;
    gpu = *g;
    if (is_part)
        gpu.check = checks;
    const int status = grade_run(&gpu);
    if (!status)
        session_merge(g->session, gpu.session);
    return status;
}

int grade_run_all(struct grade *g, bool *told)
{
    static char checks[SESSION_PATH];
    if (!g->both)
        return grade_run(g);
    int status = ask_simulated(g);
    if (status)
        return status;
    const int n_all = g->session->n_checks, n = name_open_checks(g->session, checks);
    if (n == 0)
        return 0;
    *told = n < n_all && !g->needs && !g->why && grade_report_found(g);
    return ask_gpu(g, checks, g->check || n < n_all);
}
