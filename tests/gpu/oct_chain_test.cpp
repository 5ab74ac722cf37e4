// SPDX-License-Identifier: GPL-3.0-or-later
// OCT stages together: closed forms of fringes, gridding against the sum it stands for, the whole
// chain against NumPy, and what must be refused.
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace echolux::test {
namespace {

constexpr double kPi = std::numbers::pi;

const Vectors& vectors() {
    static const Vectors kVectors("gpu/vectors/oct_stages.txt");
    return kVectors;
}

template <class To> std::vector<To> valuesOf(const std::string& vector) {
    const auto& from = vectors()[vector];
    return {from.begin(), from.end()};
}

/// One line A cos(phase(k)).
HostFrame fringe(std::int64_t samples, double amplitude, const auto& phase) {
    std::vector<float> line(static_cast<std::size_t>(samples));
    for (std::size_t k = 0; k < line.size(); ++k)
        line[k] = static_cast<float>(amplitude * std::cos(phase(static_cast<double>(k))));
    return {octSpec(0, 1, samples), line};
}

/// A mirror `bins` bins deep, on the even grid.
HostFrame mirror(std::int64_t samples, double amplitude, double bins) {
    const double turn = 2 * kPi * bins / static_cast<double>(samples);
    return fringe(samples, amplitude, [=](double k) { return turn * k + 0.3; });
}

struct Gridding {
    std::int64_t width;
    double oversampling;
    double error; ///< permitted, of the largest value
};

class GriddingIsTheDirectSum : public testing::TestWithParam<Gridding> {};

TEST_P(GriddingIsTheDirectSum, AtAllDepths) {
    const auto [width, oversampling, error] = GetParam();
    FrameSpec spec = octSpec(0, 6, 96);
    spec = withSpectrometer(spec,
                            [](Spectrometer& s) { s.resampling = valuesOf<double>("resampling"); });
    const HostFrame out =
        runChain(HostFrame(spec, vectors()["tones"]),
                 {{"k_linearize", {{"kernel_width", width}, {"oversampling", oversampling}}},
                  {"inverse_fft", {}}});
    EXPECT_EQ(out.spec.describe(), "complex_f32 [lateral 6][depth 48]");
    expectNear(out.as<float>(), vectors()["tones_depths"], error);
    // The bound says something: half of it would be too little to allow for a factor of 20.
    const double measured = largestError(out.as<float>(), vectors()["tones_depths"]);
    RecordProperty("measured", std::to_string(measured));
    EXPECT_GT(measured, error / 20) << "the stated error is far from what is reached: " << measured;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GriddingIsTheDirectSum,
                         testing::Values(Gridding{3, 2.0, 1e-2}, Gridding{4, 2.0, 2e-3},
                                         Gridding{6, 2.0, 1e-4}, Gridding{4, 1.5, 1e-2},
                                         Gridding{6, 1.25, 1e-3}),
                         [](const auto& each) {
                             return "Width" + std::to_string(each.param.width) + "Percent" +
                                    std::to_string(static_cast<int>(100 * each.param.oversampling));
                         });

TEST(OctChain, AgreesWithNumpy) {
    constexpr std::int64_t kSamples = 96;
    FrameSpec spec = octSpec(0, 6, kSamples);
    spec.dtype = DType::U16;
    spec = withSpectrometer(spec, [](Spectrometer& s) {
        s.background = vectors()["chain_background"];
        s.resampling = valuesOf<double>("resampling");
        s.dispersionRad = valuesOf<double>("chain_phase");
    });
    const HostFrame raw(spec, valuesOf<std::uint16_t>("chain_raw"));
    const HostFrame depths = runChain(raw, {{"spectrum_to_float", {}},
                                            {"background_subtract", {}},
                                            {"dc_removal_moving", {}},
                                            {"k_linearize", {}},
                                            {"window", {}},
                                            {"dispersion", {}},
                                            {"inverse_fft", {}}});
    // Window and phase act on the grid, after the kernel has spread each sample; NumPy takes them
    // at the samples. The difference falls with 1 / n: for 96 samples it is 5e-3, for 1024 5e-4.
    expectNear(depths.as<float>(), vectors()["chain_depths"], 6e-3);
    const HostFrame image = runChain(depths, {{"magnitude_log", {}}});
    const auto db = image.as<float>();
    EXPECT_NEAR(*std::max_element(db.begin(), db.begin() + 48), 20.0 * std::log10(60.0), 0.2)
        << "a reflector of 60 codes";
    const auto& expected = vectors()["chain_depths"];
    EXPECT_NEAR(db[40], 20 * std::log10(std::hypot(expected[80], expected[81])), 0.15);
}

struct Scaled {
    std::int64_t samples;
    const char* padding;
    const char* window;
    const char* method;
    const char* range;
};

TEST(OctChain, AFringeOfAmplitudeAGivesAWhateverTheLengthPaddingWindowAndMethod) {
    for (const Scaled& each :
         {Scaled{64, "none", "hann", "nufft", "half"}, Scaled{61, "none", "hann", "nufft", "full"},
          Scaled{1000, "none", "blackman", "cubic", "half"},
          Scaled{1023, "four_times", "gauss", "nufft", "half"},
          Scaled{512, "twice", "tukey", "lanczos", "full"},
          Scaled{2048, "none", "hamming", "linear", "half"}}) {
        SCOPED_TRACE(each.samples);
        constexpr double kAmplitude = 50.0;
        const double bin = std::floor(static_cast<double>(each.samples) / 8);
        for (const bool complex : {false, true}) {
            Chain chain{{"k_linearize", {{"method", std::string(each.method)}}},
                        {"window", {{"shape", std::string(each.window)}}}};
            if (complex) chain.push_back({"dispersion", {}});
            chain.push_back(
                {"inverse_fft",
                 {{"padding", std::string(each.padding)}, {"range", std::string(each.range)}}});
            const HostFrame out = runChain(mirror(each.samples, kAmplitude, bin), chain);
            EXPECT_NEAR(peakOf(out).amplitude, kAmplitude, 2e-3 * kAmplitude);
            EXPECT_NEAR(std::abs(peakOf(out).depth), bin * binM(each.samples), 1e-12);
        }
    }
}

TEST(OctChain, ZeroDecibelsIsAFringeOfOneCode) {
    const Chain chain{{"window", {}}, {"inverse_fft", {}}, {"magnitude_log", {}}};
    for (const std::int64_t samples : {64, 1000, 2048}) {
        const HostFrame out = runChain(mirror(samples, 1.0, 12.0), chain);
        EXPECT_NEAR(out.as<float>()[12], 0.0, 0.01) << samples;
    }
}

TEST(OctChain, DepthIsInMetresWhereTheLightIsKnown) {
    // 800 to 900 nm over 1024 samples, n = 1.38.
    const double stepRadPerM = (2 * kPi / 800e-9 - 2 * kPi / 900e-9) / 1023;
    const double expectedM = kPi / (1.38 * 1024 * stepRadPerM);
    FrameSpec spec = octSpec(0, 1, 1024);
    const auto depth = [&](const FrameSpec& of, const Settings& settings) {
        const StageType& type = stageType("inverse_fft");
        return type.create()->plan(of, paramsFor(type, of, settings)).output.axes.back();
    };
    const Settings tissue{{"refractive_index", 1.38}};
    EXPECT_NEAR(depth(spec, tissue).spacing, expectedM, 1e-12);
    EXPECT_EQ(depth(spec, tissue).unit, "m");
    const Axis full = depth(spec, {{"refractive_index", 1.38},
                                   {"range", std::string("full")},
                                   {"padding", std::string("twice")}});
    EXPECT_EQ(full.size, 2048);
    EXPECT_NEAR(full.origin + 1024 * full.spacing, 0.0, 1e-12) << "zero delay in the middle";
    EXPECT_NEAR(full.spacing, expectedM / 2, 1e-12);
    spec.spectrometer = std::make_shared<Spectrometer>();
    EXPECT_EQ(depth(spec, tissue).unit, "");
    EXPECT_EQ(depth(spec, tissue).spacing, 1.0);
}

TEST(OctChain, KnownDispersionIsUndone) {
    constexpr std::int64_t kSamples = 1024;
    const auto phi = [](double k) {
        const double x = -k / (2 * 1023.0);
        return 120 * x * x - 300 * x * x * x + 200 * x * x * x * x;
    };
    const HostFrame blurred =
        fringe(kSamples, 10.0, [&](double k) { return 2 * kPi * 200 * k / kSamples + phi(k); });
    const auto with = [&](double c1, double c2, double c3) {
        return peakOf(runChain(blurred, {{"window", {}},
                                         {"dispersion", {{"c1", c1}, {"c2", c2}, {"c3", c3}}},
                                         {"inverse_fft", {}}}));
    };
    const Peak sharp = with(120, -300, 200);
    EXPECT_NEAR(sharp.amplitude, 10.0, 0.02);
    EXPECT_NEAR(sharp.index, 200, 1e-9);
    EXPECT_NEAR(sharp.width, 2.0, 0.1) << "a Hann window's own";
    EXPECT_LT(with(0, 0, 0).amplitude, 6.0);
    EXPECT_LT(with(-120, 300, -200).amplitude, sharp.amplitude / 2) << "the sign matters";
}

TEST(OctChain, AKnownChirpIsUndoneByTheSlidersWithEveryMethod) {
    // The sample at position r(m) of the raw line lies at wavenumber step m.
    constexpr std::int64_t kSamples = 1024;
    const std::vector<double> r = [] {
        std::vector<double> curve;
        for (int m = 0; m < kSamples; ++m) {
            const double u = m / 1023.0;
            curve.push_back(1023 * u + 60 * u - 90 * u * u + 30 * u * u * u);
        }
        return curve;
    }();
    const HostFrame chirped = fringe(kSamples, 10.0, [&](double p) {
        const auto above = std::upper_bound(r.begin() + 1, r.end() - 1, p);
        const auto m = static_cast<double>(above - r.begin());
        return 2 * kPi * 150 * (m - (*above - p) / (*above - *(above - 1))) / kSamples;
    });
    for (const auto& [method, least] : {std::pair{"nufft", 9.98}, std::pair{"lanczos", 9.9},
                                        std::pair{"cubic", 9.7}, std::pair{"linear", 8.5}}) {
        SCOPED_TRACE(method);
        const auto with = [&](Settings settings) {
            settings.push_back({"method", std::string(method)});
            return peakOf(runChain(
                chirped, {{"k_linearize", settings}, {"window", {}}, {"inverse_fft", {}}}));
        };
        EXPECT_LT(with({}).amplitude, 6.0);
        const Peak sharp = with({{"c1", 60.0}, {"c2", -90.0}, {"c3", 30.0}});
        EXPECT_NEAR(sharp.index, 150, 1e-9);
        EXPECT_GT(sharp.amplitude, least);
        EXPECT_LT(sharp.amplitude, 10.1);
        EXPECT_NEAR(sharp.width, 2.0, 0.1);
    }
}

TEST(OctChain, AFallingCurveReversesTheSpectrum) {
    constexpr std::int64_t kSamples = 64;
    for (const char* method : {"nufft", "cubic"}) {
        FrameSpec spec = withSpectrometer(octSpec(0, 1, kSamples), [](Spectrometer& s) {
            for (int m = 0; m < kSamples; ++m) s.resampling.push_back(kSamples - 1 - m);
        });
        const HostFrame plain = mirror(kSamples, 1.0, 9.0);
        std::vector<float> line(plain.as<float>().begin(), plain.as<float>().end());
        std::ranges::reverse(line);
        const Chain chain{{"k_linearize", {{"method", std::string(method)}}},
                          {"window", {}},
                          {"inverse_fft", {}}};
        const HostFrame reversed = runChain(HostFrame(spec, line), chain);
        expectNear(reversed.as<float>(), runChain(plain, chain).as<float>(), 1e-5);
    }
}

TEST(OctChain, ConstantSpectraAndNanGiveNothing) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const Chain chain{{"background_subtract", {}}, {"dc_removal_moving", {}},
                      {"k_linearize", {}},         {"window", {}},
                      {"dispersion", {}},          {"inverse_fft", {}},
                      {"magnitude_log", {}}};
    for (const float value : {0.0F, 4095.0F, kNan}) {
        const HostFrame out =
            runChain(HostFrame(octSpec(0, 2, 33), std::vector<float>(66, value)), chain);
        for (const float db : out.as<float>()) EXPECT_EQ(db, kNothingDb) << value;
    }
}

TEST(OctChain, OneNanCostsItsLineAlone) { expectOneNanCostsItsLine(Backend::Cpu); }

TEST(OctChain, PackedSpectraOfOddLengthsAreUnpackedAcrossLines) {
    constexpr std::int64_t kSamples = 33;
    std::vector<std::uint16_t> codes(3 * kSamples);
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = static_cast<std::uint16_t>(i * 2654435761U >> 20 & 0xFFF);
    FrameSpec spec = octSpec(0, 3, kSamples);
    spec.dtype = DType::Packed12;
    HostFrame packed(spec);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        auto* byte = reinterpret_cast<std::uint8_t*>(packed.bytes.data()) + i / 2 * 3;
        if (i % 2 == 0) {
            byte[0] = static_cast<std::uint8_t>(codes[i]);
            byte[1] = static_cast<std::uint8_t>(codes[i] >> 8);
        } else {
            byte[1] = static_cast<std::uint8_t>(byte[1] | codes[i] << 4);
            byte[2] = static_cast<std::uint8_t>(codes[i] >> 4);
        }
    }
    spec.dtype = DType::U16;
    const auto plain = runStage("spectrum_to_float", HostFrame(spec, codes));
    const auto unpacked = runStage("spectrum_to_float", packed);
    EXPECT_EQ(plain.bytes, unpacked.bytes);
    EXPECT_EQ(plain.as<float>()[34], codes[34]);
}

