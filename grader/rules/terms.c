/*
 * terms.c: the terms of rules: which words each takes, and the facts that make it hold.
 *
 *     passed CHECK                 another check of the grading, before this one, has passed
 *     drawn DRAWING                the graph differs from this drawing of it (labs/drawn.h)
 *     drawn DRAWING node-missing NODE           by this node
 *     drawn DRAWING node-missing NODE = 0       the same, and the graph has so many of them
 *     drawn DRAWING edge-missing NODE -> NODE   by this edge
 *
 * Questions to a graph that a check asked (`graph`), or to what a capture had captured before the
 * error (`capture`, on the simulated device):
 *
 *     nodes KIND > 0          also in the graphs inside of nodes
 *     kernels NAME > 0        the same
 *     sinks KIND > 0          nodes that no other one waits for
 *     edges KIND KIND > 0     from a node of the first kind to one of the second
 */
#include "terms.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "query/graph.h"
#include "query/trace.h"
#include "session/session.h"

/* ---- words ----------------------------------------------------------------------------------- */

static bool matches_one(const char *pattern, size_t n, const char *text)
{
    if (n > 0 && pattern[n - 1] == '*')
        return strncmp(text, pattern, n - 1) == 0;
    return strncmp(text, pattern, n) == 0 && text[n] == '\0';
}

bool term_matches(const char *pattern, const char *text)
{
    for (;; pattern++) {
        const size_t n = strcspn(pattern, "|");
        if (matches_one(pattern, n, text))
            return true;
        pattern += n;
        if (!*pattern)
            return false;
    }
}

/* Is every alternative one of these words? */
static bool are_of(const char *alternatives, const char *const *words)
{
    for (const char *p = alternatives;; p++) {
        const size_t n = strcspn(p, "|");
        bool is_known = false;
        for (int i = 0; words[i]; i++)
            is_known = is_known || (strlen(words[i]) == n && strncmp(words[i], p, n) == 0);
        if (!is_known)
            return false;
        p += n;
        if (!*p)
            return true;
    }
}

static bool is_comparison(const char *word)
{
    static const char *const all[] = {"=", "!=", "<", "<=", ">", ">=", NULL};
    return are_of(word, all);
}

static bool is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return *word && !*end;
}

/* number > 3 */
static bool compare(double number, const char *comparison, const char *with)
{
    const double other = strtod(with, NULL);
    if (comparison[0] == '!')
        return number < other || number > other;
    if (comparison[0] == '=')
        return !(number < other || number > other);
    return (number < other && comparison[0] == '<') || (number > other && comparison[0] == '>') ||
           (comparison[1] == '=' && !(number < other || number > other));
}

static bool one(int n, char *const *words)
{
    (void)words;
    return n == 1;
}

static bool at_most_one(int n, char *const *words)
{
    (void)words;
    return n <= 1;
}

/* [NAME [> 3]] */
static bool name_and_comparison(int n, char *const *words)
{
    return n <= 1 || (n == 3 && is_comparison(words[1]) && is_number(words[2]));
}

static bool which_site(int n, char *const *words)
{
    static const char *const all[] = {"first", "second", NULL};
    return n == 0 || (n == 1 && are_of(words[0], all));
}

bool term_sites(int n, char *const *words, const char *sites[2], bool *either)
{
    sites[0] = sites[1] = "*";
    *either = false;
    if (n == 0)
        return true;
    const bool has_first = strcmp(words[0], "->") != 0 && strcmp(words[0], "<->") != 0;
    if (has_first)
        sites[0] = words[0];
    if (n == has_first)
        return true;
    *either = strcmp(words[has_first], "<->") == 0;
    if (n != has_first + 2 || (!*either && strcmp(words[has_first], "->") != 0))
        return false;
    sites[1] = words[has_first + 1];
    return true;
}

static bool sites(int n, char *const *words)
{
    const char *both[2];
    bool either;
    return term_sites(n, words, both, &either);
}

/* ---- findings -------------------------------------------------------------------------------- */

