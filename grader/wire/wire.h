/* wire.h: how a judge and a subject talk to each other.
 *
 * One SOCK_SEQPACKET channel a subject, one request at a time, one reply to each. Buffers travel
 * as a file descriptor beside the request that needs it. A reply carries the nonce that the judge
 * drew for this subject and the number of the request it answers: so bytes that a submission writes
 * blindly into descriptors are no replies. The nonce is no secret from code that reads the
 * subject's memory; judge.h says what is believed and what is measured.
 *
 * Reasons, errors and findings travel as enums and structs; report/ puts them into words. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/simgpu/lineage.h"
#include "common/simgpu/simgpu.h"
#include "exchange.h"

enum {
    WIRE_CHANNEL_FD = 200, /* the subject's end */
    WIRE_NAME = 24,        /* a name, with its final zero */
    WIRE_BUFFERS = 12,
    WIRE_WHAT = 64,
    WIRE_TEXT = 768,
    WIRE_NOTES = 8,
    WIRE_NOTE = 160,
    WIRE_GUARD_BYTES = 1 << 20, /* on either side of a buffer no memory exists */
    WIRE_NONCE = 16,
    /* what the submission finds in host memory that it has not written: fresh, freed, after a block
     */
    WIRE_FRESH = 0xf5,
    WIRE_FREED = 0xfd,
    WIRE_RED = 0xb7,
    WIRE_ASKS_PLACE = SIGXCPU, /* the signal for: where are you? */
    WIRE_EXIT_CHANNEL = 113    /* exit code: the channel was closed or is something else now */
};

#define WIRE_REQUEST_MAGIC 0x6a756467u
#define WIRE_REPLY_MAGIC 0x7375626au

/* The variable with the name of the socket of a program in a debugger. */
#define WIRE_DEBUG "GRADE_DEBUGGED"

/* The variable of a program that makes its contexts before the first request: "1", on the first
 * device; "all". */
#define WIRE_EARLY "GRADE_EARLY"

enum wire_op {
    WIRE_HELLO, /* descriptor: the blob */
    WIRE_SETUP, /* struct numbers, and buffers; descriptor: the memory they lie in */
    WIRE_ARM,
    WIRE_GO, /* repeats, traced; the trace as CSV in the blob */
    WIRE_COLLECT,
    WIRE_FLOOR,
    WIRE_GRAPH, /* in the blob, as query/graph.h has it */
    WIRE_TEARDOWN,
    WIRE_FINDINGS,       /* of the whole program, leaks included */
    WIRE_FINDINGS_SO_FAR /* of what has run */
};

/* What the judge sees of a request that takes long, at the end of the blob. The simulated device
   keeps it. */
struct wire_progress {
    uint64_t is_kept;
    struct simgpu_progress progress;
};

struct wire_buffer {
    char name[WIRE_NAME];
    char made_by[2 * WIRE_NAME]; /* the kernel that computes the output; empty: nobody asks */
    uint32_t of_any_data;        /* not only of the inputs of a run, and constants */
    uint32_t output;             /* else an input, which the subject maps read-only */
    uint32_t pinned;
    uint64_t map_offset;  /* in the memory descriptor; page aligned */
    uint64_t map_bytes;   /* whole pages */
    uint64_t data_offset; /* of the first float, from map_offset */
    uint64_t data_bytes;
};

struct wire_request {
    uint32_t magic;
    uint32_t op;
    uint32_t seq;
    uint32_t repeats;
    uint32_t traced;
    uint32_t is_free;       /* WIRE_GO: the host's own work takes no virtual time */
    uint32_t failing_place; /* WIRE_SETUP, WIRE_GO: simgpu_fail_place, if not 0 */
    uint32_t unaided;       /* WIRE_SETUP: the adapter leaves out its own waits, and what it
                              enqueues, until the teardown */
    uint32_t computes;      /* WIRE_SETUP: runs read their inputs and write their outputs */
    uint32_t freedom;       /* WIRE_SETUP: as SIMGPU_FREEDOM, until the next one */
    uint32_t whole_graphs;  /* WIRE_HELLO: traces are to have rows of whole graphs */
    uint32_t n_buffers;
    uint32_t numbers_bytes; /* as the suite has the lab's struct numbers */
    uint8_t nonce[WIRE_NONCE];
    uint64_t numbers[NUMBERS_BYTES / sizeof(uint64_t)];
    struct wire_buffer buffers[WIRE_BUFFERS];
};

enum wire_outcome {
    WIRE_DONE,
    WIRE_FAILED,      /* the submission returned an error or broke a rule: failure */
    WIRE_UNSUPPORTED, /* this device or this lab cannot do it: failure */
    WIRE_CRASHED,     /* from the signal handler, before the process dies: fault */
    WIRE_LATE,        /* from a signal handler, at the time limit: fault.instruction */
    WIRE_MISMATCH     /* suite and adapter do not fit together: failure.text */
};

