/* grade.c: ./grade labNN: finds what `make labNN` built, has its suite judge it, and reports. */
#include "grade.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "report/hints.h"
#include "report/report.h"

static const char usage_text[] =
    "usage: ./grade                    lists all labs with their states and points\n"
    "       ./grade labNN [CHECK]      builds your lab if it changed, and grades it\n"
    "       ./grade labNN [CHECK] --hint[=LEVEL]\n"
    "       ./grade labNN --why CHECK  prints the facts of a failed check\n"
    "       ./grade labNN --needs      lists what this device cannot show\n"
    "       ./grade class FOLDER       grades all submissions of a class\n";

static const char help_text[] =
    "\n"
    "Grades the last build of `make labNN` and prints a report. If that is your own\n"
    "lab, or if there is no build, it runs make first. CHECK: runs only this check;\n"
    "several with commas: width,nodes.\n"
    "\n"
    "  --watch          grade each time you save a file of the lab, until Ctrl-C\n"
    "  --brief          print a line for each check, and one next step\n"
    "  --hint[=LEVEL]   print a hint instead of a report: for the next step to\n"
    "                   write, or for the check that failed. Level 1 says what to\n"
    "                   look at, level 2 names the calls, level 3 is nearly code\n"
    "  --html FILE      write the report to FILE as a page for a browser\n"
    "  --hints=LEVEL    the page has the hints up to this level, folded (default: none)\n"
    "  --json FILE      also write the report to FILE as JSON (-: to standard\n"
    "                   output; the text then goes to standard error)\n"
    "  --format NAME    print the report as junit, tap, gradescope, classroom, github,\n"
    "                   autolab or moodle; the text then goes to standard error\n"
    "  --trace FILE     write the run of the report's timeline to FILE as CSV.\n"
    "                   build/timeline FILE draws it (make timeline builds this\n"
    "                   program). A FILE that ends in .json is for ui.perfetto.dev\n"
    "  --seed N         draw the same random inputs as another grading with N\n"
    "  --device both|sim|gpu\n"
    "                   ask both devices (default for a build for a GPU: a check passes\n"
    "                   if both say so), or only the simulated one, or only the GPU\n"
    "  --submission FOLDER\n"
    "                   grade the build of make labNN SUBMISSION=FOLDER (builds\n"
    "                   nothing); or NAME:\n"
    "                   the build of KNOWN=NAME; or yours, or solution\n"
    "  --subject FILE   grade this program\n"
    "  --needs          run nothing: list the checks that need more than any GPU,\n"
    "                   and whether this device has it\n"
    "  --why            print the facts that a failed check recorded, and the rule\n"
    "                   that named the mistake (grader/README.md, \"A rule\")\n"
    "  --debug          with one CHECK: runs the submission in gdb, or in what the\n"
    "                   variable DEBUGGER says (labs/DEBUGGING.md)\n"
    "  --as CARD        the simulated device with the figures of another GPU:\n"
    "                   a profile of common/simgpu/profiles, for example rtx4090\n"
    "  --help           print this text\n"
    "\n"
    "exit status: 0 all checks pass, 1 some fail, 2 wrong usage or not built,\n"
    "3 a timing was too noisy (grade again), 4 the grader itself could not run\n"
    "\n"
    "environment: GRADE_MEMORY_MIB, the host memory that a submission may use (4096);\n"
    "GRADE_SEED, the seed if --seed is not given; NO_COLOR\n";

static int usage(const char *format, const char *what)
{
    fprintf(stderr, format, what);
    fprintf(stderr, "\n%s./grade --help says more\n", usage_text);
    return GRADE_USAGE;
}

/* 0, or the exit status after a message that begins with `from`, for example "--seed ". */
static int read_seed(struct grade *g, const char *from, const char *text)
{
    char *end;
    errno = 0;
    g->seed = strtoull(text, &end, 0);
    g->has_seed = errno == 0 && end != text && *end == 0 && text[0] != '-';
    if (!g->has_seed)
        fprintf(stderr, "%s%s? It is a number from 0 up\n", from, text);
    return g->has_seed ? 0 : GRADE_USAGE;
}

/* `format` is for a message about a wrong level. */
static int read_level(int *level, const char *text, const char *format)
{
    *level = text[0] - '0';
    if (*level < 1 || *level > HINT_LEVELS || text[1])
        return usage(format, text);
    return 0;
}

static int read_hint_level(struct grade *g, const char *text)
{
    return read_level(&g->hint_level, text, "--hint=%s? It is 1, 2 or 3");
}

static int take_hint(struct grade *g, const char *value)
{
    g->hint = true;
    return read_hint_level(g, value ? value : "1");
}

static int take_hints(struct grade *g, const char *value)
{
    return read_level(&g->page_hints, value, "--hints=%s? It is 1, 2 or 3");
}

static int take_seed(struct grade *g, const char *value)
{
    return read_seed(g, "--seed ", value);
}

static int take_device(struct grade *g, const char *value)
{
    g->both = strcmp(value, "both") == 0;
    g->device_option = g->both ? "gpu" : value;
    if (!g->both && strcmp(value, "sim") != 0 && strcmp(value, "gpu") != 0)
        return usage("--device %s? It is sim, gpu or both", value);
    return 0;
}

