/*
 * test_commands.c: what a user types, and what is answered: make and its messages, the library that
 * make sim builds.
 *
 * Runs from the root of the repository. Submissions are made in a scratch directory.
 */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT = 64 * 1024 };

static char scratch[] = "/tmp/test-commands-XXXXXX";

/* One command that has run. */
static struct {
    int status;
    char said[TEXT]; /* stdout and stderr */
} ran;

static void begin(void)
{
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("SIMGPU_PROFILE");
    unsetenv("BXFI_MAP"); /* Criterion's own: a suite that runs inside this one is not its child */
    cr_assert(mkdtemp(scratch));
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    cr_assert_eq(system(command), 0);
}

TestSuite(commands, .init = begin, .fini = end);

/* Runs a shell command with $S for the scratch directory. */
static void run(const char *command)
{
    char line[4096];
    cr_assert(snprintf(line, sizeof line, "exec 2>&1 </dev/null; S=%s; %s", scratch, command) <
              (int)sizeof line);
    FILE *p = popen(line, "r");
    cr_assert(p);
    ran.said[fread(ran.said, 1, TEXT - 1, p)] = 0;
    int status = pclose(p);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_said(const char *words)
{
    cr_assert(strstr(ran.said, words), "\"%s\" was not said, but:\n%s", words, ran.said);
}

static void expect_not_said(const char *words)
{
    cr_assert(!strstr(ran.said, words), "\"%s\" was said:\n%s", words, ran.said);
}

static void expect_status(int status)
{
    cr_assert_eq(ran.status, status, "exit status %d, not %d:\n%s", ran.status, status, ran.said);
}

/* ---- make labNN ------------------------------------------------------------------------------ */

Test(commands, a_lab_that_does_not_exist_is_answered_with_those_that_do)
{
    run("make lab77 DEVICE=sim");
    expect_status(2);
    expect_said("there is no lab77; the labs are: lab01_");
}

Test(commands, devices_and_submissions_that_do_not_exist_are_named)
{
    run("make lab01 DEVICE=tpu");
    expect_status(2);
    expect_said("DEVICE=tpu? It is sim, gpu or auto");
    run("make lab01 DEVICE=sim SUBMISSION=$S/nowhere");
    expect_status(2);
    expect_said("nowhere has no lab.c and no lab.cu");
}

Test(commands, a_syntax_error_is_told_in_the_compilers_words_and_nothing_old_is_judged)
{
    run("make lab01 DEVICE=sim SOLUTION=1 && test -x build/sim/lab01/solution/subject");
    expect_status(0);
    run("cp solutions/lab01_*/lab.c $S && echo 'int oops(' >>$S/lab.c && make lab01 DEVICE=sim "
        "SUBMISSION=$S");
    expect_status(2);
    expect_said("lab.c:");
    expect_said("error: ");
    expect_said(
        "/lab.c does not compile; fix the first error above and run make lab01 SUBMISSION=");
    run("./grade lab01 --device sim");
    expect_status(2);
    expect_said("lab01 is not built");
}

Test(commands, a_function_that_is_called_and_not_declared_is_the_compilers_business)
{
    run("cp solutions/lab01_*/lab.c $S && echo 'int f(void) { return cudaMemcopy(); }' >>$S/lab.c "
        "&& "
        "make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said("error: implicit declaration of function");
    expect_said("does not compile");
}

Test(commands, a_missing_function_is_named)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c | sed 's/lab01_run(/lab01_ran(/' >$S/lab.c; "
        "make lab01 DEVICE=sim SUBMISSION=$S; s=$?; ./grade lab01 --device sim; exit $s");
    expect_status(2);
    expect_said("lab01_run is not defined: labs/lab01_");
    expect_said("/lab.c does not link");
    expect_not_said("undefined reference");
    expect_said("lab01 is not built");
}

Test(commands, a_lab_of_two_files_of_which_one_is_missing)
{
    run("unifdef -DSOLUTION solutions/lab07_*/lab.c >$S/lab.c; make lab07 DEVICE=sim "
        "SUBMISSION=$S");
    expect_status(2);
    expect_said("lab07 has a lab.cu, too: copy labs/lab07_device_launch/lab.cu to ");
}

Test(commands, a_main_is_refused)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; echo 'int main(void) { return 0; }' "
        ">>$S/lab.c; "
        "make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said("main must not be defined");
    expect_said("/lab.c does not link");
}

