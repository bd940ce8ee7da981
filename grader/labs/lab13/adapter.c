/* adapter.c: lab 13 between the judge's buffers and the submission: lets requests arrive, takes the
 * tokens of each one, and measures when they come. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/clock.h"
#include "exchange.h"
#include "labs/lab13/causes.h"
#include "labs/decoders.h"
#include "latency.h"
#include "launches.h"
#include "requests.h"
#include "subject/bench.h"
#include "subject/copies.h"
#include "subject/graph.h"

/* What the lab needs beside its cache, for a step of so many rows. */
enum { STEP_ROWS = 64, SPARE_BYTES = 1 << 16 };

/* What receive and deliver cost the host, in virtual time. On a GPU they cost what they cost. */
static const double CALL_US = 0.1;

static struct lab13 *lab;
static struct subject *subject;
static struct task {
    struct lab13_drawing drawing;
    struct lab13_request *requests;
    int *prompts;
    struct progress {
        int n, n_none;     /* tokens that were delivered; SERVE_NONE among them */
        double last_us;    /* when its latest token was delivered */
    } * progress;          /* of each request */
    double *firsts, *gaps; /* times to the first token, and between two tokens */
    int n_firsts, n_gaps, n_received;
    int n_in_vain;                   /* calls of receive after all tokens */
    int generating, most_generating; /* requests between their first and their last token */
    int owed;                        /* tokens of received requests that have not been delivered */
    double waited_us;                /* in receive, meanwhile */
    double begun_us, last_us;
    double deliver_us; /* that deliver takes longer */
    float *tokens, *entries, *samplers;
    struct serve_journal *journal; /* NULL: no check reads it */
    bool is_changed_late;          /* the source of a copy, after the call */
} task;

/* ---- set-up ---------------------------------------------------------------------------------- */

static cudaError_t create(void)
{
    TRY(cudaMalloc((void **)&lab->model.weights,
                   decode_weights(&lab->model) * sizeof *lab->model.weights));
    TRY(launch_decode_weights(&lab->model, LAB13_SEED, NULL));
    if (task.entries) {
        /* deliver looks into it while the device works: only in virtual time, where it costs no
           time of a real bus */
        TRY(clock_is_virtual() ? cudaMallocHost((void **)&task.journal, sizeof *task.journal)
                               : cudaMalloc((void **)&task.journal, sizeof *task.journal));
        TRY(cudaMemset(task.journal, 0, sizeof *task.journal));
    }
    if (subject_computes(subject))
        serve_set_journal(task.journal);
    else
        model_steps(&lab->model, task.journal);
    bench_before_setup();
    return cudaDeviceSynchronize();
}

static bool allocate_requests(void)
{
    const size_t n = (size_t)task.drawing.n, tokens = n * (size_t)task.drawing.tokens;
    task.requests = calloc(n, sizeof *task.requests);
    task.progress = calloc(n, sizeof *task.progress);
    task.firsts = calloc(n, sizeof *task.firsts);
    task.gaps = calloc(tokens, sizeof *task.gaps);
    task.prompts = calloc(n * (size_t)lab->model.n_positions, sizeof *task.prompts);
    return task.requests && task.progress && task.firsts && task.gaps && task.prompts;
}

static void draw_requests(void)
{
    for (int i = 0; i < task.drawing.n; i++) {
        const struct lab13_drawn r = lab13_draw(&task.drawing, i);
        int *prompt = task.prompts + (size_t)i * lab->model.n_positions;
        for (int k = 0; k < r.prompt_length; k++)
            prompt[k] = lab13_prompt_token(&r, k);
        task.requests[i] = (struct lab13_request){.number = i,
                                                  .arrival_us = r.after_us,
                                                  .prompt_length = r.prompt_length,
                                                  .prompt = prompt,
                                                  .n_tokens = r.n_tokens,
                                                  .temperature = r.temperature,
                                                  .seed = r.seed};
    }
}

