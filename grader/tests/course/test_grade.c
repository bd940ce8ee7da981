/* test_grade.c: what a learner types besides ./grade labNN, and what comes of it.
 *
 * Runs in a copy of the checkout, in which it plays the learner. */
#include "learner.h"

TestSuite(grade, .init = begin);

/* ---- one command ----------------------------------------------------------------------------- */

Test(grade, builds_the_learners_lab_if_it_changed_and_only_then)
{
    run(1, "./grade lab01 2>&1");
    expect("labs/lab01_sync_copies/lab.c\n");
    expect("Step 1 is not written yet");
    run(1, "./grade lab01 2>&1 >/dev/null");
    cr_expect_str_eq(text, "", "nothing changed: %s", text);
    run(0, "solution lab01 lab.c; ./grade lab01");
    expect("100 of 100 points");
    run(1, "make reset LAB=01 && ./grade lab01");
    expect("your file is labs/lab01_sync_copies/lab.c.1");
    run(0, "cd labs/lab01_*/ && mv lab.c.1 lab.c && cd ../.. && ./grade lab01");
    expect("100 of 100 points");
    run(0, "cd labs/lab01_*/ && echo '#error mine' >old.h && touch -d yesterday old.h && "
           "echo '#include \"own.h\"' >>lab.c && echo >own.h && cd ../.. && ./grade lab01");
    run(2, "cd labs/lab01_*/ && mv old.h own.h && cd ../.. && ./grade lab01 2>&1");
    expect("#error mine");
}

Test(grade, a_lab_that_does_not_compile_is_not_graded_until_it_does)
{
    run(2, "echo 'int oops(' >>labs/lab01_*/lab.c; ./grade lab01");
    expect("error: ");
    expect("does not compile");
    cr_expect(!strstr(text, "make: "), "%s", text);
    run(2, "./grade lab01");
    expect("does not compile");
    run(0, "solution lab01 lab.c; ./grade lab01");
}

Test(grade, the_first_build_of_a_lab_is_one_line_and_V_shows_all)
{
    run(1, "./grade lab02 >/dev/null 2>&1; rm build/grader/lab02; touch labs/lab02_*/lab.c; "
           "./grade lab02 2>&1 >/dev/null | grep -v '^lab02: built'; exit 1");
    cr_expect(strncmp(text, "building ", 9) == 0 && strstr(text, " files\n") &&
                  !strstr(text, "  ld "),
              "%s", text);
    run(1, "rm build/grader/lab02; touch labs/lab02_*/lab.c; V=1 ./grade lab02");
    expect("-o build/grader/lab02");
}

Test(grade, another_submission_that_failed_does_not_leave_the_learners_own_to_be_graded)
{
    run(2, "mkdir build/empty; ! make lab01 SUBMISSION=build/empty && ./grade lab01");
    expect("lab01 is not built. Next: make lab01");
    run(1, "make lab01 && ./grade lab01");
}

/* In the submission's own code, and in a function of C that it called. */
Test(grade, a_crash_names_its_line)
{
    static const char command[] =
        "solution lab03 lab.c; sed -i 's/    lab->state = state;/&\\n    %s;/' labs/lab03_*/lab.c; "
        "./grade lab03 --brief";
    static const char *const crashes[] = {"*(volatile int *)NULL = 1",
                                          "__builtin_memset((void *)lab->a, 0, lab->n)"};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, command, crashes[i]);
        run(1, line);
        snprintf(line, sizeof line, "%.10s", crashes[i]);
        expect("lab.c:");
        expect(line);
    }
}

/* The first element is copied to pageable memory: an H200 waits for that, and nobody promises
 * it. */
