// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/frames/depth_scale.hpp"

#include <cmath>

namespace echolux {

double bandwidthOfDepthStep(double centreM, double depthStepM, std::int64_t samples) {
    const auto n = static_cast<double>(samples);
    const double step = depthStepM * n / (n - 1.0);
    return 2.0 * (std::sqrt(4.0 * step * step + centreM * centreM) - 2.0 * step);
}

} // namespace echolux
