/* copy_synchronization.c: which copies wait for the work before them, and when they read their
 * source. */
#include "../situation.h"

SITUATION("cudaMemcpyAsync pageable to device, as each of the five kinds; pinned with kind 99; "
          "with 0 bytes and kind 99",
          "cudaMemcpyAsync(a, 64, kind): Success; Success; InvalidValue; InvalidValue; Success")
{
    char *d = device_bytes(PAGE), *a = pageable_bytes(PAGE);
    cudaStream_t s = new_stream(0);
    for (int kind = 0; kind <= 4; kind++)
        answer(cudaMemcpyAsync(d, a, 64, (enum cudaMemcpyKind)kind, s));
    answer(cudaStreamSynchronize(s));
    gives(InvalidMemcpyDirection,
          cudaMemcpyAsync(d, pinned_bytes(PAGE), PAGE, (enum cudaMemcpyKind)99, s));
    answer(cudaMemcpyAsync(d, a, 0, (enum cudaMemcpyKind)99, s));
}

SITUATION("while a blocking stream is busy, cudaMemcpy pinned to device; device to pinned; device "
          "to device: waits or returns")
{
    char *d = device_bytes(PAGE), *e = device_bytes(PAGE), *a = pinned_bytes(PAGE);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaMemcpy(d, a, PAGE, cudaMemcpyHostToDevice));
    call_waits();
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    answer(cudaMemcpy(a, d, PAGE, cudaMemcpyDeviceToHost));
    call_waits();
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    answer(cudaMemcpy(e, d, PAGE, cudaMemcpyDeviceToDevice));
    call_returns();
}

SITUATION("while a blocking stream is busy, cudaMemcpy of 4 KiB from pageable memory; of 4 MiB: "
          "waits or returns")
{
    char *d = device_bytes(LARGE), *a = pageable_bytes(LARGE);
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaMemcpy(d, a, PAGE, cudaMemcpyHostToDevice));
    call_waits();
    MUST(cudaDeviceSynchronize());
    gate_shut(s);
    answer(cudaMemcpy(d, a, LARGE, cudaMemcpyHostToDevice));
    call_waits();
}

/* A copy after a gate in its stream: does the call wait for it? */
static void behind_gate(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    cudaStream_t s = new_stream(0);
    gate_shut(s);
    answer(cudaMemcpyAsync(to, from, n, kind, s));
    answer_waited(NULL);
    MUST(cudaDeviceSynchronize());
}

SITUATION("cudaMemcpyAsync after busy work: pinned to device; device to pinned; device to device; "
          "pinned to pinned",
          "the call: returns; returns; returns; waits")
{
    char *d = device_bytes(PAGE), *e = device_bytes(PAGE), *a = pinned_bytes(PAGE),
         *b = pinned_bytes(PAGE);
    behind_gate(d, a, PAGE, cudaMemcpyHostToDevice);
    behind_gate(a, d, PAGE, cudaMemcpyDeviceToHost);
    behind_gate(e, d, PAGE, cudaMemcpyDeviceToDevice);
    behind_gate(b, a, PAGE, cudaMemcpyHostToHost);
}

SITUATION("cudaMemcpyAsync after busy work, pageable to device: 4 KiB; 64 KiB; 128 KiB; 4 MiB",
          "the call: returns; returns; returns; waits")
{
    char *d = device_bytes(LARGE), *a = pageable_bytes(LARGE);
    behind_gate(d, a, PAGE, cudaMemcpyHostToDevice);
    behind_gate(d, a, 64 << 10, cudaMemcpyHostToDevice);
    behind_gate(d, a, 128 << 10, cudaMemcpyHostToDevice);
    behind_gate(d, a, LARGE, cudaMemcpyHostToDevice);
}

SITUATION("cudaMemcpyAsync after busy work: device to pageable, 4 KiB; 4 MiB; pageable to pageable",
          "the call: waits; waits; waits")
{
    char *d = device_bytes(LARGE), *a = pageable_bytes(LARGE), *b = pageable_bytes(PAGE);
    behind_gate(a, d, PAGE, cudaMemcpyDeviceToHost);
    behind_gate(a, d, LARGE, cudaMemcpyDeviceToHost);
    behind_gate(b, a, PAGE, cudaMemcpyHostToHost);
}

/* The source changes after the call, before the copy's turn in the stream: which bytes arrive? */
static void late_change(unsigned char *a, size_t n)
{
    unsigned char *d = device_bytes(n), got = 0;
    cudaStream_t s = new_stream(0);
    memset(a, 1, n);
    gate_shut(s);
    MUST(cudaMemcpyAsync(d, a, n, cudaMemcpyHostToDevice, s));
    bool waited = gate_is_open();
    memset(a, 2, n);
    gate_open();
    MUST(cudaStreamSynchronize(s));
    MUST(cudaMemcpy(&got, d + n - 1, 1, cudaMemcpyDeviceToHost));
    answer_fact("arrived", "%s%s", got == 1 ? "bytes of the call" : "bytes of its turn",
                waited ? ", waited" : "");
}

SITUATION("the source of cudaMemcpyAsync changes before its turn: pinned; pageable 4 KiB; 48 KiB",
          "arrived: bytes of its turn; bytes of the call; bytes of the call")
{
    late_change(pinned_bytes(PAGE), PAGE);
    late_change(pageable_bytes(PAGE), PAGE);
    late_change(pageable_bytes(48 << 10), 48 << 10);
}
