/* random.c: random inputs. xoshiro256** seeded through splitmix64 (Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", 2018): fast enough to fill hundreds of
 * megabytes before every run. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/splitmix.h"
#include "inside.h"

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t next(uint64_t s[4])
{
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

static uint64_t stir(uint64_t state, const char *name)
{
    for (const char *c = name; *c; c++)
        state = splitmix(&state) ^ (unsigned char)*c;
    return state;
}

/* From the grading's seed and the check's name: they do not depend on which other checks ran. */
static uint64_t seed_of_check(void)
{
    return stir(judge_session->seed, judge_current->name);
}

static long draw(uint64_t state, long low, long high, long step)
{
    return low + (long)(splitmix(&state) % (uint64_t)((high - low) / step + 1)) * step;
}

long judge_draw(long low, long high, long step)
{
    static uint64_t drawn; /* how many so far: each check has a process of its own */
    return draw(~seed_of_check() + drawn++, low, high, step);
}

unsigned judge_random_freedom(void)
{
    enum { MOST = 999 };
    const char *asked = getenv("SIMGPU_FREEDOM");
    if (!judge_device_is_simulated())
        return 0;
    if (!asked)
        return (unsigned)draw(stir(seed_of_check(), "freedom"), 1, MOST, 1);
    char *end;
    const unsigned long seed = strtoul(asked, &end, 10);
    if (end == asked || *end || seed > INT_MAX)
        judge_internal_error("SIMGPU_FREEDOM=%s is not a number from 0 to %d", asked, INT_MAX);
    return (unsigned)seed;
}

const struct numbers *judge_numbers(const struct judged *j)
{
    return (const void *)j->numbers;
}

void judge_random_sizes(struct judged *j, const struct judge_scenario *scenario)
{
    struct judge_scenario *own = &j->own;
    *own = *scenario;
    memmove(j->numbers, scenario->numbers, judge_running_lab->numbers_bytes);
    own->numbers = judge_numbers(j);
    if (scenario->name != j->name)
        snprintf(j->name, sizeof j->name, "%s", scenario->name);
    own->name = j->name;
    if (own->drawn.name) {
        long *value = (long *)((char *)j->numbers + own->drawn.at);
        const long spread = own->spread ? own->spread : *value / 16;
        *value = draw(stir(seed_of_check(), own->drawn.name), *value - spread, *value + spread, 1);
        own->drawn.name = NULL; /* for good */
    }
    if (own->make)
        own->make(own);
}

void judge_random_seed(struct judged *j)
{
    uint64_t state = seed_of_check();
    for (int i = 0; i < 4; i++)
        j->random[i] = splitmix(&state);
}

uint64_t judge_random(struct judged *j)
{
    return next(j->random);
}

double judge_uniform(struct judged *j)
{
    return splitmix_uniform(next(j->random));
}

/* Each JUDGE_AT_ONCE numbers have a generator of their own, so they do not depend on how many
 * threads there are. */
static void fill(float *to, size_t count, float low, float high, uint64_t state)
{
    const float step = (high - low) * 0x1p-24f;
    uint64_t s[4];
    for (int i = 0; i < 4; i++)
        s[i] = splitmix(&state);
    for (size_t i = 0; i < count; i += 2) {
        uint64_t r = next(s);
        to[i] = low + step * (float)(r >> 40);
        if (i + 1 < count)
            to[i + 1] = low + step * (float)(r << 24 >> 40);
    }
}

void judge_random_fill(struct judged *j, float *to, size_t count, float low, float high)
{
    const uint64_t seed = judge_random(j);
#pragma omp parallel for if (count > JUDGE_AT_ONCE)
    for (size_t i = 0; i < count; i += JUDGE_AT_ONCE) {
        uint64_t state = seed + i;
        fill(to + i, count - i < JUDGE_AT_ONCE ? count - i : JUDGE_AT_ONCE, low, high,
             splitmix(&state));
    }
}
