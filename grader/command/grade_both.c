/* grade_both.c: on a GPU both devices judge. The simulated one is asked first: it takes a fraction
 * of a second, and finds races, leaks and missing waits. The GPU gets the checks that passed there.
 */
#include <string.h>

#include "grade.h"

/* The names of the checks for the GPU: width,nodes. Returns how many. */
static int name_checks(const struct session *s, char names[SESSION_PATH])
{
    int n = 0;
    names[0] = '\0';
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i];
        const size_t used = strlen(names);
        if (c->on_device[DEVICE_SIM] != CHECK_FAILED)
            snprintf(names + used, SESSION_PATH - used, "%s%s", n++ ? "," : "", c->name);
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
    g->printed = sim.printed;
    return 0;
}

static int ask_gpu(struct grade *g, const char *checks)
{
    static struct grade gpu;
    gpu = *g;
    gpu.check = checks;
    const int status = grade_run(&gpu);
    if (!g->printed)
        g->printed = gpu.printed;
    if (!status)
        session_merge(g->session, gpu.session);
    return status;
}

int grade_run_all(struct grade *g, bool *told)
{
    static char checks[SESSION_PATH];
    if (!g->both)
        return grade_run(g);
    const int status = ask_simulated(g);
    if (status)
        return status;
    if (name_checks(g->session, checks) == 0)
        return 0;
    if (!g->needs && !g->why)
        *told = grade_report_found(g);
    return ask_gpu(g, checks);
}
