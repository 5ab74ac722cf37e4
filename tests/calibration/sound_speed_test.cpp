// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of sound of a little speckle, and of what has none. long/ has all arrays and phantoms.
#include "gpu/core/complex.hpp"
#include "tests/calibration/simulated_speckle.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace echolux {
namespace {

using sound_speed::Search;
using testing::HasSubstr;
using testing_support::estimateOf;
using testing_support::planeWave;
using testing_support::refusal;
using testing_support::Sent;
using testing_support::specklesOf;
using testing_support::specOf;

/// A narrow array, and few echoes.
Sent small() {
    return {.name = "small",
            .trueMps = 1580.0,
            .waves = {planeWave(0.0)},
            .elements = 64,
            .depthM = 25e-3,
            .scatterers = 700};
}

TEST(SoundSpeed, OfLittleSpeckleIsFoundRoughly) {
    const FrameSpec spec = specOf(small());
    const sound_speed::Estimate found = estimateOf(spec, specklesOf(small(), spec));
    EXPECT_TRUE(found.isSure()) << found.doubt;
    EXPECT_NEAR(found.speedMps, small().trueMps, 5.0);
    EXPECT_LT(found.errorMps, 5.0);
    ASSERT_EQ(found.triedMps.size(), found.unevenness.size());
}

TEST(SoundSpeed, OfIqDataIsThatOfTheirSignals) {
    FrameSpec spec = specOf(small());
    const std::vector<float> re = specklesOf(small(), spec);
    const std::vector<float> im = specklesOf(small(), spec, 0.25 * testing_support::kTwoPi);
    const auto samples = static_cast<std::size_t>(spec.sizeOf(AxisName::Sample));
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = spec.centreFrequencyHz;
    std::vector<Complex> mixed;
    for (std::size_t i = 0; i < re.size(); ++i) {
        const double turned = testing_support::kTwoPi * spec.centreFrequencyHz *
                              static_cast<double>(i % samples) / spec.samplingFrequencyHz();
        const Complex back{float(std::cos(turned)), -float(std::sin(turned))};
        mixed.push_back(Complex{re[i], im[i]} * back);
    }
    const sound_speed::Estimate found = estimateOf(spec, mixed);
    EXPECT_TRUE(found.isSure()) << found.doubt;
    EXPECT_NEAR(found.speedMps, small().trueMps, 5.0);
}

TEST(SoundSpeed, OfNoiseOrSilenceIsDoubted) {
    const Sent sent = small();
    const FrameSpec spec = specOf(sent);
    std::vector<float> samples(static_cast<std::size_t>(spec.count()));
    EXPECT_THAT(estimateOf(spec, samples).doubt, HasSubstr("no echoes"));
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (float& each : samples) each = normal(random);
    EXPECT_FALSE(estimateOf(spec, samples).isSure());
    samples.assign(samples.size(), std::numeric_limits<float>::quiet_NaN());
    EXPECT_FALSE(estimateOf(spec, samples).isSure());
}

TEST(SoundSpeed, AsksForARegionWithEchoes) {
    const Sent sent = small();
    const FrameSpec spec = specOf(sent);
    Search search;
    search.places.region = sound_speed::Region{-1e-3, 1e-3, 20e-3, 22e-3};
    const std::vector<float> samples = specklesOf(sent, spec);
    EXPECT_THAT(estimateOf(spec, samples, search).doubt, HasSubstr("2000 are needed"));
    search.places.region = sound_speed::Region{50e-3, 60e-3, 20e-3, 30e-3};
    EXPECT_THAT(refusal([&] { estimateOf(spec, samples, search); }),
                HasSubstr("No place of the region is insonified"));
}

/// IQ data may state any frequency.
TEST(SoundSpeed, TriesABoundedNumberOfPlaces) {
    FrameSpec spec = specOf(small());
    spec.dtype = DType::ComplexF32;
    spec.centreFrequencyHz = spec.demodulationFrequencyHz = 3e9;
    const std::vector<Complex> silence(static_cast<std::size_t>(spec.count()));
    const sound_speed::Estimate found = estimateOf(spec, silence);
    EXPECT_THAT(found.doubt, HasSubstr("no echoes"));
    EXPECT_LE(found.places, sound_speed::PlaceOptions{}.most);
}

TEST(SoundSpeed, RefusesWhatSendsNothingOrHasNoArray) {
    Sent sent = small();
    sent.waves = {{.wave = Wave::None, .source = {}}};
    const std::vector<float> none;
    EXPECT_THAT(refusal([&] { estimateOf(specOf(sent), none); }), HasSubstr("nothing is sent"));
    FrameSpec image;
    image.axes = {{AxisName::Depth, 10, 1e-3, 0.0, "m"}, {AxisName::Lateral, 10, 1e-3, 0.0, "m"}};
    EXPECT_THAT(refusal([&] { estimateOf(image, none); }), HasSubstr("ultrasound channel data"));
}

} // namespace
} // namespace echolux
