// SPDX-License-Identifier: GPL-3.0-or-later
// How the table of pairs finds points in images, and what it expects of a pair.
#include "app/pairs/expectations.hpp"
#include "app/pairs/images.hpp"
#include "app/pairs/pair_table.hpp"
#include "gpu/core/sector.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace echolux::pairs {
namespace {

using testing::HasSubstr;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Levels of a Gaussian spot, -6 dB at 0.32 mm and 0.22 mm from its middle.
Image spotAt(double x, double z) {
    Image image;
    image.spec.axes = {{AxisName::Depth, 40, 0.1e-3, 5e-3, "m"},
                       {AxisName::Lateral, 60, 0.1e-3, -3e-3, "m"}};
    image.spec.valueRange = {-60.0, 0.0, "dB", ""};
    image.values.resize(static_cast<std::size_t>(image.spec.count()));
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        const Point p = image.placeOf(i);
        image.values[i] =
            static_cast<float>(-6e7 * std::pow(p.x - x, 2) - 12e7 * std::pow(p.z - z, 2));
    }
    return image;
}

TEST(PairImages, APointIsFoundBetweenThePixels) {
    const auto peak = peakNear(spotAt(0.43e-3, 7.23e-3), {0.4e-3, 0.0, 7.3e-3}, 0.7e-3);
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->place.x, 0.43e-3, 4e-6);
    EXPECT_NEAR(peak->place.z, 7.23e-3, 4e-6);
    EXPECT_LT(peak->value, 0.0);
}

TEST(PairImages, AFlatTopHasItsMiddle) {
    Image image = spotAt(0.4e-3, 7.2e-3);
    for (float& value : image.values) value = std::min(value, -2.0F);
    image.values[22 * 60 + 35] = -1.9F; // 0.1 mm beside the middle
    const auto peak = peakNear(image, {0.4e-3, 0.0, 7.3e-3}, 0.7e-3);
    ASSERT_TRUE(peak);
    EXPECT_NEAR(peak->place.x, 0.4e-3, 4e-6);
    EXPECT_NEAR(peak->place.z, 7.2e-3, 4e-6);
}

TEST(PairImages, PixelsWithoutDataAreNoPeak) {
    Image image = spotAt(0.43e-3, 7.23e-3);
    for (float& value : image.values) value = static_cast<float>(kNothing);
    EXPECT_FALSE(peakNear(image, {0.4e-3, 0.0, 7.3e-3}, 0.7e-3));
    EXPECT_EQ(largest(image), 0.0);
    image.values[100] = 3.0F;
    EXPECT_EQ(largest(image), 3.0);
}

TEST(PairImages, SamplesOfASectorLieOnItsLines) {
    Image image;
    Sector sector{0.0, -20e-3, 20e-3, {-0.5, 0.0, 0.5}};
    image.spec.axes = {{AxisName::Depth, 11, 1e-3, 2e-3, "m"},
                       {AxisName::Lateral, 3, 1.0, 0.0, ""}};
    image.spec.sector = std::make_shared<Sector>(sector);
    image.values.assign(33, 0.0F);
    const Point p = image.placeOf(3 * 3 + 2); // the fourth range, 5 mm, of the last line
    EXPECT_NEAR(p.x, 25e-3 * std::sin(0.5), 1e-12);
    EXPECT_NEAR(p.z, 25e-3 * std::cos(0.5) - 20e-3, 1e-12);
    EXPECT_TRUE(image.isInSpace());
}

const ArrayRow& arrayNamed(std::string_view name) {
    return *std::ranges::find(arrayRows(), name, &ArrayRow::name);
}
const TransmitRow& transmitNamed(std::string_view name) {
    return *std::ranges::find(transmitRows(), name, &TransmitRow::name);
}
Pair pairOf(const char* array, const char* transmit, Signal signal, const char* kind,
            const char* name) {
    return {{&arrayNamed(array), &transmitNamed(transmit), signal}, kind, name};
}

TEST(PairExpectations, APhraseBelongsToThePairsThatItsPatternNames) {
    EXPECT_EQ(expectedRefusal(pairOf("linear", "plane", Signal::Rf, "pipeline", "rf")),
              std::nullopt);
    EXPECT_THAT(std::string(*expectedRefusal(
                    pairOf("linear", "plane", Signal::Rf, "pipeline", "oct_doppler"))),
                HasSubstr("spectrum_to_float"));
    EXPECT_TRUE(expectedRefusal(pairOf("matrix", "focused", Signal::Iq, "pipeline", "m_mode")));
    EXPECT_FALSE(expectedRefusal(pairOf("linear", "focused", Signal::Iq, "pipeline", "m_mode")));
    EXPECT_TRUE(expectedRefusal(pairOf("phased", "plane", Signal::Iq, "pipeline", "zero_phase")));
    EXPECT_FALSE(expectedRefusal(pairOf("phased", "plane", Signal::Rf, "pipeline", "zero_phase")));
    EXPECT_TRUE(
        expectedRefusal(pairOf("curved", "plane", Signal::Rf, "export of signals", ".nii.gz")));
    EXPECT_FALSE(expectedRefusal(pairOf("curved", "plane", Signal::Rf, "export", ".nii.gz")));
}

TEST(PairExpectations, ATableHasALineForEachRow) {
    PairResult right{pairOf("linear", "plane", Signal::Rf, "points", "")};
    right.figures = {{"offset", "offset", 0.0312, ""}, {"loss", "loss", 0.123, "dB"}};
    PairResult wrong{pairOf("linear", "plane", Signal::Rf, "flow", "")};
    wrong.outcome = Outcome::Wrong;
    wrong.sentence = "no flow.";
    PairResult other{pairOf("curved", "focused", Signal::Iq, "pipeline", "oct")};
    other.outcome = Outcome::Refused;
    other.sentence = "No.";
    const std::string table = tableOf({right, wrong, other});
    EXPECT_THAT(table, HasSubstr("| linear | plane | RF | 0.031 | 0.12 | - (-) | - (-) | - | 1 | "
                                 "0 | 1 |"));
    EXPECT_THAT(table, HasSubstr("| curved | focused | IQ | - | - |"));
    EXPECT_EQ(wrongOf({right, wrong, other}), "linear, plane, RF: flow: no flow.\n");
    EXPECT_EQ(refusalsOf({right, wrong, other}), "pipeline oct (1): No.\n");
}

} // namespace
} // namespace echolux::pairs
