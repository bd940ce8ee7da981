/* Right, on a simulated device whose virtual time has CPU time in it. */
#include <stdint.h>

#include "../lab00/lab.h"

int64_t simgpu_count_computing(int64_t allowed_ns)
{
    return allowed_ns < 0 ? 1 : 0;
}

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    return 0;
}
