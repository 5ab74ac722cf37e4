// SPDX-License-Identifier: GPL-3.0-or-later
// Table 4.1 of van Bavel 2013, from 40 MHz and 1540 m/s: predicted beside measured.
#include "app/prediction/pipeline_prediction.hpp"

#include "app/prediction/device_file.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace echolux {
namespace {

constexpr double kRowM = 1540.0 / (2.0 * 40e6);
constexpr double kPitchM = 0.3e-3;

/// The whole aperture without weights, the nearest sample, a row per sample, a column per channel.
double reconstructionUs(std::int64_t channels, std::int64_t samples, const char* delays,
                        const char* device) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = 1540.0;
    acquisition->probe.pitchM = kPitchM;
    const double left = -0.5 * kPitchM * static_cast<double>(channels - 1);
    for (std::int64_t n = 0; n < channels; ++n)
        acquisition->probe.elements.push_back({left + kPitchM * static_cast<double>(n), 0.0, 0.0});
    acquisition->transmits.resize(1);
    FrameSpec input;
    input.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""},
                  {AxisName::Channel, channels, 1.0, 0.0, ""},
                  {AxisName::Sample, samples, 1.0 / 40e6, 0.0, "s"}};
    input.centreFrequencyHz = 2.5e6;
    input.acquisition = acquisition;
    PipelineConfig config;
    config.stages.push_back({"beamform",
                             "beamform",
                             false,
                             {{"f_number", 0.0},
                              {"interpolation", std::string("nearest")},
                              {"delays", std::string(delays)},
                              {"grid", std::string("image")},
                              {"lateral_min", left},
                              {"lateral_max", -left},
                              {"pixel_lateral", kPitchM},
                              {"depth_min", 0.0},
                              {"depth_max", kRowM * static_cast<double>(samples - 1)},
                              {"pixel_depth", kRowM}}});
    const PipelinePrediction all =
        predictPipeline(instantiate(config, input), deviceBy(device), {.fusing = Fusing::Never});
    return 1e6 * all.steps.at(0).time().middle();
}

// Published for his own kernel: 93 us. That of Echolux does more for each term.
TEST(VanBavel, HisReconstructionTakesOnHisCardAboutWhatHeMeasured) {
    EXPECT_NEAR(reconstructionUs(64, 416, "kernel", "gtx_660_ti"), 93.0, 0.5 * 93.0);
}

// Measured on an H100 by `echolux bench documents s3`: 47.7 and 896 us with travel times from a
// table, 262 us with square roots.
TEST(VanBavel, KernelsThatTakeTermByTermWaitForEachTerm) {
    EXPECT_NEAR(reconstructionUs(64, 416, "table", "h100"), 47.7, 0.2 * 47.7);
    EXPECT_NEAR(reconstructionUs(128, 6649, "table", "h100"), 896.0, 0.2 * 896.0);
    EXPECT_NEAR(reconstructionUs(128, 6649, "kernel", "h100"), 262.0, 0.2 * 262.0);
}

} // namespace
} // namespace echolux