Test(grade, results_by_luck_are_wrong_in_another_allowed_order)
{
    run(0, "solution lab03 lab.c; sed -i 's/ *TRY(cudaMemcpyAsync(lab->c .*/    static float "
           "x[64];\\n    TRY(cudaMemcpyAsync(\\&x[i], set->c, 4, cudaMemcpyDeviceToHost, "
           "stream));\\n    if (cudaStreamQuery(stream) == cudaErrorNotReady)\\n        "
           "TRY(cudaMemsetAsync(set->c, 0, 4, stream));\\n&/' labs/lab03_*/lab.c; "
           "SIMGPU_FREEDOM=0 ./grade lab03 results,race_free");
    run(1, "SIMGPU_FREEDOM=1 ./grade lab03 results");
    expect("NVIDIA allows but this card rarely takes: SIMGPU_FREEDOM=1");
}

Test(grade, a_submission_that_two_devices_have_is_graded_on_the_one_built_for_last)
{
    run(1, "make lab01 DEVICE=sim KNOWN=milliseconds >/dev/null; sleep 0.02; mkdir -p build/gpu; "
           "cp -r build/sim/lab01 build/gpu/; ./grade lab01 --submission milliseconds");
    expect("Simulated NVIDIA H200");
}

Test(grade, reports_name_the_reference_solution_and_each_file)
{
    run(0, "make lab07 SOLUTION=1 >/dev/null && ./grade lab07 2>&1");
    cr_expect(
        strncmp(text, "This is the reference solution, not your file. Next: make lab07", 63) == 0,
        "%s", text);
    expect("solutions/lab07_device_launch/lab.c and lab.cu\n");
    run(1, "make lab07 >/dev/null; ./grade lab07");
    cr_expect(strncmp(text, "lab07  ", 7) == 0, "%s", text);
    run(1, "make lab01 KNOWN=milliseconds >/dev/null; ./grade lab01");
    expect("This is the known submission milliseconds, not your file. Next: make lab01 selects "
           "yours\n");
    run(1, "make lab01 >/dev/null; ./grade lab01");
    expect("labs/lab01_sync_copies/lab.c\n");
    run(1, "make lab01 SOLUTION=1 >/dev/null; sleep 0.02; touch labs/lab01_*/lab.c; ./grade lab01");
    expect("labs/lab01_sync_copies/lab.c\n");
}

/* ---- the list -------------------------------------------------------------------------------- */

Test(grade, alone_lists_all_labs_with_their_states)
{
    run(0, "rm -rf build/known/lab01 build/sim/lab01; ./grade");
    expect("lab01  sync_copies        not built\n");
    expect("Next: ./grade lab01");
    run(0, "./grade lab01 >/dev/null; ./grade");
    expect("lab01  sync_copies        starter\n");
    run(0, "solution lab01 lab.c; ./grade lab01 >/dev/null; ./grade");
    expect("lab01  sync_copies        passed     100 of 100\n");
    expect("Next: ./grade lab02");
    run(0, "sed -i 's/h2d_ms \\* 1000/h2d_ms/' labs/lab01_*/lab.c; ./grade");
    expect("lab01  sync_copies        in work    100 of 100, changed since\n");
    run(0, "./grade lab01 >/dev/null; ./grade");
    expect("lab01  sync_copies        in work    80 of 100\n");
}

/* ---- less than the whole report -------------------------------------------------------------- */

Test(grade, one_check_runs_alone)
{
    run(0, "make lab05 SOLUTION=1 >/dev/null && ./grade lab05 width");
    expect("10 of 10 points   1 passed\n");
    run(2, "./grade lab05 widht");
    expect("lab05 has no check widht. Did you mean width? Its checks are:\n  results ");
    run(2, "./grade lab05 '*'");
    expect("lab05 has no check *. Its checks are:\n");
    run(2, "./grade lab05 width nodes");
    expect("several checks are one word, with commas: what is nodes?");
    run(0, "./grade lab05 width,nodes,width | sed -n 's/^  ok *\\([a-z_]*\\).*/\\1/p; /passed/p'");
    cr_expect_str_eq(text, "nodes\nwidth\n20 of 20 points   2 passed\n");
    run(2, "./grade lab05 width,noodles");
    expect("lab05 has no check noodles. Did you mean nodes?");
}

