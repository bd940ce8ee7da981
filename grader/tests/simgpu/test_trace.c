/* test_trace.c: traces as CSV and as timelines: what is written is read again, what is wrong is
 * named with its line. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/timeline.h"
#include "common/trace.h"

#define HEADER "device,engine,stream,node,name,start_us,end_us,bytes\n"

static int read_text(const char *text, struct trace *t, const char **why)
{
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    cr_assert(f);
    int result = trace_read(t, f, why);
    fclose(f);
    return result;
}

/* The text must be refused, with these words in the sentence. */
static void refused(const char *text, const char *words)
{
    struct trace t;
    const char *why = "";
    cr_expect_eq(read_text(text, &t, &why), -1, "was taken: %s", text);
    cr_expect(strstr(why, words), "\"%s\" should say \"%s\"", why, words);
    cr_expect_null(t.rows);
}

static char *written(const struct trace *t)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    cr_assert(f);
    cr_assert_eq(trace_write(t, f), 0);
    fclose(f);
    return text;
}

static void add(struct trace *t, const char *engine, int stream, const char *name, double start_us,
                double end_us)
{
    struct trace_row row = {.stream = stream, .node = -1, .start_us = start_us, .end_us = end_us};
    snprintf(row.engine, sizeof row.engine, "%s", engine);
    snprintf(row.name, sizeof row.name, "%s", name);
    cr_assert_eq(trace_add(t, &row), 0);
}

/* Three batches of two copies in, a kernel and a copy out, the stages of a batch one after the
 * other. */
static struct trace three_batches(void)
{
    struct trace t = {.device = "Simulated NVIDIA H200"};
    for (int i = 0; i < 3; i++) {
        double at = 10.0 * i;
        add(&t, "api", -1, "cudaMemcpyAsync", at, at + 0.5);
        add(&t, "h2d", 1 + i, "memcpy_pinned", at, at + 5);
        add(&t, "h2d", 1 + i, "memcpy_pinned", at + 5, at + 10);
        add(&t, "sm", 1 + i, "matmul", at + 10, at + 20);
        add(&t, "d2h", 1 + i, "memcpy_pinned", at + 20, at + 25);
    }
    add(&t, "api", -1, "cudaDeviceSynchronize", 22, 45);
    trace_arrange(&t);
    return t;
}

Test(trace, what_is_written_is_read_again)
{
    struct trace t = three_batches(), again;
    const char *why = "";
    t.rows[3].node = 4294967297;
    t.rows[3].bytes = UINT64_C(1) << 40;
    snprintf(t.rows[4].name, sizeof t.rows[4].name, "a \"b\", c");
    snprintf(t.rows[5].name, sizeof t.rows[5].name, "=%062d", 1);
    char *text = written(&t);
    cr_assert_eq(read_text(text, &again, &why), 0, "%s", why);
    cr_assert_eq(again.n_rows, t.n_rows);
    cr_expect_str_eq(again.device, "Simulated NVIDIA H200");
    for (size_t i = 0; i < t.n_rows; i++) {
        cr_expect_str_eq(again.rows[i].engine, t.rows[i].engine);
        cr_expect_str_eq(again.rows[i].name, t.rows[i].name);
        cr_expect_eq(again.rows[i].stream, t.rows[i].stream);
        cr_expect_eq(again.rows[i].node, t.rows[i].node);
        cr_expect_eq(again.rows[i].bytes, t.rows[i].bytes);
        cr_expect_float_eq(again.rows[i].start_us, t.rows[i].start_us, 1e-3);
        cr_expect_float_eq(again.rows[i].end_us, t.rows[i].end_us, 1e-3);
    }
    char *second = written(&again);
    cr_expect_str_eq(second, text);
    free(text);
    free(second);
    trace_free(&t);
    trace_free(&again);
}

