/* test_judge_parts.c: what the judge computes: the order of a report, intervals, questions to a
 * trace, names of kernels, the places of buffers. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/kernel_name.h"
#include "judge/inside.h"
#include "judge/interval.h"
#include "query/trace.h"
#include "report/report.h"
#include "session/session.h"

/* ---- the order of a report ------------------------------------------------------------------- */

static void add_failure(struct session *s, const char *check, const char *mistake, bool is_vague,
                        double time_us)
{
    struct session_check *c = &s->checks[s->n_checks++];
    c->status = CHECK_FAILED;
    c->is_vague = is_vague;
    c->time_us = time_us;
    snprintf(c->name, sizeof c->name, "%s", check);
    snprintf(c->mistake, sizeof c->mistake, "%s", mistake);
    snprintf(c->message, sizeof c->message, "%s fails.", check);
}

static struct session *new_session(void)
{
    struct session *s = calloc(1, sizeof *s);
    cr_assert(s);
    return s;
}

Test(report_order, a_known_cause_comes_before_wrong_values_and_a_time_does_not)
{
    static struct report_problem problems[SESSION_CHECKS];
    struct session *s = new_session();
    add_failure(s, "results", "", true, 0);
    add_failure(s, "time", "too_slow", false, 10);
    add_failure(s, "race_free", "too_early", false, 0);
    cr_assert_eq(report_problems(s, problems), 3);
    cr_expect_str_eq(problems[0].from->name, "race_free");
    cr_expect_str_eq(problems[1].from->name, "results");
    cr_expect_str_eq(problems[2].from->name, "time");
    free(s);
}

/* A lab's mistake and a common one. */
Test(report_order, two_mistakes_that_explain_each_other_are_one_problem)
{
    static struct report_problem problems[SESSION_CHECKS];
    struct session *s = new_session();
    add_failure(s, "results", "no_wait", false, 0);
    add_failure(s, "race_free", "host_access", false, 0);
    add_failure(s, "time", "no_wait", false, 0);
    for (int i = 0; i < 3; i++)
        snprintf(s->checks[i].explains, sizeof s->checks[i].explains, "%s",
                 i == 1 ? "no_wait" : "host_access");
    cr_assert_eq(report_problems(s, problems), 1);
    cr_expect_str_eq(problems[0].from->name, "results");
    free(s);
}

/* ---- times that several checks judge --------------------------------------------------------- */

Test(known_times, a_check_takes_those_of_another_if_they_decide_that_it_passes)
{
    const struct figure first = {0, "first"}, also[] = {{1, "also"}, {0, NULL}};
    struct judge_timing t = {.all = {.n = 1, .pair = {{1.0, 0.9, 1.1}}},
                             .also = {{.n = 2, .pair = {{1.3, 1.2, 1.4}, {1.3, 1.2, 1.4}}}}};
    struct judge_times known;
    judge_session = calloc(1, sizeof *judge_session);
    cr_assert(judge_session);
    judge_session->device = DEVICE_GPU;
    judge_session->n_checks = 1;
    judge_current = &judge_session->checks[0];
    cr_expect_not(judge_knows_time("steady", first, 1.5, &known));
    judge_keep_timing(&t);
    judge_share_times("steady", &(struct judge_race){.value = first, .also = also});
    cr_expect_not(judge_knows_time("steady", first, 1.5, &known), "the other one has not passed");
    judge_current->status = CHECK_PASSED;
    cr_expect(judge_knows_time("steady", first, 1.5, &known));
    cr_expect_not(judge_knows_time("bursts", first, 1.5, &known));
    cr_expect_not(judge_knows_time("steady", first, 1.1, &known), "one pair does not decide that");
    cr_expect(judge_knows_time("steady", also[0], 1.5, &known));
    cr_expect(known.pairs == 2 && known.ratio > 1.29 && known.ratio < 1.31);
    cr_expect_not(judge_knows_time("steady", also[0], 1.2, &known), "too slow");
    free(judge_session);
}

/* ---- the time of a grading ------------------------------------------------------------------- */

Test(deadline, a_wait_for_others_is_none_of_the_time)
{
    enum { LEFT_US = 20000 };
    struct session *s = new_session();
    s->deadline_ns = session_now_ns() + LEFT_US * INT64_C(1000);
    session_begin_waiting(s);
    usleep(2 * LEFT_US);
    cr_expect_not(session_is_over(s, 0), "while it waits");
    cr_expect_geq(session_end_waiting(s), 2 * LEFT_US * INT64_C(1000));
    usleep(LEFT_US);
    cr_expect(session_is_over(s, 0));
    free(s);
}

