/*
 * wire.h: what a judge and a subject say to each other.
 *
 * One SOCK_SEQPACKET channel a subject, one request at a time, one reply to each. Buffers travel
 * as a file descriptor beside the request that needs it. A reply carries the nonce that the judge
 * drew for this subject and the number of the request it answers: bytes that a submission writes
 * blindly into descriptors are told from replies by that. It is no secret from code that reads the
 * subject's memory; judge.h says what is believed and what is measured.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

enum {
    WIRE_CHANNEL_FD = 200, /* the subject's end */
    WIRE_NAME = 24,        /* a name, with its final zero */
    WIRE_NUMBERS = 16,
    WIRE_BUFFERS = 12,
    WIRE_VALUES = 16,
    WIRE_MESSAGE = 768,
    WIRE_GUARD_BYTES = 1 << 20, /* on either side of a buffer no memory exists */
    WIRE_NONCE = 16,
    WIRE_EXIT_CHANNEL = 113, /* exit code: the channel was closed or is something else now */
    WIRE_EXIT_MISTAKE = 114  /* exit code: suite and adapter do not fit together */
};

/* in the environment of a subject whose traces are to have rows of whole graphs */
#define WIRE_WHOLE_GRAPHS "GRADE_WHOLE_GRAPHS"

#define WIRE_REQUEST_MAGIC 0x6a756467u
#define WIRE_REPLY_MAGIC 0x7375626au

enum wire_op {
    WIRE_HELLO, /* descriptor: the blob */
    WIRE_SETUP, /* numbers and buffers; descriptor: the memory they lie in */
    WIRE_ARM,
    WIRE_GO, /* repeats, traced; the trace as CSV in the blob */
    WIRE_COLLECT,
    WIRE_FLOOR,
    WIRE_GRAPH, /* in the blob, as graph_query.h has it */
    WIRE_TEARDOWN,
    WIRE_FINDINGS /* in the blob: one "kind TAB count TAB text" a line */
};

struct wire_number {
    char name[WIRE_NAME];
    int64_t value;
};

struct wire_buffer {
    char name[WIRE_NAME];
    uint32_t output; /* else an input, which the subject maps read-only */
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
    uint32_t n_numbers, n_buffers;
    uint8_t nonce[WIRE_NONCE];
    struct wire_number numbers[WIRE_NUMBERS];
    struct wire_buffer buffers[WIRE_BUFFERS];
};

enum wire_outcome {
    WIRE_DONE,
    WIRE_FAILED,      /* the submission returned an error or broke a rule: message */
    WIRE_UNSUPPORTED, /* this device or this lab cannot do it: message */
    WIRE_CRASHED      /* from the signal handler, before the process dies: the fault below */
};

/* What the signal handler knew. */
struct wire_fault {
    int32_t signal;
    int32_t code;     /* si_code */
    uint64_t address; /* si_addr */
    uint32_t write;   /* it was a write (x86-64 only; else 0) */
    int32_t buffer;   /* the buffer whose pages or guards hold the address; -1: none */
    int64_t offset;   /* of the address from that buffer's first byte */
    uint32_t stack;   /* the address is beside the stack pointer: probably a stack overflow */
};

struct wire_value {
    char name[WIRE_NAME];
    double value;
};

struct wire_reply {
    uint32_t magic;
    uint32_t seq;
    uint8_t nonce[WIRE_NONCE];
    uint32_t outcome;
    uint32_t n_values;
    uint64_t blob_bytes;
    double time_us;      /* WIRE_GO: all repeats, by clock_now_us */
    uint32_t is_virtual; /* that clock is virtual time */
    struct wire_fault fault;
    struct wire_value values[WIRE_VALUES];
    char message[WIRE_MESSAGE];
};

#endif
