/* json.c: the report for scripts. With virtual time it is the same in every grading. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/plain_text.h"
#include "report.h"

static const char *const status_words[] = {[CHECK_PASSED] = "pass",
                                           [CHECK_FAILED] = "fail",
                                           [CHECK_SKIPPED] = "skip",
                                           [CHECK_INCONCLUSIVE] = "inconclusive"};

static void write_string(FILE *to, const char *text)
{
    putc('"', to);
    for (size_t bytes; *text; text += bytes) {
        int shown;
        bytes = plain_character(text, strlen(text), &shown);
        if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if (shown)
            fwrite(text, 1, bytes, to);
        else
            fprintf(to, "\\u%04x", (unsigned char)*text < 0x80 ? (unsigned)*text : 0xfffdu);
    }
    putc('"', to);
}

static void write_figure(FILE *to, const char *name, bool known, double value)
{
    if (known && isfinite(value))
        fprintf(to, ", \"%s\": %.10g", name, value);
    else
        fprintf(to, ", \"%s\": null", name);
}

static void write_check(FILE *to, const struct session *s, const struct session_check *c)
{
    struct report_words words;
    report_words(s, c, &words);
    fputs("    {\"name\": ", to);
    write_string(to, c->name);
    if (c->by_hand)
        fputs(", \"by_hand\": true", to);
    fprintf(to, ", \"status\": \"%s\", \"points\": %d, \"max_points\": %d, \"message\": ",
            status_words[c->status], report_points(c), report_max_points(c));
    write_string(to, words.message[0] ? words.message : c->words);
    write_figure(to, "measured", c->has_figure, c->measured);
    write_figure(to, "required", c->has_figure, c->required);
    fputs(", \"unit\": ", to);
    if (c->has_figure)
        write_string(to, c->unit);
    else
        fputs("null", to);
    putc('}', to);
}

static void write_report(FILE *to, const struct report *r)
{
    const struct session *s = r->session;
    int points = 0, max_points = 0;
    for (int i = 0; i < s->n_checks; i++) {
        points += report_points(&s->checks[i]);
        max_points += report_max_points(&s->checks[i]);
    }
    fputs("{\n  \"lab\": ", to);
    write_string(to, s->lab);
    fputs(",\n  \"device\": ", to);
    write_string(to, r->device_name);
    fputs(",\n  \"submission\": ", to);
    write_string(to, r->submission);
    fprintf(to, ",\n  \"points\": %d,\n  \"max_points\": %d,\n  \"checks\": [\n", points,
            max_points);
    for (int i = 0; i < s->n_checks; i++) {
        write_check(to, s, &s->checks[i]);
        fputs(i + 1 < s->n_checks ? ",\n" : "\n", to);
    }
    fputs("  ]\n}\n", to);
}

static int cannot_write(const char *path, int error)
{
    fprintf(stderr, "cannot write %s: %s. Next: choose another file for --json\n", path,
            strerror(error));
    return -1;
}

int report_json_probe(const char *path)
{
    if (strcmp(path, "-") == 0)
        return 0;
    bool was_there = access(path, F_OK) == 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot_write(path, errno);
    close(fd);
    if (!was_there)
        unlink(path); /* it appears when there is something to say */
    return 0;
}

/* A regular file is replaced as a whole: whoever reads it finds the old report or the new one. */
int report_json_write(const struct report *r, const char *path)
{
    struct stat st;
    bool is_stdout = strcmp(path, "-") == 0;
    bool in_place = is_stdout || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
    char written[SESSION_PATH];
    if (snprintf(written, sizeof written, in_place ? "%s" : "%s.new", path) >= (int)sizeof written)
        return cannot_write(path, ENAMETOOLONG);
    FILE *to = is_stdout ? stdout : fopen(written, "w");
    if (!to)
        return cannot_write(path, errno);
    write_report(to, r);
    int failed = fflush(to) != 0 || ferror(to), error = errno;
    if (!is_stdout && fclose(to) != 0 && !failed) {
        failed = 1;
        error = errno;
    }
    if (!failed && !in_place && rename(written, path) != 0) {
        failed = 1;
        error = errno;
    }
    if (!failed)
        return 0;
    if (!in_place)
        unlink(written);
    return cannot_write(path, error);
}
