/* hints.c: reads the hints of a lab. */
#include "hints.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char checks_word[] = "Checks: ";

/* "a, b" has b */
static bool names(const char *list, const char *check)
{
    size_t n = strlen(check);
    for (; *list; list += strspn(list, ", \n")) {
        size_t word = strcspn(list, ", \n");
        if (word == n && strncmp(list, check, n) == 0)
            return true;
        list += word;
    }
    return false;
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

int hints_find(struct hint *out, const char *path, int step, const char *check)
{
    char *line = NULL;
    size_t room = 0;
    int level = 0, at_step = 0;
    bool found = false, inside = false;
    FILE *from = fopen(path, "r");
    while (from && getline(&line, &room, from) > 0) {
        if (strncmp(line, "## ", 3) == 0) {
            if (found)
                break;
            *out = (struct hint){0};
            at_step = level = 0;
            sscanf(line, "## Step %d", &at_step);
            snprintf(out->title, sizeof out->title, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
            inside = true;
            found = step && at_step == step;
        } else if (strncmp(line, checks_word, strlen(checks_word)) == 0) {
            found = found || (!step && check && names(line + strlen(checks_word), check));
        } else if (inside) {
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
