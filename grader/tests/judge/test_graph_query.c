/* test_graph_query.c: what suites ask of a graph, against graphs whose answers are known, and
 * against answers found the slow way. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "query/graph.h"

/* ---- graphs ---------------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t n;
};

static struct dag read_text(const char *bytes, size_t n)
{
    struct dag g;
    const char *why = "";
    FILE *from = fmemopen((void *)(uintptr_t)bytes, n, "r");
    cr_assert(from);
    int failed = dag_read(&g, from, &why);
    fclose(from);
    cr_assert(!failed, "%s", why);
    return g;
}

/* n kernels called k, and the edges: pairs of numbers, -1 ends them. */
static struct dag graph_of(size_t n, const int *edges)
{
    struct text t = {NULL, 0};
    FILE *to = open_memstream(&t.bytes, &t.n);
    size_t n_edges = 0;
    cr_assert(to);
    while (edges[2 * n_edges] >= 0)
        n_edges++;
    fprintf(to, "nodes %zu edges %zu\n", n, n_edges);
    for (size_t i = 0; i < n; i++)
        fputs("kernel,k,0,0,-,0,0\n", to);
    for (size_t i = 0; i < n_edges; i++)
        fprintf(to, "%d,%d\n", edges[2 * i], edges[2 * i + 1]);
    fclose(to);
    struct dag g = read_text(t.bytes, t.n);
    free(t.bytes);
    return g;
}

#define GRAPH(n, ...) graph_of(n, (const int[]){__VA_ARGS__, -1, -1})

/* ---- reading --------------------------------------------------------------------------------- */

static const char one_batch[] = "nodes 4 edges 3\n"
                                "h2d,-,4096,0,a,1024,0\n"
                                "h2d,-,4096,0,-,0,1\n"
                                "kernel,matmul,0,0,-,0,0\n"
                                "d2h,-,4096,0,c,2048,0\n"
                                "0,2\n1,2\n2,3\n";

Test(graph_query, reads_what_an_adapter_writes)
{
    struct dag g = read_text(one_batch, sizeof one_batch - 1);
    cr_assert(g.n_nodes == 4 && g.n_edges == 3);
    const struct dag_node *first = &g.nodes[0], *second = &g.nodes[1];
    cr_expect(dag_is(first, "h2d", NULL) && first->bytes == 4096 && !first->pageable);
    cr_expect_str_eq(first->buffer, "a");
    cr_expect_eq(first->offset, 1024);
    cr_expect(second->pageable && strcmp(second->buffer, "-") == 0);
    cr_expect(dag_is(&g.nodes[2], "kernel", "mat*") && !dag_is(&g.nodes[2], "kernel", "mat"));
    cr_expect(dag_count(&g, "h2d", NULL) == 2 && dag_count(&g, NULL, NULL) == 4);
    cr_expect(g.nodes[2].n_in == 2 && g.nodes[2].n_out == 1 && g.out[g.nodes[2].first_out] == 3);
    cr_expect(dag_roots(&g) == 2 && dag_sinks(&g) == 1 && dag_sink(&g) == &g.nodes[3]);
    dag_free(&g);
}

