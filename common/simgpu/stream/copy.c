/* copy.c: copies. All of them are one job: slices of rows of bytes from one place to another. The
 * two pointers decide the path. */
#include "stream.h"

struct copy_shape copy_shape_1d(void *dst, const void *src, size_t bytes)
{
    return (struct copy_shape){dst, src, bytes, 1, 1, bytes, bytes, bytes, bytes, true};
}

/* ---- what a pointer is ----------------------------------------------------------------------- */

enum place { PLACE_BAD, PLACE_PAGEABLE, PLACE_PINNED, PLACE_DEVICE };

static enum place bad_place(const void *p, size_t bytes, const char *argument)
{
    memory_note_refusal(p, bytes, argument);
    return PLACE_BAD;
}

/* The first row fits, and the last one does not. */
static enum place bad_rows(const struct allocation *a, const void *p, const struct copy_shape *s,
                           size_t pitch, const char *argument)
{
    refusal_note(SIMGPU_REFUSED_ROWS, argument, (int64_t)s->rows, (int64_t)pitch,
                 (int64_t)(a->hi - (uint64_t)(uintptr_t)p));
    return PLACE_BAD;
}

static enum place place_of(const void *p, const struct copy_shape *s, size_t pitch, size_t slice,
                           const char *argument, int *device)
{
    const struct allocation *a = memory_find(p);
    size_t bytes;
    const bool is_backwards = s->rows > 1 && pitch > PTRDIFF_MAX;
    if (!memory_extent(&bytes, s->width, s->rows, pitch, s->depth, slice) || is_backwards) {
        refusal_note(SIMGPU_REFUSED_PITCH, argument, (int64_t)pitch, (int64_t)s->width, 0);
        return PLACE_BAD;
    }
    if (!p || bytes > UINTPTR_MAX - (uintptr_t)p)
        return bad_place(p, bytes, argument);
    if (!a)
        return memory_is_device_address(p) ? bad_place(p, bytes, argument) : PLACE_PAGEABLE;
    if (a->device != NO_DEVICE)
        *device = a->device;
    if (!memory_holds(a, p, bytes))
        return s->depth == 1 && memory_holds(a, p, s->width) ? bad_rows(a, p, s, pitch, argument)
                                                             : bad_place(p, bytes, argument);
    return a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED ? PLACE_PINNED : PLACE_DEVICE;
}

/* The direction must not call ordinary host memory device memory; what the device knows decides by
 * itself. */
static bool direction_fits(enum cudaMemcpyKind kind, enum place dst, enum place src)
{
    if (kind == cudaMemcpyDefault)
        return true;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool fits_dst = !to_device || dst != PLACE_PAGEABLE,
               fits_src = !from_device || src != PLACE_PAGEABLE;
    if (!fits_dst || !fits_src)
        refusal_note(SIMGPU_REFUSED_HOST, fits_dst ? "src" : "dst", 0, 0, 0);
    return fits_dst && fits_src;
}

/* Does a direction that calls p memory of the host contradict it? Pinned, registered and managed
 * memory is of both sides: no document says which of them it must be called. */
static bool contradicts(const struct copy_shape *s, bool is_of_host, const void *p)
{
    const struct allocation *a = s->is_bound && is_of_host ? memory_find(p) : NULL;
    return a && !memory_is_of_host(a);
}

/* Is a row of this slice of the source within `width` bytes from p on? */
static bool slice_meets(const struct copy_shape *s, uintptr_t slice, uintptr_t p)
{
    const uintptr_t end = p + s->width;
    if (end <= slice)
        return false;
    const size_t before_end = (end - slice - 1) / s->src_pitch,
                 row = before_end < s->rows ? before_end : s->rows - 1;
    return slice + row * s->src_pitch + s->width > p;
}