/* ---- intervals ------------------------------------------------------------------------------- */

Test(interval, ranks_are_those_of_the_binomial_distribution)
{
    cr_expect_eq(interval_rank(7, 0.99), 0); /* 1 - 2/128 = 0.984 */
    cr_expect_eq(interval_rank(8, 0.99), 1); /* 1 - 2/256 = 0.992 */
    cr_expect_eq(interval_rank(16, 0.99),
                 3); /* 1 - 2 x 137 / 2^16 = 0.9958; with 560 more, 0.979 */
    cr_expect_eq(interval_rank(32, 0.99), 9);
    cr_expect_eq(interval_rank(5, 0.90), 1);
    cr_expect_eq(interval_rank(4000, 0.95), 1938); /* 2^-4000 is no double */
}

Test(interval, the_bounds_are_values_of_the_sample)
{
    double values[] = {8, 1, 7, 2, 6, 3, 5, 4};
    struct interval i = interval_of_median(values, 8, 0.99);
    cr_expect(i.median == 4.5 && i.low == 1 && i.high == 8);
    double few[] = {3, 1, 2};
    i = interval_of_median(few, 3, 0.99);
    cr_expect(i.median == 2 && isinf(i.low) && isinf(i.high));
}

/* Median 0 of a lopsided distribution; at most 1 in 100 intervals may miss it. */
Test(interval, covers_the_median_as_often_as_it_says)
{
    uint64_t state = 7;
    int missed = 0;
    enum { TRIES = 20000, N = 16 };
    for (int t = 0; t < TRIES; t++) {
        double values[N];
        for (int i = 0; i < N; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double u = (double)(state >> 11) * 0x1p-53 - 0.5;
            values[i] = u > 0 ? 100 * u * u : u;
        }
        struct interval i = interval_of_median(values, N, 0.99);
        missed += i.low > 0 || i.high < 0;
    }
    cr_expect_lt(missed, TRIES / 100);
}

/* ---- questions to a trace -------------------------------------------------------------------- */

/* h2d  0----10  10---20
 *     sm         5-------15  15--18     (the second starts where the first ends)
 *     d2h                         20---30
 *     api  one call a row */
static struct trace_row rows[] = {
    {0, "api", -1, -1, "cudaMemcpyAsync", 0, 1, 0},
    {0, "h2d", 1, -1, "memcpy_pinned", 0, 10, 100},
    {0, "sm", 2, -1, "matmul", 5, 15, 0},
    {0, "h2d", 1, -1, "memcpy_pageable", 10, 20, 200},
    {0, "api", -1, -1, "cudaStreamSynchronize", 12, 31, 0},
    {0, "sm", 2, -1, "saxpy", 15, 18, 0},
    {0, "d2h", 0, -1, "memcpy_pinned", 20, 30, 50},
};
static const struct trace trace = {.rows = rows, .n_rows = sizeof rows / sizeof rows[0]};
static const struct trace empty;

Test(trace_query, counts_and_sums)
{
    cr_expect_eq(trace_count(&trace, "h2d", NULL), 2);
    cr_expect_eq(trace_count(&trace, NULL, "memcpy_pinned"), 2);
    cr_expect_eq(trace_count(&trace, NULL, "memcpy_*"), 3);
    cr_expect_eq(trace_count(&trace, "sm", "mat"), 0);
    cr_expect(trace_bytes(&trace, "h2d", NULL) == 300);
    cr_expect(trace_sum_us(&trace, "sm", NULL) == 13);
    cr_expect(trace_busy_us(&trace, "h2d", NULL) == 20);
    cr_expect_str_eq(trace_first(&trace, "sm", NULL)->name, "matmul");
    cr_expect_str_eq(trace_last(&trace, "sm", NULL)->name, "saxpy");
    cr_expect_null(trace_first(&trace, "host", NULL));
}

Test(trace_query, overlaps)
{
    cr_expect(trace_overlap_us(&trace, "h2d", "sm") == 13);
    cr_expect(trace_overlap_fraction(&trace, "h2d", "sm") == 1);
    cr_expect(trace_overlap_us(&trace, "h2d", "d2h") == 0, "rows that touch do not overlap");
    cr_expect(trace_overlap_fraction(&trace, "sm", "host") == 0);
}

