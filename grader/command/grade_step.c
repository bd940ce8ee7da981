/* grade_step.c: the steps of a lab, from its sources. A step is not written as long as its function
 * is the starter's; nor is a check judged whose function is given with a mistake (judge_lab.given).
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "report/hints.h"

static const char step_word[] = "YOUR STEP ", ends[] = "\n}";

/* The whole file, to be freed; NULL if it cannot be read. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *from = fopen(path, "r");
    if (from && getdelim(&text, &room, '\0', from) < 0) {
        free(text);
        text = NULL;
    }
    if (from)
        fclose(from);
    return text;
}

/* The last place before `at` with these two characters; NULL: none. */
static const char *before(const char *text, const char *at, const char *two)
{
    while (at > text && strncmp(at, two, 2) != 0)
        at--;
    return at > text ? at : NULL;
}

/* The next character of code from `at` on, or NULL. */
static const char *next_code(const char *at, const char *end)
{
    while (at < end) {
        const char *close = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;
        if (close)
            at = close + 2;
        else if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        else if (!isspace((unsigned char)*at))
            return at;
        else
            at++;
    }
    return NULL;
}

static bool is_same_code(const char *a, const char *a_end, const char *b, const char *b_end)
{
    for (;; a++, b++) {
        a = next_code(a, a_end);
        b = next_code(b, b_end);
        if (!a || !b || *a != *b)
            return !a && !b;
    }
}

/* What is left of the starter's function after the step's comment: is it in the function of the
   same name in `mine`? Before the first comment of a function nothing else may have been written.
 */
static bool is_unwritten(const char *starter, const char *step, const char *mine)
{
    const char *comment = before(starter, step, "/*"), *brace = before(starter, step, "\n{");
    const char *rest = strstr(step, "*/"), *end = rest ? strstr(rest, ends) : NULL;
    if (!comment || comment[-1] == '\n' || !brace || !end) /* a comment between functions */
        return false;
    const char *head = brace;
    while (head > starter && head[-1] != '\n')
        head--;
    const char *from = memmem(mine, strlen(mine), head, (size_t)(brace + 2 - head));
    const char *to = from ? strstr(from, ends) : NULL;
    const char *left =
        to ? memmem(from, (size_t)(to - from), rest + 2, (size_t)(end - rest - 2)) : NULL;
    const bool is_first = !memmem(brace, (size_t)(comment - brace), step_word, strlen(step_word));
    return left && (!is_first || is_same_code(head, comment, from, left));
}

/* A file of the submission and the starter's, to be freed. */
struct sources {
    char *mine, *starter;
};

/* No starter before the first make: then the learner's own file is it. */
static struct sources read_sources(const struct grade *g, const char *directory, const char *name)
{
    char path[SESSION_PATH], starters[SESSION_PATH], own[SESSION_PATH];
    struct sources s;
    grade_join(path, directory, name, NULL, NULL);
    s.mine = read_text(path);
    grade_join(starters, g->root, "build/known", g->lab, "starter");
    grade_join(path, starters, name, NULL, NULL);
    s.starter = read_text(path);
    grade_lab_directory(g, own);
    if (!s.starter && strcmp(own, directory) == 0)
        s.starter = s.mine ? strdup(s.mine) : NULL;
    return s;
}

static void free_sources(struct sources *s)
{
    free(s->mine);
    free(s->starter);
}

/* Does the function that has the step return an error after its comment? */
static bool refuses(const char *step)
{
    static const char error[] = "cudaErrorNotYetImplemented";
    const char *end = strstr(step, ends);
    return end && memmem(step, (size_t)(end - step), error, strlen(error));
}

static uint64_t unwritten_in(const struct grade *g, const char *directory, const char *name,
                             uint64_t *refusing)
{
    struct sources s = read_sources(g, directory, name);
    uint64_t unwritten = 0;
    for (const char *at = s.mine && s.starter ? strstr(s.starter, step_word) : NULL; at;
         at = strstr(at + 1, step_word)) {
        int step = atoi(at + strlen(step_word));
        if (step <= 0 || step >= 64 || !is_unwritten(s.starter, at, s.mine))
            continue;
        unwritten |= UINT64_C(1) << step;
        if (refuses(at))
            *refusing |= UINT64_C(1) << step;
    }
    free_sources(&s);
    return unwritten;
}

uint64_t grade_unwritten(const struct grade *g, const char *directory, uint64_t *refusing)
{
    *refusing = 0;
    return unwritten_in(g, directory, "lab.c", refusing) |
           unwritten_in(g, directory, "lab.cu", refusing);
}

void grade_subject_directory(const struct grade *g, char out[SESSION_PATH])
{
    snprintf(out, SESSION_PATH, "%s", g->subject);
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
}

/* ---- after the run --------------------------------------------------------------------------- */

/* The function labNN_CHECK in the text, with its end; false: there is none. */
static bool find_function(const char *text, const char *lab, const char *check, const char **from,
                          size_t *bytes)
{
    char name[SESSION_NAME + 16];
    snprintf(name, sizeof name, "%s_%s(", lab, check);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *end = strstr(at, ends);
        if (!end || at[strcspn(at, ";{")] != '{')
            continue;
        *from = at;
        *bytes = (size_t)(end - at);
        return true;
    }
    return false;
}

static bool is_as_given(const struct sources *s, const char *lab, const char *check)
{
    const char *mine, *starter;
    size_t n_mine, n_starter;
    return s->mine && s->starter && find_function(s->mine, lab, check, &mine, &n_mine) &&
           find_function(s->starter, lab, check, &starter, &n_starter) && n_mine == n_starter &&
           memcmp(mine, starter, n_mine) == 0;
}

/* Nothing that the check found is said, nor the graph shown that it looked at. */
static void forget(struct session *s, struct session_check *c)
{
    c->event = (struct session_event){.cause = CAUSE_NONE};
    c->message[0] = c->actual[0] = c->expected[0] = c->next[0] = c->scenario[0] = '\0';
    c->explains[0] = '\0';
    c->has_figure = c->is_next_of_mistake = false;
    snprintf(c->mistake, sizeof c->mistake, "%s", SESSION_AS_GIVEN);
    if (strcmp(s->graph_check, c->name) == 0)
        s->graph_check[0] = '\0';
}

void grade_hints(const struct grade *g, char hints[SESSION_PATH], char steps[SESSION_PATH])
{
    char folder[SESSION_PATH];
    grade_lab_directory(g, folder);
    grade_join(hints, folder, "hints.md", NULL, NULL);
    grade_join(folder, g->root, "build/grader/gen/labs", g->lab, NULL);
    grade_join(steps, folder, "steps.tsv", NULL, NULL);
}

static int step_of(const char *steps, const struct session_check *c)
{
    int step = c->mistake[0] ? hints_step(steps, c->mistake) : -1;
    if (step < 0)
        step = hints_step(steps, c->name);
    return step < 0 ? 0 : step;
}

void grade_take_steps(struct grade *g)
{
    struct session *s = g->session;
    char subject[SESSION_PATH], hints[SESSION_PATH], steps[SESSION_PATH];
    grade_subject_directory(g, subject);
    grade_hints(g, hints, steps);
    struct sources sources = read_sources(g, subject, "lab.c");
    for (int i = 0; i < s->n_checks; i++) {
        struct session_check *c = &s->checks[i];
        if (!g->check && c->given && c->status == CHECK_FAILED &&
            is_as_given(&sources, g->lab, c->name))
            forget(s, c);
        c->step = step_of(steps, c);
    }
    s->diagnosis.step = step_of(steps, &s->diagnosis);
    free_sources(&sources);
}
