// SPDX-License-Identifier: GPL-3.0-or-later
// MUST files by SciPy (vectors/make_must_arrays.py): apertures that walk to the array's ends, waves
// of curved arrays, elements of a matrix; and the walking ones as USTB has them, without origins.
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/uff_samples.hpp"

#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/wave_name.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

std::filesystem::path capture(const std::string& name) {
    return uffVector("must_" + name + ".mat");
}

const nlohmann::json& truth(const std::string& name) {
    static const auto json = nlohmann::json::parse(readFile(uffVector("must_arrays.json")));
    return json.at(name);
}

Point pointOf(const nlohmann::json& three) {
    return {three[0].get<double>(), three[1].get<double>(), three[2].get<double>()};
}

double apart(const Point& a, const Point& b) { return length(minus(a, b)); }

const std::vector<Transmit>& transmitsOf(const Recording& recording) {
    return recording.info().frame.acquisition->transmits;
}

void expectWaves(const Recording& recording, const nlohmann::json& expected) {
    const auto& transmits = transmitsOf(recording);
    ASSERT_EQ(transmits.size(), expected.size());
    for (std::size_t i = 0; i < transmits.size(); ++i) {
        const Transmit& t = transmits[i];
        EXPECT_EQ(nameOf(t.wave), expected[i]["wave"].get<std::string>()) << i;
        EXPECT_NEAR(t.firstSampleS, expected[i]["first_sample"].get<double>(), 1e-10) << i;
        if (t.wave == Wave::Plane) {
            EXPECT_NEAR(t.angleRad, expected[i]["angle"].get<double>(), 1e-7) << i;
            EXPECT_NEAR(t.elevationRad, expected[i]["elevation"].get<double>(), 1e-7) << i;
        } else {
            EXPECT_LT(apart(t.source, pointOf(expected[i]["source"])), 1e-6) << i;
        }
    }
}

/// The brightest place on the lines from the transmits' origins through their foci, each imaged by
/// its own transmit.
struct OnLine {
    std::size_t line = 0;
    Peak peak;
};
OnLine brightestOnLines(const Signals& signals, double least, double most) {
    OnLine best;
    const auto& transmits = signals.info->frame.acquisition->transmits;
    for (std::size_t i = 0; i < transmits.size(); ++i) {
        const Point& from = transmits[i].origin;
        const Point way = minus(transmits[i].source, from);
        for (double range = least; range <= most; range += 2e-5) {
            const double part = range / length(way);
            const Point at{from.x + part * way.x, 0.0, from.z + part * way.z};
            const double value = std::abs(pixel(signals, at, {.transmit = static_cast<int>(i)}));
            if (value > best.peak.value) best = {i, {at, value}};
        }
    }
    return best;
}

class WalkingApertures : public testing::TestWithParam<const char*> {
protected:
    const nlohmann::json& expected() const { return truth(GetParam()); }
    std::unique_ptr<Recording> m_recording = openRecording(capture(GetParam()));
};

TEST_P(WalkingApertures, FireTheElementsOfTheFile) {
    expectWaves(*m_recording, expected()["transmits"]);
    for (std::size_t i = 0; i < transmitsOf(*m_recording).size(); ++i) {
        const auto& weights = transmitsOf(*m_recording)[i].apodization;
        EXPECT_EQ(std::ranges::count(weights, 1.0F),
                  expected()["transmits"][i]["firing"].get<long>());
        EXPECT_EQ(std::ranges::count(weights, 0.0F) + std::ranges::count(weights, 1.0F), 32);
    }
}

/// The middles of apertures of whole elements do not say where a beam begins to better than half a
/// pitch, and those at the ends are 1 mm off.
TEST_P(WalkingApertures, BeginWhereTheirBeamsLeaveTheArray) {
    const bool steered = std::string(GetParam()) == "walking_steered";
    for (std::size_t i = 0; i < transmitsOf(*m_recording).size(); ++i)
        EXPECT_LT(apart(transmitsOf(*m_recording)[i].origin,
                        pointOf(expected()["transmits"][i]["origin"])),
                  steered ? 3e-5 : 2e-6)
            << i;
    EXPECT_THAT(m_recording->info().notes, Contains(Pair("Beams", HasSubstr("4 apertures"))));
}

TEST_P(WalkingApertures, ShowTargetsOnTheirLines) {
    const Signals signals = loadSignals(*m_recording);
    for (const auto& target : expected()["targets"]) {
        const Point at = pointOf(target);
        const Point& first = transmitsOf(*m_recording)[0].origin;
        const double range = at.z - first.z;
        const OnLine found = brightestOnLines(signals, range - 0.8e-3, range + 0.8e-3);
        EXPECT_LT(apart(found.peak.at, at), 6e-5) << found.peak.at.x << " " << found.peak.at.z;
    }
}

INSTANTIATE_TEST_SUITE_P(MustArrays, WalkingApertures,
                         testing::Values("walking_edges", "walking_steered", "walking_curved"),
                         [](const auto& each) { return std::string(each.param); });

void expectParallelLines(const Recording& recording, const nlohmann::json& transmits) {
    const FrameSpec& frame = recording.info().frame;
    const BeamformParams params = das::defaultParams(frame);
    EXPECT_EQ(params.transmitAperture, TransmitAperture::OwnLines);
    const das::BeamLines lines = das::beamLines(frame, params);
    EXPECT_FALSE(lines.sector.has_value());
    ASSERT_EQ(lines.beams.size(), transmits.size());
    for (std::size_t i = 0; i < lines.beams.size(); ++i) {
        EXPECT_NEAR(lines.beams[i].x, transmits[i]["origin"][0].get<double>(), 2e-6);
        EXPECT_NEAR(lines.beams[i].sine, 0.0F, 1e-6F);
    }
}

