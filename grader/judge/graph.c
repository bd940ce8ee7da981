/* graph.c: a submission's graph: fetched from the subject, shown in the report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/timeline.h"
#include "inside.h"

enum { MOST_DRAWN = 300 }; /* nodes: a picture with more cannot be read */

/* Those inside of nodes, too. */
static bool is_drawn(const struct dag *g)
{
    return dag_count_all(g, NULL, NULL) <= MOST_DRAWN;
}

/* Only the judge's own buffers: the names come from the process of the submission. */
static bool has_known_buffers(const struct judged *j, const struct dag *g)
{
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct dag_node *n = &g->nodes[i];
        bool known = strcmp(n->buffer, "-") == 0;
        for (int b = 0; b < j->n_buffers; b++)
            known = known || strcmp(n->buffer, j->own.buffers[b].name) == 0;
        for (size_t k = 0; k < n->n_inside; k++)
            known = known && has_known_buffers(j, &n->inside[k]);
        if (!known)
            return false;
    }
    return true;
}

/* The graph in the blob; NULL, or why it cannot be read. */
static const char *read_graph(struct judged *j)
{
    dag_free(&j->graph);
    j->is_older = false;

    char *text;
    const char *why = "it is empty";
    FILE *from = judge_open_blob(j, &text);
    int failed = from ? dag_read(&j->graph, from, &why) : -1;
    if (from)
        fclose(from);
    free(text);
    if (failed || has_known_buffers(j, &j->graph))
        return failed ? why : NULL;
    dag_free(&j->graph);
    return "a buffer in it is none of the lab's";
}

/* What the run before reported is still true. */
static void keep_figures(struct judged *j, const struct wire_reply *before)
{
    for (size_t i = 0; i < FIGURES; i++)
        if (!(j->reply.reported >> i & 1))
            j->reply.figures[i] = before->figures[i];
    j->reply.reported |= before->reported;
}

struct dag *judge_graph(struct judged *j)
{
    const struct wire_reply before = j->reply;
    judge_ask(j, WIRE_GRAPH, -1);
    keep_figures(j, &before);
    if (j->reply.outcome == WIRE_UNSUPPORTED)
        judge_unsupported(j);
    const char *why = read_graph(j);
    j->is_partial = false;
    if (why)
        judge_fail("the graph cannot be read: %s", why);
    if (dag_has_cycle(&j->graph)) {
        judge_asks("cycle");
        judge_expect(
            j->graph.n_ordered < j->graph.n_nodes,
            "a graph inside of a node has a cycle: none of the nodes on it can ever begin");
        judge_fail("the graph has a cycle: %zu of its %zu nodes wait for each other or for those "
                   "that do, so none of them can ever begin",
                   j->graph.n_nodes - j->graph.n_ordered, j->graph.n_nodes);
    }
    return &j->graph;
}

static void put_row(FILE *to, const char *what, size_t actual, const char *expected)
{
    fprintf(to, "%-14s%7zu", what, actual);
    if (expected)
        fprintf(to, "    %s", expected);
    putc('\n', to);
}

static void put_words(const struct dag *g, FILE *to, const struct judge_shape *expected)
{
    double path_us = dag_path_us(g);
    const bool is_expected = expected->nodes || expected->edges || expected->roots ||
                             expected->sinks || expected->width || expected->path;
    fprintf(to, "%-14s%7s%s\n", "", "actual", is_expected ? "    expected" : "");
    put_row(to, "nodes", g->n_nodes, expected->nodes);
    if (expected->inside)
        put_row(to, "inside them", dag_count_all(g, NULL, NULL) - g->n_nodes, expected->inside);
    put_row(to, "edges", g->n_edges, expected->edges);
    put_row(to, "roots", dag_roots(g), expected->roots);
    put_row(to, "sinks", dag_sinks(g), expected->sinks);
    put_row(to, "width", dag_width(g), expected->width);
    put_row(to, "critical path", dag_path(g), expected->path);
    if (path_us > 0)
        fprintf(to, "the path that took longest (thick in the picture): %.1f us of work\n",
                path_us);
    if (!is_drawn(g))
        fprintf(to, "(more than %d nodes: no picture of it)\n", MOST_DRAWN);
}

/* What the picture is of, and, where it shows times, what device they are from. */
static void put_title(const struct judged *j, char *title, size_t room)
{
    size_t n = (size_t)snprintf(title, room, "%s, %s", judge_session->lab, j->scenario->name);
    bool timed = false;
    for (size_t i = 0; i < j->graph.n_nodes; i++)
        timed = timed || !isnan(j->graph.nodes[i].start_us);
    if (!timed || n + 4 >= room)
        return;
    n += (size_t)snprintf(title + n, room - n, "; ");
    timeline_source(&j->trace, title + n, room - n);
}

/* A graph of a check that failed stays, unless its function was given with the mistake. */
static bool stays(const struct session_check *shown)
{
    return shown && shown != judge_current && shown->status == CHECK_FAILED && !shown->given;
}

void judge_show_graph(struct judged *j, const struct judge_shape *expected)
{
    struct session *s = judge_session;
    char title[512];
    if (stays(session_find(s, s->graph_check)))
        return;
    snprintf(s->graph_check, sizeof s->graph_check, "%s", judge_current->name);
    s->graph_words[0] = s->graph_dot[0] = 0;
    put_title(j, title, sizeof title);

    FILE *to = fmemopen(s->graph_words, sizeof s->graph_words, "w");
    if (to) {
        fprintf(to, "%s\n", j->scenario->name);
        if (j->is_partial)
            fputs("as far as it was captured before the error\n", to);
        put_words(&j->graph, to, expected);
        fclose(to);
        s->graph_words[sizeof s->graph_words - 1] = 0;
    }
    to = is_drawn(&j->graph) ? fmemopen(s->graph_dot, sizeof s->graph_dot, "w") : NULL;
    if (to) {
        dag_write_dot(&j->graph, to, title, expected->difference);
        if (fclose(to) != 0)
            s->graph_dot[0] = 0;
    }
}

void judge_take_failed_capture(struct judged *j)
{
    const bool is_older = j->reply.blob_bytes == 0;
    /* a graph of an earlier scenario is not shown */
    if (is_older ? j->request.op == WIRE_SETUP : read_graph(j) != NULL)
        dag_free(&j->graph);
    j->is_partial = !is_older && j->graph.n_nodes > 0;
    judge_ask_capture(is_older ? NULL : &j->graph);
}

void judge_show_failed_graph(struct judged *j)
{
    const struct session_check *shown = session_find(judge_session, judge_session->graph_check);
    const bool is_better = !shown || (shown != judge_current && shown->status != CHECK_FAILED &&
                                      !judge_current->given);
    if (j->graph.n_nodes > 0 && !j->is_older && is_better)
        judge_show_graph(j, &(struct judge_shape){0});
}