std::string refusal(const char* stage, const FrameSpec& spec, const Settings& settings = {}) {
    const StageType& type = stageType(stage);
    try {
        type.create()->plan(spec, paramsFor(type, spec, settings));
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(OctChain, WrongCalibrationsAreRefusedInOneSentence) {
    using testing::HasSubstr;
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const FrameSpec spec = octSpec(0, 4, 8);
    const auto with = [&](const auto& edit) { return withSpectrometer(spec, edit); };
    const auto curve = [&](std::vector<double> values) {
        return with([&](Spectrometer& s) { s.resampling = std::move(values); });
    };
    EXPECT_THAT(refusal("k_linearize", curve({0, 1, 2})), HasSubstr("has 3 values"));
    EXPECT_THAT(refusal("k_linearize", curve({0, 1, 2, 3, 3, 5, 6, 7})), HasSubstr("value 4"));
    EXPECT_THAT(refusal("k_linearize", curve({0, 1, 2, 1.5, 3, 5, 6, 7})), HasSubstr("value 3"));
    EXPECT_THAT(refusal("k_linearize", curve({0, 1, 2, 3, 4, 5, 6, double{kNan}})),
                HasSubstr("value 7"));
    EXPECT_THAT(refusal("k_linearize", curve({0, 1, 2, 3, 4, 5, 6, 700})), HasSubstr("16 samples"));
    EXPECT_THAT(refusal("k_linearize", spec, {{"curve", std::string("recording")}}),
                HasSubstr("no resampling curve"));
    EXPECT_THAT(refusal("k_linearize", octSpec(0, 4, 1)), HasSubstr("single sample"));
    EXPECT_THAT(refusal("inverse_fft", octSpec(0, 4, 1)), HasSubstr("single sample"));
    EXPECT_THAT(refusal("background_subtract", spec, {{"source", std::string("recording")}}),
                HasSubstr("no background spectrum"));
    EXPECT_THAT(
        refusal("background_subtract", with([](Spectrometer& s) { s.background.assign(7, 0.0F); })),
        HasSubstr("has 7 values"));
    EXPECT_THAT(refusal("background_subtract",
                        with([&](Spectrometer& s) { s.background.assign(8, kNan); })),
                HasSubstr("value 0"));
    EXPECT_THAT(
        refusal("dispersion", with([](Spectrometer& s) { s.dispersionRad.assign(9, 0.0); })),
        HasSubstr("has 9 values"));
    EXPECT_THAT(
        refusal("dispersion", with([&](Spectrometer& s) { s.dispersionRad.assign(8, kNan); })),
        HasSubstr("value 0"));
    EXPECT_EQ(refusal("k_linearize", curve({0.1, 1, 2, 3, 4, 5, 6, 7.2})), "accepted");
}

TEST(OctChain, ACurveThatAllButStandsStillBlowsNothingUp) {
    constexpr std::int64_t kSamples = 64;
    const FrameSpec spec = withSpectrometer(octSpec(0, 1, kSamples), [](Spectrometer& s) {
        for (int m = 0; m < kSamples; ++m)
            s.resampling.push_back(m < 40 ? 1.2 * m : 48.0 + 1e-13 * (m - 40));
    });
    const HostFrame fringes = mirror(kSamples, 1.0, 9.0);
    const HostFrame out =
        runStage("k_linearize", HostFrame(spec, std::vector<float>(fringes.as<float>().begin(),
                                                                   fringes.as<float>().end())));
    for (const float value : out.as<float>()) ASSERT_LT(std::fabs(value), 20.0F);
}

TEST(OctChain, SlidersNeverMakeACurveThatIsRefused) {
    const FrameSpec spec = octSpec(0, 1, 512);
    for (const double c : {-500.0, 500.0}) {
        const HostFrame out =
            runStage("k_linearize", mirror(512, 1.0, 40.0), {{"c0", c}, {"c2", c}, {"c3", -c}});
        for (const float value : out.as<float>()) ASSERT_TRUE(std::isfinite(value));
    }
}

} // namespace
} // namespace echolux::test
