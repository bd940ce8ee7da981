/*
 * given.h: what a submission of lab 11 is given: the pool of scratch memory, and prefill.
 */
#ifndef LAB11_GIVEN_H
#define LAB11_GIVEN_H

#include "labs/lab11_decode/lab.h"

/* Members allocate, release and prefill of the lab, whose numbers are set. */
cudaError_t given_create(struct lab11 *lab);
cudaError_t given_destroy(void);

/* Floats that the pool has allocated from the device. */
double given_pool_floats(void);

#endif
