/* The reference of lab 00: does what it should. */
#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    lab00_compute(lab);
    return 0;
}
