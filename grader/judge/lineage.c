/* lineage.c: the verdict on the origin of results, in words. */
#include <stdio.h>

#include "inside.h"

static const char *const mistakes[] = {
    [SIMGPU_LINEAGE_NOT_COPIED] = "not_copied_back", [SIMGPU_LINEAGE_NOT_COMPUTED] = "not_computed",
    [SIMGPU_LINEAGE_CHANGED] = "changed_by_host",    [SIMGPU_LINEAGE_DUPLICATED] = "duplicated",
    [SIMGPU_LINEAGE_OTHER_GRAPH] = "other_graph",    [SIMGPU_LINEAGE_NOT_READ] = "inputs_not_read",
    [SIMGPU_LINEAGE_OTHER_INPUTS] = "other_inputs",  [SIMGPU_LINEAGE_LEFT_OUT] = "kernel_left_out",
};

/* ", in batch 3 (their numbers are 0 to 4)" */
static const char *in_part(const struct judge_memory *m, uint64_t offset)
{
    static char text[96];
    text[0] = '\0';
    if (m->parts > 1)
        snprintf(text, sizeof text, ", in %s %llu (their numbers are 0 to %zu)", m->part,
                 (unsigned long long)(offset / (m->wire.data_bytes / m->parts)), m->parts - 1);
    return text;
}

/* The copies of an input read its beginning only, as far as the last of them reaches if they begin
   `apart`. */
static void blame_input_distance(const struct judge_memory *m, uint64_t offset)
{
    const uint64_t part = m->parts > 1 ? m->wire.data_bytes / m->parts : 0,
                   rest = part && offset > part ? offset - part : 0;
    if (rest == 0 || offset % part == 0 || rest % (m->parts - 1) > 0)
        return;
    judge_asks("input_distance");
    judge_expected("%llu bytes from one to the next", (unsigned long long)part);
    judge_next(
        "%s i begins at i times %llu floats: correct the address of its copy, or the pitch if it "
        "has rows",
        m->part, (unsigned long long)(part / sizeof(float)));
    judge_fail("In %s, the copies of a %s and of the next one begin only %llu bytes apart, so they "
               "overlap.",
               m->wire.name, m->part, (unsigned long long)(rest / (m->parts - 1)));
}

static _Noreturn void blame(const struct judge_memory *m, const struct wire_lineage *l)
{
    const struct wire_buffer *b = &m->wire;
    if ((size_t)l->found < sizeof mistakes / sizeof mistakes[0])
        judge_asks(mistakes[l->found]);
    const char *name = b->name, *kernel = b->made_by;
    judge_actual("the first such byte of %s is number %llu of %llu%s", name,
                 (unsigned long long)l->offset, (unsigned long long)b->data_bytes,
                 in_part(m, l->offset));
    judge_expected("all of it computed by %s on the device, from this run's inputs", kernel);
    switch ((enum simgpu_lineage)l->found) {
    case SIMGPU_LINEAGE_NOT_COPIED:
        judge_next("in every run, launch %s on all of the data, and copy each result from the "
                   "device directly to %s after that",
                   kernel, name);
        judge_fail("part of %s is no result of this run: it was computed on the host, or copied by "
                   "the host, or not written at all, or copied from what the device had before",
                   name);
    case SIMGPU_LINEAGE_NOT_COMPUTED:
        judge_next("let %s write all of the results to device memory, and copy back this memory "
                   "after that",
                   kernel);
        judge_fail("%s was not copied from device memory that %s had written", name, kernel);
    case SIMGPU_LINEAGE_CHANGED:
        judge_next("leave %s to the copies: the host only reads it", name);
        judge_fail("%s was computed on the host: it differs from what the copies brought", name);
    case SIMGPU_LINEAGE_OTHER_GRAPH:
        judge_actual("a graph that was not instantiated from it, or from what it was before");
        judge_expected("launches of the graph that was handed over, and of no other");
        judge_next("instantiate the graph that you hand over, and launch that");
        judge_fail("the graph that runs is not the graph that is shown");
    case SIMGPU_LINEAGE_DUPLICATED:
        judge_next("launch %s for every batch, and copy back what that launch wrote", kernel);
        judge_fail("parts of %s are copies of one and the same result of %s", name, kernel);
    case SIMGPU_LINEAGE_NOT_READ:
        blame_input_distance(m, l->offset);
        judge_expected("copies of all of %s to the device, in every run", name);
        judge_next("find the copy that is for this part: compare its source, its bytes and, if it "
                   "has rows, its pitch");
        judge_fail("no operation of this run read part of the input %s", name);
    case SIMGPU_LINEAGE_LEFT_OUT:
        judge_next("in every run, launch each of the kernels on all of the data");
        judge_fail("%s was not computed by %s: the first kernel read data that the other one had "
                   "not written",
                   name, kernel);
    default:
        judge_next(
            "in every run, fill all memory that %s reads: copy the inputs to the device, and "
            "set what is to be 0. Compare the source of each copy with the input: an offset counts "
            "elements, not bytes. A copy that ran in setup, also beside a capture, is not repeated",
            kernel);
        judge_fail("%s was computed from other data than this run's inputs", name);
    }
}

/* The first run of this check whose results came from elsewhere. */
static struct {
    struct judge_memory memory;
    struct wire_lineage lineage;
} first;

static bool is_from_elsewhere(const struct judged *j, const struct wire_lineage *l)
{
    return l->found != SIMGPU_LINEAGE_GOOD && l->found != SIMGPU_LINEAGE_UNKNOWN &&
           j->who == JUDGE_SUBMISSION && l->buffer < (uint32_t)j->n_buffers;
}

void judge_expect_lineage_of(const struct judged *j)
{
    if (is_from_elsewhere(j, &j->lineage))
        blame(&j->buffers[j->lineage.buffer], &j->lineage);
}

void judge_note_lineage(const struct judged *j, const struct wire_lineage *l)
{
    if (first.lineage.found || !is_from_elsewhere(j, l))
        return;
    first.memory = j->buffers[l->buffer];
    first.lineage = *l;
}

void judge_expect_lineage(void)
{
    if (first.lineage.found)
        blame(&first.memory, &first.lineage);
}
