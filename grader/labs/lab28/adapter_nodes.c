/* adapter_nodes.c: the nodes of a submission's graph compared with the operations, see nodes.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "drawing.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab28/causes.h"
#include "nodes.h"
#include "subject/calls.h"

static bool is_captured;

void nodes_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaStreamBeginCapture ||
        call->function == CALL_cudaStreamBeginCaptureToGraph)
        is_captured = true;
}

/* A node as an operation, its n and its grid. A buffer is -1 if it is none of the lab's. */
struct node {
    struct lab28_op op;
    int n;
    size_t blocks, threads; /* along x, where the kernels look for their element */
};

static int buffer_of(const struct lab28 *lab, const void *argument)
{
    int i = lab->n_buffers - 1;
    while (i >= 0 && lab->buffers[i] != *(float *const *)argument)
        i--;
    return i;
}

static cudaError_t read_node(const struct lab28 *lab, cudaGraphNode_t from, struct node *node)
{
    enum cudaGraphNodeType type;
    struct cudaKernelNodeParams params;
    TRY(cudaGraphNodeGetType(from, &type));
    if (type != cudaGraphNodeTypeKernel)
        return cudaErrorInvalidValue;
    TRY(cudaGraphKernelNodeGetParams(from, &params));
    const bool is_produce = params.func == kernel_produce();
    if (!params.kernelParams || (!is_produce && params.func != kernel_consume()))
        return cudaErrorInvalidValue;
    void **arguments = params.kernelParams;
    node->op = (struct lab28_op){.kind = is_produce ? LAB28_PRODUCE : LAB28_CONSUME,
                                 .out = buffer_of(lab, arguments[0]),
                                 .in = buffer_of(lab, arguments[1]),
                                 .steps = is_produce ? *(int *)arguments[2] : 0};
    node->n = *(int *)arguments[is_produce ? 3 : 2];
    node->blocks = params.gridDim.x;
    node->threads = params.blockDim.x;
    return cudaSuccess;
}

static bool is_exchanged(const struct node *node, const struct lab28_op *op)
{
    return node->op.out == op->in && node->op.in == op->out;
}

enum { MEMBERS = 5 };

/* How many of kernel, out, in, steps and n are those of the operation? */
static int equal_members(const struct lab28 *lab, const struct node *node,
                         const struct lab28_op *op)
{
    return (node->op.kind == op->kind) + (node->op.out == op->out) + (node->op.in == op->in) +
           (op->kind == LAB28_CONSUME || node->op.steps == op->steps) + (node->n == lab->n);
}

static const struct lab28_op *op_of(const struct lab28 *lab, int node, bool is_reversed)
{
    return &lab->ops[lab28_other(lab->n_ops, node, is_reversed)];
}

/* Are the nodes those of the operations in this order? All have the buffers of theirs, or nearly
   all members are equal. */
static bool are_in_order(const struct lab28 *lab, const struct node *nodes, bool is_reversed)
{
    const double most = 0.75;
    int n_equal = 0, n_buffers = 0;
    for (int i = 0; i < lab->n_ops; i++) {
        const struct lab28_op *op = op_of(lab, i, is_reversed);
        n_equal += equal_members(lab, &nodes[i], op);
        n_buffers +=
            is_exchanged(&nodes[i], op) || (nodes[i].op.out == op->out && nodes[i].op.in == op->in);
    }
    return n_buffers == lab->n_ops || n_equal >= most * MEMBERS * lab->n_ops;
}

/* Has each operation a node? */
static bool are_all(const struct lab28 *lab, const struct node *nodes)
{
    bool *is_taken = calloc((size_t)lab->n_ops, sizeof *is_taken);
    bool are = is_taken;
    for (int i = 0; are && i < lab->n_ops; i++) {
        int k = 0;
        while (k < lab->n_ops &&
               (is_taken[k] || equal_members(lab, &nodes[k], &lab->ops[i]) < MEMBERS))
            k++;
        are = k < lab->n_ops;
        if (are)
            is_taken[k] = true;
    }
    free(is_taken);
    return are;
}

