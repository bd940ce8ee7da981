/*
 * cases.h: the pipelines for which lab12_micro_batches is asked.
 */
#ifndef LAB12_CASES_H
#define LAB12_CASES_H

enum { N_CASES = 9, MOST_DEVICES = 8 };

static const struct {
    const char *name; /* of the value that the adapter reports */
    int stages, percent;
} cases[N_CASES] = {{"micro 2 10", 2, 10}, {"micro 2 3", 2, 3},   {"micro 1 5", 1, 5},
                    {"micro 4 25", 4, 25}, {"micro 4 10", 4, 10}, {"micro 8 20", 8, 20},
                    {"micro 3 50", 3, 50}, {"micro 5 7", 5, 7},   {"micro 2 90", 2, 90}};

#endif
