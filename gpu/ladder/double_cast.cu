// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ladder/double_cast.hpp"

#include "gpu/exec/for_each.hpp"

#include <algorithm>

namespace echolux::ladder {
namespace {

struct Cast {
    const double* in;
    float* out;
    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = static_cast<float>(in[i]); }
};

#if defined(__CUDACC__)
constexpr std::int64_t kMostBlocks = 512;
constexpr std::int64_t kMostThreads = 512;

__global__ void castKernel(Cast cast, std::int64_t count) {
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         i < count; i += step)
        cast(i);
}
#endif

} // namespace

void castToFloat(const Exec& exec, const double* in, std::int64_t count, float* out) {
    constexpr const char* kName = "ladder cast";
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda && count > 0) {
        const std::int64_t threads = std::min(count, kMostThreads);
        const std::int64_t blocks = std::min((count + threads - 1) / threads, kMostBlocks);
        castKernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0,
                     static_cast<cudaStream_t>(exec.stream)>>>(Cast{in, out}, count);
        device::checkLaunch(kName);
        return;
    }
#endif
    forEach(exec, kName, count, Cast{in, out});
}

} // namespace echolux::ladder
