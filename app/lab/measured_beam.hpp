// SPDX-License-Identifier: GPL-3.0-or-later
// The beam as the stage `beamform` itself has it: the stage computes one pixel, with its parameters
// in force, from the echoes of points beside the pixel (Gronvold 2008, section 2.2 and appendix B).
// The closed form of the same is beam_shape.hpp; a pulse has a bandwidth, the closed form has one
// frequency.
#pragma once

#include "app/lab/beam_map.hpp"
#include "app/lab/beam_shape.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/stage.hpp"

#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

namespace echolux::lab {

struct MeasuredBeam {
    std::vector<double> across = {}; ///< as BeamShape::across, around the pixel
    BeamPattern heard = {};
    BeamPattern both = {};

    bool empty() const { return across.empty(); }
};

/// A stage with its values, as it stands in a pipeline.
struct BeamStage {
    const StageType* type = nullptr; ///< has BeamformParams
    Params params = {};
};

/// The patterns at `points` even positions, from `first` to `last`, of points that lie at the
/// pixel's depth. `shape`: the closed form there. Of real input the analytic signal is taken. Runs
/// on `backend`. Empty where it was stopped and where no transmit images the pixel. Throws
/// Error where the stage refuses.
MeasuredBeam measuredBeam(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
                          const BeamShape& shape, double bandwidth, double first, double last,
                          std::size_t points, Backend backend, const std::stop_token& stop);

/// The beam over depth: beamMap() of the recorded transmits with the stage's own numbers in place
/// of the closed form. `part` is Heard or Both. Runs on `backend`. Each row is the stage focused
/// anew on the beam's line; a row that no transmit images is 0. Empty and errors as measuredBeam().
BeamMap measuredMap(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
                    BeamPart part, double bandwidth, const BeamMapSize& size, Backend backend,
                    const std::stop_token& stop);

/// The part of `shape` round its pixel that is worth measuring: ten widths of the two-way beam to
/// either side, within the image.
std::pair<double, double> measuredPart(const BeamShape& shape);

} // namespace echolux::lab