Test(commands, what_belongs_to_the_grader_is_refused_a_submission)
{
    static const char *const foreign[] = {"simgpu_findings_clear", "simgpu_trace_begin",
                                          "simgpu_set_condition",  "subject_value",
                                          "trace_restart",         "dlsym"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; echo 'void %s(void); void "
                 "f(void) { %s(); }' "
                 ">>$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S",
                 foreign[i], foreign[i]);
        run(command);
        expect_status(2);
        expect_said(foreign[i]);
        expect_said("is not for labs");
        expect_said("/lab.c does not link; fix that and run make lab01 SUBMISSION=");
    }
    run("./grade lab01 --device sim");
    expect_status(2);
    expect_said("lab01 is not built");
}

/* By other ways than a function's plain name. */
Test(commands, a_submission_has_no_symbols_or_sections_that_get_past_the_linker)
{
    static const struct {
        const char *line, *words;
    } all[] = {
        {"extern long f(void *, long); __asm__(\".symver f, simgpu_findings@libcudart.so.13\"); "
         "long q(void) { return f(0, 0); }",
         "simgpu_findings is not for labs"},
        {"__asm__(\".global z_; z_: ret; .symver z_, cudaMalloc@@X\");", "a symbol has a version"},
        {"__asm__(\".global cudaMalloc; .type cudaMalloc,@gnu_unique_object; cudaMalloc: ret\");",
         "cudaMalloc must not be defined like this"},
        {"__asm__(\".comm simgpu_findings,8\");", "simgpu_findings must not be defined like this"},
        {"static void *f(void) { return 0; } long x(void) __attribute__((ifunc(\"f\")));",
         "an indirect function"},
        {"__attribute__((section(\".preinit_array\"), used)) static void (*p)(void);",
         "the section .preinit_array is not for labs"},
        {"__asm__(\".section .gnu.lto_x; .byte 1; .text\");", "the section .gnu.lto_x is not for"},
        {"static long g(void *, long) __attribute__((weakref(\"simgpu_findings\"))); "
         "long q(void) { return g(0, 0); }",
         "simgpu_findings is not for labs"},
        {"extern long _r_debug; long q(void) { return _r_debug; }", "_r_debug is not for labs"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "{ unifdef -DSOLUTION solutions/lab01_*/lab.c; cat <<'EOF'\n%s\nEOF\n} "
                 ">$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S",
                 all[i].line);
        run(command);
        expect_status(2);
        expect_said(all[i].words);
    }
}

Test(commands, a_submission_cannot_stand_in_for_a_function_of_the_device)
{
    run("cp build/known/lab01/leaks/lab.c $S; "
        "echo 'extern \"C\" size_t simgpu_findings(struct simgpu_finding *, size_t) { return 0; }' "
        ">$S/lab.cu; "
        "make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_status(1);
    expect_said("never freed");
}

Test(commands, a_changed_submission_is_built_again_and_an_unchanged_one_is_not)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& "
        "cp -p build/lab01/subject $S/first && make lab01 DEVICE=sim SUBMISSION=$S && "
        "test ! build/lab01/subject -nt $S/first");
    expect_status(0);
    run("sleep 0.02; touch $S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S && "
        "test build/lab01/subject -nt $S/first");
    expect_status(0);
    run("./grade lab01 --device sim");
    expect_status(0);
    expect_said(scratch);
}

Test(commands, a_file_beside_the_submission_does_not_leave_it_stale_for_ever)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& "
        "sleep 0.02; touch $S/notes.h; ./grade lab01 --device sim");
    expect_status(2);
    expect_said("Next: make lab01 SUBMISSION=/tmp/");
    run("make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_status(0);
}

