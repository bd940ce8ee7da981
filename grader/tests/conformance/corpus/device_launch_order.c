/* device_launch_order.c: in which order graphs run that kernels launch, and what waits for them. */
#include "../scripted.h"

static const cudaStream_t modes[] = {LAUNCH_FIRE_AND_FORGET, LAUNCH_TAIL, LAUNCH_SIBLING};

SITUATION("a tail's own tails run before those that were launched before them")
{
    struct scripted *root = scripted_new(0), *first = scripted_new(0), *inner = scripted_new(0);
    then_log(inner, 'i');
    then_launch(inner, scripted_letter('x', 0), LAUNCH_TAIL);
    then_log(first, '1');
    then_launch(first, inner, LAUNCH_TAIL);
    then_launch(first, scripted_letter('j', 0), LAUNCH_TAIL);
    then_launch(root, first, LAUNCH_TAIL);
    then_launch(root, scripted_letter('2', 0), LAUNCH_TAIL);
    script_gives("1ixj2", "Success x5", root);
}

SITUATION("a tail waits for children of 300 us, and for theirs")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_log(child, 'c');
    then_launch(child, scripted_letter('g', 500), LAUNCH_FIRE_AND_FORGET);
    then_log(root, 'r');
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('d', 200), LAUNCH_FIRE_AND_FORGET);
    script_gives("rcdgt", "Success x4", root);
}

SITUATION("a child runs beside the rest of its parent; a tail after all of it")
{
    struct scripted *root = scripted_new(0);
    then_launch(root, scripted_letter('c', 100), LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    scripted_add_kernel(root, 300);
    then_log(root, 'r');
    script_gives("crt", "Success x2", root);
}

SITUATION("a sibling of 500 us does not hold the root's tail; the stream waits for it")
{
    struct scripted *root = scripted_new(0), *after = scripted_letter('a', 0);
    then_launch(root, scripted_letter('s', 500), LAUNCH_SIBLING);
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream();
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(after->exec, s));
    answer(cudaStreamSynchronize(s));
    log_is("tsa");
    launches_are("Success x2");
}

SITUATION("a sibling of 500 us of the root's child holds the root's tail, not the child's")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_launch(child, scripted_letter('s', 500), LAUNCH_SIBLING);
    then_launch(child, scripted_letter('u', 0), LAUNCH_TAIL);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    script_gives("ust", "Success x4", root);
}

SITUATION("a sibling of 500 us of the root's first tail does not hold its second")
{
    struct scripted *root = scripted_new(0), *first = scripted_new(0);
    then_launch(first, scripted_letter('s', 500), LAUNCH_SIBLING);
    then_log(first, '1');
    then_launch(root, first, LAUNCH_TAIL);
    then_launch(root, scripted_letter('2', 0), LAUNCH_TAIL);
    script_gives("12s", "Success x3", root);
}

SITUATION("a child's tail of 300 us: the child's sibling in arms goes on, the root's tail waits")
{
    struct scripted *root = scripted_new(0), *child = scripted_new(0);
    then_launch(child, scripted_letter('u', 300), LAUNCH_TAIL);
    then_launch(root, child, LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('d', 100), LAUNCH_FIRE_AND_FORGET);
    then_launch(root, scripted_letter('t', 0), LAUNCH_TAIL);
    script_gives("dut", "Success x4", root);
}

SITUATION("work after the launch in its stream waits for children, tails and siblings; what the "
          "host asks during that")
{
    for (int i = 0; i < 3; i++) {
        struct scripted *root = scripted_new(0), *after = scripted_letter('a', 0);
        then_launch(root, scripted_letter('c', 3000), modes[i]);
        scripted_upload(root);
        scripts_copy();
        cudaStream_t s = nonblocking_stream();
        cudaEvent_t e = new_event(cudaEventDisableTiming);
        MUST(cudaGraphLaunch(root->exec, s));
        MUST(cudaEventRecord(e, s));
        MUST(cudaGraphLaunch(after->exec, s));
        let_pass(1000);
        gives(NotReady, cudaStreamQuery(s));
        gives(NotReady, cudaEventQuery(e));
        MUST(cudaStreamSynchronize(s));
        log_is("ca");
    }
}

SITUATION("the host launches the root twice: the second run waits for all of the first")
{
    struct scripted *root = scripted_new(0);
    then_log(root, 'r');
    then_launch(root, scripted_letter('t', 300), LAUNCH_TAIL);
    then_launch(root, scripted_letter('c', 100), LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaStreamSynchronize(s));
    log_is("rctrct");
    scripts_copy();
    answer(cudaGraphLaunch(root->exec, s));
    answer(cudaGraphLaunch(root->exec, t));
    answer(cudaDeviceSynchronize());
    log_is("rctrct");
    launches_are("Success x4");
}

SITUATION("a child of 2 ms does not hold another stream")
{
    struct scripted *root = scripted_new(0), *other = scripted_letter('o', 0);
    then_launch(root, scripted_letter('c', 2000), LAUNCH_FIRE_AND_FORGET);
    scripted_upload(root);
    scripts_copy();
    cudaStream_t s = nonblocking_stream(), t = nonblocking_stream();
    MUST(cudaGraphLaunch(root->exec, s));
    MUST(cudaGraphLaunch(other->exec, t));
    answer(cudaStreamSynchronize(t));
    answer(cudaStreamSynchronize(s));
    log_is("oc");
}
