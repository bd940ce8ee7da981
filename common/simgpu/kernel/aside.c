/* aside.c: grids that wait in a loop for what others write: the host, a copy, another kernel. On a
 * GPU these go on meanwhile. Here such a grid is run again, on a host thread of its own (so its
 * shared memory is its own, too), which stands still while the simulation goes on. */
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

void aside_free(struct aside *a)
{
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    free(a);
}

static void *run(void *arg)
{
    struct aside *a = arg;
    const char *why = "";
    memory_open(); /* the right to touch device memory is a thread's own */
    a->good = grid_run(a->kernel, a->launch, a->params, a->recording, &a->steps, &why);
    memory_close();
    a->error = grid_failure();
    snprintf(a->why, sizeof a->why, "%s", why);
    pthread_mutex_lock(&a->lock);
    a->has_ended = true;
    a->runs = false;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

void aside_run(struct aside *a, bool woken, ns_t now, ns_t limit)
{
    const bool begins = a->looked_ns == 0;
    if (woken) {
        a->woken_ns = now;
        a->wakes++;
    }
    a->limit_ns = limit;
    pthread_mutex_lock(&a->lock);
    a->runs = true;
    if (begins && thread_start(run, a) != 0)
        fatal("no host thread for kernel %s, which waits in a loop", a->kernel->name);
    pthread_cond_broadcast(&a->changed);
    while (a->runs)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

static uint64_t read_word(const struct polled_word *p)
{
    uint64_t value = 0;
    memcpy(&value, p->at, p->bytes);
    return value;
}

bool aside_sees(const struct aside *a)
{
    if (a->n_words > ASIDE_WORDS) /* not all are known */
        return true;
    for (int i = 0; i < a->n_words; i++)
        if (read_word(&a->words[i]) != a->words[i].value)
            return true;
    return false;
}

static void note_word(struct aside *a, const struct poll *poll)
{
    for (int i = 0; i < a->n_words && i < ASIDE_WORDS; i++)
        if (a->words[i].at == poll->at && a->words[i].value == poll->value)
            return;
    if (a->n_words < ASIDE_WORDS)
        a->words[a->n_words] = (struct polled_word){(const void *)(uintptr_t)poll->at, poll->value,
                                                    poll->bytes < 8 ? poll->bytes : 8};
    a->n_words += a->n_words <= ASIDE_WORDS;
}

/* The thread that is stopped, or runs, on r. */
static void note_thread(struct aside *a, const struct runner *r)
{
    if (!r->poll.has_waited)
        return;
    note_word(a, &r->poll);
    if (r->poll.reads_clock && (ns_t)r->poll.looked_ns < a->looked_ns)
        a->looked_ns = (ns_t)r->poll.looked_ns;
}

static void all_wait(struct aside *a, const struct worker *stuck)
{
    a->n_words = 0;
    a->looked_ns = NS_NEVER;
    for (const struct worker *w = stuck; w; w = w->next_stuck) {
        note_thread(a, w->current);
        for (const struct runner *r = w->ready.head; r; r = r->next)
            note_thread(a, r);
    }
    if (aside_sees(a) && a->n_words <= ASIDE_WORDS)
        return; /* one of the grid's own threads has written it */
    patience_end();
    pthread_mutex_lock(&a->lock);
    a->runs = false;
    pthread_cond_broadcast(&a->changed);
    while (!a->runs)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    patience_begin(a->kernel);
}

struct aside *aside_new(const struct simgpu_kernel *kernel, const struct simgpu_launch *launch,
                        void *const *params, struct recording *recording)
{
    struct aside *a = needed(calloc(1, sizeof *a), "a kernel that waits");
    a->kernel = kernel;
    a->launch = launch;
    a->params = params;
    a->recording = recording;
    a->steps.aside = a;
    a->all_wait = all_wait;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    return a;
}