Test(commands, a_long_line_that_a_submission_prints_is_shown_to_its_end)
{
    run("{ unifdef -DSOLUTION solutions/lab01_*/lab.c; printf '#include "
        "<stdio.h>\\n__attribute__((constructor)) "
        "static void say(void) { fprintf(stderr, \"%%0120d what matters is said last\\\\n\", 0); "
        "}\\n'; } "
        ">$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_status(0);
    expect_said("what matters is said last");
}

Test(commands, a_submission_cannot_have_the_compiler_take_the_machine)
{
    run("echo '#include \"/dev/zero\"' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said("/dev/zero: Permission denied");
    expect_said("/lab.c does not compile");
    run("echo 'char x[300u << 20] = {1};' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said("/lab.c does not compile");
}

Test(commands, a_submission_cannot_have_the_compiler_read_what_is_not_its_own)
{
    static const char *const paths[] = {"/etc/passwd", "/proc/self/environ", "/dev/tty",
                                        "'$PWD'/solutions/lab01_sync_copies/lab.c",
                                        "'$PWD'/build/intake/../known/lab01/leaks/lab.c"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "echo '#include \"%s\"' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S", paths[i]);
        run(command);
        expect_status(2);
        expect_said("fatal error: ");
        expect_said(": Permission denied");
    }
    run("echo '__asm__(\".incbin \\\"/etc/passwd\\\"\");' >$S/lab.c; make lab01 DEVICE=sim "
        "SUBMISSION=$S");
    expect_status(2);
    expect_said("file not found: /etc/passwd");
}

Test(commands, what_a_submission_has_the_compiler_say_is_bounded_and_clean)
{
    run("{ printf '#pragma message \"\\033[31m\\302\\233\"\n'; for i in $(seq 9999); do echo "
        "'#warning x'; done; } "
        ">$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said("pragma message");
    expect_said("(there is more, which is not shown)");
    expect_not_said("\033");
    expect_not_said("\302\233");
}

/* ---- a class --------------------------------------------------------------------------------- */

Test(commands, a_folder_may_be_called_anything)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; "
        "for n in 'Anna K. (2)' \"O'Neil\" 'a;b$(c)&#d' '-x\"`50%' '* ü~:='; do "
        "mkdir -p \"$S/$n\" && cp $S/lab.c \"$S/$n\" && make lab01 DEVICE=sim "
        "SUBMISSION=\"$S/$n/\" && "
        "./grade lab01 --device sim --json $S/j && test \"$(jq -r .submission $S/j)\" = "
        "\"$S/$n/lab.c\" || "
        "{ echo \"not $n\"; exit 1; }; done");
    expect_status(0);
    run("touch \"$S/O'Neil/lab.c\"; make lab01 DEVICE=sim SUBMISSION=\"$S/O'Neil\" && sleep 0.02 "
        "&& "
        "touch \"$S/O'Neil/lab.c\"; ./grade lab01 --device sim");
    expect_status(2);
    expect_said("/O'\\''Neil', then grade again");
    run("make lab01 DEVICE=sim SUBMISSION=\"$S/no one\"");
    expect_status(2);
    expect_said("/no\\ one\n");
    expect_said(" has no lab.c and no lab.cu");
    run("make lab01 DEVICE=sim SUBMISSION=$S/lab.c");
    expect_status(2);
    expect_said("/lab.c is a file; what is wanted is the folder that it is in");
}

/* Names that make or a shell would run, what hangs who reads it, what is somebody else's. */
Test(commands, only_plain_files_of_a_submission_are_taken_and_the_rest_is_named)
{
    static const char *const ignored[] = {
        ": ignored \\$\\(shell\\ touch\\ ran\\).h: a submission is lab.c or lab.cu, and headers",
        ": ignored a\\;touch\\ ran\\;.h: ",
        ": ignored $'\\E[31m.h': ",
        ": ignored lab.d: ",
        ": ignored fifo.h: it is not a regular file",
        ": ignored link.h: it is a link",
        ": ignored hard.h: it has another name elsewhere"};
    run("cd $S; unifdef -DSOLUTION $OLDPWD/solutions/lab01_*/lab.c >lab.c; touch '$(shell touch "
        "ran).h' 'a;touch ran;.h' \"$(printf '\\033[31m.h')\" x; mkfifo fifo.h; ln -s /etc/passwd "
        "link.h; ln x "
        "hard.h; printf 'all:\\n$(shell touch ran)\\n' >lab.d; cd $OLDPWD; make lab01 DEVICE=sim "
        "SUBMISSION=$S && ./grade lab01; s=$?; test ! -e ran && test ! -e $S/ran && exit $s");
    expect_status(0);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        expect_said(ignored[i]);
    run("rm $S/lab.c; ln -s $PWD/solutions/lab01_*/lab.c $S; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_status(2);
    expect_said(": ignored lab.c: it is a link; copy the file that it names");
    expect_said(" has no lab.c and no lab.cu");
}

Test(commands, a_folder_with_nothing_in_it_does_not_leave_the_one_before_to_be_judged)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; mkdir $S/empty; "
        "make lab01 DEVICE=sim SUBMISSION=$S && ! make lab01 DEVICE=sim SUBMISSION=$S/empty");
    expect_status(0);
    run("./grade lab01 --device sim");
    expect_status(2);
    expect_said("lab01 is not built");
}

