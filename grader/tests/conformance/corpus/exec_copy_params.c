/* exec_copy_params.c: parameters of memcpy nodes of an executable graph. */
#include "../graphs.h"

SITUATION("exec memcpy node pinned to device by HostToDevice: size; destination; other allocation; "
          "pageable source; to the host; as Default; the kind kept with device pointers; what it "
          "was read back")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraphNode_t n;
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    MUST(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, p, h, 64, in));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p + 64, h, 100, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, q, h, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pageable_bytes(64), 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, cudaMemcpyDeviceToHost));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 64, cudaMemcpyDefault));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, in));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, q, 64, in));
    struct cudaMemcpy3DParms c;
    MUST(cudaGraphMemcpyNodeGetParams(n, &c));
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    answer_run(x);
}

SITUATION("exec memcpy node pinned to device by Default: size; other way around; inside the "
          "device; pageable")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *h = pinned_bytes(4096), *i = pageable_bytes(64);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    cudaGraphExec_t x = new_exec(g);
    enum cudaMemcpyKind any = cudaMemcpyDefault;
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, p + 64, 32, any));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, n, p, i, 32, any));
    answer_run(x);
}

static struct cudaMemcpy3DParms rows(char *to, char *from, size_t width, size_t height,
                                     size_t pitch)
{
    return copy_3d_params(pitched(to, pitch, pitch, height), pitched(from, pitch, pitch, height),
                          extent(width, height, 1), cudaMemcpyHostToDevice);
}

SITUATION("exec 2-D memcpy node: the same; other addresses; another pitch; another width; position "
          "instead of address; one row of a pitched pointer: width; as 1-D")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n, m;
    struct cudaMemcpy3DParms c = rows(p, h, 8, 2, 64), r = rows(p, h, 8, 1, 64);
    MUST(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &c));
    MUST(cudaGraphAddMemcpyNode(&m, g, NULL, 0, &r));
    cudaGraphExec_t x = new_exec(g);
    answer(cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p + 8, h + 8, 8, 2, 64);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 8, 2, 128);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 9, 2, 64);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c = rows(p, h, 8, 2, 64);
    c.dstPos.x = 4;
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    r = rows(p, h, 9, 1, 64);
    answer(cudaGraphExecMemcpyNodeSetParams(x, m, &r));
    answer(cudaGraphExecMemcpyNodeSetParams1D(x, m, p, h, 16, cudaMemcpyHostToDevice));
    answer_run(x);
}

SITUATION("exec memcpy node pinned to device: size; destination; other allocation; other source; "
          "pageable source; to the host; inside the device; 0 bytes; past the end; kind 99; NULL")
{
    cudaGraph_t g = new_graph();
    char *p = device_bytes(4096), *q = device_bytes(4096), *h = pinned_bytes(4096);
    cudaGraphNode_t n = add_copy(g, NULL, p, h);
    cudaGraphExec_t x = new_exec(g);
    enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 32, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p + 64, h, 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, q, h, 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pinned_bytes(64), 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, pageable_bytes(64), 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, h, p, 64, cudaMemcpyDeviceToHost));
    gives(InvalidValue,
          cudaGraphExecMemcpyNodeSetParams1D(x, n, p, q, 64, cudaMemcpyDeviceToDevice));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 0, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 4097, in));
    gives(InvalidMemcpyDirection,
          cudaGraphExecMemcpyNodeSetParams1D(x, n, p, h, 64, (enum cudaMemcpyKind)99));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(x, n, NULL, h, 64, in));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, NULL));
    answer_run(x);
}

SITUATION("exec memcpy node of one row made 2-D; 3-D; of 2-D made one row; 2-D of other sizes")
{
    char *p = device_bytes(4096), *h = pinned_bytes(4096);
    struct cudaMemcpy3DParms c = copy_3d_params(pitched(p, 64, 64, 4), pitched(h, 64, 64, 4),
                                                extent(8, 2, 1), cudaMemcpyHostToDevice);
    cudaGraph_t g = new_graph(), two = new_graph();
    cudaGraphNode_t n = add_copy(g, NULL, p, h), m;
    MUST(cudaGraphAddMemcpyNode(&m, two, NULL, 0, &c));
    cudaGraphExec_t x = new_exec(g), y = new_exec(two);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    c.extent.depth = 2;
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(x, n, &c));
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams1D(y, m, p, h, 64, cudaMemcpyHostToDevice));
    c.extent = extent(9, 3, 1);
    gives(InvalidValue, cudaGraphExecMemcpyNodeSetParams(y, m, &c));
    answer_run(x);
    answer_run(y);
}