/* Have the two sides a byte in common? Rows may lie between each other. */
static bool sides_overlap(const struct copy_shape *s)
{
    const uintptr_t dst = (uintptr_t)s->dst, src = (uintptr_t)s->src;
    size_t dst_bytes, src_bytes;
    memory_extent(&dst_bytes, s->width, s->rows, s->dst_pitch, s->depth, s->dst_slice);
    memory_extent(&src_bytes, s->width, s->rows, s->src_pitch, s->depth, s->src_slice);
    bool found = false;
    if (dst >= src + src_bytes || src >= dst + dst_bytes)
        return false;
    for (size_t z = 0; !found && z < s->depth; z++)
        for (size_t y = 0; !found && y < s->rows; y++)
            for (size_t other = 0; !found && other < s->depth; other++)
                found = slice_meets(s, src + other * s->src_slice,
                                    dst + z * s->dst_slice + y * s->dst_pitch);
    return found;
}

static void find_copy(const struct op *op, enum simgpu_what what, enum simgpu_next next,
                      bool is_read)
{
    const struct copy_job *c = &op->work.copy;
    const void *p = is_read ? c->src : c->dst;
    find_undefined(op, &(struct simgpu_finding){.what = what,
                                                .next = next,
                                                .n = c->kind,
                                                .is_read = is_read,
                                                .address = (uint64_t)(uintptr_t)p,
                                                .bytes = op->work.bytes,
                                                .memory = memory_of(memory_find(p))});
}

void copy_find_undefined(const struct op *op)
{
    const struct copy_job *c = &op->work.copy;
    if (sim.checks && (c->wrong_dst || c->wrong_src))
        find_copy(op, SIMGPU_WHAT_OTHER_DIRECTION, SIMGPU_NEXT_COMPARE_DIRECTION, !c->wrong_dst);
    if (sim.checks && c->overlaps)
        find_copy(op, SIMGPU_WHAT_COPY_OVERLAPS, SIMGPU_NEXT_COPY_APART, false);
}

static enum copy_path path_of(enum place dst, enum place src, int dst_device, int src_device)
{
    if (dst == PLACE_DEVICE && src == PLACE_DEVICE)
        return dst_device == src_device ? PATH_D2D : PATH_PEER;
    if (dst == PLACE_DEVICE)
        return PATH_H2D;
    return src == PLACE_DEVICE ? PATH_D2H : PATH_H2H;
}

/* ---- the job --------------------------------------------------------------------------------- */

/* Only rows that follow each other overlap; a single one has just no room (plan). */
static bool rows_overlap(const struct copy_shape *s)
{
    return (s->rows > 1 || s->depth > 1) && (s->width > s->dst_pitch || s->width > s->src_pitch);
}

cudaError_t copy_shape_error(const struct copy_shape *s, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!rows_overlap(s))
        return cudaSuccess;
    const bool is_dst = s->width > s->dst_pitch;
    refusal_note(SIMGPU_REFUSED_PITCH, is_dst ? "dst" : "src",
                 (int64_t)(is_dst ? s->dst_pitch : s->src_pitch), (int64_t)s->width, 0);
    return cudaErrorInvalidPitchValue;
}

void copy_route(struct copy_job *c)
{
    bool pushes = peer_enabled(c->from, c->to), pulls = peer_enabled(c->to, c->from);
    c->by = pulls && !pushes ? c->to : c->from;
    c->staged_by_host = c->path == PATH_PEER && !pushes && !pulls;
}

bool copy_has_route(const struct copy_job *c)
{
    return c->path != PATH_PEER || c->staged_by_host || peer_enabled(c->from, c->to) ||
           peer_enabled(c->to, c->from);
}

