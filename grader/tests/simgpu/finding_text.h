/* finding_text.h: a finding as the device prints it, for tests. */
#pragma once

#include <stdio.h>

#include "common/simgpu/simgpu.h"

/* Until the next call. */
static inline const char *finding_text(const struct simgpu_finding *f)
{
    static char text[sizeof(struct simgpu_words) + 4];
    struct simgpu_words w;
    simgpu_finding_words(f, &w);
    snprintf(text, sizeof text, "%s%s%s.", w.what, w.next[0] ? "; " : "", w.next);
    return text;
}
