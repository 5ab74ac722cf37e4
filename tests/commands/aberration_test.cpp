// SPDX-License-Identifier: GPL-3.0-or-later
// echolux aberration FILE of a recording: a small array before a known screen, its filter files,
// figures and pictures, and what is refused.
#include "app/aberration/channel_frames.hpp"
#include "app/aberration/filter_file.hpp"
#include "app/dataset/native/native_writer.hpp"
#include "tests/commands/aberration_run.hpp"

#include <QImage>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kElements = 32;
constexpr std::int64_t kSamples = 640;
constexpr double kFs = 20e6;
constexpr double kFc = 5e6;
constexpr double kC = 1540.0;
constexpr double kPitch = 3e-4;

double elementX(std::size_t e) {
    return (static_cast<double>(e) - 0.5 * static_cast<double>(kElements - 1)) * kPitch;
}

/// 40 ns rms, a little over a period and a half along the array.
std::vector<double> knownDelays() {
    std::vector<double> delays;
    for (std::size_t e = 0; e < kElements; ++e) {
        const double u = static_cast<double>(e) / static_cast<double>(kElements);
        delays.push_back(40e-9 * (std::sin(9.0 * u) + 0.6 * std::cos(17.0 * u + 1.0)));
    }
    return delays;
}

FrameSpec frameSpec(std::size_t elements) {
    FrameSpec spec;
    spec.dtype = DType::F32;
    spec.axes = {{AxisName::Transmit, 3, 1.0, 0.0, ""},
                 {AxisName::Channel, static_cast<std::int64_t>(elements), 1.0, 0.0, ""},
                 {AxisName::Sample, kSamples, 1.0 / kFs, 0.0, "s"}};
    spec.centreFrequencyHz = kFc;
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = kC;
    acquisition->probe.name = "a line";
    acquisition->probe.pitchM = kPitch;
    acquisition->probe.centreFrequencyHz = kFc;
    for (std::size_t e = 0; e < elements; ++e)
        acquisition->probe.elements.push_back(
            {elementX(e) - elementX(0) + (elements == kElements ? elementX(0) : 0.0), 0.0, 0.0});
    for (const double angle : {-0.1, 0.0, 0.1}) {
        Transmit transmit;
        transmit.angleRad = angle;
        acquisition->transmits.push_back(transmit);
    }
    spec.acquisition = acquisition;
    return spec;
}

/// Echoes of points behind the screen, or noise alone.
std::vector<float> samplesOf(const FrameSpec& spec, bool withPoints, double scale = 1.0) {
    const double points[][2] = {{-2e-3, 10e-3}, {1.5e-3, 14e-3}, {0.2e-3, 19e-3}};
    const std::vector<Point>& elements = spec.acquisition->probe.elements;
    const std::vector<double> delays = knownDelays();
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0.0, 0.02);
    std::vector<float> samples;
    for (const Transmit& transmit : spec.acquisition->transmits) {
        for (std::size_t e = 0; e < elements.size(); ++e) {
            for (std::int64_t n = 0; n < kSamples; ++n) {
                const double t = static_cast<double>(n) / kFs;
                double value = noise(random);
                for (const auto& [x, z] : points) {
                    const double sent =
                        x * std::sin(transmit.angleRad) + z * std::cos(transmit.angleRad);
                    const double late = t - (sent + std::hypot(x - elements[e].x, z)) / kC -
                                        (elements.size() == kElements ? delays[e] : 0.0);
                    if (withPoints && std::abs(late) < 1e-6)
                        value += std::exp(-std::pow(late / 0.2e-6, 2)) *
                                 std::cos(2.0 * std::numbers::pi * kFc * late);
                }
                samples.push_back(static_cast<float>(scale * value));
            }
        }
    }
    return samples;
}

class AberrationCommand : public AberrationRun {
protected:
    std::string recording(bool withPoints = true, std::size_t elements = kElements,
                          std::int64_t frames = 1, double scale = 1.0) const {
        const FrameSpec spec = frameSpec(elements);
        const std::vector<float> samples = samplesOf(spec, withPoints, scale);
        NativeWriter writer(file("a.h5"), spec, 25.0, {}, {.overwrite = true});
        for (std::int64_t i = 0; i < frames; ++i) writer.append(std::as_bytes(std::span(samples)));
        return file("a.h5");
    }
    /// Root of the mean square of what is left of the screen.
    static double residual(const std::vector<double>& found) {
        std::vector<double> left = knownDelays();
        for (std::size_t e = 0; e < left.size(); ++e) left[e] -= found[e];
        const auto grid = aberration::denseGrid(1, kElements);
        return aberration::rootMeanSquare(aberration::withoutPistonAndTilt(grid, left));
    }
};

