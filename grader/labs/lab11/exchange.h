/*
 * exchange.h: the figures that the adapter of lab 11 reports to its suite.
 */
#ifndef LAB11_EXCHANGE_H
#define LAB11_EXCHANGE_H

struct figures {
    /* the first that is wrong with a watched step */
    double watched;    /* an enum lab11_watched */
    double watched_at; /* the row */
    double watched_is, watched_should;
    double rows_too_many; /* that kernels compute with stream launches, beyond the sequences */

    double step_us;     /* of the last batch, from an idle device to an idle device */
    double host_us;     /* the part of it in which lab11_decode had not returned */
    double cache_moved; /* 1: lab->cache has other addresses after the run */

    double graphs;        /* buckets with a graph of their own */
    double launches;      /* of graphs, in this run; a GPU does not say: -1 */
    double launched_rows; /* of the graph of lab->graphs that was launched; 0: none; -1: a GPU */
    double kernel_rows;   /* of the kernels in the last batch's graph; 0: none that tells */
    double programmatic;  /* edges of this graph that are */

    double pool_floats, pool_pieces; /* of scratch memory that was taken */
    double most_floats;              /* that are needed */
    double bad_releases;             /* of scratch memory */

    double read_us; /* the floor: to read all weights */
};

#endif
