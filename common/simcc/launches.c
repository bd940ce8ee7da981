/*
 * launches.c: kernel<<<grid, block, bytes, stream>>>(arguments) becomes
 * (__cudaPushCallConfiguration(grid, block, bytes, stream), kernel(arguments)): what nvcc makes of
 * it, too. So overloads, template arguments that are deduced, conversions and default arguments are
 * the compiler's business.
 */
#include "source.h"

#include <string.h>

/* The first token of the expression that ends before token `end`: a name with its qualifiers and
 * template arguments, a member, a call, or anything in parentheses. */
static int expression_begin(const struct source *s, int end)
{
    int i = end;
    while (i > 0) {
        if (token_is(s, i - 1, ">")) {
            int depth = 0;
            do {
                i--;
                if (token_is(s, i, ")") && s->tokens[i].match >= 0)
                    i = s->tokens[i].match;
                depth += token_is(s, i, ">") - token_is(s, i, "<");
            } while (i > 0 && depth > 0);
            continue;
        }
        if ((token_is(s, i - 1, ")") || token_is(s, i - 1, "]")) && s->tokens[i - 1].match >= 0)
            i = s->tokens[i - 1].match;
        else if (s->tokens[i - 1].kind == TOKEN_WORD)
            i--;
        else
            return i;
        while (token_is(s, i - 1, "::") && s->tokens[i - 2].kind != TOKEN_WORD &&
               !token_is(s, i - 2, ">"))
            return i - 1;
        if (!token_is(s, i - 1, "::") && !token_is(s, i - 1, ".") && !token_is(s, i - 1, "->"))
            return i;
        i--;
    }
    return i;
}

/* The first of the three closing brackets, or the end of the text. */
static int configuration_end(const struct source *s, int i)
{
    while (i < s->n_tokens && !token_begins_three(s, i, '>'))
        i = s->tokens[i].match > i ? s->tokens[i].match + 1 : i + 1;
    return i;
}

void rewrite_launches(struct source *s)
{
    for (int i = 1; i + 3 < s->n_tokens; i++) {
        if (!token_begins_three(s, i, '<'))
            continue;
        int end = configuration_end(s, i + 3), call = end + 3;
        if (call >= s->n_tokens || !token_is(s, call, "(") || s->tokens[call].match < 0)
            continue; /* the compiler will say what it thinks of it */
        int first = expression_begin(s, i);
        const char *kernel = s->tokens[first].at;
        int length = (int)(s->tokens[i].at - kernel);
        insert(s, first, "(__cudaPushCallConfiguration(");
        replace(s, first, i + 2, "%s", "");
        replace(s, end, end + 2, "), %.*s", length, kernel);
        insert(s, s->tokens[call].match + 1, ")");
        i = end + 2;
    }
}
