/* cuda_host_version.h: the beginning of a header that stands before one of NVIDIA's and takes its
 * version for the host: what that has in PTX for the GPU, it computes in C++. Ends with
 * cuda_host_version_end.h. */
#pragma push_macro("__CUDACC__")
#undef __CUDACC__
