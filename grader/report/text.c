/* text.c: the report for people: every check, then why some failed and what to do next. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "page.h"
#include "report.h"

enum { FIRST_ROWS = 8, LAST_ROWS = 8 }; /* of what was printed */

/* ---- points ---------------------------------------------------------------------------------- */

int report_points(const struct session_check *c)
{
    return c->status == CHECK_PASSED ? c->points : 0;
}

int report_max_points(const struct session_check *c)
{
    return c->status == CHECK_SKIPPED ? 0 : c->points;
}

int report_sum(const struct session *s, int (*points)(const struct session_check *c))
{
    int sum = 0;
    for (int i = 0; i < s->n_checks; i++)
        sum += points(&s->checks[i]);
    return sum;
}

/* ---- parts of the report --------------------------------------------------------------------- */

void report_not_yours(const struct report *r, char words[SESSION_TEXT])
{
    const char *name = strrchr(r->submission, '/');
    words[0] = '\0';
    if (strncmp(r->submission, "solutions/", strlen("solutions/")) == 0)
        snprintf(words, SESSION_TEXT, "the reference solution");
    else if (name && strncmp(r->submission, "grader/labs/", strlen("grader/labs/")) == 0)
        snprintf(words, SESSION_TEXT, "the known submission %s", name + 1);
}

const char *report_second_source(const struct report *r)
{
    char other[SESSION_PATH + 2];
    size_t n = strlen(r->submission);
    const char *from = r->submission[0] == '/' ? "" : r->root;
    bool is_c = n > 2 && strcmp(r->submission + n - 2, ".c") == 0;
    bool fits = snprintf(other, sizeof other, "%s/%su", from, r->submission) < (int)sizeof other;
    return is_c && fits && access(other, F_OK) == 0 ? " and lab.cu" : "";
}

static bool lacks(const struct session_check *c)
{
    return c->lacks;
}

static bool is_only_simulated(const struct session_check *c)
{
    return c->only_simulated;
}

/* "This GPU cannot show: early_results, early_time (compute capability 9.0); bubble (2 GPUs)" */
static void print_those(const struct page *p, const struct session *s, const char *device,
                        const char *what, bool (*is_one)(const struct session_check *))
{
    const char *needs = NULL;
    for (int i = 0; i < s->n_checks; i++) {
        const struct session_check *c = &s->checks[i];
        if (!is_one(c))
            continue;
        if (!needs)
            fprintf(p->to, "       %s %s: %s", device, what, c->name);
        else if (strcmp(needs, c->needs) == 0)
            fprintf(p->to, ", %s", c->name);
        else
            fprintf(p->to, " (%s); %s", needs, c->name);
        needs = c->needs;
    }
    if (needs)
        fprintf(p->to, " (%s)\n", needs);
}

static void print_lacks(const struct page *p, const struct session *s)
{
    print_those(p, s, s->device == DEVICE_GPU ? "This GPU" : "This device", "cannot show", lacks);
    print_those(p, s, "Only the simulated device", "shows", is_only_simulated);
}

/* Which of several GPUs, and whether it is a part of one. */
static void print_which(const struct page *p, const struct report *r)
{
    const struct session *s = r->session;
    if (s->n_gpus > 1 && s->devices < 2)
        fprintf(p->to, "       the first of %d GPUs; CUDA_VISIBLE_DEVICES selects another one\n",
                s->n_gpus);
    if (s->device == DEVICE_GPU && strstr(r->device_name, " MIG "))
        fputs(
            "       a part of a GPU (MIG); if times are inconclusive, other parts are busy: grade "
            "again\n",
            p->to);
}

static void print_head(const struct page *p, const struct report *r)
{
    char words[SESSION_TEXT];
    report_not_yours(r, words);
    if (words[0])
        fprintf(p->to, "This is %s, not your file. Next: make %s selects yours\n", words,
                r->session->lab);
    page_inked(p, BOLD, r->session->lab);
    fprintf(p->to, "  %s\n", r->session->title);
    fprintf(p->to, "       on %s\n", r->device_name);
    if (r->simulated_name[0])
        fprintf(p->to, "       and on %s\n", r->simulated_name);
    print_which(p, r);
    if (r->submission[0]) {
        fputs("       ", p->to);
        plain_write(p->to, PLAIN_TERMINAL, r->submission, strlen(r->submission));
        fprintf(p->to, "%s\n", report_second_source(r));
    }
    print_lacks(p, r->session);
    putc('\n', p->to);
}

