// SPDX-License-Identifier: GPL-3.0-or-later
// envelope against scipy.signal.hilbert, the published FIR sum and closed forms.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

constexpr std::size_t kDepths = 89;
constexpr std::size_t kLaterals = 7;

const Vectors& vectors() {
    static const Vectors kVectors("gpu/vectors/signal_stages.txt");
    return kVectors;
}

HostFrame image() { return HostFrame(imageSpec(kDepths, kLaterals), vectors()["image"]); }

TEST(Envelope, FftAgreesWithScipy) {
    const HostFrame out = runStage("envelope", image());
    expectNear(out.as<float>(), vectors()["envelope_fft"], 3e-6);
}

TEST(Envelope, FirAgreesWithThePublishedSum) {
    for (const std::int64_t window : {3, 15, 63}) {
        const HostFrame out =
            runStage("envelope", image(), {{"kind", "fir_hilbert"}, {"window", window}});
        SCOPED_TRACE(window);
        expectNear(out.as<float>(), vectors()["envelope_fir_" + std::to_string(window)], 3e-6);
    }
}

/// Channel data has its lines along the contiguous axis: the same lines, the same envelopes.
TEST(Envelope, LinesMayLieEitherWay) {
    std::vector<float> lines;
    std::vector<float> expected;
    for (std::size_t x = 0; x < kLaterals; ++x) {
        for (std::size_t z = 0; z < kDepths; ++z) {
            lines.push_back(vectors()["image"][z * kLaterals + x]);
            expected.push_back(vectors()["envelope_fft"][z * kLaterals + x]);
        }
    }
    const HostFrame out =
        runStage("envelope", HostFrame(channelSpec(1, kLaterals, kDepths), lines));
    EXPECT_EQ(out.spec.describe(), "f32 [transmit 1][channel 7][sample 89]");
    expectNear(out.as<float>(), expected, 3e-6);
}

/// A volume is a stack of images.
TEST(Envelope, BlocksOfImages) {
    FrameSpec spec = imageSpec(kDepths, kLaterals);
    spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, 2, 1e-3, 0.0, "m"});
    std::vector<float> volume = vectors()["image"];
    for (const float value : vectors()["image"]) volume.push_back(-3.0F * value);
    std::vector<float> expected = vectors()["envelope_fft"];
    for (const float value : vectors()["envelope_fft"]) expected.push_back(3.0F * value);
    expectNear(runStage("envelope", HostFrame(spec, volume)).as<float>(), expected, 1e-5);
}

TEST(Envelope, OfAPulseIsItsGaussian) {
    constexpr std::int64_t kSamples = 400;
    std::vector<float> line(kSamples);
    std::vector<float> expected(kSamples);
    for (std::size_t n = 0; n < line.size(); ++n) {
        const double u = (static_cast<double>(n) - 180.3) / 25;
        expected[n] = static_cast<float>(std::exp(-u * u));
        line[n] = static_cast<float>(std::exp(-u * u) * std::cos(1.3 * static_cast<double>(n)));
    }
    const HostFrame out = runStage("envelope", HostFrame(channelSpec(1, 1, kSamples), line));
    expectNear(out.as<float>(), expected, 1e-5);
}

/// The end of a line must not leak into its beginning.
TEST(Envelope, EndsStayApart) {
    std::vector<float> line(200, 0.0F);
    for (std::size_t n = 190; n < 200; ++n) line[n] = n % 2 == 0 ? 1.0F : -1.0F;
    const HostFrame out = runStage("envelope", HostFrame(channelSpec(1, 1, 200), line));
    for (std::size_t n = 0; n < 20; ++n) EXPECT_LT(out.as<float>()[n], 0.01F) << n;
}

