/* test_judge_gpu.c: gradings as on a GPU: paired timing, evidence that is taken again, processes
 * that go on, and a GPU that others use. A machine without a GPU tries them with lab 00 and figures
 * that its submissions make up. */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>

#include "grading.h"

/* ---- paired timing --------------------------------------------------------------------------- */

static char said[2 * SESSION_TEXT + 2];
static int wait_status;        /* of a submission whose process ended */
static bool is_internal_error; /* of the grader, in that check */

/* The UUID and the management library of the GPU, where there are any. */
static char gpu_uuid[64], gpu_library[64];
static int n_gpus;
static enum session_device device = DEVICE_GPU;
static bool both;                    /* the simulated device has passed the checks */
static char simulated[SESSION_PATH]; /* the session of one that judges meanwhile */

static void run_suite(const char *suite, const char *filter, const char *session)
{
    const pid_t pid = fork();
    if (pid == 0) {
        unsetenv("BXFI_MAP");
        setenv(SESSION_VARIABLE, session, 1);
        if (gpu_library[0])
            setenv("LD_LIBRARY_PATH", gpu_library, 1);
        execl(suite, suite, "--filter", filter, "--jobs", "1", "--quiet", (char *)NULL);
        _exit(127);
    }
    waitpid(pid, NULL, 0);
}

/* What a check of the suite says of a submission to lab 00 when the device is a GPU; all checks of
 * the filter are run. */
static enum session_status judge_all_on_gpu(const char *suite_name, const char *checks,
                                            const char *check, const char *name,
                                            const char *reference)
{
    char path[SESSION_PATH], suite[PATH_MAX], filter[64];
    find_build();
    struct session *s = session_create("/tmp", path);
    cr_assert(s);
    snprintf(s->subject, sizeof s->subject, "%.4000s/sim/lab00/%s", build, name);
    snprintf(s->reference, sizeof s->reference, "%.4000s/sim/lab00/%s", build, reference);
    snprintf(s->gpu_uuids[0], sizeof s->gpu_uuids[0], "%s", gpu_uuid);
    s->n_gpus = n_gpus;
    snprintf(suite, sizeof suite, "%.4000s/grader/%s", build, suite_name);
    snprintf(filter, sizeof filter, "lab00/%s", checks);
    s->device = device;
    s->both = both;
    snprintf(s->simulated, sizeof s->simulated, "%s", simulated);
    s->memory_bytes = UINT64_C(1) << 30;
    s->deadline_ns = session_now_ns() + INT64_C(60000000000);
    run_suite(suite, filter, path);
    const struct session_check *c = session_find(s, check);
    cr_assert(c, "the suite did not run");
    snprintf(said, sizeof said, "%s; %s%s", c->message, c->actual, c->by_hand ? "; by hand" : "");
    wait_status = c->event.wait_status;
    is_internal_error = c->is_internal_error;
    enum session_status status = c->status;
    session_remove(path);
    return status;
}

static enum session_status judge_on_gpu(const char *suite_name, const char *check, const char *name,
                                        const char *reference)
{
    return judge_all_on_gpu(suite_name, check, check, name, reference);
}

static enum session_status judge_as_on_gpu(const char *name)
{
    return judge_on_gpu("lab00", "time", name, "good");
}

Test(paired_timing, noise_within_the_limit_passes)
{
    cr_expect_eq(judge_as_on_gpu("noisy"), CHECK_PASSED, "%s", said);
}

Test(paired_timing, the_same_time_passes_when_a_second_reference_confirms_it)
{
    cr_expect_eq(judge_as_on_gpu("good"), CHECK_PASSED, "%s", said);
    cr_expect(strstr(said, "2 pairs of processes"), "%s", said);
}

Test(paired_timing, twice_the_time_fails_after_three_fresh_pairs)
{
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_FAILED, "%s", said);
    cr_expect(strstr(said, "5 pairs of processes"), "%s", said);
}

/* Equal to the reference, but one process in four is slower by a quarter, for its whole life. A
 * busy machine leaves some of the gradings undecided. */
Test(paired_timing, a_slow_process_fails_nobody)
{
    int passed = 0;
    for (int i = 0; i < 8; i++) {
        enum session_status status = judge_as_on_gpu("moody");
        cr_expect_neq(status, CHECK_FAILED, "%s", said);
        passed += status == CHECK_PASSED;
    }
    cr_expect_geq(passed, 2);
}

Test(paired_timing, runs_on_both_sides_of_the_limit_fail_nobody)
{
    cr_expect_neq(judge_as_on_gpu("wavers"), CHECK_FAILED, "%s", said);
}

