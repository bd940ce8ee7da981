/* audit_table.c: expected.tsv: submission, device, check, words, a tab between them; # begins a
 * comment line. */
#include <errno.h>
#include <string.h>

#include "audit.h"

static const char *const heading[] = {"submission", "device", "check", "words"};
enum { COLUMNS = 4 };

/* Splits the line in place. Returns how many columns there are. */
static int split(char *line, char *columns[COLUMNS + 1])
{
    int n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *p = line; p && n <= COLUMNS; n++)
        columns[n] = strsep(&p, "\t");
    return n;
}

static bool put(char *to, size_t room, const char *text)
{
    return *text && (size_t)snprintf(to, room, "%s", text) < room;
}

static const char *read_row(struct audit_row *row, char *columns[])
{
    if (!put(row->submission, sizeof row->submission, columns[0]) ||
        !put(row->check, sizeof row->check, columns[2]) ||
        !put(row->device, sizeof row->device, columns[1]) ||
        !put(row->words, sizeof row->words, columns[3]))
        return "a column is empty or too long";
    char *with = strchr(row->device, '/');
    if (with)
        *with++ = 0;
    snprintf(row->with, sizeof row->with, "%s", with ? with : "");
    if (strcmp(row->device, "any") && strcmp(row->device, "sim") && strcmp(row->device, "gpu"))
        return "a device is any, sim or gpu (or sim/edges, if it must also have what the check "
               "edges "
               "needs)";
    return NULL;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(struct audit_table *table, char *line, bool *headed)
{
    char *columns[COLUMNS + 1];
    if (line[0] == '#' || line[0] == '\n')
        return NULL;
    if (split(line, columns) != COLUMNS)
        return "four columns are wanted, with a tab between them";
    if (!*headed) {
        for (int i = 0; i < COLUMNS; i++)
            if (strcmp(columns[i], heading[i]) != 0)
                return "the first line must name the columns: submission, device, check, words";
        *headed = true;
        return NULL;
    }
    if (table->n_rows == AUDIT_ROWS)
        return "more rows than the audit has room for";
    return read_row(&table->rows[table->n_rows++], columns);
}

bool audit_table_read(struct audit_table *table, const char *path)
{
    char line[4 * AUDIT_TEXT];
    bool headed = false;
    const char *why = NULL;
    int number = 0;

    table->n_rows = 0;
    FILE *from = fopen(path, "r");
    if (!from) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    while (!why && fgets(line, sizeof line, from)) {
        number++;
        why = read_line(table, line, &headed);
    }
    fclose(from);
    if (!why && table->n_rows == 0)
        why = "it names no submission";
    if (why)
        fprintf(stderr, "%s:%d: %s\n", path, number, why);
    return !why;
}

bool audit_row_is(const struct audit_row *row, const char *submission, const char *device)
{
    return (!submission || strcmp(row->submission, submission) == 0) &&
           (!device || strcmp(row->device, "any") == 0 || strcmp(row->device, device) == 0);
}
