/* test_commands.c: what a user types, and what is answered: make and its messages, the library that
 * make sim builds. */
#include "commands.h"

TestSuite(commands, .init = begin, .fini = end);

/* ---- make labNN ------------------------------------------------------------------------------ */

Test(commands, a_lab_that_does_not_exist_is_answered_with_those_that_do)
{
    run(2, "make lab77 DEVICE=sim");
    expect_said("there is no lab77; the labs are: lab01 ");
}

Test(commands, devices_and_submissions_that_do_not_exist_are_named)
{
    run(2, "make lab01 DEVICE=tpu");
    expect_said("DEVICE=tpu? It is sim, gpu or auto");
    run(2, "make lab01 DEVICE=sim SUBMISSION=$S/nowhere");
    expect_said("nowhere: there is no such folder");
    run(2, "make lab01 DEVICE=sim SUBMISSION=");
    expect_said("SUBMISSION= names no folder");
}

Test(commands, what_is_not_taken_of_a_folder_is_named_with_what_to_do)
{
    run(2, "mkdir $S/unpacked; cp solutions/lab01_*/lab.c $S/unpacked; cp solutions/lab01_*/lab.c "
           "$S/lab01.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said(": ignored lab01.c: a submission's source has the name lab.c: rename it");
    expect_said(
        ": ignored unpacked: it is another folder with a lab.c or lab.cu: SUBMISSION=/tmp/");
    run(0, "mv $S/lab01.c $S/lab.c; touch $S/h\303\266.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said(
        ": ignored h\303\266.c: only lab.c and lab.cu are compiled: move its functions there");
    run(2,
        "iconv -t UTF-16 solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said(": ignored lab.c: it is not text in UTF-8");
}

/* The program around the submission was compiled with the lab's own. */
Test(commands, a_lab_h_beside_the_submission_is_not_used)
{
    run(0, "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; cp labs/lab01_*/lab.h $S; make "
           "lab01 DEVICE=sim SUBMISSION=$S");
    expect_not_said("ignored");
    run(0,
        "sleep 0.02; sed -i 's/struct lab01 {/struct lab01 { char mine[4096];/' $S/lab.h; ./grade "
        "lab01 --device sim --submission $S && grep -q mine $S/lab.h && make lab01 DEVICE=sim "
        "SUBMISSION=$S && ./grade lab01 --device sim --submission $S");
    expect_said(": ignored lab.h: the lab's own lab.h is used, which has other contents");
}

Test(commands, a_syntax_error_is_told_in_the_compilers_words_and_nothing_old_is_judged)
{
    run(0, "make lab01 DEVICE=sim SOLUTION=1 && test -x build/sim/lab01/solution/subject");
    run(2, "cp solutions/lab01_*/lab.c $S && echo 'int oops(' >>$S/lab.c && make lab01 DEVICE=sim "
           "SUBMISSION=$S");
    expect_said("lab.c:");
    expect_said("error: ");
    expect_said(
        "/lab.c does not compile; fix the first error above and run make lab01 SUBMISSION=");
    run(2, "./grade lab01 --device sim");
    expect_said("lab01 is not built");
}

Test(commands, a_lab_of_two_files_of_which_one_is_missing)
{
    run(2, "unifdef -DSOLUTION solutions/lab07_*/lab.c >$S/lab.c; make lab07 DEVICE=sim "
           "SUBMISSION=$S");
    expect_said("lab07 has a lab.cu, too: copy labs/lab07_device_launch/lab.cu to ");
}

Test(commands, a_changed_submission_is_built_again_and_an_unchanged_one_is_not)
{
    run(0,
        "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& cp -p build/lab01/subject $S/first && make lab01 DEVICE=sim SUBMISSION=$S && test ! "
        "build/lab01/subject -nt $S/first && test ! build/sim/lab01/solution/subject -nt $S/first");
    run(0, "sleep 0.02; touch $S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S && "
           "test build/lab01/subject -nt $S/first");
    run(0, "./grade lab01 --device sim");
    expect_said(scratch);
}

Test(commands, a_file_beside_the_submission_does_not_leave_it_stale_for_ever)
{
    run(2,
        "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& sleep 0.02; touch $S/notes.h; ./grade lab01 --device sim");
    expect_said("Next: make lab01 SUBMISSION=/tmp/");
    run(0, "make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
}

Test(commands, a_long_line_that_a_submission_prints_is_shown_to_its_end)
{
    run(0,
        "{ unifdef -DSOLUTION solutions/lab01_*/lab.c; printf '#include "
        "<stdio.h>\\n__attribute__((constructor)) static void say(void) { fprintf(stderr, "
        "\"%%0120d what matters is said last\\\\n\", 0); }\\n'; } >$S/lab.c; make lab01 DEVICE=sim "
        "SUBMISSION=$S && ./grade lab01 --device sim");
    expect_said("what matters is said last");
}

/* ---- a class --------------------------------------------------------------------------------- */

Test(commands, a_folder_may_be_called_anything)
{
    run(0, "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; for n in 'Anna K. (2)' "
           "\"O'Neil\" 'a;b$(c)&#d' '-x\"`50%' '* ü~:='; do mkdir -p \"$S/$n\" && cp $S/lab.c "
           "\"$S/$n\" && make lab01 DEVICE=sim SUBMISSION=\"$S/$n/\" && ./grade lab01 --device sim "
           "--json $S/j && test \"$(jq -r .submission $S/j)\" = \"$S/$n/lab.c\" || { echo \"not "
           "$n\"; exit 1; }; done");
    run(2,
        "touch \"$S/O'Neil/lab.c\"; make lab01 DEVICE=sim SUBMISSION=\"$S/O'Neil\" && sleep 0.02 "
        "&& touch \"$S/O'Neil/lab.c\"; ./grade lab01 --device sim");
    expect_said("/O'\\''Neil', then grade again");
    run(2, "make lab01 DEVICE=sim SUBMISSION=\"$S/no one\"");
    expect_said("/no\\ one: there is no such folder");
    run(2, "make lab01 DEVICE=sim SUBMISSION=$S/lab.c");
    expect_said("/lab.c is a file: name the folder that it is in");
}

Test(commands, a_report_says_how_to_grade_the_same_again)
{
    run(1,
        "mkdir -p \"$S/Anna K.\"; cp labs/lab01_*/lab.c \"$S/Anna K.\"; make lab01 DEVICE=sim "
        "SUBMISSION=\"$S/Anna K.\"; ./grade lab01 --seed 7 --submission \"$S/Anna K.\" --json $S/j "
        "--html $S/p.html; jq -r .seed $S/j; grep -o '<title>.*</title>' $S/p.html; make lab01 "
        "DEVICE=sim KNOWN=leaks; ./grade lab01 --seed 8");
    expect_said("the same inputs again: ./grade lab01 --submission '/tmp/");
    expect_said("/Anna K.' --seed 7\n7\n<title>lab01: 0 of 100 points: Anna K./lab.c</title>\n");
    expect_said("the same inputs again: ./grade lab01 --submission leaks --seed 8\n");
}

Test(commands, an_older_file_in_the_same_place_is_built)
{
    run(1,
        "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& cp build/known/lab01/leaks/lab.c $S && touch -d '1 hour ago' $S/lab.c && make lab01 "
        "DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_said("never freed");
}

Test(commands, a_submission_is_graded_by_its_folder_or_its_name)
{
    run(1,
        "cp build/known/lab01/leaks/lab.c $S; make lab01 DEVICE=sim SUBMISSION=$S && "
        "make lab01 DEVICE=sim KNOWN=milliseconds && cd $S && $OLDPWD/grade lab01 --submission .");
    expect_said("never freed");
    run(1, "./grade lab01 --submission milliseconds");
    expect_said("grader/labs/lab01/wrong/milliseconds");
    run(2, "./grade lab01 --submission $S/nobody");
    expect_said("lab01 is not built from ");
    run(2, "mkdir \"$S/a b\"; ./grade lab01 --submission \"$S/a b\"");
    expect_said("/a b'\n");
    expect_said("Next: make lab01 SUBMISSION='/tmp/");
}

/* ---- the rest -------------------------------------------------------------------------------- */

Test(commands, every_target_that_help_lists_exists)
{
    run(0, "make help && make | grep -q labNN");
    /* bundle needs nvcc */
    run(ANY, "make -qk DEVICE=sim $(make help | sed -nE 's/^  make ([a-z]+)\\b.*/\\1/p' | grep -vx "
             "bundle)");
    expect_status(1); /* what is out of date */
    expect_not_said("***");
}

Test(commands, two_gradings_with_the_same_inputs_give_the_same_json)
{
    /* with FULL=1 all labs */
    run(0,
        "for l in ${FULL:+labs/lab*_*} lab03 lab08 lab12; do l=${l#labs/}; l=${l%%_*}; for i in 1 "
        "2; do ./grade $l --seed 7 --device sim --submission solution --json $S/$l.$i >/dev/null "
        "|| exit 1; done; cmp $S/$l.1 $S/$l.2 || exit 1; done");
}

Test(commands, the_trace_of_a_grading_is_what_its_report_shows)
{
    run(0, "set -e; ./grade lab03 --device sim --seed 7 --submission solution --trace $S/t.csv "
           ">$S/report; build/timeline -c 78 $S/t.csv >$S/timeline; head -n 1 $S/t.csv; grep -c "
           ",matmul, $S/t.csv; for f in report timeline; do grep -E '^ +(H2D|compute|D2H|calls) "
           "+[.:0-9cw]{20}' $S/$f | sed 's/^ *//' >$S/$f.bare; done; wc -l <$S/timeline.bare; cmp "
           "$S/report.bare $S/timeline.bare; build/timeline $S/t.csv $S/t.svg; grep -c '</svg>' "
           "$S/t.svg");
    expect_said("# device Simulated NVIDIA H200\n9\n4\n1\n");
}

Test(commands, a_plain_cuda_program_runs_on_the_library_that_make_sim_names)
{
    run(0,
        "cat >$S/plain.c <<'END'\n"
        "#include <cuda_runtime_api.h>\n"
        "#include <stdio.h>\n"
        "int main(void)\n"
        "{\n"
        "    int in = 42, out = 0, *p;\n"
        "    cudaStream_t s;\n"
        "    if (cudaStreamCreate(&s) || cudaMalloc((void **)&p, sizeof in) ||\n"
        "        cudaMemcpyAsync(p, &in, sizeof in, cudaMemcpyHostToDevice, s) ||\n"
        "        cudaMemcpyAsync(&out, p, sizeof in, cudaMemcpyDeviceToHost, s) || "
        "cudaStreamSynchronize(s))\n"
        "        return 1;\n"
        "    printf(\"out %d\\n\", out);\n"
        "    return cudaFree(p) || cudaStreamDestroy(s);\n"
        "}\n"
        "END\n"
        "make sim DEVICE=sim | tail -2 >$S/paths; read -r word lib <$S/paths; test \"$word\" = lib "
        "|| exit 1; include=$(sed -n 's/^include //p' $S/paths); PATH=$PWD/build/deps/bin:$PATH "
        "gcc -I$include $S/plain.c -o $S/plain -L$lib -lcudart && LD_LIBRARY_PATH=$lib $S/plain");
    expect_said("out 42");
    expect_not_said("simgpu:");
}

Test(commands, set_up_has_nothing_to_do_and_says_so_without_a_network)
{
    /* a copy's downloads are a link to those of the checkout, and set-up finds the same headers:
       with another path in its flags, everything would be built again */
    run(0, "grep ^CUDA_INC build/setup.mk >$S/before; SETUP=no common/setup.sh again sim && grep "
           "^CUDA_INC build/setup.mk | diff $S/before -");
    expect_not_said("missing");
    run(2, "cd /; $OLDPWD/common/setup.sh nonsense");
    expect_said("which-device");
}

/* ---- completion ------------------------------------------------------------------------------ */

Test(commands, bash_completes_labs_checks_and_options)
{
    run_defined("",
                "source common/completion.bash; complete_words() { COMP_WORDS=(./grade \"$@\"); "
                "COMP_CWORD=$#; _grade ./grade \"${!#}\" \"${COMP_WORDS[$#-1]}\"; echo "
                "\"${COMPREPLY[*]}\"; }\n"
                "complete_words lab0; complete_words lab05 wi; complete_words lab05 --h; "
                "complete_words lab05 --device g; complete_words lab05 width,nod\n"
                "COMP_WORDS=(make reset LAB = lab1); COMP_CWORD=4; _course_make make lab1 =; echo "
                "\"${COMPREPLY[*]}\"");
    expect_status(0);
    expect_said("lab01 lab02 ");
    expect_said("\nwidth\n--help --hint --hints --html\ngpu\nwidth,nodes\nlab10 lab11 ");
    run_defined(
        "",
        "source common/completion.bash; cd labs; COMP_WORDS=(../grade lab05 --submission ''); "
        "COMP_CWORD=3; _grade ../grade '' --submission; printf '%s\\n' \"${COMPREPLY[@]}\" | "
        "grep -vxF \"$(ls ../grader/labs/lab05/wrong ../grader/labs/lab05/right | "
        "grep -v :)\" | grep -vx 'lab.*\\|[A-Z]*.md\\|Makefile\\|myths\\|tools'; "
        "COMP_WORDS=(../grade lab05 --as r); _grade ../grade r --as; cd ../common/simgpu/profiles; "
        "diff <(ls r*.profile) <(printf '%s.profile\\n' \"${COMPREPLY[@]}\")");
    expect_status(0);
    expect_said("yours\nsolution\n");
    expect_not_said(":\n");
}

/* The options that completion offers are those that ./grade has. */
Test(commands, completion_knows_every_option)
{
    run_defined(
        "", "diff <(sed -n \"s/.*words='\\(--.*--why\\)'/\\1/p\" common/completion.bash | tr ' ' "
            "'\\n') <(./grade --help | grep -o '^  --[a-z]*' | sed 's/^  //' | sort)");
    expect_status(0);
}