Test(commands, an_older_file_in_the_same_place_is_built)
{
    run("unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S "
        "&& "
        "cp build/known/lab01/leaks/lab.c $S && touch -d '1 hour ago' $S/lab.c && "
        "make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_status(1);
    expect_said("never freed");
}

Test(commands, a_submission_is_graded_by_its_folder_or_its_name)
{
    run("cp build/known/lab01/leaks/lab.c $S; make lab01 DEVICE=sim SUBMISSION=$S && "
        "make lab01 DEVICE=sim KNOWN=milliseconds && cd $S && $OLDPWD/grade lab01 --submission .");
    expect_status(1);
    expect_said("never freed");
    run("./grade lab01 --submission milliseconds");
    expect_status(1);
    expect_said("grader/labs/lab01/wrong/milliseconds");
    run("./grade lab01 --submission $S/nobody");
    expect_status(2);
    expect_said("lab01 is not built from ");
    run("mkdir \"$S/a b\"; ./grade lab01 --submission \"$S/a b\"");
    expect_status(2);
    expect_said("/a b'\n");
    expect_said("Next: make lab01 SUBMISSION='/tmp/");
}

/* ---- the rest -------------------------------------------------------------------------------- */

Test(commands, every_target_that_help_lists_exists)
{
    run("make help && make | grep -q labNN");
    expect_status(0);
    /* all but bundle, which needs nvcc */
    run("for t in $(make help | sed -nE 's/^  make ([a-z]+)\\b.*/\\1/p' | grep -vx bundle); do "
        "make -n $t DEVICE=sim >/dev/null || { echo \"no $t\"; exit 1; }; done");
    expect_status(0);
}

Test(commands, two_gradings_with_the_same_inputs_give_the_same_json)
{
    run("for l in labs/lab*_*; do l=${l#labs/}; l=${l%%_*}; for i in 1 2; do "
        "./grade $l --seed 7 --device sim --submission solution --json $S/$l.$i "
        ">/dev/null || exit 1; done; "
        "cmp $S/$l.1 $S/$l.2 || exit 1; done");
    expect_status(0);
}

Test(commands, the_trace_of_a_grading_is_what_its_report_shows)
{
    run("set -e; ./grade lab03 --device sim --submission solution "
        "--trace $S/t.csv "
        ">$S/report; build/timeline -c 78 $S/t.csv >$S/lanes; head -n 1 $S/t.csv; grep -c ,matmul, "
        "$S/t.csv; "
        "for f in report lanes; do grep -E '^ +(H2D|compute|D2H|calls) +[.:0-9cw]{20}' $S/$f | sed "
        "'s/^ *//' "
        ">$S/$f.bare; done; "
        "wc -l <$S/lanes.bare; cmp $S/report.bare $S/lanes.bare; "
        "build/timeline $S/t.csv $S/t.svg; grep -c '</svg>' $S/t.svg");
    expect_status(0);
    expect_said("# device Simulated NVIDIA H200\n10\n4\n1\n");
}

Test(commands, a_plain_cuda_program_runs_on_the_library_that_make_sim_names)
{
    run("cat >$S/plain.c <<'END'\n"
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
        "|| exit 1; "
        "include=$(sed -n 's/^include //p' $S/paths); "
        "PATH=$PWD/build/deps/bin:$PATH gcc -I$include $S/plain.c -o $S/plain -L$lib -lcudart && "
        "LD_LIBRARY_PATH=$lib $S/plain");
    expect_status(0);
    expect_said("out 42");
    expect_not_said("simgpu:");
}

Test(commands, set_up_has_nothing_to_do_and_says_so_without_a_network)
{
    run("SETUP=no common/setup.sh again sim && test -s build/setup.mk");
    expect_status(0);
    expect_not_said("missing");
    run("cd /; $OLDPWD/common/setup.sh nonsense");
    expect_status(2);
    expect_said("which-device");
}
