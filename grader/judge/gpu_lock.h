/* gpu_lock.h: gradings of this course that share GPUs take turns, in all checkouts and of all users
 * of the machine: any number of them run at once, unless one of them measures times. */
#pragma once

#include <stdbool.h>

enum gpu_lock { GPU_SHARED = 1, GPU_ALONE };

/* Locks the n GPUs (SESSION_GPUS at most) of these UUIDs as `want` says, instead of as this process
 * held them before, and waits for others at most patience_s. False: it has waited that long, and
 * holds nothing; or it cannot make the files. The end of the process unlocks. A process always
 * names the same GPUs, in any order. `folder` is where everybody's files for them are. */
bool gpu_lock(const char *folder, const char *const uuids[], int n, enum gpu_lock want,
              double patience_s);
void gpu_unlock(void);
/* In a process that was forked: its locks are its own from here on, and it holds none yet. */
void gpu_lock_forget(void);
