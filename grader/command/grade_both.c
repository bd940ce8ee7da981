/* grade_both.c: on a GPU both devices judge at the same time. The simulated one has a verdict in a
 * fraction of a second, and finds races, leaks and missing waits. The GPU gets a check when it has
 * passed there, and is timed when all of them are through. */
#include <stdio.h>

#include "grade.h"

/* Is there a check for the GPU? */
static bool passed_any(const struct session *s)
{
    bool any = false;
    for (int i = 0; i < s->n_checks; i++)
        any |= s->checks[i].on_device[DEVICE_SIM] != CHECK_FAILED;
    return any;
}

/* The simulated device's part of *g. */
static struct grade simulated_of(struct grade *g)
{
    struct grade sim = *g;
    char why[256];
    sim.device = DEVICE_SIM;
    grade_twin(g, sim.subject);
    grade_twin(g, sim.reference);
    grade_device_name(&sim, why, sizeof why);
    snprintf(g->simulated_name, sizeof g->simulated_name, "%s", sim.device_name);
    return sim;
}

/* What the simulated device says becomes the session of the grading. */
static int end_simulated(struct grade *g, struct grade *sim)
{
    const int status = grade_end(sim);
    if (status)
        return status;
    g->session = sim->session;
    g->printed = sim->printed;
    return 0;
}

static int end_gpu(struct grade *g, struct grade *gpu)
{
    const int status = grade_end(gpu);
    if (status)
        return status;
    if (session_prefers_output(g->session, gpu->session))
        g->printed = gpu->printed;
    session_merge(g->session, gpu->session);
    return 0;
}

/* Both have begun. */
static int run_both(struct grade *g, struct grade *sim, struct grade *gpu, bool *told)
{
    const int status = end_simulated(g, sim);
    if (status)
        return status;
    session_begin_both(sim->session);
    grade_take_steps(sim);
    if (!passed_any(sim->session))
        return 0;
    if (!g->needs && !g->why)
        *told = grade_report_found(g);
    return end_gpu(g, gpu);
}

static struct grade sim, gpu;

int grade_run_all(struct grade *g, bool *told)
{
    if (!g->both)
        return grade_run(g);
    sim = simulated_of(g);
    int status = grade_begin(&sim);
    if (status)
        return status;
    gpu = *g;
    gpu.other = &sim;
    status = grade_begin(&gpu);
    if (status)
        return status;
    return run_both(g, &sim, &gpu, told);
}

void grade_leave(struct grade *g)
{
    fflush(stdout);
    grade_forget(&gpu);
    grade_forget(&sim);
    grade_forget(g);
    grade_trace_drop(g);
}
