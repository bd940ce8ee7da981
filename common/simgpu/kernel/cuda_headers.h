/* cuda_headers.h: NVIDIA's headers as nvcc shows them to a .cu file: with the templates for
 * kernels, which need __CUDACC__, and without the device code that comes with these. Only kernel.h
 * includes it, for simcc. */
#ifndef SIMGPU_CUDA_HEADERS_H
#define SIMGPU_CUDA_HEADERS_H

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <vector_functions.h>

#define __COMMON_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __CUDACC__
#include <cuda_runtime.h>
#undef __CUDACC__

#endif
