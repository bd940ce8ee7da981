/* mistake_of.c: which mistake of lab 11 an event or the adapter shows, see mistake_of.h. */
#include "exchange.h"
#include "mistake_of.h"

#include <string.h>

#include "decoder.h"

/* ---- events ---------------------------------------------------------------------------------- */

static struct {
    enum session_cause cause;
    const struct judge_mistake *mistake;
} suspected;

void lab11_suspect(enum session_cause cause, const struct judge_mistake *mistake)
{
    suspected.cause = cause;
    suspected.mistake = mistake;
}

/* Which order is missing, or what was not written? */
static const struct judge_mistake *mistake_of_finding(const struct simgpu_finding *f)
{
    if (f->kind == SIMGPU_UNINITIALIZED_READ && judge_is_site(&f->first, "decode_") &&
        f->first.node < 0 && f->first.stream == 0)
        return &lab11_not_captured; /* the kernels before it are in a capture */
    if (f->kind == SIMGPU_UNINITIALIZED_READ && strcmp(f->first.name, "decode_embed") == 0)
        return f->first.node < 0 ? &lab11_state_not_copied : &lab11_rows_left_over;
    if (f->kind == SIMGPU_OUT_OF_BOUNDS && judge_is_site(&f->first, "decode_"))
        return &lab11_small_scratch;
    if (f->kind != SIMGPU_RACE)
        return NULL;
    if (strcmp(f->first.name, "decode_advance") == 0 && f->second.is_early)
        return &lab11_first_kernel_early;
    return f->first.is_early || f->second.is_early ? &lab11_never_waits : &lab11_other_stream;
}

/* The rows of a batch are looked at before anything runs: those of padding rows are left. */
static const struct judge_mistake *mistake_of_error(const struct wire_failure *f)
{
    const bool is_setup = strcmp(f->what, "lab11_setup") == 0;
    if (f->error.code == cudaErrorAssert)
        return is_setup ? &lab11_not_captured : &lab11_rows_left_over;
    if (f->error.code != cudaErrorInvalidValue)
        return NULL;
    if (strcmp(f->error.call, "cudaGraphGetEdges") == 0) /* the adapter's */
        return &lab11_graph_gone;
    if (strcmp(f->error.call, "cudaGraphLaunch") == 0)
        return &lab11_no_exec;
    return f->error.origin == WIRE_ORIGIN_NONE ? &lab11_launcher_refused : NULL;
}

const struct judge_mistake *lab11_mistake_of(const struct session_event *e)
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
    const struct judge_mistake *mistake;
    const char *word; /* of what was watched */
} watched[] = {
    [LAB11_OTHER_CACHE] = {&lab11_cache_moved, NULL},
    [LAB11_OTHER_KERNEL] = {&lab11_step_kernels, NULL},
    [LAB11_GRAPHS_BY_STREAM] = {&lab11_graph_by_stream, "launches of graphs"},
    [LAB11_OTHER_STEPS] = {&lab11_other_steps, "kernels in two steps"},
    [LAB11_OTHER_LAYER] = {&lab11_layer_argument, "layer"},
    [LAB11_HANDLE] = {&lab11_handle_of_stream, "handle"},
    [LAB11_SMALL_SCRATCH] = {&lab11_small_scratch, NULL},
    [LAB11_FEW_ROWS] = {&lab11_few_rows, "n_rows"},
    [LAB11_OTHER_STREAM] = {&lab11_other_stream, NULL},
    [LAB11_COPIED_EARLY] = {&lab11_copied_early, NULL},
    [LAB11_PART_COPIED] = {&lab11_part_copied, NULL},
    [LAB11_PAST_END] = {&lab11_padding_past_end, NULL},
    [LAB11_PADDED] = {&lab11_padded, NULL},
    [LAB11_NOT_FILLED] = {&lab11_not_filled, NULL},
    [LAB11_NEVER_WAITS] = {&lab11_never_waits, "kernels with DECODE_NEVER_WAITS"},
    [LAB11_NOT_COPIED] = {&lab11_state_not_copied, NULL},
    [LAB11_TOKEN] = {&lab11_first_token, "token"},
    [LAB11_POSITION] = {&lab11_first_position, "position"},
    [LAB11_LENGTH] = {&lab11_first_length, "length"},
    [LAB11_SLOT] = {&lab11_first_slot, "slot"},
    [LAB11_STEP] = {&lab11_first_progress, "progress->step"},
    [LAB11_STEPS] = {&lab11_first_progress, "progress->steps"},
    [LAB11_STOP] = {&lab11_first_progress, "progress->stop"},
    [LAB11_PADDING_TOKEN] = {&lab11_rows_left_over, "token"},
    [LAB11_PADDING_POSITION] = {&lab11_rows_left_over, "position"},
    [LAB11_PADDING_LENGTH] = {&lab11_rows_left_over, "length"},
    [LAB11_PADDING_SLOT] = {&lab11_rows_left_over, "slot"},
    [LAB11_WAITS_FIRST] = {&lab11_waits_first, "kernels with DECODE_WAIT_FIRST"},
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

const struct judge_mistake *lab11_watched_mistake(const struct judge *j)
{
    const enum lab11_watched found = (enum lab11_watched)judge_value(j, watched);
    if (found <= LAB11_ALL_RIGHT || (size_t)found >= sizeof watched / sizeof watched[0])
        return NULL;
    show_watched(j, found);
    return watched[found].mistake;
}
