/* kernels.c: a kernel becomes two functions, as with nvcc. The body goes into a device function;
 * the kernel's own name is that of a function for the host, which launches it:
 *
 *     template <int N> __global__ void K(float *a, int n = 3) { BODY }
 *
 *     template <int N> void simgpu_body_K(float *a, int n) { BODY }
 *     template <int N> void K(float *a, int n = 3)
 *     {
 *         …; simgpu_enter<…, &K<N>, &simgpu_body_K<N>>(…);
 *     } */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows. */
struct text {
    char *at;
    size_t length;
    FILE *file;
};

static FILE *text_open(struct text *t)
{
    t->file = open_memstream(&t->at, &t->length);
    if (!t->file)
        fatal("out of memory");
    return t->file;
}

static char *text_close(struct text *t)
{
    fclose(t->file);
    return t->at;
}

#define BOUNDS "simgpu_launch_bounds"

/* One declaration of a kernel. All are token numbers. */
struct kernel {
    int begin;       /* its first token */
    int marker;      /* __global__ */
    int name;        /* as declared */
    int bounds;      /* BOUNDS, or -1 */
    int open, close; /* of the parameters */
    int body;        /* the opening brace, or the semicolon */
};

enum { MAX_PARAMETERS = 64 };

/* ---- where things are ------------------------------------------------------------------------ */

static int declaration_begin(const struct source *s, int marker)
{
    int i = marker;
    while (i > 0 && !token_is(s, i - 1, ";") && !token_is(s, i - 1, "{") &&
           !token_is(s, i - 1, "}") &&
           !(token_is(s, i - 1, ":") && s->tokens[i - 2].kind == TOKEN_WORD))
        i = token_is(s, i - 1, ")") && s->tokens[i - 1].match >= 0 ? s->tokens[i - 1].match : i - 1;
    return i;
}

/* False: it is no declaration of a function. */
static bool find_parts(const struct source *s, int marker, struct kernel *k)
{
    static const char *const not_names[] = {"__attribute__", "alignas", "decltype",
                                            "noexcept",      BOUNDS,    NULL};
    k->marker = marker;
    k->begin = declaration_begin(s, marker);
    k->open = 0;
    for (int i = marker + 1; i < s->n_tokens; i++) {
        if (token_is(s, i, ";") || token_is(s, i, "{"))
            return false;
        if (!token_is(s, i, "("))
            continue;
        if (is_one_of(s, i - 1, not_names)) {
            i = s->tokens[i].match;
            continue;
        }
        k->open = i;
        break;
    }
    k->close = k->open ? s->tokens[k->open].match : -1;
    if (k->close < 0)
        return false;
    k->bounds = -1;
    for (int i = k->begin; i < k->open; i++)
        if (token_is(s, i, BOUNDS))
            k->bounds = i;
    k->name = k->open - 1;
    if (token_is(s, k->name, ">")) /* a specialization: k<float>(…) */
        for (int depth = 0; k->name > marker; k->name--) {
            depth += token_is(s, k->name, ">") - token_is(s, k->name, "<");
            if (depth == 0) {
                k->name--;
                break;
            }
        }
    for (k->body = k->close + 1; k->body < s->n_tokens; k->body++)
        if (token_is(s, k->body, "{") || token_is(s, k->body, ";"))
            return s->tokens[k->name].kind == TOKEN_WORD;
    return false;
}