static int take_help(struct grade *g, const char *value)
{
    (void)g;
    (void)value;
    printf("%s%s", usage_text, help_text);
    exit(fflush(stdout) == 0 ? 0 : GRADE_BROKEN);
}

/* An option sets a flag or a text of struct grade, or is taken by a function. */
#define FLAG(name)                                                                                 \
    {                                                                                              \
#name, no_argument, offsetof(struct grade, name), NULL                                     \
    }
#define TEXT(name, member)                                                                         \
    {                                                                                              \
        name, required_argument, offsetof(struct grade, member), NULL                              \
    }
static const struct {
    const char *name;
    int argument;
    size_t offset;
    int (*take)(struct grade *g, const char *value);
} all_options[] = {
    FLAG(watch),
    FLAG(brief),
    FLAG(needs),
    FLAG(why),
    FLAG(debug),
    TEXT("html", html),
    TEXT("json", json),
    TEXT("format", format),
    TEXT("trace", trace),
    TEXT("submission", submission_option),
    TEXT("subject", subject_option),
    TEXT("as", as),
    {"hint", optional_argument, 0, take_hint},
    {"hints", required_argument, 0, take_hints},
    {"seed", required_argument, 0, take_seed},
    {"device", required_argument, 0, take_device},
    {"help", no_argument, 0, take_help},
};
enum { N_OPTIONS = sizeof all_options / sizeof all_options[0] };

static int take_option(struct grade *g, int option, const char *value)
{
    if (option < 0 || option >= N_OPTIONS) {
        fprintf(stderr, "%s./grade --help says more\n", usage_text);
        return GRADE_USAGE;
    }
    void *member = (char *)g + all_options[option].offset;
    if (all_options[option].take)
        return all_options[option].take(g, value);
    if (all_options[option].argument == no_argument)
        *(bool *)member = true;
    else
        *(const char **)member = value;
    return 0;
}

/* The lab and the check; after --hint, also its level. */
static int take_words(struct grade *g, int n, char **words)
{
    if (n == 0 && optind > 1)
        return usage("%s", "which lab? For example: ./grade lab01");
    if (g->page_hints && !g->html)
        return usage("%s", "--hints is for --html. For a hint here: --hint");
    if (n > 1 && g->hint && strlen(words[n - 1]) == 1 && read_hint_level(g, words[--n]) != 0)
        return GRADE_USAGE;
    if (n > 1 && grade_is_lab_name(words[1]))
        return usage("one lab at a time: what is %s?", words[1]);
    if (n > 2)
        return usage("several checks are one word, with commas: what is %s?", words[2]);
    g->lab = n > 0 ? words[0] : NULL;
    g->check = n > 1 ? words[1] : NULL;
    if (g->debug && (!g->check || strchr(g->check, ',')))
        return usage("%s", "--debug is for one check. For example: ./grade lab01 --debug results");
    return 0;
}

static int read_arguments(struct grade *g, int argc, char **argv)
{
    struct option options[N_OPTIONS + 1] = {0};
    for (int i = 0; i < N_OPTIONS; i++)
        options[i] = (struct option){all_options[i].name, all_options[i].argument, NULL, i};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        int status = take_option(g, option, optarg);
        if (status)
            return status;
    }
    return take_words(g, argc - optind, argv + optind);
}

static int draw_seed(struct grade *g)
{
    const char *given = getenv("GRADE_SEED");
    if (g->has_seed)
        return 0;
    if (given)
        return read_seed(g, "GRADE_SEED=", given);
    uint32_t drawn; /* short enough to type */
    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        fprintf(stderr, "no random numbers from the system: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    g->seed = drawn;
    return 0;
}

/* 0, or the exit status after a message: is the format known, can all files be written? */
static int prepare_files(struct grade *g)
{
    if (g->format && grade_format_check(g) != 0)
        return GRADE_USAGE;
    if (g->json && report_file_probe(g->json, "--json") != 0)
        return GRADE_BROKEN;
    if (g->html && report_file_probe(g->html, "--html") != 0)
        return GRADE_BROKEN;
    return grade_trace_prepare(g) == 0 ? 0 : GRADE_BROKEN;
}

int main(int argc, char **argv)
{
    struct grade g = {0};
    const bool is_class = argc > 1 && strcmp(argv[1], "class") == 0;
    int status = is_class ? 0 : read_arguments(&g, argc, argv);
    if (!status)
        status = grade_find_root(&g);
    if (!status && is_class)
        return grade_class(&g, argv);
    if (!status && !g.lab)
        return grade_list(&g);
    if (!status)
        status = grade_find_lab(&g);
    if (!status && g.hint)
        return grade_hint(&g);
    if (!status)
        status = grade_as(&g);
    if (!status && g.watch)
        return grade_watch(&g, argv);
    if (!status)
        grade_debugged(&g);
    if (!status)
        status = draw_seed(&g);
    if (!status)
        status = grade_find(&g);
    if (!status && g.debug)
        return grade_debug(&g);
    if (!status)
        status = prepare_files(&g);
    bool told = false;
    if (!status)
        status = grade_run_all(&g, &told);
    if (!status && g.needs)
        status = grade_needs(&g);
    else if (!status && g.why)
        status = grade_why(&g);
    else if (!status) {
        grade_take_steps(&g);
        status = grade_report(&g, told);
    }
    grade_leave(&g);
    return status;
}
