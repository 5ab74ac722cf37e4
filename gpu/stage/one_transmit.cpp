// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stage/one_transmit.hpp"

#include "gpu/core/mask.hpp"
#include "gpu/stage/one_of_first.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace echolux {
namespace {

bool isChannelData(const FrameSpec& spec) {
    constexpr std::array kAxes{AxisName::Transmit, AxisName::Channel, AxisName::Sample};
    return std::ranges::equal(spec.axes, kAxes, {}, &Axis::name);
}

} // namespace

ParamRow transmitRow() {
    return {.key = "transmit",
            .label = "Transmit",
            .min = 1,
            .max = 1024,
            .step = 1,
            .kind = ParamKind::Structural,
            .help = "Number of the transmit that is shown, counted from 1. Without effect on "
                    "summed images.",
            .along = AxisName::Transmit};
}

std::int64_t usualTransmit(const FrameSpec& input) {
    const Axis* axis = input.find(AxisName::Transmit);
    if (axis == nullptr) return 1;
    const std::int64_t middle = middleOf(axis->size);
    if (input.acquisition == nullptr) return middle + 1;
    const std::vector<Transmit>& transmits = input.acquisition->transmits;
    const bool planes = std::ranges::all_of(
        transmits, [](const Transmit& transmit) { return transmit.wave == Wave::Plane; });
    if (!planes || std::ssize(transmits) != axis->size) return middle + 1;
    const auto steering = [&](std::int64_t i) {
        const Transmit& transmit = transmits[static_cast<std::size_t>(i)];
        return std::hypot(transmit.angleRad, transmit.elevationRad);
    };
    constexpr double kSameAngle = 1e-9; // rad
    std::int64_t least = middle;
    for (std::int64_t i = 0; i < axis->size; ++i)
        if (steering(i) < steering(least) - kSameAngle) least = i;
    return least + 1;
}

FrameSpec transmitOf(const char* stage, const FrameSpec& input, std::int64_t transmit) {
    checkOneOfFirst(stage, "transmit", transmit, "a frame of the recording",
                    input.axes.front().size);
    FrameSpec shown = input;
    shown.axes.erase(shown.axes.begin());
    shown.acquisition.reset();
    const auto index = static_cast<std::size_t>(transmit - 1);
    Axis& last = shown.axes.back();
    if (last.name == AxisName::Sample && input.acquisition != nullptr &&
        index < input.acquisition->transmits.size())
        last.origin = input.acquisition->transmits[index].firstSampleS;
    return shown;
}

FrameSpec shownOf(const char* stage, const FrameSpec& input, std::int64_t transmit) {
    return isChannelData(input) ? transmitOf(stage, input, transmit) : input;
}

std::int64_t shownFrom(const FrameSpec& input, std::int64_t transmit) {
    if (!isChannelData(input)) return 0;
    return (transmit - 1) * input.axes[1].size * input.axes[2].size;
}

} // namespace echolux
