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

static bool fails_simulated(const struct session *s)
{
    bool fails = false;
    for (int i = 0; i < s->n_checks; i++)
        fails = fails || s->checks[i].on_device[DEVICE_SIM] == CHECK_FAILED;
    return fails;
}

/* What the simulated device found can show anywhere on the GPU. */
bool session_disagrees(const struct session *s, const struct session_check *c)
{
    return s->both && !fails_simulated(s) && c->on_device[DEVICE_SIM] == CHECK_PASSED &&
           c->on_device[DEVICE_GPU] == CHECK_FAILED && !c->is_measured;
}

bool session_prefers_output(const struct session *sim, const struct session *gpu)
{
    return gpu->output.total_bytes > 0 && (sim->output.total_bytes == 0 || !fails_simulated(sim));
}

/* The simulated device has not failed the check, and the GPU was asked. */
static void merge_check(struct session_check *to, const struct session_check *gpu)
{
    const enum session_status simulated = to->status;
    const bool sim_lacks = to->lacks;
    const bool stays = gpu->status == CHECK_SKIPPED
                           ? simulated != CHECK_SKIPPED
                           : gpu->status == CHECK_PASSED && simulated == CHECK_INCONCLUSIVE;
    if (!stays) {
        *to = *gpu;
        to->device = DEVICE_GPU;
    }
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

void session_merge(struct session *sim, const struct session *gpu)
{
    for (int i = 0; i < gpu->n_checks; i++) {
        struct session_check *c = session_find(sim, gpu->checks[i].name);
        if (c && c->status != CHECK_FAILED && gpu->checks[i].status != CHECK_NOT_RUN)
            merge_check(c, &gpu->checks[i]);
    }
    sim->n_gpus = gpu->n_gpus;
    sim->capability = gpu->capability;
    sim->cuda = gpu->cuda;
    sim->n_devices = gpu->n_devices;
    memcpy(sim->gpu_uuids, gpu->gpu_uuids, sizeof sim->gpu_uuids);
    if (gpu->timeline_check[0])
        take_timeline(sim, gpu);
    if (!sim->graph_check[0])
        take_graph(sim, gpu);
    if (session_prefers_output(sim, gpu))
        sim->output = gpu->output;
    if (gpu->diagnosis.status == CHECK_FAILED && gpu->diagnosis.mistake[0])
        sim->diagnosis = gpu->diagnosis;
}
