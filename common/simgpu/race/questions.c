/* questions.c: what else histories answer: who wrote a byte, what nobody has read, what occurs
 * twice, and whom host code has learned of. */
#include <stdlib.h>

#include "segment.h"

const struct epoch *history_writer(struct history *h, uint64_t at)
{
    const struct touch *t = h ? segment_cut(&h->segments, at, at + 1)->writer : NULL;
    return t && !t->begins ? &t->epoch : NULL;
}

uint64_t history_unread(struct history *h, uint64_t lo, uint64_t hi)
{
    for (struct segment *s = segment_cut(&h->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s)) {
        const struct kept *k = s->kept;
        while (k &&
               (k->until || k->touch->ends || k->touch->of_host || k->touch->run != lineage_run()))
            k = k->next;
        if (!k)
            return s->lo;
    }
    return hi;
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const struct origin *)a)->serial, y = ((const struct origin *)b)->serial;
    return x < y ? -1 : x > y;
}

bool history_has_duplicates(struct history *h, uint64_t lo, uint64_t hi)
{
    struct origin *all = checks_alloc((h->segments.n + 2) * sizeof *all);
    size_t n = 0;
    for (struct segment *s = segment_cut(&h->segments, lo, hi); s && s->lo < hi;
         s = segment_next(s))
        if (s->writer && s->writer->origin.serial) {
            all[n] = s->writer->origin;
            all[n++].by = s->hi - s->lo; /* how many of its bytes are here */
        }
    qsort(all, n, sizeof *all, by_serial);
    bool found = false;
    uint64_t here = 0;
    for (size_t i = 0; i < n; i++) {
        here = i > 0 && all[i].serial == all[i - 1].serial ? here + all[i].by : all[i].by;
        found = found || here > all[i].bytes;
    }
    free(all);
    return found;
}

static void learn(const struct touch *t, bool orders_calls)
{
    if (!t || t->of_host || t->begins || epoch_before(&t->epoch, &access_epoch))
        return;
    if (orders_calls)
        host_waited(&t->epoch);
    else
        host_learned(&t->epoch);
}

void history_signal(struct history *h, uint64_t lo, uint64_t hi, bool writes, bool orders_calls)
{
    if (!h)
        return;
    for (struct segment *s = segment_at(&h->segments, lo); s && s->lo < hi; s = segment_next(s)) {
        learn(s->writer, orders_calls);
        for (const struct kept *k = s->kept; k && writes; k = k->next)
            learn(k->touch, orders_calls);
    }
}

bool history_gap(struct history *h, uint64_t at, uint64_t *lo, uint64_t *hi)
{
    const struct segment *s = segment_at(&h->segments, at);
    if (s->writer || s->kept)
        return false;
    *lo = s->lo > *lo ? s->lo : *lo;
    *hi = s->hi < *hi ? s->hi : *hi;
    return true;
}

bool history_is_crowded(struct history *h, uint64_t lo, uint64_t hi)
{
    enum { MANY = 8 };
    int n = 0;
    for (struct segment *s = segment_at(&h->segments, lo); s && s->lo < hi && n < MANY;
         s = segment_next(s)) {
        n = 0;
        for (const struct kept *k = s->kept; k && n < MANY; k = k->next)
            n++;
    }
    return n == MANY;
}
