// SPDX-License-Identifier: GPL-3.0-or-later
// Ultrasound front ends of random settings, and codes for them.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "tests/support/chooser.hpp"
#include "tests/support/test_frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace echolux::testing_support {

/// A pipeline of such stages with their defaults.
inline PipelineConfig frontEndOf(std::initializer_list<const char*> types) {
    PipelineConfig config;
    config.name = "front end";
    for (const char* type : types) {
        StageConfig& stage = config.stages.emplace_back();
        stage.id = stage.type = type;
    }
    return config;
}

/// Ends where `beamform` would begin.
inline SnapshotPtr randomFrontEnd(Chooser& choose) {
    const double samplingHz = choose.one({20e6, 20.832e6, 31.25e6});
    const std::int64_t samples =
        choose.one<std::int64_t>({1, 2, 7, 96, 255, 256, 257, 900, 1025, 1666, 1667, 2048, 3001});
    FrameSpec spec = test::channelSpec(choose.integer(1, 3), choose.integer(1, 5), samples,
                                       samplingHz, choose.real(2e6, 7e6));
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (Transmit& transmit : acquisition->transmits)
        transmit.firstSampleS = choose.real(-1e-6, 3e-6);
    spec.acquisition = acquisition;
    spec.dtype = choose.one({DType::U8, DType::I16, DType::U16, DType::F32});
    if (spec.dtype == DType::U8) spec.codeOffset = 128.0;
    if (choose.chance(0.3)) spec.codeScale = 0.25;
    PipelineConfig config = frontEndOf({"to_float"});
    const auto add = [&](const char* type) {
        config.stages.push_back(frontEndOf({type}).stages.front());
        return &config.stages.back().values;
    };
    if (choose.chance(0.3)) config.stages[0].values = {{"scale", choose.real(0.1, 3.0)}};
    if (choose.chance(0.8)) add("dc_removal");
    if (choose.chance(0.7)) {
        auto* values = add("bandpass");
        if (choose.chance(0.7)) values->push_back({"taps", 2 * choose.integer(1, 127) + 1});
        if (choose.chance(0.2)) {
            values->push_back({"design", "coefficients"});
            values->push_back({"coefficient_form",
                               choose.one<std::string>({"half_even", "half_odd", "all_taps"})});
        }
    }
    if (choose.chance(0.25)) config.recording.ensemble = choose.integer(2, 4);
    const std::int64_t tail = choose.integer(0, 4);
    if (tail < 2) {
        auto* values = add("analytic");
        if (choose.chance(0.7)) values->push_back({"taps", 2 * choose.integer(1, 127) + 1});
    } else if (tail < 4) {
        auto* values = add("iq_demod");
        if (choose.chance(0.7)) values->push_back({"taps", 2 * choose.integer(1, 127) + 1});
        if (choose.chance(0.7)) values->push_back({"decimation", choose.integer(1, 5)});
    }
    return instantiate(config, spec);
}

/// Echoes that differ from line to line, on a level of their own, and a few codes at the ends.
inline std::vector<std::byte> echoCodes(const FrameSpec& spec, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0.0, 0.1);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    std::vector<std::byte> bytes(spec.bytes());
    const std::int64_t samples = spec.axes.back().size;
    double level = 0.0;
    double echoAt = 0.0;
    const auto put = [&]<class Code>(std::int64_t i, double value) {
        const auto code = static_cast<Code>(value);
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof code, &code, sizeof code);
    };
    for (std::int64_t i = 0; i < spec.count(); ++i) {
        if (i % samples == 0) {
            level = 0.2 * any(random) - 0.1;
            echoAt = any(random) * static_cast<double>(samples);
        }
        const double from = (static_cast<double>(i % samples) - echoAt) / 12.0;
        double value = level + noise(random) +
                       0.5 * std::exp(-from * from) * std::cos(2.0 * std::numbers::pi * 3.0 * from);
        value = any(random) < 0.01 ? (any(random) < 0.5 ? -1.0 : 1.0) : value;
        value = std::clamp(value, -1.0, 1.0);
        switch (spec.dtype) {
        case DType::U8:
            put.template operator()<std::uint8_t>(i, std::round(127.0 * value + 128.0));
            break;
        case DType::I16:
            put.template operator()<std::int16_t>(i, std::round(32767.0 * value));
            break;
        case DType::U16:
            put.template operator()<std::uint16_t>(i, std::round(32767.0 * (value + 1.0)));
            break;
        default: put.template operator()<float>(i, value);
        }
    }
    return bytes;
}

/// Two outputs of a front end, apart by at most 1e-5 of the greatest value that there is, in it or
/// in the codes, whose mean goes only on the way.
inline void expectSameLines(const Snapshot& snapshot, const std::vector<float>& fused,
                            const std::vector<float>& separate) {
    ASSERT_EQ(fused.size(), separate.size());
    const double codes = snapshot.input.dtype == DType::F32  ? 1.0
                         : snapshot.input.dtype == DType::U8 ? 128.0
                                                             : 65535.0;
    const double scale =
        std::get<double>(snapshot.stages.front().params.get("scale")) * snapshot.input.codeScale;
    double greatest = 0.1 * codes * scale;
    double worst = 0.0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < fused.size(); ++i) {
        greatest = std::max(greatest, std::abs(double(separate[i])));
        const double apart = std::abs(double(fused[i]) - double(separate[i]));
        if (apart <= worst) continue;
        worst = apart;
        at = i;
        ASSERT_FALSE(std::isnan(fused[i])) << i;
    }
    EXPECT_LE(worst, 1e-5 * greatest) << "at " << at;
}

} // namespace echolux::testing_support