Test(paired_timing, faster_than_the_floor_fails)
{
    cr_expect_eq(judge_as_on_gpu("too_fast"), CHECK_FAILED, "%s", said);
    cr_expect(strstr(said, "faster than the hardware can be"), "%s", said);
    cr_expect_null(strstr(said, "1 pair"), "%s", said);
}

Test(paired_timing, far_below_the_reference_is_to_be_checked_by_hand)
{
    cr_expect_eq(judge_as_on_gpu("quick"), CHECK_PASSED, "%s", said);
    cr_expect(strstr(said, "by hand"), "%s", said);
    cr_expect_eq(judge_as_on_gpu("good"), CHECK_PASSED, "%s", said);
    cr_expect_null(strstr(said, "by hand"), "%s", said);
}

Test(paired_timing, both_processes_run_on_one_cpu)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        cr_skip_test("there is but one");
    cr_expect_eq(judge_on_gpu("lab00_clock", "one_cpu", "good", "good"), CHECK_PASSED, "%s", said);
}

Test(paired_timing, by_the_clock)
{
    cr_expect_eq(judge_on_gpu("lab00_clock", "time", "steady", "steady"), CHECK_PASSED, "%s", said);
}

/* A timed part is of several runs with the same inputs: nobody gains by doing only the first. These
 * are timed by the clock: what else runs on the machine can hide it, but not twenty times. */
Test(paired_timing, every_run_does_all_of_its_work)
{
    enum session_status status = CHECK_PASSED;
    for (int i = 0; i < 20 && status != CHECK_FAILED; i++)
        status = judge_on_gpu("lab00_clock", "time", "rests", "steady");
    cr_expect_eq(status, CHECK_FAILED, "%s", said);
    cr_expect(strstr(said, "it was not done again"), "%s", said);
}

/* ---- evidence that is taken again ------------------------------------------------------------ */

Test(evidence, a_measurement_fails_a_check_only_the_third_time)
{
    cr_expect_eq(judge_on_gpu("lab00_clock", "disturbed_twice", "good", "good"), CHECK_PASSED, "%s",
                 said);
    cr_expect_eq(said[0], ';', "the message of a failed try is gone: %s", said);
    cr_expect_eq(judge_on_gpu("lab00_clock", "never_right", "good", "good"), CHECK_FAILED, "%s",
                 said);
}

/* Others on the machine can add to the CPU time of a process, and to nothing else of virtual
 * time. */
Test(evidence, virtual_time_is_a_measurement_if_cpu_time_is_in_it)
{
    device = DEVICE_SIM;
    cr_expect_eq(judge_on_gpu("lab00_clock", "disturbed_twice", "counts_computing", "good"),
                 CHECK_PASSED, "%s", said);
    cr_expect_eq(judge_on_gpu("lab00_clock", "disturbed_twice", "good", "good"), CHECK_FAILED, "%s",
                 said);
}

Test(evidence, a_wrong_result_fails_at_once)
{
    cr_expect_eq(judge_on_gpu("lab00_clock", "wrong_once", "good", "good"), CHECK_FAILED, "%s",
                 said);
}

/* ---- the reference --------------------------------------------------------------------------- */

Test(reference, a_submission_cannot_make_it_fail)
{
    cr_expect_eq(judge_on_gpu("lab00", "time", "takes_all", "needs_all"), CHECK_FAILED);
    cr_expect_not(is_internal_error);
    cr_expect(strstr(said, "while this program runs, and not alone"), "%s", said);
}

Test(reference, the_check_in_which_it_fails_is_known)
{
    static const char checks[] = "@(time|one_gpu)";
    judge_all_on_gpu("lab00_clock", checks, "one_gpu", "good", "returns_error");
    cr_expect_not(is_internal_error);
    judge_all_on_gpu("lab00_clock", checks, "time", "good", "returns_error");
    cr_expect(is_internal_error);
}

/* ---- processes that go on to the next check -------------------------------------------------- */

static bool has_ended(int pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    const bool is_there = f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1;
    if (f)
        fclose(f);
    return !is_there || state == 'Z';
}

static enum session_status second_use(const char *checks, const char *check)
{
    return judge_all_on_gpu("lab00_clock", checks, check, "good", "good");
}

Test(pool, only_the_reference_goes_on_to_the_next_check)
{
    cr_expect_eq(second_use("@(first|second)_use", "first_use"), CHECK_PASSED, "%s", said);
    cr_expect_eq(second_use("@(first|second)_use", "second_use"), CHECK_PASSED, "%s", said);
    const int pid = atoi(said);
    cr_assert_gt(pid, 1, "%s", said);
    for (int i = 0; i < 200 && !has_ended(pid); i++)
        usleep(10000);
    cr_expect(has_ended(pid), "the reference's process has outlived the suite");
    cr_expect_eq(second_use("second_use", "second_use"), CHECK_FAILED, "%s", said);
}

