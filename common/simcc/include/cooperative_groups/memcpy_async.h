/* memcpy_async.h: it is in cooperative_groups.h here. */
#include "../cooperative_groups.h"
