// SPDX-License-Identifier: GPL-3.0-or-later
// Each OCT stage against NumPy and SciPy (stageVectors/make_oct_vectors.py).
#include "gpu/oct/oct_formula.hpp"
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::test {
namespace {

constexpr std::int64_t kLines = 6;
constexpr std::int64_t kStageSamples = 37;

const Vectors& stageVectors() {
    static const Vectors kVectors("gpu/vectors/oct_stages.txt");
    return kVectors;
}

std::string name(const char* id) { return id; }

HostFrame spectra() { return {octSpec(0, kLines, kStageSamples), stageVectors()["spectra"]}; }

HostFrame complexSpectra() {
    FrameSpec spec = octSpec(0, kLines, kStageSamples);
    spec.dtype = DType::ComplexF32;
    return {spec, stageVectors()["complex_spectra"]};
}

/// The same numbers as lines along depth, `bscans` of them in a stack.
HostFrame asDepths(HostFrame frame, std::int64_t bscans = 0) {
    const DType dtype = frame.spec.dtype;
    frame.spec = octSpec(bscans, bscans > 0 ? kLines / bscans : kLines, kStageSamples);
    frame.spec.dtype = dtype;
    frame.spec.axes.back().name = AxisName::Depth;
    return frame;
}

template <class To> std::vector<To> stageValues(const std::string& vector) {
    const auto& from = stageVectors()[vector];
    return {from.begin(), from.end()};
}

void expectAgrees(const HostFrame& out, const std::string& vector, double relative = 1e-6) {
    SCOPED_TRACE(vector);
    expectNear(out.as<float>(), stageVectors()[vector], relative);
}

TEST(SpectrumToFloat, ShiftsOffsetsAndScales) {
    FrameSpec spec = octSpec(0, kLines, kStageSamples);
    spec.dtype = DType::U16;
    spec.codeOffset = 100.0;
    spec.codeScale = 0.5;
    const HostFrame raw(spec, stageValues<std::uint16_t>("codes"));
    const HostFrame out = runStage("spectrum_to_float", raw, {{"shift", std::int64_t{4}}});
    expectAgrees(out, "to_float_shift_4");
    EXPECT_EQ(out.spec.describe(), "f32 [lateral 6][sample 37]");
}

TEST(SpectrumToFloat, TheBackgroundFollowsTheSamples) {
    FrameSpec spec = octSpec(0, 2, 2);
    spec.dtype = DType::U16;
    spec.codeOffset = 10.0;
    spec.codeScale = 2.0;
    spec = withSpectrometer(spec, [](Spectrometer& s) { s.background = {160.0F, 320.0F}; });
    spec.suggestedLevels = {20.0, 60.0};
    const HostFrame raw(spec, std::vector<std::uint16_t>{160, 320, 176, 352});
    const HostFrame out = runStage("spectrum_to_float", raw, {{"shift", std::int64_t{4}}});
    const HostFrame clean = runStage("background_subtract", out);
    expectNear(clean.as<float>(), std::vector<float>{0, 0, 2, 4}, 1e-6);
    EXPECT_NEAR(out.spec.suggestedLevels->darkDb, 20.0 - 24.08, 0.01) << "four bits less";
}

TEST(BackgroundSubtract, AgreesWithNumpy) {
    const HostFrame plain = spectra();
    expectAgrees(runStage("background_subtract", plain, {{"source", name("frame_mean")}}),
                 "minus_frame_mean");
    const auto lines = [&](std::int64_t count) {
        return runStage("background_subtract", plain,
                        {{"source", name("frame_mean")}, {"lines", count}});
    };
    expectAgrees(lines(4), "minus_mean_of_4");
    expectAgrees(lines(65536), "minus_frame_mean");
    const FrameSpec spec = withSpectrometer(
        plain.spec, [](Spectrometer& s) { s.background = stageVectors()["background"]; });
    const HostFrame recorded(spec, stageVectors()["spectra"]);
    expectAgrees(runStage("background_subtract", recorded, {{"strength", 0.75}}),
                 "minus_background");
    for (const std::int64_t points : {1, 5, 34}) {
        expectAgrees(runStage("background_subtract", recorded, {{"points", points}}),
                     "minus_background_of_" + std::to_string(points));
    }
    const HostFrame all = runStage("background_subtract", recorded, {{"points", std::int64_t{37}}});
    EXPECT_EQ(all.bytes, runStage("background_subtract", recorded).bytes);
}

TEST(BackgroundSubtract, ItsDefaultFollowsTheData) {
    const StageType& type = stageType("background_subtract");
    const auto source = [&](const FrameSpec& spec) {
        return std::get<std::string>(type.defaultsFor(spec).get("source"));
    };
    EXPECT_EQ(source(octSpec(0, 512, 4)), "none") << "a frame's mean holds flat reflectors";
    EXPECT_EQ(source(octSpec(0, 1, 4)), "none");
    EXPECT_EQ(source(withSpectrometer(octSpec(0, 1, 4),
                                      [](Spectrometer& s) { s.background.assign(4, 0.0F); })),
              "recording");
}

TEST(SpectrumToFloat, TheConvertersRangeFollowsShiftOffsetAndScale) {
    const StageType& type = stageType("spectrum_to_float");
    FrameSpec codes = octSpec(0, 1, 16);
    codes.dtype = DType::U16;
    codes.codeOffset = 100.0;
    codes.codeScale = 0.5;
    codes.converterRange = {0.0, 65520.0};
    const Params params = paramsFor(type, codes, {{"shift", std::int64_t{4}}});
    EXPECT_EQ(type.plan(codes, params).outputs[0].converterRange, (ConverterRange{-50.0, 1997.5}));
}

TEST(DcRemovalMoving, AgreesWithNumpyForOddEvenAndTooLongWindows) {
    for (const std::int64_t window : {3, 24, 25, 1024}) {
        expectAgrees(runStage("dc_removal_moving", spectra(), {{"window", window}}),
                     "moving_" + std::to_string(window));
    }
}

TEST(DcRemovalMoving, FourierBinsAgreeWithNumpy) {
    const auto cut = [](const HostFrame& frame, std::int64_t bins) {
        return runStage("dc_removal_moving", frame,
                        {{"method", name("fourier_bins")}, {"bins", bins}});
    };
    for (const std::int64_t bins : {1, 5, 18, 19})
        expectAgrees(cut(spectra(), bins), "fourier_" + std::to_string(bins));
    EXPECT_THAT(cut(spectra(), 512).as<float>(), testing::Each(0.0F));
    std::vector<float> even;
    for (std::size_t line = 0; line < kLines; ++line) {
        const float* from = stageVectors()["spectra"].data() + line * kStageSamples;
        even.insert(even.end(), from, from + 36);
    }
    expectAgrees(cut({octSpec(0, kLines, 36), even}, 18), "fourier_even_18", 3e-6);
    // A stack of B-scans is as many lines.
    expectAgrees(cut({octSpec(2, kLines / 2, kStageSamples), stageVectors()["spectra"]}, 5),
                 "fourier_5");
}

TEST(DcRemovalMoving, BinsAreALiveEdit) {
    const StageType& type = stageType("dc_removal_moving");
    const auto with = [&](std::int64_t bins) {
        return paramsFor(type, spectra().spec, {{"method", name("fourier_bins")}, {"bins", bins}});
    };
    StageRunner runner(type, spectra().spec, with(1));
    expectAgrees(runner.run(spectra()), "fourier_1");
    runner.update(with(5));
    expectAgrees(runner.run(spectra()), "fourier_5");
}

TEST(KLinearize, InterpolationAgreesWithNumpy) {
    const auto& c = stageVectors()["coefficients"];
    const auto with = [&](const char* method, std::int64_t lobes) {
        return runStage("k_linearize", spectra(),
                        {{"method", name(method)},
                         {"lobes", lobes},
                         {"c0", double{c[0]}},
                         {"c1", double{c[1]}},
                         {"c2", double{c[2]}},
                         {"c3", double{c[3]}}});
    };
    expectAgrees(with("linear", 3), "linear");
    expectAgrees(with("cubic", 3), "cubic");
    expectAgrees(with("lanczos", 3), "lanczos_3");
    expectAgrees(with("lanczos", 4), "lanczos_4");
}

/// Coefficients for lines that are twice as long move samples half as far here.
TEST(KLinearize, CoefficientsAreScaledToTheLines) {
    const auto& c = stageVectors()["coefficients"];
    expectAgrees(runStage("k_linearize", spectra(),
                          {{"method", name("cubic")},
                           {"line_length", 2 * (kStageSamples - 1) + 1},
                           {"c0", 2.0 * c[0]},
                           {"c1", 2.0 * c[1]},
                           {"c2", 2.0 * c[2]},
                           {"c3", 2.0 * c[3]}}),
                 "cubic");
}

struct WindowCase {
    const char* vector;
    Settings settings;
};

TEST(WindowStage, AgreesWithScipy) {
    const HostFrame ones(octSpec(0, 1, kStageSamples), std::vector<float>(kStageSamples, 1.0F));
    const std::vector<WindowCase> cases{{"hann", {}},
                                        {"hamming", {{"shape", name("hamming")}}},
                                        {"tukey_0.3", {{"shape", name("tukey")}, {"taper", 0.3}}},
                                        {"gauss_0.2", {{"shape", name("gauss")}, {"sigma", 0.2}}},
                                        {"blackman", {{"shape", name("blackman")}}},
                                        {"rectangular", {{"shape", name("rectangular")}}},
                                        {"hann_0.4_0.5", {{"centre", 0.4}, {"fill", 0.5}}}};
    for (const WindowCase& each : cases)
        expectAgrees(runStage("window", ones, each.settings), each.vector);
}

TEST(Dispersion, AgreesWithNumpy) {
    const Settings terms{{"c1", 31.0}, {"c2", -80.0}, {"c3", 160.0}};
    expectAgrees(runStage("dispersion", spectra(), terms), "turned");
    const FrameSpec spec = withSpectrometer(octSpec(0, kLines, kStageSamples), [](Spectrometer& s) {
        s.dispersionRad = stageValues<double>("recorded_phase");
    });
    expectAgrees(runStage("dispersion", HostFrame(spec, stageVectors()["spectra"]), terms),
                 "turned_recorded");
}

TEST(Dispersion, EightTermsAndKeptDepthsAgreeWithNumpy) {
    const auto& c = stageVectors()["eight_terms"];
    Settings settings{{"terms", name("eight")}};
    for (std::size_t i = 0; i < c.size(); ++i)
        settings.emplace_back("c" + std::to_string(i + 1), double{c[i]});
    expectAgrees(runStage("dispersion", spectra(), settings), "turned_eight");
    settings.emplace_back("keep_depth", true);
    expectAgrees(runStage("dispersion", spectra(), settings), "turned_kept");
    settings = {{"c4", double{c[3]}}, {"c8", double{c[7]}}};
    EXPECT_EQ(runStage("dispersion", spectra(), settings).bytes,
              runStage("dispersion", spectra()).bytes)
        << "terms that are not in use";
}

TEST(InverseFft, AgreesWithNumpyForOddLengths) {
    for (const auto& [kind, frame] :
         {std::pair{"real", spectra()}, std::pair{"complex", complexSpectra()}}) {
        for (const auto& [padding, id] : {std::pair{"1", "none"}, std::pair{"4", "four_times"}}) {
            for (const char* range : {"half", "full"}) {
                const HostFrame out =
                    runStage("inverse_fft", frame, {{"padding", name(id)}, {"range", name(range)}});
                expectAgrees(out, std::string("depths_") + kind + "_" + padding + "_" + range,
                             2e-6);
            }
        }
    }
}

TEST(InverseFft, RefusesLightWithoutAShortestWavelength) {
    const auto refusal = [](double centreM, double bandwidthM) -> std::string {
        try {
            runStage("inverse_fft", spectra(),
                     {{"centre_wavelength", centreM}, {"bandwidth", bandwidthM}});
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(refusal(400e-9, 800e-9),
                testing::AllOf(testing::HasSubstr("800 nm"), testing::HasSubstr("400 nm")));
    EXPECT_THAT(refusal(400e-9, 900e-9), testing::HasSubstr("bandwidth"));
    EXPECT_EQ(refusal(400e-9, 700e-9), "");
    EXPECT_EQ(refusal(0.0, 900e-9), "") << "unknown: depth is counted in bins";
    EXPECT_EQ(refusal(400e-9, 0.0), "");
}

TEST(FixedPattern, AgreesWithNumpy) {
    const HostFrame lines = asDepths(complexSpectra());
    const std::pair<std::string, ParamValue> mean{"method", name("mean")};
    expectAgrees(runStage("fixed_pattern", lines, {mean}), "pattern_mean");
    expectAgrees(runStage("fixed_pattern", lines, {mean, {"lines", std::int64_t{4}}}),
                 "pattern_mean_4");
    expectAgrees(runStage("fixed_pattern", lines, {{"segments", std::int64_t{3}}}),
                 "pattern_variance_3");
}

TEST(MagnitudeLog, AgreesWithNumpy) {
    const HostFrame lines = asDepths(complexSpectra());
    const HostFrame db = runStage("magnitude_log", lines, {{"min_db", -6.0}, {"max_db", 3.0}});
    expectAgrees(db, "decibels");
    EXPECT_EQ(db.spec.valueRange, (ValueRange{-6.0, 3.0, "dB", "1 code"}));
    const HostFrame linear = runStage(
        "magnitude_log", lines, {{"min_db", -6.0}, {"max_db", 3.0}, {"scale", name("linear")}});
    expectAgrees(linear, "magnitude");
    EXPECT_NEAR(linear.spec.valueRange->max, 1.41254, 1e-5);
    EXPECT_EQ(linear.spec.valueRange->unit, "codes");
}

TEST(MagnitudeLog, NothingHasAFiniteLevelFarBelowAllOthers) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const FrameSpec spec = asDepths(complexSpectra()).spec;
    std::vector<Complex> lines(static_cast<std::size_t>(spec.count()), Complex{1e-9F, 0.0F});
    lines[0] = {0.0F, 0.0F};
    lines[1] = {kNan, 1.0F};
    lines[2] = {1e-30F, 0.0F};
    const HostFrame db = runStage("magnitude_log", HostFrame(spec, lines));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(db.as<float>()[i], kNothingDb);
    EXPECT_NEAR(db.as<float>()[3], -180.0F, 1e-3) << "levels have no other limit";
    const HostFrame linear =
        runStage("magnitude_log", HostFrame(spec, lines), {{"scale", name("linear")}});
    EXPECT_EQ(linear.as<float>()[0], 0.0F);
    EXPECT_EQ(linear.as<float>()[1], 0.0F);
}

TEST(MagnitudeLog, ItsLimitsFollowTheRecordingsLevels) {
    const StageType& type = stageType("magnitude_log");
    const auto limits = [&](double dark, double bright) {
        FrameSpec spec = asDepths(complexSpectra()).spec;
        spec.suggestedLevels = {dark, bright};
        const Params params = type.defaultsFor(spec);
        return std::pair{std::get<double>(params.get("min_db")),
                         std::get<double>(params.get("max_db"))};
    };
    EXPECT_EQ(limits(0.0, 0.0), std::pair(-8.0, 32.0)) << "unknown";
    EXPECT_EQ(limits(-26.0, 14.0), std::pair(-26.0, 14.0));
    EXPECT_EQ(limits(-38.08, 1.92), std::pair(-38.0, 2.0)) << "shifted by two bits";
    EXPECT_EQ(limits(-190.0, -100.0), std::pair(-120.0, -100.0)) << "what the parameters take";
}

TEST(MagnitudeLog, SaysWhatItsReferenceIs) {
    const FrameSpec spec = withSpectrometer(asDepths(complexSpectra()).spec,
                                            [](Spectrometer& s) { s.countsCodes = false; });
    const StageType& type = stageType("magnitude_log");
    EXPECT_EQ(type.plan(spec, type.defaultsFor(spec)).outputs[0].valueRange->reference,
              "1 recorded unit");
}

TEST(ScanCorrection, AgreesWithNumpy) {
    expectAgrees(runStage("scan_correction", asDepths(spectra()), {{"flip", name("all")}}),
                 "flipped_all");
    expectAgrees(runStage("scan_correction", asDepths(spectra(), 2), {{"flip", name("odd")}}),
                 "flipped_odd");
    expectAgrees(runStage("scan_correction", asDepths(spectra()), {{"unwarp", true}, {"arc", 0.8}}),
                 "unwarped_0.8", 1e-5);
}

TEST(ScanCorrection, UnwarpUndoesASinusoidalSwing) {
    // Each line holds the place where it was recorded; unwarped, places are equally spaced.
    const auto& swung = stageVectors()["swung"];
    FrameSpec spec = octSpec(0, kLines, 1);
    spec.axes.back().name = AxisName::Depth;
    const HostFrame out =
        runStage("scan_correction", HostFrame(spec, swung), {{"unwarp", true}, {"arc", 0.8}});
    for (std::int64_t i = 0; i < kLines; ++i) {
        const double even = static_cast<double>(i) / static_cast<double>(kLines - 1) - 0.5;
        EXPECT_NEAR(out.as<float>()[static_cast<std::size_t>(i)], even, 0.02) << i;
    }
}

TEST(ScanCorrection, IsOctprozCorrectionToWithinALine) {
    // There output line k of n shows recorded line n / pi acos(1 - 2 k / n).
    for (const std::int64_t lines : {2, 7, 64, 512, 2000}) {
        for (std::int64_t k = 1; k < lines; ++k) {
            const auto n = static_cast<double>(lines);
            const double recorded =
                n / std::numbers::pi * std::acos(1.0 - 2.0 * static_cast<double>(k) / n);
            const std::int64_t next = std::min(k + 1, lines - 1);
            EXPECT_LE(oct::unwarpedLine(k - 1, lines, 1.0F), recorded + 1e-3) << k << " of " << n;
            EXPECT_GE(oct::unwarpedLine(next, lines, 1.0F), recorded - 1e-3) << k << " of " << n;
        }
    }
}

TEST(Average, OfNeighbouringLinesAndOfAStack) {
    const HostFrame images = asDepths(spectra());
    const HostFrame pairs = runStage("average", images, {{"a_lines", std::int64_t{2}}});
    expectAgrees(pairs, "average_lines_2");
    EXPECT_EQ(pairs.spec.describe(), "f32 [lateral 3][depth 37]");
    EXPECT_DOUBLE_EQ(pairs.spec.axes[0].spacing, 20e-6);
    EXPECT_DOUBLE_EQ(pairs.spec.axes[0].origin, 5e-6);
    expectAgrees(runStage("average", images, {{"a_lines", std::int64_t{4}}}), "average_lines_4");
    const HostFrame one = runStage("average", asDepths(spectra(), 2),
                                   {{"a_lines", std::int64_t{3}}, {"b_scans", std::int64_t{2}}});
    expectAgrees(one, "average_stack_2_3");
    EXPECT_EQ(one.spec.describe(), "f32 [elevation 1][lateral 1][depth 37]");
}

TEST(Average, OfFramesOverTime) {
    const StageType& type = stageType("average");
    FrameSpec spec = octSpec(0, 1, kStageSamples);
    spec.axes.back().name = AxisName::Depth;
    StageRunner runner(type, spec, paramsFor(type, spec, {{"b_scans", std::int64_t{3}}}));
    const auto& frames = stageVectors()["spectra"];
    const auto& expected = stageVectors()["average_frames_3"];
    for (std::int64_t i = 0; i < kLines; ++i) {
        const auto row = [&](const std::vector<float>& rows) {
            return std::vector<float>(rows.begin() + i * kStageSamples,
                                      rows.begin() + (i + 1) * kStageSamples);
        };
        expectNear(runner.run(HostFrame(spec, row(frames))).as<float>(), row(expected), 1e-6);
    }
}

} // namespace
} // namespace echolux::test