Test(pool, a_submission_goes_on_if_both_devices_judge)
{
    both = true;
    cr_expect_eq(second_use("@(first|shared)_use", "shared_use"), CHECK_PASSED, "%s", said);
    both = false;
    cr_expect_eq(second_use("@(first|shared)_use", "shared_use"), CHECK_FAILED, "%s", said);
}

Test(pool, a_process_that_has_served_does_not_fail_a_check)
{
    both = true;
    cr_expect_eq(second_use("first_@(use|run)", "first_run"), CHECK_PASSED, "%s", said);
    cr_expect(strstr(said, "try 1"), "%s", said);
}

Test(pool, a_process_that_has_ended_is_passed_over)
{
    cr_expect_eq(second_use("use_after_end", "use_after_end"), CHECK_PASSED, "%s", said);
}

Test(pool, a_check_that_is_tried_again_has_new_processes)
{
    cr_expect_eq(second_use("@(first|fresh)_use", "fresh_use"), CHECK_PASSED, "%s", said);
}

/* ---- beside the simulated device ------------------------------------------------------------- */

/* Its session, with one check, as far as it is. */
static struct session_check *simulate(struct session **s, const char *check,
                                      enum session_status status)
{
    *s = session_create("/tmp", simulated);
    cr_assert(*s);
    (*s)->n_checks = 1;
    snprintf((*s)->checks[0].name, SESSION_NAME, "%s", check);
    (*s)->checks[0].status = status;
    return &(*s)->checks[0];
}

static void remove_simulated(void)
{
    session_remove(simulated);
}

Test(beside, what_the_simulated_device_fails_is_not_run, .fini = remove_simulated)
{
    struct session *s;
    simulate(&s, "time", CHECK_FAILED);
    s->ended = true;
    cr_expect_eq(judge_as_on_gpu("good"), CHECK_NOT_RUN, "%s", said);
}

/* Another process gives the verdict, and later the end, of what the simulated device does. */
static pid_t judge_slowly(struct session *s, struct session_check *c)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    usleep(300000);
    c->status = CHECK_PASSED;
    usleep(700000);
    s->ended = true;
    _exit(0);
}

Test(beside, a_check_waits_for_its_verdict_and_a_measurement_for_all, .fini = remove_simulated)
{
    struct session *s;
    struct session_check *c = simulate(&s, "first_use", CHECK_RUNNING);
    pid_t pid = judge_slowly(s, c);
    cr_expect_eq(second_use("first_use", "first_use"), CHECK_PASSED, "%s", said);
    cr_expect_eq(c->status, CHECK_PASSED);
    cr_expect_eq(judge_as_on_gpu("good"), CHECK_PASSED, "%s", said);
    cr_expect(s->ended);
    waitpid(pid, NULL, 0);
}

/* ---- a GPU that others use ------------------------------------------------------------------- */

/* What a management library says of its GPU when this grading does nothing there. */
struct library {
    int busy_percent; /* in the last second */
    int throttle_reasons;
    bool has_samples;
    int partial_percent, sample_percent; /* of the first sample, of the others */
};

static void make_library(const struct library *l)
{
    char command[2048];
    snprintf(gpu_library, sizeof gpu_library, "/tmp/nvml-XXXXXX");
    cr_assert(mkdtemp(gpu_library));
    snprintf(command, sizeof command,
             "cd %s && echo 'int nvmlInit_v2(void) { return 0; }int "
             "nvmlDeviceGetHandleByUUID(const char *u, void **d) { *d = d; return 0; }int "
             "nvmlDeviceGetUtilizationRates(void *d, unsigned *r) { *r = %d; return 0; }int "
             "nvmlDeviceGetCurrentClocksThrottleReasons(void *d, unsigned long long *r){ *r = %d; "
             "return 0; }int nvmlDeviceGetSamples(void *d, int kind, unsigned long long after, int "
             "*type,                         unsigned *n, struct { unsigned long long t, v; } "
             "*all){ *type = 1; *n = 5; for (int i = 0; i < 5; i++) all[i].v = i ? %d : %d;  "
             "return %d; }' | gcc -shared -fPIC -w -x c - -o libnvidia-ml.so.1",
             gpu_library, l->busy_percent, l->throttle_reasons, l->sample_percent,
             l->partial_percent, l->has_samples ? 0 : 3);
    cr_assert_eq(system(command), 0);
    snprintf(gpu_uuid, sizeof gpu_uuid, "GPU-test-%d", (int)getpid());
}

