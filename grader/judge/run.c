/* run.c: a scenario in a subject: set up, run, traced, torn down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static void put_name(char to[WIRE_NAME], const char *name)
{
    if (strlen(name) >= WIRE_NAME)
        judge_internal_error("the name %s is longer than %d characters", name, WIRE_NAME - 1);
    snprintf(to, WIRE_NAME, "%s", name);
}

static void describe_scenario(struct judged *j)
{
    struct wire_request *r = &j->request;
    memset(r, 0, sizeof *r);
    r->numbers_bytes = (uint32_t)judge_running_lab->numbers_bytes;
    memcpy(r->numbers, j->numbers, sizeof r->numbers);
    for (int i = 0; i < j->n_buffers; i++) {
        put_name(r->buffers[i].name, j->scenario->buffers[i].name);
        r->buffers[i] = j->buffers[i].wire;
        r->n_buffers++;
    }
}

/* Does a run read its inputs and write its outputs? */
static bool computes(const struct judged *j)
{
    return !(j->model_only && judge_device_is_simulated());
}

static void set_up(struct judged *j)
{
    j->is_right = false;
    const int memory = judge_memory_make(j);
    if (computes(j))
        judge_memory_touch(j);
    if (computes(j) && j->unaided)
        judge_memory_refresh(j, JUDGE_ALL_PARTS);
    describe_scenario(j);
    j->request.unaided = j->unaided;
    j->request.freedom = j->unaided ? judge_current->freedom : 0;
    j->request.computes = computes(j);
    j->request.failing_place = (uint32_t)j->scenario->failing_place;
    memset(&j->lineage, 0, sizeof j->lineage);
    j->up = true;
    judge_ask(j, WIRE_SETUP, memory);
    if (j->who == JUDGE_SUBMISSION)
        judge_setup_keep(&j->reply);
}

void judge_prepare(struct judged *j, const struct judge_scenario *scenario)
{
    if (j->up)
        judge_teardown(j);
    j->is_older = true;
    if (judge_process_is_spent(j)) {
        judge_process_kill(j);
        judge_process_renew(j);
    }
    if (scenario->model_only != j->model_only || scenario->devices != j->devices ||
        scenario->peers != j->peers || scenario->whole_graphs != j->whole_graphs)
        judge_internal_error("the scenario %s wants another process: model_only, devices, peers "
                             "or whole_graphs differ",
                             scenario->name);
    j->unaided = false;
    judge_random_sizes(j, scenario);
    if (j->who == JUDGE_SUBMISSION) {
        snprintf(judge_current->scenario, sizeof judge_current->scenario, "%s", scenario->name);
        judge_notes_drop();
        judge_facts_clear();
        judge_try(scenario->tries ? scenario->tries : "");
    }
    j->scenario = &j->own;
    set_up(j);
}

void judge_teardown(struct judged *j)
{
    if (!j->up)
        return;
    j->up = false;
    judge_ask(j, WIRE_TEARDOWN, -1);
    if (j->reply.n_findings > 0 && !j->found_in[0] && j->who == JUDGE_SUBMISSION)
        snprintf(j->found_in, sizeof j->found_in, "%s", judge_current->scenario);
}

/* One request to run; how long the answer took, by the judge's clock. */
static double go_us(struct judged *j, int repeats, bool traced)
{
    j->request.repeats = (uint32_t)repeats;
    j->request.traced = traced;
    j->was_probed |= traced;
    j->request.is_free = j->who == JUDGE_REFERENCE;
    int64_t start_ns = session_now_ns();
    judge_ask(j, WIRE_GO, -1);
    if (j->reply.computed_ns > 0)
        judge_count_computing(true);
    return (double)(session_now_ns() - start_ns) / 1e3;
}

/* What the collection adds: sums of buffers that it filled, and a result that is not any more what
   operations wrote. */
static void add_lineage(struct wire_lineage *l, const struct wire_lineage *collected)
{
    if (l->found == SIMGPU_LINEAGE_GOOD && collected->found) {
        l->found = collected->found;
        l->buffer = collected->buffer;
        l->offset = collected->offset;
    }
    for (int i = 0; i < WIRE_BUFFERS; i++) {
        l->sum[i] += l->summed_bytes[i] ? 0 : collected->sum[i];
        l->summed_bytes[i] += l->summed_bytes[i] ? 0 : collected->summed_bytes[i];
    }
}

/* Does the simulated device know better why an unaided run has wrong values? By a finding, or by a
 * stream for which the host has not waited. */
