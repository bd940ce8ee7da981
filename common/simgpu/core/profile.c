/* profile.c: reads a device profile, a text file with one `key value   # unit, source` a line.
 *
 * The keys are those of profile_keys.def and host_costs.def. Every key appears exactly once, so
 * that a profile always says everything about its device. A profile that begins with `base h200`
 * has only the keys in which it differs from the built-in one. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core.h"

enum value_kind { VALUE_NAME, VALUE_INT, VALUE_REAL, VALUE_COST };

struct key {
    const char *name;
    enum value_kind kind;
    size_t offset; /* of the field in struct profile */
    double min, max;
};

#define KEY(name, kind, field, min, max) {name, kind, offsetof(struct profile, field), min, max},
#define NAME(key) KEY(#key, VALUE_NAME, key, 0, 0)
#define INT(key, min, max) KEY(#key, VALUE_INT, key, min, max)
#define REAL(key, min, max) KEY(#key, VALUE_REAL, key, min, max)
#define RATE(key) REAL(key, 1e-3, 1e7)
#define TIME(key) REAL(key, 0, 1e6)
#define COST(kind, name) KEY("host." name, VALUE_COST, host_cost[kind], 0, 1e6)

static const struct key keys[] = {
#include "profile_keys.def"
#include "host_costs.def"
};

enum { N_KEYS = sizeof keys / sizeof keys[0] };

/* Where in the file we are, and which keys it has had. */
struct reader {
    const char *file;
    int line;
    int seen_on[N_KEYS]; /* line that had the key; 0: none yet */
    bool has_base;       /* what the file lacks is as in the built-in profile */
    struct profile *profile;
};

/* The built-in profile, whole, from the file itself; the path is from the root of the repository.
 */
