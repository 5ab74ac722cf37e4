// SPDX-License-Identifier: GPL-3.0-or-later
// MUST files by SciPy (vectors/make_must_transmits.py): transmits are what delays and apodization
// say together.
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/sample_files.hpp"

#include "app/dataset/transmit/wave_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

std::filesystem::path mustFile(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / name;
}

std::filesystem::path mustCapture(const std::string& name) {
    return mustFile("must_" + name + ".mat");
}

const nlohmann::json& truth() {
    static const auto json = nlohmann::json::parse(readFile(mustFile("must_transmits.json")));
    return json;
}

class MustTransmits : public testing::TestWithParam<const char*> {};

TEST_P(MustTransmits, AreThoseThatFired) {
    const auto recording = openRecording(mustCapture(GetParam()));
    const auto& transmits = recording->info().frame.acquisition->transmits;
    const auto& expected = truth()[GetParam()];
    ASSERT_EQ(transmits.size(), expected.size());
    for (std::size_t i = 0; i < transmits.size(); ++i) {
        EXPECT_EQ(nameOf(transmits[i].wave), expected[i]["wave"].get<std::string>());
        EXPECT_NEAR(transmits[i].firstSampleS, expected[i]["first_sample"].get<double>(), 1e-10);
        if (transmits[i].wave == Wave::Plane) {
            EXPECT_NEAR(transmits[i].angleRad, expected[i]["angle"].get<double>(), 1e-9);
        } else {
            EXPECT_NEAR(transmits[i].source.x, expected[i]["x"].get<double>(), 1e-6);
            EXPECT_NEAR(transmits[i].source.z, expected[i]["z"].get<double>(), 1e-6);
        }
    }
}

TEST_P(MustTransmits, ShowEachTargetOnceInItsPlace) {
    const auto recording = openRecording(mustCapture(GetParam()));
    const Signals signals = loadSignals(*recording);
    for (const auto& target : truth()["targets"]) {
        const Point at{target[0].get<double>(), 0.0, target[1].get<double>()};
        const Peak peak = brightest(signals, at, 1.2e-3, 1.2e-3, 5e-5);
        EXPECT_NEAR(peak.at.x, at.x, 1.1e-4);
        EXPECT_NEAR(peak.at.z, at.z, 6e-5);
        for (const double depth : {-1.2e-3, 1.2e-3}) {
            const Peak ghost = brightest(signals, {at.x, 0.0, at.z + depth}, 2.5e-3, 0.5e-3, 1e-4);
            EXPECT_LT(ghost.value, 0.25 * peak.value) << depth;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EachKind, MustTransmits,
                         testing::Values("one_hot", "walking_focused", "walking_at_once",
                                         "apodized_plane", "stacked", "cells", "stale"),
                         [](const auto& each) { return std::string(each.param); });

TEST(MustApodization, IsThatOfTheTransmits) {
    const auto recording = openRecording(mustCapture("one_hot"));
    for (const Transmit& transmit : recording->info().frame.acquisition->transmits) {
        EXPECT_EQ(std::ranges::count(transmit.apodization, 1.0F), 1);
        EXPECT_EQ(std::ranges::count(transmit.apodization, 0.0F), 23);
    }
    const auto hann = openRecording(mustCapture("apodized_plane"));
    EXPECT_NEAR(hann->info().frame.acquisition->transmits[0].apodization[0],
                std::pow(std::sin(std::numbers::pi * 0.5 / 24), 2), 1e-7);
    EXPECT_THAT(openRecording(mustCapture("inverted"))->info().warnings,
                Contains(HasSubstr("Transmit 2 fires inverted")));
}

TEST(MustDelays, ThatContradictTheAnglesAreNamed) {
    EXPECT_THAT(openRecording(mustCapture("stale"))->info().warnings,
                testing::ElementsAre(AllOf(HasSubstr("TXangle of 'param' describes 3 transmits"),
                                           HasSubstr("TXdelay 1"), HasSubstr("TXangle is used"))));
    for (const char* name : {"stacked", "cells"})
        EXPECT_THAT(openRecording(mustCapture(name))->info().warnings, testing::IsEmpty());
}

TEST(MustDelays, OfOneTransmitCountForFramesWhateverTheAngles) {
    TemporaryFolder folder;
    const auto path = folder / "frames.mat";
    {
        MatBuilder mat(path);
        mat.add(MatBuilder::array("RF", {20, 4, 5}, countedUp<std::int16_t>(400)));
        mat.add(MatBuilder::structure("param", {{"fs", MatBuilder::number(20e6)},
                                                {"fc", MatBuilder::number(5e6)},
                                                {"pitch", MatBuilder::number(3e-4)},
                                                {"TXdelay", MatBuilder::row({0, 0, 0, 0})},
                                                {"TXangle", MatBuilder::row({-0.1, 0, 0.1})}}));
    }
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(recording->info().frame.acquisition->transmits.size(), 1U);
    EXPECT_THAT(recording->info().warnings,
                Contains(AllOf(HasSubstr("TXangle"), HasSubstr("TXdelay is used"))));
}

TEST(MustApodization, Refusals) {
    EXPECT_THAT(refusalOf(mustCapture("silent_transmit")),
                AllOf(HasSubstr("transmit 2"), HasSubstr("no element fires")));
    EXPECT_THAT(refusalOf(mustCapture("short_apodization")),
                AllOf(HasSubstr("TXapodization"), HasSubstr("3 x 7"), HasSubstr("24 elements")));
    EXPECT_THAT(refusalOf(mustCapture("two_apodizations")),
                AllOf(HasSubstr("3 transmits"), HasSubstr("TXapodization 2")));
    EXPECT_THAT(refusalOf(mustCapture("nan_apodization")),
                AllOf(HasSubstr("transmit 3"), HasSubstr("nan for element 5")));
    EXPECT_THAT(refusalOf(mustCapture("coded")), HasSubstr("opposite signs"));
}

} // namespace
} // namespace echolux::test