/* In code of its own; with FULL=1 also in a call of the runtime, and in a function of C. */
Test(grade, a_program_that_does_not_end_names_its_line)
{
    static const char command[] =
        "solution lab03 lab.c; sed -i 's/    lab->state = state;/&\\n    %s;/; 1i #include "
        "<semaphore.h>' labs/lab03_*/lab.c; ./grade lab03 streams";
    static const char *const endless[] = {"for (volatile int i = 0; i < 1;) i = 0",
                                          "while (1) cudaGetLastError()",
                                          "static sem_t nobody_posts; sem_wait(\\&nobody_posts)"};
    char line[512];
    /* each takes its limit */
    const size_t n = is_full_run() ? sizeof endless / sizeof endless[0] : 1;
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, command, endless[i]);
        run(1, line);
        expect("did not return in setup");
        snprintf(line, sizeof line, "        at        lab.c:44: %.8s", endless[i]);
        expect(line);
        /* CPU time counts, and a busy machine gives it less */
        double load;
        const bool may_be_busy = getloadavg(&load, 1) != 1 || load > 1;
        if (i > 0 || !may_be_busy)
            expect(i > 0 ? "nothing for 5.0 s" : "nothing for 2.5 s");
    }
}

/* In the order of writing, and all of it, although the program crashes. */
Test(grade, output_is_complete_and_in_order)
{
    run(1,
        "solution lab03 lab.c; sed -i 's/    lab->state = state;/&\\n    for (int k = 0; k < 99; "
        "k++) { printf(\"out %d\\\\n\", k); fprintf(stderr, \"err %d\\\\n\", k); } "
        "printf(\"last\"); *(volatile int *)NULL = 1;/; 1i #include <stdio.h>' "
        "labs/lab03_*/lab.c; ./grade lab03 results,race_free >build/said; s=$?; "
        "cat build/said build/report/lab03.out; exit $s");
    expect("What the submission printed in results (all of it is in build/report/lab03.out):\n"
           "  | out 0\n  | err 0\n");
    expect("  | err 98\n  | last\n");
    expect("---- in results:\nout 0\nerr 0\n");
    expect("\nout 98\nerr 98\nlast---- in race_free:\nout 0\n");
    run(0, "solution lab03 lab.c; ./grade lab03 >/dev/null; ! ls build/report/lab03.out");
}

/* Of two operations that one statement enqueues; it is in two lines, and too long for a quote. */
Test(grade, a_line_is_quoted_once_and_whole_or_with_a_sign)
{
    run(1,
        "make build/known/lab05/no_wait_for_set/lab.c >/dev/null; sed 's/TRY(cudaMemcpyAsync("
        "set->a, lab->a + first,/&\\n    /; s/lab->a + first/lab->a + first + 0 * 10000000 + 0 * "
        "10000000/' build/known/lab05/no_wait_for_set/lab.c >$(echo labs/lab05_*)/lab.c; "
        "./grade lab05 race_free --json - 2>/dev/null");
    expect("{\"role\": \"both\", \"text\": \"lab.c:");
    expect(": TRY(cudaMemcpyAsync(set->a, lab->a + first + 0 * 10000000 + 0 * 10000000, ");
    expect("…\"");
    cr_expect(!strstr(text, "\"role\": \"second\""), "%s", text);
}

Test(grade, brief_has_a_line_for_each_check_and_one_next_step)
{
    run(0, "make lab05 KNOWN=one_chain >/dev/null; ./grade lab05 --brief >build/brief; [ $? = 1 ]; "
           "grep -c '^  \\(ok\\|FAIL\\) ' build/brief; grep -c '^ *next ' build/brief; "
           "cat build/brief");
    cr_expect(strncmp(text, "12\n1\n", 5) == 0, "%s", text);
    expect("The graph is one chain");
}

