/* cuda_host_version_end.h: see cuda_host_version.h. */
#pragma pop_macro("__CUDACC__")
