/* test_calls.c: reports name the lines of a submission whose calls a race, an error or a leak is
 * about, however the submission made them. */
#include <limits.h>

#include "commands.h"

static char source[PATH_MAX];

TestSuite(calls, .init = begin, .fini = end);

/* The number of the first line of the submission that has these words. */
static int line_of(const char *words)
{
    char line[1024];
    int number = 0;
    FILE *from = fopen(source, "r");
    cr_assert(from, "%s", source);
    while (fgets(line, sizeof line, from)) {
        number++;
        if (strstr(line, words))
            break;
    }
    cr_assert(!feof(from), "%s is not in %s", words, source);
    fclose(from);
    return number;
}

/* Grades the known submission, or one check of it; its report and its page, each on one line. */
static void grade_check(const char *lab, const char *name, const char *check)
{
    char command[1024];
    snprintf(source, sizeof source, "build/known/%s/%s/lab.c", lab, name);
    snprintf(command, sizeof command,
             "for f in lab.c $(cd solutions/%s_*; ls lab.cu 2>/dev/null); do "
             "make build/known/%s/%s/$f && cp build/known/%s/%s/$f $S; done; "
             "make %s DEVICE=sim SUBMISSION=$S && ./grade %s %s --device sim --html $S/page.html | "
             "tr -s ' \\n' ' '; tr -d '\\n' <$S/page.html | grep -o '<dl>.*</dl>'",
             lab, lab, name, lab, name, lab, lab, check);
    run(0, command);
}

static void grade(const char *lab, const char *name)
{
    grade_check(lab, name, "");
}

/* "first lab.c:57: cudaMemcpyAsync(", as the source has these words. */
static void expect(const char *label, const char *words)
{
    char row[256];
    snprintf(row, sizeof row, " %s lab.c:%d: %s", label, line_of(words), words);
    expect_said(row);
}

Test(calls, a_race_has_the_lines_of_a_copy_and_of_a_launcher)
{
    char row[256];
    grade("lab03", "set_free_too_early");
    expect("first", "return cudaMemcpyAsync(lab->c + first, set->c, bytes,");
    expect("second", "TRY(launch_matmul(set->c, set->a, set->b, lab->n, stream))");
    expect("waited", "TRY(cudaStreamWaitEvent(stream, set->done, 0))");
    expect("recorded", "TRY(cudaEventRecord(set->done, stream))");
    expect_said("stream)), before memcpyD2H actual");
    expect_said("4 streams, 3 sets next"); /* not the later case, whose results are wrong */
    snprintf(row, sizeof row, "<dt>first</dt><dd>lab.c:%d: return", line_of("return cudaMemcpyA"));
    expect_said(row);
}

/* "(called at lab.c:57)", for the line that has these words. */
static void expect_called_at(const char *words)
{
    char row[64];
    snprintf(row, sizeof row, "(called at lab.c:%d)", line_of(words));
    expect_said(row);
}

Test(calls, a_race_has_the_call_of_a_helper_that_has_several)
{
    grade_check("lab14", "gathers_part_of_receiver", "race_free");
    expect("second", "return cudaMemcpyAsync(to + part.first, from + part.first,");
    expect_called_at("TRY(enqueue_copy(lab, d, lab->y[other(lab, d, i)], lab->y[d],");
}

Test(calls, an_error_has_the_call_of_a_helper_that_has_several)
{
    grade_check("lab08", "child_destroyed_before", "library_drawn");
    expect_called_at("TRY(add_library(*graph, &first,");
}

Test(calls, a_wait_for_no_record_has_its_line)
{
    grade_check("lab02", "wrong_slot", "race_free");
    expect("waited", "TRY(cudaStreamWaitEvent(stream, next->ready, 0))");
    expect_said("recorded (none): the event had not been recorded, so the wait had no effect");
}

Test(calls, a_call_that_is_the_last_of_its_function_has_its_line)
{
    grade_check("lab09", "records_before_copy_out", "in_flight");
    expect("first", "return cudaMemcpyAsync(request->out, result, bytes,");
    expect("second", "TRY(cudaMemcpyAsync(e->workspace, request->in, bytes,");
    expect("recorded", "TRY(cudaEventRecord(e->done, stream))");
    expect_said("(e->done, stream)) actual"); /* it is in the right stream */
}

Test(calls, a_record_in_the_wrong_stream_has_its_stream)
{
    grade_check("lab05", "records_in_origin", "race_free");
    expect_said("(set->done, state->streams[0]), in stream 1, not in that of memcpyH2D actual");
}

Test(calls, a_node_has_the_line_that_was_captured)
{
    grade("lab05", "no_wait_for_set");
    expect("both", "TRY(cudaMemcpyAsync(set->a, lab->a + first, bytes,");
}

Test(calls, nodes_of_one_helper_have_the_lines_that_called_it)
{
    grade_check("lab08", "edge_missing", "race_free");
    expect("first", "TRY(add_kernel(*graph, &produce, AFTER(in),");
    expect("second", "TRY(add_kernel(*graph, &join, AFTER(scale),");
    expect_said(" case branches of about 4096 floats, 2 launches next "); /* not the last of five */
}

Test(calls, an_error_has_the_line_of_the_call_that_returned_it)
{
    grade("lab01", "event_never_created");
    expect("call", "TRY(cudaEventRecord(state->computed, stream))");
}

Test(calls, a_leak_has_the_line_that_created_it)
{
    grade("lab01", "leaks");
    expect("created", "TRY(cudaMalloc((void **)&state->dev_c, state->matrix_bytes))");
}

/* The subject has a cudaGraphInstantiate of its own, which calls the device's. */
Test(calls, a_call_that_the_grader_stands_in_for_has_its_line_too)
{
    grade("lab07", "leaks_execs");
    expect("created",
           "TRY(cudaGraphInstantiate(exec, graph, cudaGraphInstantiateFlagDeviceLaunch))");
}
