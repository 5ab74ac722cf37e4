// SPDX-License-Identifier: GPL-3.0-or-later
// OCT stages together: closed forms of fringes, and what must be refused.
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace echolux::test {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(OctChain, KeptDepthsStayWhileTheFirstTermMoves) {
    // The centre of gravity of |X|^2 is the mean slope of the phase over the window's square.
    const auto centre = [](double c1, bool kept) {
        const HostFrame out =
            runChain(mirror(1024, 10.0, 150.0), {{"window", {}},
                                                 {"dispersion", {{"c1", c1}, {"keep_depth", kept}}},
                                                 {"inverse_fft", {}}});
        double power = 0.0;
        double moment = 0.0;
        const auto values = out.as<Complex>();
        for (std::size_t z = 0; z < values.size(); ++z) {
            power += norm(values[z]);
            moment += static_cast<double>(z) * norm(values[z]);
        }
        return moment / power;
    };
    for (const double c1 : {0.0, 40.0, -200.0}) {
        EXPECT_NEAR(centre(c1, true), 150.0, 0.02) << c1;
        EXPECT_NEAR(centre(c1, false), 150.0 - c1 / 4 / (2 * kPi), 0.02) << c1;
    }
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
        return type.plan(of, paramsFor(type, of, settings)).outputs[0].axes.back();
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
    const DepthPeak sharp = with(120, -300, 200);
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
        const DepthPeak sharp = with({{"c1", 60.0}, {"c2", -90.0}, {"c3", 30.0}});
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
        type.plan(spec, paramsFor(type, spec, settings));
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
