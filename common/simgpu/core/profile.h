/* profile.h: the costs of operations of the device and of API calls of the host. profile_keys.def
 * and host_costs.def list them: the keys of a profile (profiles/). */
#pragma once

#include <stdint.h>

/* Virtual nanoseconds since the device was first used. */
typedef int64_t ns_t;
#define NS_NEVER INT64_MAX

/* Host time of one call of each kind. */
enum api_cost {
#define COST(kind, name) kind,
#include "host_costs.def"
#undef COST
    N_API_COSTS
};

/* The numbers of a profile file. */
struct profile {
#define NAME(key) char key[64];
#define INT(key, ...) int key;
#define REAL(key, ...) double key;
#define RATE(key) double key;
#define TIME(key) double key;
#include "profile_keys.def"
    ns_t host_cost[N_API_COSTS];
};

/* Loads the built-in profile, or the file that SIMGPU_PROFILE names. If the file has a mistake,
 * prints its line and ends the program. */
void profile_load(struct profile *profile);