/* Why a request failed, or cannot be done. */
enum wire_reason {
    WIRE_IN_WORDS,        /* text, a sentence of the lab's adapter */
    WIRE_RETURNED,        /* `what`, a function of the submission, returned the error; text: what
                             that means in this lab, if anything */
    WIRE_STILL_CAPTURING, /* `what` returned while a stream was capturing */
    WIRE_OWN_CALL_FAILED, /* a call of the grader's own, for `what`, returned the error */
    WIRE_SYSTEM_FAILED,   /* `what` did not work: error.code is an errno */
    WIRE_OUT_OF_DATE,     /* judge and subject were built from different sources */
    WIRE_GRAPH_NULL,      /* the graph that `what` names is NULL */
    WIRE_GRAPH_DEAD,      /* the graph that `what` names returned the error when it was asked */
    WIRE_GRAPH_TOO_LARGE,
    WIRE_TRACE_TOO_LARGE,
    WIRE_BESIDE_STRUCT, /* the memory beside the lab's struct has changed: at `text` */
    WIRE_BESIDE_BLOCK,  /* the memory after a block that the function `what` returned, at the
                           caller of the error, has changed: at `text` */
    WIRE_GIVEN_CHANGED, /* a given member of the struct `what` has changed: at `text` */
    WIRE_NO_TRACE,      /* text: why */
    WIRE_NO_FLOOR,      /* the adapter of the lab `what` has no such function */
    WIRE_NO_GRAPH,      /* the same */
    WIRE_NO_FINDINGS    /* only the simulated device has them */
};

/* Does a number consist of such bytes alone? */
static inline bool wire_is_all(int64_t number, int byte)
{
    return (uint64_t)number == (uint64_t)byte * UINT64_C(0x0101010101010101);
}

/* Which call gave an error. */
enum wire_origin {
    WIRE_ORIGIN_UNKNOWN, /* a GPU does not say; or another error has come since */
    WIRE_ORIGIN_CALL,
    WIRE_ORIGIN_NONE /* no CUDA call of the host gave it */
};

struct wire_error {
    int32_t code;          /* a cudaError_t */
    char name[WIRE_WHAT];  /* cudaErrorInvalidValue; empty: there is no runtime, or no such error */
    char description[256]; /* invalid argument */
    uint32_t origin;
    char call[WIRE_WHAT];        /* cudaEventRecord */
    struct simgpu_caller caller; /* where the submission made it */
    struct simgpu_refusal refusal;
};

struct wire_failure {
    uint32_t reason;
    char what[WIRE_WHAT];
    struct wire_error error;
    char text[WIRE_TEXT];
};

/* A mistake that the adapter noticed, by its number in the lab's causes.h. */
struct wire_note {
    int32_t mistake;
    char actual[WIRE_NOTE], expected[WIRE_NOTE]; /* empty: not said */
};

/* What the signal handler knew. */
struct wire_fault {
    int32_t signal;
    int32_t code;          /* si_code */
    uint64_t address;      /* si_addr */
    uint32_t write;        /* it was a write */
    int32_t buffer;        /* the buffer whose pages or guards hold the address; -1: none */
    uint64_t struct_bytes; /* the address lies beside the lab's struct, which has so many; or 0 */
    uint64_t lent_bytes;   /* the same of memory that the adapter lent under that name */
    char lent[WIRE_NAME];
    uint32_t expired;     /* that memory was taken back before */
    int64_t offset;       /* of the address from the first byte of that buffer or struct */
    uint32_t device;      /* the address is one of device memory */
    uint32_t in_call;     /* a call of the runtime accessed it (simulated device only) */
    uint64_t instruction; /* the instruction of the program that faulted, or called what faulted, as
                      an offset in it; 0: not known */
    uint64_t allocation;  /* the call that allocated the device memory at the address, as an offset
                             in the program; 0: not known */
    uint64_t allocation_bytes; /* of that memory; 0: not known */
    uint64_t block_bytes; /* of a block of host memory beyond whose end the submission has written
                             (allocation: where); 0: none */
    uint64_t block_at;    /* the byte of that block that it has written to */
    uint32_t stack;       /* the address is beside the stack pointer: probably a stack overflow */
};

/* Where results came from, on the simulated device. */
struct wire_lineage {
    uint32_t found;  /* enum simgpu_lineage; what follows if it is not good */
    uint32_t buffer; /* which one */
    uint64_t offset; /* its first byte that came from elsewhere */
    /* wire_sum of what operations wrote to each buffer, and of how many bytes */
    uint64_t sum[WIRE_BUFFERS], summed_bytes[WIRE_BUFFERS];
};

struct wire_reply {
    uint32_t magic;
    uint32_t seq;
    uint8_t nonce[WIRE_NONCE];
    uint32_t outcome;
    uint64_t blob_bytes;
    uint64_t reported; /* bit i: figures[i] is one */
    double figures[FIGURES];
    double time_us;           /* WIRE_GO: all repeats, by clock_now_us */
    uint32_t is_virtual;      /* that clock is virtual time */
    int64_t computed_ns;      /* of the host, in time_us: more than what is free */
    uint32_t has_failed_call; /* as failing_place asked */
    struct wire_fault fault;
    struct wire_lineage lineage; /* WIRE_GO */
    struct wire_failure failure;
    uint32_t n_notes;
    struct wire_note notes[WIRE_NOTES];
    struct wire_error ignored;     /* the first call of the submission since WIRE_SETUP that failed,
                                      if its error did not become the failure; code 0: none */
    uint64_t n_findings;           /* WIRE_FINDINGS…, WIRE_TEARDOWN: how many there are */
    struct simgpu_finding finding; /* … and the first one */
};

/* A connection to the socket of this name of n bytes, which no file has; -1, with errno set. */
int wire_connect(const char *name, size_t n);

/* Sends a request or a reply, with a descriptor beside it (-1: none). False: nobody listens. A
   signal handler may call it. */
bool wire_send(int channel, const void *message, size_t bytes, int fd);

/* Of these bytes of a buffer, from this offset on. The sum of a buffer is that of its parts; zeros
   add nothing. */
uint64_t wire_sum(const void *part, uint64_t offset, size_t bytes);

/* recvmsg with these flags; the descriptor that came along in *fd (-1: none), if not NULL. */
ssize_t wire_receive(int channel, void *message, size_t bytes, int flags, int *fd);
