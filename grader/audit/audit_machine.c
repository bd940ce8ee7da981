/* audit_machine.c: what the gradings run on, and the share of it that each of them gets.
 *
 * With as many gradings at once as GPUs, each has a GPU and a part of the CPUs of its own, so that
 * they do not disturb each other more than gradings on machines of one GPU. Gradings of a lab that
 * uses several GPUs take turns (judge/gpu_lock.h). */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

/* The lines that nvidia-smi prints about each GPU, one after the other. */
static void ask_gpus(struct audit_machine *m)
{
    char line[256];
    FILE *from = popen(
        "nvidia-smi --query-gpu=uuid,driver_version,name --format=csv,noheader 2>/dev/null", "r");
    while (from && m->n_gpus < AUDIT_JOBS && fgets(line, sizeof line, from))
        m->n_gpus += sscanf(line, "%63[^,], %63[^,], %63[^\n]", m->gpus[m->n_gpus], m->driver,
                            m->device) == 3;
    if (from)
        pclose(from);
}

/* Those that the environment leaves. */
static void take_visible(struct audit_machine *m, const char *visible)
{
    m->n_gpus = 0;
    while (*visible && m->n_gpus < AUDIT_JOBS) {
        const size_t n = strcspn(visible, ",");
        if (n > 0)
            snprintf(m->gpus[m->n_gpus++], AUDIT_NAME, "%.*s", (int)n, visible);
        visible += n + (visible[n] == ',');
    }
}

struct audit_machine audit_machine(const char *device)
{
    struct audit_machine m = {.device = "simulated device", .driver = "none"};
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (strcmp(device, "gpu") != 0)
        return m;
    snprintf(m.device, sizeof m.device, "GPU");
    snprintf(m.driver, sizeof m.driver, "unknown");
    ask_gpus(&m);
    if (visible)
        take_visible(&m, visible);
    return m;
}

/* The CPUs of slot `slot` of `n`, among those that this process may use. */
static void take_cpus(int slot, int n)
{
    cpu_set_t all, share;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < n)
        return;
    const int n_cpus = CPU_COUNT(&all);
    CPU_ZERO(&share);
    for (int cpu = 0, i = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && i++ * n / n_cpus == slot)
            CPU_SET(cpu, &share);
    sched_setaffinity(0, sizeof share, &share);
}

/* All GPUs, this one first: a lab uses the first one, or several from there. */
static void put_first(const struct audit_machine *m, int gpu)
{
    char order[AUDIT_JOBS * (AUDIT_NAME + 1)];
    size_t used = 0;
    for (int i = 0; i < m->n_gpus; i++)
        used += (size_t)sprintf(order + used, "%s%s", i ? "," : "", m->gpus[(gpu + i) % m->n_gpus]);
    setenv("CUDA_VISIBLE_DEVICES", order, 1);
}

void audit_place(const struct audit_machine *m, int slot, int n_jobs)
{
    if (n_jobs < 2 || m->n_gpus < 2)
        return;
    const int gpu = slot % m->n_gpus, n = n_jobs < m->n_gpus ? n_jobs : m->n_gpus;
    put_first(m, gpu);
    take_cpus(gpu, n);
}
