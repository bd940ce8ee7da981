/* stream.c: streams. The operations of one stream run in order. Their other predecessors are
 * decided when they are submitted (submit.c). */
#include <stdlib.h>

#include "kernel/host_record.h"
#include "stream.h"

static int n_created; /* streams so far, for their numbers */

struct stream *stream_create(struct device *d, unsigned flags, int priority)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->id = ++n_created;
    s->device = d;
    s->flags = flags;
    s->priority = priority;
    s->sync_policy = POLICY_UNSET;
    s->setup_to = sim.setting_up ? UINT64_MAX : 0;
    s->memory = memory_attributes_fresh();
    s->clock_id = clock_id_after(&host_epoch);
    s->refs = 1;
    s->prev = d->streams_end;
    *s->prev = s;
    d->streams_end = &s->next;
    d->n_streams++;
    handle_add(s, HANDLE_STREAM);
    return s;
}

struct stream *stream_legacy(struct device *d)
{
    if (!d->legacy) {
        d->legacy = stream_create(d, 0, 0);
        if (!d->legacy)
            fatal("out of memory for the default stream");
        handle_remove(d->legacy);
        d->legacy->legacy = true;
        d->legacy->id = 0;
        n_created--;
    }
    return d->legacy;
}

EXPORT void simgpu_setting_up(int on)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    sim.setting_up = on;
    for (int i = 0; i < sim.n_devices; i++)
        for (struct stream *s = devices[i].streams; s; s = s->next) {
            s->setup_from = on ? s->n_ops : s->setup_from;
            s->setup_to = on ? UINT64_MAX : s->n_ops;
        }
    device_unlock(t);
}

bool stream_is_blocking(const struct stream *s)
{
    return !(s->flags & cudaStreamNonBlocking);
}

/* All of s is done, and s will be no more: who waits for the device comes after it all the same. */
static void keep_order(const struct stream *s)
{
    struct epoch *gone = &s->device->gone[stream_is_blocking(s) ? 0 : 1];
    if (!sim.checks || epoch_before(&s->epoch, &host_epoch))
        return;
    if (!gone->seq)
        *gone = epoch_new(clock_id_new(), NULL, 0);
    epoch_join(gone, &s->epoch);
}

void stream_put(struct stream *s)
{
    if (--s->refs > 0)
        return;
    keep_order(s);
    if (s->next)
        s->next->prev = s->prev;
    else
        s->device->streams_end = s->prev;
    *s->prev = s->next;
    s->device->n_streams--;
    epoch_drop(&s->epoch);
    epoch_drop(&s->work);
    clock_id_free(s->clock_id);
    free(s);
}

static struct stream *stream_per_thread(struct thread_state *t)
{
    struct stream **mine = &t->per_thread[t->device];
    if (!*mine) {
        *mine = stream_create(&devices[t->device], 0, 0);
        if (*mine)
            handle_remove(*mine);
    }
    return *mine;
}

void stream_thread_end(struct thread_state *t)
{
    host_record_end();
    for (int i = 0; i < MAX_DEVICES; i++)
        if (t->per_thread[i])
            stream_put(t->per_thread[i]);
}

struct stream *stream_of(cudaStream_t handle)
{
    struct thread_state *t = thread_self();
    if (handle == cudaStreamPerThread || (!handle && t->default_is_per_thread))
        return stream_per_thread(t);
    if (!handle || handle == cudaStreamLegacy)
        return stream_legacy(&devices[t->device]);
    return handle_type_of(handle) == HANDLE_STREAM ? (struct stream *)handle : NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

int stream_clamp_priority(int priority)
{
    if (priority > 0)
        return 0;
    return priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
}

/* ---- questions ------------------------------------------------------------------------------- */

static void know(const struct epoch *s)
{
    if (sim.checks && s->seq)
        host_waited(s);
}

void stream_known_done(const struct stream *s)
{
    memory_host_waited();
    know(&s->epoch);
    if (s->legacy)
        know(&s->device->gone[0]);
    for (const struct stream *other = s->device->streams; s->legacy && other; other = other->next)
        if (stream_is_blocking(other))
            know(&other->epoch);
    host_access_waited();
}

static void device_known_done(struct device *d)
{
    memory_host_waited();
    know(&d->gone[0]);
    know(&d->gone[1]);
    for (const struct stream *s = d->streams; s; s = s->next)
        know(&s->epoch);
    host_access_waited();
}

/* Nothing is pending, and the program may have seen it in its memory. What named code sees, it
 * reports (stream/host_access.c). */
static void seen_done(void)
{
    memory_host_waited();
    if (sim.checks && seen_epoch.seq && !own_code.is_named)
        epoch_join(&host_epoch, &seen_epoch);
}

EXPORT int simgpu_unwaited_stream(uint32_t *created)
{
    struct thread_state *t = thread_self();
    const struct stream *unwaited = NULL;
    device_lock(t);
    for (int i = 0; i < sim.n_devices && sim.checks; i++)
        for (const struct stream *s = devices[i].streams; s && !unwaited; s = s->next)
            if (!epoch_before(&s->work, &host_epoch))
                unwaited = s;
    const int id = unwaited ? unwaited->id : -1;
    *created = id > 0 ? handle_caller(unwaited) : 0;
    device_unlock(t);
    return id;
}

EXPORT int simgpu_has_slept(void)
{
    return sim.has_slept;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* A destroyed stream goes with its last operation, and other threads destroy streams while this one
 * waits. */
static void wait_blocking(struct device *d)
{
    for (struct stream *s = d->streams, *next; s; s = next) {
        s->refs++;
        if (s->tail && stream_is_blocking(s))
            op_wait(s->tail);
        next = s->next;
        stream_put(s);
    }
}

void stream_wait_idle(struct stream *s)
{
    s->refs++;
    if (s->legacy)
        wait_blocking(s->device);
    if (s->tail)
        op_wait(s->tail);
    stream_known_done(s);
    stream_put(s);
    pool_trim_at_sync();
}

void device_run_idle(struct device *d)
{
    while (d->n_pending) {
        struct stream *busy = d->streams;
        while (!busy->tail)
            busy = busy->next;
        op_wait_clock(busy->tail);
    }
    if (d->n_guests) {
        device_run_guests(d);
        if (thread_self()->clock < sim.now)
            thread_self()->clock = sim.now;
    }
    pool_trim_at_sync();
}

void device_wait_idle(struct device *d)
{
    device_run_idle(d);
    device_known_done(d);
}

void stream_types_set(void)
{
    op_on_done(op_leave);
    op_type_set(OP_KERNEL, &kernel_type);
    op_type_set(OP_COPY, &copy_type);
    op_type_set(OP_MEMSET, &memset_type);
    op_type_set(OP_HOST_FUNC, &host_function_type);
    op_type_set(OP_EVENT_RECORD, &event_record_type);
    op_type_set(OP_EVENT_WAIT, &event_wait_type);
    op_type_set(OP_FREE, &pool_free_type);
    for (int i = 0; i < sim.n_devices; i++)
        devices[i].streams_end = &devices[i].streams;
    host_worker_on_idle(seen_done);
    host_access_start();
}
