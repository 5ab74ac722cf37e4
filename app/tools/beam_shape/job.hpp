// SPDX-License-Identifier: GPL-3.0-or-later
// One picture of the dock "Beam shape", computed off the window's thread.
#pragma once

#include "app/lab/beam_geometry.hpp"
#include "app/lab/measured_beam.hpp"
#include "ui/lab/beam_shape_panel.hpp"

#include <array>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace echolux {

/// Everything that a picture depends on.
struct BeamJob {
    std::shared_ptr<const lab::BeamGeometry> geometry;
    lab::BeamStage stage; ///< for measuring
    lab::PlanePoint pixel;
    BeamShapePanel::Settings settings;
    Backend backend = Backend::Cpu; ///< that measures
    int gpu = 0;                    ///< number of its GPU
};

struct BeamResult {
    bool stopped = false;
    std::string problem = {}; ///< error sentence; empty: no error
    MeasuredCurves measured = {};
    std::vector<LabPicture> pictures = {};
    std::array<FocusFigures, FociTable::kFoci> figures = {};
};

/// True where the mode needs a job: the curves across the pixel need one only to be measured.
bool needsJob(const BeamShapePanel::Settings& settings);
/// Precondition: needsJob().
BeamResult computed(const BeamJob& job, const std::stop_token& stop);

BeamShapeCurves toCurves(const lab::BeamShape& shape);

} // namespace echolux
