/* audit_table.c: what submissions must show, as labs/mistakes.awk collects it: submission, device,
 * check, words, a tab between them. */
#include <errno.h>
#include <string.h>

#include "audit.h"

enum { COLUMNS = 4 };

static bool put(char *to, size_t room, const char *text)
{
    return text && *text && (size_t)snprintf(to, room, "%s", text) < room;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(struct audit_table *table, char *line)
{
    char *columns[COLUMNS];
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = strsep(&line, "\t");
    if (table->n_rows == AUDIT_ROWS)
        return "more rows than the audit has room for";
    struct audit_row *row = &table->rows[table->n_rows++];
    if (!put(row->submission, sizeof row->submission, columns[0]) ||
        !put(row->device, sizeof row->device, columns[1]) ||
        !put(row->check, sizeof row->check, columns[2]) ||
        !put(row->words, sizeof row->words, columns[3]))
        return "a column is empty or too long";
    return NULL;
}

bool audit_table_read(struct audit_table *table, const char *path)
{
    char line[4 * AUDIT_TEXT];
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
        why = read_line(table, line);
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
           (!device || strcmp(device, "gpu") == 0 || strcmp(row->device, "any") == 0 ||
            strcmp(row->device, device) == 0);
}
