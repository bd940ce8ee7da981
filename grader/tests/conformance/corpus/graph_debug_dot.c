/* graph_debug_dot.c: cudaGraphDebugDotPrint. */
#include <stdio.h>
#include <unistd.h>

#include "../graphs.h"

SITUATION("cudaGraphDebugDotPrint: NULL graph; NULL path; a folder that is not there; flags -1; "
          "flags 2; flags 1<<20")
{
    cudaGraph_t g = captured_memsets(2);
    char path[64];
    snprintf(path, sizeof path, "/tmp/situation-%d.dot", (int)getpid());
    gives(InvalidValue, cudaGraphDebugDotPrint(NULL, path, 0));
    gives(InvalidValue, cudaGraphDebugDotPrint(g, NULL, 0));
    gives(OperatingSystem, cudaGraphDebugDotPrint(g, "/tmp/no such folder/graph.dot", 0));
    answer(cudaGraphDebugDotPrint(g, path, (unsigned)-1));
    answer(cudaGraphDebugDotPrint(g, path, 2));
    answer(cudaGraphDebugDotPrint(g, path, 1u << 20));
    unlink(path);
}

SITUATION("cudaGraphDebugDotPrint of a chain of three: first word; arrows; balanced")
{
    cudaGraph_t g = captured_memsets(3);
    char path[64], text[16384] = "";
    snprintf(path, sizeof path, "/tmp/situation-%d.dot", (int)getpid());
    answer(cudaGraphDebugDotPrint(g, path, cudaGraphDebugDotFlagsVerbose));
    FILE *f = fopen(path, "r");
    if (!f) {
        answer_fact("file", "no file");
        return;
    }
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    unlink(path);
    int arrows = 0, braces = 0;
    for (const char *c = text; *c; c++) {
        arrows += c[0] == '-' && c[1] == '>';
        braces += (*c == '{') - (*c == '}');
    }
    shows("digraph 2 arrows, balanced", "%.7s %d arrows, %s", text, arrows,
          braces ? "not balanced" : "balanced");
}