static const struct simgpu_finding *finding(const struct facts *f)
{
    return f->event->cause == CAUSE_FINDING ? &f->event->finding : NULL;
}

#define TERM(name)                                                                                 \
    static bool name(const struct facts *f, const struct rule *rule, int n, char *const *words)

#define UNUSED(...) (void)(f), (void)(rule), (void)(n), (void)(words)

static bool is_kind(const struct facts *f, enum simgpu_finding_kind kind)
{
    return finding(f) && finding(f)->kind == kind;
}

TERM(race)
{
    const char *both[2];
    bool either;
    UNUSED();
    if (!is_kind(f, SIMGPU_RACE) || !term_sites(n, words, both, &either))
        return false;
    const char *first = finding(f)->first.name, *second = finding(f)->second.name;
    return (term_matches(both[0], first) && term_matches(both[1], second)) ||
           (either && term_matches(both[0], second) && term_matches(both[1], first));
}

static bool by(const struct facts *f, enum simgpu_finding_kind kind, int n, char *const *words)
{
    return is_kind(f, kind) && (n == 0 || term_matches(words[0], finding(f)->first.name));
}

TERM(uninitialized)
{
    UNUSED();
    return by(f, SIMGPU_UNINITIALIZED_READ, n, words);
}

TERM(out_of_bounds)
{
    UNUSED();
    return by(f, SIMGPU_OUT_OF_BOUNDS, n, words);
}

TERM(use_after_free)
{
    UNUSED();
    return by(f, SIMGPU_USE_AFTER_FREE, n, words);
}

TERM(host_race)
{
    UNUSED();
    return by(f, SIMGPU_HOST_RACE, n, words);
}

static const char *const object_words[] = {"none",   "memory",      "pool-memory", "pinned",
                                           "stream", "event",       "graph",       "exec",
                                           "pool",   "user-object", NULL};

static bool an_object(int n, char *const *words)
{
    return n == 1 && are_of(words[0], object_words);
}

static bool maybe_an_object(int n, char *const *words)
{
    return n == 0 || an_object(n, words);
}

static bool is_object(enum simgpu_object object, int n, char *const *words)
{
    return n == 0 ||
           ((unsigned)object < SIMGPU_OBJECTS && term_matches(words[0], object_words[object]));
}

TERM(leak)
{
    UNUSED();
    return is_kind(f, SIMGPU_LEAK) && is_object(finding(f)->object, n, words);
}

TERM(in_object)
{
    UNUSED();
    return finding(f) && is_object(finding(f)->memory.object, n, words);
}

static const char *const what_words[] = {[SIMGPU_WHAT_NOTHING] = "nothing",
                                         [SIMGPU_WHAT_READS_EARLY] = "reads-early",
                                         [SIMGPU_WHAT_OVERWRITES_EARLY] = "overwrites-early",
                                         [SIMGPU_WHAT_BOTH_WRITE] = "both-write",
                                         [SIMGPU_WHAT_USES_EARLY] = "uses-early",
                                         [SIMGPU_WHAT_FREES_EARLY] = "frees-early",
                                         [SIMGPU_WHAT_WRITES_AFTER_LAUNCH] = "writes-after-launch",
                                         [SIMGPU_WHAT_READS_UNWRITTEN] = "reads-unwritten",
                                         [SIMGPU_WHAT_READS_BEYOND] = "reads-beyond",
                                         [SIMGPU_WHAT_LEAVES_MEMORY] = "leaves-memory",
                                         [SIMGPU_WHAT_OUT_OF_REACH] = "out-of-reach",
                                         [SIMGPU_WHAT_OTHER_DEVICE] = "other-device",
                                         [SIMGPU_WHAT_FREED_BEFORE] = "freed-before",
                                         [SIMGPU_WHAT_FREED_BY_NODE] = "freed-by-node",
                                         [SIMGPU_WHAT_ALLOCATED_AGAIN] = "allocated-again",
                                         [SIMGPU_WHAT_SET_TO_PAGEABLE] = "set-to-pageable",
                                         [SIMGPU_WHAT_LOST_PEER_ACCESS] = "lost-peer-access",
                                         [SIMGPU_WHAT_NEVER_FREED] = "never-freed",
                                         [SIMGPU_WHAT_NEVER_DESTROYED] = "never-destroyed",
                                         [SIMGPU_WHAT_STILL_PENDING] = "still-pending",
                                         [SIMGPU_WHAT_STILL_CAPTURING] = "still-capturing",
                                         [SIMGPU_WHAT_NEVER_LAUNCHED] = "never-launched",
                                         [SIMGPU_WHAT_LAUNCH_FAILED] = "launch-failed",
                                         [SIMGPU_WHATS] = NULL};