static int returned(struct subject *s, const char *call, cudaError_t e)
{
    if (e == cudaErrorInvalidValue && !subject_call_is_known((int)e))
        return subject_explained(
            s, call, e,
            "an argument is wrong. A launcher of serve.h or decode.h says so if a pointer of the "
            "step is NULL, n_rows is not positive, there is no such layer, the cache has no block "
            "table, or a number of `lengths` is below 1 or above n_positions");
    if (e == cudaErrorStreamCaptureUnsupported)
        return subject_explained(s, call, e,
                                 "launch_serve_attend_long refuses a capture: its grid depends on "
                                 "the lengths of this step");
    if (e == cudaErrorAssert)
        return subject_explained(
            s, call, e,
            "a row has a token, position, slot or block that is out of range, or more than "
            "SERVE_SHORT positions for launch_serve_attend, or more than `lengths` says. Padding "
            "rows need valid numbers, too. The assertion is printed below the checks");
    return e == cudaSuccess && subject_unaided(s) ? 0 : subject_captured(s, call, e);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Not even a wait has come between a copy and what the host has done since. In virtual time, no
   device writes meanwhile. */
static void check_copies(void)
{
    task.is_changed_late |= copies_source_changed();
    copies_forget();
}

static void before_call(struct subject_call *call)
{
    check_copies();
    launches_before_call(call);
}

static void after_call(const struct subject_call *call)
{
    copies_after_call(call);
    launches_after_call(call);
}

/* ---- what the lab is given ------------------------------------------------------------------- */

static void spend(double us)
{
    if (clock_is_virtual())
        clock_host_work(us);
}

/* The submission makes this mistake, without end. */
#define END_FOR(mistake, ...)                                                                      \
    (subject_note(subject, mistake, NULL, NULL), subject_end(subject, __VA_ARGS__))

enum { MOST_IN_VAIN = 1000 };

static const struct lab13_request *receive(struct lab13 *of, double wait_us)
{
    (void)of;
    check_copies();
    spend(CALL_US);
    if (task.n_received == task.drawing.n) {
        if (task.owed == 0 && ++task.n_in_vain == MOST_IN_VAIN)
            END_FOR(LAB13_EXPECTS_MORE,
                    "lab->receive was called %d times after all requests had all tokens",
                    MOST_IN_VAIN);
        return NULL;
    }
    const struct lab13_request *next = &task.requests[task.n_received];
    double waited_us;
    const bool has_arrived = lab13_arrives(next, wait_us, &waited_us);
    task.waited_us += task.owed > 0 ? waited_us : 0;
    if (!has_arrived)
        return NULL;
    task.n_received++;
    task.owed += next->n_tokens;
    return next;
}

/* The request whose sampler has this seed. */
static int request_of(unsigned long long seed)
{
    for (int i = 0; seed && i < task.drawing.n; i++)
        if (task.requests[i].seed == seed)
            return i;
    return seed ? LAB13_NOBODY : LAB13_PADDING;
}

/* How many tokens steps have sampled for the request so far, by the journal. */
static int n_sampled(const struct lab13_request *request)
{
    int n = 0;
    for (int i = 0; i < task.journal->n && i < SERVE_JOURNAL_ENTRIES; i++)
        n += task.journal->entries[i].seed == request->seed && task.journal->entries[i].samples;
    return n;
}

/* Did the sequence of the request begin in two slots? */
static bool has_two_slots(const struct lab13_request *request)
{
    int slot = -1;
    for (int i = 0; i < task.journal->n && i < SERVE_JOURNAL_ENTRIES; i++) {
        const struct serve_journal_entry *e = &task.journal->entries[i];
        if (e->seed != request->seed || e->position > 0)
            continue;
        if (slot >= 0 && e->slot != slot)
            return true;
        slot = e->slot;
    }
    return false;
}

/* Is the row after the last one of its request? */
static bool is_after_end(const struct serve_journal_entry *e)
{
    const int i = request_of(e->seed);
    return i >= 0 && e->position >= task.requests[i].prompt_length + task.requests[i].n_tokens - 1;
}

/* Does another row of its slot and step sample, too? The rows of a step follow one another. */
static bool samples_again(const struct serve_journal_entry *e, int n)
{
    for (int i = 1; i < n && i < e->n_rows; i++)
        if (e->samples && e[i].samples && e[i].slot == e->slot && e[i].n_rows == e->n_rows)
            return true;
    return false;
}

/* Does a sequence go on after its last token? Its slot may have the next sequence already. */
static bool goes_on(void)
{
    const int n = task.journal->n < SERVE_JOURNAL_ENTRIES ? task.journal->n : SERVE_JOURNAL_ENTRIES;
    for (int i = 0, left = 0; i < n; i++, left--) {
        const struct serve_journal_entry *e = &task.journal->entries[i];
        left = left > 0 ? left : e->n_rows;
        if (is_after_end(e) || samples_again(e, left < n - i ? left : n - i))
            return true;
    }
    return false;
}

static void end_for_too_many(const struct lab13_request *request, int n_none)
{
    const bool is_recorded = task.journal && clock_is_virtual();
    const int n = is_recorded ? n_sampled(request) : 0;
    if (n_none > 0)
        END_FOR(LAB13_DELIVERED_NONE,
                "lab->deliver was called %d times for request %d, which has asked for %d "
                "tokens; %d of the tokens were SERVE_NONE",
                request->n_tokens + 1, request->number, request->n_tokens, n_none);
    if (n > 0 && n <= request->n_tokens && !goes_on())
        END_FOR(LAB13_DELIVERED_TWICE,
                "lab->deliver was called %d times for request %d, for which the steps have "
                "sampled %d tokens so far",
                request->n_tokens + 1, request->number, n);
    if (is_recorded && has_two_slots(request))
        END_FOR(LAB13_ADMITTED_TWICE,
                "lab->deliver was called %d times for request %d, whose prompt has begun "
                "in two slots",
                request->n_tokens + 1, request->number);
    END_FOR(LAB13_DELIVERED_TOO_MANY,
            "lab->deliver was called more often for a request than it has asked for tokens");
}

static void deliver(struct lab13 *of, const struct lab13_request *request, int token)
{
    (void)of;
    check_copies();
    spend(CALL_US);
    clock_host_work(task.deliver_us);
    const double now_us = clock_now_us();
    const ptrdiff_t i = request - task.requests;
    if (!request || i < 0 || i >= task.n_received || request != &task.requests[i])
        END_FOR(LAB13_UNKNOWN_REQUEST,
                "lab->deliver was called for a request that lab->receive has "
                "not returned in this lab13_serve");
    struct progress *p = &task.progress[i];
    if (p->n == request->n_tokens)
        end_for_too_many(request, p->n_none + (token == SERVE_NONE));
    if (task.journal && clock_is_virtual() && task.journal->n_done == 0)
        END_FOR(LAB13_DELIVERED_EARLY,
                "lab->deliver was called with token %d of request %td before the "
                "first step was done on the device",
                p->n, i);
    task.owed--;
    if (p->n == 0)
        task.firsts[task.n_firsts++] = now_us - request->arrival_us;
    else
        task.gaps[task.n_gaps++] = now_us - p->last_us;
    p->last_us = task.last_us = now_us;
    p->n_none += token == SERVE_NONE;
    task.tokens[i * task.drawing.tokens + p->n++] = (float)token;
    task.generating += (p->n == 1) - (p->n == request->n_tokens);
    if (task.generating > task.most_generating)
        task.most_generating = task.generating;
}

/* ---- set-up of a scenario -------------------------------------------------------------------- */

/* Of the rows of steps before; those of lab13_setup are of no request. */
static cudaError_t empty_journal(void)
{
    TRY(cudaDeviceSynchronize());
    return cudaMemset(task.journal, 0, offsetof(struct serve_journal, entries));
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const bool is_recorded = numbers->journal && !subject_unaided(s);
    subject = s;
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab13){.model = numbers->model,
                          .n_requests = numbers->drawing.n,
                          .receive = receive,
                          .deliver = deliver};
    task = (struct task){.drawing = numbers->drawing,
                         .deliver_us = numbers->late,
                         .tokens = subject_buffer(s, "tokens"),
                         .entries = is_recorded ? subject_buffer(s, "journal") : NULL,
                         .samplers = is_recorded ? subject_buffer(s, "samplers") : NULL};
    lab->memory_bytes = SPARE_BYTES +
                        (decode_scratch_floats(&lab->model, STEP_ROWS) +
                         serve_parts_floats(&lab->model, STEP_ROWS)) *
                            sizeof(float) +
                        (size_t)numbers->blocks * serve_block_bytes(&lab->model);
    if (!allocate_requests())
        return subject_failed(s, "there is no memory for the requests");
    task.drawing.seed = numbers->seed;
    draw_requests();
    launches_forget();
    int failed = subject_own_call(s, "preparing the model", create());
    subject_given(s, lab, state);
    failed = failed ? failed : returned(s, "lab13_setup", lab13_setup(lab));
    if (failed || !task.entries)
        return failed;
    return subject_own_call(s, "emptying the journal", empty_journal());
}

