/* grade_step.c: the first step that a learner has not written: its function is still the starter's.
 */
#include <stdlib.h>
#include <string.h>

#include "grade.h"

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

/* What is left of the starter's function after the step's comment: is it in the function of the
   same name in `mine`? */
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
    return to && memmem(from, (size_t)(to - from), rest + 2, (size_t)(end - rest - 2));
}

/* The lowest such step of this file, or `lowest`, which is 0 if there is none yet. */
static int first_of_file(const struct grade *g, const char *directory, const char *name, int lowest)
{
    char path[SESSION_PATH], starters[SESSION_PATH];
    grade_join(path, directory, name, NULL, NULL);
    char *mine = read_text(path);
    grade_join(starters, g->build, "known", g->lab, "starter");
    grade_join(path, starters, name, NULL, NULL);
    char *built = read_text(path); /* none before the first make: then all steps are unwritten */
    const char *starter = built ? built : mine;
    for (const char *at = mine ? strstr(starter, step_word) : NULL; at;
         at = strstr(at + 1, step_word)) {
        int step = atoi(at + strlen(step_word));
        if ((!lowest || step < lowest) && is_unwritten(starter, at, mine))
            lowest = step;
    }
    free(built);
    free(mine);
    return lowest;
}

int grade_first_step(const struct grade *g)
{
    char directory[SESSION_PATH];
    grade_lab_directory(g, directory);
    return first_of_file(g, directory, "lab.cu", first_of_file(g, directory, "lab.c", 0));
}
