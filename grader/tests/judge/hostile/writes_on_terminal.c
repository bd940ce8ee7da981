/* Answers with a text that clears the terminal. */
#include "answers.h"

__attribute__((constructor)) static void answer(void)
{
    static struct wire_reply reply = {.outcome = WIRE_FAILED, .failure.text = "\033[2J"};
    answer_with(&reply);
}
