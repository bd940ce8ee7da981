/* break_even.c: does lab09_break_even predict from which launch on a graph pays? */
#include "break_even.h"

#include <math.h>

#include "service.h"

/* Answers to times that are given. */
static void expect_formula(const struct judge *j)
{
    judge_next("step 1: a calculation with the three times, without any CUDA call");
    judge_expect(judge_value(j, "given_0") >= 0, "lab09_break_even is not written yet");
    judge_next("k graph launches cost once_us + k * graph_us, k requests with stream launches cost "
               "k * stream_us");
    judge_expect(judge_value(j, "given_0") != judge_value(j, "given_1"),
                 "once_us changes nothing: the prediction leaves out what capture, instantiation "
                 "and upload cost");
    for (size_t i = 0; i < sizeof lab09_given / sizeof lab09_given[0]; i++) {
        const struct lab09_given *g = &lab09_given[i];
        char name[] = "given_0";
        name[6] = (char)('0' + i);
        judge_actual("launch %.0f", judge_value(j, name));
        judge_expected("launch %d (0: never)", g->answer);
        judge_expect(judge_value(j, name) == g->answer,
                     "the prediction is wrong for stream_us %.0f, graph_us %.0f, once_us %.0f",
                     g->times.stream_us, g->times.graph_us, g->times.once_us);
    }
    judge_forget();
}

static void expect_prediction(struct judge *j, int kernels, const char *predicts,
                              const char *measures)
{
    const double predicted = judge_value(j, predicts), measured = judge_value(j, measures);
    judge_actual("predicted launch %.0f, measured launch %.0f (%d kernels)", predicted, measured,
                 kernels);
    judge_measured(fabs(predicted - measured), 1, "launches");
    judge_expect(fabs(predicted - measured) <= 1,
                 "the predicted break-even is more than one launch away from the measured one");
}

void lab09_expect_break_even(struct judge *j)
{
    expect_formula(j);
    expect_prediction(j, lab09_kernels[0], "predicted_0", "measured_0");
    expect_prediction(j, lab09_kernels[1], "predicted_1", "measured_1");
    expect_prediction(j, lab09_kernels[2], "predicted_2", "measured_2");
}
