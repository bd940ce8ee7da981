/* capture_call.c: makes one call while a stream captures, see capture_call.h. */
#include "capture_call.h"

#include <stdio.h>
#include <string.h>

struct scene scene;

static void make_scene(unsigned flags_of_captured)
{
    scene.captured = new_stream(flags_of_captured);
    scene.other = nonblocking_stream();
    scene.blocking = new_stream(0);
    scene.done = new_event(0);
    scene.event = new_event(0);
    MUST(cudaEventRecord(scene.done, scene.other));
    scene.device = device_bytes(4096);
    scene.pinned = pinned_bytes(4096);
    scene.pageable = pageable_bytes(4096);
    scene.pool_memory = async_bytes(4096, scene.other);
    async_bytes(4096, scene.other);
    scene.graph = captured_memsets(2);
    scene.exec = new_exec(scene.graph);
    scene.pool = default_pool();
    MUST(cudaDeviceSynchronize());
}

static cudaError_t (*call_to_make)(void);
static cudaError_t call_result;

static void make_call(void *unused)
{
    (void)unused;
    call_result = call_to_make();
}

void answer_while_capturing(cudaError_t (*call)(void), unsigned flags, bool elsewhere)
{
    static const char *const names[] = {"Global", "ThreadLocal", "Relaxed"};
    char text[3][256];
    call_to_make = call;
    for (int i = 0; i < 3; i++) {
        enum cudaStreamCaptureStatus status = (enum cudaStreamCaptureStatus)99;
        cudaGraph_t g = NULL;
        make_scene(flags);
        begin_capture(scene.captured, capture_modes[i]);
        if (elsewhere)
            in_thread(make_call, NULL);
        else
            make_call(NULL);
        MUST(cudaStreamIsCapturing(scene.captured, &status));
        cudaError_t end = cudaStreamEndCapture(scene.captured, &g);
        if (status == cudaStreamCaptureStatusActive && end == cudaSuccess)
            snprintf(text[i], sizeof text[i], "%s", error_text(call_result));
        else
            snprintf(text[i], sizeof text[i], "%s %s %s", error_text(call_result),
                     status_text(status), error_text(end));
    }
    if (strcmp(text[0], text[1]) == 0 && strcmp(text[1], text[2]) == 0)
        answer_fact("every mode", "%s", text[0]);
    else
        for (int i = 0; i < 3; i++)
            answer_fact(names[i], "%s", text[i]);
}
