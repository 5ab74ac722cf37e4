// SPDX-License-Identifier: GPL-3.0-or-later
// The filters between the samples.
#include "gpu/dsp/upsampling.hpp"

namespace echolux {

PhaseFirs upsamplingFirs(const FractionalDelay& delay, std::int64_t taps, int factor) {
    PhaseFirs firs;
    firs.factor = factor;
    firs.before = static_cast<int>(-firstTap(taps, 0.0));
    firs.count = static_cast<int>(taps + taps % 2);
    for (int p = 1; p < factor; ++p) {
        const double at = static_cast<double>(p) / factor;
        const std::int64_t first = firstTap(taps, at);
        const std::vector<double> h = delay.tapsAt(at - static_cast<double>(first));
        const auto shift = static_cast<std::size_t>(first + firs.before);
        for (std::size_t j = 0; j < h.size(); ++j)
            firs.tap[p - 1][shift + j] = static_cast<float>(h[j]);
    }
    return firs;
}

} // namespace echolux