Test(grade, reports_have_at_most_80_columns)
{
    run(0,
        "for l in lab03 lab05 lab07; do make $l SOLUTION=1 >/dev/null && ./grade $l; done | "
        "sed 's/ *$//' | LC_ALL=C.UTF-8 awk 'length > 80 { print; wide = 1 } END { exit wide }'");
}

Test(grade, a_terminal_gets_colors_unless_no_color_is_set)
{
    run(0, "make lab01 SOLUTION=1 >/dev/null; export TERM=xterm\n"
           "script -qec './grade lab01' /dev/null </dev/null >build/colored &&\n"
           "grep -q $'\\033\\[32m' build/colored &&\n"
           "NO_COLOR=1 script -qec './grade lab01' /dev/null </dev/null >build/plain &&\n"
           "! grep $'\\033' build/plain");
}

Test(grade, a_check_that_fails_shows_the_graph_that_it_looked_at)
{
    run(1, "make lab04 KNOWN=all_in_origin >/dev/null; ./grade lab04 capture_4");
    expect("The graph that capture_4 looked at:\n");
    expect("a picture of it: build/report/lab04-all_in_origin.svg\n");
    run(0, "grep -c '</svg>' build/report/lab04-all_in_origin.svg");
}

/* Labs 05 and 08 draw the edge that the report is about. */
Test(grade, the_graph_shows_an_edge_that_is_missing_or_too_many)
{
    if (checkout_run(text, "dot -V 2>/dev/null || build/deps/bin/dot -V 2>/dev/null") != 0)
        cr_skip_test("graphviz is not installed");
    run(0,
        "while read -r lab known check; do make $lab KNOWN=$known >/dev/null; ./grade $lab $check "
        ">/dev/null; for edge in 'stroke=.#c00000.' 'stroke-dasharray=.1,5'; do grep -c $edge "
        "build/report/$lab-$known.svg; done; done <<'END' | tr '\\n' ' '\n"
        "lab05 sets_by_stream_used critical_path\n"
        "lab05 kernels_in_turn critical_path\n"
        "lab08 edge_missing branches_drawn\n"
        "lab08 edge_too_many branches_drawn\n"
        "END");
    expect("2 0 0 1 2 0 0 1 ");
}

Test(grade, a_report_gives_away_no_mistake_that_a_learner_is_to_find)
{
    run(1, "./grade lab04");
    expect("9 more checks are not passed: ./grade lab04 CHECK shows why");
    run(1, "solution lab04 lab.c; awk '/^.* part two/ { exit } { print }' labs/lab04_*/lab.c "
           ">build/part1; awk '/^.* part two/ { on = 1 } on { print }' "
           "build/known/lab04/starter/lab.c | cat build/part1 - >labs/lab04_serial_capture/lab.c; "
           "./grade lab04");
    expect("Each function is as it was given");
    expect("./grade lab04 capture_1");
    cr_expect(!strstr(text, " looked at:"), "%s", text);
    cr_expect(!strstr(text, "cudaMalloc"), "%s", text);
    run(1, "./grade lab04 capture_1");
    expect("cudaMalloc allocates immediately");
    run(1, "sed -i 's/TRY(cudaFree(scratch))/TRY(cudaFreeAsync(scratch, p->origin))/' "
           "labs/lab04_*/lab.c; ./grade lab04");
    expect("cudaMalloc allocates immediately");
    expect("Each function is as it was given");
}

