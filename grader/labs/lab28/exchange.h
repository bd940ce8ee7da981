/*
 * exchange.h: what the suite and the adapter of lab 28 exchange.
 */
#ifndef LAB28_EXCHANGE_H
#define LAB28_EXCHANGE_H

struct numbers {
    long n; /* floats in a buffer */
    long n_buffers, n_ops, steps;
    long seed; /* of the operations */
};

struct figures {
    double own_bytes;               /* of device memory that the submission has allocated */
    double kernels, clears, copies; /* nodes of the graph: of kernels, memsets and memcpys */
    double is_reversed; /* node i is operation n_ops - 1 - i; else: operation i, if it is known */
    double exchanged; /* nodes whose arguments are out and in of their operation, exchanged; -1: the
                         nodes are those of the operations in another order */
    double is_other_order; /* each operation has a node, in another order than that of the list,
                              which is not the reverse */
    double other_node;     /* the first node with another kernel or argument than its operation; -1:
                              there is none, or another order */
    double other_kind, other_out, other_in, other_steps, other_n; /* of that node */
    double wrong_grid_node; /* the first kernel whose blocks do not have LAB28_BLOCK_THREADS
                               threads, or are too few; -1: there is none */
    double wrong_grid_blocks, wrong_grid_threads; /* of that node; threads of a block */
    double is_captured;                           /* a part of the graph, or all of it */
    double chain_us; /* the floor: a launch of the longest chain of operations with hazards */
};

#endif
