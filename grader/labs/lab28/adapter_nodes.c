/* adapter_nodes.c: the nodes of a submission's graph compared with the operations, see nodes.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "common/check.h"
#include "drawing.h"
#include "exchange.h"
#include "kernels/kernels.h"
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

/* All nodes, and how many of each kind there are. NULL: there is no memory. */
static cudaGraphNode_t *list_nodes(struct subject *s, cudaGraph_t graph, size_t *n)
{
    int of_type[cudaGraphNodeTypeCount] = {0};
    if (cudaGraphGetNodes(graph, NULL, n) != cudaSuccess)
        return NULL;
    cudaGraphNode_t *all = calloc(*n + 1, sizeof(cudaGraphNode_t));
    if (!all || cudaGraphGetNodes(graph, all, n) != cudaSuccess)
        *n = 0;
    for (size_t i = 0; i < *n; i++) {
        enum cudaGraphNodeType type;
        if (cudaGraphNodeGetType(all[i], &type) == cudaSuccess && type < cudaGraphNodeTypeCount)
            of_type[type]++;
    }
    subject_value(s, kernels, of_type[cudaGraphNodeTypeKernel]);
    subject_value(s, clears, of_type[cudaGraphNodeTypeMemset]);
    subject_value(s, copies, of_type[cudaGraphNodeTypeMemcpy]);
    return all;
}

static bool read_nodes(struct subject *s, const struct lab28 *lab, struct node *nodes)
{
    size_t n = 0;
    cudaGraphNode_t *all = list_nodes(s, lab->graph, &n);
    bool is_read = all && n == (size_t)lab->n_ops;
    for (size_t i = 0; is_read && i < n; i++)
        is_read = read_node(lab, all[i], &nodes[i]) == cudaSuccess;
    free(all);
    cudaGetLastError();
    return is_read;
}

static void report_other(struct subject *s, int i, const struct node *node)
{
    subject_value(s, other_node, i);
    subject_value(s, other_kind, (int)node->op.kind);
    subject_value(s, other_out, node->op.out);
    subject_value(s, other_in, node->op.in);
    subject_value(s, other_steps, node->op.steps);
    subject_value(s, other_n, node->n);
}

static bool has_wrong_grid(const struct lab28 *lab, const struct node *node)
{
    return node->threads != LAB28_BLOCK_THREADS ||
           node->blocks * LAB28_BLOCK_THREADS < (size_t)lab->n;
}

static void report_wrong_grid(struct subject *s, const struct lab28 *lab, const struct node *nodes)
{
    int i = 0;
    while (i < lab->n_ops && !has_wrong_grid(lab, &nodes[i]))
        i++;
    if (i == lab->n_ops)
        return;
    subject_value(s, wrong_grid_node, i);
    subject_value(s, wrong_grid_blocks, (double)nodes[i].blocks);
    subject_value(s, wrong_grid_threads, (double)nodes[i].threads);
}

void nodes_describe(struct subject *s, const struct lab28 *lab)
{
    struct node *nodes = calloc((size_t)lab->n_ops, sizeof *nodes);
    const bool is_read = nodes && read_nodes(s, lab, nodes),
               in_order = is_read && are_in_order(lab, nodes, false),
               is_reversed = is_read && !in_order && are_in_order(lab, nodes, true),
               known = in_order || is_reversed;
    int exchanged = 0, other = lab->n_ops;
    for (int i = lab->n_ops - 1; known && i >= 0; i--) {
        const struct lab28_op *op = op_of(lab, i, is_reversed);
        exchanged += is_exchanged(&nodes[i], op);
        other = equal_members(lab, &nodes[i], op) == MEMBERS ? other : i;
    }
    subject_value(s, is_captured, is_captured);
    subject_value(s, is_reversed, is_reversed);
    subject_value(s, is_other_order, is_read && !known && are_all(lab, nodes));
    subject_value(s, exchanged, known ? exchanged : -1);
    subject_value(s, wrong_grid_node, -1);
    if (is_read)
        report_wrong_grid(s, lab, nodes);
    subject_value(s, other_node, -1);
    if (other < lab->n_ops)
        report_other(s, other, &nodes[other]);
    free(nodes);
}
