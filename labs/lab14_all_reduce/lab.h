/*
 * Lab 14: tensor parallelism over several GPUs, with an all-reduce, in one graph.
 *
 * A step computes n_layers layers, as in lab 11 without attention and norm:
 *
 *     x = x + max(0, x a[k]) b[k]       x: rows x n    a[k]: n x m    b[k]: m x n
 *
 * All of them are floats, row major.
 *
 * Each device has the whole x and a part of all weights: some columns of each a[k], and the same
 * rows of each b[k]. So it computes a partial sum p of rows x n floats, the message:
 *
 *     device 0    x -> [up] -> [down] -> p0 \                   / -> x + p0 + p1 + ...
 *     device 1    x -> [up] -> [down] -> p1  -> all-reduce ----<  -> x + p0 + p1 + ...
 *     device 2    x -> [up] -> [down] -> p2 /                   \ -> x + p0 + p1 + ...
 *
 * Every device adds in the order ((x + p0) + p1) + ..., as launch_sum_parts does. So all devices
 * get the same bits.
 *
 * Something of `total` elements is split into parts. Part d, of device d, has the elements d *
 * total / n_devices to (d + 1) * total / n_devices - 1: columns of a, rows of b, floats of a
 * message.
 *
 * Each function returns the first error it gets. The grader then stops and does not clean up.
 */
#ifndef LAB14_H
#define LAB14_H

#include <cuda_runtime_api.h>
#include <stddef.h>

enum { LAB14_MOST_DEVICES = 8 };

enum lab14_algorithm {
    LAB14_CHOOSE,   /* as lab14_choose decides */
    LAB14_ONE_SHOT, /* each device sends its whole partial sum to each other device */
    LAB14_TWO_SHOT  /* reduce-scatter: device d gets part d of all partial sums, and adds.
                       All-gather: it sends the result to each other device */
};

struct lab14 {
    /* given */
    int n_devices;                  /* 1 to LAB14_MOST_DEVICES; uses devices 0 to n_devices - 1 */
    int n_layers;                   /* 1 or more */
    int rows, n, m;                 /* m and rows * n are n_devices or more */
    enum lab14_algorithm algorithm; /* of all layers */
    double exchange_us;             /* for lab14_choose */
    double gbps;
    const float *a, *b; /* n_layers matrices each, pageable; they do not change until teardown */
    const float *x[LAB14_MOST_DEVICES]; /* on each device, in its memory: input, the same on all */
    float *y[LAB14_MOST_DEVICES];       /* on each device, in its memory: result */

    /* yours, set by lab14_setup and valid until lab14_teardown. The grader inspects its nodes and
       edges */
    cudaGraph_t graph;

    /* yours: whatever else you keep from setup to teardown */
    struct lab14_state *state;
};

/*
 * The faster algorithm for a message of so many bytes. In an exchange, each device sends something
 * to each other device. That takes exchange_us, and in addition the time of all bytes that a device
 * sends, at `gbps` GB/s (1 GB/s is 1000 bytes per us). One-shot is one exchange of whole messages,
 * two-shot is two exchanges of parts, bytes / n_devices each. If both take equally long, or there
 * is one device: LAB14_ONE_SHOT.
 */
enum lab14_algorithm lab14_choose(int n_devices, size_t bytes, double exchange_us, double gbps);

/*
 * Not timed. Device 0 is current. Enables peer access of each device to each other one, if that is
 * possible. Copies each device's weights to it, captures the step and instantiates it. Data goes
 * from device to device by copies: a kernel uses memory of its own device.
 */
cudaError_t lab14_setup(struct lab14 *lab);

/* Timed, and called more than once. Device 0 is current. One launch of the graph, and no other
   work; when it returns, y is complete on all devices. */
cudaError_t lab14_run(struct lab14 *lab);

/* Not timed. Frees everything that lab14_setup allocated or created, and disables the peer access
   that it enabled. */
cudaError_t lab14_teardown(struct lab14 *lab);

#endif
