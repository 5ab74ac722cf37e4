// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults are asked for before ports are checked, so every stage gives some for any frame, or says
// why not.
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace echolux::test {
namespace {

TEST(StageDefaults, AreGivenForAnyFrameOrRefused) {
    const FrameSpec image = imageSpec(5, 4);
    FrameSpec samples = image; // channel data without a depth
    samples.axes = {{AxisName::Channel, 4, 1.0, 0.0, ""}, {AxisName::Sample, 64, 1.0, 0.0, ""}};
    FrameSpec line = image;
    line.axes = {{AxisName::Depth, 64, 1e-4, 0.0, "m"}};
    FrameSpec number = image;
    number.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""}};
    for (const StageType* type : builtinStages()) {
        for (const FrameSpec& frame : {image, samples, line, number, octSpec(2, 3, 16)}) {
            SCOPED_TRACE(type->id + " for " + frame.describe());
            try {
                EXPECT_EQ(&type->defaultsFor(frame).table(), &type->table);
            } catch (const Error& error) { // a sentence, as where a probe is wanted
                EXPECT_TRUE(std::string_view(error.what()).ends_with('.')) << error.what();
            }
        }
    }
}

/// Elements half a wavelength apart that fire alone.
BeamformParams ofPhasedElements(double soundSpeedMps) {
    FrameSpec spec = channelSpec(8, 8, 500);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->soundSpeedMps = soundSpeedMps;
    acquisition->probe.pitchM = 0.5 * soundSpeedMps / spec.centreFrequencyHz;
    for (std::size_t e = 0; e < 8; ++e) {
        Point& at = acquisition->probe.elements[e];
        at = {acquisition->probe.pitchM * (static_cast<double>(e) - 3.5), 0.0, 0.0};
        acquisition->transmits[e].wave = Wave::Element;
        acquisition->transmits[e].source = at;
    }
    spec.acquisition = acquisition;
    return stageType("beamform").defaultsFor(spec).as<BeamformParams>();
}

TEST(StageDefaults, SingleElementsOfAPhasedArrayFanOutInTissueAlone) {
    EXPECT_EQ(ofPhasedElements(1540.0).grid, PixelGrid::Beams);
    EXPECT_EQ(ofPhasedElements(5900.0).grid, PixelGrid::Image);
}

} // namespace
} // namespace echolux::test
