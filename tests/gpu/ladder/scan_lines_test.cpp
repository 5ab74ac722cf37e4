// SPDX-License-Identifier: GPL-3.0-or-later
// Gronvold's scan lines: echoes come together where their scatterers are, and every form agrees
// with double precision.
#include "gpu/ladder/four_times_up.hpp"
#include "tests/gpu/ladder/line_echoes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace echolux::ladder {
namespace {

TEST(ScanLines, EveryFormAgreesWithDoublePrecision) {
    for (const LineCase& of : everyForm()) {
        SCOPED_TRACE(of.text());
        const LineEchoes echoes(of);
        std::vector<float> constants = scanConstants(echoes.problem, echoes.geometry);
        EXPECT_LT(echoes.deviation(echoes.lines(constants)), 1.5e-3);
        // Places a tenth off must show.
        for (std::size_t n = 0; n < 33; ++n) constants[n] *= 1.1F;
        EXPECT_GT(echoes.deviation(echoes.lines(constants)), 0.02);
    }
}

TEST(ScanLines, EchoesOfAScattererComeTogetherAtItsRange) {
    const LineEchoes echoes({.factor = 4, .numbers = device::TextureNumbers::Float});
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

TEST(ScanLines, UpsampledCodesMakeTheSameLinesAsUpsampledFloats) {
    const LineEchoes coarse(LineCase{});
    LineEchoes floats({.factor = 4, .numbers = device::TextureNumbers::Float});
    LineEchoes codes({.factor = 4});
    const UpProblem up{.lines = coarse.problem.records(), .samples = coarse.problem.samples};
    fourTimesUp({}, up, coarse.codes.data(), floats.values.data());
    fourTimesUp({}, up, coarse.codes.data(), codes.codes.data());
    const auto constants = scanConstants(floats.problem, floats.geometry);
    const auto a = floats.lines(constants);
    const auto b = codes.lines(constants);
    // Each of 33 codes is off by half of one at most.
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 33 * 0.6 / 32767) << i;
    EXPECT_LT(codes.deviation(b), 0.05) << "a sinc of 11 taps has ripples of some percent";
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

} // namespace
} // namespace echolux::ladder
