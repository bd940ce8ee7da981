/* cases.h: the pipelines for which lab12_micro_batches is asked. */
#pragma once

enum { N_CASES = 9, MOST_DEVICES = 8 };

static const struct {
    int stages, percent;
} cases[N_CASES] = {{2, 10}, {2, 3}, {1, 5}, {4, 25}, {4, 10}, {8, 20}, {3, 50}, {5, 7}, {2, 90}};
