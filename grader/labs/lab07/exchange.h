/*
 * exchange.h: the figures that the adapter of lab 07 reports to its suite.
 */
#ifndef LAB07_EXCHANGE_H
#define LAB07_EXCHANGE_H

struct figures {
    double returned;            /* what a call returned: a cudaError_t */
    double given_launches;      /* of the graphs that the submission was given */
    double refused;             /* why a launch by the device was: an enum lab07_cause */
    double by_host;             /* launches by the host */
    double launched_to_upload;  /* 1: each graph was launched once by the host, to upload it */
    double relaunches;          /* of the launcher by itself */
    double sum_before_relaunch; /* 1: the sum was launched before the launcher */
    double own_nodes;           /* of the last graph that the submission made */

    /* how they were launched last: an enum lab07_mode */
    double workers_as, sum_as, root_as, handlers_as;
};

#endif
