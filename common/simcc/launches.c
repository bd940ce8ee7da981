/* launches.c: kernel<<<grid, block, bytes, stream>>>(arguments) becomes
 * (__cudaPushCallConfiguration(grid, block, bytes, stream), kernel(arguments)): what nvcc makes of
 * it, too. So overloads, template arguments that are deduced, conversions and default arguments are
 * the compiler's business. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

/* The names of all kernels, by token. */
struct kernel_names {
    int *tokens, n;
};

static struct kernel_names find_names(const struct source *s)
{
    struct kernel_names k = {.tokens = allocate((size_t)s->n_tokens * sizeof *k.tokens)};
    for (int i = 0; i < s->n_tokens; i++) {
        int name = token_is(s, i, "simgpu_global") ? declared_kernel(s, i) : -1;
        if (name >= 0)
            k.tokens[k.n++] = name;
    }
    return k;
}

static bool is_kernel(const struct source *s, const struct kernel_names *k, int i)
{
    for (int at = 0; at < k->n; at++) {
        const struct token *name = &s->tokens[k->tokens[at]];
        if (name->length == s->tokens[i].length && !memcmp(name->at, s->tokens[i].at, name->length))
            return true;
    }
    return false;
}

/* The bracket that opens the template arguments which end before token `end`. In N >= 32 and the
 * like a bracket has no partner. So the bracket after the name of a kernel counts first, and
 * partners count only for other names. */
static int angles_begin(const struct source *s, const struct kernel_names *k, int end)
{
    int depth = 0, partner = -1;
    for (int i = end - 1; i > 0; i--) {
        if (token_is(s, i, ";") || token_is(s, i, "{") || token_is(s, i, "}"))
            break;
        if (token_is(s, i, ")") && s->tokens[i].match >= 0)
            i = s->tokens[i].match;
        depth += token_is(s, i, ">") - token_is(s, i, "<");
        if (token_is(s, i, "<") && is_kernel(s, k, i - 1))
            return i;
        if (depth == 0 && partner < 0)
            partner = i;
    }
    return partner >= 0 ? partner : end - 1;
}

/* The first token of the expression that ends before token `end`: a name with its qualifiers and
 * template arguments, a member, an element, a call, or anything in parentheses. */
static int expression_begin(const struct source *s, const struct kernel_names *k, int end)
{
    static const char *const no_callees[] = {"return", "else", "do", "case", NULL};
    int i = end;
    while (i > 0) {
        if (token_is(s, i - 1, ">")) {
            i = angles_begin(s, k, i);
            continue;
        }
        if ((token_is(s, i - 1, ")") || token_is(s, i - 1, "]")) && s->tokens[i - 1].match >= 0) {
            i = s->tokens[i - 1].match;
            if ((s->tokens[i - 1].kind == TOKEN_WORD && !is_one_of(s, i - 1, no_callees)) ||
                token_is(s, i - 1, ">") || token_is(s, i - 1, ")") || token_is(s, i - 1, "]"))
                continue; /* what is called, or has elements */
        } else if (s->tokens[i - 1].kind == TOKEN_WORD) {
            i--;
        } else {
            return i;
        }
        while (token_is(s, i - 1, "::") && s->tokens[i - 2].kind != TOKEN_WORD &&
               !token_is(s, i - 2, ">"))
            return i - 1;
        if (!token_is(s, i - 1, "::") && !token_is(s, i - 1, ".") && !token_is(s, i - 1, "->"))
            return i;
        i--;
    }
    return i;
}

/* Three brackets of a launch begin at token i: side by side, or `apart`, as some formatters write
 * them. */
static bool begins_three(const struct source *s, int i, const char *sign, bool apart)
{
    for (int k = i; k < i + 3; k++)
        if (k >= s->n_tokens || !token_is(s, k, sign) ||
            (!apart && s->tokens[k].at != s->tokens[i].at + (k - i)))
            return false;
    return true;
}

/* The first of the three closing brackets, which the arguments follow; or the end of the text. */
static int configuration_end(const struct source *s, int i, bool apart)
{
    while (i < s->n_tokens && !(begins_three(s, i, ">", apart) && token_is(s, i + 3, "(")))
        i = s->tokens[i].match > i ? s->tokens[i].match + 1 : i + 1;
    return i;
}

void rewrite_launches(struct source *s)
{
    struct kernel_names names = find_names(s);
    for (int i = 1; i + 3 < s->n_tokens; i++) {
        if (!begins_three(s, i, "<", true) || token_is(s, i - 1, "operator"))
            continue;
        bool apart = !begins_three(s, i, "<", false);
        int end = configuration_end(s, i + 3, apart), call = end + 3;
        if (call >= s->n_tokens || s->tokens[call].match < 0)
            continue; /* the compiler will say what it thinks of it */
        int first = expression_begin(s, &names, i);
        const char *kernel = s->tokens[first].at;
        int length = (int)(s->tokens[i].at - kernel);
        insert(s, first, "(__cudaPushCallConfiguration(");
        replace(s, first, i + 2, "%s", "");
        replace(s, end, end + 2, "), %.*s", length, kernel);
        insert(s, s->tokens[call].match + 1, ")");
        i = end + 2;
    }
    free(names.tokens);
}