static bool is_explained(struct judged *j)
{
    if (!judge_device_is_simulated() || !j->unaided)
        return false;
    if (j->reply.reported >> UNWAITED_STREAM.at & 1 && judge_unwaited_stream(j) >= 0)
        return true;
    const struct wire_reply kept = j->reply;
    judge_ask(j, WIRE_FINDINGS_SO_FAR, -1);
    const bool has = j->reply.n_findings > 0;
    j->reply = kept;
    return has;
}

enum why { TO_SEE, TO_TRACE, TO_TIME, TO_WARM_UP };

static bool is_checked(const struct judged *j, enum why why)
{
    const bool was_checked = why == TO_TIME && j->who == JUDGE_REFERENCE;
    return computes(j) && why != TO_WARM_UP && !was_checked;
}

/* One timed part with fresh inputs; its reply (and the blob) stay in j. The warm-up: see
 * judge_run_timed. */
static struct judge_run go(struct judged *j, int repeats, enum why why, double *warm_up_us)
{
    const int part = why >= TO_TIME ? (int)(judge_random(j) % JUDGE_PARTS) : JUDGE_ALL_PARTS;
    j->was_right = j->is_right;
    j->is_right = false;
    judge_current->after_right = j->was_right && j->who == JUDGE_SUBMISSION; /* if it fails */
    if (computes(j) && !j->unaided)
        judge_memory_refresh(j, part);
    judge_ask(j, WIRE_ARM, -1);
    if (warm_up_us)
        *warm_up_us = go_us(j, 1, false);
    double wall_us = go_us(j, repeats, why == TO_TRACE);
    struct wire_reply kept = j->reply;
    judge_ask(j, WIRE_COLLECT, -1);
    add_lineage(&kept.lineage, &j->reply.lineage);
    j->reply = kept;
    j->lineage = kept.lineage;
    if (is_checked(j, why)) {
        judge_rest_on(EVIDENCE_CERTAIN);
        judge_memory_check(j, part);
        judge_memory_take(j);
        if (j->scenario->verify && !is_explained(j))
            j->scenario->verify(j);
        j->is_right = j->scenario->verify;
        judge_memory_leave(j);
    }
    judge_current->after_right = false;
    judge_rest_on(EVIDENCE_MEASURED);
    if (!j->unaided) /* its inputs are older than the run */
        judge_note_lineage(j, &j->lineage);
    bool is_virtual = judge_device_is_simulated() && kept.is_virtual;
    return (struct judge_run){.time_us = (is_virtual ? kept.time_us : wall_us) / repeats};
}

int judge_repeats(const struct judged *j)
{
    return j->scenario->repeats > 0 ? j->scenario->repeats : 1;
}

struct judge_run judge_run(struct judged *j)
{
    return go(j, judge_repeats(j), TO_SEE, NULL);
}

struct judged *judge_run_first(const struct judge_scenario *scenario)
{
    struct judged *j = judge_start(JUDGE_SUBMISSION, scenario);
    judge_run(j);
    return j;
}

struct judge_run judge_run_next(struct judged *j, const struct judge_scenario *scenario)
{
    judge_prepare(j, scenario);
    return judge_run(j);
}

void judge_run_in_pairs(const struct judge_scenario *scenario)
{
    static char name[160];
    struct judge_scenario pairs = judge_unverified(*scenario, scenario->numbers);
    if (!judge_device_is_simulated())
        return;
    snprintf(name, sizeof name, "%s, 4 devices, peer access in pairs", scenario->name);
    pairs.name = name;
    pairs.tries = "pairs";
    pairs.devices = 4;
    pairs.peers = 2;
    judge_teardown(judge_run_first(&pairs));
}

double judge_warm_up(struct judged *j)
{
    double warm_up_us;
    return go(j, judge_repeats(j), TO_WARM_UP, &warm_up_us).time_us;
}

struct judge_run judge_run_timed(struct judged *j, int repeats, double *warm_up_us)
{
    int least = judge_repeats(j);
    return go(j, repeats > least ? repeats : least, TO_TIME, warm_up_us);
}

/* The trace that came with the last reply. */
static void take_trace(struct judged *j)
{
    if (j->reply.outcome == WIRE_UNSUPPORTED)
        judge_unsupported(j);
    trace_free(&j->trace);
    memset(&j->trace, 0, sizeof j->trace);

    char *text;
    const char *why = "it is empty";
    FILE *from = judge_open_blob(j, &text);
    int failed = from ? trace_read(&j->trace, from, &why) : -1;
    if (from)
        fclose(from);
    free(text);
    if (failed)
        judge_fail("the trace of the run cannot be read: %s", why);
}