Test(trace, rows_are_put_in_order_and_begin_at_zero)
{
    struct trace t = {0};
    for (int i = 999; i >= 0; i--)
        add(&t, "sm", 1, "matmul", 5000 + i, 5001 + i);
    trace_arrange(&t);
    cr_assert_eq(t.n_rows, 1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_float_eq(t.rows[i].start_us, i, 1e-9);
    trace_free(&t);
}

Test(trace, a_trace_without_rows_is_a_trace)
{
    struct trace t;
    const char *why = "";
    cr_expect_eq(read_text(HEADER, &t, &why), 0, "%s", why);
    cr_expect_eq(t.n_rows, 0);
    cr_expect_str_eq(t.device, "");
    trace_free(&t);
}

Test(trace, line_ends_of_windows_and_a_missing_last_one_are_taken)
{
    struct trace t;
    const char *why = "";
    cr_expect_eq(read_text("# a comment\r\ndevice,engine,stream,node,name,start_us,end_us,bytes\r\n"
                           "0,sm,1,-1,matmul,1,2,0\r\n0,sm,1,-1,matmul,0,1,0",
                           &t, &why),
                 0, "%s", why);
    cr_assert_eq(t.n_rows, 2);
    cr_expect_eq(t.rows[0].start_us, 0);
    trace_free(&t);
}

Test(trace, what_is_no_trace_is_refused)
{
    refused(" ", "header should be");
    refused("# only a comment\n", "empty");
    refused("device,engine,stream\n", "line 1");
    refused("0,sm,1,-1,matmul,0,1,0\n", "header should be");
}

Test(trace, a_bad_row_is_refused_with_its_line)
{
    refused(HEADER "0,sm,1,-1,matmul,0,1,0\n0,sm,1,-1,matmul,0,1\n",
            "line 3 of the trace: it has fewer fields");
    refused(HEADER "0,sm,1,-1,matmul,0,1,0,9\n", "more fields");
    refused(HEADER "\n", "fewer fields");
    refused(HEADER "x,sm,1,-1,matmul,0,1,0\n", "'x' is no device number");
    refused(HEADER "-1,sm,1,-1,matmul,0,1,0\n", "'-1' is no device number");
    refused(HEADER "0,gpu,1,-1,matmul,0,1,0\n", "'gpu' is no engine");
    refused(HEADER "0,sm,-2,-1,matmul,0,1,0\n", "'-2' is no stream");
    refused(HEADER "0,sm,1.5,-1,matmul,0,1,0\n", "'1.5' is no stream");
    refused(HEADER "0,sm,1,,matmul,0,1,0\n", "'' is no node");
    refused(HEADER "0,sm,1,99999999999999999999,matmul,0,1,0\n", "is no node");
    refused(HEADER "0,sm,1,-1,,0,1,0\n", "name is empty");
    refused(HEADER
            "0,sm,1,-1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,0,1,0\n",
            "longer than 63");
    refused(HEADER "0,sm,1,-1,matmul,nan,1,0\n", "is no time");
    refused(HEADER "0,sm,1,-1,matmul,0,1us,0\n", "is no time");
    refused(HEADER "0,sm,1,-1,matmul, 0,1,0\n", "is no time");
    refused(HEADER "0,sm,1,-1,matmul,0,1e999,0\n", "is no time");
    refused(HEADER "0,sm,1,-1,matmul,2,1,0\n", "before its start");
    refused(HEADER "0,sm,1,-1,matmul,-2,1,0\n", "starts before 0");
    refused(HEADER "0,sm,1,-1,matmul,0,1,-4\n", "no number of bytes");
    refused(HEADER "0,sm,1,-1,\"matmul,0,1,0\n", "quote");
    refused(HEADER "0,sm,1,-1,\"mat\"mul,0,1,0\n", "quote");
}

Test(trace, a_zero_byte_is_refused)
{
    struct trace t;
    const char *why = "";
    char text[] = HEADER "0,sm,1,-1,mat?mul,0,1,0\n";
    *strchr(text, '?') = '\0';
    FILE *f = fmemopen(text, sizeof text - 1, "r");
    cr_expect_eq(trace_read(&t, f, &why), -1);
    cr_expect(strstr(why, "zero byte"), "%s", why);
    fclose(f);
}

Test(timeline, batches_and_busy_times_are_found)
{
    struct trace t = three_batches();
    struct timeline l;
    cr_assert_eq(timeline_arrange(&l, &t, TIMELINE_BY_ENGINE), 0);
    cr_assert_eq(l.n_rows, 4);
    cr_expect_str_eq(l.rows[0].label, "H2D");
    cr_expect_str_eq(l.rows[1].label, "compute");
    cr_expect_str_eq(l.rows[2].label, "D2H");
    cr_expect_str_eq(l.rows[3].label, "calls");
    cr_expect_float_eq(l.rows[0].busy_us, 30, 1e-9);
    cr_expect_float_eq(l.rows[2].busy_us, 15, 1e-9);
    cr_expect_float_eq(l.work_us, 45, 1e-9);
    cr_expect_eq(l.n_batches, 3);
    for (size_t i = 0; i < l.n_bars; i++)
        if (strcmp(l.bars[i].operation->engine, "api") != 0)
            cr_expect_eq(l.bars[i].batch, l.bars[i].operation->stream - 1, "%s at %g",
                         l.bars[i].operation->engine, l.bars[i].operation->start_us);
    timeline_free(&l);
    trace_free(&t);
}

Test(timeline, concurrent_kernels_get_rows_of_their_own)
{
    struct trace t = {0};
    struct timeline l;
    add(&t, "sm", 1, "matmul", 0, 10);
    add(&t, "sm", 2, "matmul", 5, 15);
    add(&t, "sm", 1, "matmul", 10, 20);
    cr_assert_eq(timeline_arrange(&l, &t, TIMELINE_BY_ENGINE), 0);
    cr_assert_eq(l.n_rows, 2);
    cr_expect_eq(l.bars[0].row, 0);
    cr_expect_eq(l.bars[1].row, 1);
    cr_expect_eq(l.bars[2].row, 0);
    cr_expect_float_eq(l.rows[0].busy_us, 20, 1e-9);
    timeline_free(&l);
    trace_free(&t);
}

static char drawing[16384];

static char *drawn(const struct trace *t, int columns, int streams)
{
    FILE *f = fmemopen(drawing, sizeof drawing, "w");
    cr_assert(f);
    (streams ? timeline_print_streams : timeline_print)(t, f, columns);
    fclose(f);
    return drawing;
}

static void expect_line(const char *text, const char *line)
{
    cr_expect(strstr(text, line), "no \"%s\" in\n%s", line, text);
}

static void add_graph(struct trace *t, int number, const char *name, double start_us, double end_us)
{
    add(t, "graph", 1, name, start_us, end_us);
    t->rows[t->n_rows - 1].node = number;
}

Test(timeline, each_graph_has_a_row_that_says_how_it_was_launched)
{
    struct trace t = three_batches();
    add_graph(&t, 6, "host", 0, 10);
    add_graph(&t, 6, "tail by 6", 30, 45);
    add_graph(&t, 2, "fire_and_forget by 6", 5, 20);
    trace_arrange(&t);
    const char *text = drawn(&t, 2 + 9 + 45 + 12, 0);
    expect_line(text, "  H2D      000000000011111111112222222222...............   67 % busy\n");
    expect_line(text, "  graph 2  .....fffffffffffffff.........................   33 % busy\n"
                      "  graph 6  hhhhhhhhhh....................ttttttttttttttt   56 % busy\n"
                      "  calls    ");
    expect_line(drawn(&t, 2 + 9 + 45 + 12, 1),
                "  stream 2 ..........>>>>>>>>>>##########<<<<<..........");
    trace_free(&t);
}

Test(timeline, two_traces_share_a_scale_and_a_legend)
{
    struct trace t = three_batches(), other = {0};
    const struct trace *const both[] = {&t, &other};
    FILE *f = fmemopen(drawing, sizeof drawing, "w");
    cr_assert(f);
    add(&other, "sm", 1, "matmul", 100, 190);
    trace_arrange(&other);
    cr_expect_float_eq(timeline_span_us(&t), 45, 1e-9);
    cr_expect_float_eq(timeline_span_us(&other), 90, 1e-9);
    timeline_print_rows(&t, 90, f, 2 + 9 + 45 + 12);
    timeline_print_rows(&other, 45, f, 2 + 9 + 45 + 12);
    timeline_print_legend(both, 2, f, 78);
    fclose(f);
    expect_line(drawing, "  H2D      000001111122222..............................   67 % busy\n");
    expect_line(drawing, "  compute  #############################################  100 % busy\n");
    expect_line(drawing, "           0 us      20        40        60        80 ");
    expect_line(drawing, "  0-9: last digit of the batch\n  #: work of no known batch\n  : is ");
    trace_free(&t);
    trace_free(&other);
}

Test(timeline, labels_of_several_devices_are_whole)
{
    struct trace t = three_batches();
    add(&t, "sm", 1, "matmul", 0, 45);
    t.rows[t.n_rows - 1].device = 1;
    trace_arrange(&t);
    const char *text = drawn(&t, 2 + 10 + 45 + 12, 0);
    expect_line(text, "\n  0 compute ..........##############################.....   67 % busy\n");
    expect_line(text, "\n  1 compute ##########");
    expect_line(text, "\n  0 calls   c.........");
    expect_line(text, "\n            0 us      10");
    trace_free(&t);
}

Test(timeline, uneven_work_has_no_batches)
{
    struct trace t = three_batches();
    struct timeline l;
    add(&t, "d2h", 1, "memcpy_pinned", 50, 51);
    cr_assert_eq(timeline_arrange(&l, &t, TIMELINE_BY_STREAM), 0);
    cr_expect_eq(l.n_batches, 0);
    cr_expect_str_eq(l.rows[0].label, "stream 1");
    timeline_free(&l);
    trace_free(&t);
}

Test(timeline, the_picture_in_characters)
{
    struct trace t = three_batches();
    char *text = drawn(&t, 2 + 9 + 45 + 12, 0);
    expect_line(text, "  Simulated NVIDIA H200, virtual time:\n"
                      "  45.0 us of device work, a column is 1 us\n"); /* too wide for one line */
    expect_line(text, "  H2D      000000000011111111112222222222...............   67 % busy\n");
    expect_line(text, "  compute  ..........000000000011111111112222222222.....   67 % busy\n");
    expect_line(text, "  D2H      ....................00000.....11111.....22222   33 % busy\n");
    expect_line(text, "  calls    c.........c.........c.wwwwwwwwwwwwwwwwwwwwwww\n");
    expect_line(text, "           0 us      10        20        30        40");
    text = drawn(&t, 2 + 9 + 90 + 12, 0);
    expect_line(text,
                "  Simulated NVIDIA H200, virtual time: 45.0 us of device work, a column is 0.5 "
                "us\n");
    text = drawn(&t, 2 + 9 + 45 + 12, 1);
    expect_line(text, "  stream 2 ..........>>>>>>>>>>##########<<<<<..........");
    trace_free(&t);
}

Test(timeline, no_line_is_wider_than_asked_for)
{
    struct trace t = three_batches();
    for (int columns = 0; columns < 140; columns += 7) {
        char *text = drawn(&t, columns, columns % 2);
        expect_line(text, "calls");
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            if (!strstr(line, "device work"))
                cr_expect_leq(strlen(line), columns < 40 ? 40 : columns, "%s", line);
    }
    trace_free(&t);
}

Test(timeline, short_bars_show_and_an_empty_trace_says_so)
{
    struct trace t = {0};
    char *text = drawn(&t, 80, 0);
    expect_line(text, "nothing to draw");
    add(&t, "sm", 1, "matmul", 0, 1);
    add(&t, "sm", 1, "matmul", 500, 500.001);
    add(&t, "sm", 1, "matmul", 999, 1000);
    text = drawn(&t, 80, 0);
    char *row = strstr(text, "compute");
    cr_assert(row);
    row[strcspn(row, " \n") + 60] = '\0';
    cr_expect(strchr(row, '0') && strchr(row, '1') && strchr(row, '2'), "%s", text);
    trace_free(&t);
}

Test(timeline, calls_that_wait)
{
    cr_expect(timeline_call_waits("cudaStreamSynchronize"));
    cr_expect(timeline_call_waits("cudaMemcpy"));
    cr_expect(timeline_call_waits("cudaMemcpy2D"));
    cr_expect_not(timeline_call_waits("cudaMemcpyAsync"));
    cr_expect_not(timeline_call_waits("cudaLaunchKernel"));
}