Test(graph_query, refuses_what_is_no_graph)
{
    static const char *const texts[] = {
        "\n",
        "nodes 1\n",
        "nodes 1 edges 0",
        "nodes -1 edges 0\n",
        "nodes 99999999999 edges 0\n",
        "nodes 1 edges 99999999999\n",
        "nodes 1 edges 0\nkernel,k,0,0,-,0\n",
        "nodes 1 edges 0\nkernel,k,0,0,-,0,0,0,0\n",
        "nodes 1 edges 0\nwhile,-,0,0,-,0,0,1\n",
        "nodes 1 edges 0\nwhile,-,0,0,-,0,0,-1\nnodes 0 edges 0\n",
        "nodes 1 edges 0\nwhile,-,0,0,-,0,0,1\nnodes 1 edges 1\nkernel,k,0,0,-,0,0,0\n1,0\n",
        "nodes 1 edges 0\nwhile,-,0,0,-,0,0,1\nnodes 0 edges 0\nnodes 0 edges 0\n",
        "nodes 1 edges 0\nkernel,k,0,0,-,-5,0\n",
        "nodes 1 edges 0\nsixteen_or_more_letters,k,0,0,-,0,0\n",
        "nodes 2 edges 0\nkernel,k,0,0,-,0,0\n",
        "nodes 1 edges 1\nkernel,k,0,0,-,0,0\n0,1\n",
        "nodes 1 edges 1\nkernel,k,0,0,-,0,0\n0\n",
        "nodes 1 edges 0\nkernel,k,0,0,-,0,0\nmore\n",
        "nodes 1 edges 0\nkernel,<b>,0,0,-,0,0\n",
        "nodes 1 edges 0\nkernel,k,0,0,\" URL=\"x,0,0\n",
        "nodes 1 edges 0\nh\x1b[2J,-,0,0,-,0,0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct dag g;
        const char *why = NULL;
        FILE *from = fmemopen((void *)(uintptr_t)texts[i], strlen(texts[i]), "r");
        cr_assert(from);
        cr_expect_eq(dag_read(&g, from, &why), -1, "accepted: %s", texts[i]);
        cr_expect(why && strncmp(why, "line ", 5) == 0, "no line is named for: %s", texts[i]);
        cr_expect(g.n_nodes == 0 && !g.nodes);
        fclose(from);
    }
}

static const char a_loop[] = "nodes 2 edges 1\n"
                             "memset,-,4,0,-,0,0,0\n"
                             "while,-,0,0,-,0,0,1\n"
                             "0,1\n"
                             "nodes 3 edges 2\n"
                             "kernel,sweep,0,0,-,0,0,0\n"
                             "kernel,step,0,0,-,0,0,0\n"
                             "switch,-,0,0,-,0,0,2\n"
                             "0,1\n1,2\n"
                             "nodes 1 edges 0\n"
                             "kernel,sweep,0,0,-,0,0,0\n"
                             "nodes 0 edges 0\n";

Test(graph_query, graphs_inside_of_nodes)
{
    struct dag g = read_text(a_loop, sizeof a_loop - 1);
    const struct dag_node *loop = dag_first(&g, "while", NULL);
    cr_assert(loop && loop->n_inside == 1 && g.nodes[0].n_inside == 0);
    const struct dag *round = &loop->inside[0];
    cr_expect(g.n_nodes == 2 && dag_path(&g) == 2 && round->n_nodes == 3 && dag_path(round) == 3);
    cr_expect(dag_count(&g, "kernel", NULL) == 0 && dag_count_all(&g, "kernel", "sweep") == 2);
    cr_expect(dag_count_all(&g, NULL, NULL) == 6 && !dag_first(&g, "switch", NULL));
    cr_assert_eq(round->nodes[2].n_inside, 2);
    cr_expect(round->nodes[2].inside[0].n_nodes == 1 && round->nodes[2].inside[1].n_nodes == 0);
    cr_expect(!dag_has_cycle(&g));
    dag_free(&g);
}

Test(graph_query, a_cycle_inside_of_a_node)
{
    static const char text[] = "nodes 1 edges 0\nif,-,0,0,-,0,0,1\nnodes 2 edges 2\n"
                               "empty,-,0,0,-,0,0,0\nempty,-,0,0,-,0,0,0\n0,1\n1,0\n";
    struct dag g = read_text(text, sizeof text - 1);
    cr_expect(dag_has_cycle(&g) && g.n_ordered == 1);
    dag_free(&g);
}

