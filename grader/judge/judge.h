/* judge.h: the library for a lab's Criterion suite (grader/labs/labNN/suite.c).
 *
 *     ./grade labNN  ->  build/grader/labNN      ->  subject, reference
 *                        the suite, a test a check   one process each
 *
 * A suite never links a submission. It starts subjects: programs that hold one, in a jail
 * (jail.c), with a limit on wall-clock time, memory, processes and output. The judge owns inputs
 * and outputs: before each run it fills the inputs anew, poisons the outputs, and afterwards
 * checks that the inputs are unchanged. Only the subject knows virtual time, trace and findings, so
 * the judge asks it for them. On a GPU, times are by the judge's own wall clock.
 *
 * Every function here either succeeds or ends the test: an error of a subject is recorded as the
 * failure of the running check, in words for the learner. So a suite has no error paths of its own:
 *
 *     JUDGE_LAB(.name = "lab03", .title = "copies and kernels at the same time");
 *
 *     JUDGE_CHECK(lab03, results, 30, "every product is right")
 *     {
 *         struct judged *j = judge_start(JUDGE_SUBMISSION, &small);
 *         for (int i = 0; i < 3; i++)
 *             judge_run(j);
 *     }
 *
 * A check passes when its body returns. Checks run one after another in the order of the file. */
#pragma once

#include "judge/verdict.h"

/* ---- scenarios ------------------------------------------------------------------------------- */

enum { JUDGE_MAX_BUFFERS = 12 };

enum judge_direction { JUDGE_INPUT, JUDGE_OUTPUT };

/* The numbers of a scenario; those that are not named are 0. Inside of a function, they live until
   the end of the block; judge_start and judge_prepare copy them. */
#define JUDGE_NUMBERS(...) (&(const struct numbers){__VA_ARGS__})

/* A member of struct numbers, of type long. */
struct judge_drawn {
    const char *name;
    size_t at;
};
#define JUDGE_DRAWN(member)                                                                        \
    {                                                                                              \
        .name = #member, .at = _Generic(((struct numbers *)NULL)->member, long                     \
                                        : offsetof(struct numbers, member))                        \
    }

/* A named buffer of floats for the adapter's subject_buffer(). */
struct judge_buffer {
    const char *name; /* NULL ends the list */
    enum judge_direction direction;
    size_t count;        /* floats */
    bool pinned;         /* registered with the device for as long as the scenario lives */
    const char *made_by; /* an output: the kernel that computes all of it, or "one or another", or
                            "one of what another has written"; on the simulated device every run is
                            checked for that. NULL: nobody asks */
    bool of_any_data;    /* not only of the inputs of a run, and of memory that was lent */
    float low, high;     /* inputs are uniform in [low, high); both 0: [-1, 1) */
    size_t parts;        /* equal ones, each of them a `part`: "batch"; 0: it has none. For words */
    const char *part;
};

/* The middle of a drawn number that is a seed, with JUDGE_SEED - 1 as spread: a submission that
   knows how the suite draws cannot try all of them. */
#define JUDGE_SEED (1L << 61)

struct judge_scenario {
    const char *name;              /* in words for messages: "3 batches of 64 x 64" */
    const struct numbers *numbers; /* JUDGE_NUMBERS(.n = 64, .n_batches = 3) */
    struct judge_buffer buffers[JUDGE_MAX_BUFFERS];
    struct judge_drawn drawn; /* JUDGE_DRAWN(n): this number is another one in each grading, by
                                 `spread` more or less at most, but one and the same in a check */
    long spread;              /* 0: a sixteenth of it */
    int repeats;       /* runs within one timed part; 0: 1. On a GPU judge_expect_time finds out by
                          itself how many it needs, if more */
    bool model_only;   /* simulated device: model time and order, compute and verify nothing, for
                          sizes that take the CPU too long. No difference on a GPU */
    int devices;       /* simulated ones; 0: as many as judge_lab.devices */
    int peers;         /* so many simulated devices each can access each other's memory; 0: all */
    bool whole_graphs; /* traces have a row for each run of a graph (trace.h), on a GPU instead of
                          those of its nodes */
    int failing_place; /* judge_expect_error's own: of a call of setup, which fails; 0: none does */
    const char *tries; /* in a word, for `when: tries WORD`; NULL: nothing */
    void (*make)(
        struct judge_scenario *s);    /* sets what depends on the numbers, as drawn: buffers */
    void (*fill)(struct judged *j);   /* inputs that uniform noise will not do for */
    void (*verify)(struct judged *j); /* after every run: judge_expect_results and the like */
};