static void remove_library(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s /tmp/cuda-course-%s.*", gpu_library, gpu_uuid);
    cr_expect_eq(system(command), 0);
}

Test(shared_gpu, load_of_others_fails_nobody, .fini = remove_library)
{
    make_library(&(struct library){.busy_percent = 60});
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_INCONCLUSIVE, "%s", said);
    cr_expect(strstr(said, "others keep it busy for 60 %"), "%s", said);
    cr_expect_eq(judge_on_gpu("lab00_clock", "never_right", "good", "good"), CHECK_INCONCLUSIVE,
                 "%s", said);
    cr_expect_eq(judge_on_gpu("lab00_clock", "wrong_once", "good", "good"), CHECK_FAILED, "%s",
                 said);
    cr_expect_eq(judge_as_on_gpu("noisy"), CHECK_PASSED, "%s", said);
    cr_expect_eq(judge_as_on_gpu("loops"), CHECK_INCONCLUSIVE, "%s", said);
    cr_expect(strstr(said, "others keep it busy"), "%s", said);
}

Test(shared_gpu, samples_have_their_say_first, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true, .sample_percent = 45});
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_INCONCLUSIVE, "%s", said);
    cr_expect(strstr(said, "others keep it busy for 45 %"), "%s", said);
}

/* The driver's last second and its first sample have some of the submission's own time. */
Test(shared_gpu, its_own_time_is_not_load_of_others, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true, .partial_percent = 90, .busy_percent = 50});
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_FAILED, "%s", said);
}

static int open_lock(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/tmp/cuda-course-%s.%s", gpu_uuid, name);
    return open(path, O_RDONLY | O_CREAT, 0666);
}

/* Another grading that has the GPU until somebody waits for it: a waiting one holds `queue`, and
 * one that only passes through holds it for no fifth of a second. */
static pid_t hold_gpu(void)
{
    const int turn = open_lock("turn"), queue = open_lock("queue");
    cr_assert(turn >= 0 && queue >= 0 && flock(turn, LOCK_SH) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        for (int times_held = 0; times_held < 20; usleep(10000)) {
            times_held = flock(queue, LOCK_EX | LOCK_NB) != 0 ? times_held + 1 : 0;
            flock(queue, LOCK_UN);
        }
        _exit(0);
    }
    close(turn);
    close(queue);
    return pid;
}

Test(shared_gpu, a_time_limit_beside_another_grading_is_tried_again, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true});
    cr_expect_eq(judge_on_gpu("lab00_clock", "too_long_once", "loops_at_99", "good"), CHECK_FAILED,
                 "%s", said);
    const pid_t pid = hold_gpu();
    cr_expect_eq(judge_on_gpu("lab00_clock", "too_long_once", "loops_at_99", "good"), CHECK_PASSED,
                 "%s", said);
    waitpid(pid, NULL, 0);
}

Test(shared_gpu, the_first_check_has_processes_that_were_begun_before, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true});
    cr_expect_eq(second_use("early_use", "early_use"), CHECK_FAILED, "%s", said);
    both = true;
    cr_expect_eq(second_use("early_use", "early_use"), CHECK_PASSED, "%s", said);
}

Test(shared_gpu, subjects_see_one_of_several, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true});
    n_gpus = 4;
    cr_expect_eq(judge_on_gpu("lab00_clock", "one_gpu", "good", "good"), CHECK_PASSED, "%s", said);
}

/* It is not known of the process that was there first. */
Test(shared_gpu, how_a_process_ended_is_known, .fini = remove_library)
{
    make_library(&(struct library){.has_samples = true});
    both = true;
    cr_expect_eq(judge_on_gpu("lab00", "results", "kills_itself", "good"), CHECK_FAILED, "%s",
                 said);
    cr_expect_eq(WTERMSIG(wait_status), SIGKILL);
}

Test(shared_gpu, heat_fails_nobody, .fini = remove_library)
{
    make_library(&(struct library){.throttle_reasons = 0x40});
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_INCONCLUSIVE, "%s", said);
    cr_expect(strstr(said, "slowed it down"), "%s", said);
}

Test(shared_gpu, a_quiet_one_changes_nothing, .fini = remove_library)
{
    /* idle, and clocks as an application asked for */
    make_library(&(struct library){.has_samples = true, .throttle_reasons = 0x1 | 0x2});
    cr_expect_eq(judge_as_on_gpu("too_slow"), CHECK_FAILED, "%s", said);
    cr_expect_eq(judge_as_on_gpu("loops"), CHECK_FAILED, "%s", said);
}
