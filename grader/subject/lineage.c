/* lineage.c: asks the simulated device where the results of a run came from, and which graphs ran.
 *
 * Weak references: a GPU's runtime knows neither. */
#include <stdio.h>
#include <string.h>

#include "common/simgpu/lineage.h"
#include "common/simgpu/simgpu.h"
#include "inside.h"

#pragma weak simgpu_graph_launches
#pragma weak simgpu_graph_number
#pragma weak simgpu_lineage
#pragma weak simgpu_lineage_begin
#pragma weak simgpu_lineage_constant
#pragma weak simgpu_lineage_is_read
#pragma weak simgpu_lineage_watch
#pragma weak simgpu_lineage_written
#pragma weak simgpu_number_launches

enum { MOST_SPANS = 256 };

/* Memory in which this run finds an input, or leaves a result. */
static struct span {
    int buffer; /* of the scenario */
    const void *base;
    size_t bytes;
} spans[MOST_SPANS];
static int n_spans;

static bool is_result(const struct subject *s, const struct span *m)
{
    return s->scenario.buffers[m->buffer].made_by[0] != 0;
}

static void add(int buffer, const void *base, size_t bytes)
{
    if (n_spans < MOST_SPANS)
        spans[n_spans++] = (struct span){buffer, base, bytes};
}

void subject_watch(struct subject *s, const char *name, const void *base, size_t bytes)
{
    for (int i = 0; i < s->n_maps; i++)
        if (strcmp(s->scenario.buffers[i].name, name) == 0)
            add(i, base, bytes);
}

void subject_constants(const void *base, size_t bytes)
{
    if (simgpu_lineage_constant)
        simgpu_lineage_constant(base, bytes);
}

static bool is_asked(const struct subject *s)
{
    bool asked = false;
    for (int i = 0; i < s->n_maps; i++)
        asked = asked || s->scenario.buffers[i].made_by[0];
    return asked;
}

/* It costs time to follow what goes on, also if nobody asks. */
static bool is_followed(const struct subject *s)
{
    return s->lab->watch || s->lab->shown || is_asked(s);
}

void subject_lineage_begin(struct subject *s)
{
    n_spans = 0;
    subject_lent_is_filled();
    if (!simgpu_lineage_begin || !is_followed(s))
        return;
    simgpu_lineage_begin();
    if (!is_asked(s))
        return;
    if (s->lab->watch)
        s->lab->watch(s);
    for (int i = 0; !s->lab->watch && i < s->n_maps; i++)
        add(i, s->maps[i].data, s->scenario.buffers[i].data_bytes);
    for (int i = 0; i < n_spans; i++)
        simgpu_lineage_watch(spans[i].base, spans[i].bytes, is_result(s, &spans[i]));
}

/* "consume or saxpy": one of them; "consume of produce": consume, which read what produce had
   written. The names end up in `text`. */
static struct simgpu_makers makers_of(const struct wire_buffer *b, char text[2 * WIRE_NAME])
{
    static const char or [] = " or ", of[] = " of ";
    struct simgpu_makers by = {.of_any_data = b->of_any_data != 0};
    snprintf(text, sizeof b->made_by, "%s", b->made_by);
    char *after = strstr(text, of);
    if (after) {
        *after = '\0';
        by.after = after + strlen(of);
    }
    for (int i = 0; text && i < SIMGPU_MOST_MAKERS; i++) {
        char *end = strstr(text, or);
        by.kernels[i] = text;
        if (end)
            *end = '\0';
        text = end ? end + strlen(or) : NULL;
    }
    return by;
}

static void ask_of(struct subject *s, const struct span *m)
{
    char text[sizeof s->scenario.buffers[0].made_by];
    const struct simgpu_makers by = makers_of(&s->scenario.buffers[m->buffer], text);
    struct wire_lineage *l = &s->reply.lineage;
    size_t offset = 0;
    if (is_result(s, m))
        l->found = simgpu_lineage(m->base, m->bytes, &by, &offset);
    else if (!s->scenario.buffers[m->buffer].output &&
             !simgpu_lineage_is_read(m->base, m->bytes, &offset))
        l->found = SIMGPU_LINEAGE_NOT_READ;
    l->buffer = (uint32_t)m->buffer;
    l->offset = offset;
}

