/* test_rules.c: the rules that name mistakes: which facts each term asks, in which order rules are
 * tried, and which rules the build refuses. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/trace.h"
#include "query/graph.h"
#include "rules/rules.h"
#include "session/session.h"

/* ---- which rule matches ---------------------------------------------------------------------- */

static struct session_event event;
static struct wire_error ignored;

static struct facts some_facts(void)
{
    event = (struct session_event){.cause = CAUSE_NONE};
    ignored = (struct wire_error){.code = 0};
    return (struct facts){.lab = "lab00",
                          .check = "results",
                          .tried = "",
                          .is_simulated = true,
                          .event = &event,
                          .ignored = &ignored};
}

static void race(const char *first, const char *second)
{
    event.cause = CAUSE_FINDING;
    event.finding = (struct simgpu_finding){.kind = SIMGPU_RACE,
                                            .what = SIMGPU_WHAT_READS_EARLY,
                                            .first = {.stream = 1, .node = -1},
                                            .second = {.stream = 2, .node = -1}};
    strcpy(event.finding.first.name, first);
    strcpy(event.finding.second.name, second);
}

static void error(const char *name, const char *call)
{
    event.cause = CAUSE_FAILED;
    event.failure = (struct wire_failure){.error.code = 1, .error.origin = WIRE_ORIGIN_CALL};
    strcpy(event.failure.error.name, name);
    strcpy(event.failure.error.call, call);
}

static bool holds(const struct facts *f, const char *text)
{
    const struct rule rules[] = {{.name = "own_name", .number = 3, .text = text}, {.text = NULL}};
    return rule_find(&(struct rule_list){.rules = rules}, f) != NULL;
}

