// SPDX-License-Identifier: GPL-3.0-or-later
// Gronvold's kernels: echoes come together where their scatterers are, every form agrees with
// double precision, and 4xUP reads sines between their samples.
#include "gpu/ladder/echo_field.hpp"
#include "gpu/ladder/four_times_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace echolux::ladder {
namespace {

struct LineCase {
    int lines = 1;
    int factor = 1;
    bool apodized = false;
    ScanConstants constants = ScanConstants::Separate;
    LineOrder order = LineOrder::Loop;
};

struct LineEchoes {
    ScanProblem problem;
    ScanGeometry geometry;
    EchoField field;
    std::vector<std::int16_t> codes;
    std::vector<float> values;
    std::vector<std::int16_t> weights;

    static ScanProblem shapeOf(const LineCase& of) {
        ScanProblem problem;
        problem.channels = 33;
        problem.samples = 800;
        problem.beams = 3;
        problem.lines = of.lines;
        problem.factor = of.factor;
        problem.apodized = of.apodized;
        problem.constants = of.constants;
        problem.order = of.order;
        return problem;
    }

    explicit LineEchoes(const LineCase& of)
        : problem(shapeOf(of)), field(problem, geometry), codes(field.codes()),
          values(field.values(of.factor)), weights(apodizationCodes(problem, geometry)) {}

    std::vector<float> lines(const std::vector<float>& constants) const {
        std::vector<float> out(static_cast<std::size_t>(problem.outputs()), NAN);
        ScanInput input;
        input.records = problem.factor == 1 ? static_cast<const void*>(codes.data())
                                            : static_cast<const void*>(values.data());
        input.weights = weights.data();
        input.constants = constants.data();
        sumScanLines({}, problem, input, out.data());
        return out;
    }
    double deviation(const std::vector<float>& out) const {
        const auto exact = [this](int beam, int channel, std::int64_t n) {
            return field.at(beam, channel, static_cast<double>(n) / problem.factor);
        };
        return scanDeviation(problem, geometry, field, exact, out.data());
    }
};

TEST(ScanLines, EveryFormAgreesWithDoublePrecision) {
    using enum ScanConstants;
    using enum LineOrder;
    for (const LineCase& of :
         {LineCase{}, LineCase{.constants = PerBeamAndChannel}, LineCase{.factor = 4},
          LineCase{.factor = 4, .constants = PerBeamAndChannel}, LineCase{.lines = 4},
          LineCase{.lines = 5, .order = Parallel}, LineCase{.apodized = true},
          LineCase{.lines = 4, .factor = 4, .apodized = true},
          LineCase{.lines = 16, .factor = 4, .apodized = true, .order = Parallel}}) {
        const LineEchoes echoes(of);
        std::vector<float> constants = scanConstants(echoes.problem, echoes.geometry);
        const std::vector<float> out = echoes.lines(constants);
        EXPECT_LT(echoes.deviation(out), 1.5e-3)
            << of.lines << " lines, factor " << of.factor << ", apodized " << of.apodized;
        // Places a tenth off must show.
        for (std::size_t n = 0; n < 33; ++n) constants[n] *= 1.1F;
        EXPECT_GT(echoes.deviation(echoes.lines(constants)), 0.02);
    }
}

TEST(ScanLines, EchoesOfAScattererComeTogetherAtItsRange) {
    const LineEchoes echoes({.factor = 4});
    const auto out = echoes.lines(scanConstants(echoes.problem, echoes.geometry));
    const auto line = [&](int beam) { return out.begin() + beam * echoes.problem.samples; };
    for (int beam = 0; beam < 3; ++beam) {
        for (int s = 1; s < EchoField::kScatterers; s += 3) { // those in the beam
            const auto place = static_cast<std::ptrdiff_t>(echoes.field.range(s));
            const float peak = line(beam)[place];
            EXPECT_NEAR(peak, 33 * 0.25, 33 * 0.25 * 0.1) << "beam " << beam << ", " << s;
            EXPECT_GT(peak, line(beam)[place - 1]);
            EXPECT_GT(peak, line(beam)[place + 1]);
        }
    }
}

TEST(ScanLines, OrderOfLinesAndPlaceOfConstantsChangeNothing) {
    LineCase of{.lines = 4};
    const LineEchoes loop(of);
    of.order = LineOrder::Parallel;
    const LineEchoes parallel(of);
    const auto constants = scanConstants(loop.problem, loop.geometry);
    EXPECT_EQ(loop.lines(constants), parallel.lines(constants));

    const LineEchoes separate(LineCase{});
    const LineEchoes together({.constants = ScanConstants::PerBeamAndChannel});
    const auto a = separate.lines(scanConstants(separate.problem, separate.geometry));
    const auto b = together.lines(scanConstants(together.problem, together.geometry));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-2) << i;
}

