/* test_debugger.c: a submission in a debugger, and what an editor makes of a report. */
#include "learner.h"

TestSuite(debugger, .init = begin);

/* Plays build/session, a section of labs/DEBUGGING.md: runs what follows "$ ", types what follows
 * "(gdb) ", and ^C interrupts the program that gdb runs. All other lines must be printed. */
static const char player[] =
    "play() { local line command= pid\n"
    "awk -v s=\"## $1\" '/^## / { on = $0 == s } on && /^    / { print substr($0, 5) }' "
    "labs/DEBUGGING.md >build/session\n"
    "type_all() { [ -n \"$command\" ] || return 0; rm -f build/typed; mkfifo build/typed\n"
    "  eval \"exec $command\" <build/typed >>build/printed 2>&1 & pid=$!; exec 3>build/typed\n"
    "  while read -r typed; do case $typed in ^C) until grep -q Continuing build/printed; do sleep "
    "0.2; done; sleep 2; kill -INT $(pgrep -P $pid | head -n 1);; "
    "*) echo \"$typed\" >&3;; esac; done <build/inputs; exec 3>&-; wait $pid; }\n"
    ": >build/printed >build/expected >build/inputs\n"
    "while read -r line; do case $line in '$ '*) type_all; command=${line#??}; : >build/inputs;; "
    "'(gdb) '*) echo \"${line#??????}\" >>build/inputs;; ^C) echo ^C >>build/inputs;; "
    "*) echo \"$line\" >>build/expected;; esac; done <build/session; type_all\n"
    "[ -s build/expected ] || echo 'not printed: the page has no such session'\n"
    "while read -r line; do grep -qF -- \"$line\" build/printed || { echo \"not printed: $line\"; "
    "cat build/printed; }; done <build/expected; }\n";

/* FULL=1 plays all; else the first one, if there is a debugger. */
Test(debugger, the_page_shows_what_is_printed, .timeout = 900)
{
    static const char *const sessions[][3] = {
        {"A crash", "lab03", "/lab->state = state;/d"},
        {"A dangling pointer", "lab03",
         "/^cudaError_t lab03_teardown/,$ s/^    for (int i = 0; i < lab->n_buffers/"
         "    free(state->sets);\\n&/"},
        {"A race", "lab03", "/cudaStreamWaitEvent/d"},
        {"A loop that does not end", "lab03",
         "/^    for (int i = 0; i < lab->n_batches; i++)/i\\    while (cudaStreamQuery("
         "lab->state->streams[0]) == cudaSuccess)\\n        ;"},
        {"A wrong value in one batch", "lab03", "s/first = i \\* matrix/first = i % 2 * matrix/"},
        {"A capture that fails", "lab05",
         "s/^    TRY(join_streams(lab));/    TRY(cudaStreamSynchronize(origin));\\n&/"},
        {"printf in a kernel", "lab10",
         "s/^    control->checks++;/&\\n    printf(\"check %d: change %g\\\\n\", control->checks, "
         "control->change);/; s/#include \"lab.h\"/#include <stdio.h>\\n&/"},
        {"A graph", "lab05", ""}};
    char line[4096];
    const size_t n = is_full_run() ? sizeof sessions / sizeof sessions[0] : 1;
    if (!is_full_run() && checkout_run(text, "command -v gdb") != 0)
        cr_skip_test("there is no gdb");
    for (size_t i = 0; i < n; i++) {
        const char *lab = sessions[i][1];
        snprintf(line, sizeof line,
                 "%s for f in $(cd solutions/%s_*; echo lab.c*); do solution %s $f; done; sed -i "
                 "'%s' labs/%s_*/lab.c*; make %s >/dev/null 2>&1; play '%s'",
                 player, lab, lab, sessions[i][2], lab, lab, sessions[i][0]);
        run(0, line);
        cr_expect(!strstr(text, "not printed"), "%s: %s", sessions[i][0], text);
    }
}

/* The pattern of .vscode/tasks.json, as VS Code applies it to each line of a grading. */
Test(debugger, an_editor_marks_the_line_of_a_failed_check)
{
    run(1, "make lab03 KNOWN=no_wait_for_set >/dev/null; ./grade lab03 --format github --seed 3 "
           "2>/dev/null >build/said; s=$?\n"
           "jq -Rr --arg p \"$(jq -r '.tasks[0].problemMatcher.pattern.regexp' "
           ".vscode/tasks.json)\" '[match($p).captures[].string] | join(\"|\")' build/said; "
           "exit $s");
    expect("/lab.c|65|A batch copies its input into a set that an earlier batch still reads.\n");
}
