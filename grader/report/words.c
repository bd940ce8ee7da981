/* words.c: how a check ended, in words. */
#include "words.h"

#include <cuda_runtime_api.h>
#include <string.h>

static void words_of_timeout(struct report_words *w, const struct session *s,
                             const struct session_event *e)
{
    const bool endless = s->endless[0] && e->request == WIRE_GO;
    if (e->grown_bytes) {
        words_set(w->actual, "it took %llu MiB in the last second of %.1f s",
                  (unsigned long long)e->grown_bytes >> 20, e->limit_s);
        words_set(w->next, "look for a loop that allocates or enqueues without an end, and for an "
                           "array that is far too large");
        words_set(w->message,
                  "the submission was still filling host memory %s: it was stopped at the time "
                  "limit",
                  words_stage(e));
        return;
    }
    words_set(w->actual, "nothing for %.1f s", e->limit_s);
    words_set(w->next,
              endless
                  ? "end it after a few iterations, for the moment, and print what the loop decides"
                  : "look for a loop without an end, or a wait for work that was never enqueued");
    words_set(w->message, "the submission did not return %s: it was stopped at the time limit%s%s",
              words_stage(e), endless ? ". " : "", endless ? s->endless : "");
}

/* It did or used more than it may. */
static void words_of_excess(struct report_words *w, const struct session *s,
                            const struct session_event *e)
{
    const char *stage = words_stage(e);
    switch (e->cause) {
    case CAUSE_OUTPUT:
        words_set(w->actual, "more than 64 MiB printed");
        words_set(w->next, "take the printing out of the loop");
        words_set(w->message, "the submission printed more than it may %s", stage);
        break;
    case CAUSE_MEMORY:
        words_set(w->actual,
                  "more than %llu MiB: resident and swapped memory, huge pages, page tables",
                  (unsigned long long)s->memory_bytes >> 20);
        words_set(w->next, "allocate what the lab needs, once, in setup");
        words_set(w->message, "the submission used more host memory than it may %s", stage);
        break;
    case CAUSE_THREADS:
        words_set(w->next, "labs need no threads of their own unless they say so");
        words_set(w->message, "the submission started more threads than it may %s", stage);
        break;
    default:
        words_set(w->actual, "a message that the grader's own code did not send");
        words_set(w->next, "write only to descriptors that you opened");
        words_set(w->message, "the submission wrote into the grader's channel %s", stage);
    }
}

/* What ends the life of what was leaked. */
static const char *end_of_leak(const struct simgpu_finding *f)
{
    static const char *const ends[SIMGPU_OBJECTS] = {
        [SIMGPU_OBJECT_GRAPH] =
            "call cudaGraphDestroy on each graph after its last use. A captured graph: after "
            "cudaGraphInstantiate, or cudaGraphAddNode for a child graph, has copied it",
        [SIMGPU_OBJECT_EXEC] = "call cudaGraphExecDestroy on each executable graph after its last "
                               "launch: at the latest in teardown",
        [SIMGPU_OBJECT_POOL_MEMORY] = "call cudaFreeAsync for memory of cudaMallocAsync: in the "
                                      "graph for what the graph allocates, else in teardown"};
    if ((unsigned)f->object < SIMGPU_OBJECTS && ends[f->object])
        return ends[f->object];
    return "free in teardown what setup allocated, and destroy what setup created. A run "
           "creates nothing that it does not destroy";
}

static void words_of_finding(struct report_words *w, const struct session_event *e)
{
    const struct simgpu_finding *f = &e->finding;
    char times[40] = "", all[40] = "";
    if (f->count > 1)
        snprintf(times, sizeof times, ", %llu times", (unsigned long long)f->count);
    if (e->n_findings > 1)
        snprintf(all, sizeof all, "; %llu findings in all", (unsigned long long)e->n_findings);
    words_set(w->actual, "%s%s%s", simgpu_kind_name(f->kind), times, all);
    struct simgpu_words words;
    simgpu_finding_words(f, &words);
    /* the check's own next step is about something that it has not measured yet */
    words_set(w->next, "%s", f->kind == SIMGPU_LEAK ? end_of_leak(f) : words.next);
    words_set(w->message, "%s.", words.what);
}

