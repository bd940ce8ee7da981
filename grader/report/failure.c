/* failure.c: why a subject failed what it was asked to do, in words for the learner. */
#include <cuda_runtime_api.h>
#include <string.h>

#include "words.h"

enum { ORIGIN_BYTES = 96 };

/* ", from cudaEventRecord": the call that gave the error, as far as that is known. */
static void put_origin(char to[ORIGIN_BYTES], const struct wire_error *e)
{
    to[0] = 0;
    if (e->origin == WIRE_ORIGIN_CALL)
        snprintf(to, ORIGIN_BYTES, ", from %s", e->call);
    else if (e->origin == WIRE_ORIGIN_NONE)
        snprintf(to, ORIGIN_BYTES, ", which no CUDA call of the host gave");
}

/* A function returned an error that has a meaning here. */
static void words_of_meaning(struct report_words *w, const struct wire_failure *f,
                             const char *meaning)
{
    char origin[ORIGIN_BYTES];
    put_origin(origin, &f->error);
    words_set(w->message, "%s returned %s%s: %s", f->what, f->error.name, origin, meaning);
}

/* A function returned an error. */
static void words_of_error(struct report_words *w, const struct wire_failure *f, bool explain)
{
    const struct wire_error *e = &f->error;
    char origin[ORIGIN_BYTES];
    put_origin(origin, e);
    if (e->code == cudaErrorNotYetImplemented) /* a starter's; never CUDA's own */
        words_set(w->message,
                  "%s is not written yet (it returned cudaErrorNotYetImplemented): look for YOUR "
                  "STEP in the lab's source and begin with the lowest number",
                  f->what);
    else if (!e->name[0])
        words_set(w->message, "%s returned %d", f->what, (int)e->code);
    else if (explain && e->code == cudaErrorIllegalAddress)
        words_of_meaning(w, f,
                         "a kernel or a copy, maybe of an earlier call, used memory that is not "
                         "there: too small (bytes or elements?), freed, or not what was meant "
                         "(arguments in another order?)");
    else
        words_set(w->message, "%s returned %s (%s)%s", f->what, e->name, e->description, origin);
}

/* What to do about an error that a function returned. */
static void next_step(struct report_words *w, const struct wire_failure *f)
{
    const struct wire_error *e = &f->error;
    if (e->code == cudaErrorNotYetImplemented)
        words_set(w->next, "write that step, build, grade again: the report then goes on to the "
                           "next");
    else if (e->origin == WIRE_ORIGIN_NONE)
        words_set(w->next, "which `return` of your own is it, or which launch by a kernel?");
    else if (e->name[0] && f->reason != WIRE_OWN_CALL_FAILED)
        words_set(w->next, "write CHECK in place of TRY around the CUDA calls in it: the one that "
                           "fails is printed then, with its line");
}

static void words_of_return(struct report_words *w, const struct wire_failure *f, bool explain)
{
    const char *meaning = explain && f->text[0] ? f->text : NULL;
    if (explain && f->reason == WIRE_CAPTURE_RETURNED && f->error.origin != WIRE_ORIGIN_NONE)
        meaning = words_of_capture(&f->error);
    if (meaning)
        words_of_meaning(w, f, meaning);
    else
        words_of_error(w, f, explain);
    next_step(w, f);
}

/* What the adapter was asked for, and lacks or cannot read. */
static void words_of_graph(struct report_words *w, const struct wire_failure *f)
{
    if (f->reason == WIRE_GRAPH_NULL)
        words_set(w->message, "%s is NULL: what cudaStreamEndCapture gives belongs there", f->what);
    else if (f->reason == WIRE_GRAPH_DEAD)
        words_set(w->message,
                  "%s is no graph that can be looked at (%s): it must stay alive until teardown",
                  f->what, f->error.name);
    else
        words_set(w->message, "the graph %s is larger than the grader takes", f->what);
}

void words_of_failure(struct report_words *w, const struct wire_failure *f, bool explain)
{
    switch ((enum wire_reason)f->reason) {
    case WIRE_IN_WORDS:
        words_set(w->message, "%s", f->text);
        return;
    case WIRE_RETURNED:
    case WIRE_CAPTURE_RETURNED:
    case WIRE_OWN_CALL_FAILED:
        words_of_return(w, f, explain);
        return;
    case WIRE_STILL_CAPTURING:
        words_set(w->message,
                  "%s returned while a stream was still capturing: each cudaStreamBeginCapture "
                  "needs its cudaStreamEndCapture",
                  f->what);
        return;
    case WIRE_SYSTEM_FAILED:
        words_set(w->message, "%s: %s", f->what, strerror(f->error.code));
        return;
    case WIRE_OUT_OF_DATE:
        words_set(w->message, "the judge asked for something unknown: build the suite and the "
                              "subject together");
        return;
    case WIRE_GRAPH_NULL:
    case WIRE_GRAPH_DEAD:
    case WIRE_GRAPH_TOO_LARGE:
        words_of_graph(w, f);
        return;
    case WIRE_TRACE_TOO_LARGE:
        words_set(w->next, "take out the calls that a run repeats needlessly: the timeline and the "
                           "trace show them");
        words_set(w->message, "the run makes more calls and operations than a trace can hold");
        return;
    case WIRE_NO_TRACE:
        words_set(w->message, "no trace: %s", f->text);
        return;
    case WIRE_NO_FLOOR:
        words_set(w->message, "the adapter of %s has no floor", f->what);
        return;
    case WIRE_NO_GRAPH:
        words_set(w->message, "the adapter of %s shows no graph", f->what);
        return;
    case WIRE_NO_FINDINGS:
        words_set(w->message, "only the simulated device checks the order of operations");
        return;
    }
    words_set(w->message, "the submission failed for a reason that is not known");
}