static cudaError_t plan(struct copy_job *job, const struct copy_shape *s, enum cudaMemcpyKind kind,
                        int device)
{
    TRY(copy_shape_error(s, kind));
    if (s->width > s->dst_pitch || s->width > s->src_pitch)
        return cudaErrorInvalidValue;
    if (s->depth > 1 &&
        (s->dst_slice / s->dst_pitch < s->rows || s->src_slice / s->src_pitch < s->rows))
        return cudaErrorInvalidValue;
    int dst_device = device, src_device = device;
    enum place dst = place_of(s->dst, s, s->dst_pitch, s->dst_slice, "dst", &dst_device);
    enum place src = place_of(s->src, s, s->src_pitch, s->src_slice, "src", &src_device);
    if (dst == PLACE_BAD || src == PLACE_BAD || !direction_fits(kind, dst, src))
        return cudaErrorInvalidValue;
    const bool to_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost,
               from_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
    *job = (struct copy_job){.dst = s->dst,
                             .src = s->src,
                             .width = s->width,
                             .rows = s->rows,
                             .depth = s->depth,
                             .dst_pitch = s->dst_pitch,
                             .src_pitch = s->src_pitch,
                             .dst_slice = s->dst_slice,
                             .src_slice = s->src_slice,
                             .kind = kind,
                             .wrong_dst = contradicts(s, to_host, s->dst),
                             .wrong_src = contradicts(s, from_host, s->src),
                             .overlaps = sides_overlap(s),
                             .path = path_of(dst, src, dst_device, src_device),
                             .pageable = dst == PLACE_PAGEABLE || src == PLACE_PAGEABLE,
                             .in_device = dst == PLACE_DEVICE && src == PLACE_DEVICE,
                             .from = src_device,
                             .to = dst_device};
    copy_route(job);
    return cudaSuccess;
}

static const struct {
    enum engine_kind engine;
    const char *name;
} paths[] = {[PATH_H2D] = {ENGINE_H2D, "memcpyH2D"},
             [PATH_D2H] = {ENGINE_D2H, "memcpyD2H"},
             [PATH_D2D] = {ENGINE_D2D, "memcpyD2D"},
             [PATH_H2H] = {ENGINE_H2D, "memcpyH2H"},
             [PATH_PEER] = {ENGINE_PEER, "memcpyPeer"}};

static struct work work_of(const struct copy_job *job)
{
    struct work w = {.kind = OP_COPY,
                     .engine = paths[job->path].engine,
                     .name = paths[job->path].name,
                     .caller = call_place(),
                     .copy = *job};
    w.bytes = job->width * job->rows * job->depth;
    if (job->path == PATH_H2D && copy_is_inlined(w.bytes)) {
        w.copy.inlined = true;
        w.engine = ENGINE_D2D;
    }
    return w;
}

static bool may_use(const void *p, int device)
{
    const struct allocation *a = memory_find(p);
    return !a || !memory_is_shared_by_pool(a) || memory_reaches(a, device);
}

bool copy_is_allowed(const struct copy_shape *s, int device)
{
    return may_use(s->dst, device) && may_use(s->src, device);
}

cudaError_t copy_plan(struct work *w, const struct copy_shape *s, enum cudaMemcpyKind kind,
                      int device)
{
    struct copy_job job;
    cudaError_t e = plan(&job, s, kind, device);
    if (e == cudaSuccess)
        *w = work_of(&job);
    return e;
}

/* One end of a copy: its first byte, and from row to row and from slice to slice. */
struct copy_end {
    char *p;
    size_t pitch, slice;
};

static struct copy_end pointer_end(const struct cudaPitchedPtr *p, const struct cudaPos *at)
{
    const size_t slice = p->pitch * p->ysize;
    return (struct copy_end){(char *)p->ptr + at->z * slice + at->y * p->pitch + at->x, p->pitch,
                             slice};
}

/* The position is in elements; the copy must not leave the array. */
static bool array_end(struct copy_end *out, const struct array *a, const struct cudaPos *at,
                      const struct cudaExtent *extent)
{
    const size_t height = a->extent.height ? a->extent.height : 1;
    const size_t depth = a->extent.depth ? a->extent.depth : 1;
    if (at->x > a->extent.width || extent->width > a->extent.width - at->x || at->y > height ||
        extent->height > height - at->y || at->z > depth || extent->depth > depth - at->z)
        return false;
    *out = (struct copy_end){(char *)a->base + at->z * a->slice_bytes + at->y * a->row_bytes +
                                 at->x * a->format.bytes,
                             a->row_bytes, a->slice_bytes};
    return true;
}

