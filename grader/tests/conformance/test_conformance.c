/*
 * test_semantics.c: the simulated device answers as a real H200 did, situation for situation.
 *
 * The situations are in situations_*.c, the H200's answers in situations_h200.tsv. `make
 * build/gpu/ask DEVICE=gpu` builds the program that asks a GPU the same.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "situations.h"

static const char table[] = "grader/tests/conformance/situations_h200.tsv";

/*
 * Some situations look after a while of real time whether a call has returned: what they saw on a
 * busy machine is asked again, with nothing beside it.
 */
static bool answers(struct answered *a, const char *want)
{
    for (int again = 0; again < 2 && !situation_fits(a->text, want); again++)
        situations_ask(a, 1, 1);
    return situation_fits(a->text, want);
}

/* Asks all situations of one file. */
static void hold(const char *file)
{
    enum { MAX = 512, AT_ONCE = 16 };
    static struct answered list[MAX];
    int n = 0;
    for (const struct situation *s = situations; s; s = s->next) {
        const char *slash = strrchr(s->file, '/');
        if (strcmp(slash ? slash + 1 : s->file, file) == 0 && n < MAX)
            list[n++].situation = s;
    }
    cr_assert_gt(n, 0, "%s has no situations: nothing would be tested", file);
    situations_ask(list, n, AT_ONCE);
    for (int i = 0; i < n; i++) {
        char want[ANSWER_BYTES];
        const char *words = list[i].situation->words;
        if (!situation_expected(table, words, want))
            cr_expect_fail("%s has no answer for: %s", table, words);
        else
            cr_expect(answers(&list[i], want), "%s\n      got  %s\n      want %s", words,
                      list[i].text, want);
    }
}

Test(semantics, conditional_nodes)
{
    hold("situations_graph_condition.c");
    hold("situations_control_rules.c");
}

Test(semantics, what_conditional_nodes_run)
{
    hold("situations_control_flow.c");
}

Test(semantics, nodes_that_device_code_changes)
{
    hold("situations_updatable.c");
    hold("situations_updatable_runs.c");
}

Test(semantics, captured_events)
{
    hold("situations_capture_events.c");
}

Test(semantics, captured_external_events)
{
    hold("situations_capture_external.c");
}

Test(semantics, capture_information)
{
    hold("situations_capture_info.c");
}

Test(semantics, captures_of_several_threads)
{
    hold("situations_capture_threads.c");
}

Test(semantics, edges_of_graphs)
{
    hold("situations_graph_edges.c");
}

Test(semantics, nodes_of_executable_graphs)
{
    hold("situations_graph_exec.c");
}

Test(semantics, nodes_of_every_kind)
{
    hold("situations_graph_nodes.c");
}

Test(semantics, nodes_by_the_generic_call)
{
    hold("situations_graph_generic.c");
}

Test(semantics, instantiation)
{
    hold("situations_graph_instantiate.c");
}

Test(semantics, updates_of_executable_graphs)
{
    hold("situations_graph_update.c");
}

Test(semantics, captures)
{
    hold("situations_capture.c");
}

Test(semantics, calls_during_captures)
{
    hold("situations_capture_calls.c");
}

Test(semantics, captures_into_graphs)
{
    hold("situations_capture_graph.c");
}

Test(semantics, captured_memory)
{
    hold("situations_capture_memory.c");
}

Test(semantics, graphs_as_such)
{
    hold("situations_graph.c");
}

Test(semantics, clones_of_graphs)
{
    hold("situations_graph_clone.c");
}

Test(semantics, launches_of_graphs)
{
    hold("situations_graph_launch.c");
}

Test(semantics, memory_nodes)
{
    hold("situations_graph_memory.c");
}

Test(semantics, user_objects)
{
    hold("situations_graph_objects.c");
}

Test(semantics, parameters_of_nodes)
{
    hold("situations_graph_params.c");
}

Test(semantics, updates_between_random_graphs)
{
    hold("situations_graph_random.c");
}

Test(semantics, variables_and_attributes_in_graphs)
{
    hold("situations_graph_symbols.c");
}

Test(semantics, copies)
{
    hold("situations_copies.c");
}

Test(semantics, device_launch)
{
    hold("situations_device_launch.c");
}

Test(semantics, device_launch_changes)
{
    hold("situations_device_change.c");
}

Test(semantics, device_launch_order)
{
    hold("situations_device_order.c");
}

Test(semantics, devices)
{
    hold("situations_device.c");
}

Test(semantics, errors)
{
    hold("situations_errors.c");
}

Test(semantics, events)
{
    hold("situations_events.c");
}

Test(semantics, faults_of_kernels)
{
    hold("situations_fault.c");
}

Test(semantics, host_functions)
{
    hold("situations_hostfn.c");
}

Test(semantics, launches_and_occupancy)
{
    hold("situations_launches.c");
}

Test(semantics, memory)
{
    hold("situations_memory.c");
}

Test(semantics, memset)
{
    hold("situations_memset.c");
}

Test(semantics, order_of_streams)
{
    hold("situations_order.c");
}

Test(semantics, pools)
{
    hold("situations_pools.c");
}

Test(semantics, per_thread_default_stream)
{
    hold("situations_ptsz.c");
}

Test(semantics, streams)
{
    hold("situations_streams.c");
}

Test(semantics, rules_of_captures)
{
    hold("situations_capture_rules.c");
    hold("situations_capture_shape.c");
    hold("situations_capture_work.c");
}

Test(semantics, edges_and_nodes_by_every_call)
{
    hold("situations_node_edges.c");
    hold("situations_node_calls.c");
    hold("situations_node_params.c");
    hold("situations_node_attributes.c");
}

Test(semantics, executables_by_every_call)
{
    hold("situations_exec_calls.c");
    hold("situations_exec_changes.c");
    hold("situations_graph_order.c");
    hold("situations_control_calls.c");
}

Test(semantics, streams_and_events_by_every_call)
{
    hold("situations_stream_calls.c");
    hold("situations_event_calls.c");
}

Test(semantics, memory_by_every_call)
{
    hold("situations_copy_calls.c");
    hold("situations_pool_calls.c");
    hold("situations_rare_calls.c");
}

Test(semantics, lost_contexts_and_host_functions)
{
    hold("situations_lost_context.c");
}

Test(semantics, attributes_and_programmatic_launches)
{
    hold("situations_attribute_values.c");
    hold("situations_programmatic.c");
}

Test(semantics, errors_and_combinations)
{
    hold("situations_error_calls.c");
    hold("situations_combined.c");
}

/* A line nobody asks would look like a test and be none. */
Test(semantics, the_table_has_no_line_that_is_never_asked)
{
    FILE *f = fopen(table, "r");
    char line[2 * ANSWER_BYTES];
    int n = 0;
    cr_assert(f, "%s: tests run from the root of the repository", table);
    while (fgets(line, sizeof line, f)) {
        const struct situation *s = situations;
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\t")] = '\0';
        while (s && strcmp(s->words, line) != 0)
            s = s->next;
        cr_expect(s, "no situation is called: %s", line);
        n++;
    }
    fclose(f);
    cr_assert_gt(n, 250);
}

Test(semantics, short_questions)
{
    hold("situations_short_captures.c");
    hold("situations_short_graphs.c");
}
