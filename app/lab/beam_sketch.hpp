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
    float weight = 0.0F; ///< weight of the element's signal in the pixel
    bool fires = false;  ///< the element fires in the nearest transmit
};

struct SketchedWave {
    std::int64_t transmit = 0;        ///< its number in the frame
    std::optional<PlaneLine> beam;    ///< empty: the wave goes to all sides
    std::optional<PlanePoint> source; ///< focus, virtual source, or the element that fires
    bool nearest = false;
};

struct BeamSketch {
    /// Up to this number of waves all are drawn; else only the nearest one.
    static constexpr std::size_t kFew = 16;

    std::vector<SketchedElement> elements;
    std::vector<SketchedWave> waves{};
    std::vector<PlaneLine> edges{}; ///< edges of the nearest wave's aperture, along the wave
    std::vector<PlaneLine> lines{}; ///< the image lines of the nearest transmit, where it has
                                    ///< several
    /// First element that counts, pixel, last element that counts; empty where no element counts.
    std::optional<std::array<PlanePoint, 3>> aperture{};
    std::size_t counted = 0; ///< number of elements with weight > 0
};

/// Without a pixel no wave is the nearest and no element counts. Lines are `reachM` long. Elements
/// at the same place in the plane, as in a matrix array, are drawn as one.
BeamSketch sketchBeams(const BeamGeometry& geometry, const std::optional<PlanePoint>& pixel,
                       double reachM);

} // namespace echolux::lab