static bool a_what(int n, char *const *words)
{
    return n == 1 && are_of(words[0], what_words);
}

TERM(what)
{
    UNUSED();
    return finding(f) && term_matches(words[0], what_words[finding(f)->what]);
}

/* Does it hold for the operation that the word names, or, without one, for either? */
static bool of_site(const struct facts *f, int n, char *const *words,
                    bool (*holds)(const struct simgpu_site *site))
{
    const struct simgpu_finding *found = finding(f);
    if (!found)
        return false;
    if (n == 1)
        return holds(strcmp(words[0], "first") == 0 ? &found->first : &found->second);
    return holds(&found->first) || holds(&found->second);
}

static bool is_legacy(const struct simgpu_site *site)
{
    return site->name[0] && site->stream == 0;
}

static bool is_enqueued(const struct simgpu_site *site)
{
    return site->name[0] && site->node < 0;
}

static bool is_early(const struct simgpu_site *site)
{
    return site->is_early;
}

static bool is_staged(const struct simgpu_site *site)
{
    return site->is_staged;
}

TERM(legacy)
{
    UNUSED();
    return of_site(f, n, words, is_legacy);
}

TERM(enqueued)
{
    UNUSED();
    return of_site(f, n, words, is_enqueued);
}

TERM(staged)
{
    UNUSED();
    return of_site(f, n, words, is_staged);
}

TERM(early)
{
    UNUSED();
    return of_site(f, n, words, is_early);
}

TERM(at_start)
{
    UNUSED();
    return finding(f) && finding(f)->address == finding(f)->memory.address;
}

TERM(is_reading)
{
    UNUSED();
    return finding(f) && finding(f)->is_read;
}

static const char *const wait_words[] = {"none",       "some",      "legacy", "for-first",
                                         "for-itself", "for-other", NULL};

static bool a_wait(int n, char *const *words)
{
    return n == 1 && are_of(words[0], wait_words);
}

TERM(wait_before)
{
    const struct simgpu_finding *found = finding(f);
    UNUSED();
    if (!found)
        return false;
    const bool has = found->wait.waited.at != 0;
    return (!has && term_matches(words[0], "none")) || (has && term_matches(words[0], "some")) ||
           (has && found->wait.stream == 0 && term_matches(words[0], "legacy")) ||
           (has && found->is_wait_for_first && term_matches(words[0], "for-first")) ||
           (has && found->is_wait_for_itself && term_matches(words[0], "for-itself")) ||
           (has && found->wait.stream >= 0 && !found->is_wait_for_first &&
            term_matches(words[0], "for-other"));
}

/* ---- errors, deaths, time limits ------------------------------------------------------------- */

static const struct wire_failure *failure(const struct facts *f)
{
    return f->event->cause == CAUSE_FAILED ? &f->event->failure : NULL;
}

/* NAME [from CALL] */
static bool an_error(int n, char *const *words)
{
    return n == 1 || (n == 3 && strcmp(words[1], "from") == 0);
}

/* "InvalidValue" for cudaErrorInvalidValue */
static const char *short_name(const struct wire_error *e)
{
    static const char start[] = "cudaError";
    const size_t n = sizeof start - 1;
    return strncmp(e->name, start, n) == 0 ? e->name + n : e->name;
}

