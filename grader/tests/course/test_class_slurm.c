/* test_class_slurm.c: ./grade class --slurm on a real Slurm of one node (slurm.sh). */
#include "commands.h"

static void begin_slurm(void)
{
    begin();
    run(ANY,
        "chmod 755 $S; mkdir $S/c $S/slurm; unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/sol.c; "
        "for i in 1 2 3 4 5 6 7 8; do mkdir $S/c/s$i; { cat $S/sol.c; echo \"/* $i */\"; } "
        ">$S/c/s$i/lab.c; done; grader/tests/course/slurm.sh start $S/slurm");
    if (ran.status == 3)
        cr_skip_test("%s", ran.said);
    expect_status(0);
}

static void end_slurm(void)
{
    run(ANY, "grader/tests/course/slurm.sh stop $S/slurm; rm -rf build/class/$(printf %s $S/r | "
             "sha256sum | cut -c 1-8)");
    end();
}

TestSuite(class_slurm, .init = begin_slurm, .fini = end_slurm, .timeout = 600);

/* Runs the commands with bash, which knows class, results (their number) and two (waits for two).
 */
static void class(const char *commands)
{
    run_defined(
        "export SLURM_CONF=$S/slurm/slurm.conf\n"
        "class() { ./grade class $S/c --labs lab01 --device sim --seed 1 --out $S/r \"$@\"; }\n"
        "list() { find $S/r/students -name '*.json' -printf '%p %i %T@\\n' 2>/dev/null | sort; }\n"
        "two() { n=0; while [ $n -lt 1200 ] && [ $(list | wc -l) -lt 2 ]; do sleep 0.1; n=$((n + "
        "1)); done; list >$S/l1; }\n"
        "same() { list | comm -23 $S/l1 - | wc -l | sed 's/^/replaced: /'; list | wc -l | sed "
        "'s/^/all: /'; [ $(wc -l <$S/l1) -lt 8 ] && echo early; grep -c ,100 $S/r/points.csv | sed "
        "'s/^/right: /'; }",
        commands);
}

static void expect_all_once(void)
{
    expect_said("replaced: 0\nall: 8\nearly\nright: 8\n");
}

Test(class_slurm, a_job_grades_all_and_the_results_name_job_and_node)
{
    class("class --slurm --array-size 4; echo with $?; grep -c ,100 $S/r/points.csv; jq -r "
          ".slurm.node $S/r/students/*/*.json | sort | uniq -c; class --slurm");
    expect_said("job 1: 4 tasks with up to 2 submissions each\n");
    expect_said("with 0\n8\n      8 localhost\n");
    expect_said("8 submissions, 0 to grade");
}

Test(class_slurm, a_cancelled_task_and_a_killed_worker_leave_units_that_are_submitted_again)
{
    class("class --slurm --array-size 2 >$S/said 2>&1 & two; scancel 1_0; kill -KILL $(pgrep -P "
          "$(pgrep -f \"slurm_script build/class/$(printf %s $S/r | sha256sum | cut -c 1-8)/\" | "
          "tail -n 1)); wait $!; echo with $?; cat $S/said; class --slurm >/dev/null 2>&1; same");
    expect_said("job 1: 2 tasks with up to 4 submissions each\n");
    expect_all_once();
}

Test(class_slurm, a_drained_node_and_a_controller_that_restarts_lose_nothing)
{
    class("class --slurm --array-size 4 >$S/said 2>&1 & two; scontrol update nodename=localhost "
          "state=drain "
          "reason=test; grader/tests/course/slurm.sh restart $S/slurm; sleep 2; scontrol update "
          "nodename=localhost state=resume; wait $!; echo with $?; cat $S/said; same");
    expect_said("with 0\n");
    expect_all_once();
}

Test(class_slurm, without_waiting_the_job_goes_on_and_the_same_command_collects)
{
    class("class --slurm --no-wait --array-size 2; echo with $?; two; class; echo with $?; class "
          "--slurm; echo with $?; same");
    expect_said("job 1 goes on without this command. Next: repeat the command");
    expect_said("job 1 writes to ");
    expect_said("waiting for job 1 of an earlier command\n");
    expect_said("with 0\nclass: job 1 writes");
    expect_all_once();
}

Test(class_slurm, a_stopped_command_cancels_its_job)
{
    class("class --slurm --array-size 4 >$S/said 2>&1 & two; kill -TERM $(cat $S/r/class.lock); "
          "wait $!; echo with $?; while [ -n \"$(squeue -h)\" ]; do sleep 0.2; done; class "
          ">/dev/null 2>&1; echo with $?; same");
    expect_said("with 130\n");
    expect_said("with 0\n");
    expect_all_once();
}

Test(class_slurm, a_refused_job_and_a_machine_without_slurm_are_named)
{
    class(
        "class --slurm --partition none; echo with $?; GRADE_MEMORY_MIB=9000000 class --slurm; "
        "class --partition course; echo with $?; mkdir $S/bin; for p in /usr/bin/* /bin/*; do case "
        "$p in */sbatch) ;; *) ln -sf $p $S/bin/; esac; done; PATH=$S/bin class --slurm; echo with "
        "$?");
    expect_said("Slurm refused the job (");
    expect_said("Next: sinfo lists the partitions");
    expect_said("A task asks for 9001024 MiB; ");
    expect_said("with 4\n");
    expect_said("are for --slurm. Next: add --slurm\nwith 2\n");
    expect_said("sbatch is not installed here. Next: ");
}
