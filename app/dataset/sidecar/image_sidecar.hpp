// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a sidecar that describes images: data that are already beamformed.
#pragma once

#include "app/dataset/sidecar/number_source.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux {

class Section;

struct ImageSidecar {
    RecordedForm form = RecordedForm::Beamformed;
    NumberSource depthFirstM, depthStepM;
    NumberSource samplingFrequencyHz; ///< along depth, for the two-way time
    NumberSource lateralFirstM, lateralStepM;
    NumberSource elevationFirstM, elevationStepM;
    NumberSource angles; ///< angles of the lines of a sector, rad
    NumberSource angleFirst, angleStep;
    NumberSource apex; ///< x, z; m
    NumberSource radiusM;
    NumberSource centreFrequencyHz, demodulationFrequencyHz;
    NumberSource shownRangeDb;
    NumberSource frameRateHz;

    bool isSector() const { return angles.given() || angleStep.given(); }
};

void readImage(Section section, ImageSidecar& image);

} // namespace echolux