TEST(ScanLines, WindowsWidenWithRangeToTheWholeAperture) {
    const LineEchoes echoes({.apodized = true});
    const auto weight = [&](int channel, int sample) {
        return echoes.weights[static_cast<std::size_t>(channel * echoes.problem.samples + sample)];
    };
    EXPECT_EQ(weight(16, 0), 32767) << "the middle";
    EXPECT_EQ(weight(16, 799), 32767);
    EXPECT_EQ(weight(0, 100), 0) << "outside";
    EXPECT_GT(weight(0, 799), 0);
    EXPECT_EQ(weight(0, 799), weight(32, 799));
    // a = 16 x 0.25 mm = 102.56 samples of range c / fs; half = 799 / 4.
    EXPECT_NEAR(weight(0, 799) / 32767.0, 0.5 + 0.5 * std::cos(std::numbers::pi * 102.564 / 199.75),
                1e-3);
}

TEST(ScanLines, RefusesConstantsThatCannotSteerAndBlocksThatCannotBe) {
    LineEchoes echoes({.constants = ScanConstants::PerBeamAndChannel});
    const auto constants = scanConstants(echoes.problem, echoes.geometry);
    echoes.problem.lines = 2;
    EXPECT_THROW(echoes.lines(constants), std::logic_error);
    echoes.problem.lines = 1;
    echoes.problem.block = 2000;
    EXPECT_THROW(echoes.lines(constants), std::logic_error);
    EXPECT_THROW(loadScanConstants({}, std::vector<float>(kMostScanConstants + 1)),
                 std::logic_error);
}

TEST(FourTimesUp, KeepsSamplesAndReadsASineBetweenThem) {
    constexpr std::int32_t kSamples = 400;
    constexpr double kCycles = 0.1;
    std::vector<std::int16_t> codes(2 * kSamples);
    for (std::int32_t n = 0; n < kSamples; ++n) {
        const double value = 0.8 * std::sin(2.0 * std::numbers::pi * kCycles * n);
        codes[static_cast<std::size_t>(n)] = static_cast<std::int16_t>(std::lround(value * 32767));
    }
    codes[kSamples + 200] = 32767; // the second line: an impulse
    for (const int taps : {7, 11, 15}) {
        std::vector<float> up(4 * codes.size(), NAN);
        fourTimesUp({}, taps, 2, kSamples, codes.data(), up.data());
        for (std::size_t n = 0; n < codes.size(); ++n)
            ASSERT_FLOAT_EQ(up[4 * n], static_cast<float>(codes[n]) / 32767.0F) << n;
        for (std::size_t i = 80; i < 4 * kSamples - 80; ++i) {
            const double at = static_cast<double>(i) / 4.0;
            ASSERT_NEAR(up[i], 0.8 * std::sin(2.0 * std::numbers::pi * kCycles * at), 0.8 * 0.09)
                << taps << " taps at " << at;
        }
        // The impulse comes back as the filters: sinc, cut off beside (taps - 1) / 2 samples.
        const std::size_t middle = 4 * (kSamples + 200);
        EXPECT_NEAR(up[middle + 2], 2.0 / std::numbers::pi, 1e-6);
        const auto reach = static_cast<std::size_t>((taps - 1) / 2);
        EXPECT_NE(up[middle - 4 * reach + 2], 0.0F);
        EXPECT_EQ(up[middle - 4 * (reach + 1) + 2], 0.0F);
    }
    EXPECT_THROW(fourTimesUp({}, 9, 1, 2, codes.data(), nullptr), std::logic_error);
    EXPECT_THROW(fourTimesUp({}, 7, 1, 3, codes.data(), nullptr), std::logic_error);
}

} // namespace
} // namespace echolux::ladder
