/* calls_graphs.c: which kernels may launch graphs. A GPU refuses to launch such a kernel outside of
 * a graph, so the device must know before the kernel runs. A kernel may if its body names
 * cudaGraphLaunch, or a device function of this file that may. */
#include "source.h"

#include <string.h>

struct function {
    int name; /* token */
    int body; /* its opening brace */
    bool may;
};

static struct function *functions;
static int n_functions;

/* The name of the function whose body opens at token `body`; -1: it has none. */
static int name_of(const struct source *s, int body)
{
    int i = body - 1;
    while (i > 0 && s->tokens[i].kind == TOKEN_WORD)
        i--;
    if (!token_is(s, i, ")") || s->tokens[i].match < 1)
        return -1;
    i = s->tokens[i].match - 1;
    return s->tokens[i].kind == TOKEN_WORD ? i : -1;
}

static bool same_word(const struct token *a, const struct token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static bool names_one_that_may(const struct source *s, const struct function *f)
{
    for (int i = f->body; i < s->tokens[f->body].match; i++) {
        if (s->tokens[i].kind != TOKEN_WORD)
            continue;
        if (token_is(s, i, "cudaGraphLaunch"))
            return true;
        for (int k = 0; k < n_functions; k++)
            if (functions[k].may && functions[k].name >= 0 &&
                same_word(&s->tokens[i], &s->tokens[functions[k].name]))
                return true;
    }
    return false;
}

void find_graph_launches(struct source *s)
{
    functions = allocate((size_t)s->n_tokens / 2 * sizeof *functions);
    for (int i = 1; i < s->n_tokens; i++) {
        if (!s->tokens[i].device_code || s->tokens[i - 1].device_code)
            continue;
        functions[n_functions++] = (struct function){.name = name_of(s, i), .body = i};
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < n_functions; k++) {
            struct function *f = &functions[k];
            if (!f->may && names_one_that_may(s, f))
                f->may = more = true;
        }
    }
}

bool may_launch_graphs(const struct source *s, int body)
{
    (void)s;
    for (int k = 0; k < n_functions; k++)
        if (functions[k].body == body)
            return functions[k].may;
    return false;
}