TEST_F(AberrationCommand, FindsAKnownScreenAndWritesItsFilter) {
    const std::string name = recording();
    const CommandResult result =
        run({name, "-o", file("f.mat"), "--json", file("f.json"), "--steps", file("f.png")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("Focusing criterion"));
    EXPECT_THAT(result.out, HasSubstr("Brightest points"));
    EXPECT_THAT(result.out, HasSubstr("f.mat written"));
    const aberration::FilterFile filter = aberration::loadFilter(file("f.mat"));
    EXPECT_LT(residual(filter.filter.delayS), 8e-9);
    EXPECT_GT(residual(std::vector<double>(kElements, 0.0)), 30e-9);
    EXPECT_EQ(filter.elements.size(), kElements);
    EXPECT_NO_THROW(aberration::checkFilterFits(file("f.mat"), filter,
                                                frameSpec(kElements).acquisition->probe));
    const auto json = nlohmann::json::parse(std::ifstream(file("f.json")));
    EXPECT_TRUE(json["valid"].get<bool>());
    EXPECT_GT(json["sharpness"]["after"], json["sharpness"]["before"]);
    EXPECT_GT(json["peak"]["corrected"].get<double>(),
              1.1 * json["peak"]["uncorrected"].get<double>());
    EXPECT_EQ(json["delay_s"].size(), kElements);
    EXPECT_FALSE(QImage(QString::fromStdString(file("f.png"))).isNull());
}

const std::string kCine = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/phantom_cine.echolux.h5";

TEST_F(AberrationCommand, ComparesWithTheScreenThatThePipelinePutBeforeTheArray) {
    const auto leftOf = [&](const std::string& pipeline) {
        const CommandResult result =
            run({kCine, "--pipeline", pipeline, "--json", file("f.json"), "--force"});
        EXPECT_EQ(result.status, 0) << result.err;
        return nlohmann::json::parse(std::ifstream(file("f.json")))["residual_s"];
    };
    EXPECT_TRUE(leftOf("aberration").is_null()) << "nothing is known of the phantom";
    const auto left = leftOf("aberration_trial");
    EXPECT_GT(left["before"].get<double>(), 40e-9);
    EXPECT_LT(left["after"].get<double>(), 12e-9);
}

TEST_F(AberrationCommand, TakesRegionsFramesAndHerikstadsNaming) {
    const std::string name = recording(true, kElements, 3);
    const CommandResult result = run({name, "-o", file("f.npz"), "--naming", "herikstad",
                                      "--region=0,14,8,12", "--frames", "1:2"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("frames 1 to 2"));
    EXPECT_LT(residual(aberration::loadFilter(file("f.npz")).filter.delayS), 8e-9);
    EXPECT_THAT(run({name, "-o", file("f.npz")}).err, HasSubstr("--force"));
}

/// The filter's real and imaginary part hold its amplitudes whichever method found them.
TEST_F(AberrationCommand, HerikstadsNamingKeepsTheAmplitudes) {
    const std::string name = recording(); // methods are named as in pipelines, or with hyphens
    for (const std::string method : {"least_squares", "beam-sum"}) {
        ASSERT_EQ(
            run({name, "--method", method, "-o", file("h.npz"), "--naming", "herikstad", "--force"})
                .status,
            0);
        ASSERT_EQ(run({name, "--method", method, "-o", file("p.npz"), "--force"}).status, 0);
        const auto herikstad = aberration::loadFilter(file("h.npz")).filter;
        const auto plain = aberration::loadFilter(file("p.npz")).filter;
        const auto [least, most] = std::ranges::minmax(plain.amplitude);
        EXPECT_GT(most - least, 0.01) << method;
        for (std::size_t e = 0; e < kElements; ++e)
            EXPECT_NEAR(herikstad.amplitude[e], plain.amplitude[e], 1e-4) << method << ", " << e;
    }
}

/// Elements of few waves used to be found 73 dB down, and 13 ns were applied.
TEST_F(AberrationCommand, WhereThereIsNoScreenNothingIsToBeGained) {
    const std::string sector = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/sector.h5";
    EXPECT_THAT(refused({sector}), HasSubstr("nothing to gain"));
    const CommandResult result = run({sector, "--json", file("s.json")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("nothing to gain"));
    const auto json = nlohmann::json::parse(std::ifstream(file("s.json")));
    EXPECT_FALSE(json["valid"].get<bool>());
    EXPECT_TRUE(json["coherent"].get<bool>());
    for (const double amplitude : json["amplitude"]) EXPECT_EQ(amplitude, 1.0);
    for (const double delay : json["delay_s"]) EXPECT_EQ(delay, 0.0);
}

/// Noise shows less coherence in more points, and as little in more bins.
TEST_F(AberrationCommand, MoreFramesKnowOfAsManyBins) {
    const FrameSpec spec = frameSpec(kElements);
    const std::vector<float> samples = samplesOf(spec, true);
    const auto bytes = std::as_bytes(std::span(samples));
    const std::vector<std::byte> frame(bytes.begin(), bytes.end());
    const aberration::FocusParams focus = aberration::wholeImage(spec);
    const aberration::Spectra one = aberration::spectraOf({spec, {frame}, {}}, focus);
    const aberration::Spectra three =
        aberration::spectraOf({spec, {frame, frame, frame}, {}}, focus);
    EXPECT_EQ(three.points, 3 * one.points);
    EXPECT_GT(one.independentBins, 1.5);
    EXPECT_EQ(three.independentBins, one.independentBins);
}

/// The published iterations begin with a filter of 1 and have fixed floors.
TEST_F(AberrationCommand, PublishedMethodsDoNotDependOnTheDatasScale) {
    const auto amplitudesOf = [&](const std::string& method, double scale) {
        const CommandResult result = run({recording(true, kElements, 1, scale), "--method", method,
                                          "--json", file("f.json"), "--force"});
        EXPECT_EQ(result.status, 0) << result.err;
        return nlohmann::json::parse(std::ifstream(file("f.json")))["amplitude"]
            .get<std::vector<double>>();
    };
    for (const std::string method : {"matlab", "gpu", "cpu"}) {
        const std::vector<double> usual = amplitudesOf(method, 1.0);
        for (const double scale : {1e-4, 1e3}) {
            const std::vector<double> other = amplitudesOf(method, scale);
            for (std::size_t e = 0; e < kElements; ++e)
                EXPECT_NEAR(other[e], usual[e], 1e-2 * usual[e]) << method << ", " << scale;
        }
    }
}

TEST_F(AberrationCommand, SaysWhereNothingIsCoherent) {
    const std::string name = recording(false);
    // So few elements and points agree by chance up to 0.35.
    EXPECT_THAT(refused({name, "--min-coherence", "0.45"}), HasSubstr("no coherent signal"));
    const CommandResult shown = run({name, "--min-coherence", "0.45"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("no coherent signal"));
    EXPECT_THAT(shown.out, Not(HasSubstr("Brightest")));
}

TEST_F(AberrationCommand, RefusesInOneSentence) {
    const std::string name = recording();
    EXPECT_THAT(refused({name, "--region=0,300,5,5"}), HasSubstr("lies outside"));
    EXPECT_THAT(refused({name, "--region=80,14,5,5"}), HasSubstr("lies outside"));
    EXPECT_THAT(refused({name, "--region", "here"}), HasSubstr("is no region"));
    EXPECT_THAT(refused({name, "--region=0,14,0,5"}), HasSubstr("is no region"));
    EXPECT_THAT(refused({name, "--gate", "0.1"}), HasSubstr("samples"));
    EXPECT_THAT(refused({name, "--gate", "90"}), HasSubstr("samples"));
    EXPECT_THAT(refused({name, "--kernel", "4"}), HasSubstr("no middle"));
    EXPECT_THAT(refused({name, "--frames", "2"}), HasSubstr("frame"));
    EXPECT_THAT(refused({name, "--frames", "x"}), HasSubstr("names no frames"));
    EXPECT_THAT(refused({name, "--steps", file("a.jpg")}), HasSubstr(".png"));
    EXPECT_THAT(refused({recording(true, 1)}), HasSubstr("one element"));
    EXPECT_THAT(refused({std::string(ECHOLUX_SOURCE_DIR) + "/testdata/retina_cine.echolux.h5"}),
                HasSubstr("no channel data"));
    const CommandResult ending = run({name, "-o", file("f.csv")});
    EXPECT_EQ(ending.status, 2);
    EXPECT_THAT(ending.err, HasSubstr(".mat or .npz"));
}

} // namespace
} // namespace echolux::test
