/*
 * refused.h: why the runtime refused to add a node.
 */
#ifndef LAB08_REFUSED_H
#define LAB08_REFUSED_H

/* What is wrong with the latest cudaGraphAddNode that failed; something general if that is not
   known. Stays valid. */
const char *lab08_refused(void);

#endif
