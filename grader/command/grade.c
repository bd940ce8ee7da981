/*
 * grade.c: ./grade labNN: finds what `make labNN` built, has its suite judge it, and reports.
 */
#include "grade.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "report/report.h"

static const char usage_text[] =
    "usage: ./grade labNN [--json FILE] [--trace FILE] [--seed N] [--device sim|gpu]\n"
    "                     [--submission FOLDER | --subject FILE]\n";

static const char help_text[] =
    "\n"
    "Judges what `make labNN` built and prints a report.\n"
    "\n"
    "  --json FILE      write the report to FILE as JSON, too (- for standard output; the text "
    "then\n"
    "                   goes to standard error)\n"
    "  --trace FILE     write the run of the report's timeline to FILE as CSV: build/timeline "
    "FILE\n"
    "                   draws it (make timeline builds that)\n"
    "  --seed N         draw the random inputs from N: the same inputs as another grading with N\n"
    "  --device sim|gpu judge the build for the simulated device, or the one for the GPU\n"
    "  --submission FOLDER\n"
    "                   judge what make labNN SUBMISSION=FOLDER built, instead of what was built\n"
    "                   last; or NAME: what KNOWN=NAME built, or yours, or solution\n"
    "  --subject FILE   judge this program instead\n"
    "  --help           this text\n"
    "\n"
    "exit status: 0 all checks pass, 1 some fail, 2 wrong usage or not built, 3 a timing was too "
    "noisy\n"
    "to tell (grade again), 4 the grader itself could not run\n"
    "\n"
    "environment: GRADE_MEMORY_MIB, host memory that a submission may use (4096); NO_COLOR\n";

enum {
    OPTION_JSON = 1,
    OPTION_TRACE,
    OPTION_SEED,
    OPTION_DEVICE,
    OPTION_SUBMISSION,
    OPTION_SUBJECT,
    OPTION_HELP
};

static int usage(const char *format, const char *what)
{
    fprintf(stderr, format, what);
    fprintf(stderr, "\n%s./grade --help says more\n", usage_text);
    return GRADE_USAGE;
}

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == 0 && text[0] != '-';
}

static int take_option(struct grade *g, int option, const char *value)
{
    switch (option) {
    case OPTION_JSON:
        g->json = value;
        return 0;
    case OPTION_TRACE:
        g->trace = value;
        return 0;
    case OPTION_SEED:
        g->has_seed = true;
        return read_seed(value, &g->seed) ? 0 : usage("--seed %s? It is a number from 0 up", value);
    case OPTION_DEVICE:
        g->device_option = value;
        if (strcmp(value, "sim") != 0 && strcmp(value, "gpu") != 0)
            return usage("--device %s? It is sim or gpu", value);
        return 0;
    case OPTION_SUBMISSION:
        g->submission_option = value;
        return 0;
    case OPTION_SUBJECT:
        g->subject_option = value;
        return 0;
    case OPTION_HELP:
        printf("%s%s", usage_text, help_text);
        exit(fflush(stdout) == 0 ? 0 : GRADE_BROKEN);
    default:
        fprintf(stderr, "%s./grade --help says more\n", usage_text);
        return GRADE_USAGE;
    }
}

static int read_arguments(struct grade *g, int argc, char **argv)
{
    static const struct option options[] = {
        {"json", required_argument, NULL, OPTION_JSON},
        {"trace", required_argument, NULL, OPTION_TRACE},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"device", required_argument, NULL, OPTION_DEVICE},
        {"submission", required_argument, NULL, OPTION_SUBMISSION},
        {"subject", required_argument, NULL, OPTION_SUBJECT},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        int status = take_option(g, option, optarg);
        if (status)
            return status;
    }
    if (optind == argc)
        return usage("%s", "which lab? For example: ./grade lab01");
    if (optind + 1 < argc)
        return usage("one lab at a time: what is %s?", argv[optind + 1]);
    g->lab = argv[optind];
    return 0;
}

static int draw_seed(struct grade *g)
{
    if (g->has_seed)
        return 0;
    uint32_t drawn; /* short enough to type */
    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        fprintf(stderr, "no random numbers from the system: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    g->seed = drawn;
    return 0;
}

enum grade_exit grade_verdict(const struct session *s)
{
    enum grade_exit verdict = GRADE_PASSED;
    for (int i = 0; i < s->n_checks; i++) {
        if (s->checks[i].status == CHECK_FAILED)
            return GRADE_FAILED;
        if (s->checks[i].status == CHECK_INCONCLUSIVE)
            verdict = GRADE_INCONCLUSIVE;
    }
    return verdict;
}

int main(int argc, char **argv)
{
    struct grade g = {0};
    int status = read_arguments(&g, argc, argv);
    if (!status)
        status = draw_seed(&g);
    if (!status)
        status = grade_find(&g);
    if (!status && g.json && report_json_probe(g.json) != 0)
        status = GRADE_BROKEN;
    if (!status && grade_trace_prepare(&g) != 0)
        status = GRADE_BROKEN;
    if (!status)
        status = grade_run(&g);
    if (status)
        return status;
    grade_trace_end(&g);
    bool json_is_stdout = g.json && strcmp(g.json, "-") == 0;
    FILE *to = json_is_stdout ? stderr : stdout;
    const struct report report = {g.session, g.device_name, g.submission, g.root, g.build};
    report_print(&report, to);
    if (fflush(to) != 0) {
        fprintf(stderr, "the report could not be printed: %s\n", strerror(errno));
        return GRADE_BROKEN;
    }
    if (g.json && report_json_write(&report, g.json) != 0)
        return GRADE_BROKEN;
    return grade_verdict(g.session);
}