/* The mark of a check, its name and its points. */
static void print_line(const struct page *p, const struct session_check *c, int name_width)
{
    static const char *const marks[] = {[CHECK_PASSED] = "ok",
                                        [CHECK_FAILED] = "FAIL",
                                        [CHECK_SKIPPED] = "skip",
                                        [CHECK_INCONCLUSIVE] = "open"};
    static const enum ink inks[] = {[CHECK_PASSED] = GREEN,
                                    [CHECK_FAILED] = RED,
                                    [CHECK_SKIPPED] = DIM,
                                    [CHECK_INCONCLUSIVE] = YELLOW};
    char points[32] = "";
    if (c->status != CHECK_SKIPPED)
        snprintf(points, sizeof points, "%d/%d", report_points(c), c->points);
    fputs("  ", p->to);
    page_inked(p, inks[c->status], marks[c->status]);
    fprintf(p->to, "%*s%-*s  %5s  ", 6 - (int)strlen(marks[c->status]), "", name_width, c->name,
            points);
}

static void print_check(const struct page *p, const struct session *s,
                        const struct session_check *c, int name_width)
{
    const int column = PAGE_MARGIN + name_width + 9;
    struct report_words words;
    print_line(p, c, name_width);
    page_wrapped(p, column, c->words);
    if (report_where(s, c)[0])
        fprintf(p->to, "%*sfailed%s%s\n", column, "", report_where(s, c),
                session_disagrees(s, c) ? ": the devices disagree" : "");
    if (c->by_hand)
        fprintf(p->to, "%*scheck this by hand: the reference takes a third longer, or more\n",
                column, "");
    if (c->status == CHECK_FAILED || c->status == CHECK_INCONCLUSIVE)
        return;
    report_words(s, c, &words);
    if (!words.message[0])
        return;
    fprintf(p->to, "%*s", column, "");
    page_ink(p, DIM);
    page_wrapped(p, column, words.message);
    page_ink(p, PLAIN);
}

/* ---- why checks failed ----------------------------------------------------------------------- */

static void print_problem(const struct page *p, const struct session *s,
                          const struct report_problem *problem)
{
    const struct session_check *c = problem->from;
    struct report_words words;
    struct report_call calls[REPORT_CALLS];
    char scenario[SESSION_TEXT];
    char heading[SESSION_TEXT];
    report_words(s, c, &words);
    report_problem_heading(s, problem, heading);
    fputs("\n  ", p->to);
    page_ink(p, problem->checks[0]->status == CHECK_FAILED ? RED : YELLOW);
    page_wrapped(p, 2, heading);
    page_ink(p, PLAIN);
    fprintf(p->to, "%*s", PAGE_MARGIN, "");
    page_ink(p, BOLD);
    page_wrapped(p, PAGE_MARGIN, words.message);
    page_ink(p, PLAIN);
    for (int i = 0, n = report_calls(c, calls); i < n; i++)
        page_labeled(p, calls[i].label, calls[i].text);
    page_labeled(p, "actual", words.actual);
    page_labeled(p, "expected", words.expected);
    report_case(c, scenario);
    page_labeled(p, "case", scenario);
    page_labeled(p, "next", words.next);
}

/* Has the simulated device alone decided all its checks? */
static bool is_found(const struct session *s, const struct report_problem *problem)
{
    bool found = s->both;
    for (int i = 0; i < problem->n_checks; i++)
        found = found && problem->checks[i]->on_device[DEVICE_SIM] == CHECK_FAILED;
    return found;
}

/* At most so many. */
static void print_problems(const struct page *p, const struct report *r, int most)
{
    const struct session *s = r->session;
    struct report_problem problems[SESSION_CHECKS];
    char left[SESSION_TEXT];
    const int n = report_problems(s, problems), due = report_problems_due(problems, n),
              shown = due < most ? due : most;
    for (int i = 0; i < shown; i++)
        if (!r->told || !is_found(s, &problems[i]))
            print_problem(p, s, &problems[i]);
    report_problems_left(s, problems + shown, n - shown, left);
    if (left[0])
        fprintf(p->to, "\n  %s\n", left);
}

