/* memory_page.h: the size of a page of memory, which the kernel says: 4, 16 or 64 KiB. Nothing else
 * in the course asks for it or assumes one. */
#ifndef MEMORY_PAGE_H
#define MEMORY_PAGE_H

#include <stddef.h>
#include <unistd.h>

static inline size_t memory_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* So many bytes, in whole pages. */
static inline size_t memory_pages(size_t bytes)
{
    const size_t page = memory_page();
    return (bytes + page - 1) / page * page;
}

#endif
