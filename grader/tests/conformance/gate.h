/* gate.h: a gate blocks a stream for a second, or until gate_open. Does a call that is made then
 * wait for it?
 *
 * The gate is a host function. On the simulated device its second passes in virtual time, so that
 * an answer does not depend on how busy the machine is; on a GPU it sleeps. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* What is enqueued in the stream after gate_shut waits until the gate opens. */
void gate_shut(cudaStream_t s);
/* Opens the gate now. */
void gate_open(void);
/* Is it open by now? */
bool gate_is_open(void);
/* Answers whether the call made before waited for the gate: "the call: waits" or "returns". */
void answer_waited(const char *expected);
#define call_waits() (note_reached(), answer_waited("waits"))
#define call_returns() (note_reached(), answer_waited("returns"))

/* The gate for a host node: gate_reset shuts it, stand_at_gate waits there. */
void gate_reset(void);
void CUDART_CB stand_at_gate(void *unused);

/* Enqueues a small memset; prepare_work makes its memory, if that must be before. */
void some_work(cudaStream_t s);
void prepare_work(void);
/* "done" once all work in the stream is done, "waits" if it is not done after 100 ms. */
const char *done_soon(cudaStream_t s);
/* Lets the device work for `us` microseconds that the program does not wait for it. */
void let_pass(double us);