Test(grade, a_wrong_step_comes_before_one_that_is_not_written)
{
    run(1, "make lab09 KNOWN=break_even_before_step_2 >/dev/null; ./grade lab09 --brief");
    expect("one launch too late");
    run(1, "mkdir build/theirs && cp build/known/lab09/break_even_before_step_2/lab.c build/theirs "
           "&& make lab09 SUBMISSION=build/theirs >/dev/null; ./grade lab09");
    const char *wrong = strstr(text, "one launch too late");
    cr_expect(wrong && strstr(wrong, "Step 2 is not written yet"), "%s", text);
    run(1, "make build/known/lab06/error_not_cleared_before_step_3/lab.c >/dev/null; "
           "cp build/known/lab06/error_not_cleared_before_step_3/lab.c labs/lab06_*/; "
           "make lab06 >/dev/null; ./grade lab06");
    wrong = strstr(text, "does not clear the error");
    cr_expect(wrong && strstr(wrong, "Step 3 is not written yet"), "%s", text);
    run(0, "./grade lab06 --hint");
    expect("lab06, Step 2: ");
}

/* The first report names the rule. The calls are in the hints, which exist for the learner's lab.
 */
Test(grade, a_report_leads_to_the_hints_of_the_learners_own_lab)
{
    run(1, "solution lab03 lab.c; sed -i '/TRY(cudaStreamWaitEvent(/d' labs/lab03_*/lab.c; "
           "./grade lab03");
    expect("\na hint: ./grade lab03 --hint, then --hint=2 and --hint=3\n");
    cr_expect(!strstr(strstr(text, "next  "), "cudaStreamWaitEvent"), "%s", text);
    run(0, "./grade lab03 --hint=2");
    expect("`cudaStreamWaitEvent` for `set->done`");
    run(1, "make lab03 KNOWN=no_wait_for_set >/dev/null; ./grade lab03");
    cr_expect(!strstr(text, "a hint: "), "%s", text);
}

/* The kernels of lab 10 are graded one by one, before there is a graph. */
Test(grade, a_step_of_device_code_has_a_check_of_its_own)
{
    run(1, "{ unifdef -DSOLUTION solutions/lab10_*/lab.cu | sed '/ step(/,$d'; "
           "unifdef -USOLUTION solutions/lab10_*/lab.cu | sed -n '/ step(/,$p'; } "
           ">labs/lab10_conditional/lab.cu; ./grade lab10");
    expect("  ok    plan          5/5  ");
    expect("one_launch and time fail for one reason:\n        Step 2 is not written yet, so the ");
}

/* Step 5 of lab 08 returns no error: an error is of step 6. */
Test(grade, an_error_is_of_the_step_that_returns_it)
{
    run(1,
        "sed '/ \\(set_priority\\|add_alloc\\|add_free\\|lab08_temporary\\)(/,/^}/s/SOLUTION/NO/' "
        "solutions/lab08_*/lab.c | unifdef -DSOLUTION -UNO >labs/lab08_explicit_graph/lab.c; "
        "./grade lab08 temporary_drawn");
    expect("Step 6 is not written yet. lab08_temporary returned\n"
           "        cudaErrorNotYetImplemented: it uses step 6 or a later step.");
    run(1, "./grade lab08 priority");
    expect("Step 5 is not written yet, so the checks cannot judge it.");
}

/* ---- around it ------------------------------------------------------------------------------- */

Test(grade, watch_grades_when_a_file_is_saved_and_ends_with_ctrl_c)
{
    run(0,
        "until_has() { for i in $(seq 600); do [ $(grep -c \"$1\" build/out) -ge $2 ] && return; "
        "sleep 0.1; done; cat build/out; exit 1; }\n"
        "set -m; ./grade lab01 --watch --brief >build/out 2>&1 & pid=$!\n"
        "until_has 'waiting for a change' 1; until_has '^0 of 100 points' 1\n"
        "until_has 'building and grading lab01' 1\n"
        "touch labs/lab01_sync_copies/notes.txt; solution lab01 lab.c\n"
        "until_has 'waiting for a change' 2; until_has '^100 of 100 points' 1\n"
        "kill -INT $pid; wait $pid; echo \"ended with $?\"");
    expect("ended with 0\n");
}