Test(graph_query, graphs_in_graphs_end_somewhere)
{
    struct text t = {NULL, 0};
    struct dag g;
    const char *why = "";
    FILE *to = open_memstream(&t.bytes, &t.n);
    for (int i = 0; i < 100000; i++)
        fputs("nodes 1 edges 0\nif,-,0,0,-,0,0,1\n", to);
    fclose(to);
    FILE *from = fmemopen(t.bytes, t.n, "r");
    cr_expect_eq(dag_read(&g, from, &why), -1);
    cr_expect(strstr(why, "too many others"), "%s", why);
    fclose(from);
    free(t.bytes);
}

Test(graph_query, an_empty_graph_has_nothing)
{
    struct dag g = read_text("nodes 0 edges 0\n", 16);
    cr_expect(dag_roots(&g) == 0 && !dag_root(&g) && !dag_sink(&g) && !dag_has_cycle(&g));
    cr_expect(dag_width(&g) == 0 && dag_path(&g) == 0 && dag_path_us(&g) == 0);
    dag_free(&g);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

Test(graph_query, a_chain)
{
    struct dag g = GRAPH(4, 0, 1, 1, 2, 2, 3);
    cr_expect(dag_width(&g) == 1 && dag_path(&g) == 4 && dag_roots(&g) == 1 && dag_sinks(&g) == 1);
    cr_expect(dag_waits(&g, &g.nodes[3], &g.nodes[0]) && !dag_waits(&g, &g.nodes[0], &g.nodes[3]));
    cr_expect(!dag_waits(&g, &g.nodes[1], &g.nodes[1]));
    dag_free(&g);
}

Test(graph_query, redundant_edges_change_nothing)
{
    struct dag g = GRAPH(4, 0, 1, 1, 2, 2, 3, 0, 2, 0, 3, 1, 3, 0, 1);
    cr_expect(dag_width(&g) == 1 && dag_path(&g) == 4);
    cr_expect_eq(dag_redundant_edges(&g), 3, "0 to 2, 0 to 3, 1 to 3");
    dag_free(&g);
}

Test(graph_query, a_diamond_and_an_isolated_node)
{
    struct dag g = GRAPH(5, 0, 1, 0, 2, 1, 3, 2, 3);
    size_t path[5];
    cr_expect(dag_width(&g) == 3 && dag_path(&g) == 3 && dag_roots(&g) == 2 && dag_sinks(&g) == 2);
    cr_expect(dag_path_nodes(&g, path) == 3 && path[0] == 0 && path[2] == 3);
    cr_expect(!dag_waits(&g, &g.nodes[2], &g.nodes[1]));
    cr_expect_eq(dag_redundant_edges(&g), 0);
    dag_free(&g);
}

Test(graph_query, width_is_not_the_fullest_level)
{
    /* 1, 2, 5 and 6 can run at once; by levels no more than 1, 2 and 4 */
    struct dag g = GRAPH(7, 0, 1, 0, 2, 3, 4, 4, 5, 4, 6);
    cr_expect_eq(dag_width(&g), 4);
    dag_free(&g);
}

Test(graph_query, a_cycle_is_found_wherever_it_is)
{
    struct dag whole = GRAPH(3, 0, 1, 1, 2, 2, 0), behind = GRAPH(4, 0, 1, 1, 2, 2, 1, 2, 3),
               none = GRAPH(3, 0, 1, 0, 2, 1, 2);
    cr_expect(dag_has_cycle(&whole) && whole.n_ordered == 0);
    cr_expect(dag_has_cycle(&behind) && behind.n_ordered == 1);
    cr_expect(!dag_has_cycle(&none));
    dag_width(&whole);
    dag_path(&behind);
    dag_free(&whole);
    dag_free(&behind);
    dag_free(&none);
}

/* ---- against the slow way -------------------------------------------------------------------- */

enum { SMALL = 11 };

static bool apart(bool waits[SMALL][SMALL], unsigned set)
{
    for (int i = 0; i < SMALL; i++)
        for (int k = 0; k < SMALL; k++)
            if (set >> i & 1 && set >> k & 1 && waits[i][k])
                return false;
    return true;
}

static size_t width_by_trying(bool waits[SMALL][SMALL])
{
    size_t widest = 0;
    for (unsigned set = 0; set < 1u << SMALL; set++) {
        size_t n = (size_t)__builtin_popcount(set);
        if (n > widest && apart(waits, set))
            widest = n;
    }
    return widest;
}

/* The longest path to i. */
static size_t path_by_trying(bool edge[SMALL][SMALL], int i)
{
    size_t most = 0;
    for (int k = 0; k < SMALL; k++) {
        size_t n = edge[k][i] ? path_by_trying(edge, k) : 0;
        most = n > most ? n : most;
    }
    return most + 1;
}

Test(graph_query, random_graphs_agree_with_the_slow_way)
{
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        bool edge[SMALL][SMALL] = {{false}}, waits[SMALL][SMALL];
        int edges[2 * SMALL * SMALL + 2], n = 0, name[SMALL];
        for (int i = 0; i < SMALL; i++) /* nodes need not be created in an order of theirs */
            name[i] = (i * 7 + round) % SMALL;
        for (int i = 0; i < SMALL; i++)
            for (int k = i + 1; k < SMALL; k++)
                if (rand_r(&seed) % 100 < round % 60) {
                    edge[name[i]][name[k]] = true;
                    edges[n++] = name[i];
                    edges[n++] = name[k];
                }
        edges[n] = edges[n + 1] = -1;
        memcpy(waits, edge, sizeof waits);
        for (int m = 0; m < SMALL; m++)
            for (int i = 0; i < SMALL; i++)
                for (int k = 0; k < SMALL; k++)
                    waits[i][k] = waits[i][k] || (waits[i][m] && waits[m][k]);
        struct dag g = graph_of(SMALL, edges);
        size_t longest = 0;
        for (int i = 0; i < SMALL; i++) {
            size_t path = path_by_trying(edge, i);
            longest = path > longest ? path : longest;
            for (int k = 0; k < SMALL; k++)
                cr_assert_eq(dag_waits(&g, &g.nodes[k], &g.nodes[i]), waits[i][k]);
        }
        cr_assert_eq(dag_width(&g), width_by_trying(waits), "round %d", round);
        cr_assert_eq(dag_path(&g), longest, "round %d", round);
        dag_free(&g);
    }
}

