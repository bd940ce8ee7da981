/* lineage.h: where the bytes of a result come from: which kernels computed them, in which launches,
 * and from which inputs. Begin a run, watch its inputs and results, run it, and ask. */
#ifndef SIMGPU_LINEAGE_H
#define SIMGPU_LINEAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum simgpu_lineage {
    SIMGPU_LINEAGE_GOOD,         /* computed by the kernels, in this run, from the inputs */
    SIMGPU_LINEAGE_UNKNOWN,      /* the device does not know the memory, or checks are off */
    SIMGPU_LINEAGE_NOT_COPIED,   /* no operation of this run wrote some of it */
    SIMGPU_LINEAGE_NOT_COMPUTED, /* other operations than the kernels wrote it to device memory */
    SIMGPU_LINEAGE_CHANGED,      /* the host wrote to it */
    SIMGPU_LINEAGE_DUPLICATED,   /* the result of one launch occurs more than once */
    SIMGPU_LINEAGE_OTHER_GRAPH,  /* another graph ran than the one that the program shows */
    SIMGPU_LINEAGE_NOT_READ,     /* of an input: no operation of this run read some of it */
    SIMGPU_LINEAGE_OTHER_INPUTS, /* the kernel read other data than inputs of this run */
    SIMGPU_LINEAGE_LEFT_OUT      /* it read data that the kernel before it had not written */
};

enum { SIMGPU_MOST_MAKERS = 4 };

/* Begins a run: forgets the watched bytes; everything written so far is old. */
void simgpu_lineage_begin(void);

/* In this run, these bytes are inputs, or results: of the host, or of the device. Device memory
 * that this run has not written holds inputs if it is watched as such. */
void simgpu_lineage_watch(const void *base, size_t bytes, int is_result);

/* From now on these bytes of the host are constant: what was made of them alone, before a run,
 * counts as inputs of the run. One range at a time; 0 bytes: none. */
void simgpu_lineage_constant(const void *base, size_t bytes);

/* Have operations of this run read all bytes of the input (or does the device not know it)?
 * *offset: the first unread byte. */
int simgpu_lineage_is_read(const void *base, size_t bytes, size_t *offset);

/* The kernels that may compute a result: the names, which NULL ends; and the kernel that must have
 * written everything that they read, or NULL. */
struct simgpu_makers {
    const char *kernels[SIMGPU_MOST_MAKERS + 1];
    const char *after;
    int of_any_data; /* what they read may come from anywhere */
};

/* The origin of a result, which lies in one watched range. *offset: the first byte with another
 * origin than SIMGPU_LINEAGE_GOOD. */
enum simgpu_lineage simgpu_lineage(const void *base, size_t bytes, const struct simgpu_makers *by,
                                   size_t *offset);

/* What operations of this run have written to a watched result in host memory: a copy, until the
 * next run begins. NULL: there is none. */
const void *simgpu_lineage_written(const void *base, size_t bytes);

/* The number of launches of this run, by the host and by kernels, of executable graphs that were
 * instantiated from, or updated to, the current state of this graph (a cudaGraph_t); NULL: of all
 * graphs. */
size_t simgpu_graph_launches(const void *graph);

/* The number of a graph, which no other graph ever has (0: it is not a graph); the number of
 * launches of this run that came from that graph, in any of its states. */
uint64_t simgpu_graph_number(const void *graph);
size_t simgpu_number_launches(uint64_t number);

#ifdef __cplusplus
}
#endif
#endif
