/* fat_binary.h: the part of a program that nvcc made for the GPU. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The initial value of a variable, by its name on the device; false: it has none, or the code is
 * there only compressed or as PTX. `fat_cubin` is what __cudaRegisterFatBinary is given. */
bool fat_binary_value(const void *fat_cubin, const char *name, void *to, size_t bytes);