TEST(Envelope, OfComplexSamplesIsTheirMagnitude) {
    FrameSpec spec = imageSpec(2, 2);
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = 5e6;
    const HostFrame out =
        runStage("envelope", HostFrame(spec, std::vector<float>{3, 4, -5, 12, 0, 0, 0, -2}));
    EXPECT_EQ(out.spec.dtype, DType::F32);
    EXPECT_EQ(out.spec.demodulationFrequencyHz, 0.0);
    expectNear(out.as<float>(), std::vector<float>{5, 13, 0, 2}, 1e-6);
}

TEST(Envelope, WithoutAmplitudeItIsTheHilbertTransform) {
    const auto hilbert = [](const char* kind, std::int64_t window) {
        return runStage("envelope", image(),
                        {{"kind", kind}, {"window", window}, {"amplitude", false}});
    };
    expectNear(hilbert("fft_hilbert", 15).as<float>(), vectors()["hilbert_fft"], 3e-6);
    for (const std::int64_t window : {3, 15, 63}) {
        SCOPED_TRACE(window);
        expectNear(hilbert("fir_hilbert", window).as<float>(),
                   vectors()["hilbert_fir_" + std::to_string(window)], 3e-6);
    }
}

/// The Hilbert transform of an impulse is 2 / (pi m) at odd distances m behind it.
TEST(Envelope, TheFirTurnsAnImpulseIntoItsTaps) {
    std::vector<float> line(11, 0.0F);
    line[5] = 1.0F;
    std::vector<float> expected(11, 0.0F);
    for (const int m : {1, 3, 5}) {
        expected[static_cast<std::size_t>(5 + m)] =
            static_cast<float>(2.0 / (std::numbers::pi * m));
        expected[static_cast<std::size_t>(5 - m)] = -expected[static_cast<std::size_t>(5 + m)];
    }
    const HostFrame out =
        runStage("envelope", HostFrame(channelSpec(1, 1, 11), line),
                 {{"kind", "fir_hilbert"}, {"window", std::int64_t{5}}, {"amplitude", false}});
    expectNear(out.as<float>(), expected, 1e-6);
}

TEST(Envelope, WithoutAmplitudeComplexSamplesGiveTheirImaginaryPart) {
    FrameSpec spec = imageSpec(2, 2);
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = 5e6;
    spec.valueRange = ValueRange{-2.0, 12.0, "", ""};
    const HostFrame out =
        runStage("envelope", HostFrame(spec, std::vector<float>{3, 4, -5, 12, 0, 0, 0, -2}),
                 {{"amplitude", false}});
    EXPECT_EQ(out.spec.dtype, DType::F32);
    EXPECT_EQ(out.spec.valueRange, (ValueRange{-12.0, 12.0, "", ""}));
    expectNear(out.as<float>(), std::vector<float>{4, 12, 0, -2}, 0.0);
}

TEST(Envelope, AmplitudeIsALiveEdit) {
    const StageType& type = stageType("envelope");
    StageRunner runner(type, image().spec, Params(type.table));
    runner.run(image());
    runner.update(paramsFor(type, image().spec, {{"amplitude", false}}));
    expectNear(runner.run(image()).as<float>(), vectors()["hilbert_fft"], 3e-6);
}

TEST(Envelope, RefusesKindsThatDoNotFit) {
    const auto refusal = [](const HostFrame& frame, const char* kind) -> std::string {
        try {
            runStage("envelope", frame, {{"kind", kind}});
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal(image(), "magnitude"), testing::HasSubstr("choose auto or a Hilbert"));
    FrameSpec spec = imageSpec(2, 2);
    spec.dtype = DType::ComplexF32;
    EXPECT_THAT(refusal(HostFrame(spec), "fir_hilbert"),
                testing::HasSubstr("choose auto or magnitude"));
    spec.axes = {{AxisName::Lateral, 4, 1.0, 0.0, "m"}};
    EXPECT_THAT(refusal(HostFrame(spec), "auto"), testing::HasSubstr("needs frames with a depth"));
}

} // namespace
} // namespace echolux::test
