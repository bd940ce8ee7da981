/*
 * gpu_lock.h: gradings of this course that share a GPU take turns, in all checkouts and of all
 * users of the machine: any number of them run at once, unless one of them takes times.
 */
#ifndef GPU_LOCK_H
#define GPU_LOCK_H

#include <stdbool.h>

enum gpu_lock { GPU_SHARED = 1, GPU_ALONE };

/*
 * Locks the GPU of this UUID as `want` says, instead of as this process held it before, and waits
 * for others at most patience_s. False: it has waited that long, and holds nothing; or it cannot
 * make the files. The end of the process unlocks. `folder` is where everybody's files for it are.
 */
bool gpu_lock(const char *folder, const char *uuid, enum gpu_lock want, double patience_s);

#endif