/* The reference solution does none of this: the grader is at fault. */
static void words_of_reference(struct report_words *w, const struct session_event *e)
{
    const char *stage = words_stage(e);
    if (e->cause == CAUSE_FAILED) {
        words_of_failure(w, &e->failure, true);
        struct report_words why = *w;
        words_set(w->message, "the reference solution failed %s: %s", stage, why.message);
    } else if (e->cause == CAUSE_ENDED) {
        words_set(w->message, "the reference solution died %s (wait status 0x%x)", stage,
                  (unsigned)e->wait_status);
    } else {
        words_set(w->message, "the reference solution did not answer %s within %.1f s", stage,
                  e->limit_s);
    }
}

/* A starter's function, which returns what CUDA itself never does. */
static void words_of_unwritten(struct report_words *w, const struct session *s,
                               const struct wire_failure *f)
{
    /* an error is of a step that returns it */
    const int first = session_first_step(f->what[0] && s->refusing ? s->refusing : s->unwritten);
    if (first) {
        words_set(w->next, "write step %d (YOUR STEP %d in the lab's source), and grade again",
                  first, first);
        words_set(
            w->message,
            f->what[0]
                ? "Step %d is not written yet. %s returned cudaErrorNotYetImplemented: it uses "
                  "step %d or a later step. So the checks cannot judge %s."
                : "Step %d is not written yet, so the checks cannot judge it.",
            first, f->what, first, f->what);
        return;
    }
    words_set(w->next,
              "remove the `return cudaErrorNotYetImplemented` of %s when its steps are "
              "written (YOUR STEP in the lab's source), and grade again",
              f->what);
    words_set(w->message, "%s is not written yet: it returned cudaErrorNotYetImplemented", f->what);
}

/* A function that is given with a mistake to find, and has not been changed. */
static void words_of_given(struct report_words *w, const struct session *s,
                           const struct session_check *c)
{
    words_set(w->next, "predict why %s_%s fails, fix it, then grade it alone: ./grade %s %s",
              s->lab, c->name, s->lab, c->name);
    words_set(w->message, "Each function is as it was given: it has a mistake to find.");
}

/* `explain`: what it means, too, for which the check has no words of its own. */
static void words_of_event(struct report_words *w, const struct session *s,
                           const struct session_event *e, bool explain)
{
    switch (e->cause) {
    case CAUSE_NONE:
        return;
    case CAUSE_FAILED:
    case CAUSE_UNSUPPORTED:
        if (e->failure.error.code == cudaErrorNotYetImplemented)
            words_of_unwritten(w, s, &e->failure);
        else
            words_of_failure(w, &e->failure, explain);
        return;
    case CAUSE_ENDED:
        words_of_end(w, e);
        return;
    case CAUSE_DEAF:
        words_of_deafness(w, e);
        return;
    case CAUSE_TIMEOUT:
        words_of_timeout(w, s, e);
        return;
    case CAUSE_FORGED:
    case CAUSE_OUTPUT:
    case CAUSE_MEMORY:
    case CAUSE_THREADS:
        words_of_excess(w, s, e);
        return;
    case CAUSE_FINDING:
        words_of_finding(w, e);
    }
}

/* A mistake has words of its own: what the subject did is what was seen of it. */
static void put_mistake(struct report_words *w, const struct session_check *c)
{
    memcpy(w->actual, w->message, sizeof w->actual);
    memcpy(w->message, c->message, sizeof w->message);
    if (c->next[0])
        memcpy(w->next, c->next, sizeof w->next);
}

bool report_is_ignored(const struct session_check *c)
{
    return c->ignored.code != 0 && strcmp(c->mistake, SESSION_ERROR_IGNORED) == 0;
}

