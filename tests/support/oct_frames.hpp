// SPDX-License-Identifier: GPL-3.0-or-later
// OCT frames for tests. Raw spectra for the chain: reflectors that differ from line to line, an
// envelope, noise. Processed B-scans for whatever collects or draws them: a made-up sample of
// curved layers with speckle, a vessel across them, and a bright bead, in dB.
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

namespace echolux::testing_support {

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

/// The lowest and the highest code of a type of integers.
struct CodeRange {
    double lowest;
    double highest;
};
inline CodeRange codeRange(DType type) {
    switch (type) {
    case DType::U8: return {0.0, 255.0};
    case DType::Packed12: return {0.0, 4095.0};
    case DType::I16: return {-32768.0, 32767.0};
    default: return {0.0, 65535.0};
    }
}

/// Codes all over the range of the type, a few at its ends.
inline std::vector<std::byte> spectraCodes(const FrameSpec& spec, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> depth(0.02, 0.4);
    std::normal_distribution<double> noise(0.0, 0.012);
    std::uniform_real_distribution<double> rare(0.0, 1.0);
    const CodeRange range = codeRange(spec.dtype);
    const std::int64_t samples = spec.axes.back().size;
    std::vector<std::byte> bytes(spec.bytes());
    const auto put = [&](std::int64_t i, int code) {
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
        double level =
            0.24 + std::exp(-6.0 * (u - 0.5) * (u - 0.5)) * (0.28 + 0.2 * fringe) + noise(random);
        const double chance = rare(random);
        if (chance < 0.02) level = chance < 0.01 ? 0.0 : 1.0;
        const double code =
            range.lowest + std::clamp(level, 0.0, 1.0) * (range.highest - range.lowest);
        put(i, static_cast<int>(std::lround(code)));
    }
    return bytes;
}

struct LayeredOct {
    std::int64_t bscans = 64;
    std::int64_t lines = 128;
    std::int64_t bins = 160;
    double lineM = 20e-6;
    double binM = 8e-6;
    double firstM = 0.0; ///< depth of bin 0

    /// [lateral][depth], meant for 30 .. 100 dB.
    FrameSpec bscanSpec() const {
        FrameSpec spec;
        spec.axes = {
            {AxisName::Lateral, lines, lineM, -0.5 * static_cast<double>(lines - 1) * lineM, "m"},
            {AxisName::Depth, bins, binM, firstM, "m"}};
        spec.valueRange = ValueRange{30.0, 100.0, "dB", "one code of the converter"};
        return spec;
    }
    /// [elevation][lateral][depth] of `count` B-scans in one frame.
    FrameSpec bufferSpec(std::int64_t count) const {
        FrameSpec spec = bscanSpec();
        spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, count, lineM, 0.0, "m"});
        return spec;
    }

    std::vector<float> bscan(std::int64_t index) const {
        std::mt19937 random(static_cast<unsigned>(index) + 1U);
        std::exponential_distribution<double> speckle(1.0);
        std::vector<float> pixels(static_cast<std::size_t>(lines * bins));
        const double y = unit(index, bscans);
        for (std::int64_t line = 0; line < lines; ++line) {
            const double x = unit(line, lines);
            for (std::int64_t bin = 0; bin < bins; ++bin) {
                const double z = (static_cast<double>(bin) + 0.5) / static_cast<double>(bins);
                const double power = (3e-6 + scattering(x, y, z)) * speckle(random);
                pixels[static_cast<std::size_t>(line * bins + bin)] =
                    static_cast<float>(90.0 + 10.0 * std::log10(power));
            }
        }
        return pixels;
    }

private:
    static double unit(std::int64_t i, std::int64_t n) {
        return 2.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 1.0;
    }
    static double bump(double distance, double width) {
        return std::exp(-0.5 * distance * distance / (width * width));
    }
    /// x, y in -1 .. 1, z in 0 .. 1: mean backscattered power.
    static double scattering(double x, double y, double z) {
        const double surface = 0.22 + 0.10 * (x * x + y * y);
        const double below = z - surface;
        if (below < -0.02) return 0.0;
        double power = 2.0 * bump(below, 0.006);
        if (below > 0.0) power += 0.08 * std::exp(-4.0 * below);
        power += 0.5 * bump(below - 0.18 - 0.03 * std::sin(3.0 * x), 0.010);
        power += 0.9 * bump(below - 0.36 - 0.03 * std::cos(2.5 * y), 0.008);
        const double vessel = std::hypot(0.5 * (x - 0.5 * std::sin(2.0 * y)), below - 0.11);
        if (vessel < 0.06) power *= 0.02;
        power += 20.0 * bump(std::hypot(x + 0.5, y + 0.3, 2.0 * (z - 0.75)), 0.05);
        return power;
    }
};

} // namespace echolux::testing_support