TERM(error)
{
    const struct wire_failure *failed = failure(f);
    UNUSED();
    return failed && term_matches(words[0], short_name(&failed->error)) &&
           (n == 1 || (failed->error.origin == WIRE_ORIGIN_CALL &&
                       term_matches(words[2], failed->error.call)));
}

TERM(of_no_call)
{
    UNUSED();
    return failure(f) && failure(f)->error.origin == WIRE_ORIGIN_NONE;
}

TERM(of_function)
{
    UNUSED();
    return failure(f) && term_matches(words[0], failure(f)->what);
}

static const char *const broken_words[] = {
    "still-capturing", "graph-null", "graph-destroyed", "beside-struct", "beside-block",
    "own-call",        NULL};

static bool a_broken_rule(int n, char *const *words)
{
    return n == 1 && are_of(words[0], broken_words);
}

TERM(broken)
{
    static const enum wire_reason reasons[] = {WIRE_STILL_CAPTURING, WIRE_GRAPH_NULL,
                                               WIRE_GRAPH_DEAD,      WIRE_BESIDE_STRUCT,
                                               WIRE_BESIDE_BLOCK,    WIRE_OWN_CALL_FAILED};
    UNUSED();
    for (int i = 0; failure(f) && broken_words[i]; i++)
        if (failure(f)->reason == reasons[i] && term_matches(words[0], broken_words[i]))
            return true;
    return false;
}

static const char *const refusal_words[] = {"nothing", "null",       "handle", "destroyed",
                                            "freed",   "node-twice", NULL};

static bool a_refusal(int n, char *const *words)
{
    return n == 1 && are_of(words[0], refusal_words);
}

TERM(refused)
{
    static const int refusals[] = {SIMGPU_REFUSED_NOTHING, SIMGPU_REFUSED_NULL,
                                   SIMGPU_REFUSED_HANDLE,  SIMGPU_REFUSED_DESTROYED,
                                   SIMGPU_REFUSED_FREED,   SIMGPU_REFUSED_NODE_TWICE};
    UNUSED();
    for (int i = 0; failure(f) && refusal_words[i]; i++)
        if ((int)failure(f)->error.refusal.what == refusals[i] &&
            term_matches(words[0], refusal_words[i]))
            return true;
    return false;
}

static const char *const death_words[] = {"device-memory", "lent-memory", "struct", "beyond-block",
                                          "stack",         "abort",       "signal", NULL};

static bool a_death(int n, char *const *words)
{
    return n == 0 || (n == 1 && are_of(words[0], death_words));
}

TERM(crash)
{
    const struct session_event *e = f->event;
    UNUSED();
    if (e->cause != CAUSE_ENDED || n == 0)
        return e->cause == CAUSE_ENDED;
    const bool is[] = {e->has_fault && e->fault.device,
                       e->has_fault && e->fault.lent[0],
                       e->has_fault && e->fault.struct_bytes > 0,
                       e->has_fault && e->fault.block_bytes > 0,
                       e->has_fault && e->fault.stack,
                       WIFSIGNALED(e->wait_status) && WTERMSIG(e->wait_status) == SIGABRT,
                       WIFSIGNALED(e->wait_status)};
    for (int i = 0; death_words[i]; i++)
        if (is[i] && term_matches(words[0], death_words[i]))
            return true;
    return false;
}

/* The line that crashed is known, and is no call of the runtime: it is the submission's own. */
TERM(in_own_code)
{
    UNUSED();
    return f->event->cause == CAUSE_ENDED && f->event->has_fault && f->event->fault_at.at[0] &&
           !f->event->fault.in_call;
}

TERM(endless)
{
    UNUSED();
    return f->event->cause == CAUSE_TIMEOUT;
}

static const char *const request_words[] = {"setup", "run",      "collect", "floor",
                                            "graph", "teardown", NULL};

static bool a_request(int n, char *const *words)
{
    return n == 1 && are_of(words[0], request_words);
}

