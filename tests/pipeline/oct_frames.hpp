// SPDX-License-Identifier: GPL-3.0-or-later
// Raw spectra for tests of the OCT chain: reflectors that differ from line to line, an envelope,
// noise.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {

/// [lateral][sample] with a background, a resampling curve and a dispersion phase.
inline FrameSpec spectraSpec(DType type, std::int64_t lines, std::int64_t samples) {
    auto spectrometer = std::make_shared<Spectrometer>();
    for (std::int64_t n = 0; n < samples; ++n) {
        const double u = static_cast<double>(n) / static_cast<double>(samples - 1);
        spectrometer->background.push_back(static_cast<float>(60.0 + 20.0 * std::sin(3.0 * u)));
        spectrometer->resampling.push_back(static_cast<double>(samples - 1) *
                                           (u + 0.05 * u * (1.0 - u)));
        spectrometer->dispersionRad.push_back(12.0 * (u - 0.5) * (u - 0.5));
    }
    FrameSpec spec;
    spec.dtype = type;
    spec.axes = {{AxisName::Lateral, lines, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0, 0.0, ""}};
    spec.spectrometer = spectrometer;
    return spec;
}

/// Codes from 0 to 255, which fit every type.
inline std::vector<std::byte> spectraCodes(const FrameSpec& spec, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> depth(0.02, 0.4);
    std::normal_distribution<double> noise(0.0, 3.0);
    const std::int64_t samples = spec.axes.back().size;
    std::vector<std::byte> bytes(spec.bytes());
    const auto put = [&](std::int64_t i, unsigned code) {
        const auto at = static_cast<std::size_t>(i);
        switch (spec.dtype) {
        case DType::U8: bytes[at] = static_cast<std::byte>(code); break;
        case DType::Packed12: {
            std::byte* pair = bytes.data() + at / 2 * 3;
            if (i % 2 == 0) {
                pair[0] = static_cast<std::byte>(code & 0xFF);
                pair[1] |= static_cast<std::byte>(code >> 8);
            } else {
                pair[1] |= static_cast<std::byte>((code & 0x0F) << 4);
                pair[2] = static_cast<std::byte>(code >> 4);
            }
            break;
        }
        default:
            reinterpret_cast<std::uint16_t*>(bytes.data())[at] = static_cast<std::uint16_t>(code);
        }
    };
    double turnsPerSample = 0.1;
    for (std::int64_t i = 0; i < spec.count(); ++i) {
        if (i % samples == 0) turnsPerSample = depth(random);
        const double u = static_cast<double>(i % samples) / static_cast<double>(samples);
        const double fringe =
            std::cos(2.0 * std::numbers::pi * turnsPerSample * static_cast<double>(i % samples));
        const double code = 60.0 + std::exp(-6.0 * (u - 0.5) * (u - 0.5)) * (70.0 + 50.0 * fringe);
        put(i, static_cast<unsigned>(std::clamp(code + noise(random), 0.0, 255.0)));
    }
    return bytes;
}

} // namespace echolux::test