/* False: there are other nodes than a kernel for each operation. Only operations may change a
   buffer. */
static bool read_nodes(struct subject *s, const struct lab28 *lab, struct node *nodes)
{
    enum cudaGraphNodeType type;
    size_t n = 0, n_read = 0;
    if (cudaGraphGetNodes(lab->graph, NULL, &n) != cudaSuccess)
        return false;
    cudaGraphNode_t *all = calloc(n + 1, sizeof(cudaGraphNode_t));
    if (!all || cudaGraphGetNodes(lab->graph, all, &n) != cudaSuccess)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        if (cudaGraphNodeGetType(all[i], &type) == cudaSuccess &&
            (type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeMemcpy))
            subject_note(s, LAB28_OTHER_WORK, "a kernel for each operation, and no other node",
                         "node %zu is a %s", i,
                         type == cudaGraphNodeTypeMemset ? "memset" : "memcpy");
        if (n == (size_t)lab->n_ops && n_read == i)
            n_read += read_node(lab, all[i], &nodes[i]) == cudaSuccess;
    }
    free(all);
    cudaGetLastError();
    return n_read == (size_t)lab->n_ops;
}

static enum lab28_order order_of(const struct lab28 *lab, const struct node *nodes)
{
    return are_in_order(lab, nodes, false)  ? LAB28_ORDER_OF_LIST
           : are_in_order(lab, nodes, true) ? LAB28_ORDER_REVERSED
           : are_all(lab, nodes)            ? LAB28_ORDER_OTHER
                                            : LAB28_ORDER_UNKNOWN;
}

static void put(char words[80], const struct lab28_op *op, int n)
{
    const bool is_produce = op->kind == LAB28_PRODUCE;
    snprintf(words, 80, "%s, out %d, in %d, steps %d, n %d", is_produce ? "produce" : "consume",
             op->out, op->in, is_produce ? op->steps : 0, n);
}

/* Its kernel and arguments, if its operation is known. */
static void note_node(struct subject *s, const struct lab28 *lab, int i, const struct node *node,
                      const struct lab28_op *op)
{
    char actual[80], expected[80];
    if (equal_members(lab, node, op) == MEMBERS)
        return;
    put(actual, &node->op, node->n);
    put(expected, op, lab->n);
    subject_note(s, is_exchanged(node, op) ? LAB28_OUT_AND_IN : LAB28_OTHER_ARGUMENT, expected,
                 "node %d: %s", i, actual);
}

/* Has it as many blocks of the right size as n elements need? */
static void note_grid(struct subject *s, const struct lab28 *lab, int i, const struct node *node)
{
    char expected[80];
    const size_t threads = LAB28_BLOCK_THREADS, blocks = ((size_t)lab->n + threads - 1) / threads;
    if (node->threads == threads && node->blocks == blocks)
        return;
    snprintf(expected, sizeof expected, "gridDim.x %zu and blockDim.x %zu, for %d elements", blocks,
             threads, lab->n);
    subject_note(s,
                 node->threads == threads && node->blocks < blocks ? LAB28_GRID_TOO_SMALL
                                                                   : LAB28_OTHER_BLOCK,
                 expected, "node %d has gridDim.x %zu and blockDim.x %zu", i, node->blocks,
                 node->threads);
}

void nodes_describe(struct subject *s, const struct lab28 *lab)
{
    struct node *nodes = calloc((size_t)lab->n_ops, sizeof *nodes);
    const bool is_read = nodes && read_nodes(s, lab, nodes);
    const enum lab28_order order = is_read ? order_of(lab, nodes) : LAB28_ORDER_UNKNOWN;
    for (int i = 0; is_read && i < lab->n_ops; i++) {
        if (order == LAB28_ORDER_OF_LIST || order == LAB28_ORDER_REVERSED)
            note_node(s, lab, i, &nodes[i], op_of(lab, i, order == LAB28_ORDER_REVERSED));
        note_grid(s, lab, i, &nodes[i]);
    }
    subject_value(s, is_captured, is_captured);
    subject_value(s, order, order);
    free(nodes);
}
