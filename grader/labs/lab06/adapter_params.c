/* adapter_params.c: watches the calls that get and set the parameters of a kernel node.
 *
 * "This memory is owned by the node [...] and should not be modified directly" (CUDA Runtime API,
 * cudaGraphKernelNodeGetParams). The pointers in it would outlive the function that they point
 * into. */
#include "adapter_params.h"

#include <string.h>

#include "kernels/kernels.h"
#include "labs/lab06/causes.h"

enum { ALPHA = 2, ARGUMENTS = 4 }; /* of saxpy, whose node the lab asks about */

static struct {
    struct subject *subject;
    size_t n;
    void **array; /* as captured, with what it holds */
    void *arguments[ARGUMENTS];
    float alpha;
    float weight; /* of the call now */
    int passed;
} watched;

void params_begin(struct subject *s, long n)
{
    memset(&watched, 0, sizeof watched);
    watched.subject = s;
    watched.n = (size_t)n;
}

void params_expect(float weight)
{
    watched.weight = weight;
}

int params_passed(void)
{
    const int passed = watched.passed;
    watched.passed = 0;
    return passed;
}

/* Compares the addresses alone: what they point at may be no memory. */
static void note_exchanged(void *const *array)
{
    static const char *const names[ARGUMENTS] = {"y", "x", "alpha", "n"};
    for (int i = 0; i < ARGUMENTS; i++)
        for (int k = 0; k < ARGUMENTS; k++)
            if (i != k && array[i] == watched.arguments[k])
                subject_note(watched.subject, LAB06_ARGUMENT_EXCHANGED, names[i],
                             "kernelParams[%d] points at the captured %s", i, names[k]);
}

static void note_overwritten(void *const *array)
{
    const bool is_array = array == watched.array &&
                          memcmp(watched.arguments, array, sizeof watched.arguments) != 0,
               is_alpha = array[ALPHA] == watched.arguments[ALPHA] &&
                          memcmp(array[ALPHA], &watched.alpha, sizeof watched.alpha) != 0;
    if (is_array || is_alpha)
        subject_note(watched.subject, LAB06_NODE_ARRAY_OVERWRITTEN, NULL, NULL);
}

void params_before_call(struct subject_call *call)
{
    if (call->function != CALL_cudaGraphExecKernelNodeSetParams || !call->params ||
        !watched.array || call->params->func != kernel_saxpy() || !call->params->kernelParams)
        return;
    note_exchanged(call->params->kernelParams);
    note_overwritten(call->params->kernelParams);
    if ((size_t)call->params->gridDim.x * call->params->blockDim.x < watched.n)
        subject_note(watched.subject, LAB06_OTHER_GRID, NULL, NULL);
}

/* The call has read the argument, so there is one. */
static void count_weight(void *const *array)
{
    float alpha;
    memcpy(&alpha, array[ALPHA], sizeof alpha);
    watched.passed += alpha == watched.weight;
}

void params_after_call(const struct subject_call *call)
{
    if (call->function == CALL_cudaGraphExecKernelNodeSetParams && !call->error &&
        call->params->func == kernel_saxpy())
        count_weight(call->params->kernelParams);
    if (call->function != CALL_cudaGraphKernelNodeGetParams || call->error ||
        call->params->func != kernel_saxpy() || !call->params->kernelParams)
        return;
    watched.array = call->params->kernelParams;
    memcpy(watched.arguments, watched.array, sizeof watched.arguments);
    memcpy(&watched.alpha, watched.arguments[ALPHA], sizeof watched.alpha);
}
