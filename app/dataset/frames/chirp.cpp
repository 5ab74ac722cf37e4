// SPDX-License-Identifier: GPL-3.0-or-later
// Piecewise linear inversion of a monotonic curve.
#include "app/dataset/frames/chirp.hpp"

#include <cstddef>

namespace echolux {

std::vector<double> inverseOfChirp(std::span<const double> chirp) {
    const std::size_t last = chirp.size() - 1;
    const double sense = chirp[last] > chirp[0] ? 1.0 : -1.0;
    const double step = (chirp[last] - chirp[0]) / static_cast<double>(last);
    std::vector<double> positions(chirp.size());
    std::size_t pixel = 0; // the pixel to the left of the position
    for (std::size_t m = 0; m < last; ++m) {
        const double wanted = chirp[0] + static_cast<double>(m) * step;
        while (pixel + 1 < last && sense * chirp[pixel + 1] <= sense * wanted) ++pixel;
        positions[m] = static_cast<double>(pixel) +
                       (wanted - chirp[pixel]) / (chirp[pixel + 1] - chirp[pixel]);
    }
    positions[last] = static_cast<double>(last);
    return positions;
}

} // namespace echolux
