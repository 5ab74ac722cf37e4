// SPDX-License-Identifier: GPL-3.0-or-later
// Beams over depth and interfering waves: NumPy's sums of the same elements, and closed forms.
#include "app/lab/beam_map.hpp"

#include "app/lab/wave_picture.hpp"
#include "tests/lab/array_frame.hpp"
#include "tests/support/near.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

using lab::BeamGeometry;
using lab::BeamMap;
using lab::BeamPart;
using lab::TransmitFocus;

constexpr double kPitchM = 0.15e-3;
constexpr double kWavelengthM = 1540.0 / 5e6;

BeamGeometry smallArray(double firstM, double lastM, double halfWidthM = 5e-3) {
    Acquisition acquisition = linearArray(64, kPitchM);
    acquisition.transmits = {planeWave(0.0)};
    BeamformParams params;
    params.fNumber = 2.0;
    params.depthMinM = firstM;
    params.depthMaxM = lastM;
    params.lateralMinM = -halfWidthM;
    params.lateralMaxM = halfWidthM;
    return {channelData(std::move(acquisition)), params};
}

std::vector<float> singles(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

TEST(BeamMap, OfAFocusIsThatOfNumPy) {
    const Vectors vectors("lab/vectors/beams.txt");
    const BeamMap map = lab::beamMap(smallArray(5e-3, 40e-3), {0.0, 20e-3}, BeamPart::Sent,
                                     TransmitFocus{20e-3, 8e-3}, {21, 8}, {});
    ASSERT_FALSE(map.empty());
    expectNear(singles(map.across), vectors["map_lateral"], 1e-5);
    expectNear(singles(map.depthsM), vectors["map_depth"], 1e-5);
    expectNear(singles(map.magnitude), vectors["map"], 1e-4);
}

TEST(BeamMap, NumbersOfAFocusAreThoseOfNumPyAndOfTheSinc) {
    const Vectors vectors("lab/vectors/beams.txt");
    const auto numbers =
        lab::focusNumbers(smallArray(5e-3, 60e-3), {0.0, 30e-3}, TransmitFocus{20e-3, 8e-3});
    EXPECT_EQ(numbers.elements, 54U);
    // lambda z / L with the 54 elements that lie within 8 mm.
    const double unit = kWavelengthM * 20e-3 / (54 * kPitchM);
    EXPECT_NEAR(numbers.widthAtFocus.value_or(0.0) / unit, 1.2052, 0.05);
    EXPECT_GT(numbers.widthAtPixel.value_or(0.0), *numbers.widthAtFocus);
    EXPECT_NEAR(numbers.nearM.value_or(0.0), vectors["axial"][0], 1e-4);
    EXPECT_NEAR(numbers.farM.value_or(0.0), vectors["axial"][1], 1e-4);
}

/// Gronvold 2008, figures 2.1 and 2.2.
TEST(BeamMap, ReceptionIsNarrowAtAllDepthsAndTransmissionInItsFocus) {
    const BeamGeometry geometry = smallArray(5e-3, 30e-3);
    const lab::BeamMapSize size{201, 26}; // a row per millimetre
    const TransmitFocus focus{15e-3, 9e-3};
    const auto widthAt = [&](const BeamMap& map, std::size_t row) {
        const auto& lobe = map.lobe[row];
        return lobe ? lobe->second - lobe->first : 1.0;
    };
    const BeamMap sent = lab::beamMap(geometry, {0.0, 15e-3}, BeamPart::Sent, focus, size, {});
    const BeamMap heard = lab::beamMap(geometry, {0.0, 15e-3}, BeamPart::Heard, {}, size, {});
    const BeamMap both = lab::beamMap(geometry, {0.0, 15e-3}, BeamPart::Both, focus, size, {});
    EXPECT_LT(widthAt(sent, 10), 0.5 * widthAt(sent, 2));
    EXPECT_LT(widthAt(sent, 10), widthAt(sent, 25));
    for (std::size_t row = 2; row < 15; ++row) // f-number 2 within the array: lambda F each
        EXPECT_NEAR(widthAt(heard, row) / (1.2052 * kWavelengthM * 2.0), 1.0, 0.12) << row;
    EXPECT_LT(widthAt(both, 10), 0.8 * std::min(widthAt(heard, 10), widthAt(sent, 10)));
    for (std::size_t i = 0; i < both.magnitude.size(); ++i)
        EXPECT_NEAR(both.magnitude[i], sent.magnitude[i] * heard.magnitude[i],
                    1e-6 * both.magnitude[i] + 1e-9);
}

TEST(BeamMap, OfTheRecordedTransmitsHasTheBeamShapeInItsRow) {
    const BeamGeometry geometry = smallArray(5e-3, 25e-3);
    const BeamMap map =
        lab::beamMap(geometry, {0.0, 15e-3}, BeamPart::Both, std::nullopt, {201, 21}, {});
    const lab::BeamShape shape = lab::beamShape(geometry, {0.0, 15e-3});
    ASSERT_TRUE(map.lobe[10] && shape.both.width);
    EXPECT_NEAR(map.lobe[10]->second - map.lobe[10]->first, *shape.both.width, 5e-6);
}

TEST(BeamMap, GoesOverAnglesWhereBeamsFanOut) {
    Acquisition acquisition = linearArray(64, kPitchM);
    for (int i = 0; i < 9; ++i) {
        const double angle = 0.05 * (i - 4);
        acquisition.transmits.push_back(
            sphericalWave(Wave::Focused, 60e-3 * std::sin(angle), 60e-3 * std::cos(angle)));
    }
    BeamformParams params;
    params.fNumber = 0.0;
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    params.depthMinM = 10e-3;
    params.depthMaxM = 60e-3;
    const BeamGeometry geometry(channelData(std::move(acquisition)), params);
    const BeamMap map = lab::beamMap(geometry, {60e-3 * std::sin(0.05), 60e-3 * std::cos(0.05)},
                                     BeamPart::Sent, TransmitFocus{60e-3, 9.6e-3}, {401, 6}, {});
    EXPECT_TRUE(map.overAngle);
    EXPECT_NEAR(map.across.front(), -0.2, 1e-9);
    ASSERT_TRUE(map.lobe.back());
    EXPECT_NEAR(0.5 * (map.lobe.back()->first + map.lobe.back()->second), 0.05, 1e-3);
    EXPECT_NEAR((map.lobe.back()->second - map.lobe.back()->first) /
                    (1.2052 * kWavelengthM / (64 * kPitchM)),
                1.0, 0.03);
}

TEST(BeamMap, IsEmptyWhenItIsStoppedOrNothingSends) {
    const BeamGeometry geometry = smallArray(5e-3, 25e-3);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(lab::beamMap(geometry, {0.0, 15e-3}, BeamPart::Heard, {}, {11, 5}, stop.get_token())
                    .empty());
    EXPECT_TRUE(lab::beamMap(geometry, {20e-3, 15e-3}, BeamPart::Sent, TransmitFocus{15e-3, 1e-3},
                             {11, 5}, {})
                    .empty());
    EXPECT_EQ(lab::focusNumbers(geometry, {20e-3, 15e-3}, {15e-3, 1e-3}).elements, 0U);
}

TEST(BeamMap, UsualFociLieInTheImage) {
    const BeamGeometry geometry = smallArray(5e-3, 30e-3);
    EXPECT_EQ(lab::usualFoci(geometry, {0.0, 15e-3}),
              (std::vector<double>{10 * 1e-3, 15 * 1e-3, 20 * 1e-3, 25 * 1e-3}));
    EXPECT_NEAR(lab::usualAperture(geometry), 9.6e-3, 1e-9);
}

TEST(WavePicture, IsThatOfNumPy) {
    const Vectors vectors("lab/vectors/beams.txt");
    const BeamGeometry geometry = smallArray(1e-3, 20e-3);
    for (const bool delayed : {false, true}) {
        // NOTE: 13 points would resolve 0.9 mm only, so every twelfth of 145 is compared.
        const lab::WavePicture picture =
            lab::wavePicture(geometry, {0.0, 10e-3}, {8, 6e-3, delayed}, 145, {});
        ASSERT_EQ(picture.senders.size(), 8U);
        EXPECT_NEAR(picture.depthM.back(), 9e-3, 1e-9);
        std::vector<float> re;
        std::vector<float> im;
        for (std::size_t row = 0; row < 145; row += 12) {
            for (std::size_t column = 0; column < 145; column += 12) {
                re.push_back(picture.field[row * 145 + column].real());
                im.push_back(picture.field[row * 145 + column].imag());
            }
        }
        const std::string name = delayed ? "waves_delayed" : "waves_together";
        expectNear(re, vectors[name + "_re"], 1e-4);
        expectNear(im, vectors[name + "_im"], 1e-4);
    }
}

TEST(WavePicture, DelayedWavesAreInPhaseInTheFocus) {
    const BeamGeometry geometry = smallArray(1e-3, 20e-3);
    const lab::WavePicture picture =
        lab::wavePicture(geometry, {0.0, 10e-3}, {8, 6e-3, true}, 145, {});
    const auto at = picture.field[96 * 145 + 72]; // (0, 6 mm)
    EXPECT_NEAR(std::abs(at), 8.0, 0.1);
}

TEST(WavePicture, IsSmallerWhereWavesWouldNotBeResolved) {
    const BeamGeometry geometry = smallArray(1e-3, 20e-3);
    const lab::WavePicture picture =
        lab::wavePicture(geometry, {0.0, 10e-3}, {8, 60e-3, true}, 101, {});
    EXPECT_NEAR(picture.depthM.back(), 25.0 * kWavelengthM, 1e-9);
}

} // namespace
} // namespace echolux::test
