/*
 * situations_control_calls.c: conditional nodes, device launches and device-updatable nodes.
 */
#include <stdint.h>
#include <string.h>

#include "../random/play_toy.h"
#include "situations_control.h"
#include "situations_kernels.h"

SITUATION(handle_bad, "cudaGraphConditionalHandleCreate: NULL graph; NULL out; flags 2; default 5 "
                      "without the flag; two handles differ")
{
    cudaGraph_t g = new_graph();
    cudaGraphConditionalHandle a = 0, b = 0;
    answer(cudaGraphConditionalHandleCreate(&a, NULL, 0, 0));
    answer(cudaGraphConditionalHandleCreate(NULL, g, 0, 0));
    answer(cudaGraphConditionalHandleCreate(&a, g, 0, 2));
    answer(cudaGraphConditionalHandleCreate(&a, g, 5, 0));
    answer(cudaGraphConditionalHandleCreate(&b, g, 5, cudaGraphCondAssignDefault));
    answer_text("%s", a == b ? "same" : "differ");
}

SITUATION(node_bad,
          "a conditional node: of a NULL handle; of a handle of another graph; IF of size 3; WHILE "
          "of size 2; SWITCH of size 0; type 9; size 0 of IF; the same handle twice")
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    cudaGraphConditionalHandle h = handle_of(g, 1), other = handle_of(new_graph(), 1);
    static const struct {
        int type;
        unsigned size;
    } list[] = {{IF, 3}, {WHILE, 2}, {SWITCH, 0}, {9, 1}, {IF, 0}, {IF, 1}, {IF, 1}};
    struct cudaGraphNodeParams p = conditional(0, IF, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    p = conditional(other, IF, 1);
    answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        p = conditional(h, (enum cudaGraphConditionalNodeType)list[i].type, list[i].size);
        answer(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    }
}

SITUATION(if_runs, "IF with default 0, 1, 2 and no default: does the body run")
{
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphConditionalHandle h =
            i < 3 ? handle_of(g, (unsigned)i) : handle_without_default(g, 1);
        add_conditional(g, NULL, h, IF, 1, &body);
        device_log();
        add_device_letter(body, NULL, 'b');
        answer_logged(new_exec(g));
    }
}

SITUATION(if_else, "IF of size 2 with default 0 and 1: which body; twice launched")
{
    for (unsigned i = 0; i < 2; i++) {
        cudaGraph_t g = new_graph(), body[2];
        device_log();
        add_conditional(g, NULL, handle_of(g, i), IF, 2, body);
        add_device_letter(body[0], NULL, 't');
        add_device_letter(body[1], NULL, 'e');
        cudaGraphExec_t x = new_exec(g);
        answer_logged(x);
        answer_logged(x);
    }
}

SITUATION(switch_out, "SWITCH of 3 with default 0, 2, 3, 77: which body")
{
    static const unsigned values[] = {0, 2, 3, 77};
    for (int i = 0; i < 4; i++) {
        cudaGraph_t g = new_graph(), body[3];
        device_log();
        add_conditional(g, NULL, handle_of(g, values[i]), SWITCH, 3, body);
        for (int b = 0; b < 3; b++)
            add_device_letter(body[b], NULL, (char)('a' + b));
        answer_logged(new_exec(g));
    }
}

SITUATION(while_runs, "WHILE that counts down from 3 after a letter, then a letter; launched twice")
{
    cudaGraph_t g = new_graph(), body;
    device_log();
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t w = add_conditional(g, add_device_letter(g, NULL, 'a'), h, WHILE, 1, &body);
    add_countdown(body, NULL, 'w', h, 3);
    add_device_letter(g, w, 'z');
    cudaGraphExec_t x = new_exec(g);
    answer_logged(x);
    answer_logged(x);
}