/* The scenario with other numbers; nothing is verified. */
static inline struct judge_scenario judge_unverified(struct judge_scenario s,
                                                     const struct numbers *numbers)
{
    s.numbers = numbers;
    s.verify = NULL;
    return s;
}

/* ---- subjects -------------------------------------------------------------------------------- */

enum judge_who { JUDGE_SUBMISSION, JUDGE_REFERENCE };

/* Starts a subject and sets the scenario up in it. Ends with judge_stop, or with the test. */
struct judged *judge_start(enum judge_who who, const struct judge_scenario *scenario);

/* Tears the present scenario down and sets another one up in the same process. Same model_only,
   devices, peers and whole_graphs. */
void judge_prepare(struct judged *j, const struct judge_scenario *scenario);

/* The same, or starts the submission if j is NULL. */
struct judged *judge_turn_to(struct judged *j, const struct judge_scenario *scenario);

/* One finished run. */
struct judge_run {
    double time_us; /* one repeat: virtual time, or on a GPU the judge's wall clock */
};

/* Runs within one timed part, at least. */
int judge_repeats(const struct judged *j);

/* Fresh inputs, poisoned outputs, one timed part, inputs compared, outputs verified. */
struct judge_run judge_run(struct judged *j);

/* Starts the submission with the scenario, or sets the scenario up in it; then judge_run. */
struct judged *judge_run_first(const struct judge_scenario *scenario);
struct judge_run judge_run_next(struct judged *j, const struct judge_scenario *scenario);
/* The scenario on four simulated devices, of which 0 and 1, 2 and 3 have peer access. */
void judge_run_in_pairs(const struct judge_scenario *scenario);

/* The same, traced; the trace belongs to j and lives until its next trace. Where there is none (say
 * a GPU without CUPTI) the check is skipped. Run once before it: a first run differs from later
 * ones. */
const struct trace *judge_trace(struct judged *j);

/* The report shows the last trace of j as a picture (timeline.h), below it the reference's run of
   the same scenario, and ./grade --trace writes j's to a file. The last such call counts, but for
   those after the call of a check that failed. */
void judge_show_timeline(struct judged *j);

/* The submission's graph as its adapter sees it now; belongs to j and lives until its next graph.
   A graph with a cycle fails the check. */
struct dag *judge_graph(struct judged *j);

/* What is expected of a graph, in a few words each; NULL: nothing. `inside`: of the nodes in the
   bodies of its conditional nodes. `difference` is for the picture. */
struct judge_shape {
    const char *nodes, *edges, *roots, *sinks, *width, *path, *inside;
    const struct dag_difference *difference;
};

/* The report ends with the last graph of j: in words, beside what is expected, and as a picture in
   build/report. The last call in a grading counts, or the last one of the first check that failed.
 */
void judge_show_graph(struct judged *j, const struct judge_shape *expected);

/* A figure that the adapter reported with subject_value in the last run (or floor), by its name in
   the lab's struct figures: judge_value(j, step_us). */
double judge_reported(const struct judged *j, struct figure figure);
#define judge_value(j, member) judge_reported(j, FIGURE(member))

/* The same of a count, from 1 to so many: a submission that reports another number fails. */
int judge_reported_count(const struct judged *j, struct figure figure, int most);
#define judge_count(j, member, most) judge_reported_count(j, FIGURE(member), most)

/* What bench_pending (subject/bench.h) reported in the last run; no stream: -1. */
double judge_pending_us(const struct judged *j);
int judge_unwaited_stream(const struct judged *j);
bool judge_has_slept(const struct judged *j);

/* The most bytes of device memory that the submission has had in the present scenario
 * (subject/bench.h). */
