/* fat_binary.c: the code of nvcc for the GPU is a row of entries, one for each architecture. An
 * entry is PTX or an ELF file. In the ELF file, each variable is a symbol; its section holds the
 * initial value. */
#include "fat_binary.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum { WRAPPER_MAGIC = 0x466243b1, ENTRY_IS_ELF = 2 };
#define HEADER_MAGIC 0xba55ed50u

/* What the program registers. */
struct wrapper {
    uint32_t magic, version;
    const struct header *header;
};

struct header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* of all entries */
};

/* One architecture; the code follows it. */
struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes; /* of the code */
};

/* An ELF file in memory. */
struct elf {
    const unsigned char *at;
    size_t bytes;
};

static const void *part(const struct elf *e, uint64_t offset, uint64_t bytes)
{
    return offset <= e->bytes && bytes <= e->bytes - offset ? e->at + offset : NULL;
}

static const Elf64_Shdr *section(const struct elf *e, unsigned i)
{
    const Elf64_Ehdr *h = part(e, 0, sizeof *h);
    if (!h || i >= h->e_shnum || h->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    return part(e, h->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

static bool is_named(const struct elf *e, const Elf64_Shdr *names, const Elf64_Sym *s,
                     const char *name)
{
    size_t bytes = strlen(name) + 1;
    const char *its = part(e, names->sh_offset + s->st_name, bytes);
    return its && memcmp(its, name, bytes) == 0;
}

/* The symbol's value, if it is of this size. */
static bool copy_value(const struct elf *e, const Elf64_Sym *s, void *to, size_t bytes)
{
    const Elf64_Shdr *in = section(e, s->st_shndx);
    if (!in || in->sh_type == SHT_NOBITS || s->st_size != bytes)
        return false;
    const void *value = part(e, in->sh_offset + s->st_value, bytes);
    if (value)
        memcpy(to, value, bytes);
    return value != NULL;
}

static bool find_value(const struct elf *e, const char *name, void *to, size_t bytes)
{
    const Elf64_Shdr *table;
    for (unsigned i = 0; (table = section(e, i)); i++) {
        const Elf64_Shdr *names = table->sh_type == SHT_SYMTAB ? section(e, table->sh_link) : NULL;
        for (uint64_t at = 0; names && at < table->sh_size; at += sizeof(Elf64_Sym)) {
            const Elf64_Sym *s = part(e, table->sh_offset + at, sizeof *s);
            if (s && ELF64_ST_TYPE(s->st_info) == STT_OBJECT && is_named(e, names, s, name))
                return copy_value(e, s, to, bytes);
        }
    }
    return false;
}

bool fat_binary_value(const void *fat_cubin, const char *name, void *to, size_t bytes)
{
    const struct wrapper *w = fat_cubin;
    if (!w || w->magic != WRAPPER_MAGIC || !w->header || w->header->magic != HEADER_MAGIC)
        return false;
    const unsigned char *at = (const unsigned char *)w->header + w->header->header_bytes;
    for (const unsigned char *end = at + w->header->bytes; at < end;) {
        const struct entry *entry = (const struct entry *)(const void *)at;
        const struct elf e = {at + entry->header_bytes, entry->bytes};
        bool is_elf = entry->kind == ENTRY_IS_ELF && memcmp(e.at, ELFMAG, SELFMAG) == 0;
        if (is_elf && find_value(&e, name, to, bytes))
            return true;
        at = e.at + e.bytes;
    }
    return false;
}
