/* needs.c: checks that need more than this device has are skipped, and the report says what they
 * need. */
#include <stdio.h>
#include <string.h>

#include "inside.h"

static bool is_for(const struct judge_need *need, const struct session_check *c)
{
    return !need->check || strcmp(need->check, c->name) == 0;
}

/* If the version could not be read, the check runs. */
static bool is_less(int there, int needed)
{
    return needed > 0 && there > 0 && there < needed;
}

static void take(struct session *s, struct session_check *c, const struct judge_need *need)
{
    if (need->capability)
        snprintf(c->needs, sizeof c->needs, "compute capability %d.%d", need->capability / 10,
                 need->capability % 10);
    if (need->cuda)
        snprintf(c->needs, sizeof c->needs, "CUDA %d.%d", need->cuda / 1000,
                 need->cuda % 1000 / 10);
    if (need->devices)
        snprintf(c->needs, sizeof c->needs, "%d %s%s", need->devices,
                 s->device == DEVICE_GPU ? "GPUs" : "simulated devices (SIMGPU_DEVICES)",
                 need->peers ? " with peer access" : "");
    c->lacks = is_less(s->capability, need->capability) || is_less(s->cuda, need->cuda) ||
               is_less(s->n_devices, need->devices) || (need->peers && s->lacks_peers);
}

void judge_note_needs(struct session *s, const struct judge_lab *lab)
{
    for (int i = 0; i < s->n_checks; i++)
        for (int k = 0; k < lab->n_needs && !s->checks[i].lacks; k++)
            if (is_for(&lab->needs[k], &s->checks[i]))
                take(s, &s->checks[i], &lab->needs[k]);
}
