/* simcc_first.h: what simcc includes before the first line of each source. */
#include "simgpu/kernel.h"
