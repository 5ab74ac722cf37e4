// SPDX-License-Identifier: GPL-3.0-or-later
// The array, the transmitted waves and the receive aperture of one pixel as lines in the plane of
// an image. Lengths in m.
#pragma once

#include "app/lab/beam_geometry.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::lab {

struct PlaneLine {
    PlanePoint from;
    PlanePoint to;
};

struct SketchedElement {
    PlaneLine face;
    float weight = 0.0F; ///< of what it heard, in the pixel
    bool fires = false;  ///< in the nearest transmit
};

struct SketchedWave {
    std::int64_t transmit = 0;        ///< of the frame
    std::optional<PlaneLine> beam;    ///< none: to all sides
    std::optional<PlanePoint> source; ///< focus, virtual source, or the element that fires
    bool nearest = false;
};

struct BeamSketch {
    /// Waves are all drawn up to so many, else the nearest one alone.
    static constexpr std::size_t kFew = 16;

    std::vector<SketchedElement> elements;
    std::vector<SketchedWave> waves{};
    std::vector<PlaneLine> edges{}; ///< of the nearest wave's aperture, along the wave
    std::vector<PlaneLine> lines{}; ///< where several are the nearest transmit's own
    /// First element that counts, pixel, last element that counts; none where none counts.
    std::optional<std::array<PlanePoint, 3>> aperture{};
    std::size_t counted = 0; ///< elements of weight > 0
};

/// Without a pixel no wave is nearest and no element counts. Lines end `reachM` from where they
/// begin; those of elements at one place in the plane, as in a matrix, are one.
BeamSketch sketchBeams(const BeamGeometry& geometry, const std::optional<PlanePoint>& pixel,
                       double reachM);

} // namespace echolux::lab
