/* mistakes.c: the mistakes of lab 11, see mistakes.h. */
#include "mistakes.h"

#include <string.h>

#include "decoder.h"

#define GRAPHS "graph buckets padding steady host_free pool edges time loop "
#define TOKENS "tokens " GRAPHS "launches_per_step loop_never_ends loop_length "
#define KERNELS "prefill_in_graph steps_in_graph "
#define ROWS TOKENS "rows_left_over "

const struct lab11_mistakes lab11_mistakes = {
    .step_kernels = {"step_kernels", "A step does not launch the kernels that lab.h draws.",
                     "compare enqueue_step with the drawing in lab.h: each kernel, in its order",
                     TOKENS KERNELS},
    .other_steps = {"other_steps",
                    "lab11_decode does not enqueue as many steps as it is asked for.",
                    "call enqueue_step `steps` times", TOKENS KERNELS},
    .layer_argument = {"layer_argument",
                       "A kernel computes another layer than its place in the step.",
                       "pass the loop's `layer` to the five kernels of a layer", TOKENS},
    .launcher_refused = {"launcher_refused",
                         "An argument is wrong: a launcher of decode.h says so if a pointer of its "
                         "struct decode_step is NULL, n_rows is not positive or there is no such "
                         "layer. No CUDA call gave the error.",
                         "compare each launch of enqueue_step with decode.h: pass `step`, in which "
                         "n_rows and scratch are set, and a layer from 0 to n_layers - 1. Or is it "
                         "a `return` of your own?",
                         TOKENS},
    .graph_by_stream = {"graph_by_stream", "With LAB11_STREAM, lab11_decode launches a graph.",
                        "look at `how`: for LAB11_STREAM call enqueue_step for each step", TOKENS},
    .handle_of_stream = {"handle_of_stream",
                         "advance gets the handle of a loop, but there is no WHILE node.",
                         "call enqueue_step with 0 outside of create_loop; enqueue_step gives "
                         "`loop` to launch_decode_advance",
                         TOKENS},
    .small_scratch = {"small_scratch",
                      "The scratch memory has fewer rows than the kernels compute. Results of the "
                      "last rows overlap with other results.",
                      "create_graphs: a bucket takes lab->buckets[i] rows, and for_streams is the "
                      "piece of lab->max_rows rows",
                      TOKENS},

    .copied_early = {"copied_early",
                     "The rows change in pinned memory after the call that copies them. The copy "
                     "may take old numbers.",
                     "in lab11_begin: call fill_rows first, then copy", ROWS},
    .state_not_copied = {"state_not_copied",
                         "The rows on the device are not those of the batch. The kernels read what "
                         "was there before.",
                         "step 2, in lab11_begin: copy state->pinned to state->device, "
                         "row_bytes(lab) bytes, after fill_rows",
                         ROWS},
    .part_copied = {"part_copied",
                    "lab11_begin copies only a part of the rows and of *rows->progress to the "
                    "device.",
                    "in lab11_begin: copy row_bytes(lab) bytes, which is max_rows for each of the "
                    "four numbers",
                    ROWS},
    .padding_past_end = {"padding_past_end",
                         "fill_rows writes padding rows past the last row. The first numbers of "
                         "other members and *rows->progress are overwritten.",
                         "fill_rows: the last padding row is max_rows - 1", ROWS},
    .padded = {"padded", "A row that has a sequence gets the values of a padding row.",
               "fill_rows: the first padding row is batch->n", ROWS},
    .not_filled = {"not_filled", "A row has none of the values of its sequence.",
                   "fill_rows: set token, position, length and slot of each row from 0 to "
                   "batch->n - 1",
                   ROWS},
    .first_token = {"first_token", "The first step embeds the wrong token of the prompt.",
                    "fill_rows: prefill has used all tokens but the last one, so `token` is the "
                    "last one",
                    ROWS},
    .first_position = {"first_position", "The first step puts its token at the wrong position.",
                       "fill_rows: `position` is the index of the prompt's last token", ROWS},
    .first_length = {"first_length",
                     "In the first step, attend reads too many or too few "
                     "positions of the cache.",
                     "fill_rows: `length` counts the positions up to the new one, position + 1, "
                     "for every batch",
                     ROWS},
    .first_slot = {"first_slot", "A row uses a slot of the cache that is not its sequence's.",
                   "fill_rows: row i uses batch->slot[i]", ROWS},
    .first_progress = {"first_progress",
                       "rows->progress is not what the batch needs. advance counts the steps from "
                       "it, and compares each token with its stop token.",
                       "fill_rows: set *rows->progress to step 0, batch->steps and batch->stop",
                       ROWS},

    .read_too_early = {"read_too_early",
                       "lab11_read returned before the host had waited for the copy of the "
                       "tokens. They were there by luck.",
                       "lab11_read: cudaStreamSynchronize after the copy", TOKENS},
    .reads_nothing = {"reads_nothing", "lab11_read copies no token to the host.",
                      "lab11_read: the destination comes first: cudaMemcpyAsync(tokens, "
                      "state->step.tokens, …)",
                      TOKENS},
    .reads_some_steps = {"reads_some_steps", "lab11_read copies the tokens of some steps only.",
                         "lab11_read: copy max_rows tokens for each step of the batch", TOKENS},

    .no_graphs = {"no_graphs", "No bucket has a graph in lab->graphs.",
                  "step 4: in create_graph, capture enqueue_step into lab->graphs[bucket]",
                  GRAPHS "no_graph_launch no_bucket bucket_without_graph"},
    .not_captured = {"not_captured",
                     "A kernel of the step ran in lab11_setup, because no capture contained it. "
                     "The rows have no values yet.",
                     "create_graph: cudaStreamBeginCapture(state->stream, …) before enqueue_step, "
                     "which launches each kernel in state->stream",
                     ROWS "state_not_copied step_kernels"},
    .no_exec =
        {"no_exec", "The executable graph that lab11_decode launches does not exist.",
         "instantiate state->execs[bucket] for each bucket in create_graph; state->bucket is "
         "an index of it, or -1: then use stream launches",
         GRAPHS},
    .not_uploaded = {"not_uploaded",
                     "The first launch of a graph takes longer than later ones, because it uploads "
                     "the graph.",
                     "create_graph: cudaGraphUpload(state->execs[bucket], state->stream) after "
                     "cudaGraphInstantiate",
                     NULL},
    .no_graph_launch = {"no_graph_launch",
                        "lab11_decode launches no graph, although it is asked to.",
                        "LAB11_GRAPH: cudaGraphLaunch of state->execs[state->bucket], once for "
                        "each step",
                        GRAPHS "no_bucket"},
    .kernels_beside_graph = {"kernels_beside_graph",
                             "Some kernels of a step are launched outside its graph.",
                             "LAB11_GRAPH: one cudaGraphLaunch for each step, and nothing else",
                             GRAPHS},
    .launches_per_step = {"launches_per_step",
                          "The number of graph launches is not the number of steps.",
                          "LAB11_GRAPH: one cudaGraphLaunch for each step", GRAPHS KERNELS},
    .copies_in_graph = {"copies_in_graph",
                        "The graph also copies or sets memory. Each replay starts again from that "
                        "state.",
                        "capture enqueue_step alone: lab11_begin sets the state of a batch, and "
                        "advance changes it",
                        GRAPHS "copies_between_steps"},
    .prefill_in_graph = {"prefill_in_graph",
                         "The graph of a step has more kernels than a step: it repeats the "
                         "prefill.",
                         "capture enqueue_step alone: prefill runs once for each batch, in "
                         "lab11_begin",
                         GRAPHS "copies_between_steps"},
    .steps_in_graph = {"steps_in_graph", "The graph of a step has the kernels of several steps.",
                       "create_graph: capture enqueue_step once; lab11_decode launches the graph "
                       "for each step",
                       GRAPHS},
    .made_while_decoding = {"made_while_decoding",
                            "A graph is captured, instantiated or updated while decoding. That "
                            "takes longer than the step.",
                            "make all graphs in lab11_setup. All that changes is in device memory, "
                            "so one graph serves every step",
                            GRAPHS},
    .allocates_while_decoding = {"allocates_while_decoding",
                                 "lab11_decode allocates or frees memory.",
                                 "allocate in lab11_setup, free in lab11_teardown", GRAPHS},
    .made_for_batch = {"made_for_batch",
                       "A graph is captured, instantiated or updated for each batch, before it is "
                       "decoded. That takes longer than many steps.",
                       "make all graphs in lab11_setup: one for each bucket serves every batch",
                       GRAPHS},
    .allocates_for_batch = {"allocates_for_batch",
                            "lab11_begin or lab11_read allocates or frees memory for each batch.",
                            "allocate in lab11_setup, free in lab11_teardown", GRAPHS},
    .cache_moved = {"cache_moved",
                    "The cache is at another address than after lab11_setup. Kernels and graphs "
                    "use the address from setup.",
                    "allocate the cache once, in lab11_setup, and keep it until lab11_teardown",
                    TOKENS},

    .no_bucket = {"no_bucket",
                  "A batch launches no graph, although a bucket has enough rows for it.",
                  "bucket_for: the smallest bucket with at least n rows",
                  "buckets padding pool time loop loop_on_host"},
    .bucket_without_graph = {"bucket_without_graph", "Some buckets have no graph of their own.",
                             "lab11_setup: capture a graph for each bucket, and keep it in "
                             "lab->graphs",
                             "buckets padding time wrong_bucket"},
    .wrong_bucket = {"wrong_bucket",
                     "A batch is decoded by a bucket with more rows than it needs. The rows that "
                     "are left over take time.",
                     "bucket_for: the smallest bucket with at least n rows",
                     "graph buckets steady host_free edges time"},
    .rounds_down = {"rounds_down",
                    "The bucket has fewer rows than the batch has sequences, so some sequences "
                    "are left out.",
                    "bucket_for: the index of the smallest bucket with at least n rows; launch the "
                    "executable graph that create_graph instantiated for that index",
                    "buckets padding pool loop time"},
    .no_fallback = {"no_fallback",
                    "The batch has more sequences than the largest bucket has rows. It is not "
                    "decoded with stream launches.",
                    "if no bucket has enough rows: enqueue_step for each step, as with "
                    "LAB11_STREAM",
                    "buckets"},
    .rows_left_over = {"rows_left_over",
                       "A row without a sequence has wrong values. The graph of the bucket "
                       "computes that row, too, and writes to the slot that it names.",
                       "fill_rows: for every batch, give the rows from batch->n to max_rows token "
                       "0, position 0, length 1 and slot n_slots",
                       "buckets padding pool edges loop"},
    .small_piece_first = {"small_piece_first",
                          "A small piece of scratch memory is taken first. The pool has to "
                          "allocate another one for the next graph.",
                          "create_graphs: take the largest piece first", "pool"},
    .scratch_kept = {"scratch_kept",
                     "Several pieces of scratch memory are in use at the same time. Graphs that "
                     "never run concurrently can share one.",
                     "create_graphs: release each piece before you take the next one", "pool"},
    .released_twice = {"released_twice",
                       "lab->release gets memory that is not in use: it was released before, or "
                       "lab->allocate has not returned it.",
                       "create_graphs: release each piece once, after its capture", "pool"},

    .host_decides = {"host_decides",
                     "The host takes part in every step. The device idles while the host waits "
                     "and copies.",
                     "enqueue all steps without a wait or copy between them: advance chooses the "
                     "tokens, and lab11_read copies them at the end",
                     "time"},
    .host_waits = {"host_waits",
                   "The host waits between steps. The device is idle until the next launch.",
                   "remove the wait from lab11_decode: lab11_read waits", "time"},
    .copies_between_steps = {"copies_between_steps",
                             "Data is copied between host and device between the steps.",
                             "remove these copies: advance leaves token, position and length in "
                             "device memory for the next step",
                             "time"},

    .full_edges = {"full_edges",
                   "Kernels of the step depend on the full end of the kernel before. They load no "
                   "weights until then.",
                   "step 7: DECODE_WEIGHTS_FIRST for every kernel of the step but the first",
                   "time"},
    .first_kernel_early = {"first_kernel_early",
                           "A step starts before the step before it is complete.",
                           "DECODE_AFTER for embed, the first kernel of a step", GRAPHS},
    .never_waits = {"never_waits",
                    "A kernel reads results of the kernel before it without waiting for them.",
                    "DECODE_WEIGHTS_FIRST in place of DECODE_NEVER_WAITS: the kernel then waits "
                    "before it uses them",
                    TOKENS},
    .waits_first = {"waits_first",
                    "Kernels start early, but wait before they load their weights. So nothing "
                    "overlaps.",
                    "DECODE_WEIGHTS_FIRST in place of DECODE_WAIT_FIRST", "time"},
    .other_stream = {"other_stream",
                     "Two operations of a batch are in different streams, and nothing orders them.",
                     "enqueue all work of a batch in state->stream", TOKENS},
    .legacy_stream = {"legacy_stream",
                      "Work of a batch is in the legacy default stream. Nothing orders it after "
                      "the work in state->stream.",
                      "pass state->stream to every copy, launch and graph launch", TOKENS},

    .loop_on_host = {"loop_on_host", "With LAB11_LOOP, the host still launches every step.",
                     "step 8: one launch of a graph whose WHILE node has a step as its body",
                     "loop"},
    .loop_never_starts = {"loop_never_starts",
                          "The WHILE node runs no step: the value of its handle is 0 when the "
                          "graph is launched.",
                          "create the handle with default value 1 and cudaGraphCondAssignDefault",
                          "loop"},
    .loop_length = {"loop_length",
                    "The conditional node does not run as many steps as the batch asks for.",
                    "create the node with type cudaGraphCondTypeWhile, and launch its graph "
                    "once",
                    "loop"},
    .loop_ends_early = {"loop_ends_early", "The WHILE node ends before every sequence has stopped.",
                        "launch state->loops[state->bucket], whose body is a step with "
                        "lab->buckets[bucket] rows",
                        "loop"},
    .loop_goes_on =
        {"loop_goes_on", "The WHILE node goes on after every sequence has stopped.",
         "capture enqueue_step once as the body: `advance` ends the loop after any step", "loop"},
    .loop_of_step = {"loop_of_step", "With LAB11_LOOP, the graph of a single step is launched.",
                     "LAB11_LOOP: launch state->loops[state->bucket], which create_loop "
                     "instantiates from the graph with the WHILE node",
                     "loop"},
    .loop_in_graphs = {"loop_in_graphs", "The graph with the WHILE node is in lab->graphs.",
                       "create_loop: keep that graph in a local variable, and destroy it after "
                       "cudaGraphInstantiate",
                       "leak step_kernels full_edges " GRAPHS},
    .loop_never_ends = {"loop_never_ends",
                        "The WHILE node does not end. No kernel in its body sets the value of its "
                        "handle to 0.",
                        "capture enqueue_step(lab, &step, loop) into the body, phGraph_out[0], "
                        "with cudaStreamBeginCaptureToGraph; enqueue_step gives `loop` to advance, "
                        "which sets its value",
                        "loop leak"},
};

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
        return &lab11_mistakes.not_captured; /* the kernels before it are in a capture */
    if (f->kind == SIMGPU_UNINITIALIZED_READ && strcmp(f->first.name, "decode_embed") == 0)
        return f->first.node < 0 ? &lab11_mistakes.state_not_copied
                                 : &lab11_mistakes.rows_left_over;
    if (f->kind == SIMGPU_OUT_OF_BOUNDS && judge_is_site(&f->first, "decode_"))
        return &lab11_mistakes.small_scratch;
    if (f->kind != SIMGPU_RACE)
        return NULL;
    if (strcmp(f->first.name, "decode_advance") == 0 && f->second.is_early)
        return &lab11_mistakes.first_kernel_early;
    return f->first.is_early || f->second.is_early ? &lab11_mistakes.never_waits
                                                   : &lab11_mistakes.other_stream;
}

