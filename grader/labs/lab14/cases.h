/* cases.h: the messages for which lab14_choose is asked. */
#pragma once

#include "labs/lab14_all_reduce/lab.h"

enum { N_CASES = 11 };

static const struct {
    int devices;
    size_t bytes;
    double exchange_us, gbps;
} cases[N_CASES] = {{4, 1 << 14, 12, 400},        {4, 1 << 24, 12, 400}, {4, 3190000, 12, 400},
                    {4, 3210000, 12, 400},        {8, 900000, 12, 400},  {8, 930000, 12, 400},
                    {2, (size_t)1 << 30, 5, 400}, {3, 300000, 20, 22.5}, {4, 200000, 20, 12.5},
                    {1, 1 << 20, 0, 400},         {2, 1 << 20, 0, 400}};

/* How much longer the bytes of one-shot take than those of two-shot. With two devices exactly 0. */
static inline double saved_us(int devices, double bytes, double gbps)
{
    return (devices - 1) * (bytes / (gbps * 1e3)) * (1 - 2.0 / devices);
}

/* What lab.h says. */
static inline enum lab14_algorithm choice_of(int devices, double bytes, double exchange_us,
                                             double gbps)
{
    const bool is_worth_it = saved_us(devices, bytes, gbps) > exchange_us * (1 + 1e-9);
    return is_worth_it && devices > 1 ? LAB14_TWO_SHOT : LAB14_ONE_SHOT;
}
