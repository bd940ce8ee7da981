/* grade_record.c: the last grading of a learner's own lab: build/report/labNN.json. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grade.h"

static void name_file(const struct grade *g, const char *lab, char path[SESSION_PATH])
{
    char file[64];
    snprintf(file, sizeof file, "%.16s.json", lab);
    grade_join(path, g->build, "report", file, NULL);
}

bool grade_is_own(const struct grade *g)
{
    return !g->subject_option && strncmp(g->submission, "labs/", strlen("labs/")) == 0;
}

void grade_record_write(const struct grade *g, const struct report *r)
{
    char directory[SESSION_PATH], path[SESSION_PATH];
    if (g->check || !grade_is_own(g))
        return;
    grade_join(directory, g->build, "report", NULL, NULL);
    name_file(g, g->lab, path);
    if (mkdir(directory, 0777) == 0 || errno == EEXIST)
        report_json_write(r, path);
}

/* The word in quotes that `line` has at `at`. */
static void take_name(char to[SESSION_NAME], const char *line, size_t at)
{
    if (!to[0])
        snprintf(to, SESSION_NAME, "%.*s", (int)strcspn(line + at, "\""), line + at);
}

/* A line of what report_json_write wrote. */
static void read_line(struct grade_record *record, const char *line)
{
    static const char name[] = "    {\"name\": \"";
    const bool is_named = strncmp(line, name, strlen(name)) == 0;
    sscanf(line, "  \"points\": %d", &record->points);
    sscanf(line, "  \"seed\": \"%" SCNu64, &record->seed);
    sscanf(line, "  \"max_points\": %d", &record->max_points);
    if (strstr(line, ", \"of_checks\": [")) {
        if (is_named && record->passed)
            take_name(record->mistake, line, strlen(name));
        record->passed = false;
    } else if (is_named && !strstr(line, "\"status\": \"pass\"") &&
               !strstr(line, "\"status\": \"skip\""))
        take_name(record->failed, line, strlen(name));
}

/* Was a file of the lab changed after this, or moved there? */
static bool is_changed(const struct grade *g, const struct timespec *when)
{
    static const char *const names[] = {"lab.c", "lab.cu"};
    char directory[SESSION_PATH], path[SESSION_PATH];
    grade_lab_directory(g, directory);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        grade_join(path, directory, names[i], NULL, NULL);
        if (grade_came_after(path, *when))
            return true;
    }
    return false;
}

struct grade_record grade_record_read(const struct grade *g)
{
    struct grade_record record = {0};
    char path[SESSION_PATH], *line = NULL;
    size_t room = 0;
    struct stat st;
    name_file(g, g->lab, path);
    FILE *from = fopen(path, "r");
    if (!from)
        return record;
    record.exists = record.passed = true;
    while (getline(&line, &room, from) > 0)
        read_line(&record, line);
    record.current = fstat(fileno(from), &st) == 0 && !is_changed(g, &st.st_mtim);
    free(line);
    fclose(from);
    return record;
}
