// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled OCT recordings hold what their commands in testdata/README.md give today.
#include "app/dataset/recording/recording.hpp"
#include "app/source/oct_simulator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {

namespace {

using testing::DoubleNear;
using testing::FloatEq;
using testing::Pointwise;

OctSampleRequest retinaFor(const OctSetup& setup) {
    return {.name = "retina",
            .widthM = static_cast<double>(setup.lines) * setup.linePitchM,
            .rangeM = setup.rangeM(),
            .startDepthM = 40e-6};
}

void holdsTheSame(const char* name, OctSimulator& simulator, std::int64_t frames) {
    const auto recording =
        openRecording(std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + name + ".echolux.h5");
    const FrameSpec& frame = recording->info().frame;
    ASSERT_EQ(recording->info().frameCount, frames);
    ASSERT_TRUE(frame.sameLayout(simulator.frame())) << frame.describe();
    std::vector<std::byte> stored(frame.bytes());
    std::vector<std::byte> again(frame.bytes());
    for (const std::int64_t index : {std::int64_t{0}, frames / 3, frames - 1}) {
        recording->readFrame(index, stored);
        simulator.render(index, again);
        EXPECT_TRUE(stored == again) << "frame " << index;
    }
    const Spectrometer& known = *frame.spectrometer;
    const Spectrometer& expected = *simulator.frame().spectrometer;
    EXPECT_THAT(known.resampling, Pointwise(DoubleNear(1e-9), expected.resampling));
    EXPECT_THAT(known.background, Pointwise(FloatEq(), expected.background));
    EXPECT_THAT(known.dispersionRad, Pointwise(DoubleNear(1e-9), expected.dispersionRad));
    EXPECT_EQ(frame.stack, simulator.frame().stack);
}

TEST(OctTestdata, cine) {
    OctSetup setup = octPreset("spectrometer");
    setup.samples = 512;
    setup.bandwidthM = 120e-9;
    setup.sourceWidthM = 60e-9;
    setup.lines = 200;
    setup.fullWellElectrons = 1e6;
    setup.readNoiseElectrons = 150.0;
    OctSampleRequest request = retinaFor(setup);
    request.vesselMoves = true;
    request.breathingM = 6e-6;
    request.periodS = 24.0 / setup.frameRateHz;
    OctSimulator simulator(setup, makeOctSample(request));
    holdsTheSame("retina_cine", simulator, 24);
}

TEST(OctTestdata, volume) {
    OctSetup setup = octPreset("spectrometer");
    setup.samples = 512;
    setup.bandwidthM = 120e-9;
    setup.sourceWidthM = 60e-9;
    setup.lines = 64;
    setup.bscansPerVolume = 48;
    setup.linePitchM = 12e-6;
    setup.bscanPitchM = 16e-6;
    setup.beamWidthM = 20e-6;
    setup.bits = 8;
    setup.dtype = DType::U8;
    setup.fullWellElectrons = 1e6;
    setup.readNoiseElectrons = 150.0;
    setup.seed = 2;
    OctSimulator simulator(setup, makeOctSample(retinaFor(setup)));
    holdsTheSame("retina_volume", simulator, 48);
}

} // namespace

} // namespace echolux
