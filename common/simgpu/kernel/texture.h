/* texture.h: texture and surface objects: what device code reads through them. */
#ifndef TEXTURE_H
#define TEXTURE_H

#include "memory/memory.h"

struct texture {
    bool is_live, is_surface;
    bool is_linear; /* of linear memory: by index only */
    unsigned char *base;
    struct texel_format format;
    int dimensions;
    int64_t size[3];                    /* in elements; 1 where it has no such dimension */
    size_t step[3];                     /* bytes from one element to the next */
    struct cudaResourceDesc resource;   /* as given */
    struct cudaTextureDesc description; /* of a texture: as given */
};

/* Their objects count from 1, and no number is used twice. */
unsigned long long texture_add(const struct texture *t);
/* NULL: there is no such object, or no longer. */
struct texture *texture_find(unsigned long long object);

#endif
