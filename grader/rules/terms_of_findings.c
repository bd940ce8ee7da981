/* terms_of_findings.c: terms about what the ordering checks found. */
#include <string.h>

#include "session/session.h"
#include "words.h"

const struct simgpu_finding *term_finding(const struct facts *f)
{
    return f->event->cause == CAUSE_FINDING ? &f->event->finding : NULL;
}

static bool is_kind(const struct facts *f, enum simgpu_finding_kind kind)
{
    return term_finding(f) && term_finding(f)->kind == kind;
}

TERM(race)
{
    const char *both[2];
    bool either;
    if (!is_kind(f, SIMGPU_RACE) || !term_sites(n, words, both, &either))
        return false;
    const char *first = term_finding(f)->first.name, *second = term_finding(f)->second.name;
    return (term_matches(both[0], first) && term_matches(both[1], second)) ||
           (either && term_matches(both[0], second) && term_matches(both[1], first));
}

static bool by(const struct facts *f, enum simgpu_finding_kind kind, int n, char *const *words)
{
    return is_kind(f, kind) && (n == 0 || term_matches(words[0], term_finding(f)->first.name));
}

TERM_IF(uninitialized, by(f, SIMGPU_UNINITIALIZED_READ, n, words))
TERM_IF(out_of_bounds, by(f, SIMGPU_OUT_OF_BOUNDS, n, words))
TERM_IF(use_after_free, by(f, SIMGPU_USE_AFTER_FREE, n, words))
TERM_IF(host_race, by(f, SIMGPU_HOST_RACE, n, words))
TERM_IF(host_access, by(f, SIMGPU_HOST_ACCESS, n, words))

static const char *const object_words[] = {"none",   "memory",      "pool-memory", "pinned",
                                           "stream", "event",       "graph",       "exec",
                                           "pool",   "user-object", "heap",        NULL};

static bool an_object(int n, char *const *words)
{
    return n == 1 && words_are_of(words[0], object_words);
}

static bool maybe_an_object(int n, char *const *words)
{
    return n == 0 || an_object(n, words);
}

static bool is_object(enum simgpu_object object, int n, char *const *words)
{
    return n == 0 ||
           ((unsigned)object < SIMGPU_OBJECTS && term_matches(words[0], object_words[object]));
}

TERM_IF(leak, is_kind(f, SIMGPU_LEAK) && is_object(term_finding(f)->object, n, words))
TERM_IF(in_object, term_finding(f) && is_object(term_finding(f)->memory.object, n, words))

static const char *const what_words[] = {[SIMGPU_WHAT_NOTHING] = "nothing",
                                         [SIMGPU_WHAT_READS_EARLY] = "reads-early",
                                         [SIMGPU_WHAT_OVERWRITES_EARLY] = "overwrites-early",
                                         [SIMGPU_WHAT_BOTH_WRITE] = "both-write",
                                         [SIMGPU_WHAT_USES_EARLY] = "uses-early",
                                         [SIMGPU_WHAT_FREES_EARLY] = "frees-early",
                                         [SIMGPU_WHAT_HOST_READS] = "host-reads",
                                         [SIMGPU_WHAT_HOST_OVERWRITES] = "host-overwrites",
                                         [SIMGPU_WHAT_HOST_WRITES_TOO] = "host-writes-too",
                                         [SIMGPU_WHAT_WRITES_AFTER_LAUNCH] = "writes-after-launch",
                                         [SIMGPU_WHAT_READS_UNWRITTEN] = "reads-unwritten",
                                         [SIMGPU_WHAT_READS_BEYOND] = "reads-beyond",
                                         [SIMGPU_WHAT_LEAVES_MEMORY] = "leaves-memory",
                                         [SIMGPU_WHAT_OUT_OF_REACH] = "out-of-reach",
                                         [SIMGPU_WHAT_OTHER_DEVICE] = "other-device",
                                         [SIMGPU_WHAT_FREED_BEFORE] = "freed-before",
                                         [SIMGPU_WHAT_NO_HOST_MEMORY] = "no-host-memory",
                                         [SIMGPU_WHAT_FREED_BY_NODE] = "freed-by-node",
                                         [SIMGPU_WHAT_ALLOCATED_AGAIN] = "allocated-again",
                                         [SIMGPU_WHAT_SET_TO_PAGEABLE] = "set-to-pageable",
                                         [SIMGPU_WHAT_LOST_PEER_ACCESS] = "lost-peer-access",
                                         [SIMGPU_WHAT_CONDITION_UNDEFINED] = "condition-undefined",
                                         [SIMGPU_WHAT_LAUNCHED_BY_BOTH] = "launched-by-both",
                                         [SIMGPU_WHAT_OTHER_DIRECTION] = "other-direction",
                                         [SIMGPU_WHAT_COPY_OVERLAPS] = "copy-overlaps",
                                         [SIMGPU_WHAT_GRAPH_IN_TWO_THREADS] =
                                             "graph-in-two-threads",
                                         [SIMGPU_WHAT_NEVER_FREED] = "never-freed",
                                         [SIMGPU_WHAT_NEVER_DESTROYED] = "never-destroyed",
                                         [SIMGPU_WHAT_STILL_PENDING] = "still-pending",
                                         [SIMGPU_WHAT_STILL_CAPTURING] = "still-capturing",
                                         [SIMGPU_WHAT_NEVER_LAUNCHED] = "never-launched",
                                         [SIMGPU_WHAT_LAUNCH_FAILED] = "launch-failed",
                                         [SIMGPU_WHATS] = NULL};

