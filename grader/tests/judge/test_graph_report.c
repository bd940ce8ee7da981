/* test_graph_report.c: the graph at the end of a report, and its picture, whatever becomes of dot.
 *
 * Grades the solution of lab 05 in a scratch root, so that no picture of the learner's is touched.
 */
#include "../course/checkout.h"

static void make_root(void)
{
    scratch_make();
    must_succeed("set -e; s=%s\n"
                 "mkdir $s/build $s/bin; cp -L grade $s/grade\n"
                 "ln -s $PWD/labs $PWD/solutions $s/\n"
                 "ln -s $PWD/build/grader $PWD/build/sim $s/build/\n"
                 "test -x build/sim/lab05/solution/subject",
                 scratch);
}

TestSuite(graph_report, .init = make_root, .fini = scratch_remove);

/* Grades with this in front of the command; the exit status, and the report in `text`. */
static int grade(const char *first)
{
    return checkout_run(text,
                        "cd %s; %s ./grade lab05 --device sim --subject "
                        "build/sim/lab05/solution/subject",
                        scratch, first);
}

Test(graph_report, actual_and_expected_in_words_and_in_a_picture)
{
    cr_assert(checkout_run(text, "command -v dot") == 0, "graphviz is not installed");
    cr_assert_eq(grade(""), 0, "%s", text);
    expect_text("The graph that one_launch looked at:");
    expect_text("                   actual    expected\n");
    expect_text("    width               4    4 or more\n");
    expect_text("    critical path      11    11 or less");
    expect_text("    a picture of it: build/report/lab05-solution.svg\n");
    must_succeed("cd %s/build/report; ls; cat lab05-solution.svg", scratch);
    cr_expect(strncmp(text, "lab05-solution.svg\n", 19) == 0,
              "there are more files than the picture");
    expect_text("matmul 9<");
    expect_text("memset to 2<");
    expect_text("Simulated NVIDIA H200, virtual time<");
}

Test(graph_report, without_dot_only_the_picture_is_missing)
{
    cr_expect_eq(grade("PATH=$PWD/bin"), 0, "%s", text);
    expect_text("    width               4    4 or more\n");
    expect_text("    no picture: graphviz's dot is not installed (make setup gets it)\n");
    expect_text("100 of 100 points");
}

Test(graph_report, a_dot_that_fails_leaves_nothing_behind)
{
    checkout_run(text, "cd %s/bin; printf '#!/bin/sh\\nexit 3\\n' >dot; chmod +x dot", scratch);
    cr_expect_eq(grade("PATH=$PWD/bin"), 0, "%s", text);
    expect_text("    no picture: graphviz's dot did not get done with this graph\n");
    must_succeed("ls %s/build/report", scratch);
    cr_expect_str_empty(text);
}

/* What a submission's graph makes of graphviz is a picture, and no part of the page. */
Test(graph_report, a_picture_is_an_image_and_cannot_run_scripts)
{
    checkout_run(text,
                 "cd %s/bin; printf '#!/bin/sh\\necho \"<svg><script>alert(1)</script></svg>\" "
                 "\\n' >dot; chmod +x dot",
                 scratch);
    must_succeed("cd %s; PATH=$PWD/bin:$PATH ./grade lab05 --device sim --subject "
                 "build/sim/lab05/solution/subject --html p.html",
                 scratch);
    checkout_run(text,
                 "cd %s; grep -o '<script[^<]*\\|data:image/svg[^\"]*\\|default-src [^\"]*' p.html",
                 scratch);
    cr_expect(!strstr(text, "<script"), "the page has a script: %s", text);
    expect_text("default-src 'none'; img-src data:; style-src 'unsafe-inline'");
    const char *data = strstr(text, "base64,");
    cr_assert(data, "there is no image: %s", text);
    checkout_run(text, "base64 -d <<<%.100s", data + strlen("base64,"));
    expect_text("<svg><script>alert(1)</script></svg>");
}

Test(graph_report, nowhere_to_write)
{
    checkout_run(text, "touch %s/build/report", scratch);
    cr_expect_eq(grade(""), 0, "%s", text);
    expect_text("    no picture: build/report cannot be written to\n");
    expect_text("100 of 100 points");
}

Test(graph_report, a_capture_that_failed_shows_what_was_captured)
{
    cr_assert_eq(
        checkout_run(text, "./grade lab05 --device sim --subject build/sim/lab05/no_join/subject"),
        1);
    expect_text("as far as it was captured before the error");
    expect_text("    sinks ");
}
