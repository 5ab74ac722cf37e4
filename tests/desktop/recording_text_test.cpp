// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/recording_text.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

TEST(RecordingText, SpectraAreNamedByTheirLinesAndTheirLight) {
    Spectrometer device;
    device.centreWavelengthM = 840e-9;
    RecordingInfo info;
    info.path = "somewhere/eye.raw";
    info.frame.axes = {{AxisName::Lateral, 200, 1.0, 0.0, ""},
                       {AxisName::Sample, 512, 1.0, 0.0, ""}};
    info.frame.spectrometer = std::make_shared<Spectrometer>(device);
    EXPECT_EQ(sourceText(info), "eye.raw   200 A-scans x 512 samples   840 nm");
    info.frameRateHz = 25.0;
    EXPECT_EQ(sourceText(info),
              "eye.raw   200 A-scans x 512 samples   840 nm   recorded at 25 B-scans/s");
    device.centreWavelengthM = 0.0;
    info.frame.spectrometer = std::make_shared<Spectrometer>(device);
    EXPECT_EQ(sourceText(info), "eye.raw   200 A-scans x 512 samples   recorded at 25 B-scans/s");
}

TEST(RecordingText, EchoesAreNamedByTheirFrequency) {
    RecordingInfo info;
    info.path = "cine.h5";
    info.frame.centreFrequencyHz = 5e6;
    info.frameRateHz = 25.0;
    EXPECT_EQ(sourceText(info), "cine.h5   5.0 MHz   recorded at 25 frames/s");
}

} // namespace
} // namespace echolux