Test(rules, a_race_is_told_by_its_operations)
{
    const struct facts f = some_facts();
    race("memcpyD2H", "matmul_tiled");
    static const char *const match[] = {"race",
                                        "race memcpyD2H -> matmul*",
                                        "race -> matmul*",
                                        "race memcpyD2H",
                                        "race matmul* <-> memcpy*",
                                        "race memset|memcpyD2H -> *",
                                        "wait none",
                                        "what reads-early",
                                        "what both-write|reads-early",
                                        "enqueued first",
                                        "not legacy",
                                        "not race memset*"};
    static const char *const none[] = {"race matmul* -> memcpyD2H",
                                       "race memcpyD2H -> matmul",
                                       "uninitialized",
                                       "leak",
                                       "legacy",
                                       "what both-write",
                                       "wait some",
                                       "error InvalidValue"};
    for (size_t i = 0; i < sizeof match / sizeof match[0]; i++)
        cr_expect(holds(&f, match[i]), "%s", match[i]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_not(holds(&f, none[i]), "%s", none[i]);
    event.finding.second.stream = 0;
    cr_expect(holds(&f, "legacy second"));
    cr_expect_not(holds(&f, "legacy first"));
}

Test(rules, an_error_is_told_by_its_name_and_its_call)
{
    const struct facts f = some_facts();
    error("cudaErrorInvalidValue", "cudaMemcpy2DAsync");
    cr_expect(holds(&f, "error InvalidValue"));
    cr_expect(holds(&f, "error NotReady|InvalidValue from cudaMemcpy*"));
    cr_expect_not(holds(&f, "error InvalidValue from cudaMemcpy"));
    cr_expect_not(holds(&f, "error InvalidValue, no-call"));
    event.failure.error.origin = WIRE_ORIGIN_UNKNOWN; /* a GPU does not say */
    cr_expect_not(holds(&f, "error InvalidValue from cudaMemcpy*"));
    cr_expect(holds(&f, "error InvalidValue"));
    event.failure.error.origin = WIRE_ORIGIN_NONE;
    cr_expect(holds(&f, "error InvalidValue, no-call"));
}

Test(rules, facts_notes_and_what_is_tried)
{
    struct facts f = some_facts();
    f.named[f.n_named++] = (struct fact){"launches", 0};
    f.named[f.n_named++] = (struct fact){"own_name", 1};
    f.noted[f.n_noted++] = 3;
    f.tried = "long";
    static const char *const match[] = {"fact",          "fact launches",      "fact launches = 0",
                                        "noted",         "tries long|short",   "fact launches < 1",
                                        "check results", "fact launches != 2", "on sim"};
    static const char *const none[] = {
        "fact launches > 0", "fact other", "tries short", "check time",        "not noted",
        "trace streams = 1", "on gpu",     "ignored",     "fact launches >= 1"};
    for (size_t i = 0; i < sizeof match / sizeof match[0]; i++)
        cr_expect(holds(&f, match[i]), "%s", match[i]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_not(holds(&f, none[i]), "%s", none[i]);
    f.noted[0] = 4;
    cr_expect_not(holds(&f, "noted"));
    ignored.code = 1;
    strcpy(ignored.call, "cudaFree");
    cr_expect(holds(&f, "ignored cudaFree*"));
}

Test(rules, a_trace_is_asked_only_if_the_check_asked_it)
{
    struct facts f = some_facts();
    struct trace_row rows[] = {{.engine = "api", .name = "cudaMalloc"},
                               {.engine = "h2d", .name = "memcpy_pageable", .stream = 7}};
    struct trace t = {.rows = rows, .n_rows = 2};
    cr_expect_not(holds(&f, "trace calls cudaMalloc* > 0"));
    f.trace = &t;
    cr_expect(holds(&f, "trace calls cudaMalloc*|cudaFree > 0"));
    cr_expect(holds(&f, "trace rows h2d|d2h memcpy_pageable = 1, trace streams = 1"));
    cr_expect_not(holds(&f, "trace legacy"));
    cr_expect_not(holds(&f, "trace calls cudaFree > 0"));
}

Test(rules, a_graph_differs_from_a_drawing_by_its_nodes_and_edges)
{
    struct facts f = some_facts();
    cr_expect_not(holds(&f, "drawn loop"));
    f.drawn[f.n_drawn++] =
        (struct drawn_fact){"loop", DIFFERS_BY_EDGE_REVERSED, "sweep", "if", .actual = 0};
    f.drawn[f.n_drawn++] = (struct drawn_fact){"body", DIFFERS_BY_NODE_MISSING, "step", "", 2};
    static const char *const match[] = {"drawn loop",
                                        "drawn body|graph",
                                        "drawn loop edge-reversed",
                                        "drawn loop edge-missing|edge-reversed sweep -> if|probe",
                                        "drawn loop edge-reversed -> if",
                                        "drawn body node-missing step",
                                        "drawn body node-missing step = 2",
                                        "drawn body node-missing, drawn loop"};
    static const char *const none[] = {"drawn graph",
                                       "drawn body edge-reversed",
                                       "drawn loop edge-missing",
                                       "drawn loop edge-reversed if -> sweep",
                                       "drawn loop edge-reversed sweep -> probe",
                                       "drawn body node-missing sweep",
                                       "drawn body node-missing step = 0"};
    for (size_t i = 0; i < sizeof match / sizeof match[0]; i++)
        cr_expect(holds(&f, match[i]), "%s", match[i]);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_not(holds(&f, none[i]), "%s", none[i]);
}

static bool has_passed(const char *check)
{
    return strcmp(check, "results") == 0;
}

Test(rules, another_check_has_passed)
{
    struct facts f = some_facts();
    cr_expect_not(holds(&f, "passed results"));
    f.has_passed = has_passed;
    cr_expect(holds(&f, "passed results"));
    cr_expect_not(holds(&f, "passed time"));
}

/* h2d -> kernel, h2d -> d2h */
static struct dag some_graph(void)
{
    static struct dag_node nodes[] = {{.kind = "h2d", .name = "-", .n_out = 2},
                                      {.kind = "kernel", .name = "dense"},
                                      {.kind = "d2h", .name = "-"}};
    static size_t out[] = {1, 2};
    return (struct dag){.nodes = nodes, .n_nodes = 3, .out = out, .n_edges = 2};
}

Test(rules, a_graph_is_asked_for_its_nodes_sinks_and_edges)
{
    struct facts f = some_facts();
    struct dag g = some_graph();
    cr_expect_not(holds(&f, "graph nodes h2d >= 0"), "the check asked none");
    f.graph = &g;
    static const char *const match[] = {"graph nodes h2d|d2h = 2", "graph kernels den* = 1",
                                        "graph sinks kernel > 0",  "graph sinks h2d = 0",
                                        "graph edges h2d d2h = 1", "graph edges * * = 2"};
    for (size_t i = 0; i < sizeof match / sizeof match[0]; i++)
        cr_expect(holds(&f, match[i]), "%s", match[i]);
    cr_expect_not(holds(&f, "graph edges d2h h2d > 0"));
    cr_expect_not(holds(&f, "graph nodes p2p > 0"));
}

Test(rules, a_capture_is_asked_with_its_error)
{
    struct facts f = some_facts();
    struct dag g = some_graph();
    error("cudaErrorStreamCaptureUnjoined", "cudaStreamEndCapture");
    cr_expect_not(holds(&f, "error StreamCapture*, capture nodes h2d = 1"), "a GPU knows none");
    f.capture = &g;
    cr_expect(holds(&f, "error StreamCapture*, capture nodes h2d = 1"));
    cr_expect(holds(&f, "capture sinks kernel > 0"));
    cr_expect_not(holds(&f, "graph nodes h2d = 1"));
}

static bool is_odd(const struct facts *f)
{
    return f->n_named % 2 == 1;
}

Test(rules, the_first_that_matches_decides)
{
    struct facts f = some_facts();
    const struct rule rules[] = {{.name = "first", .text = "fact a, code odd"},
                                 {.name = "second", .text = "fact a"},
                                 {.name = "third", .text = "fact a|b"},
                                 {.text = NULL}};
    const struct rule_code codes[] = {{"odd", is_odd}, {NULL, NULL}};
    const struct rule_list list = {rules, codes};
    cr_expect_null(rule_find(&list, &f));
    f.named[f.n_named++] = (struct fact){"b", 1};
    cr_expect_str_eq(rule_find(&list, &f)->name, "third");
    f.named[f.n_named++] = (struct fact){"a", 1};
    cr_expect_str_eq(rule_find(&list, &f)->name, "second");
    f.named[f.n_named++] = (struct fact){"c", 1};
    cr_expect_str_eq(rule_find(&list, &f)->name, "first");
}

/* ---- which rules the build refuses ----------------------------------------------------------- */

/* What build/grader/rules says of a table. */
static const char *said_of(const char *table)
{
    static char text[2048];
    char name[] = "/tmp/rules-XXXXXX", command[96];
    const int fd = mkstemp(name);
    FILE *to = fdopen(fd, "w");
    cr_assert(fd >= 0 && to);
    fputs(table, to);
    fclose(to);
    snprintf(command, sizeof command, "build/grader/rules %s", name);
    FILE *from = popen(command, "r");
    cr_assert(from);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    const int status = pclose(from);
    remove(name);
    cr_expect_eq(status != 0, text[0] != '\0', "status %d: %s", status, text);
    return text;
}

Test(rules, the_build_refuses_a_rule_that_cannot_decide)
{
    static const struct {
        const char *table, *words;
    } wrong[] = {
        {"m:1\ta\trice\n", "m:1: the rule \"rice\": \"rice\" is no term"},
        {"m:1\ta\trace a b\n", "\"race\" does not take these words"},
        {"m:1\ta\twhat reads_early\n", "\"what\" does not take these words"},
        {"m:1\ta\ttrace calls x > many\n", "\"trace\" does not take these words"},
        {"m:1\ta\tdrawn loop edge-lost\n", "\"drawn\" does not take these words"},
        {"m:1\ta\tdrawn loop edge-missing a b\n", "\"drawn\" does not take these words"},
        {"m:1\ta\tfact x >\n", "\"fact\" does not take these words"},
        {"m:1\ta\trace, error InvalidValue\n", "it can never match"},
        {"m:1\ta\tleak, race\n", "it can never match"},
        {"m:1\ta\tcrash, endless\n", "it can never match"},
        {"m:1\ta\trace, capture nodes h2d > 0\n", "it can never match"},
        {"m:1\ta\tgraph edges h2d > 0\n", "\"graph\" does not take these words"},
        {"m:1\ta\t, race\n", "a term is missing"},
        {"m:1\ta\trace\nm:2\tb\trace memcpy* -> matmul\n",
         "m:2: the rule of b never decides: m:1 of a matches whenever it does"},
        {"m:1\ta\trace memcpy* <-> mat*\nm:2\tb\trace matmul -> memcpyH2D\n", "never decides"},
        {"m:1\ta\terror A|B\nm:2\tb\terror B from cudaFree\n", "never decides"},
        {"m:1\ta\tfact x\nm:2\tb\tfact x > 2\n", "never decides"},
        {"m:1\ta\tfact x\nm:2\ta\tfact x\n", "never decides"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *said = said_of(wrong[i].table);
        cr_expect(strstr(said, wrong[i].words), "%s: \"%s\" is missing in: %s", wrong[i].table,
                  wrong[i].words, said);
    }
}

Test(rules, the_build_takes_rules_that_can_decide)
{
    static const char *const right[] = {"m:1\ta\tfact\nm:2\tb\tfact\n",
                                        "m:1\ta\tnoted\nm:2\tb\tnoted\n",
                                        "m:1\ta\trace memcpy* -> matmul\nm:2\tb\trace\n",
                                        "m:1\ta\tfact x > 2\nm:2\tb\tfact x\n",
                                        "m:1\ta\trace a -> b\nm:2\tb\trace b -> a\n",
                                        "m:1\ta\tnot race a\nm:2\tb\tnot race b\n",
                                        "m:1\ta\trace, legacy\nm:2\tb\trace, enqueued\n"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        cr_expect_str_empty(said_of(right[i]), "%s", right[i]);
}
