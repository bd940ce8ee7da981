/* Answers with a finding of a kind that the device does not know. */
#include "answers.h"

__attribute__((constructor)) static void answer(void)
{
    static struct wire_reply reply = {
        .outcome = WIRE_DONE, .n_findings = 1, .finding.what = SIMGPU_WHATS};
    answer_with(&reply);
}
