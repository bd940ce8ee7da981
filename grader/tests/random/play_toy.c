/*
 * play_toy.c: toys, see play_toy.h.
 */
#include "play_toy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTS = 1024 };

/* All parts of all toys. */
static struct {
    struct play_part *list, *at;
} told[MAX_LISTS];
static int n_told;

struct play_log *toy_log_place(void)
{
    static struct play_log *log;
    if (!log)
        log = device_bytes(sizeof *log);
    return log;
}

/* ---- making one ------------------------------------------------------------------------------ */

void toy_part(struct toy *t, int delay_us)
{
    struct play_log *log = toy_log_place();
    int i = t->n_parts++;
    t->lists[i] = calloc(1, sizeof *t->lists[i]);
    t->parts[i] = device_bytes(sizeof *t->parts[i]);
    must(t->lists[i] && n_told < MAX_LISTS ? cudaSuccess : cudaErrorMemoryAllocation, "toy_part");
    told[n_told].list = t->lists[i];
    told[n_told++].at = t->parts[i];
    void *args[] = {&t->parts[i], &log, &delay_us};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)play_kernel(),
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {1, 1, 1},
                                     .kernelParams = args};
    MUST(cudaGraphAddKernelNode(&t->nodes[i], t->graph, i ? &t->nodes[i - 1] : NULL, i != 0, &k));
}

struct toy *toy_new(int delay_us)
{
    struct toy *t = calloc(1, sizeof *t);
    must(t ? cudaSuccess : cudaErrorMemoryAllocation, "calloc");
    MUST(cudaGraphCreate(&t->graph, 0));
    toy_part(t, delay_us);
    return t;
}

void toy_instantiate(struct toy *t, unsigned long long flags)
{
    MUST(cudaGraphInstantiate(&t->exec, t->graph, flags));
}

void toy_ready(struct toy *t)
{
    toy_instantiate(t, cudaGraphInstantiateFlagDeviceLaunch);
    MUST(cudaGraphUpload(t->exec, NULL));
    MUST(cudaStreamSynchronize(NULL));
}

struct toy *toy_letter(char letter, int delay_us)
{
    struct toy *t = toy_new(delay_us);
    does_log(t, letter);
    toy_ready(t);
    return t;
}

/* ---- what it does ---------------------------------------------------------------------------- */

static struct play_act *next_act(struct toy *t, enum play_verb verb)
{
    struct play_part *p = t->lists[t->n_parts - 1];
    must(p->n < PLAY_ACTS ? cudaSuccess : cudaErrorMemoryAllocation, "next_act");
    p->acts[p->n] = (struct play_act){.verb = verb, .until = ALWAYS};
    return &p->acts[p->n++];
}

void does_log(struct toy *t, char letter)
{
    next_act(t, PLAY_LOG)->letter = letter;
}

void does_launch_exec(struct toy *t, cudaGraphExec_t x, cudaStream_t how)
{
    struct play_act *a = next_act(t, PLAY_LAUNCH);
    a->exec = x;
    a->stream = how;
}

void does_launch(struct toy *t, const struct toy *what, cudaStream_t how)
{
    does_launch_exec(t, what->exec, how);
}

void does_self(struct toy *t, cudaStream_t how)
{
    next_act(t, PLAY_SELF)->stream = how;
}

void does_look(struct toy *t)
{
    next_act(t, PLAY_ME);
}

void only_in(struct toy *t, int from, int until)
{
    struct play_part *p = t->lists[t->n_parts - 1];
    p->acts[p->n - 1].from = from;
    p->acts[p->n - 1].until = until;
}

/* ---- playing --------------------------------------------------------------------------------- */

void toys_tell(void)
{
    for (int i = 0; i < n_told; i++)
        MUST(cudaMemcpy(told[i].at, told[i].list, sizeof *told[i].at, cudaMemcpyHostToDevice));
    MUST(cudaMemset(toy_log_place(), 0, sizeof(struct play_log)));
    MUST(cudaDeviceSynchronize());
}

const struct play_log *toy_log(void)
{
    static struct play_log log;
    MUST(cudaMemcpy(&log, toy_log_place(), sizeof log, cudaMemcpyDeviceToHost));
    return &log;
}

void answer_log(void)
{
    const struct play_log *l = toy_log();
    int n = l->n_letters < 200 ? l->n_letters : 200;
    answer_text("log: %.*s%s", n, l->letters, n < l->n_letters ? "..." : "");
}

void answer_codes(void)
{
    const struct play_log *l = toy_log();
    char text[ANSWER_BYTES] = "";
    size_t at = 0;
    for (int i = 0, same; i < l->n_codes && at < sizeof text; i += same) {
        for (same = 1; i + same < l->n_codes && l->codes[i + same] == l->codes[i];)
            same++;
        const char *name = error_text((cudaError_t)l->codes[i]);
        at +=
            (size_t)snprintf(text + at, sizeof text - at, same > 1 ? " %s x%d" : " %s", name, same);
    }
    answer_text("launches:%s", text);
}

void toy_play(struct toy *t)
{
    toys_tell();
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaError_t launched = cudaGraphLaunch(t->exec, s), done = cudaStreamSynchronize(s);
    if (launched != cudaSuccess || done != cudaSuccess)
        answer_text("run %s then %s", error_text(launched), error_text(done));
    if (done != cudaSuccess)
        return;
    answer_log();
    answer_codes();
}
