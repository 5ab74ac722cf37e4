// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/exec/together.hpp"

#if defined(__CUDACC__)

namespace echolux::device {

int blocksAtOnce(const void* kernel, int threads) {
    int device = 0;
    int processors = 0;
    int each = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0);
    return processors * each;
}

void launchTogether(const void* kernel, int blocks, int threads, void** arguments, Stream stream) {
    cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                                dim3(static_cast<unsigned>(threads)), arguments, 0,
                                static_cast<cudaStream_t>(stream));
}

} // namespace echolux::device

#endif
