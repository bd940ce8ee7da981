/* memcpy_async.h: in place of NVIDIA's: copies to shared memory, which are done when wait()
 * returns. */
#ifndef SIMGPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMGPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
        to[i] = from[i];
}

template <typename Group> void wait(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
