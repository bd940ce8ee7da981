/* Says, in the subject's name, that suite and adapter do not fit together. */
#include "answers.h"

__attribute__((constructor)) static void blame(void)
{
    static struct wire_reply reply = {.outcome = WIRE_MISMATCH,
                                      .failure.text = "there is no buffer"};
    answer_with(&reply);
}