static bool a_what(int n, char *const *words)
{
    return n == 1 && words_are_of(words[0], what_words);
}

TERM_IF(what, term_finding(f) && term_matches(words[0], what_words[term_finding(f)->what]))

/* Does it hold for the operation that the word names, or, without one, for either? */
static bool of_site(const struct facts *f, int n, char *const *words,
                    bool (*holds)(const struct simgpu_site *site))
{
    const struct simgpu_finding *found = term_finding(f);
    if (!found)
        return false;
    if (n == 1)
        return holds(strcmp(words[0], "first") == 0 ? &found->first : &found->second);
    return holds(&found->first) || holds(&found->second);
}

static bool is_legacy(const struct simgpu_site *site)
{
    return site->name[0] && site->stream == 0;
}

static bool is_enqueued(const struct simgpu_site *site)
{
    return site->name[0] && site->node < 0;
}

static bool is_early(const struct simgpu_site *site)
{
    return site->is_early;
}

static bool is_staged(const struct simgpu_site *site)
{
    return site->pageable == 1;
}

static bool is_of_setup(const struct simgpu_site *site)
{
    return site->of_setup;
}

TERM_IF(legacy, of_site(f, n, words, is_legacy))
TERM_IF(enqueued, of_site(f, n, words, is_enqueued))
TERM_IF(staged, of_site(f, n, words, is_staged))
TERM_IF(of_setup, of_site(f, n, words, is_of_setup))
TERM_IF(early, of_site(f, n, words, is_early))
TERM_IF(at_start, term_finding(f) && term_finding(f)->address == term_finding(f)->memory.address)
TERM_IF(is_reading, term_finding(f) && term_finding(f)->is_read)

static const char *const wait_words[] = {"none",       "some",      "legacy", "for-first",
                                         "for-itself", "for-other", NULL};

static bool a_wait(int n, char *const *words)
{
    return n == 1 && words_are_of(words[0], wait_words);
}

TERM(wait_before)
{
    const struct simgpu_finding *found = term_finding(f);
    if (!found)
        return false;
    const bool has = found->wait.waited.at != 0;
    return (!has && term_matches(words[0], "none")) || (has && term_matches(words[0], "some")) ||
           (has && found->wait.stream == 0 && term_matches(words[0], "legacy")) ||
           (has && found->is_wait_for_first && term_matches(words[0], "for-first")) ||
           (has && found->is_wait_for_itself && term_matches(words[0], "for-itself")) ||
           (has && found->wait.stream >= 0 && !found->is_wait_for_first &&
            term_matches(words[0], "for-other"));
}

const struct term terms_of_findings[] = {
    {"race", ABOUT_RACE, words_sites, race},
    {"uninitialized", ABOUT_FINDING_OF_ONE, words_at_most_one, uninitialized},
    {"out-of-bounds", ABOUT_FINDING_OF_ONE, words_at_most_one, out_of_bounds},
    {"use-after-free", ABOUT_FINDING, words_at_most_one, use_after_free},
    {"host-race", ABOUT_FINDING, words_at_most_one, host_race},
    {"host-access", ABOUT_FINDING, words_at_most_one, host_access},
    {"leak", ABOUT_FINDING_OF_ONE, maybe_an_object, leak},
    {"what", ABOUT_FINDING, a_what, what},
    {"object", ABOUT_FINDING, an_object, in_object},
    {"legacy", ABOUT_FINDING, words_which_site, legacy},
    {"enqueued", ABOUT_FINDING, words_which_site, enqueued},
    {"early", ABOUT_FINDING, words_which_site, early},
    {"of-setup", ABOUT_FINDING, words_which_site, of_setup},
    {"staged", ABOUT_FINDING, words_which_site, staged},
    {"at-start", ABOUT_FINDING, NULL, at_start},
    {"reads", ABOUT_FINDING, NULL, is_reading},
    {"wait", ABOUT_FINDING, a_wait, wait_before},
    {NULL, ABOUT_ANY, NULL, NULL},
};
