/*
 * profile.c: reads a device profile, a text file with one `key value   # unit, source` a line.
 *
 * The keys are the fields of struct profile; the cost of an API call is host.<its name in enum
 * api_cost>. Every key appears exactly once, so that a profile always says everything about its
 * device. A profile that begins with `base h200` has only the keys in which it differs from the
 * built-in one.
 */
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

#define NAME(field)                                                                                \
    {                                                                                              \
#field, VALUE_NAME, offsetof(struct profile, field), 0, 0                                  \
    }
#define INT(field, min, max)                                                                       \
    {                                                                                              \
#field, VALUE_INT, offsetof(struct profile, field), min, max                               \
    }
#define REAL(field, min, max)                                                                      \
    {                                                                                              \
#field, VALUE_REAL, offsetof(struct profile, field), min, max                              \
    }
#define RATE(field) REAL(field, 1e-3, 1e7)
#define TIME(field) REAL(field, 0, 1e6)
#define COST(name, cost)                                                                           \
    {                                                                                              \
        "host." name, VALUE_COST, offsetof(struct profile, host_cost[cost]), 0, 1e6                \
    }

static const struct key keys[] = {
    NAME(name),
    INT(compute_major, 5, 99),
    INT(compute_minor, 0, 9),
    INT(sm_count, 1, 4096),
    INT(sm_threads, 32, 65536),
    INT(sm_blocks, 1, 1024),
    INT(sm_registers, 1024, 1 << 24),
    INT(sm_shared_bytes, 1024, 1 << 26),
    INT(block_shared_bytes_optin, 1024, 1 << 26),
    INT(clock_khz, 1000, 100e6),
    INT(memory_clock_khz, 1000, 100e6),
    INT(memory_bus_bits, 8, 65536),
    INT(l2_bytes, 1024, 2e9),
    INT(copy_engines, 1, 16),
    INT(concurrent_kernels, 1, 4096),
    REAL(memory_bytes, 1 << 20, 1e15),
    RATE(h2d_gbps),
    RATE(d2h_gbps),
    RATE(bidir_gbps),
    RATE(pageable_h2d_gbps),
    RATE(pageable_d2h_gbps),
    INT(pageable_small_bytes, 0, 1 << 30),
    RATE(pageable_small_gbps),
    INT(pageable_chunk_bytes, 0, 1 << 30),
    RATE(pageable_chunk_gbps),
    RATE(peer_gbps),
    RATE(peer_staged_gbps),
    TIME(peer_overhead_us),
    TIME(graph_peer_overhead_us),
    TIME(peer_staged_us),
    TIME(h2d_overhead_us),
    TIME(d2h_overhead_us),
    TIME(copy_switch_us),
    TIME(inline_copy_us),
    INT(inline_copy_bytes, 0, 1 << 20),
    TIME(pageable_overhead_us),
    RATE(d2d_gbps),
    TIME(d2d_overhead_us),
    RATE(memset_gbps),
    TIME(memset_overhead_us),
    TIME(memset_small_us),
    RATE(memset_small_gbps),
    INT(memset_small_bytes, 0, 1 << 30),
    TIME(pool_grow_us),
    TIME(pool_shrink_us),
    TIME(kernel_overhead_us),
    TIME(kernel_memory_us),
    TIME(kernel_issue_us),
    TIME(block_issue_us),
    RATE(sm_gflops),
    RATE(sm_shared_gbps),
    RATE(sm_dram_gbps),
    RATE(dram_gbps),
    REAL(sm_half_threads, 0, 65536),
    REAL(sm_shared_half_threads, 0, 65536),
    TIME(block_us),
    TIME(atomic_us),
    TIME(memory_wait_us),
    TIME(submit_us),
    TIME(same_stream_us),
    TIME(cross_engine_us),
    TIME(event_wait_us),
    TIME(device_hop_us),
    TIME(graph_hop_us),
    TIME(event_record_us),
    TIME(host_func_us),
    TIME(host_func_next_us),
    TIME(host_func_idle_us),
    TIME(host_func_done_us),
    TIME(sync_return_us),
    TIME(graph_capture_end_node_us),
    TIME(graph_instantiate_kernel_us),
    TIME(graph_instantiate_node_us),
    TIME(graph_instantiate_branch_us),
    TIME(graph_upload_run_us),
    TIME(graph_upload_kernel_us),
    TIME(graph_upload_us),
    TIME(graph_switch_on_us),
    TIME(graph_switch_off_us),
    TIME(graph_launch_node_us),
    TIME(graph_launch_run_us),
    INT(graph_launch_cold_nodes, 1, 1 << 30),
    TIME(graph_launch_cold_us),
    TIME(graph_launch_cold_node_us),
    TIME(graph_launch_copy_us),
    TIME(graph_launch_memset_us),
    TIME(graph_launch_host_us),
    TIME(graph_launch_event_us),
    TIME(graph_launch_device_us),
    TIME(graph_launch_crossing_us),
    TIME(graph_update_node_us),
    TIME(graph_destroy_node_us),
    TIME(graph_exec_destroy_node_us),
    TIME(graph_kernel_us),
    TIME(graph_first_kernel_us),
    INT(graph_company_kernels, 0, 1 << 30),
    TIME(graph_company_us),
    TIME(graph_disabled_us),
    TIME(graph_issue_us),
    TIME(graph_h2d_overhead_us),
    TIME(graph_d2h_overhead_us),
    TIME(graph_d2d_overhead_us),
    TIME(graph_memset_overhead_us),
    TIME(early_start_us),
    TIME(early_kernel_us),
    TIME(early_resume_us),
    TIME(graph_early_resume_us),
    TIME(graph_edge_us),
    TIME(graph_cross_us),
    TIME(graph_condition_us),
    TIME(graph_condition_skip_us),
    TIME(graph_condition_end_us),
    TIME(graph_inner_end_us),
    TIME(graph_while_us),
    TIME(graph_body_h2d_us),
    TIME(graph_launch_conditions_us),
    TIME(graph_launch_condition_us),
    TIME(graph_instantiate_condition_us),
    TIME(graph_instantiate_body_us),
    TIME(graph_upload_condition_us),
    TIME(graph_exec_destroy_body_us),
    TIME(device_first_kernel_us),
    TIME(device_fire_us),
    TIME(device_fire_call_us),
    TIME(device_fire_root_us),
    TIME(device_root_us),
    TIME(device_tail_call_us),
    TIME(device_tail_us),
    TIME(device_join_us),
    TIME(device_host_call_us),
    TIME(device_host_end_us),
    INT(stream_depth, 1, 1 << 20),
    COST("query", COST_QUERY),
    COST("malloc", COST_MALLOC),
    COST("free", COST_FREE),
    COST("malloc_host", COST_MALLOC_HOST),
    COST("free_host", COST_FREE_HOST),
    COST("malloc_async", COST_MALLOC_ASYNC),
    COST("free_async", COST_FREE_ASYNC),
    COST("stream_create", COST_STREAM_CREATE),
    COST("stream_destroy", COST_STREAM_DESTROY),
    COST("stream_query", COST_STREAM_QUERY),
    COST("event_create", COST_EVENT_CREATE),
    COST("event_destroy", COST_EVENT_DESTROY),
    COST("event_record", COST_EVENT_RECORD),
    COST("event_record_timing", COST_EVENT_RECORD_TIMING),
    COST("event_query", COST_EVENT_QUERY),
    COST("stream_wait", COST_STREAM_WAIT),
    COST("sync", COST_SYNC),
    COST("memcpy_async", COST_MEMCPY_ASYNC),
    COST("memcpy_d2d", COST_MEMCPY_D2D),
    COST("memset_async", COST_MEMSET_ASYNC),
    COST("memset_large", COST_MEMSET_LARGE),
    COST("launch", COST_LAUNCH),
    COST("host_func", COST_HOST_FUNC),
    COST("peer_access", COST_PEER_ACCESS),
    COST("graph_create", COST_GRAPH_CREATE),
    COST("graph_node", COST_GRAPH_NODE),
    COST("graph_work", COST_GRAPH_WORK),
    COST("capture_begin", COST_CAPTURE_BEGIN),
    COST("capture_end", COST_CAPTURE_END),
    COST("capture_node", COST_CAPTURE_NODE),
    COST("capture_mark", COST_CAPTURE_MARK),
    COST("graph_instantiate", COST_GRAPH_INSTANTIATE),
    COST("graph_upload", COST_GRAPH_UPLOAD),
    COST("graph_launch", COST_GRAPH_LAUNCH),
    COST("graph_set", COST_GRAPH_SET),
    COST("exec_destroy", COST_EXEC_DESTROY),
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
    refuse(r, "unknown key '%s': the keys are the fields of struct profile in core/profile.h",
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
