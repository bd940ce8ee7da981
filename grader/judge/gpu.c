/* gpu.c: the GPUs that this grading shares with others, or has alone. */
#include <stdio.h>
#include <unistd.h>

#include "gpu_lock.h"
#include "inside.h"
#include "nvml.h"

/* Where all users of a machine can write. */
#define LOCK_FOLDER "/tmp"

static const double patience_s = 120; /* for other gradings */

/* Utilization after the own subjects' end: of a few sample periods. If a GPU has no samples:
 * several averages, none of which can reach back to them. */
enum { PERIODS = 4, SAMPLES_EVERY_MS = 50, MOST_READINGS = 30 };
enum { AVERAGES = 4, AVERAGES_EVERY_MS = 300 };
enum { BUSY_PERCENT = 5 };

static struct {
    enum gpu_lock lock; /* 0: none yet */
    bool waited_in_vain, is_open, was_slowed_down;
} gpu;

/* Those that the lab uses; 0: they are not known, or simulated. */
static int known(const char *uuids[SESSION_GPUS])
{
    const int all = judge_session->n_gpus > SESSION_GPUS ? SESSION_GPUS : judge_session->n_gpus,
              used = judge_session->devices > 1 && all > 1 ? all : 1;
    int n = 0;
    while (n < used && !judge_device_is_simulated() && judge_session->gpu_uuids[n][0]) {
        uuids[n] = judge_session->gpu_uuids[n];
        n++;
    }
    return n == used ? n : 0;
}

/* A lock that no other grading holds takes no longer. */
static const int64_t at_once_ns = INT64_C(10000000);

/* True: other gradings had it. */
static bool lock(const char *const uuids[], int n, enum gpu_lock want)
{
    session_begin_waiting(judge_session);
    gpu.waited_in_vain = !gpu_lock(LOCK_FOLDER, uuids, n, want, patience_s);
    gpu.lock = want;
    return session_end_waiting(judge_session) > at_once_ns;
}

void judge_gpu_share(void)
{
    const char *uuids[SESSION_GPUS];
    const int n = known(uuids);
    if (n > 0 && !gpu.lock)
        lock(uuids, n, GPU_SHARED);
}

bool judge_gpu_try_share(void)
{
    const char *uuids[SESSION_GPUS];
    const int n = known(uuids);
    return n > 0 && gpu_lock(LOCK_FOLDER, uuids, n, GPU_SHARED, at_once_ns / 1e9);
}

void judge_gpu_share_apart(void)
{
    gpu_lock_forget();
    judge_gpu_try_share();
}

bool judge_gpu_take(void)
{
    const char *uuids[SESSION_GPUS];
    const int n = known(uuids);
    judge_simulated_wait();
    if (n == 0 || gpu.lock == GPU_ALONE)
        return false;
    const bool others_had_it = lock(uuids, n, GPU_ALONE);
    gpu.is_open = nvml_open(uuids, n);
    return others_had_it;
}

void judge_gpu_look(void)
{
    gpu.was_slowed_down = gpu.was_slowed_down || nvml_read().is_slowed_down;
}

/* After a look at a GPU that showed no other process, the GPU counts as quiet for this long. */
static const int64_t believed_ns = INT64_C(10000000000);

/* How busy others keep the GPU while this grading does nothing there. */
static struct nvml_utilization watch_others(void)
{
    struct nvml_utilization u = {.is_known = false};
    unsigned sum = 0;
    nvml_mark();
    for (int i = 0; i < MOST_READINGS && u.periods < PERIODS; i++) {
        usleep(SAMPLES_EVERY_MS * 1000);
        u = nvml_sampled();
    }
    if (u.is_known)
        return u;
    for (int i = 0; i < AVERAGES; i++) {
        usleep(AVERAGES_EVERY_MS * 1000);
        u = nvml_averaged();
        sum += u.percent;
    }
    u.percent = sum / AVERAGES;
    return u;
}

static bool is_believed(void)
{
    const int64_t quiet_ns = judge_session->quiet_ns;
    return quiet_ns && session_now_ns() - quiet_ns < believed_ns;
}

bool judge_gpu_may_be_disturbed(void)
{
    return !gpu.waited_in_vain && gpu.is_open && (!is_believed() || gpu.was_slowed_down);
}

bool judge_gpu_is_disturbed(char why[SESSION_TEXT])
{
    if (gpu.waited_in_vain) {
        snprintf(why, SESSION_TEXT, "another grading has held it for %.0f s", patience_s);
        return true;
    }
    if (!judge_gpu_may_be_disturbed())
        return false;
    const struct nvml_utilization busy = watch_others();
    const struct nvml_reading others = nvml_read();
    if (busy.percent >= BUSY_PERCENT) {
        snprintf(why, SESSION_TEXT, "others keep it busy for %u %% of the time (%u processes)",
                 busy.percent, others.n_processes);
        return true;
    }
    if (!busy.is_known && others.n_processes > 0) {
        snprintf(why, SESSION_TEXT,
                 "%u other processes have work there, and its utilization is not known",
                 others.n_processes);
        return true;
    }
    if (gpu.was_slowed_down) {
        snprintf(why, SESSION_TEXT, "heat or power limits slowed it down (%u MHz now)",
                 others.sm_clock_mhz);
        return true;
    }
    judge_session->quiet_ns = session_now_ns();
    return false;
}
