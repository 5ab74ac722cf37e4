// SPDX-License-Identifier: GPL-3.0-or-later
// Behind a stage that makes levels in dB, the converter's range no longer holds.
#include "app/pipeline/snapshot.hpp"
#include "gpu/core/spectrometer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using Values = std::vector<std::pair<std::string, ParamValue>>;

constexpr double kFullScale = 4095.0;

/// What the stage `gray`, of type linear_map, takes for its maximum behind the stages.
double maximumBehind(const FrameSpec& raw, std::vector<StageConfig> stages) {
    PipelineConfig config;
    config.stages = std::move(stages);
    config.stages.push_back({"gray", "linear_map", false, {}});
    const SnapshotPtr snapshot = instantiate(config, raw);
    return std::get<double>(snapshot->stage("gray").params.get("max"));
}

FrameSpec spectra() {
    FrameSpec spec;
    spec.dtype = DType::U16;
    spec.axes = {{AxisName::Lateral, 4, 1.0, 0.0, ""}, {AxisName::Sample, 64, 1.0, 0.0, ""}};
    spec.spectrometer = std::make_shared<Spectrometer>();
    return spec;
}

double maximumBehindMagnitude(const FrameSpec& raw, const char* scale) {
    return maximumBehind(
        raw, {{"values", "spectrum_to_float", false, {}},
              {"depths", "inverse_fft", false, {}},
              {"levels", "magnitude_log", false, Values{{"scale", std::string(scale)}}}});
}

FrameSpec samples() {
    FrameSpec spec;
    spec.dtype = DType::I16;
    spec.axes = {{AxisName::Depth, 8, 1e-3, 0.0, "m"}, {AxisName::Lateral, 4, 1e-3, 0.0, "m"}};
    return spec;
}

TEST(Levels, OfSpectraAreNoCodes) {
    FrameSpec raw = spectra();
    const double unknown = maximumBehindMagnitude(raw, "decibels");
    raw.converterRange = {0.0, kFullScale};
    EXPECT_EQ(maximumBehindMagnitude(raw, "decibels"), unknown);
    EXPECT_EQ(maximumBehindMagnitude(raw, "linear"), kFullScale) << "amplitudes in codes";
}

TEST(Levels, OfEchoesAreNoCodes) {
    FrameSpec raw = samples();
    const StageConfig values{"values", "to_float", false, {}};
    const StageConfig levels{"levels", "log_compression", false, {}};
    const double unknown = maximumBehind(raw, {values, levels});
    raw.recordedPeak = 3000.0;
    EXPECT_EQ(maximumBehind(raw, {values}), 3000.0);
    EXPECT_EQ(maximumBehind(raw, {values, levels}), unknown);
    raw.converterRange = {-kFullScale, kFullScale};
    EXPECT_EQ(maximumBehind(raw, {values}), kFullScale);
    EXPECT_EQ(maximumBehind(raw, {values, levels}), unknown);
}

TEST(Levels, ThatWereRecordedAreNoAmplitudes) {
    FrameSpec raw = samples();
    const StageConfig values{"values", "to_float", false, {}};
    const double unknown = maximumBehind(raw, {values});
    raw.converterRange = {-kFullScale, kFullScale};
    raw.valueRange = {-60.0, 0.0, "dB", "recorded"};
    EXPECT_EQ(maximumBehind(raw, {values}), unknown);
}

} // namespace
} // namespace echolux
