/* host_waits.c: the host waits in calls that have another purpose: the clock as measured, the order
 * as documented (host_waits.def). With SIMGPU_FREEDOM, the clock of a copy may be as documented,
 * too. */
#include "stream.h"

enum { STAGING_BYTES = 2 << 20 }; /* what the staging buffers of an H200 hold */

enum host_clock { CLOCK_GOES_ON, CLOCK_STAGED, CLOCK_DONE, CLOCK_IDLE };
enum host_order { ORDER_NOTHING, ORDER_EARLIER, ORDER_DONE, ORDER_IDLE };

static const struct {
    enum host_clock clock;
    enum host_order order;
} rows[] = {
#define HOST_WAIT(row, clock, order, ...) [WAITS_##row] = {CLOCK_##clock, ORDER_##order},
#include "host_waits.def"
#undef HOST_WAIT
};

static bool stays_until_done(enum host_wait row, uint64_t bytes)
{
    enum host_clock c = rows[row].clock;
    return c == CLOCK_DONE || (c == CLOCK_STAGED && bytes > STAGING_BYTES);
}

bool host_may_go_on(enum host_wait row)
{
    return rows[row].order == ORDER_NOTHING;
}

bool host_waits_least(enum host_wait row, struct stream *s)
{
    const bool is_more = rows[row].clock == CLOCK_DONE || rows[row].clock == CLOCK_STAGED;
    if (!is_more || rows[row].order == ORDER_DONE ||
        !freedom_other_way(FREEDOM_HOST_WAIT, ops_opened()))
        return false;
    if (rows[row].order == ORDER_EARLIER) {
        struct op *mark = op_new(&(struct work){.kind = OP_MARKER, .name = "copy"}, s);
        op_submit(mark, NULL, NULL);
        s->n_ops--; /* findings count what the program has enqueued */
        op_wait_clock(mark);
        op_put(mark);
    }
    return true;
}

void host_wait(enum host_wait row, bool least, struct stream *s, const struct work *w)
{
    if (!least && stays_until_done(row, w->bytes)) {
        if (s->tail)
            op_wait_clock(s->tail);
    } else if (rows[row].clock == CLOCK_STAGED && !w->copy.inlined) {
        thread_self()->clock += cost_staging(w->bytes);
    }
    if (!sim.checks)
        return;
    if (rows[row].order == ORDER_DONE)
        host_waited(&s->epoch);
    else if (rows[row].order == ORDER_EARLIER)
        host_waited_beside(&s->epoch);
    host_access_waited();
}

void host_wait_device(enum host_wait row, struct device *d)
{
    if (rows[row].clock == CLOCK_IDLE && rows[row].order == ORDER_IDLE)
        device_wait_idle(d);
    else if (rows[row].clock == CLOCK_IDLE)
        device_run_idle(d);
}
