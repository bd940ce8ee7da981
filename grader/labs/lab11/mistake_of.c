/* mistake_of.c: which mistake of lab 11 an event or the adapter shows, see mistake_of.h. */
#include "exchange.h"
#include "mistake_of.h"

#include <string.h>

#include "decoder.h"

/* ---- events ---------------------------------------------------------------------------------- */

static struct {
    enum session_cause cause;
    const char *mistake;
} suspected;

void lab11_suspect(enum session_cause cause, const char *mistake)
{
    suspected.cause = cause;
    suspected.mistake = mistake;
}

/* Which order is missing, or what was not written? */
static const char *mistake_of_finding(const struct simgpu_finding *f)
{
    if (f->kind == SIMGPU_UNINITIALIZED_READ && judge_is_site(&f->first, "decode_") &&
        f->first.node < 0 && f->first.stream == 0)
        return "not_captured"; /* the kernels before it are in a capture */
    if (f->kind == SIMGPU_UNINITIALIZED_READ && strcmp(f->first.name, "decode_embed") == 0)
        return f->first.node < 0 ? "state_not_copied" : "rows_left_over";
    if (f->kind == SIMGPU_OUT_OF_BOUNDS && judge_is_site(&f->first, "decode_"))
        return "small_scratch";
    if (f->kind != SIMGPU_RACE)
        return NULL;
    if (strcmp(f->first.name, "decode_advance") == 0 && f->second.is_early)
        return "first_kernel_early";
    return f->first.is_early || f->second.is_early ? "never_waits" : "other_stream";
}

/* The rows of a batch are looked at before anything runs: those of padding rows are left. */
static const char *mistake_of_error(const struct wire_failure *f)
{
    const bool is_setup = strcmp(f->what, "lab11_setup") == 0;
    if (f->error.code == cudaErrorAssert)
        return is_setup ? "not_captured" : "rows_left_over";
    if (f->error.code != cudaErrorInvalidValue)
        return NULL;
    if (strcmp(f->error.call, "cudaGraphGetEdges") == 0) /* the adapter's */
        return "graph_gone";
    if (strcmp(f->error.call, "cudaGraphLaunch") == 0)
        return "no_exec";
    return f->error.origin == WIRE_ORIGIN_NONE ? "launcher_refused" : NULL;
}

const char *lab11_mistake_of(const struct session_event *e)
{
    if (e->cause == CAUSE_FINDING)
        return mistake_of_finding(&e->finding);
    const cudaError_t code = (cudaError_t)e->failure.error.code;
    if (e->cause == suspected.cause && code != cudaErrorNotYetImplemented)
        return suspected.mistake;
    return e->cause == CAUSE_FAILED ? mistake_of_error(&e->failure) : NULL;
}

/* ---- a step that was watched ----------------------------------------------------------------- */

static const struct {
    const char *mistake;
    const char *word; /* of what was watched */
} watched[] = {
    [LAB11_OTHER_CACHE] = {"cache_moved", NULL},
    [LAB11_OTHER_KERNEL] = {"step_kernels", NULL},
    [LAB11_GRAPHS_BY_STREAM] = {"graph_by_stream", "launches of graphs"},
    [LAB11_OTHER_STEPS] = {"other_steps", "kernels in two steps"},
    [LAB11_OTHER_LAYER] = {"layer_argument", "layer"},
    [LAB11_HANDLE] = {"handle_of_stream", "handle"},
    [LAB11_SMALL_SCRATCH] = {"small_scratch", NULL},
    [LAB11_FEW_ROWS] = {"few_rows", "n_rows"},
    [LAB11_OTHER_STREAM] = {"other_stream", NULL},
    [LAB11_COPIED_EARLY] = {"copied_early", NULL},
    [LAB11_PART_COPIED] = {"part_copied", NULL},
    [LAB11_PAST_END] = {"padding_past_end", NULL},
    [LAB11_PADDED] = {"padded", NULL},
    [LAB11_NOT_FILLED] = {"not_filled", NULL},
    [LAB11_NEVER_WAITS] = {"never_waits", "kernels with DECODE_NEVER_WAITS"},
    [LAB11_NOT_COPIED] = {"state_not_copied", NULL},
    [LAB11_TOKEN] = {"first_token", "token"},
    [LAB11_POSITION] = {"first_position", "position"},
    [LAB11_LENGTH] = {"first_length", "length"},
    [LAB11_SLOT] = {"first_slot", "slot"},
    [LAB11_STEP] = {"first_progress", "progress->step"},
    [LAB11_STEPS] = {"first_progress", "progress->steps"},
    [LAB11_STOP] = {"first_progress", "progress->stop"},
    [LAB11_PADDING_TOKEN] = {"rows_left_over", "token"},
    [LAB11_PADDING_POSITION] = {"rows_left_over", "position"},
    [LAB11_PADDING_LENGTH] = {"rows_left_over", "length"},
    [LAB11_PADDING_SLOT] = {"rows_left_over", "slot"},
    [LAB11_WAITS_FIRST] = {"waits_first", "kernels with DECODE_WAIT_FIRST"},
};

/* Launch number i of a step. */
static const char *kernel_of(const struct judge *j, int i)
{
    static const char *const of_layer[] = {"qkv", "attend", "project", "up", "down"};
    const int in_layers = 5 * judge_numbers(j)->model.n_layers;
    return i == 0              ? "embed"
           : i <= in_layers    ? of_layer[(i - 1) % 5]
           : i < in_layers + 2 ? "head"
                               : "advance";
}

static void show_watched(const struct judge *j, enum lab11_watched found)
{
    const int at = (int)judge_value(j, watched_at), is = (int)judge_value(j, watched_is);
    const char *word = watched[found].word;
    judge_expected("%.0f", judge_value(j, watched_should));
    if (found == LAB11_OTHER_KERNEL) {
        judge_actual("launch %d of step %d is another kernel, or missing", at, is);
        if (is < LAB11_WATCHED_STEPS)
            judge_expected("launch_decode_%s", kernel_of(j, at));
        else
            judge_expected("%d steps, and no launch after them", LAB11_WATCHED_STEPS);
    } else if (found == LAB11_OTHER_LAYER) {
        judge_actual("launch %d of a step, launch_decode_%s: layer %d", at, kernel_of(j, at), is);
    } else if (found == LAB11_PADDED || found == LAB11_NOT_FILLED) {
        judge_actual("row %d", at);
        judge_expected("%s", "");
    } else if (found == LAB11_OTHER_STREAM) {
        judge_actual("launch %d of a step, launch_decode_%s", at, kernel_of(j, at));
        judge_expected("the stream of the other kernels");
    } else if (!word) {
        judge_expected("%s", "");
    } else if (at < 0) {
        judge_actual("%s %d", word, is);
    } else {
        judge_actual("row %d: %s %d", at, word, is);
    }
}

const char *lab11_watched_mistake(const struct judge *j)
{
    const enum lab11_watched found = (enum lab11_watched)judge_value(j, watched);
    if (found <= LAB11_ALL_RIGHT || (size_t)found >= sizeof watched / sizeof watched[0])
        return NULL;
    show_watched(j, found);
    return watched[found].mistake;
}
