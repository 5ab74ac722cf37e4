// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages that draw boundaries of tissue do, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"

#include <cstdint>

namespace echolux {

/// A functor of forEachByLanes() over lines of `depths` pixels. Each lane finds the pixels of
/// `places` depths; then each pixel takes a comparison of whole numbers with both ends of `spans`
/// spans. `read`: bytes of other images, per pixel.
inline model::Kernel boundariesWork(Backend backend, const char* name, std::int64_t lines,
                                    std::int64_t depths, double places, double spans, double read) {
    const bool cuda = backend == Backend::Cuda;
    const double lanes = cuda ? 32.0 : 1.0;
    const auto pixels = static_cast<double>(depths);
    const model::Part place = oneByOne(backend, {.fmul = 1.0, .fadd = 4.0, .offsets = 16.0});
    const double perPixel = (cuda ? 5.0 : 1.0) * spans;
    return forEachByLanesWork(backend, name, lines,
                              {.bytesRead = read * pixels + 4.0 * lanes * places,
                               .bytesWritten = 4.0 * pixels,
                               .distinctRead = read * pixels + 8.0,
                               .counts = addedUp({place.times(lanes * places),
                                                  model::Part{.offsets = perPixel * pixels}})});
}

/// Counts oct::DrawBoundaries: two boundaries, in a line and its neighbours.
inline model::Kernel drawBoundariesWork(Backend backend, const char* name, std::int64_t lines,
                                        std::int64_t depths) {
    return boundariesWork(backend, name, lines, depths, 6.0, 2.0, 0.0);
}

} // namespace echolux
