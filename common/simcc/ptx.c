/* ptx.c: instructions of PTX become C++. The text is taken apart at its semicolons: declarations of
 * registers, which become variables, and instructions, which ptx_instructions.def has. */
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 12, MAX_OPERANDS = 8, MAX_TEXT = 256, MAX_REGISTERS = 64 };

/* The registers that the text declares. */
struct registers {
    char names[MAX_REGISTERS][MAX_TEXT];
    int n;
};

struct instruction {
    char name[MAX_TEXT];
    const char *words[MAX_WORDS]; /* of the name, which dots separate */
    int n_words;
    char operands[MAX_OPERANDS][MAX_TEXT];
    int n_operands;
    char guard[MAX_TEXT]; /* the predicate after @, or "" */
    bool is_guard_not;
    const struct registers *registers;
};

/* ---- words of a name ------------------------------------------------------------------------- */

/* The type in C++ of a type in PTX, or NULL. */
static const char *type_of(const char *word)
{
    static const char *const types[][2] = {
        {"u8", "uint8_t"},   {"s8", "int8_t"},    {"b8", "uint8_t"},   {"u16", "uint16_t"},
        {"s16", "int16_t"},  {"b16", "uint16_t"}, {"u32", "uint32_t"}, {"s32", "int32_t"},
        {"b32", "uint32_t"}, {"f32", "float"},    {"u64", "uint64_t"}, {"s64", "int64_t"},
        {"b64", "uint64_t"}, {"f64", "double"},   {"pred", "bool"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(word, types[i][0]))
            return types[i][1];
    return NULL;
}

/* Caches, order among threads, where memory is, and the usual rounding. */
static bool makes_no_difference(const char *word)
{
    static const char *const words[] = {
        "rn",      "ftz",     "approx",  "full", "lo",  "global", "shared", "volatile", "relaxed",
        "acquire", "release", "acq_rel", "sc",   "gpu", "sys",    "cta",    "nc",       "ca",
        "cg",      "cs",      "cv",      "lu",   "wb",  "wt",     "sync",   "aligned",  "uni",
        "v2",      "v4",      "gl",      "weak", "L2",  "L1"};
    if (!strncmp(word, "L1::", 4) || !strncmp(word, "L2::", 4))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

static bool has_word(const struct instruction *in, const char *word, size_t length)
{
    for (int i = 1; i < in->n_words; i++)
        if (strlen(in->words[i]) == length && !strncmp(in->words[i], word, length))
            return true;
    return false;
}

/* Does the instruction have all the words of the row's name, and no other that matters? */
static bool fits(const struct instruction *in, const char *name)
{
    size_t first = strcspn(name, ".");
    if (strlen(in->words[0]) != first || strncmp(in->words[0], name, first) != 0)
        return false;
    for (const char *word = name + first; *word; word += strcspn(word, ".")) {
        word++;
        if (!has_word(in, word, strcspn(word, ".")))
            return false;
    }
    for (int i = 1; i < in->n_words; i++) {
        const char *found = strstr(name + first, in->words[i]);
        size_t end = strlen(in->words[i]);
        bool is_of_row = found && found[-1] == '.' && (found[end] == '.' || found[end] == 0);
        if (!is_of_row && !type_of(in->words[i]) && !makes_no_difference(in->words[i]))
            return false;
    }
    return true;
}

/* The instruction's n-th type, or its last one; the default: it has none. */
static const char *nth_type(const struct instruction *in, int n)
{
    const char *type = "uint32_t";
    for (int i = 1; i < in->n_words && n >= 0; i++)
        if (type_of(in->words[i])) {
            type = type_of(in->words[i]);
            n--;
        }
    return type;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* A special register, or NULL. */
static const char *special_register(const char *name)
{
    static const char *const registers[][2] = {{"globaltimer", "device_time_ns()"},
                                               {"clock64", "clock64()"},
                                               {"clock", "simgpu_clock()"},
                                               {"laneid", "simgpu_lane()"},
                                               {"lanemask_eq", "(1u << simgpu_lane())"},
                                               {"lanemask_lt", "((1u << simgpu_lane()) - 1)"},
                                               {"lanemask_le", "((2u << simgpu_lane()) - 1)"},
                                               {"lanemask_gt", "(~((2u << simgpu_lane()) - 1))"},
                                               {"lanemask_ge", "(~((1u << simgpu_lane()) - 1))"},
                                               {"nsmid", "simgpu_sm_count()"},
                                               {"smid", "simgpu_sm()"},
                                               {"tid.x", "threadIdx.x"},
                                               {"tid.y", "threadIdx.y"},
                                               {"tid.z", "threadIdx.z"},
                                               {"ntid.x", "blockDim.x"},
                                               {"ntid.y", "blockDim.y"},
                                               {"ntid.z", "blockDim.z"},
                                               {"ctaid.x", "blockIdx.x"},
                                               {"ctaid.y", "blockIdx.y"},
                                               {"ctaid.z", "blockIdx.z"},
                                               {"nctaid.x", "gridDim.x"},
                                               {"nctaid.y", "gridDim.y"},
                                               {"nctaid.z", "gridDim.z"}};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (!strcmp(name, registers[i][0]))
            return registers[i][1];
    return NULL;
}

static bool write_register(FILE *f, const struct instruction *in, const char *name)
{
    fprintf(f, "simgpu_register_%s", name);
    for (int i = 0; i < in->registers->n; i++)
        if (!strcmp(in->registers->names[i], name))
            return true;
    return false;
}

/* One operand as C++: a variable, a register, a number. False: it is none of these. */
static bool write_operand(FILE *f, const struct instruction *in, const char *text)
{
    if (*text == '%') {
        const char *name = special_register(text + 1);
        if (!name && !isdigit((unsigned char)text[1]))
            return write_register(f, in, text + 1);
        fprintf(f, name ? "%s" : "simgpu_ptx_%s", name ? name : text + 1);
        return true;
    }
    if (!strncmp(text, "0f", 2) || !strncmp(text, "0F", 2)) {
        fprintf(f, "simgpu_bits<float>(0x%su)", text + 2);
        return true;
    }
    if (!strncmp(text, "0d", 2) || !strncmp(text, "0D", 2)) {
        fprintf(f, "simgpu_bits<double>(0x%sull)", text + 2);
        return true;
    }
    if (isdigit((unsigned char)*text) || *text == '-') {
        fputs(text, f);
        return true;
    }
    if (*text == '!')
        fputc('!', f);
    return write_register(f, in, text + (*text == '!'));
}

/* [address + offset], `more` bytes further on. */
static bool write_address(FILE *f, const struct instruction *in, const char *text, int more,
                          const char *type)
{
    char base[MAX_TEXT];
    size_t length = strcspn(text + 1, "+-]");
    if (*text != '[' || length >= sizeof base)
        return false;
    memcpy(base, text + 1, length);
    base[length] = 0;
    bool is_copy = !strcmp(in->words[0], "cp"); /* from global memory to shared memory */
    bool is_shared = is_copy ? text == in->operands[0] : has_word(in, "shared", 6);
    fputs(is_shared ? "(simgpu_ptx_shared(simgpu_ptx_as<uintptr_t>("
                    : "((simgpu_ptx_as<uintptr_t>(",
          f);
    if (!write_operand(f, in, base))
        return false;
    fprintf(f, "))%.*s + %d * sizeof(%s))", (int)strcspn(text + 1 + length, "]"), text + 1 + length,
            more, type);
    return true;
}

/* The part of a list in braces; the text itself if it is none. */
static const char *part_of(const char *text, int part, char *space)
{
    if (*text != '{')
        return text;
    text++;
    for (; part > 0; part--)
        text += strcspn(text, ",}") + 1;
    size_t length = strcspn(text, ",}");
    memcpy(space, text, length);
    space[length] = 0;
    return space;
}

static int n_parts(const char *text)
{
    int n = 1;
    for (; *text; text++)
        n += *text == ',';
    return n;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static const struct row {
    const char *name;
    int n_operands;
    const char *expression;
} rows[] = {
#define PTX(name, n_operands, expression) {name, n_operands, expression},
#include "ptx_instructions.def"
#undef PTX
};

/* The row's expression, of operands from `first` on; part is that of lists. */
static bool write_expression(FILE *f, const struct instruction *in, const struct row *row,
                             int first, int part)
{
    char space[MAX_TEXT];
    for (const char *c = row->expression; *c; c++) {
        bool is_number = isdigit((unsigned char)c[1]);
        const char *operand = is_number ? in->operands[first + c[1] - '1'] : NULL;
        if (*c == '$' && c[1] == 'T') {
            fputs(nth_type(in, 0), f);
        } else if (*c == '$' && c[1] == 'S') {
            fputs(nth_type(in, 1), f);
        } else if (*c == '$' && c[1] == 'P') {
            fputs("simgpu_ptx_is_inside", f);
        } else if (*c == '$' && is_number) {
            fprintf(f, "simgpu_ptx_as<%s>(", nth_type(in, 0));
            if (!write_operand(f, in, part_of(operand, part, space)))
                return false;
            fputc(')', f);
        } else if (*c == '#' && is_number) {
            if (!write_operand(f, in, operand))
                return false;
        } else if (*c == '@' && is_number) {
            if (!write_address(f, in, operand, part, nth_type(in, 0)))
                return false;
        } else {
            fputc(*c, f);
            continue;
        }
        c++;
    }
    return true;
}

/* d, or d|p, where shfl and setp write p, too. `_` stands for no register. */
static bool write_destination(FILE *f, const struct instruction *in, const char *text,
                              const char *predicate)
{
    char name[MAX_TEXT];
    size_t length = strcspn(text, "|");
    memcpy(name, text, length);
    name[length] = 0;
    if (text[length] == '|' && strcmp(text + length, "|_") != 0) {
        fputs("simgpu_ptx_set(", f);
        if (!write_operand(f, in, text + length + 1))
            return false;
        fprintf(f, ", %s); ", predicate);
    }
    if (!strcmp(name, "_"))
        return true;
    fputs("simgpu_ptx_set(", f);
    if (!write_operand(f, in, name))
        return false;
    fputs(", simgpu_ptx_value); ", f);
    return true;
}

/* mov of a wide register from a list, or to one. */
static bool write_pack(FILE *f, const struct instruction *in)
{
    const char *list = in->operands[*in->operands[0] != '{'],
               *wide = in->operands[list != in->operands[1]];
    char space[MAX_TEXT];
    bool packs = list == in->operands[1];
    fprintf(f, packs ? "simgpu_ptx_set(" : "simgpu_ptx_unpack(");
    if (!write_operand(f, in, wide))
        return false;
    if (packs)
        fprintf(f, ", simgpu_ptx_pack<%s>(", nth_type(in, 0));
    for (int i = 0; i < n_parts(list); i++) {
        fputs(packs && i == 0 ? "" : ", ", f);
        if (!write_operand(f, in, part_of(list, i, space)))
            return false;
    }
    fputs(packs ? ")); " : "); ", f);
    return true;
}

static bool write_row(FILE *f, const struct instruction *in, const struct row *row)
{
    bool has_destination = in->n_operands == row->n_operands + 1;
    char space[MAX_TEXT];
    int parts = 1;
    for (int i = 0; i < in->n_operands; i++)
        if (*in->operands[i] == '{')
            parts = n_parts(in->operands[i]);
    if (parts > 1 && !strcmp(in->words[0], "mov"))
        return write_pack(f, in);
    for (int part = 0; part < parts; part++) {
        fputs("{ [[maybe_unused]] bool simgpu_ptx_is_inside = false; ", f);
        if (has_destination)
            fputs("auto simgpu_ptx_value = ", f);
        if (!write_expression(f, in, row, has_destination, part))
            return false;
        fputs("; ", f);
        if (has_destination &&
            !write_destination(f, in, part_of(in->operands[0], part, space),
                               strcmp(in->words[0], "setp") ? "simgpu_ptx_is_inside"
                                                            : "!simgpu_ptx_value"))
            return false;
        fputs("} ", f);
    }
    return true;
}

static bool write_instruction(FILE *f, const struct instruction *in)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int with_destination = in->n_operands - rows[i].n_operands;
        if (!(with_destination == 0 || with_destination == 1) || !fits(in, rows[i].name))
            continue;
        if (*in->guard) {
            fprintf(f, "if (%s", in->is_guard_not ? "!" : "");
            if (!write_operand(f, in, in->guard))
                return false;
            fputs(") ", f);
        }
        fputs("{ ", f);
        bool is_written = write_row(f, in, &rows[i]);
        fputs("} ", f);
        return is_written;
    }
    return false;
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Copies without spaces, up to a character of `ends` outside of brackets. Returns the rest, or
 * NULL. */
static const char *copy_word(char *to, const char *text, const char *ends)
{
    int depth = 0;
    size_t n = 0;
    for (; *text && (depth > 0 || !strchr(ends, *text)); text++) {
        depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
        if (isspace((unsigned char)*text))
            continue;
        if (n + 1 == MAX_TEXT)
            return NULL;
        to[n++] = *text;
    }
    to[n] = 0;
    return text;
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t\n\r\f\v");
}

/* .reg .u32 a, b */
static bool write_registers(FILE *f, struct registers *r, const char *text)
{
    char word[MAX_TEXT];
    text = copy_word(word, skip_spaces(text + 4), " \t\n");
    if (!text || *word != '.' || !type_of(word + 1))
        return false;
    const char *type = type_of(word + 1);
    while (*(text = skip_spaces(text))) {
        text = copy_word(word, text, ",");
        if (!text || strchr(word, '<') || r->n == MAX_REGISTERS)
            return false;
        strcpy(r->names[r->n++], word + (*word == '%'));
        fprintf(f, "[[maybe_unused]] %s simgpu_register_%s = %s(); ", type, r->names[r->n - 1],
                type);
        text += *text == ',';
    }
    return true;
}

static bool read_instruction(struct instruction *in, const struct registers *r, const char *text)
{
    *in = (struct instruction){.registers = r};
    if (*text == '@') {
        in->is_guard_not = text[1] == '!';
        text = copy_word(in->guard, text + 1 + in->is_guard_not, " \t\n");
        text = text ? skip_spaces(text) : NULL;
    }
    if (!text || !(text = copy_word(in->name, text, " \t\n")))
        return false;
    for (char *word = in->name; word && in->n_words < MAX_WORDS;) {
        char *dot = strchr(word, '.');
        in->words[in->n_words++] = word;
        if (dot)
            *dot++ = 0;
        word = dot;
    }
    if (!strcmp(in->words[0], "red")) /* has no destination */
        in->words[0] = "atom";
    while (*(text = skip_spaces(text))) {
        if (in->n_operands == MAX_OPERANDS)
            return false;
        text = copy_word(in->operands[in->n_operands++], text, ",");
        if (!text)
            return false;
        text += *text == ',';
    }
    return true;
}

bool ptx_translate(FILE *f, const char *text)
{
    struct registers registers = {.n = 0};
    while (*(text = skip_spaces(text))) {
        if (strchr("{};", *text)) { /* a block has registers of its own */
            fprintf(f, "%c ", *text++);
            continue;
        }
        size_t length = strcspn(text, ";");
        char *statement = strndup(text, length);
        struct instruction in;
        bool is_known = statement && (!strncmp(statement, ".reg", 4)
                                          ? write_registers(f, &registers, statement)
                                          : read_instruction(&in, &registers, statement) &&
                                                write_instruction(f, &in));
        free(statement);
        if (!is_known)
            return false;
        text += length;
    }
    return true;
}