int declared_kernel(const struct source *s, int marker)
{
    struct kernel k;
    return find_parts(s, marker, &k) ? k.name : -1;
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct parameter {
    int first, last; /* tokens, without the default argument */
    int end;         /* the comma or bracket after it */
    int name;        /* or -1 */
    bool is_pack;
    bool hides_kernel; /* has the kernel's name: the function for the host gives it another */
};

/* Is token `at`, a word, the name of the parameter, or the end of its type? */
static bool is_name(const struct source *s, int first, int at)
{
    static const char *const type_words[] = {"void",     "bool",  "char",   "short",    "int",
                                             "long",     "float", "double", "unsigned", "signed",
                                             "const",    "auto",  "size_t", "volatile", "wchar_t",
                                             "char16_t", NULL};
    static const char *const of_types[] = {"const", "volatile", "struct",   "class", "enum",
                                           "union", "typename", "register", NULL};
    if (is_one_of(s, at, type_words) || token_is(s, at - 1, "::"))
        return false;
    for (int i = first; i < at; i++)
        if (!is_one_of(s, i, of_types))
            return true;
    return false;
}

/* Of a pointer to a function: float (*f)(float); -1: it is none. */
static int pointer_name(const struct source *s, const struct parameter *p)
{
    for (int i = p->first; i < p->last; i++)
        if (token_is(s, i, "(") && (token_is(s, i + 1, "*") || token_is(s, i + 1, "&")) &&
            s->tokens[i + 2].kind == TOKEN_WORD)
            return i + 2;
    return -1;
}

static int parameter_name(const struct source *s, const struct parameter *p)
{
    int at = p->last, pointer = pointer_name(s, p);
    if (pointer >= 0)
        return pointer;
    while (at > p->first && token_is(s, at, "]"))
        at = s->tokens[at].match - 1;
    while (at > p->first && token_is(s, at, ")") && s->tokens[at].match > p->first)
        at = s->tokens[at].match - 2; /* an attribute after the name */
    return s->tokens[at].kind == TOKEN_WORD && is_name(s, p->first, at) ? at : -1;
}

/* Of a parameter list, or of a template's; `from` is after its opening bracket. */
static int find_parameters(const struct source *s, int from, int close, struct parameter *p)
{
    int n = 0;
    if (from == close || (token_is(s, from, "void") && from + 1 == close))
        return 0;
    for (int i = from; i < close; n++) {
        if (n == MAX_PARAMETERS)
            fatal("a kernel has more than %d parameters", MAX_PARAMETERS);
        p[n] = (struct parameter){.first = i, .last = -1, .name = -1};
        for (; i < close && !token_is(s, i, ","); i++) {
            if (token_is(s, i, "=") && p[n].last < 0)
                p[n].last = i - 1;
            for (int dot = 0; dot < 3 && token_is(s, i + dot, "."); dot++)
                p[n].is_pack = p[n].is_pack || dot == 2;
            if (token_is(s, i, "<"))
                i = skip_angles(s, i) - 1;
            else if (s->tokens[i].match > i)
                i = s->tokens[i].match;
        }
        p[n].end = i++;
        if (p[n].last < 0)
            p[n].last = p[n].end - 1;
        p[n].name = parameter_name(s, &p[n]);
    }
    return n;
}

static void print_token(FILE *f, const struct source *s, int i)
{
    fprintf(f, "%.*s", (int)s->tokens[i].length, s->tokens[i].at);
}

/* Tokens first to last on one line, without __launch_bounds__. */
static void print_tokens(FILE *f, const struct source *s, int first, int last)
{
    for (int i = first; i <= last; i++) {
        const struct token *t = &s->tokens[i];
        if (token_is(s, i, BOUNDS)) {
            i = s->tokens[i + 1].match;
            continue;
        }
        if (i > first && t->at != t[-1].at + t[-1].length)
            fputc(' ', f);
        print_token(f, s, i);
    }
}

static void print_name(FILE *f, const struct source *s, const struct parameter *p, int i)
{
    if (p->name >= 0 && !p->hides_kernel)
        print_token(f, s, p->name);
    else
        fprintf(f, "simgpu_parameter_%d", i);
}

/* Its declaration in the function for the host, without the default argument. */
static void print_parameter(FILE *f, const struct source *s, const struct parameter *p, int i)
{
    int before = p->name >= 0 && p->hides_kernel ? p->name - 1 : p->last;
    print_tokens(f, s, p->first, before);
    if (p->name < 0 || p->hides_kernel)
        fprintf(f, " simgpu_parameter_%d", i);
    print_tokens(f, s, before + 1 + (before < p->last), p->last);
}

/* ---- the two functions ----------------------------------------------------------------------- */

/* The parameters of the kernel's template; 0: it is none, or a specialization. */
static int template_parameters(const struct source *s, const struct kernel *k, struct parameter *p)
{
    int begin = k->begin;
    while (begin < k->marker && !token_is(s, begin, "template"))
        begin++;
    if (k->name + 1 < k->open || !token_is(s, begin, "template") || !token_is(s, begin + 1, "<"))
        return 0;
    int n = find_parameters(s, begin + 2, skip_angles(s, begin + 1) - 1, p);
    for (int i = 0; i < n; i++) { /* typename T, int N; but not std::enable_if_t<…>, int, T::type */
        int last = p[i].last;
        bool has_name =
            last > p[i].first && s->tokens[last].kind == TOKEN_WORD && !token_is(s, last - 1, "::");
        p[i].name = has_name ? last : pointer_name(s, &p[i]);
    }
    return n;
}

static void print_template_name(FILE *f, const struct source *s, const struct parameter *p, int i)
{
    if (p[i].name >= 0)
        print_token(f, s, p[i].name);
    else
        fprintf(f, "simgpu_template_%d", i);
}

/* <T, N> of a template, or <float> of a specialization. */
static void print_template_arguments(FILE *f, const struct source *s, const struct kernel *k)
{
    if (k->name + 1 < k->open) {
        print_tokens(f, s, k->name + 1, k->open - 1);
        return;
    }
    struct parameter p[MAX_PARAMETERS];
    int n = template_parameters(s, k, p);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "<", f);
        print_template_name(f, s, p, i);
        if (p[i].is_pack)
            fputs("...", f);
    }
    fputs(n ? ">" : "", f);
}