SITUATION(body_kinds, "nodes added to an IF body: memset, memcpy, empty, child, host, event "
                      "record, alloc: add and instantiate of each")
{
    static const char *const kinds[] = {"memset", "memcpy", "empty", "child",
                                        "record", "wait",   "alloc"};
    for (int i = 0; i < 7; i++) {
        cudaGraph_t g = new_graph(), body;
        cudaGraphNode_t n;
        cudaGraphExec_t x;
        add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
        cudaGraph_t one = graph_of_one(kinds[i], &n);
        cudaError_t e = cudaGraphAddChildGraphNode(&n, body, NULL, 0, one);
        answer(e);
        answer(cudaGraphInstantiate(&x, g, 0));
    }
}

SITUATION(body_empty,
          "an IF with an empty body: instantiate, run; a WHILE with an empty body and default 0")
{
    cudaGraph_t g = new_graph(), body, h = new_graph();
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer_run(new_exec(g));
    add_conditional(h, NULL, handle_of(h, 0), WHILE, 1, &body);
    answer_run(new_exec(h));
}

SITUATION(
    body_destroy,
    "the body of an IF destroyed by cudaGraphDestroy; the node destroyed by cudaGraphDestroyNode; "
    "a clone of a graph with an IF; a child of it; update of it to itself")
{
    cudaGraph_t g = new_graph(), body, copy = NULL;
    cudaGraphNode_t n;
    cudaGraphExecUpdateResultInfo info;
    device_log();
    cudaGraphNode_t c = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_device_letter(body, NULL, 'b');
    answer(cudaGraphDestroy(body));
    answer(cudaGraphClone(&copy, g));
    answer(cudaGraphAddChildGraphNode(&n, new_graph(), NULL, 0, g));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecUpdate(x, g, &info));
    answer_text("%d", (int)info.result);
    answer_logged(x);
    answer(cudaGraphDestroyNode(c));
}

SITUATION(capture_body, "cudaStreamBeginCaptureToGraph into the body of an IF: end; runs; value")
{
    cudaGraph_t g = new_graph(), body, same = NULL;
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    char *p = device_bytes(64);
    add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    answer(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    answer(cudaMemsetAsync(p, 6, 64, s));
    answer(cudaStreamEndCapture(s, &same));
    answer_text("%s", same == body ? "same" : "other");
    answer_run(new_exec(g));
    answer_text("%d", device_byte(p));
}

SITUATION(capture_conditional, "a conditional node put into a capture's graph by hand with a "
                               "handle of that graph; made the dependency; end; runs")
{
    cudaStream_t s = new_stream(cudaStreamNonBlocking);
    cudaGraph_t g = NULL, body;
    const cudaGraphNode_t *deps;
    size_t n;
    device_log();
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(
        cudaStreamGetCaptureInfo(s, &(enum cudaStreamCaptureStatus){0}, NULL, &g, &deps, NULL, &n));
    cudaGraphNode_t c = add_conditional(g, NULL, handle_of(g, 1), IF, 1, &body);
    add_device_letter(body, NULL, 'i');
    answer(cudaStreamUpdateCaptureDependencies(s, &c, NULL, 1, cudaStreamSetCaptureDependencies));
    cudaGraph_t got = answer_end(s);
    answer_types(got);
    answer_logged(new_exec(got));
}

SITUATION(set_params_conditional,
          "cudaGraphNodeSetParams and cudaGraphExecNodeSetParams of a conditional node; "
          "cudaGraphNodeSetEnabled of it; of a kernel in its body")
{
    cudaGraph_t g = new_graph(), body;
    device_log();
    cudaGraphConditionalHandle h = handle_of(g, 1);
    cudaGraphNode_t c = add_conditional(g, NULL, h, IF, 1, &body),
                    k = add_device_letter(body, NULL, 'b');
    struct cudaGraphNodeParams p = conditional(h, IF, 1);
    answer(cudaGraphNodeSetParams(c, &p));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecNodeSetParams(x, c, &p));
    answer(cudaGraphNodeSetEnabled(x, c, 0));
    answer(cudaGraphNodeSetEnabled(x, k, 0));
    answer_logged(x);
}

