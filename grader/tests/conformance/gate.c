/* gate.c: a host function that blocks a stream, and work enqueued after it, see gate.h. */
#include "gate.h"

#include <stdatomic.h>
#include <unistd.h>

#include "answer.h"
#include "clock.h"
#include "objects.h"

static const double gate_us = 1e6, soon_us = 1e5, step_us = 500;

/* The moment at which the gate opens by itself; 0 before its host function has begun. */
static _Atomic double opens_at_us;
static atomic_bool is_opened;

void let_pass(double us)
{
    if (clock_is_virtual())
        clock_host_work(us);
    else
        usleep((useconds_t)us);
}

bool gate_is_open(void)
{
    double at = atomic_load(&opens_at_us);
    return atomic_load(&is_opened) || (at > 0 && clock_now_us() >= at);
}

void CUDART_CB stand_at_gate(void *unused)
{
    (void)unused;
    atomic_store(&opens_at_us, clock_now_us() + gate_us);
    while (!gate_is_open())
        let_pass(clock_is_virtual() ? gate_us : step_us);
}

static void *work_bytes;

void prepare_work(void)
{
    if (!work_bytes)
        work_bytes = device_bytes(64);
}

void gate_reset(void)
{
    prepare_work();
    atomic_store(&opens_at_us, 0);
    atomic_store(&is_opened, false);
}

void gate_shut(cudaStream_t s)
{
    gate_reset();
    MUST(cudaLaunchHostFunc(s, stand_at_gate, NULL));
}

/* In virtual time the second is skipped: the host function may have ended in real time. */
void gate_open(void)
{
    if (clock_is_virtual())
        clock_host_work(gate_us);
    else
        atomic_store(&is_opened, true);
}

void answer_waited(const char *expected)
{
    answer_fact_as("the call", expected, "%s", gate_is_open() ? "waits" : "returns");
}

void some_work(cudaStream_t s)
{
    prepare_work();
    MUST(cudaMemsetAsync(work_bytes, 1, 64, s));
}

const char *done_soon(cudaStream_t s)
{
    static cudaEvent_t mark;
    if (!mark)
        mark = new_event(cudaEventDisableTiming);
    MUST(cudaEventRecord(mark, s));
    for (double end = clock_now_us() + soon_us; clock_now_us() < end; let_pass(step_us)) {
        cudaError_t e = cudaEventQuery(mark);
        if (e != cudaErrorNotReady) {
            must(e, "cudaEventQuery");
            return "done";
        }
    }
    return "waits";
}