static int teardown(struct subject *s)
{
    int failed = returned(s, "lab13_teardown", lab13_teardown(lab));
    serve_set_journal(NULL);
    model_steps(NULL, NULL);
    free(task.requests);
    free(task.progress);
    free(task.firsts);
    free(task.gaps);
    free(task.prompts);
    cudaError_t e = clock_is_virtual() ? cudaFreeHost(task.journal) : cudaFree(task.journal);
    e = e ? e : cudaFree(lab->model.weights);
    return failed ? failed : subject_own_call(s, "freeing the model", e);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void note_launches(struct subject *s)
{
    const struct launches seen = launches_seen();
    if (seen.is_uploaded_late)
        subject_note(s, LAB13_NOT_UPLOADED, NULL, "%s", "");
    if (seen.attends_early)
        subject_note(s, LAB13_NEVER_WAITS, NULL, "%s", "serve_attend with DECODE_NEVER_WAITS");
    if (seen.is_scratch_small)
        subject_note(s, LAB13_SCRATCH_OVERLAPS, NULL, "%s", "x and q overlap");
    if (seen.other_rows)
        subject_note(s, LAB13_OTHER_ROWS, NULL, "a step begins with %d rows, and goes on with %d",
                     seen.rows, seen.other_rows);
    if (seen.rows_of_part < seen.rows_of_whole)
        subject_note(s, LAB13_COPIED_IN_PART, NULL,
                     "copies for the steps cover %zu numbers of `%s`, and %zu of `%s`",
                     seen.rows_of_whole, seen.whole, seen.rows_of_part, seen.part);
    subject_value(s, n_slots, seen.n_slots);
    subject_value(s, prefetching, (double)seen.n_prefetching / fmax(seen.n, 1));
}

static void report(struct subject *s)
{
    double sum_us = 0;
    for (int i = 0; i < task.n_gaps; i++)
        sum_us += task.gaps[i];
    const int delivered = task.n_firsts + task.n_gaps;
    if (task.is_changed_late)
        subject_note(s, LAB13_CHANGED_AFTER_COPY, NULL, "%s", "");
    note_launches(s);
    subject_value(s, received, task.n_received);
    subject_value(s, delivered, delivered);
    subject_value(s, most_generating, task.most_generating);
    subject_value(s, token_us, (task.last_us - task.begun_us) / fmax(delivered, 1));
    subject_value(s, first_us, lab13_percentile_99(task.firsts, task.n_firsts));
    subject_value(s, between_us, lab13_percentile_99(task.gaps, task.n_gaps));
    subject_value(s, waited_us, task.waited_us);
    subject_value(s, left_out, model_rows_left_out());
    subject_value(s, run_us, task.last_us - task.begun_us);
    subject_value(s, budget_bytes, (double)lab->memory_bytes);
}

static cudaError_t serve(void)
{
    copies_watch(task.journal && clock_is_virtual() && subject_computes(subject));
    launches_serving(true);
    const cudaError_t e = lab13_serve(lab);
    launches_serving(false);
    copies_watch(false);
    check_copies();
    return e;
}

static int run(struct subject *s)
{
    subject = s;
    task.n_received = task.n_in_vain = task.n_firsts = task.n_gaps = task.owed = 0;
    task.generating = task.most_generating = 0;
    task.waited_us = 0;
    model_run();
    task.begun_us = task.last_us = clock_now_us();
    for (int i = 0; i < task.drawing.n; i++) {
        task.progress[i] = (struct progress){0};
        task.requests[i].arrival_us = task.begun_us + lab13_draw(&task.drawing, i).after_us;
    }
    for (int i = 0; i < task.drawing.n * task.drawing.tokens; i++)
        task.tokens[i] = LAB13_UNTOUCHED;
    cudaPeekAtLastError(); /* where a trace begins */
    const cudaError_t e = serve();
    report(s);
    if (!subject_unaided(s))
        bench_pending(s);
    return returned(s, "lab13_serve", e);
}

/* ---- the journal ----------------------------------------------------------------------------- */

static void enter_samples(const struct serve_journal *journal)
{
    const int most = task.drawing.tokens;
    for (int i = 0; i < task.drawing.n * most * LAB13_SAMPLER; i++)
        task.samplers[i] = LAB13_UNTOUCHED;
    for (int i = 0; i < journal->n_samples && i < SERVE_JOURNAL_ENTRIES; i++) {
        const struct serve_journal_sample *of = &journal->samples[i];
        const int request = request_of(of->seed);
        if (request < 0)
            continue;
        const int k = of->position - task.requests[request].prompt_length + 1;
        if (k < 0 || k >= most)
            continue;
        float *to = task.samplers + (size_t)(request * most + k) * LAB13_SAMPLER;
        to[LAB13_TEMPERATURE] = of->temperature;
        to[LAB13_DRAWN] = (float)of->drawn;
    }
}

static cudaError_t read_journal(void)
{
    static struct serve_journal copy;
    const struct serve_journal *journal = clock_is_virtual() ? task.journal : &copy;
    TRY(cudaDeviceSynchronize());
    if (journal == &copy)
        TRY(cudaMemcpy(&copy, task.journal, sizeof copy, cudaMemcpyDeviceToHost));
    task.entries[0] = (float)journal->n;
    for (int i = 0; i < journal->n && i < SERVE_JOURNAL_ENTRIES; i++) {
        const struct serve_journal_entry *e = &journal->entries[i];
        float *to = task.entries + 1 + (size_t)i * LAB13_ENTRY;
        to[LAB13_REQUEST] = (float)request_of(e->seed);
        to[LAB13_SLOT] = (float)e->slot;
        to[LAB13_POSITION] = (float)e->position;
        to[LAB13_BLOCK] = (float)e->block;
        to[LAB13_TOKEN] = (float)e->token;
        to[LAB13_IS_LAST] = (float)e->is_last;
        to[LAB13_ROWS] = (float)e->n_rows;
        to[LAB13_SAMPLES] = (float)e->samples;
    }
    enter_samples(journal);
    return empty_journal();
}

static int collect(struct subject *s)
{
    return task.entries ? subject_own_call(s, "reading the journal", read_journal()) : 0;
}

static int floor_times(struct subject *s)
{
    double us = 0;
    const int failed = subject_own_call(s, "reading all weights", time_reading(&lab->model, &us));
    subject_value(s, read_us, us);
    return failed;
}

SUBJECT_LAB(.name = "lab13", .floor = floor_times, .setup = setup, .arm = NULL, .run = run,
            .collect = collect, .teardown = teardown, .before_call = before_call,
            .after_call = after_call)