TEST(MustArrays, WalkingBeamsAreParallelLines) {
    expectParallelLines(*openRecording(capture("walking_edges")),
                        truth("walking_edges")["transmits"]);
}

/// Of the MUST recording `name`: sources and weights, no origins.
void addWalkingUff(const Hdf5Editor& file, const std::string& name, const nlohmann::json& waves) {
    const auto recording = openRecording(capture(name));
    const FrameSpec& frame = recording->info().frame;
    const Acquisition& acquisition = *frame.acquisition;
    const std::size_t elements = acquisition.probe.elements.size();
    file.textAttribute("/", "version", "v1.2.0");
    const auto object = [&](const std::string& where, const std::string& kind) {
        file.group(where);
        file.textAttribute(where, "class", kind);
    };
    object("recorded", "uff.channel_data");
    file.numbers("recorded/data",
                 {transmitsOf(*recording).size(), elements,
                  static_cast<hsize_t>(frame.sizeOf(AxisName::Sample))},
                 frameOf(*recording));
    file.number("recorded/sampling_frequency", frame.samplingFrequencyHz());
    file.number("recorded/sound_speed", acquisition.soundSpeedMps);
    file.number("recorded/initial_time", 0.0);
    object("recorded/pulse", "uff.pulse");
    file.number("recorded/pulse/center_frequency", frame.centreFrequencyHz);
    object("recorded/probe", "uff.probe");
    std::vector<double> geometry(7 * elements, 0.0);
    for (std::size_t k = 0; k < elements; ++k) {
        geometry[k] = acquisition.probe.elements[k].x;
        geometry[2 * elements + k] = acquisition.probe.elements[k].z;
    }
    file.numbers("recorded/probe/geometry", {7, elements}, geometry);
    file.group("recorded/sequence");
    file.textAttribute("recorded/sequence", "class", "uff.wave");
    file.numberAttribute("recorded/sequence", "array", 1);
    for (std::size_t i = 0; i < waves.size(); ++i) {
        const std::string wave = fmt::format("recorded/sequence/sequence_{:04}", i + 1);
        const Point source = pointOf(waves[i]["source"]);
        object(wave, "uff.wave");
        file.number(wave + "/wavefront", 1);
        file.number(wave + "/delay", waves[i]["first_sample"].get<double>());
        object(wave + "/source", "uff.point");
        file.number(wave + "/source/distance", length(source));
        file.number(wave + "/source/azimuth", std::atan2(source.x, source.z));
        file.number(wave + "/source/elevation", 0.0);
        object(wave + "/apodization", "uff.apodization");
        const auto& weights = transmitsOf(*recording)[i].apodization;
        file.numbers(wave + "/apodization/apodization_vector", {elements},
                     std::vector<double>(weights.begin(), weights.end()));
    }
}

TEST(MustArrays, WalkingBeamsOfUstbNeedNoOrigins) {
    const TemporaryFolder folder;
    const auto& waves = truth("walking_edges")["transmits"];
    const auto path = folder / "walking.uff";
    addWalkingUff(Hdf5Editor(path), "walking_edges", waves);
    const auto recording = openRecording(path);
    expectWaves(*recording, waves);
    expectParallelLines(*recording, waves);
    EXPECT_THAT(recording->info().notes, Contains(Pair("Beams", HasSubstr("4 apertures"))));
    const Signals signals = loadSignals(*recording);
    for (const auto& target : truth("walking_edges")["targets"]) {
        const Point at = pointOf(target);
        const OnLine found = brightestOnLines(signals, at.z - 0.8e-3, at.z + 0.8e-3);
        EXPECT_LT(apart(found.peak.at, at), 6e-5) << found.peak.at.x << " " << found.peak.at.z;
    }
}

class MustWaves : public testing::TestWithParam<const char*> {};

TEST_P(MustWaves, AreThoseOfTheDelays) {
    expectWaves(*openRecording(capture(GetParam())), truth(GetParam())["transmits"]);
}

TEST_P(MustWaves, ShowTheTargetsInTheirPlaces) {
    const auto recording = openRecording(capture(GetParam()));
    const Signals signals = loadSignals(*recording);
    for (const auto& target : truth(GetParam())["targets"]) {
        const Point at = pointOf(target);
        const Peak peak = brightest(signals, at, 0.6e-3, 0.4e-3, 4e-5);
        EXPECT_LT(apart(peak.at, at), 8e-5) << peak.at.x << " " << peak.at.z;
    }
}

INSTANTIATE_TEST_SUITE_P(MustArrays, MustWaves, testing::Values("curved_waves", "matrix_waves"),
                         [](const auto& each) { return std::string(each.param); });

TEST(MustArrays, ListedElementsMakeAMatrix) {
    const auto recording = openRecording(capture("matrix_waves"));
    const Probe& probe = recording->info().frame.acquisition->probe;
    const ArrayKind kind = arrayKindOf(probe, 1540.0);
    EXPECT_EQ(kind.shape, ArrayShape::Matrix);
    EXPECT_EQ(kind.columns, 8U);
    EXPECT_NEAR(probe.pitchM, 0.3e-3, 1e-12);
    const Signals signals = loadSignals(*recording);
    const Point at = pointOf(truth("matrix_waves")["targets"][0]);
    const double there = std::abs(pixel(signals, at));
    for (const double y : {-1.5e-3, 1.5e-3})
        EXPECT_LT(std::abs(pixel(signals, {at.x, at.y + y, at.z})), 0.8 * there) << y;
}

} // namespace
} // namespace echolux::test
