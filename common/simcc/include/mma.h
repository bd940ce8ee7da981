/* mma.h: for the host NVIDIA's header has functions without a body, and a product stayed empty. */
#error "the simulated device has no tensor cores, so there is no <mma.h>: multiply in a kernel"
