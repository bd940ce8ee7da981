/* source.h: preprocessed CUDA C++ as tokens, and the edits that make ordinary C++ of it.
 *
 * The tokens point into the text. Edits are collected in any order and applied at the end, so that
 * each step sees the learner's own tokens. No edit adds or removes a line, and words stay in their
 * columns: the compiler reports errors at the learner's file, line and column. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Single characters are tokens of their own, except in :: and ->. Line markers are no tokens. */
enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN, TOKEN_END };

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
    int match;        /* of a bracket ( [ {: its partner; else -1 */
    bool top_level;   /* in no braces but those of namespaces and extern "C" */
    bool device_code; /* in the body of a __global__ or __device__ function */
    const char *file; /* where the program has it; NULL: not known */
    int line, column; /* from 1 */
};

/* `removed` characters from `at` on become `text`. */
struct edit {
    const char *at;
    size_t removed;
    char *text;
    int order; /* among edits at the same place */
};

struct source {
    char *text;
    struct token *tokens; /* the last one is TOKEN_END */
    int n_tokens;
    struct edit *edits;
    int n_edits, cap_edits;
};

/* ---- source.c -------------------------------------------------------------------------------- */

_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *allocate(size_t bytes);

/* Reads the file and takes it apart. */
void source_read(struct source *s, const char *path);

bool token_is(const struct source *s, int i, const char *text);
/* Token i is one of the words, which end with NULL. */
bool is_one_of(const struct source *s, int i, const char *const *words);
/* The token after the closing bracket of the template arguments that begin at i with '<'. */
int skip_angles(const struct source *s, int i);

/* Inserts text before token i. */
void insert(struct source *s, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Tokens first to last become the text; the lines that they spanned stay. */
void replace(struct source *s, int first, int last, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Applies the edits and writes the text to stdout. */
void source_write(struct source *s);

/* ---- columns.c ------------------------------------------------------------------------------- */

/* Finds where in the program's own files the words stand: the preprocessor moves them. */
void find_columns(struct source *s);

/* rewrite.c: all steps, from the file to stdout. */
void source_rewrite(const char *path);

/* ---- the steps ------------------------------------------------------------------------------- */

/* device_code.c: finds the bodies of device functions; clock() and inline PTX in them. */
void mark_device_code(struct source *s);
void rewrite_device_code(struct source *s);
/* inline_ptx.c: the asm statement at token i. Returns its last token. */
int rewrite_inline_ptx(struct source *s, int i);
/* calls_graphs.c: may the function whose body begins at token `body` call cudaGraphLaunch? */
void find_graph_launches(struct source *s);
bool may_launch_graphs(const struct source *s, int body);
/* arithmetic.c: how much of it loops and device functions do. */
void count_arithmetic(struct source *s);
/* kernels.c: __global__ functions. */
int declared_kernel(const struct source *s, int marker); /* the token; -1: there is none */
void rewrite_kernels(struct source *s);
/* launches.c: <<<>>>. */
void rewrite_launches(struct source *s);
/* variables.c: __device__, __constant__, __managed__ and __shared__ variables. */
void rewrite_variables(struct source *s);
/* The name of the next variable that tokens *i to end, a semicolon, define; -1: there is none. */
int next_variable(const struct source *s, int *i, int end);