static void print_lines(const struct page *p, const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t n = strcspn(line, "\n");
        fputs("  ", p->to);
        plain_write(p->to, PLAIN_TERMINAL, line, n);
        putc('\n', p->to);
        line += n + (line[n] == '\n');
    }
}

static bool is_right(const struct session *s)
{
    for (int i = 0; i < s->n_checks; i++)
        if (s->checks[i].status == CHECK_FAILED || s->checks[i].status == CHECK_INCONCLUSIVE)
            return false;
    return true;
}

bool report_has_timeline(const struct session *s)
{
    return s->timeline_check[0] && (is_right(s) || strcmp(s->timeline, s->reference_timeline) != 0);
}

bool report_has_graph(const struct session *s)
{
    for (int i = 0; i < s->n_checks; i++)
        if (strcmp(s->checks[i].name, s->graph_check) == 0)
            return is_right(s) || s->checks[i].status != CHECK_PASSED;
    return false;
}

/* If all is right, the reference's timeline has nothing to say. */
static void print_timeline(const struct page *p, const struct session *s)
{
    if (!report_has_timeline(s))
        return;
    fprintf(p->to, "\nThe run that %s looked at:\n", s->timeline_check);
    print_lines(p, s->timeline);
    if (!is_right(s) && s->reference_timeline[0]) {
        fputs("  The reference solution, on the same scale:\n", p->to);
        print_lines(p, s->reference_timeline);
    }
    print_lines(p, s->timeline_legend);
}

/* How many bytes of a line go into a row of `room`: up to a space if there is one in its second
 * half. */
static size_t row_of(const char *line, size_t n, size_t room)
{
    if (n <= room)
        return n;
    for (size_t i = room; i > room / 2; i--)
        if (line[i - 1] == ' ')
            return i;
    while (room > 1 && ((unsigned char)line[room] & 0xc0) == 0x80) /* inside a letter of UTF-8 */
        room--;
    return room;
}

/* The row at this place, and the place of the next one. */
static size_t print_row(const struct page *p, const struct session_output *o, size_t at)
{
    const char *line = o->kept + at, *end = memchr(line, '\n', o->kept_bytes - at);
    const size_t n = end ? (size_t)(end - line) : o->kept_bytes - at,
                 row = row_of(line, n, (size_t)p->columns - 4);
    fputs("  | ", p->to);
    plain_write(p->to, PLAIN_TERMINAL, line, row - (row < n && line[row - 1] == ' '));
    putc('\n', p->to);
    return at + row + (row == n);
}

/* Where the last lines begin: a crash is after them. */
static size_t last_lines(const struct session_output *o)
{
    size_t at = o->kept_bytes;
    int lines = 0;
    at -= at > 0 && o->kept[at - 1] == '\n';
    while (at > 0 && (o->kept[at - 1] != '\n' || ++lines < LAST_ROWS))
        at--;
    return at;
}

static void print_output(const struct page *p, const struct report *r)
{
    const struct session_output *o = &r->session->output;
    char path[SESSION_PATH];
    size_t at = 0;
    if (o->total_bytes == 0)
        return;
    fprintf(p->to, "\nWhat the submission printed in %s (all of it is in ", o->check);
    report_output_path(r, path);
    const size_t root = strlen(r->root);
    const bool is_below = strncmp(path, r->root, root) == 0 && path[root] == '/';
    fprintf(p->to, "%s):\n", is_below ? path + root + 1 : path);
    int rows = 0;
    for (; rows < FIRST_ROWS && at < o->kept_bytes; rows++)
        at = print_row(p, o, at);
    const size_t last = last_lines(o);
    if (last > at || o->total_bytes > o->kept_bytes)
        fputs("  | …\n", p->to);
    at = last > at ? last : at;
    for (rows = 0; rows < LAST_ROWS && at < o->kept_bytes; rows++)
        at = print_row(p, o, at);
}