Test(trace_query, streams_and_calls)
{
    cr_expect_eq(trace_streams(&trace), 3);
    cr_expect(trace_uses_legacy_stream(&trace));
    cr_expect_eq(trace_calls(&trace, "cuda*"), 2);
    cr_expect_eq(trace_calls_between(&trace, "cuda*", -1, 40), 2);
    cr_expect_eq(trace_calls_between(&trace, "cuda*", 1, 40), 1);
    cr_expect_str_eq(trace_host_wait(&trace, 0, 40)->name, "cudaStreamSynchronize");
    cr_expect_null(trace_host_wait(&trace, 12, 40));
}

Test(trace_query, an_empty_trace_has_nothing)
{
    cr_expect(trace_count(&empty, NULL, NULL) == 0 && trace_streams(&empty) == 0);
    cr_expect(trace_busy_us(&empty, "sm", NULL) == 0 &&
              trace_overlap_fraction(&empty, "sm", "h2d") == 0);
    cr_expect(!trace_uses_legacy_stream(&empty) && !trace_first(&empty, NULL, NULL));
}

/* ---- names of kernels ------------------------------------------------------------------------ */

Test(kernel_name, is_the_last_identifier_of_the_symbol)
{
    static const struct {
        const char *symbol, *name;
    } all[] = {
        {"_Z6matmulPfi", "matmul"},
        {"_ZL6matmulPfi", "matmul"},
        {"_ZN3lab6matmulEPf", "matmul"},
        {"_Z6matmulIfEvPT_", "matmul"},
        {"_ZN12_GLOBAL__N_14stepEi", "step"},
        {"matmul", "matmul"},
        {"__nv_static_27__9bde8ed0_6_lab_cu_f7b9ae5e__Z5weighPfPKfS1_ii", "weigh"},
    };
    char name[16];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        kernel_name(all[i].symbol, name, sizeof name);
        cr_expect_str_eq(name, all[i].name, "%s: %s", all[i].symbol, name);
    }
    kernel_name("_Z20a_name_that_is_long_v", name, sizeof name);
    cr_expect_eq(strlen(name), sizeof name - 1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long page; /* that a kernel would have; 0: that of this one */

long sysconf(int name)
{
    long (*of_libc)(int);
    *(void **)&of_libc = dlsym(RTLD_NEXT, "sysconf");
    return page && name == _SC_PAGESIZE ? page : of_libc(name);
}

Test(judge_memory, each_buffer_has_whole_pages_whatever_their_size)
{
    static const struct judge_scenario scenario = {
        .buffers = {{.name = "in", .direction = JUDGE_INPUT, .count = 100},
                    {.name = "out", .direction = JUDGE_OUTPUT, .count = 20000}}};
    static const long sizes[] = {4096, 16384, 65536};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct judged j = {.scenario = &scenario};
        page = sizes[k];
        const int fd = judge_memory_make(&j);
        cr_assert_geq(fd, 0);
        for (int i = 0; i < j.n_buffers; i++) {
            const struct wire_buffer *b = &j.buffers[i].wire;
            cr_expect_eq(b->map_offset % (uint64_t)page, 0, "%ld %s", page, b->name);
            cr_expect_eq(b->map_bytes % (uint64_t)page, 0, "%ld %s", page, b->name);
            cr_expect_eq(b->data_offset + b->data_bytes, b->map_bytes, "%ld %s", page, b->name);
        }
        judge_memory_free(&j);
    }
    page = 0;
}

Test(judge_memory, a_smaller_scenario_takes_over_the_pages_and_nothing_else)
{
    static const struct judge_scenario
        large = {.buffers = {{.name = "out", .direction = JUDGE_OUTPUT, .count = 20000},
                             {.name = "in", .direction = JUDGE_INPUT, .count = 20000}}},
        small = {.buffers = {{.name = "in", .direction = JUDGE_INPUT, .count = 10000},
                             {.name = "out", .direction = JUDGE_OUTPUT, .count = 100}}};
    struct judged j = {.scenario = &large, .random = {1, 2, 3, 4}};
    judge_memory_make(&j);
    const size_t bytes = j.mapping_bytes;
    judge_memory_touch(&j);
    judge_memory_refresh(&j, JUDGE_ALL_PARTS);
    judge_memory_refresh(&j, JUDGE_ALL_PARTS);
    cr_assert(j.buffers[0].previous);
    j.scenario = &small;
    judge_memory_make(&j);
    cr_expect_eq(j.mapping_bytes, bytes);
    judge_memory_touch(&j);
    judge_memory_refresh(&j, 1);
    judge_memory_check(&j, JUDGE_ALL_PARTS); /* all inputs are drawn, and their sums are new */
    cr_expect_null(j.buffers[0].previous);
    cr_expect_null(j.buffers[1].previous);
    judge_memory_free(&j);
    cr_expect_null(j.mapping);
}