/* What stands before the marker, with a name for each parameter of a template. */
static void print_specifiers(FILE *f, const struct source *s, const struct kernel *k)
{
    struct parameter p[MAX_PARAMETERS];
    int n = template_parameters(s, k, p), from = k->begin;
    for (int i = 0; i < n; i++) {
        if (p[i].name >= 0)
            continue;
        print_tokens(f, s, from, p[i].last);
        fprintf(f, " simgpu_template_%d ", i);
        from = p[i].last + 1;
    }
    print_tokens(f, s, from, k->marker - 1);
}

/* The kernel's own declaration again, on one line, with or without its default arguments. */
static void print_declaration(FILE *f, const struct source *s, const struct kernel *k,
                              const struct parameter *p, int n, bool with_defaults)
{
    fputc(' ', f);
    print_specifiers(f, s, k);
    fputc(' ', f);
    print_tokens(f, s, k->marker + 1, k->open);
    for (int i = 0; i < n; i++) {
        print_parameter(f, s, &p[i], i);
        if (with_defaults && p[i].last + 1 < p[i].end) {
            fputc(' ', f);
            print_tokens(f, s, p[i].last + 1, p[i].end - 1);
        }
        if (i + 1 < n)
            fputs(", ", f);
    }
    fputc(')', f);
}

/* Of the kernel's function for the host, or of its body: a constant, whatever overloads it has. */
static void print_address(FILE *f, const struct source *s, const struct kernel *k,
                          const struct parameter *p, int n, const char *prefix)
{
    fputs("static_cast<void (*)(", f);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", simgpu_parameter<decltype(" : "simgpu_parameter<decltype(", f);
        print_name(f, s, &p[i], i);
        fputs(p[i].is_pack ? ")>..." : ")>", f);
    }
    fprintf(f, ")>(&%s%.*s", prefix, (int)s->tokens[k->name].length, s->tokens[k->name].at);
    print_template_arguments(f, s, k);
    fputc(')', f);
}

static void print_launch(FILE *f, const struct source *s, const struct kernel *k,
                         const struct parameter *p, int n)
{
    const struct token *name = &s->tokens[k->name];
    fprintf(f,
            " { struct simgpu_this { static constexpr const char *name() { return \"%.*s\"; } "
            "static constexpr bool launches_graphs() { return %s; } "
            "static constexpr int max_threads() { return simgpu_max_threads",
            (int)name->length, name->at, may_launch_graphs(s, k->body) ? "true" : "false");
    if (k->bounds >= 0)
        print_tokens(f, s, k->bounds + 1, s->tokens[k->bounds + 1].match);
    else
        fputs("()", f);
    fputs("; } }; simgpu_enter<simgpu_this, ", f);
    print_address(f, s, k, p, n, "");
    fputs(", ", f);
    print_address(f, s, k, p, n, "simgpu_body_");
    fputs(">(", f);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", simgpu_argument<decltype(" : "simgpu_argument<decltype(", f);
        print_name(f, s, &p[i], i);
        fputs(")>{", f);
        print_name(f, s, &p[i], i);
        fputs(p[i].is_pack ? "}..." : "}", f);
    }
    fputs("); }", f);
}

