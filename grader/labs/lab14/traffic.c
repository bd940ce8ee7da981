/* traffic.c: bytes between devices, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <math.h>

#include "labs/lab14/mistakes.h"
#include "query/trace.h"

double traffic_of(enum lab14_algorithm algorithm, int n_devices, int n_layers, double message)
{
    const double others = n_devices - 1;
    return n_layers * others * (algorithm == LAB14_TWO_SHOT ? 2 * message / n_devices : message);
}

/* Bytes that the device sends to (or receives from) all others. */
static double sum_of(const struct judged *j, int device, bool sends)
{
    const float *bytes = judge_buffer(j, "bytes");
    double sum = 0;
    for (int i = 0; i < LAB14_MOST_DEVICES; i++)
        if (i != device)
            sum += bytes[sends ? device * LAB14_MOST_DEVICES + i : i * LAB14_MOST_DEVICES + device];
    return sum;
}

enum { MOST_LAYERS = 16 };

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fmax(a, b);
}

/* Do the devices send `each` bytes on average, or is another algorithm at work? */
static const char *mistake_of_traffic(const struct judged *j, int n, double actual, double expected,
                                      double other, enum lab14_algorithm asked)
{
    double all = 0;
    for (int d = 0; d < n; d++)
        all += sum_of(j, d, true);
    if (is_near(actual, other) && is_near(all, n * other))
        return asked == LAB14_CHOOSE     ? "choice_not_used"
               : asked == LAB14_TWO_SHOT ? "one_shot_always"
                                         : "two_shot_always";
    const double within_first = judge_buffer(j, "bytes")[0]; /* device 0 */
    if (actual == 0 && all == 0 && is_near(within_first, expected))
        return "sends_to_itself";
    if (all <= n * expected * 1.001 && actual > expected)
        return "through_one_device";
    return "other_bytes";
}

void expect_traffic(struct judged *j, enum lab14_algorithm algorithm)
{
    const struct numbers *numbers = judge_numbers(j);
    const int n = devices_of(j), layers = (int)numbers->n_layers;
    const enum lab14_algorithm asked = numbers->algorithm, opposite = algorithm == LAB14_TWO_SHOT
                                                                          ? LAB14_ONE_SHOT
                                                                          : LAB14_TWO_SHOT;
    const double message = (double)numbers->rows * (double)numbers->n * sizeof(float);
    const double expected = traffic_of(algorithm, n, layers, message),
                 other = traffic_of(opposite, n, layers, message);
    judge_actual("%.0f kernels of the graph have arguments in the memory of two devices",
                 judge_value(j, far_kernels));
    judge_expected("each kernel uses the memory of its own device only");
    if (judge_value(j, far_kernels) > 0)
        judge_fail_that("far_kernel");
    for (int sends = 1; sends >= 0; sends--)
        for (int d = 0; d < n; d++) {
            const double actual = sum_of(j, d, sends);
            judge_actual("%s: device %d %s %.1f KiB in a step",
                         algorithm == LAB14_TWO_SHOT ? "two-shot" : "one-shot", d,
                         sends ? "sends" : "receives", actual / 1024);
            judge_expected("%.1f KiB: %d layers, %d devices, messages of %.1f KiB", expected / 1024,
                           layers, n, message / 1024);
            judge_measured(actual, expected, "bytes");
            if (!is_near(actual, expected))
                judge_fail_that(mistake_of_traffic(j, n, actual, expected, other, asked));
        }
    judge_forget();
}

static size_t n_waits(const struct dag *g, const struct dag_node *later, const char *kernel)
{
    size_t n = 0;
    for (const struct dag_node *k = g->nodes; k < g->nodes + g->n_nodes; k++)
        n += dag_is(k, "kernel", kernel) && dag_waits(g, later, k);
    return n;
}

bool traffic_is_awaited(const struct dag *g, size_t n_devices, size_t n_layers)
{
    size_t after[MOST_LAYERS + 1] = {0}, results = 0;
    for (const struct dag_node *k = g->nodes; k < g->nodes + g->n_nodes; k++) {
        if ((!dag_is(k, "kernel", NULL) && !dag_is(k, "p2p", NULL)) ||
            dag_is(k, "kernel", "mlp_down"))
            continue;
        const size_t waits = n_waits(g, k, "mlp_down"), layers = waits / n_devices;
        if (!dag_is(k, "kernel", "mlp_up"))
            results += waits == n_layers * n_devices;
        else if (waits % n_devices > 0 || layers > MOST_LAYERS)
            return false;
        else
            after[layers]++;
    }
    for (size_t i = 0; i < n_layers; i++)
        if (after[i] != n_devices)
            return false;
    return results >= n_devices;
}

double traffic_us(const struct trace *t)
{
    const struct trace_row *first = trace_first(t, "sm", NULL), *last = trace_last(t, "sm", NULL),
                           *copied = trace_last(t, "p2p", NULL);
    if (!first || !copied)
        return 0;
    return fmax(last->end_us, copied->end_us) - first->start_us - trace_busy_us(t, "sm", NULL);
}

size_t traffic_launches(const struct trace *t, int device, const char *kernel)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        n += t->rows[i].device == device && trace_is(&t->rows[i], "sm", kernel);
    return n;
}
