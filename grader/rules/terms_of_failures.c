/* terms_of_failures.c: terms about errors, deaths and time limits. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "session/session.h"
#include "words.h"

const struct wire_failure *term_failure(const struct facts *f)
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
    const struct wire_failure *failed = term_failure(f);
    return failed && term_matches(words[0], short_name(&failed->error)) &&
           (n == 1 || (failed->error.origin == WIRE_ORIGIN_CALL &&
                       term_matches(words[2], failed->error.call)));
}

TERM_IF(of_no_call, term_failure(f) && term_failure(f)->error.origin == WIRE_ORIGIN_NONE)
TERM_IF(of_function, term_failure(f) && term_matches(words[0], term_failure(f)->what))

/* Does the rule's word name this value, whose word stands in the same place of `all`? */
static bool names(const char *word, int value, const char *const *all, const int *values)
{
    for (int i = 0; all[i]; i++)
        if (value == values[i] && term_matches(word, all[i]))
            return true;
    return false;
}

static const char *const broken_words[] = {
    "still-capturing", "graph-null", "graph-destroyed", "beside-struct", "beside-block",
    "own-call",        NULL};

static bool a_broken_rule(int n, char *const *words)
{
    return n == 1 && words_are_of(words[0], broken_words);
}

TERM(broken)
{
    static const int reasons[] = {WIRE_STILL_CAPTURING, WIRE_GRAPH_NULL,   WIRE_GRAPH_DEAD,
                                  WIRE_BESIDE_STRUCT,   WIRE_BESIDE_BLOCK, WIRE_OWN_CALL_FAILED};
    return term_failure(f) && names(words[0], (int)term_failure(f)->reason, broken_words, reasons);
}

static const char *const refusal_words[] = {"nothing", "null",        "handle", "destroyed",
                                            "freed",   "node-twice",  "device", "member",
                                            "taken",   "other-graph", NULL};

/* WHY [ARGUMENT] */
static bool a_refusal(int n, char *const *words)
{
    return (n == 1 || n == 2) && words_are_of(words[0], refusal_words);
}

TERM(refused)
{
    static const int refusals[] = {SIMGPU_REFUSED_NOTHING, SIMGPU_REFUSED_NULL,
                                   SIMGPU_REFUSED_HANDLE,  SIMGPU_REFUSED_DESTROYED,
                                   SIMGPU_REFUSED_FREED,   SIMGPU_REFUSED_NODE_TWICE,
                                   SIMGPU_REFUSED_DEVICE,  SIMGPU_REFUSED_MEMBER,
                                   SIMGPU_REFUSED_TAKEN,   SIMGPU_REFUSED_OTHER_GRAPH};
    const struct simgpu_refusal *r = term_failure(f) ? &term_failure(f)->error.refusal : NULL;
    return r && names(words[0], (int)r->what, refusal_words, refusals) &&
           (n == 1 || term_matches(words[1], r->argument));
}

static const char *const death_words[] = {"device-memory", "lent-memory",  "expired-memory",
                                          "struct",        "beyond-block", "stack",
                                          "abort",         "signal",       NULL};

static bool a_death(int n, char *const *words)
{
    return n == 0 || (n == 1 && words_are_of(words[0], death_words));
}

TERM(crash)
{
    const struct session_event *e = f->event;
    if (e->cause != CAUSE_ENDED || n == 0)
        return e->cause == CAUSE_ENDED;
    const bool is[] = {e->has_fault && e->fault.device,
                       e->has_fault && e->fault.lent[0] && !e->fault.expired,
                       e->has_fault && e->fault.expired,
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
    return f->event->cause == CAUSE_ENDED && f->event->has_fault && f->event->fault_at.at[0] &&
           !f->event->fault.in_call;
}

TERM_IF(endless, f->event->cause == CAUSE_TIMEOUT && f->event->request != WIRE_HELLO)

static const char *const request_words[] = {"setup", "run",      "collect", "floor",
                                            "graph", "teardown", NULL};

static bool a_request(int n, char *const *words)
{
    return n == 1 && words_are_of(words[0], request_words);
}

TERM(during)
{
    static const int requests[] = {WIRE_SETUP, WIRE_GO,    WIRE_COLLECT,
                                   WIRE_FLOOR, WIRE_GRAPH, WIRE_TEARDOWN};
    return f->event->cause != CAUSE_NONE &&
           names(words[0], (int)f->event->request, request_words, requests);
}

TERM_IF(ignored, f->ignored->code != 0 && (n == 0 || term_matches(words[0], f->ignored->call)))

const struct term terms_of_failures[] = {
    {"error", ABOUT_ERROR, an_error, error},
    {"no-call", ABOUT_ERROR, NULL, of_no_call},
    {"of", ABOUT_ERROR, words_one, of_function},
    {"refused", ABOUT_ERROR, a_refusal, refused},
    {"broken", ABOUT_ERROR, a_broken_rule, broken},
    {"crash", ABOUT_DEATH, a_death, crash},
    {"own-code", ABOUT_DEATH, NULL, in_own_code},
    {"endless", ABOUT_TIMEOUT, NULL, endless},
    {"during", ABOUT_ANY, a_request, during},
    {"ignored", ABOUT_ANY, words_at_most_one, ignored},
    {NULL, ABOUT_ANY, NULL, NULL},
};
