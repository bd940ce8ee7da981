/* return_address.h: a return address as it is in memory, which 64-bit Arm may have signed in its
 * upper bits (-mbranch-protection), as the address that it is. */
#ifndef RETURN_ADDRESS_H
#define RETURN_ADDRESS_H

#include <stdint.h>

static inline uintptr_t return_address(uintptr_t stored)
{
#if defined(__aarch64__)
    register uintptr_t link __asm__("x30") = stored;
    __asm__("hint #7" : "+r"(link)); /* xpaclri; without the extension it does nothing */
    return link;
#else
    return stored;
#endif
}

#endif
