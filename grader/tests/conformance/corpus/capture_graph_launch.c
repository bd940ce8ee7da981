/* capture_graph_launch.c: graph launches and uploads during a capture. */
#include "../graphs.h"

SITUATION("cudaGraphLaunch in a capture: status; end; the exec runs after it; in a capture into "
          "its own graph")
{
    cudaStream_t s = nonblocking_stream();
    cudaGraph_t g = captured_memsets(1);
    cudaGraphExec_t x = new_exec(g);
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    gives(StreamCaptureUnsupported, cudaGraphLaunch(x, s));
    is_invalidated(s);
    answer_run(x);
    MUST(begin_capture_to(s, g, NULL));
    gives(StreamCaptureUnsupported, cudaGraphLaunch(x, s));
    status_is("invalidated", s);
}

SITUATION("cudaGraphLaunch of NULL in a capture; status; end")
{
    cudaStream_t s = capturing(cudaStreamCaptureModeGlobal);
    gives(StreamCaptureUnsupported, cudaGraphLaunch(NULL, s));
    is_invalidated(s);
}
