// SPDX-License-Identifier: GPL-3.0-or-later
// Displacements, against NumPy and against speckle that is shifted and compressed by known amounts.
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/moved_speckle.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

HostFrame vectorEnsemble(const Vectors& vectors) {
    FrameSpec image = imageSpec(26, 5);
    image.dtype = DType::ComplexF32;
    image.centreFrequencyHz = 4e6;
    image.axes[0].spacing = 4e-5;
    return {ensembleOf(image, 3), vectors["ensemble"]};
}

Settings windows(std::int64_t depths, std::int64_t laterals) {
    return {{"depth_pixels", depths}, {"lateral_pixels", laterals}};
}

/// Displacement and quality.
HostFrames movedOf(const HostFrame& ensemble, const Settings& settings) {
    const StageType& type = stageType("displacement");
    StageRunner run(type, ensemble.spec, paramsFor(type, ensemble.spec, settings));
    return run.runAll({ensemble});
}

void expectAll(const HostFrame& frame, const std::vector<float>& expected, double tolerance) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance) << i;
}

TEST(Displacement, ByPhaseIsThatOfNumpy) {
    const Vectors vectors("gpu/vectors/strain.txt");
    const HostFrames made =
        movedOf(vectorEnsemble(vectors), with(windows(7, 3), {{"speed_of_sound", 1500.0}}));
    expectAll(made[0], vectors["by_phase"], 1e-2);
    expectAll(made[1], vectors["alike_by_phase"], 1e-5);
    EXPECT_EQ(made[0].spec.valueRange->unit, "um");
    EXPECT_NEAR(made[0].spec.valueRange->max, 1e6 * 1500.0 / 4e6 / 4.0, 1e-9);
    EXPECT_EQ(made[0].spec.axes.size(), 2U);
}

TEST(Displacement, ByCorrelationFromTheFirstFrameIsThatOfNumpy) {
    const Vectors vectors("gpu/vectors/strain.txt");
    const HostFrames made =
        movedOf(vectorEnsemble(vectors), with(windows(7, 3), {{"speed_of_sound", 1500.0},
                                                              {"method", "correlation"},
                                                              {"reference", "first"},
                                                              {"search", std::int64_t{6}}}));
    expectAll(made[0], vectors["by_correlation"], 1e-2);
    expectAll(made[1], vectors["alike_by_correlation"], 1e-5);
    EXPECT_NEAR(made[0].spec.valueRange->max, 1e6 * 1500.0 / 4e6 / 4.0 + 6 * 40.0, 1e-9);
}

/// Errors over the inner pixels, of displacements whose truth is `shift`, in um.
struct Errors {
    double mean = 0.0;
    double rms = 0.0;
};

Errors errorsOf(const HostFrame& displacement, double shiftUm, std::int64_t border) {
    const std::int64_t depths = displacement.spec.axes[0].size;
    const std::int64_t laterals = displacement.spec.axes[1].size;
    Errors errors;
    double count = 0.0;
    for (std::int64_t z = border; z < depths - border; ++z) {
        for (std::int64_t x = 0; x < laterals; ++x) {
            const double error =
                displacement.as<float>()[static_cast<std::size_t>(z * laterals + x)] - shiftUm;
            errors.mean += error;
            errors.rms += error * error;
            count += 1.0;
        }
    }
    return {errors.mean / count, std::sqrt(errors.rms / count)};
}

TEST(Displacement, PhaseFindsShiftsOfPartsOfAWavelength) {
    const MovedSpeckle speckle(200, 32);
    for (const double part : {-0.2, -0.1, -0.02, 0.05, 0.15, 0.23}) {
        const double shift = part * MovedSpeckle::kWavelengthM;
        const HostFrames made =
            movedOf(speckle.ensemble([&](double z) { return z + shift; }), windows(31, 5));
        const Errors errors = errorsOf(made[0], 1e6 * shift, 16);
        EXPECT_NEAR(errors.mean, 0.0, 0.01 * 1e6 * std::abs(shift)) << part;
        EXPECT_LT(errors.rms, 0.01 * 1e6 * std::abs(shift)) << part;
    }
}

TEST(Displacement, CorrelationFindsShiftsOfSeveralWavelengths) {
    const MovedSpeckle speckle(240, 16);
    for (const double part : {-2.4, -0.5, 0.1, 1.3, 3.7}) {
        const double shift = part * MovedSpeckle::kWavelengthM;
        const HostFrames made = movedOf(
            speckle.ensemble([&](double z) { return z + shift; }),
            with(windows(31, 5), {{"method", "correlation"}, {"search", std::int64_t{36}}}));
        const Errors errors = errorsOf(made[0], 1e6 * shift, 48);
        EXPECT_NEAR(errors.mean, 0.0, 0.01 * 1e6 * std::abs(shift)) << part;
        EXPECT_LT(errors.rms, 0.1) << part;
        EXPECT_GT(std::ranges::min(made[1].as<float>().subspan(48 * 16, 144 * 16)), 0.9F);
    }
}