/* ---- large ones ------------------------------------------------------------------------------ */

static struct dag chains(size_t n_chains, size_t length)
{
    struct text t = {NULL, 0};
    FILE *to = open_memstream(&t.bytes, &t.n);
    cr_assert(to);
    fprintf(to, "nodes %zu edges %zu\n", n_chains * length, n_chains * (length - 1));
    for (size_t i = 0; i < n_chains * length; i++)
        fputs("kernel,k,0,0,-,0,0\n", to);
    for (size_t i = 0; i < n_chains * length; i++)
        if ((i + 1) % length)
            fprintf(to, "%zu,%zu\n", i, i + 1);
    fclose(to);
    struct dag g = read_text(t.bytes, t.n);
    free(t.bytes);
    return g;
}

Test(graph_query, a_large_graph_takes_no_time, .timeout = 20)
{
    struct dag exact = chains(32, DAG_EXACT / 32), large = chains(50, 2000),
               deep = chains(1, 100000);
    cr_expect(dag_width(&exact) == 32 && dag_path(&exact) == DAG_EXACT / 32);
    cr_expect(dag_width(&large) == 50 && dag_path(&large) == 2000);
    cr_expect(dag_width(&deep) == 1 && dag_path(&deep) == 100000);
    cr_expect(clock() < 10 * CLOCKS_PER_SEC);
    dag_free(&exact);
    dag_free(&large);
    dag_free(&deep);
}

/* ---- times and batches ----------------------------------------------------------------------- */

