/* grade_card.c: which profile of the simulated device is nearest to the GPU of this machine. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"

/* What a profile says of its card. Those that are derived take the rest from the H200's. */
struct card {
    char name[160];
    int major, minor;
    double bus_gbps;
};

static struct card read_card(const char *path)
{
    struct card card = {.major = 9, .bus_gbps = 55.6};
    char line[512];
    FILE *from = fopen(path, "r");
    while (from && fgets(line, sizeof line, from)) {
        if (sscanf(line, "name %159[^#\n]", card.name) == 1)
            for (size_t n = strlen(card.name); n > 0 && card.name[n - 1] == ' ';)
                card.name[--n] = '\0';
        sscanf(line, "compute_major %d", &card.major);
        sscanf(line, "compute_minor %d", &card.minor);
        sscanf(line, "h2d_gbps %lf", &card.bus_gbps);
    }
    if (from)
        fclose(from);
    return card;
}

/* How far the card is from the GPU: by compute capability, then by the bus. 0: it has its name. */
static double distance(const struct grade *g, const struct card *card)
{
    const int capability = 10 * card->major + card->minor;
    if (strcmp(card->name, g->device_name) == 0)
        return 0;
    return 1 + 100.0 * abs(capability - g->capability) +
           (g->bus_gbps > 0 ? fabs(log2(g->bus_gbps / card->bus_gbps)) : 0);
}

void grade_card(const struct grade *g)
{
    char pattern[SESSION_PATH];
    double least = INFINITY;
    glob_t found;
    grade_join(pattern, g->root, "common/simgpu/profiles", "*.profile", NULL);
    if (getenv("SIMGPU_PROFILE") || glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const struct card card = read_card(found.gl_pathv[i]);
        const double far = distance(g, &card);
        if (far < least)
            setenv("SIMGPU_PROFILE", found.gl_pathv[i], 1);
        least = fmin(least, far);
    }
    globfree(&found);
}
