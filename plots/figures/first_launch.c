/* first_launch.c: the first launch of a graph, with and without an upload before it, and later
 * ones.
 *
 * What the driver has to get ready once a process is seen only in a process of its own: the program
 * starts itself anew for each of these (cold.*). */
#include "bench.h"
#include "chain.h"

#include <string.h>

static struct chain chain = {1, 1, 0, 1};
static cudaGraph_t graph;

static void plain(void *unused, double *v)
{
    (void)unused;
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        v[i] = chain_graph_us(exec);
    CHECK(cudaGraphExecDestroy(exec));
}

static void uploaded(void *unused, double *v)
{
    (void)unused;
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    double t0 = clock_now_us();
    CHECK(cudaGraphUpload(exec, chain_stream()));
    chain_wait();
    v[1] = bench_since(t0);
    v[0] = chain_graph_us(exec);
    CHECK(cudaGraphExecDestroy(exec));
}

/* ---- cold processes -------------------------------------------------------------------------- */

enum { COLD_NODES = 128, COLD_WARM_UP = 1024 };

/* In a process that has just begun: the first launch of a chain, after one of `before` kernels. */
static double first_in_process(int before)
{
    chain_begin();
    CHECK(launch_empty(1, chain_stream()));
    chain_wait();
    if (before) {
        chain.nodes = before;
        chain_graph_us(chain_instantiate(&chain));
    }
    chain.nodes = COLD_NODES;
    return chain_graph_us(chain_instantiate(&chain));
}

/* The same, asked of a process of its own. */
static double ask(const char *program, int before)
{
    char command[4200], answer[64] = "";
    snprintf(command, sizeof command, "'%s' --cold %d", program, before);
    FILE *from = popen(command, "r");
    if (!from || !fgets(answer, sizeof answer, from) || pclose(from) != 0) {
        fprintf(stderr, "first_launch: %s failed\n", command);
        exit(1);
    }
    return atof(answer);
}

static void cold_rows(const char *program)
{
    double without[15], small[15], large[15];
    const int n = clock_is_virtual() || bench_quick() ? 2 : 5;
    for (int i = 0; i < n; i++) {
        without[i] = ask(program, 0);
        small[i] = ask(program, 1);
        large[i] = ask(program, COLD_WARM_UP);
    }
    bench_values(COLD_NODES, "cold.none", without, n, "us");
    bench_values(COLD_NODES, "cold.small", small, n, "us");
    bench_values(COLD_NODES, "cold.large", large, n, "us");
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{"first", "second", "later"}, plain, NULL},
        {{"uploaded", "upload"}, uploaded, NULL},
    };
    const int step = bench_quick() ? 32 : 2, points = bench_quick() ? 3 : 11;
    if (argc == 3 && strcmp(argv[1], "--cold") == 0) {
        printf("%.3f\n", first_in_process(atoi(argv[2])));
        return 0;
    }
    bench_begin(argc, argv, "first_launch",
                "first, second and later launch of a chain of empty kernels; the first after an "
                "upload; the first of a process",
                "kernels in the chain", points);
    cold_rows(argv[0]);
    chain_begin();
    for (chain.nodes = 1; chain.nodes <= 1024; chain.nodes *= step) {
        graph = chain_capture(&chain);
        bench_point(chain.nodes, "us", variants, 2);
        CHECK(cudaGraphDestroy(graph));
    }
    return bench_end();
}
