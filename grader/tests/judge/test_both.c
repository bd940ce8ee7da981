/* test_both.c: a GPU and the simulated device judge one submission. A machine without a GPU tries
 * it with lab 00, whose submissions use no device, and a driver's library that only names a GPU. */
#include <signal.h>

#include "grading.h"

#include "session/session.h"

/* The submission's builds, folders of build/sim/lab00 and build/gpu/lab00, and its reports. */
static char name[32];

static void shell(const char *command)
{
    cr_assert_eq(system(command), 0, "%s", command);
}

static void begin_both(void)
{
    char command[4 * PATH_MAX];
    begin();
    snprintf(name, sizeof name, "both_%d", (int)getpid());
    snprintf(command, sizeof command,
             "cd %s && mkdir -p gpu/lab00/solution sim/lab00/%s gpu/lab00/%s && "
             "cp sim/lab00/good gpu/lab00/solution/%s && "
             "mv gpu/lab00/solution/%s gpu/lab00/solution/subject",
             build, name, name, name, name);
    shell(command);
    snprintf(command, sizeof command,
             "cd %s && echo '#include <string.h>\n"
             "int cuInit(unsigned f) { return 0; }int cuDeviceGetCount(int *n) { *n = 1; return 0; "
             "}int cuDeviceGetName(char *to, int n, int d) { strcpy(to, GPU); return 0; }int "
             "cuDeviceGetAttribute(int *v, int a, int d){ *v = a == 75 ? 8 : a == 76 ? 9 : 0; "
             "return 0; }' >driver.c",
             scratch);
    shell(command);
}

static void end_both(void)
{
    char command[3 * PATH_MAX];
    snprintf(command, sizeof command,
             "cd %s && rm -r sim/lab00/%s gpu/lab00/%s; rm -f report/*-%s.*", build, name, name,
             name);
    shell(command);
    end();
}

/* Grades one that is `simulated` on the simulated device and `real` on a GPU of this name. */
static void grade_both(const char *gpu, const char *simulated, const char *real,
                       const char *device_and_more)
{
    char command[4 * PATH_MAX];
    snprintf(command, sizeof command,
             "cp %s/sim/lab00/%s %s/sim/lab00/%s/subject && "
             "cp %s/sim/lab00/%s %s/gpu/lab00/%s/subject && "
             "gcc -shared -fPIC -w '-DGPU=\"%s\"' -o %s/libcuda.so.1 %s/driver.c",
             build, simulated, build, name, build, real, build, name, gpu, scratch, scratch);
    shell(command);
    snprintf(
        command, sizeof command,
        "LD_LIBRARY_PATH=%%S %%G lab00 --subject %%B/gpu/lab00/%s/subject --json %%J --device %s",
        name, device_and_more);
    run(command);
}

TestSuite(both, .init = begin_both, .fini = end_both);

Test(both, right_on_both_devices_passes)
{
    grade_both("NVIDIA L4", "good", "good", "both");
    cr_expect_eq(g.status, 0, "%s", g.out);
    cr_expect(strstr(g.out, "on NVIDIA L4\n"), "%s", g.out);
    cr_expect(strstr(g.out, "and on Simulated NVIDIA L4, virtual time\n"), "%s", g.out);
    cr_expect(json_says(".simulated_device == \"Simulated NVIDIA L4, virtual time\""));
    cr_expect(json_says(".checks[] | select(.name == \"results\") | .device == \"gpu\" and "
                        ".verdicts == {\"sim\": \"pass\", \"gpu\": \"pass\"}"),
              "%s", g.json);
}

Test(both, a_card_without_a_profile_has_the_figures_of_the_nearest)
{
    grade_both("NVIDIA Unheard-of", "good", "good", "both");
    cr_expect(strstr(g.out, "on NVIDIA Unheard-of\n"), "%s", g.out);
    cr_expect(json_says(".simulated_device | test(\"L4|RTX 40\")"), "%s", g.json);
}

Test(both, the_gpu_is_not_asked_for_what_the_simulated_device_fails)
{
    grade_both("NVIDIA L4", "too_slow", "good", "both");
    cr_expect_eq(g.status, 1, "%s", g.out);
    cr_expect(json_says("[.checks[] | select(.status == \"fail\") | .verdicts] | length > 0 and "
                        "all(. == {\"sim\": \"fail\"})"),
              "%s", g.json);
    const char *found = strstr(g.out, "on the simulated device"),
               *table = strstr(g.out, "  FAIL  time");
    cr_expect(found && table && found < table, "found first, then the table: %s", g.out);
}

Test(both, right_on_one_device_and_wrong_on_the_other_is_said)
{
    grade_both("NVIDIA L4", "good", "does_nothing", "both");
    cr_expect_eq(g.status, 1, "%s", g.out);
    cr_expect(strstr(g.out, "failed on the GPU: the devices disagree"), "%s", g.out);
    cr_expect(json_says(".checks[0] | .devices_disagree and .device == \"gpu\" and "
                        ".verdicts == {\"sim\": \"pass\", \"gpu\": \"fail\"}"),
              "%s", g.json);
}