double judge_own_bytes(const struct judged *j);

/* Of a run that was timed: fails with the fact if the submission has had more bytes in it, unless
   it has failed the check `memory`, whose runs have other sizes. */
void judge_expect_timed_bytes(const struct judged *j, double at_most, const char *fact);

/* Runs j two or three times, and fails with the fact if the device still works on two of the runs
 * when they have returned (on the simulated device: on one of three): longer, as bench_pending
 * reports it, than a hundredth of the run and than three times what the idle device takes to answer
 * the reference. On the simulated device it also fails, as `slept`, if the device is idle because
 * time has passed for a host that has not waited for it. */
void judge_expect_done(struct judged *j, const char *unfinished);

/* After a run: fails with the fact if there is a stream for which the host has not waited, even
 * if its work has ended, by luck. On the simulated device. */
void judge_expect_waited(const struct judged *j, const char *unwaited);

/* On the simulated device: the calls of setup and of a first run return an error, each in its turn
   and in a process of its own. The submission must return it, or call cudaGetLastError. */
void judge_expect_error(const struct judge_scenario *scenario);
void judge_expect_error_of_run(const struct judge_scenario *scenario); /* setup was asked before */

/* judge_run. On the simulated device, whose times are exact, also judge_expect_done. */
void judge_run_to_end(struct judged *j, const char *unfinished);

/* Sets the scenario up again, runs it once and tears it down, while the adapter itself enqueues
 * nothing, waits for nothing and queries nothing: an order that the adapter's waits give otherwise
 * is the submission's own, or missing. A GPU shows that by wrong results, with this fact; the
 * simulated device by findings, which judge_expect_no_findings looks for. */
void judge_run_unaided(struct judged *j, const char *unordered);

/* Has the adapter's floor measured: judge_value then gives its figures. Ask the reference. */
void judge_floor(struct judged *j);

/* One of these figures; a run follows, because the first one after other work takes longer. */
#define judge_floor_value(j, member) judge_floor_figure(j, FIGURE(member))
double judge_floor_figure(struct judged *j, struct figure figure);

/* Calls the lab's teardown. Then nothing but judge_prepare or judge_stop. */
void judge_teardown(struct judged *j);

/* If the check fails from here on, and the step is the starter's, the report says that the step is
   not written: for code that returns no error, as on the device. */
void judge_needs_step(int step);

/* On a GPU the check is skipped: only the simulated device sees races, uninitialized reads, leaks,
 * … */
void judge_needs_findings(void);

/* On the simulated device: fails if a race, an uninitialized read, … was found so far. */
void judge_expect_order(struct judged *j);

/* Fails with the finding's own words if the simulated device found a race, an uninitialized read, a
 * leak, …; tears down first. Then the same of an unaided run. On a GPU only leaks are known: of
 * memory, streams and events. If there is none, the check is skipped. */
void judge_expect_no_findings(struct judged *j);

void judge_stop(struct judged *j);

/* For fill, verify and messages. A buffer's memory is the judge's own view of it. */
float *judge_buffer(const struct judged *j, const char *name);
bool judge_has_buffer(const struct judged *j, const char *name);
size_t judge_buffer_count(const struct judged *j, const char *name);
const struct numbers *judge_numbers(const struct judged *j);

/* Zeroed memory for a suite's own results; the caller frees it. If there is none, the check is
   inconclusive. */
void *judge_room(size_t count, size_t bytes);
bool judge_device_is_simulated(void);

/* The number of devices that there are; 0: not known. */
int judge_devices(void);

/* low, low + step, … or high: another one in each grading, from its seed and the check's name. */
long judge_draw(long low, long high, long step);

/* The judge's random numbers, from the grading's seed: the next 64 bits, and uniform in [0, 1). */
uint64_t judge_random(struct judged *j);
double judge_uniform(struct judged *j);

/* ---- results --------------------------------------------------------------------------------- */

/* verify(j), whose failures are wrong results: they are no matter of chance. What judge_run does
   with the scenario's verify; for checks that verify later. */
void judge_verify(struct judged *j, void (*verify)(struct judged *));