static void add_row(struct trace *t, const char *engine, const char *name, int64_t node,
                    double start, double end)
{
    struct trace_row r = {.stream = 1, .node = node, .start_us = start, .end_us = end};
    snprintf(r.engine, sizeof r.engine, "%s", engine);
    snprintf(r.name, sizeof r.name, "%s", name);
    cr_assert_eq(trace_add(t, &r), 0);
}

/* One launch of one_batch; the second copy runs before the first. */
static struct trace launch(int64_t first_node, double kernel_from)
{
    struct trace t = {0};
    add_row(&t, "api", "cudaGraphLaunch", -1, 0, 1);
    add_row(&t, "h2d", "memcpy_pageable", first_node + 1, 2, 3);
    add_row(&t, "h2d", "memcpy_pinned", first_node, 3, 5);
    add_row(&t, "sm", "matmul", first_node + 2, kernel_from, 16);
    add_row(&t, "sm", "matmul", -1, 16, 17); /* not of the graph */
    add_row(&t, "d2h", "memcpy_pinned", first_node + 3, 20, 24);
    return t;
}

Test(graph_query, nodes_get_the_times_of_their_rows)
{
    struct dag g = read_text(one_batch, sizeof one_batch - 1);
    struct trace t = launch(7, 6);
    cr_assert(isnan(dag_path_us(&g)));
    cr_assert(dag_take_times(&g, &t));
    cr_expect(g.nodes[0].start_us == 3 && g.nodes[0].end_us == 5 && g.nodes[1].start_us == 2);
    cr_expect(g.nodes[2].start_us == 6 && g.nodes[3].end_us == 24);
    cr_expect_float_eq(dag_path_us(&g), 2 + 10 + 4, 1e-9);
    size_t path[4];
    cr_expect(dag_path_nodes(&g, path) == 3 && path[0] == 0 && path[1] == 2 && path[2] == 3);
    trace_free(&t);
    dag_free(&g);
}

Test(graph_query, no_times_are_better_than_wrong_ones)
{
    struct dag g = read_text(one_batch, sizeof one_batch - 1);
    struct trace early = launch(0, 3.5), missing = launch(0, 6), twice = launch(0, 6);
    missing.rows[3].node = -1;
    add_row(&twice, "sm", "matmul", 2, 30, 40);
    cr_expect(!dag_take_times(&g, &early), "the kernel began before its inputs were there");
    cr_expect(!dag_take_times(&g, &missing), "the kernel is not in the trace");
    cr_expect(!dag_take_times(&g, &twice), "there are two launches in the trace");
    for (size_t i = 0; i < g.n_nodes; i++)
        cr_expect(isnan(g.nodes[i].start_us) && isnan(g.nodes[i].end_us));
    trace_free(&early);
    trace_free(&missing);
    trace_free(&twice);
    dag_free(&g);
}

