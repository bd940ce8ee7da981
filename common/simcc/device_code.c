/* device_code.c: where device code is, and what means something else there than in host code:
 * clock(), and inline PTX. And __noinline__, which g++ has as an attribute. */
#include "source.h"

/* ---- where device code is -------------------------------------------------------------------- */

/* The brace that opens the body of the function whose declaration goes on at token i, or -1. */
static int body_of(const struct source *s, int i)
{
    bool has_parameters = false;
    for (; i < s->n_tokens; i++) {
        if (token_is(s, i, ";") || token_is(s, i, ")") || token_is(s, i, "}"))
            return -1;
        if (token_is(s, i, "=") && !token_is(s, i - 1, "operator"))
            return -1;
        if (token_is(s, i, "{"))
            return has_parameters ? i : -1;
        if (token_is(s, i, "("))
            has_parameters = true;
        if (s->tokens[i].match > i)
            i = s->tokens[i].match;
    }
    return -1;
}

void mark_device_code(struct source *s)
{
    for (int i = 0; i < s->n_tokens; i++) {
        if (!token_is(s, i, "simgpu_global") && !token_is(s, i, "simgpu_device"))
            continue;
        int body = body_of(s, i + 1);
        for (int k = body; body >= 0 && k < s->tokens[body].match; k++)
            s->tokens[k].device_code = true;
    }
}

/* The word of CUDA. The attribute of g++ with this name stands in brackets. */
static bool is_noinline(const struct source *s, int i)
{
    return token_is(s, i, "__noinline__") && !token_is(s, i - 1, "(") && !token_is(s, i - 1, ",") &&
           !token_is(s, i - 1, "::");
}

/* ---- words ---------------------------------------------------------------------------------- */

void rewrite_device_code(struct source *s)
{
    for (int i = 0; i < s->n_tokens; i++) {
        if (token_is(s, i, "simgpu_device"))
            replace(s, i, i, "%s", "");
        if (is_noinline(s, i))
            replace(s, i, i, "__attribute__((noinline))");
        if (!s->tokens[i].device_code)
            continue;
        if (token_is(s, i, "asm") || token_is(s, i, "__asm__") || token_is(s, i, "__asm"))
            i = rewrite_inline_ptx(s, i);
        else if (token_is(s, i, "clock") && token_is(s, i + 1, "(") && token_is(s, i + 2, ")") &&
                 !token_is(s, i - 1, ".") && !token_is(s, i - 1, "->"))
            replace(s, i, i, "simgpu_clock");
    }
}