Test(grade, watch_passes_on_the_other_options)
{
    run(0, "timeout 60 ./grade lab01 --watch --why results >build/out 2>&1 & pid=$!\n"
           "for i in $(seq 600); do grep -q 'waiting for' build/out && break; sleep 0.1; done\n"
           "kill $pid; wait $pid; cat build/out");
    expect("results fails\n");
}

Test(grade, a_file_that_was_removed_is_not_graded)
{
    run(2, "cd labs/lab01_*/; touch own.h; sed -i '1i #include \"own.h\"' lab.c; ../../grade lab01 "
           "--brief >/dev/null; rm own.h; ../../grade lab01 --brief");
    expect("own.h: No such file");
    run(2, "cd labs/lab01_*/; sed -i 1d lab.c; ../../grade lab01 >/dev/null; mv lab.c old.c; "
           "../../grade lab01 --brief");
    expect("labs/lab01_sync_copies has no lab.c and no lab.cu");
}

/* The build has a copy of the file, from before it was saved. */
Test(grade, what_is_saved_during_a_build_is_built_next)
{
    run(0, "cd labs/lab01_*/ && { echo '/* */' >>lab.c; ../../grade lab01 --brief >../../build/out "
           "2>&1 & } && until cmp -s lab.c ../../build/intake/lab01/lab.c; do sleep 0.01; done\n"
           "cd ../..; solution lab01 lab.c; wait; cat build/out; ./grade lab01 --brief");
    expect("labs/lab01_sync_copies/lab.c was changed after lab01 was built");
    expect("\n100 of 100 points");
}

Test(grade, reset_keeps_the_learners_file)
{
    run(0, "cp labs/lab07_*/lab.cu build/starter; echo '/* mine */' | tee -a labs/lab07_*/lab.cu; "
           "make reset LAB=07 && cmp labs/lab07_*/lab.cu build/starter && tail -n 1 "
           "labs/lab07_*/lab.cu.1");
    expect("labs/lab07_device_launch/lab.c is the starter already\n");
    expect("labs/lab07_device_launch/lab.cu is the starter again; your file is "
           "labs/lab07_device_launch/lab.cu.1\n/* mine */\n");
    run(0, "echo '/* 2 */' >>labs/lab07_device_launch/lab.cu; make reset LAB=lab07; "
           "ls labs/lab07_*/; make lab07 2>&1");
    expect("lab.cu.1\nlab.cu.2\n");
    cr_expect(!strstr(text, "ignored"), "%s", text);
    run(2, "make reset");
    expect("which lab? For example: make reset LAB=05");
}

Test(grade, make_and_grade_work_from_a_labs_folder)
{
    run(0,
        "cd labs/lab01_sync_copies && make && make lab02 && ../../grade lab02 --brief; [ $? = 1 ]");
    expect("lab01: built from labs/lab01_sync_copies/lab.c ");
    expect("lab02: built from labs/lab02_events/lab.c ");
}

/* Editors read build/compile_commands.json: its commands compile what a learner edits. A copy of
 * the course gets a list of its own. */
Test(grade, editors_get_commands_that_compile_the_labs)
{
    run(0, "make setup >/dev/null && for f in labs/lab01_*/lab.c labs/lab07_*/lab.c*; do "
           "command=$(jq -r --arg f $f '.[] | select(.file == $f) | .command' "
           "build/compile_commands.json)\n"
           "(cd / && cd $(jq -r '.[0].directory' $OLDPWD/build/compile_commands.json) && "
           "$command -o /dev/null) || exit 1; done\n"
           "[ $(jq -r '.[0].directory' build/compile_commands.json) = $PWD ]; ! grep solutions/ "
           "build/compile_commands.json\n"
           "echo /elsewhere >build/state/editor.made; echo '[]' >build/compile_commands.json; "
           "make lab01 >/dev/null; grep -c labs/lab01 build/compile_commands.json");
}