Test(graph_query, batches_come_from_the_buffers)
{
    struct dag g = read_text(one_batch, sizeof one_batch - 1);
    dag_take_batches(&g, 512, 3); /* a from 1024: batch 2; c from 2048: batch 4, of 3: 1 */
    cr_expect(g.nodes[0].batch == 2 && g.nodes[1].batch == -1);
    cr_expect(g.nodes[3].batch == 1 && g.nodes[2].batch == 1,
              "the copy back says whose kernel it is");
    dag_free(&g);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* What dot makes of the graph; to be freed. */
static char *draw(const struct dag *g, const char *title, const struct dag_difference *difference)
{
    if (system("dot -V 2>/dev/null") != 0)
        cr_skip_test("graphviz is not installed");
    char *svg = NULL, name[] = "/tmp/graph-XXXXXX", command[64];
    size_t n = 0;
    int fd = mkstemp(name);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    cr_assert(to);
    dag_write_dot(g, to, title, difference);
    cr_assert_eq(fclose(to), 0);
    snprintf(command, sizeof command, "dot -Tsvg %s 2>&1", name);
    FILE *from = popen(command, "r");
    cr_assert(from);
    ssize_t got = getdelim(&svg, &n, EOF, from);
    cr_expect_eq(pclose(from), 0, "%s", svg);
    unlink(name);
    cr_assert(got > 0);
    return svg;
}

Test(graph_query, graphviz_draws_it_whatever_kernels_are_called)
{
    static const char text[] = "nodes 2 edges 1\n"
                               "kernel,k,0,0,b,0,0\n"
                               "memset,-,3145728,7,-,0,0\n"
                               "0,1\n";
    struct dag g = read_text(text, sizeof text - 1);
    snprintf(g.nodes[0].name, sizeof g.nodes[0].name, "a\"b\\n];x->y[&lt;i&gt;");
    snprintf(g.nodes[0].buffer, sizeof g.nodes[0].buffer, "\" URL=\"javascript:1");
    char *svg = draw(&g, "a title with \"quotes\" and a \\ and\na new line", NULL);
    cr_expect(strstr(svg, "a&quot;b\\n];x&#45;&gt;y[&amp;lt;i&amp;gt;"), "%s", svg);
    cr_expect(!strstr(svg, "<a ") && !strstr(svg, "href"), "a buffer's name is a link: %s", svg);
    cr_expect(strstr(svg, "memset to 7") && strstr(svg, "3 MiB"), "%s", svg);
    free(svg);
    dag_free(&g);
}

Test(graph_query, a_picture_shows_edges_that_are_missing_and_edges_too_many)
{
    static const char text[] = "nodes 3 edges 2\n"
                               "kernel,k,0,0,b,0,0\n"
                               "memset,-,3145728,7,-,0,0\n"
                               "kernel,l,0,0,b,0,0\n"
                               "0,1\n0,2\n";
    static const char *const shown[] = {"first", NULL, "[last]"};
    struct dag g = read_text(text, sizeof text - 1);
    const struct dag_difference difference = {.shown = shown,
                                              .missing = &(struct dag_edge){1, 2},
                                              .n_missing = 1,
                                              .extra = &(struct dag_edge){0, 2},
                                              .n_extra = 1};
    char *svg = draw(&g, "a graph", &difference);
    const char *dashed = strstr(svg, "stroke=\"#c00000\""), *missing = strstr(svg, "n0_1&#45;&gt;"),
               *dotted = strstr(svg, "stroke-dasharray=\"1,5\""), *extra = strstr(svg, ";n0_2");
    cr_expect(dashed && strstr(dashed, "stroke-dasharray=\"5,2\""), "%s", svg);
    cr_expect(missing && dashed && dashed > missing && extra && dotted && dotted > extra, "%s",
              svg);
    cr_expect(strstr(svg, "first<") && strstr(svg, "[last]<") && strstr(svg, "memset to 7<"), "%s",
              svg);
    cr_expect(strstr(svg, "an edge that is missing") && strstr(svg, "an edge too many"), "%s", svg);
    free(svg);
    svg = draw(&g, "a graph", NULL);
    cr_expect(!strstr(svg, "stroke-dasharray") && !strstr(svg, "an edge"), "%s", svg);
    free(svg);
    dag_free(&g);
}

Test(graph_query, graphviz_draws_bodies_in_frames)
{
    struct dag g = read_text(a_loop, sizeof a_loop - 1);
    char *svg = draw(&g, "a loop", NULL);
    static const char *const words[] = {"WHILE<",
                                        "as long as the value is not 0<",
                                        "SWITCH<",
                                        "if the value is 0<",
                                        "if the value is 1<",
                                        "nothing<"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        cr_expect(strstr(svg, words[i]), "%s: %s", words[i], svg);
    int clusters = 0;
    for (const char *at = svg; (at = strstr(at, "class=\"cluster\"")) != NULL; at++)
        clusters++;
    cr_expect_eq(clusters, 3, "%s", svg);
    cr_expect(!strstr(svg, "fill=\"#000000\""), "a node that cannot be read: %s", svg);
    free(svg);
    dag_free(&g);
}
