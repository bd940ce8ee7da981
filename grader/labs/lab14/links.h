/* links.h: what the grader itself measures on these devices: exchanges between them, and the
 * products of one device. */
#pragma once

#include <cuda_runtime_api.h>

#include "labs/lab14_all_reduce/lab.h"

/* exchange_us and gbps of lab.h. Leaves peer access as it was: disabled. */
cudaError_t links_measure(int n_devices, double *exchange_us, double *gbps);

/* The products of all layers on device 0 alone, as one graph. */
cudaError_t links_products(const struct lab14 *lab, double *time_us);
