/* audit_report.c: the checks in a report of ./grade --json, which report/json.c wrote. */
#include <stdlib.h>
#include <string.h>

#include "audit.h"

enum { MOST_BYTES = 1 << 20 };

/* The JSON string at *p (its opening quote), copied as far as there is room; *p is left behind it.
 */
static bool take_string(const char **p, char *to, size_t room)
{
    size_t n = 0;
    const char *s = *p;
    if (*s++ != '"')
        return false;
    for (; *s && *s != '"'; s++) {
        if (*s == '\\' &&
            *++s == 'u') { /* a control character: none of the words that anyone looks for */
            for (int i = 0; i < 4 && s[1]; i++)
                s++;
            continue;
        }
        if (*s && n + 1 < room)
            to[n++] = *s;
    }
    to[n] = 0;
    *p = s + 1;
    return *s == '"';
}

/* Goes on to the value of the next "key", which must be a string. A quote inside a string is never
 * without its \. */
static bool take(const char **p, const char *key, char *to, size_t room)
{
    char quoted[AUDIT_NAME];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(*p, quoted);
    if (!at)
        return false;
    *p = at + strlen(quoted);
    return take_string(p, to, room);
}

/* The names of the mistakes; one without a name counts as empty. */
static void take_mistakes(struct audit_report *report, const char *text)
{
    static const char start[] = "\n    {\"name\": ";
    const char *p = strstr(text, "\"mistakes\": ["), *end = strstr(text, "\"checks\": [");
    size_t n = 0;
    report->mistake[0] = report->mistakes[0] = 0;
    for (bool first = true; p && end && (p = strstr(p, start)) && p < end; first = false) {
        char name[AUDIT_NAME];
        p += strlen(start);
        if (!take_string(&p, name, sizeof name))
            continue;
        if (first)
            snprintf(report->mistake, sizeof report->mistake, "%s", name);
        if (n + sizeof name < sizeof report->mistakes)
            n += (size_t)sprintf(report->mistakes + n, "%s%s", n ? "," : "", name);
    }
}

/* What stands before the status: {"sim": "pass", "gpu": "fail"}, and whether they disagree. */
static bool take_devices_of_check(struct audit_check *c, const char **p)
{
    const char *from = *p;
    if (!take(p, "device", c->device, sizeof c->device))
        return false;
    const char *dispute = strstr(from, "\"devices_disagree\"");
    c->is_disputed = dispute && dispute < *p;
    const char *verdicts = strstr(*p, "{\"sim\": "), *status = strstr(*p, "\"status\": ");
    c->simulated[0] = 0;
    return !verdicts || !status || verdicts > status ||
           take(p, "sim", c->simulated, sizeof c->simulated);
}

static bool take_checks(struct audit_report *report, const char *text)
{
    const char *p = strstr(text, "\"checks\": [");
    if (!p)
        return false;
    while (report->n_checks < AUDIT_CHECKS) {
        struct audit_check *c = &report->checks[report->n_checks];
        if (!take(&p, "name", c->name, sizeof c->name))
            return report->n_checks > 0;
        if (!take_devices_of_check(c, &p) || !take(&p, "status", c->status, sizeof c->status) ||
            !take(&p, "message", c->message, sizeof c->message))
            return false;
        report->n_checks++;
    }
    return false;
}

static void take_devices(struct audit_report *report, const char *text)
{
    const char *at = strstr(text, "\"devices\": {");
    if (!at || sscanf(at, "\"devices\": {\"present\": %d, \"lab_is_for\": %d", &report->n_devices,
                      &report->n_wanted) != 2)
        report->n_devices = report->n_wanted = 0;
}

bool audit_report_read(struct audit_report *report, FILE *json)
{
    report->n_checks = 0;
    char *text = malloc(MOST_BYTES + 1);
    if (!text)
        return false;
    size_t n = fread(text, 1, MOST_BYTES, json);
    text[n] = 0;
    take_mistakes(report, text);
    take_devices(report, text);
    bool read = take_checks(report, text);
    free(text);
    return read;
}

const struct audit_check *audit_report_find(const struct audit_report *report, const char *name)
{
    for (int i = 0; i < report->n_checks; i++)
        if (strcmp(report->checks[i].name, name) == 0)
            return &report->checks[i];
    return NULL;
}