struct judge_run judge_run_traced(struct judged *j)
{
    judge_gpu_take();
    struct judge_run run = go(j, judge_repeats(j), TO_TRACE, NULL);
    take_trace(j);
    return run;
}

const struct trace *judge_trace(struct judged *j)
{
    judge_run_traced(j);
    return &j->trace;
}

void judge_floor(struct judged *j)
{
    judge_gpu_take();
    if (computes(j) && !j->is_filled)
        judge_memory_refresh(j, JUDGE_ALL_PARTS);
    j->was_probed = true;
    judge_ask(j, WIRE_FLOOR, -1);
    if (j->reply.outcome == WIRE_UNSUPPORTED)
        judge_unsupported(j);
    judge_rest_on(EVIDENCE_MEASURED);
}

double judge_floor_figure(struct judged *j, struct figure figure)
{
    judge_floor(j);
    const double value = judge_reported(j, figure);
    judge_run(j);
    return value;
}

double judge_reported(const struct judged *j, struct figure figure)
{
    if (j->reply.reported >> figure.at & 1)
        return j->reply.figures[figure.at];
    if (j->who == JUDGE_SUBMISSION)
        judge_fail("the run did not report its %s", figure.name);
    judge_internal_error("the adapter reported no %s", figure.name);
}

int judge_reported_count(const struct judged *j, struct figure figure, int most)
{
    const double value = judge_reported(j, figure);
    if (value >= 1 && value <= most)
        return (int)value;
    if (j->who == JUDGE_SUBMISSION)
        judge_fail("the run reported %g as its %s", value, figure.name);
    judge_internal_error("the adapter reported %g as its %s", value, figure.name);
}

void judge_expect_figure(const struct judged *j, struct figure figure, double expected)
{
    const double actual = judge_reported(j, figure);
    if (actual >= expected && actual <= expected)
        return;
    judge_fact_number(figure.name, actual);
    judge_fail_as_said();
}

double judge_pending_us(const struct judged *j)
{
    return judge_reported(j, PENDING_US);
}

int judge_unwaited_stream(const struct judged *j)
{
    return (int)judge_reported(j, UNWAITED_STREAM);
}

double judge_own_bytes(const struct judged *j)
{
    return judge_reported(j, OWN_BYTES);
}

void judge_expect_timed_bytes(const struct judged *j, double at_most, const char *fact)
{
    const struct session_check *memory = session_find(judge_session, "memory");
    if (!memory || memory->status == CHECK_FAILED || judge_own_bytes(j) <= at_most)
        return;
    judge_compare_bytes(judge_own_bytes(j), at_most, " in the run that was timed",
                        "as in the check memory");
    judge_next("keep to the memory of the check memory in every run");
    judge_fail_that(fact);
}

bool judge_has_slept(const struct judged *j)
{
    return judge_reported(j, HAS_SLEPT) > 0;
}

/* The same scenario again: see judge_run_unaided. */
static void run_unaided(struct judged *j)
{
    judge_teardown(j);
    j->unaided = true;
    judge_current->freedom = judge_random_freedom();
    set_up(j);
    judge_run(j);
    judge_teardown(j);
    j->unaided = false;
    judge_current->freedom = 0;
}

void judge_run_unaided(struct judged *j, const char *unordered)
{
    judge_asks(unordered);
    run_unaided(j);
    judge_forget();
}

static void expect_no_findings(struct judged *j)
{
    judge_teardown(j);
    judge_ask(j, WIRE_FINDINGS, -1);
    if (j->reply.outcome == WIRE_UNSUPPORTED)
        judge_unsupported(j);
    judge_measured((double)j->reply.n_findings, 0, "findings");
    if (j->reply.n_findings > 0)
        judge_found(j);
}

void judge_expect_no_findings(struct judged *j)
{
    expect_no_findings(j);
    run_unaided(j);
    expect_no_findings(j);
}

float *judge_buffer(const struct judged *j, const char *name)
{
    return judge_memory_find(j, name)->data;
}

bool judge_has_buffer(const struct judged *j, const char *name)
{
    for (int i = 0; i < j->n_buffers; i++)
        if (strcmp(j->buffers[i].wire.name, name) == 0)
            return true;
    return false;
}

size_t judge_buffer_count(const struct judged *j, const char *name)
{
    return judge_memory_find(j, name)->wire.data_bytes / sizeof(float);
}
