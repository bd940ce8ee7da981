/* terms_of_checks.c: terms about what checks and adapters noticed, traces and graphs. */
#include <string.h>

#include "query/graph.h"
#include "query/trace.h"
#include "session/session.h"
#include "words.h"

/* ---- what checks and adapters say ------------------------------------------------------------ */

static const struct fact *find_fact(const struct facts *f, const char *name)
{
    for (int i = 0; i < f->n_named; i++)
        if (term_matches(name, f->named[i].name))
            return &f->named[i];
    return NULL;
}

TERM(fact)
{
    const struct fact *found = find_fact(f, n > 0 ? words[0] : rule->name);
    return found && (n < 3 || words_compare(found->number, words[1], words[2]));
}

static bool maybe_any(int n, char *const *words)
{
    return n == 0 || (n == 1 && strcmp(words[0], "any") == 0);
}

TERM(noted)
{
    if (n == 1)
        return f->n_noted > 0;
    for (int i = 0; i < f->n_noted; i++)
        if (rule->number > 0 && f->noted[i] == rule->number)
            return true;
    return false;
}

TERM_IF(lab, term_matches(words[0], f->lab))
TERM_IF(check, term_matches(words[0], f->check))
TERM_IF(passed, f->has_passed && f->has_passed(words[0]))
TERM_IF(tries, term_matches(words[0], f->tried))

static bool a_device(int n, char *const *words)
{
    static const char *const all[] = {"sim", "gpu", NULL};
    return n == 1 && words_are_of(words[0], all);
}

TERM_IF(on, term_matches(words[0], f->is_simulated ? "sim" : "gpu"))

/* ---- traces and graphs ----------------------------------------------------------------------- */

/* calls CALL > 0; rows ENGINE NAME > 0; streams > 1; legacy */
static bool a_question_to_a_trace(int n, char *const *words)
{
    static const char *const engines[] = {"h2d", "d2h", "d2d", "p2p", "sm", "host", "api", NULL};
    if (n < 1 || (n > 2 && (!words_is_comparison(words[n - 2]) || !words_is_number(words[n - 1]))))
        return false;
    return (n == 4 && strcmp(words[0], "calls") == 0) ||
           (n == 5 && strcmp(words[0], "rows") == 0 && words_are_of(words[1], engines)) ||
           (n == 3 && strcmp(words[0], "streams") == 0) ||
           (n == 1 && strcmp(words[0], "legacy") == 0);
}

/* Of all alternatives together. */
static double count_rows(const struct trace *t, const char *engines, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        found += term_matches(engines, t->rows[i].engine) && term_matches(name, t->rows[i].name);
    return (double)found;
}

TERM(trace)
{
    if (!f->trace)
        return false;
    if (n == 1)
        return trace_uses_legacy_stream(f->trace);
    const double number = n == 3   ? (double)trace_streams(f->trace)
                          : n == 4 ? count_rows(f->trace, "api", words[1])
                                   : count_rows(f->trace, words[1], words[2]);
    return words_compare(number, words[n - 2], words[n - 1]);
}

/* nodes KIND > 0; kernels NAME > 0: also in the graphs inside of nodes; sinks KIND > 0: nodes that
   no other one waits for; edges KIND KIND > 0 */
static bool a_question_to_a_graph(int n, char *const *words)
{
    static const char *const of_nodes[] = {"nodes", "kernels", "sinks", NULL};
    return ((n == 4 && words_are_of(words[0], of_nodes)) ||
            (n == 5 && strcmp(words[0], "edges") == 0)) &&
           words_is_comparison(words[n - 2]) && words_is_number(words[n - 1]);
}

static double count_nodes(const struct dag *g, const char *kinds, const char *names)
{
    double found = 0;
    for (const struct dag_node *node = g->nodes; node < g->nodes + g->n_nodes; node++) {
        found += term_matches(kinds, node->kind) && term_matches(names, node->name);
        for (size_t i = 0; i < node->n_inside; i++)
            found += count_nodes(&node->inside[i], kinds, names);
    }
    return found;
}

static double count_sinks(const struct dag *g, const char *kinds)
{
    double found = 0;
    for (const struct dag_node *node = g->nodes; node < g->nodes + g->n_nodes; node++)
        found += node->n_out == 0 && term_matches(kinds, node->kind);
    return found;
}

static double count_edges(const struct dag *g, const char *from, const char *to)
{
    double found = 0;
    for (const struct dag_node *node = g->nodes; node < g->nodes + g->n_nodes; node++)
        for (size_t i = 0; i < node->n_out; i++)
            found += term_matches(from, node->kind) &&
                     term_matches(to, g->nodes[g->out[node->first_out + i]].kind);
    return found;
}

static bool answer(const struct dag *g, int n, char *const *words)
{
    if (!g)
        return false;
    const double number = n == 5                           ? count_edges(g, words[1], words[2])
                          : strcmp(words[0], "sinks") == 0 ? count_sinks(g, words[1])
                          : strcmp(words[0], "nodes") == 0 ? count_nodes(g, words[1], "*")
                                                           : count_nodes(g, "kernel", words[1]);
    return words_compare(number, words[n - 2], words[n - 1]);
}

TERM_IF(graph, answer(f->graph, n, words))
TERM_IF(capture, answer(f->capture, n, words))

static const char *const difference_words[] = {
    "node-missing",  "node-too-many", "node-of-other-kind", "edge-missing",
    "edge-reversed", "edge-too-many", "one-chain",          [DIFFERENCES] = NULL};

const char *term_difference(enum difference difference)
{
    return difference_words[difference];
}

/* DRAWING [DIFFERENCE [NODE | NODE -> NODE | NODE > 3]] */
static bool a_difference(int n, char *const *words)
{
    if (n == 0 || (n > 1 && !words_are_of(words[1], difference_words)))
        return false;
    return n <= 2 || (n == 5 && words_is_comparison(words[3]) && words_is_number(words[4])) ||
           words_sites(n - 2, words + 2);
}

static bool is_difference(const struct drawn_fact *d, int n, char *const *words)
{
    const char *both[2];
    bool either;
    if (!term_matches(words[0], d->drawing) ||
        (n > 1 && !term_matches(words[1], difference_words[d->difference])))
        return false;
    if (n == 5 && words_is_comparison(words[3]))
        return term_matches(words[2], d->from) &&
               words_compare((double)d->actual, words[3], words[4]);
    return n <= 2 || (term_sites(n - 2, words + 2, both, &either) &&
                      term_matches(both[0], d->from) && term_matches(both[1], d->to));
}

TERM(drawn)
{
    for (int i = 0; i < f->n_drawn; i++)
        if (is_difference(&f->drawn[i], n, words))
            return true;
    return false;
}

const struct term terms_of_checks[] = {
    {"capture", ABOUT_ERROR, a_question_to_a_graph, capture},
    {"fact", ABOUT_ANY, words_name_and_comparison, fact},
    {"noted", ABOUT_ANY, maybe_any, noted},
    {"lab", ABOUT_ANY, words_one, lab},
    {"check", ABOUT_ANY, words_one, check},
    {"passed", ABOUT_ANY, words_one, passed},
    {"tries", ABOUT_ANY, words_one, tries},
    {"on", ABOUT_ANY, a_device, on},
    {"trace", ABOUT_ANY, a_question_to_a_trace, trace},
    {"graph", ABOUT_ANY, a_question_to_a_graph, graph},
    {"drawn", ABOUT_ANY, a_difference, drawn},
    {NULL, ABOUT_ANY, NULL, NULL},
};
