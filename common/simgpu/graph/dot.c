/* dot.c: a graph in graphviz's language. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "graph.h"

static const char *type_name(enum cudaGraphNodeType type)
{
    static const char *const names[] = {[cudaGraphNodeTypeKernel] = "KERNEL",
                                        [cudaGraphNodeTypeMemcpy] = "MEMCPY",
                                        [cudaGraphNodeTypeMemset] = "MEMSET",
                                        [cudaGraphNodeTypeHost] = "HOST",
                                        [cudaGraphNodeTypeGraph] = "CHILD GRAPH",
                                        [cudaGraphNodeTypeEmpty] = "EMPTY",
                                        [cudaGraphNodeTypeWaitEvent] = "EVENT WAIT",
                                        [cudaGraphNodeTypeEventRecord] = "EVENT RECORD",
                                        [cudaGraphNodeTypeMemAlloc] = "MEM ALLOC",
                                        [cudaGraphNodeTypeMemFree] = "MEM FREE",
                                        [cudaGraphNodeTypeConditional] = "CONDITIONAL"};
    return (size_t)type < sizeof names / sizeof names[0] && names[type] ? names[type] : "NODE";
}

static void print_node(FILE *f, const struct node *n, bool verbose)
{
    fprintf(f, "    n%" PRIu64 " [label=\"%d\\n%s", n->uid, n->number, type_name(n->type));
    if (n->type == cudaGraphNodeTypeKernel) {
        const struct simgpu_launch *l = &n->work.kernel.call->launch;
        fprintf(f, "\\n%s", n->work.name);
        if (verbose)
            fprintf(f, "\\n<<<%u %u %u, %u %u %u, %zu>>>", l->grid.x, l->grid.y, l->grid.z,
                    l->block.x, l->block.y, l->block.z, l->dynamic_shared_bytes);
    } else if (n->work.bytes) {
        fprintf(f, "\\n%s %" PRIu64 " B", n->work.name, n->work.bytes);
    }
    fprintf(f, "\"];\n");
}

static void print_graph(FILE *f, const struct graph *g, const char *title, bool verbose)
{
    fprintf(f, "  subgraph cluster_%" PRIu64 " {\n    label=\"%s\";\n", g->uid, title);
    for (const struct node *n = g->nodes; n; n = n->next)
        print_node(f, n, verbose);
    for (const struct node *n = g->nodes; n; n = n->next)
        for (int i = 0; i < n->out.n; i++)
            fprintf(f, "    n%" PRIu64 " -> n%" PRIu64 ";\n", n->uid, n->out.at[i].node->uid);
    fprintf(f, "  }\n");
    for (const struct node *n = g->nodes; n; n = n->next) {
        char name[48];
        if (n->child) {
            snprintf(name, sizeof name, "child graph of node %d", n->number);
            print_graph(f, n->child, name, verbose);
        }
        for (int i = 0; i < n->n_bodies; i++) {
            snprintf(name, sizeof name, "body %d of node %d", i, n->number);
            print_graph(f, n->bodies[i], name, verbose);
        }
    }
}

/* A pipe needs no permission to make or to empty files. */
static FILE *open_drawing(const char *path)
{
    struct stat st;
    const bool is_pipe = stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
    const int fd = open(path, is_pipe ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return fd < 0 ? NULL : fdopen(fd, "w");
}

bool graph_print_dot(const struct graph *g, const char *path, bool verbose)
{
    FILE *f = open_drawing(path);
    if (!f)
        return false;
    fprintf(f, "digraph dot {\n  node [shape=box];\n");
    print_graph(f, g, "graph", verbose);
    fprintf(f, "}\n");
    return fclose(f) == 0;
}
