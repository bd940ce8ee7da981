/*
 * updates.h: are the evicted executable graphs of lab 09 updated?
 */
#ifndef LAB09_UPDATES_H
#define LAB09_UPDATES_H

/* Scenarios of their own. With each miss that evicts a graph with as many kernels, is that one
   updated? And where an update fails, is it replaced? */
void lab09_expect_updates(void);

#endif
