/* variables.c: variables of device code. One at the top level is made known to the device after its
 * definition, so that cudaMemcpyToSymbol finds it; its initial value is the compiler's business. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- __device__, __constant__, __managed__ --------------------------------------------------- */

/* The end of the variable definition that begins at token i, its semicolon; -1: it is none. */
static int definition_end(const struct source *s, int i)
{
    for (bool has_value = false; i < s->n_tokens; i++) {
        if (token_is(s, i, ";"))
            return i;
        has_value = has_value || token_is(s, i, "=");
        if (token_is(s, i, "<") && !has_value)
            i = skip_angles(s, i) - 1;
        if (token_is(s, i, "extern") || token_is(s, i, "operator") ||
            (token_is(s, i, "(") && !has_value && !token_is(s, i - 1, "__attribute__") &&
             !token_is(s, i - 1, "alignas")))
            return -1;
        if (s->tokens[i].match > i)
            i = s->tokens[i].match;
    }
    return -1;
}

int next_variable(const struct source *s, int *i, int end)
{
    int name = -1;
    bool named = false; /* what follows is its size or value */
    for (; *i <= end; ++*i) {
        if (token_is(s, *i, "struct") || token_is(s, *i, "union")) {
            int body = *i + 1 + (s->tokens[*i + 1].kind == TOKEN_WORD);
            if (token_is(s, body, "{"))
                *i = s->tokens[body].match;
            continue;
        }
        if (s->tokens[*i].kind == TOKEN_WORD && !named)
            name = *i;
        if (token_is(s, *i, "<") && !named)
            *i = skip_angles(s, *i) - 1;
        else if (token_is(s, *i, "=") || token_is(s, *i, "[") || token_is(s, *i, "{"))
            named = true;
        if ((token_is(s, *i, ",") || token_is(s, *i, ";")) && name >= 0) {
            ++*i;
            return name;
        }
        if (s->tokens[*i].match > *i)
            *i = s->tokens[*i].match;
    }
    return -1;
}

/* Registers each variable that tokens i to end, a semicolon, define. */
static void register_variables(struct source *s, int i, int end)
{
    for (int name; (name = next_variable(s, &i, end)) >= 0;) {
        const struct token *n = &s->tokens[name];
        insert(s, end + 1,
               " static const simgpu_declared_variable simgpu_variable_%.*s((const void *)&%.*s, "
               "sizeof %.*s, \"%.*s\");",
               (int)n->length, n->at, (int)n->length, n->at, (int)n->length, n->at, (int)n->length,
               n->at);
    }
}

static bool begins_extern(const struct source *s, int i)
{
    for (int k = i - 1; k >= 0 && k > i - 8 && s->tokens[k].kind == TOKEN_WORD; k--)
        if (token_is(s, k, "extern"))
            return true;
    return false;
}

static bool has_marker(const struct source *s, int from, int to)
{
    for (int i = from; i < to; i++)
        if (token_is(s, i, "simgpu_variable") || token_is(s, i, "simgpu_device"))
            return true;
    return false;
}

/* ---- __shared__ ------------------------------------------------------------------------------ */

/* The type of the variable that tokens first to last declare, its name left out; the caller's. */
static char *type_of(const struct source *s, int first, int last)
{
    static const char *const not_type[] = {"extern", "simgpu_shared", NULL};
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        fatal("out of memory");
    for (int i = first; i <= last; i++) {
        bool in_type = true;
        for (int k = 0; not_type[k]; k++)
            in_type = in_type && !token_is(s, i, not_type[k]);
        if (token_is(s, i, "__attribute__") || token_is(s, i, "alignas"))
            i = s->tokens[i + 1].match;
        else if (in_type)
            fprintf(f, "%.*s ", (int)s->tokens[i].length, s->tokens[i].at);
    }
    fclose(f);
    return text;
}

/* extern __shared__ float tile[]; is a pointer to the memory whose size the launch gives; outside
 * of a function, an object that converts to one. Returns its semicolon, or -1: it is of another
 * kind. */
static int rewrite_dynamic_shared(struct source *s, int marker)
{
    int begin = marker, end = marker;
    while (begin > 0 && (s->tokens[begin - 1].kind == TOKEN_WORD ||
                         (token_is(s, begin - 1, ")") &&
                          token_is(s, s->tokens[begin - 1].match - 1, "__attribute__"))))
        begin = token_is(s, begin - 1, ")") ? s->tokens[begin - 1].match : begin - 1;
    while (!token_is(s, end, ";") && end < s->n_tokens)
        end++;
    bool is_extern = false;
    for (int i = begin; i < end; i++)
        is_extern = is_extern || token_is(s, i, "extern");
    if (!is_extern || !token_is(s, end - 1, "]") || !token_is(s, end - 2, "["))
        return -1;
    int name = end - 3;
    char *type = type_of(s, begin, name - 1);
    const char *form = s->tokens[marker].top_level
                           ? "static const simgpu_dynamic_shared<%s> %.*s"
                           : "simgpu_dynamic_pointer<%s> const %.*s = simgpu_dynamic()";
    replace(s, begin, end - 1, form, type, (int)s->tokens[name].length, s->tokens[name].at);
    free(type);
    return end;
}

void rewrite_variables(struct source *s)
{
    for (int i = 0; i < s->n_tokens; i++) {
        bool is_marked = token_is(s, i, "simgpu_variable");
        if (token_is(s, i, "simgpu_shared") && rewrite_dynamic_shared(s, i) < 0)
            replace(s, i, i, "%s thread_local __attribute__((tls_model(\"initial-exec\")))",
                    token_is(s, i - 1, "static") ? "" : "static");
        if (is_marked)
            replace(s, i, i, "%s", "");
        if (!(is_marked || token_is(s, i, "simgpu_device")) || !s->tokens[i].top_level)
            continue;
        int end = definition_end(s, i + 1);
        if (end >= 0 && !begins_extern(s, i) && !has_marker(s, i + 1, end))
            register_variables(s, i + 1, end);
    }
}