/* The rows of a batch are looked at before anything runs: those of padding rows are left. */
static const struct judge_mistake *mistake_of_error(const struct wire_failure *f)
{
    const bool is_setup = strcmp(f->what, "lab11_setup") == 0;
    if (f->error.code == cudaErrorAssert)
        return is_setup ? &lab11_mistakes.not_captured : &lab11_mistakes.rows_left_over;
    if (f->error.code != cudaErrorInvalidValue)
        return NULL;
    if (strcmp(f->error.call, "cudaGraphLaunch") == 0)
        return &lab11_mistakes.no_exec;
    return f->error.origin == WIRE_ORIGIN_NONE ? &lab11_mistakes.launcher_refused : NULL;
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
    [LAB11_OTHER_CACHE] = {&lab11_mistakes.cache_moved, NULL},
    [LAB11_OTHER_KERNEL] = {&lab11_mistakes.step_kernels, NULL},
    [LAB11_GRAPHS_BY_STREAM] = {&lab11_mistakes.graph_by_stream, "launches of graphs"},
    [LAB11_OTHER_STEPS] = {&lab11_mistakes.other_steps, "kernels in two steps"},
    [LAB11_OTHER_LAYER] = {&lab11_mistakes.layer_argument, "layer"},
    [LAB11_HANDLE] = {&lab11_mistakes.handle_of_stream, "handle"},
    [LAB11_SMALL_SCRATCH] = {&lab11_mistakes.small_scratch, NULL},
    [LAB11_OTHER_STREAM] = {&lab11_mistakes.other_stream, NULL},
    [LAB11_COPIED_EARLY] = {&lab11_mistakes.copied_early, NULL},
    [LAB11_PART_COPIED] = {&lab11_mistakes.part_copied, NULL},
    [LAB11_PAST_END] = {&lab11_mistakes.padding_past_end, NULL},
    [LAB11_PADDED] = {&lab11_mistakes.padded, NULL},
    [LAB11_NOT_FILLED] = {&lab11_mistakes.not_filled, NULL},
    [LAB11_NEVER_WAITS] = {&lab11_mistakes.never_waits, "kernels with DECODE_NEVER_WAITS"},
    [LAB11_NOT_COPIED] = {&lab11_mistakes.state_not_copied, NULL},
    [LAB11_TOKEN] = {&lab11_mistakes.first_token, "token"},
    [LAB11_POSITION] = {&lab11_mistakes.first_position, "position"},
    [LAB11_LENGTH] = {&lab11_mistakes.first_length, "length"},
    [LAB11_SLOT] = {&lab11_mistakes.first_slot, "slot"},
    [LAB11_STEP] = {&lab11_mistakes.first_progress, "progress->step"},
    [LAB11_STEPS] = {&lab11_mistakes.first_progress, "progress->steps"},
    [LAB11_STOP] = {&lab11_mistakes.first_progress, "progress->stop"},
    [LAB11_PADDING_TOKEN] = {&lab11_mistakes.rows_left_over, "token"},
    [LAB11_PADDING_POSITION] = {&lab11_mistakes.rows_left_over, "position"},
    [LAB11_PADDING_LENGTH] = {&lab11_mistakes.rows_left_over, "length"},
    [LAB11_PADDING_SLOT] = {&lab11_mistakes.rows_left_over, "slot"},
    [LAB11_WAITS_FIRST] = {&lab11_mistakes.waits_first, "kernels with DECODE_WAIT_FIRST"},
};

/* Launch number i of a step. */
static const char *kernel_of(const struct judge *j, int i)
{
    static const char *const of_layer[] = {"qkv", "attend", "project", "up", "down"};
    const int in_layers = 5 * (int)judge_number(j, "layers");
    return i == 0              ? "embed"
           : i <= in_layers    ? of_layer[(i - 1) % 5]
           : i < in_layers + 2 ? "head"
                               : "advance";
}

static void show_watched(const struct judge *j, enum lab11_watched found)
{
    const int at = (int)judge_value(j, "watched_at"), is = (int)judge_value(j, "watched_is");
    const char *word = watched[found].word;
    judge_expected("%.0f", judge_value(j, "watched_should"));
    if (found == LAB11_OTHER_KERNEL) {
        judge_actual("launch %d of a step is another kernel, or missing", at);
        judge_expected("launch_decode_%s", kernel_of(j, at));
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
    const enum lab11_watched found = (enum lab11_watched)judge_value(j, "watched");
    if (found <= LAB11_ALL_RIGHT || (size_t)found >= sizeof watched / sizeof watched[0])
        return NULL;
    show_watched(j, found);
    return watched[found].mistake;
}