#define AROUND_CALLS "write TRY around the call, and around each call of the function that makes it"

/* What the check found, follows from it. */
static void put_ignored(struct report_words *w, const struct wire_error *e)
{
    struct report_words meaning = {.message = ""};
    const bool is_known = words_of_error(&meaning, e);
    memcpy(w->actual, w->message, sizeof w->actual);
    w->expected[0] = '\0';
    words_set(w->message, "%s returned %s (%s), and the program went on%s%s.", e->call, e->name,
              e->description, is_known ? ": " : "", meaning.message);
    const char *next = is_known ? meaning.next : words_start_there;
    const bool is_question = next[0] && next[strlen(next) - 1] == '?';
    words_set(w->next, "%s%s Then return this error: " AROUND_CALLS, next, is_question ? "" : ".");
}

/* The same of an error that judge_expect_error brought about. */
static void put_lost(struct report_words *w, const struct session_check *c)
{
    const struct wire_error *e = &c->ignored;
    const bool in_kernel = strcmp(e->call, "cudaGraphLaunch") == 0 &&
                           strncmp(c->ignored_at.at, "lab.cu:", strlen("lab.cu:")) == 0;
    w->actual[0] = '\0';
    words_set(w->message,
              "As a test, the grader let %s return %s %s. The program did not return this error.",
              e->call, e->name, words_stage(&c->event));
    words_set(w->next, "return this error, as any call may fail: %s",
              in_kernel ? "the kernel stores it for the host" : AROUND_CALLS);
}

void report_case(const struct session_check *c, char text[SESSION_TEXT])
{
    char order[128] = "";
    if (c->freedom && c->event.cause != CAUSE_FINDING)
        snprintf(order, sizeof order,
                 "; in an order that NVIDIA allows but this card rarely takes: SIMGPU_FREEDOM=%u "
                 "repeats it",
                 c->freedom);
    words_set(text, "%s%s%s", c->scenario,
              c->after_right ? "; the run before, after the same setup, was right" : "", order);
}

void report_words(const struct session *s, const struct session_check *c, struct report_words *w)
{
    memcpy(w->message, c->message, sizeof w->message);
    memcpy(w->actual, c->actual, sizeof w->actual);
    memcpy(w->expected, c->expected, sizeof w->expected);
    memcpy(w->next, c->next, sizeof w->next);
    if (strcmp(c->mistake, SESSION_AS_GIVEN) == 0)
        words_of_given(w, s, c);
    const bool has_mistake = c->event.cause != CAUSE_NONE && c->mistake[0] && c->message[0];
    if (c->event.reference && c->event.cause != CAUSE_UNSUPPORTED)
        words_of_reference(w, &c->event);
    else
        words_of_event(w, s, &c->event, !has_mistake);
    if (c->after_right && c->event.cause == CAUSE_ENDED)
        words_set(w->next,
                  "find what the run before, which was right, leaves changed: a counter, an index, "
                  "a handle. Each run has to begin as the first one did");
    if (strcmp(c->tries, "error") == 0 && c->event.cause == CAUSE_ENDED)
        words_set(w->next, "return errors, with TRY in place of CHECK: as a test, the grader let a "
                           "call return one. Nothing else is wrong with that call");
    if (has_mistake)
        put_mistake(w, c);
    if (c->is_next_of_mistake)
        memcpy(w->next, c->next, sizeof w->next);
    const bool figure = c->has_figure && c->event.cause == CAUSE_NONE;
    if (figure && !w->actual[0])
        words_set(w->actual, "%.4g %s", c->measured, c->unit);
    if (figure && !w->expected[0])
        words_set(w->expected, "%.4g %s", c->required, c->unit);
    if (report_is_ignored(c) && strcmp(c->tries, "error") == 0 &&
        c->ignored.code == cudaErrorMemoryAllocation)
        put_lost(w, c);
    else if (report_is_ignored(c))
        put_ignored(w, &c->ignored);
}