TERM(during)
{
    static const enum wire_op requests[] = {WIRE_SETUP, WIRE_GO,    WIRE_COLLECT,
                                            WIRE_FLOOR, WIRE_GRAPH, WIRE_TEARDOWN};
    UNUSED();
    for (int i = 0; f->event->cause != CAUSE_NONE && request_words[i]; i++)
        if (f->event->request == requests[i] && term_matches(words[0], request_words[i]))
            return true;
    return false;
}

TERM(ignored)
{
    UNUSED();
    return f->ignored->code != 0 && (n == 0 || term_matches(words[0], f->ignored->call));
}

/* ---- what checks and adapters say ------------------------------------------------------------ */

static const struct fact *find_fact(const struct facts *f, const char *name)
{
    for (int i = 0; i < f->n_named; i++)
        if (term_matches(name, f->named[i].name))
            return &f->named[i];
    return NULL;
}

double fact_number(const struct facts *f, const char *name)
{
    const struct fact *found = find_fact(f, name);
    return found ? found->number : 0;
}

TERM(fact)
{
    const struct fact *found = find_fact(f, n > 0 ? words[0] : rule->name);
    return found && (n < 3 || compare(found->number, words[1], words[2]));
}

static bool maybe_any(int n, char *const *words)
{
    return n == 0 || (n == 1 && strcmp(words[0], "any") == 0);
}

TERM(noted)
{
    UNUSED();
    if (n == 1)
        return f->n_noted > 0;
    for (int i = 0; i < f->n_noted; i++)
        if (rule->number > 0 && f->noted[i] == rule->number)
            return true;
    return false;
}

TERM(lab)
{
    UNUSED();
    return term_matches(words[0], f->lab);
}

TERM(check)
{
    UNUSED();
    return term_matches(words[0], f->check);
}

TERM(passed)
{
    UNUSED();
    return f->has_passed && f->has_passed(words[0]);
}

TERM(tries)
{
    UNUSED();
    return term_matches(words[0], f->tried);
}

static bool a_device(int n, char *const *words)
{
    static const char *const all[] = {"sim", "gpu", NULL};
    return n == 1 && are_of(words[0], all);
}

TERM(on)
{
    UNUSED();
    return term_matches(words[0], f->is_simulated ? "sim" : "gpu");
}

/* ---- traces and graphs ----------------------------------------------------------------------- */

/* calls CALL > 0; rows ENGINE NAME > 0; streams > 1; legacy */
static bool a_question_to_a_trace(int n, char *const *words)
{
    static const char *const engines[] = {"h2d", "d2h", "d2d", "p2p", "sm", "host", "api", NULL};
    if (n < 1 || (n > 2 && (!is_comparison(words[n - 2]) || !is_number(words[n - 1]))))
        return false;
    return (n == 4 && strcmp(words[0], "calls") == 0) ||
           (n == 5 && strcmp(words[0], "rows") == 0 && are_of(words[1], engines)) ||
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
    UNUSED();
    if (!f->trace)
        return false;
    if (n == 1)
        return trace_uses_legacy_stream(f->trace);
    const double number = n == 3   ? (double)trace_streams(f->trace)
                          : n == 4 ? count_rows(f->trace, "api", words[1])
                                   : count_rows(f->trace, words[1], words[2]);
    return compare(number, words[n - 2], words[n - 1]);
}

/* nodes KIND > 0; kernels NAME > 0: also in the graphs inside of nodes; sinks KIND > 0: nodes that
   no other one waits for; edges KIND KIND > 0 */
static bool a_question_to_a_graph(int n, char *const *words)
{
    static const char *const of_nodes[] = {"nodes", "kernels", "sinks", NULL};
    return ((n == 4 && are_of(words[0], of_nodes)) || (n == 5 && strcmp(words[0], "edges") == 0)) &&
           is_comparison(words[n - 2]) && is_number(words[n - 1]);
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
    return compare(number, words[n - 2], words[n - 1]);
}

