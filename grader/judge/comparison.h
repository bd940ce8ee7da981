/* comparison.h: the comparison of a run's results with what is expected, for results.c and
 * unwritten.c. */
#pragma once

#include "inside.h"

struct comparison {
    struct judged *j;
    const struct judge_results *r;
    const struct judge_memory *memory;
    size_t per_batch; /* elements */
    double scale;     /* of the current batch: root mean square of what is expected */
    size_t n_checked, n_wrong, n_unwritten, n_batches_wrong, last_batch_wrong;
    size_t batch, index; /* of the first wrong element */
    char batches[96];    /* the wrong ones, as text */
};

/* ---- results.c ------------------------------------------------------------------------------- */

double comparison_expected(const struct comparison *c, size_t batch, size_t index);

/* With the tolerance, at the scale of the current batch. False for a NaN. */
bool comparison_is_close(const struct comparison *c, double actual, double expected);

/* Does the current batch hold the result of the other one, at the first wrong element and its
   neighbors? */
bool comparison_holds_batch(const struct comparison *c, size_t other);

/* The element is as it was before the run. */
bool comparison_is_unwritten(float x);

/* ---- unwritten.c ----------------------------------------------------------------------------- */

/* Each fails if the parts of the buffer that were written, and those that were not, are those of
   its mistake. `word`: what the suite calls a batch. */

/* Only this batch was written. */
void unwritten_blame_output_offset(const struct comparison *c, const char *word, size_t batch);
/* The batches lie too close together, or too far apart. */
void unwritten_blame_distance(const struct comparison *c, const char *word);
/* The first batches hold the last results. */
void unwritten_blame_remainder(const struct comparison *c, const char *word);
/* The first wrong element was not written. */
_Noreturn void unwritten_blame(const struct comparison *c, const char *word);