/* Was the run before the last one, of the same set-up, verified too? Then the first run is right,
   and changes something that the next one depends on. */
bool judge_was_right(const struct judged *j);

/* An output buffer as `batches` matrices of rows x columns, row major, and its expected content. */
struct judge_results {
    const char *buffer;
    size_t batches, rows, columns;
    const double *expected; /* all of it, the same shape; or NULL and … */
    double (*expected_at)(struct judged *j, size_t batch, size_t row,
                          size_t column); /* … one of it */
    size_t samples;                       /* elements to check in each batch, at random; 0: all */
    /* with samples: finds rows of the batch that look wrong, and returns how many. They are checked
       whole. NULL: only the samples are checked */
    size_t (*suspects)(struct judged *j, size_t batch, size_t *rows, size_t most);
    double tolerance;       /* of |expected|, or of the batch's root mean square if that is more */
    const char *batch_word; /* "batch" if NULL; "item", … */
    /* a fact that such a wrong value there shows; NULL: none that is known */
    const char *(*looks_like)(struct judged *j, size_t batch, size_t row, size_t column);
};

/* Fails on the first element that is not right: shows batch, row, column, actual and expected, and
 * names the cause that such a value suggests: still poisoned (never written when run returned),
 * equal to another batch's result (a buffer was reused too early), to the run before (a stale
 * result), to an input, not a number. */
void judge_expect_results(struct judged *j, const struct judge_results *r);

/* ---- time ------------------------------------------------------------------------------------ */

struct judge_race {
    struct judged *submission, *reference; /* the same scenario in both */
    struct figure value; /* the reported figure to compare, in us; without it, the time of a run */
    double at_most;      /* pass if submission / reference is not above this, e.g. 1.10 */
    /* no right run can be shorter: asks the reference (judge_floor) in each of its processes;
       NULL: not known */
    double (*floor_us)(struct judged *reference);
    /* simulated device: further checks of the timed run, by its trace; or NULL */
    void (*look)(const struct judged *submission, const struct trace *t);
    /* simulated device, for a scenario that computes nothing: kernels and copies of the timed run
       must access as many bytes as the reference's */
    bool same_work;
    /* too slow: records facts that the run of the submission shows, for the rules; or NULL */
    void (*too_slow)(struct judged *submission);
    /* others of the same runs, for judge_share_times; the last one has no name; or NULL */
    const struct figure *also;
    const char *slow; /* the message if it is too slow: the probable cause */
    const char *than; /* the name of the other time in the report; NULL: the reference's time */
    double share;     /* the reference's time is this share of that time; 0: it is that time */
};

struct judge_times {
    double ratio, low, high;      /* submission / reference, and its interval */
    double time_us, reference_us; /* medians */
    int pairs;                    /* of processes */
};

/* Simulated device: one run each, virtual time, an exact ratio. A program that has a race gets no
 * time, and `look` and `same_work` see the trace of the very run. GPU: A B B A A B B A …; each
 * timed part is a warm-up run and then, with the same inputs, as many runs as last 5 ms. A pass
 * that is not clear is confirmed by a second process of the reference, or fresh pairs follow, at
 * least three; decide.h decides. A time below 0.95 of the floor is a failure, not a record; so is a
 * run that is so much shorter than the one before it, whose inputs it shares, as only one that does
 * less can be: in every one of at least five pairs. On a GPU that somebody else uses nothing fails.
 */
struct judge_times judge_expect_time(const struct judge_race *race);

/* One measurement for several checks. judge_share_times keeps the times that judge_expect_time has
 * just measured, and those of race->also, under a name for the scenario. judge_knows_time: has an
 * earlier check that passed measured them, and do these pairs of processes decide that the
 * ratio is not above `at_most`? If not, the check measures for itself, so only passes are shared.
 */
void judge_share_times(const char *name, const struct judge_race *race);
bool judge_knows_time(const char *name, struct figure value, double at_most, struct judge_times *t);

/* The same without a verdict, from one pair of processes: a's time as a share of b's. */
struct judge_times judge_compare(struct judged *a, struct judged *b);