SITUATION(two_conditionals, "one handle set in the body of the first IF, asked by a second "
                            "handle's IF after it: order of letters")
{
    cudaGraph_t g = new_graph(), first, second;
    device_log();
    cudaGraphConditionalHandle a = handle_of(g, 1), b = handle_of(g, 0);
    cudaGraphNode_t n = add_conditional(g, NULL, a, IF, 1, &first);
    add_set(first, add_device_letter(first, NULL, '1'), b, 1);
    cudaGraphNode_t m = add_conditional(g, n, b, IF, 1, &second);
    add_device_letter(second, NULL, '2');
    add_device_letter(g, m, '3');
    cudaGraphExec_t x = new_exec(g);
    answer_logged(x);
    answer_logged(x);
}

SITUATION(fire_then_tail, "a graph fires one and puts another as tail, then logs: order of letters")
{
    struct toy *f = toy_letter('f', 20), *t = toy_letter('t', 0), *p = toy_new(0);
    does_launch(p, t, PLAY_TAIL);
    does_launch(p, f, PLAY_FIRE);
    does_log(p, 'p');
    toy_part(p, 0);
    does_log(p, 'q');
    toy_ready(p);
    toy_play(p);
}

SITUATION(two_tails, "two tails of different graphs, the first with a tail of its own: order")
{
    struct toy *own = toy_letter('o', 0), *a = toy_new(0), *b = toy_letter('b', 0), *p = toy_new(0);
    does_log(a, 'a');
    does_launch(a, own, PLAY_TAIL);
    toy_ready(a);
    does_launch(p, a, PLAY_TAIL);
    does_launch(p, b, PLAY_TAIL);
    does_log(p, 'p');
    toy_ready(p);
    toy_play(p);
}

SITUATION(fire_twice,
          "the same graph fired twice by one kernel; fired and put as tail; a tail of it twice")
{
    for (int i = 0; i < 3; i++) {
        struct toy *a = toy_letter('a', 10), *p = toy_new(0);
        does_launch(p, a, i == 2 ? PLAY_TAIL : PLAY_FIRE);
        does_launch(p, a, i == 0 ? PLAY_FIRE : PLAY_TAIL);
        toy_ready(p);
        toy_play(p);
    }
}

SITUATION(
    self_three,
    "a graph that puts itself as tail in its first three runs: letters; as fire-and-forget: code")
{
    struct toy *p = toy_new(0), *q = toy_new(0);
    does_log(p, 's');
    does_self(p, PLAY_TAIL);
    only_in(p, 0, 3);
    toy_ready(p);
    toy_play(p);
    does_log(q, 'q');
    does_self(q, PLAY_FIRE);
    only_in(q, 0, 1);
    toy_ready(q);
    toy_play(q);
}

SITUATION(not_for_device, "device launch of a graph that was not made for it; of one not uploaded; "
                          "of NULL; into a bad stream")
{
    struct toy *a = toy_new(0), *b = toy_new(0), *c = toy_letter('c', 0), *p = toy_new(0);
    does_log(a, 'a');
    toy_instantiate(a, 0);
    does_log(b, 'b');
    toy_instantiate(b, cudaGraphInstantiateFlagDeviceLaunch);
    does_launch_exec(p, NULL, PLAY_FIRE);
    does_launch(p, c, NULL);
    toy_ready(p);
    toy_play(p);
}

SITUATION(updatable_rules,
          "a device-updatable kernel node: attribute set twice; cleared; node destroyed; clone; "
          "second instantiation; parameters set in the graph; in the exec")
{
    cudaGraph_t g = new_graph(), copy;
    int *p = device_bytes(64);
    cudaGraphNode_t n = add_store(g, NULL, p, 1);
    cudaLaunchAttributeValue on = updatable(1), off = updatable(0);
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &on));
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &on));
    answer(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &off));
    struct cudaKernelNodeParams k = store_params(p, 2);
    answer(cudaGraphKernelNodeSetParams(n, &k));
    answer(cudaGraphClone(&copy, g));
    cudaGraphExec_t x = new_exec(g), y;
    answer(cudaGraphInstantiate(&y, g, 0));
    answer(cudaGraphExecKernelNodeSetParams(x, n, &k));
    answer(cudaGraphUpload(x, 0));
    answer_run(x);
    answer_text("%d", device_int(p));
    answer(cudaGraphDestroyNode(n));
}
