/* clock.c: lab 00 by the judge's clock, as times are taken on a GPU, and checks that are disturbed.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exchange.h"
#include "judge/judge.h"

JUDGE_LAB(.name = "lab00", .title = "the judge's own lab, timed by its own clock", .limit_s = 1.5,
          .total_s = 6);

static const struct judge_scenario small = {LAB00_SMALL};

JUDGE_CHECK(lab00, time, 100, "a run takes no longer than two of the reference's")
{
    judge_expect_time(&(struct judge_race){.submission = judge_start(JUDGE_SUBMISSION, &small),
                                           .reference = judge_start(JUDGE_REFERENCE, &small),
                                           .at_most = 2,
                                           .slow = "the run does more than it must"});
}

JUDGE_CHECK(lab00, one_cpu, 0, "two processes that are timed share a CPU, without the judge")
{
    cpu_set_t cpus;
    struct judged *j = judge_start(JUDGE_SUBMISSION, &small),
                  *reference = judge_start(JUDGE_REFERENCE, &small);
    judge_compare(j, reference);
    const int cpu = (int)judge_value(j, cpu);
    judge_expect(judge_value(j, cpus) == 1 && judge_value(reference, cpus) == 1, "other CPUs");
    judge_expect(judge_value(reference, cpu) == cpu, "a CPU each");
    judge_expect(sched_getaffinity(0, sizeof cpus, &cpus) == 0 && !CPU_ISSET(cpu, &cpus),
                 "the judge is there, too");
}

JUDGE_CHECK(lab00, one_gpu, 0, "of several GPUs, subjects see one")
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    judge_run(judge_start(JUDGE_SUBMISSION, &small));
    judge_expect(visible && strncmp(visible, "GPU-test-", 9) == 0, "%s",
                 visible ? visible : "all of them");
}

static int tries;

/* ---- processes that go on to the next check -------------------------------------------------- */

static void expect_age(struct judged *j, int runs)
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    judge_run(j);
    judge_expect(judge_value(j, runs) == runs, "run %.0f of its process", judge_value(j, runs));
    judge_expect(judge_value(j, cpus) == CPU_COUNT(&cpus), "%.0f CPUs", judge_value(j, cpus));
}

JUDGE_CHECK(lab00, first_use, 0, "a check whose processes are all new")
{
    struct judged *reference = judge_start(JUDGE_REFERENCE, &small);
    expect_age(judge_start(JUDGE_SUBMISSION, &small), 1);
    expect_age(reference, 1);
    judge_note("%.0f", judge_value(reference, pid));
    judge_stop(reference);
    expect_age(judge_start(JUDGE_REFERENCE, &small), 2);
}

JUDGE_CHECK(lab00, second_use, 0, "a check after it has the reference's process, and no other")
{
    expect_age(judge_start(JUDGE_SUBMISSION, &small), 1);
    struct judged *reference = judge_start(JUDGE_REFERENCE, &small);
    expect_age(reference, 3);
    expect_age(judge_start(JUDGE_REFERENCE, &small), 1);
    judge_note("%.0f", judge_value(reference, pid));
}

JUDGE_CHECK(lab00, shared_use, 0, "if both devices judge, the submission's process goes on, too")
{
    expect_age(judge_start(JUDGE_SUBMISSION, &small), 2);
}

static void verify_first_run(struct judged *j)
{
    judge_expect(judge_value(j, runs) == 1, "run %.0f of its process", judge_value(j, runs));
}

JUDGE_CHECK(lab00, first_run, 0, "what is right in a fresh process alone is right")
{
    static struct judge_scenario verified;
    verified = small;
    verified.verify = verify_first_run;
    judge_run(judge_start(JUDGE_SUBMISSION, &verified));
    judge_note("try %d", ++tries);
}

JUDGE_CHECK(lab00, use_after_end, 0, "a process that ended in the pool is passed over")
{
    struct judged *reference = judge_start(JUDGE_REFERENCE, &small);
    expect_age(reference, 1);
    const pid_t pid = (pid_t)judge_value(reference, pid);
    judge_stop(reference);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    expect_age(judge_start(JUDGE_REFERENCE, &small), 1);
}

static void expect_begun_before(struct judged *j)
{
    char path[64];
    int parent = 0;
    judge_run(j);
    snprintf(path, sizeof path, "/proc/%.0f/stat", judge_value(j, pid));
    FILE *f = fopen(path, "r");
    judge_expect(f && fscanf(f, "%*d (%*[^)]) %*c %d", &parent) == 1, "%s is not there", path);
    fclose(f);
    judge_expect(parent != (int)getpid(), "this check has begun process %.0f", judge_value(j, pid));
}

JUDGE_CHECK(lab00, early_use, 0, "the first check waits for processes that have been begun")
{
    struct judged *early[] = {
        judge_start(JUDGE_REFERENCE, &small), judge_start(JUDGE_REFERENCE, &small),
        judge_start(JUDGE_REFERENCE, &small), judge_start(JUDGE_SUBMISSION, &small)};
    for (int i = 0; i < 4; i++)
        expect_begun_before(early[i]);
}

JUDGE_CHECK(lab00, fresh_use, 0, "a check that is tried again has new processes alone")
{
    struct judged *reference = judge_start(JUDGE_REFERENCE, &small);
    judge_run(reference);
    if (++tries == 1 && judge_value(reference, runs) == 1)
        judge_inconclusive("the first try had a new one, too");
    judge_expect(judge_value(reference, runs) == 1, "not new");
}

/* ---- checks whose evidence is wrong in the first tries --------------------------------------- */

JUDGE_CHECK(lab00, disturbed_twice, 0, "a measurement that is right the third time")
{
    judge_run(judge_start(JUDGE_SUBMISSION, &small));
    judge_expect(++tries == 3, "disturbed");
}

JUDGE_CHECK(lab00, too_long_once, 0, "a run that does not end, the first time")
{
    static struct judge_scenario endless;
    endless = small;
    endless.numbers = JUDGE_NUMBERS(.n = ++tries == 1 ? 99 : 100, .n_batches = 4);
    judge_run(judge_start(JUDGE_SUBMISSION, &endless));
}

JUDGE_CHECK(lab00, never_right, 0, "a measurement that is right the fourth time")
{
    judge_run(judge_start(JUDGE_SUBMISSION, &small));
    judge_expect(++tries == 4, "disturbed");
}

static void verify_all_but_one(struct judged *j)
{
    (void)j;
    judge_expect(++tries != 2, "wrong");
}

JUDGE_CHECK(lab00, wrong_once, 0, "a result that is wrong once, in the second of two runs")
{
    static struct judge_scenario verified;
    verified = small;
    verified.verify = verify_all_but_one;
    struct judged *j = judge_start(JUDGE_SUBMISSION, &verified);
    judge_run(j);
    judge_run(j);
}
