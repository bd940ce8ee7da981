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
        snprintf(to, ORIGIN_BYTES, ", which no CUDA call of the host returned");
}

static void words_of_return(struct report_words *w, const struct wire_failure *f, bool explain)
{
    const struct wire_error *e = &f->error;
    char origin[ORIGIN_BYTES];
    struct report_words meaning = {.message = ""};
    put_origin(origin, e);
    const bool is_known = e->origin != WIRE_ORIGIN_NONE && words_of_error(&meaning, e);
    if (e->origin == WIRE_ORIGIN_NONE && !e->name[0])
        words_set(meaning.next, "the runtime has no error of that number: find the variable that "
                                "is returned. It was never set, or something else was written "
                                "there: compare the order of the arguments");
    else if (e->origin == WIRE_ORIGIN_NONE && e->code == cudaErrorInvalidValue)
        words_set(meaning.next,
                  "check the arguments of each launch function (kernels.h): is a pointer NULL, "
                  "because nothing was allocated for it, or is a size 0 or not allowed? Otherwise "
                  "find a `return` of your own, or a launch by a kernel");
    else if (e->origin == WIRE_ORIGIN_NONE)
        words_set(meaning.next,
                  "find its source: a `return` of your own, a launch function of kernels.h that "
                  "does not take this size, or a launch by a kernel");
    else if (!is_known && e->caller.at)
        words_set(meaning.next, "%s", words_start_there);
    else if (!is_known && e->name[0] && f->reason != WIRE_OWN_CALL_FAILED)
        words_set(meaning.next,
                  "write CHECK in place of TRY around the CUDA calls in %s and in "
                  "the functions that it calls: CHECK prints the line that fails",
                  f->what);
    if (!explain)
        meaning.message[0] = '\0';
    else if (f->text[0])
        words_set(meaning.message, "%s", f->text);
    if (meaning.next[0])
        words_set(w->next, "%s", meaning.next);
    if (explain && meaning.actual[0])
        words_set(w->actual, "%s", meaning.actual);
    if (explain && meaning.message[0])
        words_set(w->message, "%s returned %s%s: %s", f->what, e->name, origin, meaning.message);
    else if (e->name[0])
        words_set(w->message, "%s returned %s (%s)%s", f->what, e->name, e->description, origin);
    else
        words_set(w->message, "%s returned %d%s", f->what, (int)e->code, origin);
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
        words_set(w->message, "the submission's process says: \"%s\"", f->text);
        return;
    case WIRE_RETURNED:
    case WIRE_OWN_CALL_FAILED:
        words_of_return(w, f, explain);
        return;
    case WIRE_STILL_CAPTURING:
        words_set(w->next, "call cudaStreamEndCapture also if a call between begin and end fails: "
                           "TRY returns before it");
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
    case WIRE_BESIDE_STRUCT:
        words_set(w->actual, "%s", f->text);
        words_set(w->next, "look for an index into an array of the struct that is negative or too "
                           "large, and for a pointer to the struct that is moved");
        words_set(w->message, "the submission wrote beside %s, to memory that is not its own",
                  f->what);
        return;
    case WIRE_GIVEN_CHANGED:
        words_set(w->actual, "%s", f->text);
        words_set(w->next, "keep a number of your own in your state, and leave what is given as it "
                           "is");
        words_set(w->message, "the submission changed a member of %s that is given", f->what);
        return;
    case WIRE_BESIDE_BLOCK:
        words_set(w->actual, "%s", f->text);
        words_set(w->next, "%s", words_compare_index);
        words_set(w->message,
                  "The submission wrote beyond the end of the memory that %s gave it: an array is "
                  "too short, or an index too large.",
                  f->what);
        return;
    case WIRE_NO_TRACE:
        words_set(w->message, "no trace. The submission's process says: \"%s\"", f->text);
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