TEST(Displacement, OfRecordedIqIsThatOfImagesThatHoldTheirCarrier) {
    constexpr double kMixedHz = 4.3e6;
    const MovedSpeckle speckle(160, 8);
    const double shift = 1.3 * MovedSpeckle::kWavelengthM;
    const HostFrame held = speckle.ensemble([&](double z) { return z + shift; });
    HostFrame mixed = held;
    mixed.spec.recordedForm = RecordedForm::Beamformed;
    mixed.spec.demodulationFrequencyHz = kMixedHz;
    auto* pixels = reinterpret_cast<std::complex<float>*>(mixed.bytes.data());
    const Axis& depth = held.spec.axes[1];
    for (std::int64_t i = 0; i < held.spec.count(); ++i) {
        const double z = depth.origin + depth.spacing * static_cast<double>(i / 8 % depth.size);
        pixels[i] *=
            std::complex<float>(std::polar(1.0, -4.0 * std::numbers::pi * kMixedHz * z / 1540.0));
    }
    const Settings settings =
        with(windows(31, 5), {{"method", "correlation"}, {"search", std::int64_t{14}}});
    const HostFrames expected = movedOf(held, settings);
    const HostFrames made = movedOf(mixed, settings);
    for (std::size_t i = 20 * 8; i < 140 * 8; ++i)
        ASSERT_NEAR(made[0].as<float>()[i], expected[0].as<float>()[i], 0.05) << i;
    EXPECT_NEAR(errorsOf(made[0], 1e6 * shift, 20).mean, 0.0, 1.0);
}

TEST(Displacement, QualityIsOneForACopyAndLowForUnrelatedFrames) {
    const MovedSpeckle speckle(120, 24);
    for (const char* method : {"phase", "correlation"}) {
        const Settings settings = with(windows(31, 5), {{"method", method}});
        const HostFrames copy = movedOf(speckle.ensemble([](double z) { return z; }), settings);
        for (const float value : copy[1].as<float>()) EXPECT_NEAR(value, 1.0F, 1e-5F);
        for (const float value : copy[0].as<float>()) EXPECT_NEAR(value, 0.0F, 1e-2F);
        HostFrame unrelated = speckle.ensemble([](double z) { return z; });
        const MovedSpeckle other(120, 24, 77);
        const HostFrame others = other.ensemble([](double z) { return z; });
        std::ranges::copy(others.as<float>().first(others.as<float>().size() / 2),
                          unrelated.as<float>().begin());
        const HostFrames made = movedOf(unrelated, settings);
        double mean = 0.0;
        for (const float value : made[1].as<float>()) mean += value / (120.0 * 24.0);
        EXPECT_LT(mean, 0.4) << method;
    }
}

TEST(Displacement, OfNothingAndOfOneLevelIsZero) {
    FrameSpec image = imageSpec(40, 7);
    image.dtype = DType::ComplexF32;
    const FrameSpec spec = ensembleOf(image, 4);
    for (const float level : {0.0F, 3.0F}) {
        for (const char* method : {"phase", "correlation"}) {
            const HostFrame frame(
                spec, std::vector<float>(2 * static_cast<std::size_t>(spec.count()), level));
            const HostFrames made = movedOf(frame, {{"method", method}});
            for (const float value : made[0].as<float>()) EXPECT_EQ(value, 0.0F) << method;
            for (const float value : made[1].as<float>())
                EXPECT_NEAR(value, level > 0.0F ? 1.0F : 0.0F, 1e-5F) << method;
        }
    }
}

TEST(Displacement, IsFoundAtTheBordersToo) {
    const MovedSpeckle speckle(90, 12);
    const double shift = 0.1 * MovedSpeckle::kWavelengthM;
    const HostFrames made =
        movedOf(speckle.ensemble([&](double z) { return z + shift; }), windows(31, 5));
    const auto values = made[0].as<float>();
    for (std::size_t x = 0; x < 12; ++x) {
        EXPECT_NEAR(values[x], 1e6 * shift, 0.15 * 1e6 * shift);
        EXPECT_NEAR(values[89 * 12 + x], 1e6 * shift, 0.15 * 1e6 * shift);
    }
}

TEST(Displacement, RefusesOneFrameAndDepthsWithoutMetres) {
    const StageType& type = stageType("displacement");
    FrameSpec image = imageSpec(8, 3);
    image.dtype = DType::ComplexF32;
    const auto refused = [&](const FrameSpec& spec) {
        return refusal([&] { type.plan(spec, paramsFor(type, spec, {})); });
    };
    FrameSpec one = ensembleOf(image, 2);
    one.axes.front().size = 1;
    EXPECT_THAT(refused(one), HasSubstr("'gather'"));
    FrameSpec unitless = ensembleOf(image, 2);
    unitless.axes[1].unit = "";
    EXPECT_THAT(refused(unitless), HasSubstr("not in metres"));
    FrameSpec flat = ensembleOf(image, 2);
    flat.axes[1].size = 1;
    EXPECT_THAT(refused(flat), HasSubstr("two or more"));
}

} // namespace
} // namespace echolux::test