__asm__(".pushsection .rodata\n"
        ".global simgpu_builtin_profile\n"
        ".hidden simgpu_builtin_profile\n"
        "simgpu_builtin_profile:\n"
        ".incbin \"common/simgpu/profiles/h200.profile\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char simgpu_builtin_profile[] __attribute__((visibility("hidden")));

/* A program cannot go on with half a device. No exit handlers: this may run inside the first CUDA
 * call of one. */
static void __attribute__((noreturn, format(printf, 2, 3)))
refuse(const struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fprintf(stderr, "simgpu: %s:", r->file);
    if (r->line)
        fprintf(stderr, "%d:", r->line);
    fputc(' ', stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    _exit(EXIT_FAILURE);
}

static int key_find(const struct reader *r, const char *name)
{
    for (int i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return i;
    refuse(r,
           "unknown key '%s': the keys are those of core/profile_keys.def and core/host_costs.def",
           name);
}

static double number(const struct reader *r, const struct key *key, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        refuse(r, "%s: '%s' is not a number", key->name, text);
    if (value < key->min || value > key->max)
        refuse(r, "%s: %s is out of range, %.9g to %.9g", key->name, text, key->min, key->max);
    if (key->kind == VALUE_INT && value != floor(value))
        refuse(r, "%s: %s is not a whole number", key->name, text);
    return value;
}

/* The device never goes by the name of a real one. */
static void set_name(const struct reader *r, const char *text)
{
    static const char simulated[] = "Simulated ";
    const char *prefix = strncmp(text, simulated, strlen(simulated)) == 0 ? "" : simulated;
    size_t size = sizeof r->profile->name;
    int n = snprintf(r->profile->name, size, "%s%s", prefix, text);
    if (n < 0 || (size_t)n >= size)
        refuse(r, "name: longer than %zu characters", size - sizeof simulated);
}

static void set_field(const struct reader *r, const struct key *key, const char *text)
{
    char *field = (char *)r->profile + key->offset;
    if (key->kind == VALUE_NAME) {
        set_name(r, text);
        return;
    }
    double value = number(r, key, text);
    if (key->kind == VALUE_INT)
        *(int *)(void *)field = (int)value;
    else if (key->kind == VALUE_REAL)
        *(double *)(void *)field = value;
    else
        *(ns_t *)(void *)field = llround(value * 1000);
}

/* Cuts the comment and the blanks at both ends. */
static char *trim(char *s)
{
    s[strcspn(s, "#")] = '\0';
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
    return s;
}

static void read_text(struct profile *profile, const char *file, const char *text);

static void take_base(struct reader *r, const char *name)
{
    for (int i = 0; i < N_KEYS; i++)
        if (r->seen_on[i])
            refuse(r, "base comes before all keys, and %s was in line %d", keys[i].name,
                   r->seen_on[i]);
    if (strcmp(name, "h200") != 0)
        refuse(r, "base %s: the only base is h200, the built-in profile", name);
    read_text(r->profile, "common/simgpu/profiles/h200.profile", simgpu_builtin_profile);
    r->has_base = true;
}

static void read_line(struct reader *r, char *text)
{
    char *name = trim(text);
    if (!*name)
        return;
    char *value = name + strcspn(name, " \t");
    if (!*value)
        refuse(r, "'%s' has no value: write `%s VALUE`", name, name);
    *value++ = '\0';
    value += strspn(value, " \t");
    if (strcmp(name, "base") == 0) {
        take_base(r, value);
        return;
    }

    int i = key_find(r, name);
    if (r->seen_on[i])
        refuse(r, "%s is set twice, first in line %d", name, r->seen_on[i]);
    r->seen_on[i] = r->line;
    set_field(r, &keys[i], value);
}

/* Ends the program unless every key was there and the whole makes sense. */
static void check_whole(const struct reader *r)
{
    const struct profile *p = r->profile;
    for (int i = 0; i < N_KEYS; i++)
        if (!r->seen_on[i] && !r->has_base)
            refuse(r, "the file ends without '%s': every key must be set", keys[i].name);
    if (p->block_shared_bytes_optin > p->sm_shared_bytes)
        refuse(r, "block_shared_bytes_optin is more than sm_shared_bytes");
    if (p->bidir_gbps > p->h2d_gbps && p->bidir_gbps > p->d2h_gbps)
        refuse(r, "bidir_gbps is more than h2d_gbps and d2h_gbps");
}

static void read_text(struct profile *profile, const char *file, const char *text)
{
    struct reader r = {.file = file, .profile = profile};
    char line[512];
    memset(profile, 0, sizeof *profile);
    while (*text) {
        size_t n = strcspn(text, "\n");
        r.line++;
        if (n >= sizeof line)
            refuse(&r, "the line is longer than %zu characters", sizeof line - 1);
        memcpy(line, text, n);
        line[n] = '\0';
        if (strlen(line) < n)
            refuse(&r, "the file is not text");
        read_line(&r, line);
        text += n + (text[n] == '\n');
    }
    check_whole(&r);
}

/* The whole file, with a NUL after it. */
static char *read_file(const char *file)
{
    struct reader r = {.file = file};
    FILE *f = fopen(file, "r");
    char *text = NULL;
    size_t size = 0, n = 0;
    if (!f)
        refuse(&r, "%s (SIMGPU_PROFILE names the profile of the simulated device)",
               strerror(errno));
    do {
        if (size > 1 << 20)
            refuse(&r, "more than a megabyte: this is no profile");
        size += 16384;
        char *more = realloc(text, size + 1);
        if (!more)
            refuse(&r, "out of memory");
        text = more;
        n += fread(text + n, 1, size - n, f);
    } while (n == size);
    if (ferror(f))
        refuse(&r, "%s", strerror(errno));
    fclose(f);
    text[n] = '\0';
    if (strlen(text) < n)
        refuse(&r, "the file is not text");
    return text;
}

void profile_load(struct profile *profile)
{
    const char *file = setting("SIMGPU_PROFILE");
    if (!file || !*file) {
        read_text(profile, "common/simgpu/profiles/h200.profile", simgpu_builtin_profile);
        return;
    }
    char *text = read_file(file);
    read_text(profile, file, text);
    free(text);
}