static void print_total(const struct page *p, const struct report *r)
{
    const struct session *s = r->session;
    int n_disputed = 0, n[CHECK_INCONCLUSIVE + 1] = {0};
    for (int i = 0; i < s->n_checks; i++) {
        n[s->checks[i].status]++;
        n_disputed += session_disagrees(s, &s->checks[i]);
    }
    putc('\n', p->to);
    page_ink(p, BOLD);
    fprintf(p->to, "%d of %d points", report_sum(s, report_points),
            report_sum(s, report_max_points));
    page_ink(p, PLAIN);
    fprintf(p->to, "   %d passed", n[CHECK_PASSED]);
    if (n[CHECK_FAILED])
        fprintf(p->to, ", %d failed", n[CHECK_FAILED]);
    if (n[CHECK_INCONCLUSIVE])
        fprintf(p->to, ", %d open (too noisy to decide: grade again)", n[CHECK_INCONCLUSIVE]);
    if (n[CHECK_SKIPPED])
        fprintf(p->to, ", %d skipped", n[CHECK_SKIPPED]);
    putc('\n', p->to);
    if (n[CHECK_SKIPPED] == s->n_checks && s->device == DEVICE_GPU)
        fprintf(p->to,
                "Nothing was graded: this GPU can show no check. Next: make %s DEVICE=sim, and "
                "./grade %s grades it on the simulated device\n",
                s->lab, s->lab);
    else if (session_lacks_devices(s) && s->device == DEVICE_GPU)
        fprintf(p->to,
                s->both
                    ? "%s is for %d GPUs, and this machine has %d: the simulated device has %d\n"
                    : "%s is for %d GPUs, and this machine has %d. The simulated device has "
                      "%d: make %s DEVICE=sim\n",
                s->lab, s->devices, s->n_devices, s->devices, s->lab);
    if (n_disputed)
        fputs("The devices disagree: the simulated device finds nothing wrong, and the GPU does. "
              "Next: send this report and your file to the people who give the course\n",
              p->to);
    if (n[CHECK_FAILED])
        fprintf(p->to, "the same inputs again: %s\n", r->again);
    if (n[CHECK_FAILED] && r->has_hints)
        fprintf(p->to, "a hint: ./grade %s --hint, then --hint=2 and --hint=3\n", s->lab);
}

static int width_of_names(const struct session *s)
{
    int width = 0;
    for (int i = 0; i < s->n_checks; i++)
        if ((int)strlen(s->checks[i].name) > width)
            width = (int)strlen(s->checks[i].name);
    return width;
}

bool report_print_found(const struct report *r, bool brief, FILE *to)
{
    struct page p = page_open(to);
    struct report_problem problems[SESSION_CHECKS];
    const int due = report_problems_due(problems, report_problems(r->session, problems));
    int n = 0;
    for (int i = 0; i < due && n < (brief ? 1 : due); i++) {
        if (!is_found(r->session, &problems[i]))
            continue;
        if (n++ == 0) {
            print_head(&p, r);
            fputs("The simulated device has found what follows. The GPU now runs the other "
                  "checks.\n",
                  to);
        }
        print_problem(&p, r->session, &problems[i]);
    }
    if (n > 0)
        putc('\n', to);
    return n > 0;
}

static void print_check_brief(const struct page *p, const struct session_check *c, int name_width)
{
    const int room = p->columns - PAGE_MARGIN - name_width - 9, n = (int)strlen(c->words);
    print_line(p, c, name_width);
    fprintf(p->to, n > room ? "%.*s...\n" : "%.*s\n", n > room ? room - 3 : n, c->words);
}

void report_print(const struct report *r, bool brief, FILE *to)
{
    struct page p = page_open(to);
    const struct session *s = r->session;
    int name_width = width_of_names(s);
    if (!r->told)
        print_head(&p, r);
    for (int i = 0; i < s->n_checks; i++)
        if (brief)
            print_check_brief(&p, &s->checks[i], name_width);
        else
            print_check(&p, s, &s->checks[i], name_width);
    print_problems(&p, r, brief ? 1 : SESSION_CHECKS);
    if (!brief) {
        print_timeline(&p, s);
        report_graph(r, to);
        print_output(&p, r);
    }
    print_total(&p, r);
    if (s->jail_gap[0] && !brief)
        fprintf(to, "%s\n", s->jail_gap);
}
