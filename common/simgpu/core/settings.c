/* settings.c: the variables SIMGPU_*.
 *
 * A program can read and change its own environment. A submission must neither learn from it how it
 * is judged nor switch checks off. If SIMGPU_SEALED is set, all SIMGPU_* variables are moved here
 * when the library is loaded, before the program's first instruction, and their text is erased. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { MOST_SETTINGS = 16 };

static char *sealed[MOST_SETTINGS];
static int n_sealed;
static bool is_sealed;

extern char **environ;

__attribute__((constructor)) static void seal(void)
{
    static const char prefix[] = "SIMGPU_";
    is_sealed = getenv("SIMGPU_SEALED") != NULL;
    char **kept = environ;
    for (char **v = environ; is_sealed && *v; v++) {
        if (strncmp(*v, prefix, sizeof prefix - 1) != 0) {
            *kept++ = *v;
            continue;
        }
        if (n_sealed < MOST_SETTINGS)
            sealed[n_sealed++] = strdup(*v);
        memset(*v, 0, strlen(*v));
    }
    if (is_sealed)
        *kept = NULL;
}

const char *setting(const char *name)
{
    size_t n = strlen(name);
    if (!is_sealed)
        return getenv(name);
    for (int i = 0; i < n_sealed; i++)
        if (sealed[i] && strncmp(sealed[i], name, n) == 0 && sealed[i][n] == '=')
            return sealed[i] + n + 1;
    return NULL;
}

long setting_number(const char *name, const char *of, long least, long most, long otherwise)
{
    const char *text = setting(name);
    if (!text || !*text)
        return otherwise;
    char *end;
    long n = strtol(text, &end, 10);
    if (!*end && n >= least && n <= most)
        return n;
    fprintf(stderr, "simgpu: %s=%s is not a number%s from %ld to %ld; using %ld\n", name, text, of,
            least, most, otherwise);
    return otherwise;
}
