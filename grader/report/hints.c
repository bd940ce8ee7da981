/* hints.c: reads the hints of a lab. */
#include "hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

/* For mistakes that any step can have, in labs that have no hints of their own for them. The report
   quotes the call. */
static const struct {
    const char *mistake;
    struct hint hint;
} of_any_step[] = {
    {SESSION_ERROR_IGNORED,
     {"An error that was not returned",
      {"The report quotes the call. What does your program do with the error that this call "
       "returns? The\nfunctions of lab.h return the first error that they get.",
       "TRY(call) returns the error of the call to the caller. If the call is in a function of "
       "your own,\ndoes each caller of that function look at what it returns, too?",
       "TRY(cudaEventRecord(event, stream));\nTRY(my_function(lab, i));"}}},
    {"leak",
     {"Something that is not freed",
      {"The report quotes the call that created it. Which function of yours has to undo this "
       "call?",
       "Memory, streams, events, graphs and executable graphs each have a call that ends them. "
       "Does your\nprogram make it as often as the call of the report?",
       "TRY(cudaFree(memory));\nTRY(cudaEventDestroy(event));\nTRY(cudaStreamDestroy(stream));\n"
       "TRY(cudaGraphExecDestroy(exec));\nTRY(cudaGraphDestroy(graph));"}}}};

int hints_step(const char *steps, const char *name)
{
    char word[128];
    int step, found = -1;
    FILE *from = fopen(steps, "r");
    while (from && found < 0 && fscanf(from, "%127s %d", word, &step) == 2)
        if (strcmp(word, name) == 0)
            found = step;
    if (from)
        fclose(from);
    return found;
}

/* "1. " begins a level; returns it, or 0 */
static int level_of(const char *line)
{
    return line[0] >= '1' && line[0] <= '0' + HINT_LEVELS && line[1] == '.' && line[2] == ' '
               ? line[0] - '0'
               : 0;
}

/* A line of a section. Continuation lines are indented by three. */
static void add_line(struct hint *h, int *level, const char *line)
{
    int begins = level_of(line);
    if (begins)
        *level = begins;
    if (*level == 0)
        return;
    char *to = h->levels[*level - 1];
    const char *text = begins || strncmp(line, "   ", 3) == 0 ? line + 3 : line;
    snprintf(to + strlen(to), HINT_BYTES - strlen(to), "%s", text);
}

static void end_section(struct hint *h)
{
    for (int i = 0; i < HINT_LEVELS; i++)
        for (size_t n = strlen(h->levels[i]); n > 0 && h->levels[i][n - 1] == '\n'; n--)
            h->levels[i][n - 1] = 0;
}

int hints_find(struct hint *out, const char *path, int step)
{
    char *line = NULL;
    size_t room = 0;
    int level = 0;
    bool found = false;
    FILE *from = fopen(path, "r");
    while (from && getline(&line, &room, from) > 0) {
        if (strncmp(line, "## ", 3) == 0) {
            int at_step = 0;
            if (found)
                break;
            sscanf(line, "## Step %d", &at_step);
            *out = (struct hint){0};
            snprintf(out->title, sizeof out->title, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
            found = at_step == step;
            level = 0;
        } else if (found) {
            add_line(out, &level, line);
        }
    }
    free(line);
    if (from)
        fclose(from);
    if (found)
        end_section(out);
    return found ? 0 : -1;
}

static bool find_name(struct hint *out, const struct hint_files *files, const char *name)
{
    const int step = hints_step(files->steps, name);
    return step >= 0 && hints_find(out, files->hints, step) == 0;
}

bool hints_for(struct hint *out, const struct hint_files *files, const char *mistake,
               const char *check)
{
    if (find_name(out, files, mistake))
        return true;
    for (size_t i = 0; i < sizeof of_any_step / sizeof of_any_step[0]; i++)
        if (strcmp(mistake, of_any_step[i].mistake) == 0) {
            *out = of_any_step[i].hint;
            return true;
        }
    return find_name(out, files, check);
}
