/* scripted.c: graphs of scripted kernels, see scripted.h. */
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LISTS = 1024 };

/* All scripts. */
static struct {
    struct script *list, *at;
} scripts[MAX_LISTS];
static int n_scripts;

struct script_log *script_log_place(void)
{
    static struct script_log *log;
    if (!log)
        log = device_bytes(sizeof *log);
    return log;
}

/* ---- making one ------------------------------------------------------------------------------ */

void scripted_add_kernel(struct scripted *t, int delay_us)
{
    struct script_log *log = script_log_place();
    int i = t->n_parts++;
    t->lists[i] = calloc(1, sizeof *t->lists[i]);
    t->parts[i] = device_bytes(sizeof *t->parts[i]);
    must(t->lists[i] && n_scripts < MAX_LISTS ? cudaSuccess : cudaErrorMemoryAllocation,
         "scripted_add_kernel");
    scripts[n_scripts].list = t->lists[i];
    scripts[n_scripts++].at = t->parts[i];
    void *args[] = {&t->parts[i], &log, &delay_us};
    struct cudaKernelNodeParams k = kernel_params(script_kernel(), args);
    MUST(cudaGraphAddKernelNode(&t->nodes[i], t->graph, i ? &t->nodes[i - 1] : NULL, i != 0, &k));
}

struct scripted *scripted_new(int delay_us)
{
    struct scripted *t = calloc(1, sizeof *t);
    must(t ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    MUST(cudaGraphCreate(&t->graph, 0));
    scripted_add_kernel(t, delay_us);
    return t;
}

void scripted_instantiate(struct scripted *t, unsigned long long flags)
{
    MUST(cudaGraphInstantiate(&t->exec, t->graph, flags));
}

void scripted_upload(struct scripted *t)
{
    scripted_instantiate(t, cudaGraphInstantiateFlagDeviceLaunch);
    MUST(cudaGraphUpload(t->exec, NULL));
    MUST(cudaStreamSynchronize(NULL));
}

struct scripted *scripted_letter(char letter, int delay_us)
{
    struct scripted *t = scripted_new(delay_us);
    then_log(t, letter);
    scripted_upload(t);
    return t;
}

/* ---- what it does ---------------------------------------------------------------------------- */

static struct script_step *next_step(struct scripted *t, enum script_verb verb)
{
    struct script *p = t->lists[t->n_parts - 1];
    must(p->n < SCRIPT_STEPS ? cudaSuccess : cudaErrorMemoryAllocation, "next_step");
    p->steps[p->n] = (struct script_step){.verb = verb, .until = ALWAYS};
    return &p->steps[p->n++];
}

void then_log(struct scripted *t, char letter)
{
    next_step(t, SCRIPT_LOG)->letter = letter;
}

void then_launch_exec(struct scripted *t, cudaGraphExec_t x, cudaStream_t how)
{
    struct script_step *a = next_step(t, SCRIPT_LAUNCH);
    a->exec = x;
    a->stream = how;
}

void then_launch(struct scripted *t, struct scripted *what, cudaStream_t how)
{
    if (!what->exec)
        scripted_upload(what);
    then_launch_exec(t, what->exec, how);
}

void then_relaunch(struct scripted *t, cudaStream_t how)
{
    next_step(t, SCRIPT_RELAUNCH)->stream = how;
}

void then_note_current(struct scripted *t)
{
    next_step(t, SCRIPT_CURRENT);
}

void only_in(struct scripted *t, int from, int until)
{
    struct script *p = t->lists[t->n_parts - 1];
    p->steps[p->n - 1].from = from;
    p->steps[p->n - 1].until = until;
}

/* ---- running --------------------------------------------------------------------------------- */

void scripts_copy(void)
{
    for (int i = 0; i < n_scripts; i++)
        MUST(cudaMemcpy(scripts[i].at, scripts[i].list, sizeof *scripts[i].at,
                        cudaMemcpyHostToDevice));
    MUST(cudaMemset(script_log_place(), 0, sizeof(struct script_log)));
    MUST(cudaDeviceSynchronize());
}

const struct script_log *script_log_now(void)
{
    static struct script_log log;
    MUST(cudaMemcpy(&log, script_log_place(), sizeof log, cudaMemcpyDeviceToHost));
    return &log;
}

void answer_log_as(const char *expected)
{
    const struct script_log *l = script_log_now();
    int n = l->n_letters < 200 ? l->n_letters : 200;
    answer_fact_as("log", expected, "%.*s%s", n, l->letters, n < l->n_letters ? "..." : "");
}

void answer_launches_as(const char *expected)
{
    const struct script_log *l = script_log_now();
    char text[ANSWER_BYTES] = "";
    size_t at = 0;
    for (int i = 0, same; i < l->n_codes && at < sizeof text; i += same) {
        for (same = 1; i + same < l->n_codes && l->codes[i + same] == l->codes[i];)
            same++;
        const char *name = error_text((cudaError_t)l->codes[i]);
        at +=
            (size_t)snprintf(text + at, sizeof text - at, same > 1 ? " %s x%d" : " %s", name, same);
    }
    answer_fact_as("launches", expected, "%s", text + (text[0] == ' '));
}

void answer_script_as(const char *log, const char *launches, struct scripted *t)
{
    if (!t->exec)
        scripted_upload(t);
    scripts_copy();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaError_t launched = cudaGraphLaunch(t->exec, s), done = cudaStreamSynchronize(s);
    if (launched != cudaSuccess || done != cudaSuccess)
        answer_fact("run", "%s then %s", error_text(launched), error_text(done));
    if (done != cudaSuccess)
        return;
    answer_log_as(log);
    answer_launches_as(launches);
}
