/*
 * figure.h: the figures that an adapter reports and its suite reads, by names that both compile.
 *
 * Each lab defines struct figures in grader/labs/labNN/exchange.h: a comment and a member of type
 * double for each figure, or an array of them. So a misspelt figure, or that of another lab, does
 * not compile.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include <stddef.h>

struct figures;

/* A lab has so many at most. What bench_pending reports comes after them. */
enum { OWN_FIGURES = 62, FIGURES = 64 };
#define PENDING_US ((struct figure){OWN_FIGURES, "pending_us"})
#define UNWAITED_STREAM ((struct figure){OWN_FIGURES + 1, "unwaited_stream"})

/* A member of struct figures. */
struct figure {
    unsigned at;      /* which one of the reply's doubles */
    const char *name; /* for the message that it was not reported */
};

#define FIGURE(member)                                                                             \
    ((struct figure){(unsigned)_Generic(((struct figures *)NULL)->member, double                   \
                                        : offsetof(struct figures, member) / sizeof(double)),      \
                     #member})

#endif
