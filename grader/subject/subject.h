/* subject.h: the program that a submission is linked into, as a lab's adapter sees it.
 *
 *     subject.c             takes the judge's requests one by one over a private channel
 *     labs/labNN/adapter.c  the adapter, which alone knows both the judge's buffers and the struct
 *                           of the lab
 *     lab.o                 the submission
 *
 * The judge prepares a scenario (numbers and buffers by name), then runs it any number of times:
 *
 *     setup  ->  [ arm -> run, run, ... -> collect ] ... -> teardown
 *
 * Only `run` is timed. An adapter ends with SUBJECT_LAB, and keeps the lab's struct where
 * subject_alone puts it. Its functions return 0, or what subject_failed() returned.
 *
 * Everything in this process may be touched by the submission, so nothing it says is believed
 * where the judge can see for itself: results are checked in the judge's own memory and the wall
 * clock is the judge's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "wire/exchange.h"

struct subject;
struct subject_call; /* calls.h */

struct subject_lab {
    const char *name;     /* lab03 */
    size_t numbers_bytes; /* of struct numbers */

    /* fills the lab's struct and calls labNN_setup */
    int (*setup)(struct subject *s);

    /* before each timed part: copies inputs to memory of the submission's own, and the poison of
       the outputs too; NULL where it works on subject_buffer()s */
    int (*arm)(struct subject *s);

    /* the timed part: labNN_run; may report figures with subject_value */
    int (*run)(struct subject *s);

    /* after it: copies outputs from memory of the submission's own; or NULL */
    int (*collect)(struct subject *s);

    /* names with subject_watch the memory in which a run, or call, finds inputs and leaves results;
       NULL: the scenario's buffers themselves */
    void (*watch)(struct subject *s);

    /* a run is several calls, which use the same memory in turn: `run` says with
       subject_lineage_begin and subject_lineage_end where each begins and ends */
    bool in_calls;

    /* the graph that the submission shows, and that a run launches, alone; NULL: this run launches
       none that is shown; or NULL */
    const void *(*shown)(const struct subject *s);

    /* labNN_teardown */
    int (*teardown)(struct subject *s);

    /* the least time any right run can take, measured here and now with bare copies and kernels and
       no code of the submission, after setup and between runs; reports with subject_value (h2d_us,
       kernel_us, …); or NULL */
    int (*floor)(struct subject *s);

    /* the submission's graph for the judge: calls subject_graph, or is subject_shown_graph (both
       in graph.h); or NULL */
    int (*graph)(struct subject *s);

    /* see each call of the functions in calls.h, of the grader's own, too, before and after the
       runtime has it; or NULL */
    void (*before_call)(struct subject_call *call);
    void (*after_call)(const struct subject_call *call);
};

/* The numbers of the scenario, until the next one. */
const struct numbers *subject_numbers(const struct subject *s);

/* A buffer of the scenario; one that it lacks ends the program with a message: suite and adapter do
 * not fit together. It is in memory shared with the judge: inputs are read-only, and the pages
 * beside every buffer do not exist. Pinned (cudaHostRegister) where the scenario says so. Stays
 * where it is from setup to teardown. */
void *subject_buffer(const struct subject *s, const char *name);
size_t subject_buffer_bytes(const struct subject *s, const char *name);

/* The lab's struct, zeroed, between pages that do not exist: an adapter passes no other memory of
 * its own by address. One at a time, which stays where it is until the next call. A submission that
 * writes beside it ends, or fails the request. */
void *subject_alone(struct subject *s, size_t bytes);

/* The members of that struct before `first`, the first of the submission's own, are as they will
 * stay, as is the memory that is lent: before labNN_setup. A submission that changes one fails the
 * request. */
#define subject_given(s, lab, first)                                                               \
    subject_keep_given(s, (size_t)((char *)&(lab)->first - (char *)(lab)))
void subject_keep_given(struct subject *s, size_t bytes);

/* lent.c: host memory for the submission to read, with nothing beside it, under a name of one word;
   one at a time. */
void *subject_lend(struct subject *s, const char *name, size_t bytes);
void subject_take_back(void);

/* In this scenario nothing but the submission orders its work: from the beginning of labNN_setup to
 * the end of labNN_teardown the adapter neither waits for the device, nor asks whether it is done,
 * nor enqueues anything. Inputs are there before setup, and there is one run. */
bool subject_unaided(const struct subject *s);

/* Does a run read its inputs and write its outputs? If not, only their sizes matter. */
bool subject_computes(const struct subject *s);

/* In this run, memory of the submission's stands for the buffer of that name, or for a part of it.
 * Device memory may: as an input it holds what it held when the run began. */
void subject_watch(struct subject *s, const char *name, const void *base, size_t bytes);

/* A call of the submission begins, ends. On the simulated device, its results must come from the
   kernels that the scenario names, and all launches be of the graph that is shown. */
void subject_lineage_begin(struct subject *s);
void subject_lineage_end(struct subject *s);

/* A number that no other graph ever has; how many launches of this run, by the host and by kernels,
   were of executable graphs instantiated from that graph; and of any. A GPU does not say: 0, 0, -1.
 */
unsigned long long subject_graph_number(const void *graph);
double subject_launches_of(unsigned long long number);
double subject_launches(void);

/* Sends the judge a figure with this run's reply: subject_value(s, step_us, 1.5), by the name of a
   member of the lab's struct figures. */
void subject_report(struct subject *s, struct figure figure, double value);
#define subject_value(s, member, value) subject_report(s, FIGURE(member), value)

/* What the submission's function returned. 0 for cudaSuccess; anything else fails the request, and
 * a nonzero value comes back. The report says "lab03_run returned cudaErrorInvalidValue (invalid
 * argument), from cudaEventRecord".
 *
 *     return subject_returned(s, "lab03_run", lab03_run(&lab)); */
int subject_returned(struct subject *s, const char *function, int cuda_error);

/* The same with a sentence of the lab's about what such an error means. */
int subject_explained(struct subject *s, const char *function, int cuda_error, const char *meaning);

/* The same for a call that the adapter itself makes; `what` it is for. */
int subject_own_call(struct subject *s, const char *what, int cuda_error);

/* Does the simulated device know the call of the host that gave this error? False on a GPU. */
bool subject_call_is_known(int cuda_error);

/* Something else went wrong: says so in the adapter's own words (printf), returns a nonzero value.
 */
int subject_failed(struct subject *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The submission makes this mistake, by its number in the lab's causes.h: a fact for the rule
 * `when: noted`. It changes no verdict by itself. `expected` and the text (printf) are for the
 * report; NULL: there is nothing to show.
 *
 *     subject_note(s, LAB14_NO_PEER_ACCESS, NULL, "device %d has no access to device %d", d, q); */
void subject_note(struct subject *s, int mistake, const char *expected, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The submission ignores none of the errors so far: the adapter provoked them, or they are of an
   earlier setup. */
void subject_forget_errors(void);

/* From a function that the submission calls: the request fails, and the process ends. Printf, as
   subject_failed. */
_Noreturn void subject_end(struct subject *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Once in an adapter, at its end, with designated initializers: the program that the judge starts.
 */
#define SUBJECT_LAB(...)                                                                           \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return subject_main(                                                                       \
            &(const struct subject_lab){.numbers_bytes = sizeof(struct numbers), __VA_ARGS__},     \
            argc, argv);                                                                           \
    }

/* main.c: answers the judge's requests until the judge has gone; or debug.c, in its place: runs a
   check. */
int subject_main(const struct subject_lab *lab, int argc, char **argv);