TERM(graph)
{
    UNUSED();
    return answer(f->graph, n, words);
}

TERM(capture)
{
    UNUSED();
    return answer(f->capture, n, words);
}

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
    if (n == 0 || (n > 1 && !are_of(words[1], difference_words)))
        return false;
    return n <= 2 || (n == 5 && is_comparison(words[3]) && is_number(words[4])) ||
           sites(n - 2, words + 2);
}

static bool is_difference(const struct drawn_fact *d, int n, char *const *words)
{
    const char *both[2];
    bool either;
    if (!term_matches(words[0], d->drawing) ||
        (n > 1 && !term_matches(words[1], difference_words[d->difference])))
        return false;
    if (n == 5 && is_comparison(words[3]))
        return term_matches(words[2], d->from) && compare((double)d->actual, words[3], words[4]);
    return n <= 2 || (term_sites(n - 2, words + 2, both, &either) &&
                      term_matches(both[0], d->from) && term_matches(both[1], d->to));
}

TERM(drawn)
{
    UNUSED();
    for (int i = 0; i < f->n_drawn; i++)
        if (is_difference(&f->drawn[i], n, words))
            return true;
    return false;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* rules.c evaluates it, who has the list of predicates */
TERM(code)
{
    UNUSED();
    return false;
}

static const struct term terms[] = {
    {"race", ABOUT_RACE, sites, race},
    {"uninitialized", ABOUT_FINDING_OF_ONE, at_most_one, uninitialized},
    {"out-of-bounds", ABOUT_FINDING_OF_ONE, at_most_one, out_of_bounds},
    {"use-after-free", ABOUT_FINDING, at_most_one, use_after_free},
    {"host-race", ABOUT_FINDING, at_most_one, host_race},
    {"leak", ABOUT_FINDING_OF_ONE, maybe_an_object, leak},
    {"what", ABOUT_FINDING, a_what, what},
    {"object", ABOUT_FINDING, an_object, in_object},
    {"legacy", ABOUT_FINDING, which_site, legacy},
    {"enqueued", ABOUT_FINDING, which_site, enqueued},
    {"early", ABOUT_FINDING, which_site, early},
    {"staged", ABOUT_FINDING, which_site, staged},
    {"at-start", ABOUT_FINDING, NULL, at_start},
    {"reads", ABOUT_FINDING, NULL, is_reading},
    {"wait", ABOUT_FINDING, a_wait, wait_before},
    {"error", ABOUT_ERROR, an_error, error},
    {"no-call", ABOUT_ERROR, NULL, of_no_call},
    {"of", ABOUT_ERROR, one, of_function},
    {"refused", ABOUT_ERROR, a_refusal, refused},
    {"broken", ABOUT_ERROR, a_broken_rule, broken},
    {"capture", ABOUT_ERROR, a_question_to_a_graph, capture},
    {"crash", ABOUT_DEATH, a_death, crash},
    {"own-code", ABOUT_DEATH, NULL, in_own_code},
    {"endless", ABOUT_TIMEOUT, NULL, endless},
    {"during", ABOUT_ANY, a_request, during},
    {"ignored", ABOUT_ANY, at_most_one, ignored},
    {"fact", ABOUT_ANY, name_and_comparison, fact},
    {"noted", ABOUT_ANY, maybe_any, noted},
    {"lab", ABOUT_ANY, one, lab},
    {"check", ABOUT_ANY, one, check},
    {"passed", ABOUT_ANY, one, passed},
    {"tries", ABOUT_ANY, one, tries},
    {"on", ABOUT_ANY, a_device, on},
    {"trace", ABOUT_ANY, a_question_to_a_trace, trace},
    {"graph", ABOUT_ANY, a_question_to_a_graph, graph},
    {"drawn", ABOUT_ANY, a_difference, drawn},
    {"code", ABOUT_ANY, one, code},
};

const struct term *term_find(const char *word)
{
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        if (strcmp(terms[i].word, word) == 0)
            return &terms[i];
    return NULL;
}
