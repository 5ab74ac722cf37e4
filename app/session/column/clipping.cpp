// SPDX-License-Identifier: GPL-3.0-or-later
// Clip levels, known or inferred, and the samples that reach them.
#include "app/session/column/clipping.hpp"

#include "app/dataset/recording/converter_range.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace echolux {
namespace {

/// Samples of a frame that are examined: about a millisecond's work.
constexpr std::int64_t kMostSamplesSeen = std::int64_t{1} << 20;

float centred(double code, const FrameSpec& spec) {
    return static_cast<float>(code - spec.codeOffset);
}

/// NaN is ignored. lowest > highest where there are no other values.
template <class T>
ConverterRange extremesOf(const FrameSpec& raw, const std::byte* frame, std::int64_t line) {
    const auto* codes = reinterpret_cast<const T*>(frame);
    T lowest = std::numeric_limits<T>::max();
    T highest = std::numeric_limits<T>::lowest();
    const auto look = [&](const T* first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            lowest = first[i] < lowest ? first[i] : lowest;
            highest = first[i] > highest ? first[i] : highest;
        }
    };
    const std::int64_t samples = raw.sizeOf(AxisName::Sample);
    const std::int64_t lines = raw.count() / samples;
    const std::int64_t most = std::max<std::int64_t>(kMostSamplesSeen / samples, 1);
    const std::int64_t step = (lines + most - 1) / most;
    for (std::int64_t at = 0; at < lines; at += step) look(codes + at * samples, samples);
    if (line % step != 0) look(codes + line * samples, samples);
    return {static_cast<double>(lowest), static_cast<double>(highest)};
}

std::optional<ConverterRange> extremesOf(const FrameSpec& raw, const std::byte* frame,
                                         std::int64_t line) {
    switch (raw.dtype) {
    case DType::U8: return extremesOf<std::uint8_t>(raw, frame, line);
    case DType::I16: return extremesOf<std::int16_t>(raw, frame, line);
    case DType::U16: return extremesOf<std::uint16_t>(raw, frame, line);
    case DType::F32: return extremesOf<float>(raw, frame, line);
    case DType::Packed12:
    case DType::ComplexI16:
    case DType::ComplexF32: break;
    }
    return std::nullopt;
}

/// The shortest run at the extreme `code` that no unclipped wave has.
std::int64_t tellingRun(const FrameSpec& raw, double code) {
    constexpr std::int64_t kLeast = 3;
    const bool quantised = code == std::round(code); // floating-point samples may have any value
    if (!quantised || !(raw.centreFrequencyHz > 0.0)) return kLeast;
    const double samplesPerPeriod = raw.samplingFrequencyHz() / raw.centreFrequencyHz;
    const double amplitude = std::max(std::abs(code - raw.codeOffset), 1.0);
    const double flatTop = samplesPerPeriod / std::numbers::pi * std::sqrt(2.0 / amplitude) + 1.0;
    return std::max(kLeast, static_cast<std::int64_t>(flatTop) + 1);
}

} // namespace

ClipLevels clipLevels(const FrameSpec& raw, const std::byte* frame, std::int64_t line) {
    ClipLevels levels;
    if (const auto range = raw.converterRange ? raw.converterRange : fullRangeOf(raw.dtype)) {
        levels.lowest.value = centred(range->lowest, raw);
        levels.highest.value = centred(range->highest, raw);
    }
    if (raw.converterRange) return levels;
    const auto seen = extremesOf(raw, frame, line);
    if (!seen || !(seen->lowest < seen->highest)) return levels;
    const float lowest = centred(seen->lowest, raw);
    const float highest = centred(seen->highest, raw);
    if (lowest > levels.lowest.value && lowest < 0.0F)
        levels.lowest = {lowest, tellingRun(raw, seen->lowest)};
    if (highest < levels.highest.value && highest > 0.0F)
        levels.highest = {highest, tellingRun(raw, seen->highest)};
    return levels;
}

std::vector<std::size_t> clippedSamples(std::span<const Complex> line, bool complex,
                                        const ClipLevels& levels) {
    enum class Side { Within, Low, High };
    std::vector<bool> clipped(line.size(), false);
    const auto mark = [&](float Complex::*part) {
        const auto sideOf = [&](std::size_t n) {
            const float value = line[n].*part;
            if (value <= levels.lowest.value) return Side::Low;
            return value >= levels.highest.value ? Side::High : Side::Within;
        };
        for (std::size_t start = 0, end = 0; start < line.size(); start = end) {
            const Side side = sideOf(start);
            for (end = start + 1; end < line.size() && sideOf(end) == side;) ++end;
            if (side == Side::Within) continue;
            const std::int64_t run = (side == Side::Low ? levels.lowest : levels.highest).run;
            if (static_cast<std::int64_t>(end - start) < run) continue;
            for (std::size_t n = start; n < end; ++n) clipped[n] = true;
        }
    };
    mark(&Complex::re);
    if (complex) mark(&Complex::im);
    std::vector<std::size_t> indices;
    for (std::size_t n = 0; n < clipped.size(); ++n) {
        if (clipped[n]) indices.push_back(n);
    }
    return indices;
}

} // namespace echolux
