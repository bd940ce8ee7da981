/* verdict.h: a lab, its checks, their verdicts and their facts. judge.h tells how a suite uses
 * them. */
#pragma once

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/trace.h"
#include "wire/exchange.h"

/* ---- a lab and its checks -------------------------------------------------------------------- */

struct session_event;  /* session.h */
struct simgpu_finding; /* simgpu.h */
struct rule_list;      /* rules.h */
struct simgpu_site;

/* A mistake that learners make. Checks that fail for the same mistake are reported together, with
 * its one next step. The report begins with the mistake whose check comes first. */
struct judge_mistake {
    const char *name;  /* as the JSON has it: a C identifier */
    const char *words; /* what happened, then why; NULL: the words of the check */
    const char *next;  /* the one thing to do next; NULL: that of the check */
    /* its consequences, names with spaces between; NULL: none. Checks that fail without a mistake
       of their own, and other mistakes. */
    const char *explains;
    bool lacks_wait; /* of a race: there is no wait for the first operation, so the report quotes no
                        wait before the second one */
    bool is_early;   /* of a race: `next` says that a record comes too early */
};

/* The requirements of a check; 0: none. If the device lacks one, the check is skipped, with the
 * reason. */
struct judge_need {
    const char *check; /* NULL: all checks of the lab */
    int capability;    /* compute capability, 90 for 9.0 */
    int cuda;          /* of toolkit and driver, 12080 for CUDA 12.8 */
    int devices;
    bool peers; /* these devices can access each other's memory */
};

struct judge_lab {
    const char *name;     /* lab03 */
    size_t numbers_bytes; /* of struct numbers */
    const char *title;    /* a few words, as in the report's first line */
    double limit_s; /* wall-clock seconds for one request to a subject; 0: 10, of the simulated
                       device 5 */
    double total_s; /* for the whole grading, once a request has run into that limit; 0: 25 or 15 */
    int devices;    /* simulated ones, unless SIMGPU_DEVICES asks for others; 0: 1. If more than
                       one, the lab uses all GPUs of a machine, up to SESSION_GPUS */
    bool may_skip;  /* on the simulated device, too; else a check that cannot look fails there */
    bool is_open;   /* the design is free: there are no steps, and a submission that is much faster
                       than the reference is not to be checked by hand for that */
    const char *given; /* checks whose functions are given, each with a mistake to find, names with
                          spaces between; NULL: none. As long as a learner has not changed such a
                          function, labNN_CHECK, only a grading of this check says why it fails */
    const char *endless; /* the probable cause of a run without an end, in this lab; NULL: none in
                            particular */
    const struct judge_need *needs; /* n_needs of them */
    int n_needs;
    const struct rule_list *rules; /* of the lab's file of mistakes: &labNN_rules */
};

extern const int judge_hooks;

/* Once in a suite, before its checks, with designated initializers. */
#define JUDGE_LAB(...)                                                                             \
    extern const int *const judge_suite_hooks;                                                     \
    const int *const judge_suite_hooks = &judge_hooks;                                             \
    _Static_assert(sizeof(struct figures) <= OWN_FIGURES * sizeof(double), "too many figures");    \
    _Static_assert(sizeof(struct numbers) <= NUMBERS_BYTES, "too many numbers");                   \
    static const struct judge_lab judge_suite_lab = {.numbers_bytes = sizeof(struct numbers),      \
                                                     __VA_ARGS__}

struct judge_check {
    const struct judge_lab *lab;
    const char *name;  /* as the JSON has it: a C identifier */
    const char *words; /* the behavior, as the report shows it when the check passes */
    int points;
};

