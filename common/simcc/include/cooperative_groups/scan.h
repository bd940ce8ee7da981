/* scan.h: the scans are in cooperative_groups.h here. */
#include "../cooperative_groups.h"
