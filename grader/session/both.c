/* both.c: what the simulated device and a GPU said of one submission becomes one session. */
#include <string.h>

#include "session.h"

void session_begin_both(struct session *sim)
{
    sim->both = true;
    sim->device = DEVICE_GPU;
    for (int i = 0; i < sim->n_checks; i++)
        sim->checks[i].on_device[DEVICE_SIM] = sim->checks[i].status;
}

bool session_asks_gpu(const struct session_check *c)
{
    return c->status != CHECK_FAILED || (c->is_measured && c->time_us > 0);
}

bool session_disagrees(const struct session *s, const struct session_check *c)
{
    bool is_right = s->both; /* what the simulated device found can show anywhere on the GPU */
    for (int i = 0; i < s->n_checks; i++)
        is_right = is_right && s->checks[i].on_device[DEVICE_SIM] != CHECK_FAILED;
    return is_right && c->on_device[DEVICE_SIM] == CHECK_PASSED &&
           c->on_device[DEVICE_GPU] == CHECK_FAILED && !c->is_measured;
}

/* The figures of a time, without why it is too long. */
static void take_time(struct session_check *to, const struct session_check *gpu)
{
    to->has_figure = gpu->has_figure;
    to->measured = gpu->measured;
    to->required = gpu->required;
    to->time_us = gpu->time_us;
    to->reference_us = gpu->reference_us;
    to->floor_us = gpu->floor_us;
    memcpy(to->unit, gpu->unit, sizeof to->unit);
    memcpy(to->actual, gpu->actual, sizeof to->actual);
    memcpy(to->expected, gpu->expected, sizeof to->expected);
}

/* Whose words the check has: those of the device that failed it, and of the simulated one if it
 * knows the cause. */
static void merge_words(struct session_check *to, const struct session_check *gpu)
{
    const bool both_failed = to->status == CHECK_FAILED && gpu->status == CHECK_FAILED;
    if (both_failed && to->mistake[0])
        take_time(to, gpu);
    else if (both_failed || to->status == CHECK_SKIPPED ||
             (to->status != CHECK_FAILED && gpu->status != CHECK_SKIPPED)) {
        *to = *gpu;
        to->device = DEVICE_GPU;
    }
}

static void merge_check(struct session_check *to, const struct session_check *gpu)
{
    const enum session_status simulated = to->status;
    const bool sim_lacks = to->lacks;
    merge_words(to, gpu);
    if (gpu->lacks)
        memcpy(to->needs, gpu->needs, sizeof to->needs);
    to->lacks = sim_lacks && gpu->lacks;
    to->only_simulated = gpu->lacks && !sim_lacks;
    to->on_device[DEVICE_SIM] = simulated;
    to->on_device[DEVICE_GPU] = gpu->status;
}

static void take_timeline(struct session *to, const struct session *gpu)
{
    memcpy(to->timeline_check, gpu->timeline_check, sizeof to->timeline_check);
    memcpy(to->timeline, gpu->timeline, sizeof to->timeline);
    memcpy(to->reference_timeline, gpu->reference_timeline, sizeof to->reference_timeline);
    memcpy(to->timeline_legend, gpu->timeline_legend, sizeof to->timeline_legend);
}

static void take_graph(struct session *to, const struct session *gpu)
{
    memcpy(to->graph_check, gpu->graph_check, sizeof to->graph_check);
    memcpy(to->graph_words, gpu->graph_words, sizeof to->graph_words);
    memcpy(to->graph_dot, gpu->graph_dot, sizeof to->graph_dot);
}

/* The simulated device shows the graph of a check that failed there. */
static bool has_failed_graph(struct session *s)
{
    const struct session_check *c = session_find(s, s->graph_check);
    return c && c->on_device[DEVICE_SIM] == CHECK_FAILED;
}

void session_merge(struct session *sim, const struct session *gpu)
{
    for (int i = 0; i < gpu->n_checks; i++) {
        struct session_check *c = session_find(sim, gpu->checks[i].name);
        if (c)
            merge_check(c, &gpu->checks[i]);
    }
    sim->n_gpus = gpu->n_gpus;
    sim->capability = gpu->capability;
    sim->cuda = gpu->cuda;
    sim->n_devices = gpu->n_devices;
    memcpy(sim->gpu_uuids, gpu->gpu_uuids, sizeof sim->gpu_uuids);
    if (gpu->timeline_check[0])
        take_timeline(sim, gpu);
    if (gpu->graph_check[0] && !has_failed_graph(sim))
        take_graph(sim, gpu);
    if (gpu->output.total_bytes > 0 && sim->output.total_bytes == 0)
        sim->output = gpu->output;
    if (gpu->diagnosis.status == CHECK_FAILED && gpu->diagnosis.mistake[0])
        sim->diagnosis = gpu->diagnosis;
}
