// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/frames/layout_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace echolux {
namespace {

bool finite(std::initializer_list<double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

std::optional<std::string> contradictionIn(const Axis& axis) {
    if (axis.size < 1)
        return fmt::format("its {} axis has {} entries", echolux::nameOf(axis.name), axis.size);
    if (!finite({axis.spacing, axis.origin}) || axis.spacing == 0.0)
        return fmt::format("its {} axis has the spacing {} and the origin {}",
                           echolux::nameOf(axis.name), axis.spacing, axis.origin);
    return std::nullopt;
}

} // namespace

std::optional<std::string> contradictionInLayout(const FrameSpec& frame) {
    constexpr std::size_t kMaxAxes = 8;
    constexpr std::int64_t kMaxSamples = std::int64_t{1} << 40;
    if (frame.axes.empty() || frame.axes.size() > kMaxAxes)
        return fmt::format("its frames have {} axes", frame.axes.size());
    std::int64_t samples = 1;
    for (const Axis& axis : frame.axes) {
        if (auto wrong = contradictionIn(axis)) return wrong;
        if (axis.size > kMaxSamples / samples) return "one frame has more than 2^40 samples";
        samples *= axis.size;
    }
    if (!finite({frame.codeOffset, frame.codeScale, frame.centreFrequencyHz,
                 frame.demodulationFrequencyHz}) ||
        frame.codeScale == 0.0)
        return fmt::format("its code scale {}, code offset {} or a frequency makes no sense",
                           frame.codeScale, frame.codeOffset);
    if (const auto& range = frame.converterRange;
        range && (!finite({range->lowest, range->highest}) || range->lowest >= range->highest))
        return fmt::format("its converter ranges from {} to {}", range->lowest, range->highest);
    return std::nullopt;
}

} // namespace echolux
