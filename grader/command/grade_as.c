/* grade_as.c: ./grade labNN --as CARD: the simulated device with the figures of another GPU. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grade.h"

static int no_such_card(const struct grade *g)
{
    char pattern[SESSION_PATH];
    glob_t found;
    fprintf(stderr, "--as %s? There are figures of:", g->as);
    grade_join(pattern, g->root, "common/simgpu/profiles", "*.profile", NULL);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *name = strrchr(found.gl_pathv[i], '/') + 1;
            fprintf(stderr, " %.*s", (int)strcspn(name, "."), name);
        }
        globfree(&found);
    }
    fputc('\n', stderr);
    return GRADE_USAGE;
}

int grade_as(struct grade *g)
{
    char name[128], path[SESSION_PATH];
    if (!g->as)
        return 0;
    if (g->device_option && strcmp(g->device_option, "gpu") == 0) {
        fprintf(stderr, "--as is for the simulated device: a GPU has its own figures\n");
        return GRADE_USAGE;
    }
    g->device_option = "sim";
    snprintf(name, sizeof name, "%s.profile", g->as);
    grade_join(path, g->root, "common/simgpu/profiles", name, NULL);
    if (strchr(g->as, '/') || access(path, R_OK) != 0)
        return no_such_card(g);
    setenv("SIMGPU_PROFILE", path, 1);
    return 0;
}
