// SPDX-License-Identifier: GPL-3.0-or-later
// Linear interpolation of curves.
#include "app/dataset/frames/curve.hpp"

#include <algorithm>
#include <cstddef>

namespace echolux {

std::vector<double> stretched(std::span<const double> values, std::int64_t samples) {
    const double step = static_cast<double>(values.size() - 1) / static_cast<double>(samples - 1);
    std::vector<double> result(static_cast<std::size_t>(samples));
    for (std::size_t m = 0; m < result.size(); ++m) {
        const double at = static_cast<double>(m) * step;
        const std::size_t left = std::min(static_cast<std::size_t>(at), values.size() - 2);
        const double part = at - static_cast<double>(left);
        result[m] = values[left] + part * (values[left + 1] - values[left]);
    }
    return result;
}

std::vector<double> stretchedCurve(std::span<const double> positions, std::int64_t samples) {
    std::vector<double> result = stretched(positions, samples);
    const double factor =
        static_cast<double>(samples - 1) / static_cast<double>(positions.size() - 1);
    for (double& position : result) position *= factor;
    return result;
}

} // namespace echolux