/* What the kernel's variables in shared memory take is known from program start. */
static void declare_shared(struct source *s, const struct kernel *k, const struct parameter *p,
                           int n)
{
    for (int i = k->body; i < s->tokens[k->body].match; i++) {
        if (!token_is(s, i, "simgpu_shared"))
            continue;
        int end = i, name;
        while (!token_is(s, end, ";") && end < s->n_tokens)
            end = s->tokens[end].match > end ? s->tokens[end].match : end + 1;
        if (token_is(s, end - 1, "]") && token_is(s, end - 2, "[")) /* the launch says how much */
            continue;
        for (int next = i + 1; (name = next_variable(s, &next, end)) >= 0;) {
            struct text body;
            print_address(text_open(&body), s, k, p, n, "simgpu_body_");
            insert(s, end + 1,
                   " static_cast<void>(&simgpu_shared_variable<%s, %d, sizeof(%.*s)>::added);",
                   text_close(&body), name, (int)s->tokens[name].length, s->tokens[name].at);
            free(body.at);
        }
    }
}

static bool has_name_of(const struct source *s, const struct kernel *k, int i)
{
    const struct token *name = &s->tokens[k->name];
    return s->tokens[i].kind == TOKEN_WORD && s->tokens[i].length == name->length &&
           memcmp(s->tokens[i].at, name->at, name->length) == 0;
}

static bool names_itself(const struct source *s, const struct kernel *k, const struct parameter *p,
                         int n)
{
    for (int i = 0; i < n; i++)
        if (p[i].hides_kernel)
            return false;
    for (int i = k->body; i < s->tokens[k->body].match; i++)
        if (has_name_of(s, k, i))
            return true;
    return false;
}

static void rewrite_kernel(struct source *s, const struct kernel *k)
{
    struct parameter p[MAX_PARAMETERS];
    int n = find_parameters(s, k->open + 1, k->close, p);
    bool is_definition = token_is(s, k->body, "{");
    if (is_definition)
        declare_shared(s, k, p, n);
    for (int i = 0; i < n; i++)
        p[i].hides_kernel = p[i].name >= 0 && has_name_of(s, k, p[i].name);
    bool launches_itself = is_definition && names_itself(s, k, p, n);
    struct text host;
    FILE *f = text_open(&host);
    if (launches_itself) { /* the body comes before the function for the host */
        print_declaration(f, s, k, p, n, true);
        insert(s, k->begin, "%s; ", text_close(&host));
        free(host.at);
        f = text_open(&host);
    }
    print_declaration(f, s, k, p, n, !launches_itself);
    if (is_definition) {
        print_launch(f, s, k, p, n);
    } else {
        fputc(';', f);
    }
    insert(s, (is_definition ? s->tokens[k->body].match : k->body) + 1, "%s", text_close(&host));
    free(host.at);

    if (k->bounds >= 0)
        replace(s, k->bounds, s->tokens[k->bounds + 1].match, "%s", "");
    insert(s, k->name, "simgpu_body_");
    struct parameter of_template[MAX_PARAMETERS];
    int n_of_template = template_parameters(s, k, of_template);
    for (int i = 0; i < n_of_template; i++)
        if (of_template[i].name < 0)
            insert(s, of_template[i].last + 1, " simgpu_template_%d", i);
    for (int i = 0; i < n; i++) {
        if (p[i].name < 0)
            insert(s, p[i].last + 1, " simgpu_parameter_%d", i);
        if (p[i].last + 1 < p[i].end)
            replace(s, p[i].last + 1, p[i].end - 1, "%s", "");
    }
}

void rewrite_kernels(struct source *s)
{
    for (int i = 0; i < s->n_tokens; i++) {
        struct kernel k;
        if (!token_is(s, i, "simgpu_global"))
            continue;
        replace(s, i, i, "%s", "");
        if (find_parts(s, i, &k))
            rewrite_kernel(s, &k);
    }
}
