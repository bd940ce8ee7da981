/* exchange.h: what a lab's suite and its adapter exchange beside buffers, by names that both
 * compile.
 *
 * Each lab defines the two structs in grader/labs/labNN/exchange.h, with a comment on each member:
 *
 *     struct numbers    of a scenario, from the suite to the adapter: any data without pointers
 *     struct figures    of a run, from the adapter to the suite: members of type double, and arrays
 *                       of them
 *
 * So a name that is misspelt, or is another lab's, does not compile. */
#pragma once

#include <stddef.h>

struct numbers;
struct figures;

/* A lab has so much at most. What bench_pending reports comes after a lab's own figures. */
enum { NUMBERS_BYTES = 512, OWN_FIGURES = 59, FIGURES = 64 };
#define PENDING_US ((struct figure){OWN_FIGURES, "pending_us"})
#define UNWAITED_STREAM ((struct figure){OWN_FIGURES + 1, "unwaited_stream"})
#define OWN_BYTES ((struct figure){OWN_FIGURES + 3, "own_bytes"})
#define HAS_SLEPT ((struct figure){OWN_FIGURES + 2, "has_slept"})
#define UNWAITED_CREATED ((struct figure){OWN_FIGURES + 4, "unwaited_created"})

/* A member of struct figures. */
struct figure {
    unsigned at;      /* which one of the reply's doubles */
    const char *name; /* for the message that it was not reported */
};

#define FIGURE(member)                                                                             \
    ((struct figure){(unsigned)_Generic(((struct figures *)NULL)->member, double                   \
                                        : offsetof(struct figures, member) / sizeof(double)),      \
                     #member})
