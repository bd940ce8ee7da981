/* arithmetic.c: counts the arithmetic of device code, for the estimate of how long a kernel takes.
 * Each loop adds the operators of its body at each iteration, each device function its own at each
 * call: for (i = 0; i < n; i++) x = x * a + b; becomes
 * for (i = 0; i < n; simgpu_count(2), i++) x = x * a + b; */
#include "source.h"

#include <string.h>

enum { DIVISION = 4, ROOT = 8, TRANSCENDENTAL = 16 }; /* in additions, about */

static bool is_loop(const struct source *s, int i)
{
    return (token_is(s, i, "for") || token_is(s, i, "while")) && token_is(s, i + 1, "(") &&
           s->tokens[i + 1].match > i;
}

/* The `while` of do { … } while (…); */
static bool ends_do(const struct source *s, int i)
{
    return token_is(s, i, "while") && token_is(s, i - 1, "}") &&
           token_is(s, s->tokens[i - 1].match - 1, "do");
}

/* The last token of the statement that begins at token i. */
static int statement_end(const struct source *s, int i)
{
    if (token_is(s, i, "{"))
        return s->tokens[i].match;
    if ((is_loop(s, i) || token_is(s, i, "if")) && s->tokens[i + 1].match > i) {
        int end = statement_end(s, s->tokens[i + 1].match + 1);
        return token_is(s, i, "if") && token_is(s, end + 1, "else") ? statement_end(s, end + 2)
                                                                    : end;
    }
    while (i < s->n_tokens && !token_is(s, i, ";"))
        i = s->tokens[i].match > i ? s->tokens[i].match + 1 : i + 1;
    return i;
}

static int call_weight(const struct source *s, int i)
{
    static const struct {
        const char *name;
        int weight;
    } known[] = {{"sqrt", ROOT},
                 {"rsqrt", ROOT},
                 {"exp", TRANSCENDENTAL},
                 {"log", TRANSCENDENTAL},
                 {"sin", TRANSCENDENTAL},
                 {"cos", TRANSCENDENTAL},
                 {"tan", TRANSCENDENTAL},
                 {"pow", TRANSCENDENTAL},
                 {"tanh", TRANSCENDENTAL},
                 {"erf", TRANSCENDENTAL},
                 {"fma", 2},
                 {"fmax", 1},
                 {"fmin", 1}};
    const struct token *t = &s->tokens[i];
    if (!token_is(s, i + 1, "("))
        return 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t length = strlen(known[k].name);
        if (t->length >= length && memcmp(t->at, known[k].name, length) == 0 &&
            (t->length == length || (t->length == length + 1 && t->at[length] == 'f')))
            return known[k].weight;
    }
    return 0;
}

/* An operator between two operands, or an index; its share of the arithmetic. */
static int operator_weight(const struct source *s, int i)
{
    const struct token *t = &s->tokens[i], *before = t - 1;
    bool after_operand = before->kind == TOKEN_WORD || before->kind == TOKEN_NUMBER ||
                         token_is(s, i - 1, ")") || token_is(s, i - 1, "]");
    if (t->kind == TOKEN_WORD)
        return call_weight(s, i);
    if (t->kind != TOKEN_SIGN || t->length != 1 || !after_operand || token_is(s, i - 1, "return"))
        return 0;
    if (token_is(s, i, "/") || token_is(s, i, "%"))
        return DIVISION;
    return strchr("+-*&|^<>[", *t->at) != NULL;
}

/* Of tokens first to last, without the loops among them, which count their own. */
static int weight(const struct source *s, int first, int last)
{
    int sum = 0;
    for (int i = first; i <= last; i++)
        if (is_loop(s, i) && !ends_do(s, i))
            i = statement_end(s, i);
        else if (token_is(s, i, "do") && token_is(s, i + 1, "{"))
            i = s->tokens[i + 1].match;
        else
            sum += operator_weight(s, i);
    return sum;
}

/* The second semicolon of for (…; …; …), or -1: it is another kind. */
static int second_semicolon(const struct source *s, int open)
{
    int n = 0;
    for (int i = open + 1; i < s->tokens[open].match; i++) {
        if (token_is(s, i, ";") && ++n == 2)
            return i;
        if (s->tokens[i].match > i)
            i = s->tokens[i].match;
    }
    return -1;
}

/* while (node *n = …): is what begins at token i a declaration? */
static bool declares(const struct source *s, int i)
{
    int words = 0;
    for (; !token_is(s, i, "=") && !token_is(s, i, ")") && i < s->n_tokens; i++) {
        words += s->tokens[i].kind == TOKEN_WORD && !token_is(s, i - 1, ".") &&
                 !token_is(s, i - 1, "->") && !token_is(s, i - 1, "::");
        if (s->tokens[i].match > i)
            i = s->tokens[i].match;
    }
    return words > 1 && token_is(s, i, "=") && !token_is(s, i + 1, "=");
}

static void count_loop(struct source *s, int i)
{
    int open = i + 1, close = s->tokens[open].match, sum;
    if (ends_do(s, i))
        sum = weight(s, s->tokens[i - 1].match, i - 1);
    else
        sum = weight(s, close + 1, statement_end(s, close + 1));
    if (token_is(s, i, "for")) {
        int at = second_semicolon(s, open);
        if (at >= 0 && sum)
            insert(s, at + 1, at + 1 == close ? " simgpu_count(%d)" : " simgpu_count(%d),", sum);
    } else if (!declares(s, open + 1)) {
        insert(s, open + 1, "simgpu_count(%d), ", sum + weight(s, open + 1, close - 1));
    }
}

/* The function whose body begins at token `body`, if it is one of the program's own. */
static void count_function(struct source *s, int body)
{
    int sum = weight(s, body + 1, s->tokens[body].match - 1), word = body;
    while (word > 0 && s->tokens[word].kind != TOKEN_WORD)
        word--;
    for (int i = body; i > 0 && !token_is(s, i, ";") && !token_is(s, i, "}"); i--)
        if (token_is(s, i, "constexpr"))
            return;
    if (sum && s->tokens[word].file)
        insert(s, body + 1, " simgpu_count(%d);", sum);
}

void count_arithmetic(struct source *s)
{
    for (int i = 1; i < s->n_tokens; i++) {
        if (!s->tokens[i].device_code)
            continue;
        if (token_is(s, i, "{") && !s->tokens[i - 1].device_code)
            count_function(s, i);
        else if (is_loop(s, i) && s->tokens[i].file)
            count_loop(s, i);
    }
}
