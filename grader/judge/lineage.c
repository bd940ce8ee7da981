/* lineage.c: the verdict on the origin of results, in words. */
#include "inside.h"
#include "judge/mistakes.h"

static const struct judge_mistake *const mistakes[] = {
    [SIMGPU_LINEAGE_NOT_COPIED] = &judge_not_copied_back,
    [SIMGPU_LINEAGE_NOT_COMPUTED] = &judge_not_computed,
    [SIMGPU_LINEAGE_CHANGED] = &judge_changed_by_host,
    [SIMGPU_LINEAGE_DUPLICATED] = &judge_duplicated,
    [SIMGPU_LINEAGE_OTHER_GRAPH] = &judge_other_graph,
    [SIMGPU_LINEAGE_NOT_READ] = &judge_inputs_not_read,
    [SIMGPU_LINEAGE_OTHER_INPUTS] = &judge_other_inputs,
    [SIMGPU_LINEAGE_LEFT_OUT] = &judge_kernel_left_out,
};

static _Noreturn void blame(const struct wire_buffer *b, const struct wire_lineage *l)
{
    if ((size_t)l->found < sizeof mistakes / sizeof mistakes[0])
        judge_blame(mistakes[l->found]);
    const char *name = b->name, *kernel = b->made_by;
    judge_actual("the first such byte of %s is number %llu of %llu", name,
                 (unsigned long long)l->offset, (unsigned long long)b->data_bytes);
    judge_expected("all of it computed by %s on the device, from this run's inputs", kernel);
    switch ((enum simgpu_lineage)l->found) {
    case SIMGPU_LINEAGE_NOT_COPIED:
        judge_next("in every run, copy every result from the device to %s", name);
        judge_fail("no operation of this run wrote all of %s: it was computed on the host, or not "
                   "at all",
                   name);
    case SIMGPU_LINEAGE_NOT_COMPUTED:
        judge_next("launch %s on all of the data, and copy back what it wrote", kernel);
        judge_fail("%s was copied from memory that %s had not written", name, kernel);
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
        judge_expected("copies of all of %s to the device, in every run", name);
        judge_next("in every run, copy all inputs of every batch to the device");
        judge_fail("no operation of this run read part of the input %s", name);
    case SIMGPU_LINEAGE_LEFT_OUT:
        judge_next("in every run, launch each of the kernels on all of the data");
        judge_fail("%s was not computed by %s: the first kernel read data that the other one had "
                   "not written",
                   name, kernel);
    default:
        judge_next("in every run, copy the inputs to the device and let %s read them", kernel);
        judge_fail("%s was computed from other data than this run's inputs", name);
    }
}

/* The first run of this check whose results came from elsewhere. */
static struct {
    struct wire_buffer buffer;
    struct wire_lineage lineage;
} first;

void judge_note_lineage(const struct judge *j, const struct wire_lineage *l)
{
    bool good = l->found == SIMGPU_LINEAGE_GOOD || l->found == SIMGPU_LINEAGE_UNKNOWN;
    if (good || first.lineage.found || j->who == JUDGE_REFERENCE ||
        l->buffer >= (uint32_t)j->n_buffers)
        return;
    first.buffer = j->buffers[l->buffer].wire;
    first.lineage = *l;
}

void judge_expect_lineage(void)
{
    if (first.lineage.found)
        blame(&first.buffer, &first.lineage);
}
