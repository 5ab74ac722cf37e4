// SPDX-License-Identifier: GPL-3.0-or-later
// Marks a function for the host and, where nvcc compiles the file, for the device too.
#pragma once

#if defined(__CUDACC__)
#define ECHOLUX_HD __host__ __device__
#else
#define ECHOLUX_HD
#endif
