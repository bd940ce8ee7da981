/* host_memory.c: copies, memsets and allocations of random programs. */
#include "host_program.h"

#include <string.h>

static const char *const kinds[] = {"H2H", "H2D", "D2H", "D2D", "Default"};

/* The true direction of a copy between two buffers; pageable memory: 6 and 7. */
static enum cudaMemcpyKind direction(int to, int from)
{
    bool host_to = to >= 4 && to < N_BUFFERS, host_from = from >= 4 && from < N_BUFFERS;
    return host_from ? (host_to ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                     : (host_to ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
}

/* Mostly the true kind, sometimes Default, seldom any. */
static enum cudaMemcpyKind some_kind(struct program *p, int to, int from)
{
    if (once_in(p, 12))
        return (enum cudaMemcpyKind)pick(p, 5);
    return once_in(p, 4) ? cudaMemcpyDefault : direction(to, from);
}

/* A part of a cell or some cells in a row: offset and bytes in a buffer. */
static size_t some_range(struct program *p, size_t *bytes)
{
    size_t cell = pick(p, BUFFER_CELLS), n = 1 + pick(p, 4);
    if (once_in(p, 4)) {
        size_t offset = pick(p, CELL_BYTES / 4) * 4;
        *bytes = 4 + pick(p, (unsigned)(CELL_BYTES - offset) / 4) * 4;
        return cell * CELL_BYTES + offset;
    }
    n = cell + n > BUFFER_CELLS ? 1 : n;
    *bytes = n * CELL_BYTES;
    return cell * CELL_BYTES;
}

void choose_copy(struct program *p, struct plain_copy *c)
{
    memset(c, 0, sizeof *c);
    int to = (int)pick(p, N_BUFFERS), from = (int)pick(p, N_BUFFERS);
    if (from == to)
        from = (from + 1) % N_BUFFERS;
    size_t bytes, at = some_range(p, &bytes), start = some_range(p, &c->bytes);
    if (c->bytes > bytes)
        c->bytes = bytes;
    c->to = p->model.buffers[to] + at;
    c->from = p->model.buffers[from] + start;
    c->kind = some_kind(p, to, from);
    touch_write(&c->touch, to, at, c->bytes);
    touch_read(&c->touch, from, start, c->bytes);
    snprintf(c->words, sizeof c->words, "b%d+%zu b%d+%zu %zu %s", to, at, from, start, c->bytes,
             kinds[c->kind]);
}

void choose_set(struct program *p, struct plain_set *m)
{
    memset(m, 0, sizeof *m);
    int to = (int)pick(p, once_in(p, 6) ? 6 : 4);
    m->element_bytes = 1U << pick(p, 3);
    m->value = pick(p, 256) * (m->element_bytes == 1 ? 1 : 0x101);
    m->rows = once_in(p, 3) ? 1 + pick(p, 3) : 1;
    size_t bytes, at = some_range(p, &bytes);
    if (m->rows > 1) {
        m->pitch = CELL_BYTES * (1 + pick(p, 2));
        at = at / CELL_BYTES % 8 * CELL_BYTES;
        bytes = once_in(p, 2) ? CELL_BYTES : 4 + 4 * pick(p, 60);
    }
    m->to = p->model.buffers[to] + at;
    m->width = bytes / m->element_bytes;
    for (size_t r = 0; r < m->rows; r++)
        touch_write(&m->touch, to, at + r * m->pitch, bytes);
    snprintf(m->words, sizeof m->words, "b%d+%zu %ux%u w%zu h%zu p%zu", to, at, m->value,
             m->element_bytes, m->width, m->rows, m->pitch);
}

void do_copy(struct program *p)
{
    struct plain_copy c;
    char name[16];
    struct random_stream *s = any_stream(p, name);
    bool wait = once_in(p, 5);
    if (wait)
        s = &p->streams[0];
    choose_copy(p, &c);
    for (int i = 0; i < 8 && !may_run(p, s, &c.touch); i++)
        choose_copy(p, &c);
    if (!may_run(p, s, &c.touch)) {
        settle(p);
        return;
    }
    if (once_in(p, 30))
        c.bytes = 0, memset(&c.touch, 0, sizeof c.touch);
    if (wait) {
        if (said(p, cudaMemcpy(c.to, c.from, c.bytes, c.kind), "cudaMemcpy %s%s", c.words,
                 c.bytes ? "" : " (0 bytes)") != cudaSuccess)
            return;
        accepted(p, s, &c.touch);
        return;
    }
    if (said(p, cudaMemcpyAsync(c.to, c.from, c.bytes, c.kind, s->handle),
             "cudaMemcpyAsync %s%s %s", c.words, c.bytes ? "" : " (0 bytes)", name) == cudaSuccess)
        accepted(p, s, &c.touch);
}

/* Rows of two buffers: where they begin, and what a copy of them touches. */
struct rows {
    int to, from;
    size_t at, start, to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
    struct touch touch;
};

static void choose_rows(struct program *p, struct rows *r)
{
    memset(r, 0, sizeof *r);
    r->to = (int)pick(p, N_BUFFERS), r->from = (int)pick(p, N_BUFFERS);
    if (r->from == r->to)
        r->from = (r->from + 3) % N_BUFFERS;
    r->at = pick(p, 8) * CELL_BYTES, r->start = pick(p, 8) * CELL_BYTES;
    r->to_pitch = CELL_BYTES * (1 + pick(p, 2)), r->from_pitch = CELL_BYTES * (1 + pick(p, 2));
    r->width = once_in(p, 2) ? CELL_BYTES : 4 + pick(p, CELL_BYTES - 4);
    r->height = 1 + pick(p, 4);
    r->kind = some_kind(p, r->to, r->from);
    for (size_t i = 0; i < r->height; i++) {
        touch_write(&r->touch, r->to, r->at + i * r->to_pitch, r->width);
        touch_read(&r->touch, r->from, r->start + i * r->from_pitch, r->width);
    }
}

void do_copy_2d(struct program *p)
{
    struct rows r;
    char name[16];
    struct random_stream *s = any_stream(p, name);
    bool wait = once_in(p, 6);
    if (wait)
        s = &p->streams[0];
    choose_rows(p, &r);
    for (int i = 0; i < 8 && !may_run(p, s, &r.touch); i++)
        choose_rows(p, &r);
    if (!may_run(p, s, &r.touch)) {
        settle(p);
        return;
    }
    size_t given = once_in(p, 20) ? r.width - 1 : r.to_pitch;
    void *to = p->model.buffers[r.to] + r.at;
    const void *from = p->model.buffers[r.from] + r.start;
    cudaError_t e = wait ? cudaMemcpy2D(to, given, from, r.from_pitch, r.width, r.height, r.kind)
                         : cudaMemcpy2DAsync(to, given, from, r.from_pitch, r.width, r.height,
                                             r.kind, s->handle);
    said(p, e, "cudaMemcpy2D%s b%d+%zu p%zu b%d+%zu p%zu w%zu h%zu %s %s", wait ? "" : "Async",
         r.to, r.at, given, r.from, r.start, r.from_pitch, r.width, r.height, kinds[r.kind],
         wait ? "" : name);
    if (e == cudaSuccess)
        accepted(p, s, &r.touch);
}

void do_memset(struct program *p)
{
    int to = (int)pick(p, once_in(p, 8) ? N_BUFFERS : 5), slot = (int)pick(p, MAX_SLOTS);
    size_t bytes, at = some_range(p, &bytes);
    char name[16];
    struct random_stream *s = any_stream(p, name);
    struct touch t = {0};
    unsigned char *base = p->model.buffers[to];
    if (p->slots[slot] && !s->capturing && once_in(p, 3)) {
        to = N_BUFFERS + slot;
        base = p->slots[slot];
    }
    touch_write(&t, to, at, bytes);
    int value = (int)pick(p, 256);
    if (!may_run(p, s, &t)) {
        settle(p);
        return;
    }
    cudaError_t e = cudaMemsetAsync(base + at, value, bytes, s->handle);
    if (said(p, e, "cudaMemsetAsync b%d+%zu %d %zu %s", to, at, value, bytes, name) == cudaSuccess)
        accepted(p, s, &t);
}

void do_memset_2d(struct program *p)
{
    struct plain_set m;
    char name[16];
    struct random_stream *s = any_stream(p, name);
    choose_set(p, &m);
    for (int i = 0; i < 8 && !may_run(p, s, &m.touch); i++)
        choose_set(p, &m);
    if (!may_run(p, s, &m.touch)) {
        settle(p);
        return;
    }
    int value = (int)(m.value & 255);
    size_t width = m.width * m.element_bytes, pitch = m.pitch ? m.pitch : width;
    if (once_in(p, 25))
        pitch = width - 1;
    cudaError_t e = cudaMemset2DAsync(m.to, pitch, value, width, m.rows, s->handle);
    if (said(p, e, "cudaMemset2DAsync %s (pitch %zu) %s", m.words, pitch, name) == cudaSuccess)
        accepted(p, s, &m.touch);
}

void do_alloc(struct program *p)
{
    void *new = NULL;
    bool pinned = once_in(p, 3);
    size_t bytes = 1 + pick(p, 100000);
    if (in_capture(p) && !once_in(p, 6))
        return;
    if (once_in(p, 10)) {
        said(p, cudaMalloc(NULL, bytes), "cudaMalloc NULL");
        return;
    }
    cudaError_t e = pinned ? cudaMallocHost(&new, bytes) : cudaMalloc(&new, bytes);
    said(p, e, "%s %zu", pinned ? "cudaMallocHost" : "cudaMalloc", bytes);
    if (e != cudaSuccess)
        return;
    struct cudaPointerAttributes a = {0};
    e = cudaPointerGetAttributes(&a, new);
    said(p, e, "cudaPointerGetAttributes type %d", (int)a.type);
    e = pinned ? cudaFreeHost(new) : cudaFree(new);
    said(p, e, "%s", pinned ? "cudaFreeHost" : "cudaFree");
}

void do_pool(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    int slot = (int)pick(p, MAX_SLOTS);
    struct touch t = {0};
    touch_write(&t, N_BUFFERS + slot, 0, BUFFER_CELLS * CELL_BYTES);
    if (s->capturing || !may_run(p, s, &t))
        return;
    void *new = p->slots[slot];
    if (new) {
        if (said(p, cudaFreeAsync(new, s->handle), "cudaFreeAsync b%d %s", N_BUFFERS + slot,
                 name) != cudaSuccess)
            return;
        p->slots[slot] = NULL;
    } else {
        cudaError_t e = cudaMallocAsync(&new, BUFFER_CELLS * CELL_BYTES, s->handle);
        if (said(p, e, "cudaMallocAsync b%d %s", N_BUFFERS + slot, name) != cudaSuccess)
            return;
        p->slots[slot] = new;
    }
    accepted(p, s, &t);
    for (int i = 0; i < BUFFER_CELLS; i++)
        p->model.cells[(N_BUFFERS + slot) * BUFFER_CELLS + i].tainted = true;
}

void do_mistaken_memory(struct program *p)
{
    char name[16];
    struct random_stream *s = any_stream(p, name);
    unsigned char *dev = p->model.buffers[pick(p, 4)], *host = p->model.buffers[4 + pick(p, 4)];
    size_t past = BUFFER_CELLS * CELL_BYTES + 4;
    enum cudaMemcpyKind none = (enum cudaMemcpyKind)(5 + pick(p, 3));
    switch (pick(p, 9)) {
    case 0:
        said(p, cudaMemcpyAsync(NULL, host, 16, cudaMemcpyHostToDevice, s->handle),
             "copy to NULL %s", name);
        break;
    case 1:
        said(p, cudaMemcpyAsync(host, NULL, 16, cudaMemcpyDeviceToHost, s->handle),
             "copy from NULL %s", name);
        break;
    case 2:
        said(p, cudaMemcpyAsync(dev, host, 16, none, s->handle), "copy of kind %d %s", (int)none,
             name);
        break;
    case 3:
        said(p, cudaMemsetAsync(dev, 1, past, s->handle), "memset past the end %s", name);
        break;
    case 4:
        said(p, cudaMemset(NULL, 0, 4), "cudaMemset NULL");
        break;
    case 5:
        said(p, cudaFreeAsync(host, s->handle), "cudaFreeAsync of host memory %s", name);
        break;
    case 6:
        said(p, cudaFree(host + 8), "cudaFree of host memory");
        break;
    case 7:
        said(p, cudaMemsetAsync(NULL, 0, 0, s->handle), "memset NULL of 0 bytes %s", name);
        break;
    default:
        said(p, cudaMallocAsync(NULL, 64, s->handle), "cudaMallocAsync to NULL %s", name);
    }
}

struct note *choose_note(struct program *p, struct touch *t, char words[80])
{
    if (p->n_notes == MAX_NOTES)
        return NULL;
    int from = 4 + (int)pick(p, 4), to = 4 + (int)pick(p, 4);
    size_t at = pick(p, BUFFER_CELLS) * CELL_BYTES, start = pick(p, BUFFER_CELLS) * CELL_BYTES;
    struct note *note = &p->notes[p->n_notes++];
    *note = (struct note){(volatile uint32_t *)(p->model.buffers[from] + start),
                          (volatile uint32_t *)(p->model.buffers[to] + at), pick(p, 1000)};
    memset(t, 0, sizeof *t);
    touch_read(t, from, start, 4);
    touch_read(t, to, at, 4);
    touch_write(t, to, at, 4);
    snprintf(words, 80, "b%d+%zu b%d+%zu %u", to, at, from, start, note->word);
    return note;
}

void write_note(void *arg)
{
    struct note *note = arg;
    *note->to = *note->to * 31 + *note->from + note->word;
}