/* The width of the extent is in elements if one end is an array. */
cudaError_t copy_shape_3d(struct copy_shape *out, const struct cudaMemcpy3DParms *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    const struct array *to = array_find(p->dstArray), *from = array_find(p->srcArray);
    if ((p->dstArray && (!to || p->dstPtr.ptr)) || (p->srcArray && (!from || p->srcPtr.ptr)) ||
        (to && from && to->format.bytes != from->format.bytes))
        return cudaErrorInvalidValue;
    struct copy_end d = pointer_end(&p->dstPtr, &p->dstPos),
                    s = pointer_end(&p->srcPtr, &p->srcPos);
    if ((to && !array_end(&d, to, &p->dstPos, &p->extent)) ||
        (from && !array_end(&s, from, &p->srcPos, &p->extent)))
        return cudaErrorInvalidValue;
    const size_t element = to ? to->format.bytes : from ? from->format.bytes : 1;
    *out = (struct copy_shape){d.p,
                               s.p,
                               p->extent.width * element,
                               p->extent.height,
                               p->extent.depth,
                               d.pitch,
                               s.pitch,
                               d.slice,
                               s.slice,
                               false};
    const bool empty = p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0,
               has_dst = to || p->dstPtr.ptr, has_src = from || p->srcPtr.ptr;
    if (empty || (unsigned)p->kind > cudaMemcpyDefault || (has_dst && has_src))
        return cudaSuccess;
    refusal_note(SIMGPU_REFUSED_NULL, has_src ? "dst" : "src", 0, 0, 0);
    return cudaErrorInvalidValue;
}

cudaError_t copy_work(struct work *w, const struct cudaMemcpy3DParms *p)
{
    struct copy_shape s = {0};
    cudaError_t e = copy_shape_3d(&s, p);
    if (e == cudaSuccess && (s.width == 0 || s.rows == 0 || s.depth == 0))
        e = cudaErrorInvalidValue;
    s.is_bound = !p->dstArray && !p->srcArray;
    if (s.rows == 1 && s.depth == 1) { /* one that was read back has no pitch */
        s.dst_pitch = s.dst_pitch ? s.dst_pitch : s.width;
        s.src_pitch = s.src_pitch ? s.src_pitch : s.width;
    }
    if (e == cudaSuccess && !copy_is_allowed(&s, thread_self()->device))
        e = cudaErrorInvalidValue;
    if (e == cudaSuccess)
        e = copy_plan(w, &s, p->kind, thread_self()->device);
    return e;
}

bool copy_is_same(const struct copy_job *a, const struct copy_job *b)
{
    return a->dst == b->dst && a->src == b->src && a->width == b->width && a->rows == b->rows &&
           a->depth == b->depth && a->dst_pitch == b->dst_pitch && a->src_pitch == b->src_pitch &&
           a->dst_slice == b->dst_slice && a->src_slice == b->src_slice;
}

bool copy_attributes_good(const struct cudaMemcpyAttributes *a)
{
    return !(a->flags & ~(unsigned)cudaMemcpyFlagPreferOverlapWithCompute) &&
           a->srcAccessOrder >= cudaMemcpySrcAccessOrderStream &&
           a->srcAccessOrder <= cudaMemcpySrcAccessOrderAny;
}

bool copy_attributes_fit(const struct cudaMemcpyAttributes *a, const size_t *first, size_t n,
                         size_t count)
{
    if (!a || !first || n == 0 || n > count || first[0] != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (first[i] <= first[i - 1] || first[i] >= count))
            return false;
        if (!copy_attributes_good(&a[i]))
            return false;
    }
    return true;
}