/* One check: a Criterion test with points. `lab_` is the lab's name, unquoted. The body follows. */
#define JUDGE_CHECK(lab_, id_, points_, words_)                                                    \
    static void judge_body_##id_(void);                                                            \
    static struct judge_check judge_check_##id_ = {&judge_suite_lab, #id_, words_, points_};       \
    Test(lab_, id_, .description = words_, .data = &judge_check_##id_)                             \
    {                                                                                              \
        judge_check(&judge_check_##id_, judge_body_##id_);                                         \
    }                                                                                              \
    static void judge_body_##id_(void)

/* Runs the check. On a GPU a run, a trace or a time can be disturbed, so a failure that rests on
 * one decides nothing by itself: all of the check is done again, in fresh processes, and fails at
 * the third failure in a row. Failures that do not depend on time (wrong results, a crash, a wrong
 * graph) end it at once. */
void judge_check(const struct judge_check *check, void (*body)(void));

/* Once in a suite, after its checks: the body runs if a check failed and no mistake is known that
 * explains it. It may do all that a check does: the facts of a failure name the mistake, whatever
 * else ends it says nothing. */
#define JUDGE_DIAGNOSIS(lab_)                                                                      \
    static void judge_body_diagnosis(void);                                                        \
    Test(lab_, diagnosis)                                                                          \
    {                                                                                              \
        judge_diagnose(&judge_suite_lab, judge_body_diagnosis);                                    \
    }                                                                                              \
    static void judge_body_diagnosis(void)

void judge_diagnose(const struct judge_lab *lab, void (*body)(void));

/* For such a body: did this check fail, and does no mistake that is known explain it? */
bool judge_is_unexplained(const char *check);

/* ---- verdicts -------------------------------------------------------------------------------- */
/* A message is a sentence or two for the learner that names the misconception: "pageable memory:
 * each copy waited for the host". It must not depend on random inputs (two gradings give the same
 * JSON); values that do belong in judge_actual and judge_expected, which only the printed report
 * shows. */

/* The check fails and the test ends here. */
_Noreturn void judge_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same unless `right`. */
void judge_expect(bool right, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Cannot be seen on this device (say why): no points to get, none to lose; the test ends. The
   simulated device shows everything: there the check fails. */
_Noreturn void judge_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Could not be decided (noise): exit status 3 unless another check fails; the test ends. */
_Noreturn void judge_inconclusive(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Called before a verdict, all optional; a later call replaces an earlier one. They set the note of
 * a check that passes, the actual and the expected value, and the one next step. */
void judge_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void judge_actual(const char *format, ...) __attribute__((format(printf, 1, 2)));
void judge_expected(const char *format, ...) __attribute__((format(printf, 1, 2)));
void judge_next(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct judged;

/* ---- facts ----------------------------------------------------------------------------------- */
/* A check says right or wrong, and records facts. The rules of the lab's file of mistakes (rules.h)
 * name the mistake, in whose words the check then fails. What a subject did (a finding, an error, a
 * death) is a fact of its own. */

/* Facts by a name of the suite's own, for `when: fact NAME`. */
void judge_fact(const char *name);
void judge_fact_number(const char *name, double number);

/* Records those of a list that are true; its end has the fact NULL. Is any of them? */
struct judge_truth {
    bool is;
    const char *fact;
};
bool judge_fact_each(const struct judge_truth *all);

/* The fact that the check records if it fails from now on; a later call replaces it. NULL: none. */
void judge_asks(const char *fact);

/* Records the fact (NULL: none), and fails with the message so far, or in the words of the mistake.
 */
_Noreturn void judge_fail_that(const char *fact);

/* The same unless `right`. */
void judge_expect_that(bool right, const char *fact);

/* The figure that the adapter reported must be this one: else it is a fact, with its name and
   number. judge_expect_is(j, idle_blocks, 0) fails for the rule `when: fact idle_blocks`. */
void judge_expect_figure(const struct judged *j, struct figure figure, double expected);
#define judge_expect_is(j, member, expected) judge_expect_figure(j, FIGURE(member), expected)

/* Fails if the adapter noted mistakes (subject_note) since the beginning or judge_forget. */
void judge_expect_nothing_noted(void);

/* The same of this mistake alone, by its number in causes.h. */
void judge_expect_not_noted(int mistake);

/* From now on rules may ask this trace, this graph. They must live until the check ends. */
struct dag; /* query/graph.h */
void judge_ask_trace(const struct trace *t);
void judge_ask_graph(const struct dag *g);

/* Rules may ask what the adapter noted until now, also if a finding ends the check. */
void judge_ask_notes(void);

/* How a graph differs from a drawing of it, for `when: drawn DRAWING edge-missing A -> B`
   (labs/drawn.h). Its names must live until the check ends. */
struct drawn_fact; /* rules.h */
void judge_fact_drawn(const struct drawn_fact *difference);

/* What the scenario tries from now on, in a word for `when: tries WORD`; "": nothing. */
void judge_try(const char *word);

/* Does the text, a call's name for example, begin with these characters? */
bool judge_begins(const char *text, const char *with);

/* Before another scenario: takes back actual, expected and measured, mistake and next step. */
void judge_forget(void);

/* The figure that decides the check, and its limit; `unit`: "us", "ratio", "streams", … */
void judge_measured(double measured, double required, const char *unit);

/* judge_measured, then judge_fail with the message unless measured <= required (or >=). */
void judge_expect_at_most(double measured, double required, const char *unit, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));
void judge_expect_at_least(double measured, double required, const char *unit, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));
/* judge_measured, then judge_fail_that unless there are at most so many bytes: the words of the
   report for which device memory that is room. */
void judge_expect_bytes(double bytes, double at_most, const char *room, const char *fact);