Test(both, what_it_printed_on_the_gpu_is_shown_and_kept)
{
    char kept[PATH_MAX + 64];
    grade_both("NVIDIA L4", "good", "aborts", "both");
    cr_expect(strstr(g.out, "this cannot be"), "%s", g.out);
    snprintf(kept, sizeof kept, "grep -q 'this cannot be' %s/report/lab00-%s.out", build, name);
    cr_expect_eq(system(kept), 0);
}

Test(both, one_device_alone)
{
    grade_both("NVIDIA L4", "does_nothing", "good", "gpu");
    cr_expect_eq(g.status, 0, "%s", g.out);
    cr_expect(json_says("has(\"simulated_device\") | not"), "%s", g.json);
    cr_expect(json_says(".checks[0].verdicts == {\"gpu\": \"pass\"}"), "%s", g.json);
}

/* On a GPU a process of the submission outlives the check that started it. */
Test(both, no_subject_outlives_a_killed_grade)
{
    grade_both("NVIDIA L4", "good", "loops", "both & sleep 1; kill -KILL $!; wait $!");
    cr_expect_eq(g.status, 128 + SIGKILL, "%s", g.out);
    run("chmod -R u+rwx $TMPDIR; rm -r $TMPDIR/*");
    expect_nothing_left();
}

/* Before the GPU is timed the report begins with what the simulated device found. */
Test(both, a_pipe_that_nobody_reads_leaves_nothing)
{
    grade_both("NVIDIA L4", "too_slow", "good", "both --html %S/page.html | true");
    expect_nothing_left();
}

/* ---- two sessions become one ----------------------------------------------------------------- */

static struct session sim, gpu;

static struct session_check *add(struct session *s, const char *check, enum session_status status)
{
    struct session_check *c = &s->checks[s->n_checks++];
    snprintf(c->name, sizeof c->name, "%s", check);
    c->status = status;
    return c;
}

Test(merge, what_the_gpu_cannot_show_counts_as_the_simulated_device_says)
{
    add(&sim, "order", CHECK_PASSED);
    add(&sim, "peers", CHECK_PASSED);
    add(&sim, "early", CHECK_SKIPPED)->lacks = true;
    session_begin_both(&sim);
    add(&gpu, "order", CHECK_SKIPPED);
    add(&gpu, "peers", CHECK_SKIPPED)->lacks = true;
    add(&gpu, "early", CHECK_SKIPPED)->lacks = true;
    session_merge(&sim, &gpu);
    cr_expect_eq(sim.checks[0].status, CHECK_PASSED);
    cr_expect(!sim.checks[0].only_simulated);
    cr_expect_eq(sim.checks[1].status, CHECK_PASSED);
    cr_expect(sim.checks[1].only_simulated && !sim.checks[1].lacks);
    cr_expect_eq(sim.checks[2].status, CHECK_SKIPPED);
    cr_expect(sim.checks[2].lacks);
}

Test(merge, what_the_simulated_device_could_not_decide_is_not_passed)
{
    add(&sim, "results", CHECK_INCONCLUSIVE);
    add(&sim, "status", CHECK_INCONCLUSIVE);
    session_begin_both(&sim);
    add(&gpu, "results", CHECK_PASSED);
    add(&gpu, "status", CHECK_FAILED);
    session_merge(&sim, &gpu);
    cr_expect_eq(sim.checks[0].status, CHECK_INCONCLUSIVE);
    cr_expect_eq(sim.checks[1].status, CHECK_FAILED);
}

Test(merge, figures_are_those_of_the_gpu)
{
    add(&sim, "time", CHECK_PASSED)->time_us = 1;
    session_begin_both(&sim);
    add(&gpu, "time", CHECK_PASSED)->time_us = 2;
    session_merge(&sim, &gpu);
    cr_expect_eq(sim.checks[0].time_us, 2);
}

Test(merge, output_is_that_of_the_device_that_failed)
{
    add(&sim, "results", CHECK_PASSED);
    sim.output.total_bytes = 1;
    session_begin_both(&sim);
    add(&gpu, "results", CHECK_FAILED);
    cr_expect_not(session_prefers_output(&sim, &gpu), "nothing was printed there");
    gpu.output.total_bytes = 2;
    session_merge(&sim, &gpu);
    cr_expect_eq(sim.output.total_bytes, 2);
    sim.checks[0].on_device[DEVICE_SIM] = CHECK_FAILED;
    cr_expect_not(session_prefers_output(&sim, &gpu));
}

/* A time that is too long on one device only is no contradiction, nor is what follows on the GPU
 * from a race that the simulated device found. */
Test(merge, devices_disagree_only_if_nothing_explains_it)
{
    add(&sim, "results", CHECK_PASSED);
    add(&sim, "time", CHECK_PASSED);
    add(&sim, "order", CHECK_PASSED);
    session_begin_both(&sim);
    add(&gpu, "results", CHECK_FAILED);
    add(&gpu, "time", CHECK_FAILED)->is_measured = true;
    session_merge(&sim, &gpu);
    cr_expect(session_disagrees(&sim, &sim.checks[0]));
    cr_expect(!session_disagrees(&sim, &sim.checks[1]));
    sim.checks[2].on_device[DEVICE_SIM] = CHECK_FAILED;
    cr_expect(!session_disagrees(&sim, &sim.checks[0]));
}