/* What operations wrote to a result, for the judge: whatever comes there later is none of it. A
   result in other memory is whole, or is left to subject_lineage_collected. */
static void sum_up(struct subject *s, const struct span *m)
{
    struct wire_lineage *l = &s->reply.lineage;
    const struct wire_buffer *b = &s->scenario.buffers[m->buffer];
    const char *data = (const char *)s->maps[m->buffer].data, *base = m->base;
    const void *written = simgpu_lineage_written(base, m->bytes);
    const bool is_whole = m->bytes == b->data_bytes,
               is_part = base >= data && base + m->bytes <= data + b->data_bytes;
    if (!written || (!is_whole && !is_part))
        return;
    const uint64_t sum = wire_sum(written, is_whole ? 0 : (uint64_t)(base - data), m->bytes);
    l->sum[m->buffer] = is_whole ? sum : l->sum[m->buffer] + sum;
    l->summed_bytes[m->buffer] = is_whole ? m->bytes : l->summed_bytes[m->buffer] + m->bytes;
}

void subject_lineage_run(struct subject *s)
{
    struct wire_lineage *l = &s->reply.lineage;
    memset(l->sum, 0, sizeof l->sum);
    memset(l->summed_bytes, 0, sizeof l->summed_bytes);
}

void subject_lineage_collected(struct subject *s)
{
    struct wire_lineage *l = &s->reply.lineage;
    for (int i = 0; i < n_spans && l->found == SIMGPU_LINEAGE_GOOD; i++) {
        const struct span *m = &spans[i];
        const void *written = simgpu_lineage_written && is_result(s, m)
                                  ? simgpu_lineage_written(m->base, m->bytes)
                                  : NULL;
        if (written && !s->lab->in_calls && memcmp(written, m->base, m->bytes) != 0) {
            l->found = SIMGPU_LINEAGE_CHANGED;
            l->buffer = (uint32_t)m->buffer;
        }
        for (int k = 0; k < s->n_maps && written; k++) {
            const struct wire_buffer *b = &s->scenario.buffers[k];
            if (!b->output || l->summed_bytes[k])
                continue;
            l->sum[k] = wire_sum(s->maps[k].data, 0, b->data_bytes);
            l->summed_bytes[k] = b->data_bytes;
        }
    }
}

void subject_lineage_end(struct subject *s)
{
    struct wire_lineage *l = &s->reply.lineage;
    if (!simgpu_lineage_begin || !is_followed(s) || l->found != SIMGPU_LINEAGE_GOOD)
        return;
    const void *graph = s->lab->shown ? s->lab->shown(s) : NULL;
    const size_t launches = simgpu_graph_launches(NULL);
    if (graph && simgpu_graph_number(graph) &&
        (launches == 0 || simgpu_graph_launches(graph) != launches))
        l->found = SIMGPU_LINEAGE_OTHER_GRAPH;
    for (int results = 1; results >= 0; results--)
        for (int i = 0; i < n_spans && l->found == SIMGPU_LINEAGE_GOOD; i++)
            if (is_result(s, &spans[i]) == (results == 1))
                ask_of(s, &spans[i]);
    for (int i = 0; i < n_spans && l->found == SIMGPU_LINEAGE_GOOD; i++)
        if (is_result(s, &spans[i]))
            sum_up(s, &spans[i]);
}

unsigned long long subject_graph_number(const void *graph)
{
    return simgpu_graph_number ? simgpu_graph_number(graph) : 0;
}

double subject_launches_of(unsigned long long number)
{
    return simgpu_number_launches ? (double)simgpu_number_launches(number) : 0;
}

double subject_launches(void)
{
    return simgpu_graph_launches ? (double)simgpu_graph_launches(NULL) : -1;
}
