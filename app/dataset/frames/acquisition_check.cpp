// SPDX-License-Identifier: GPL-3.0-or-later
// Checks sizes, ranges and finite values in the description of echoes.
#include "app/dataset/frames/acquisition_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

using Contradiction = std::optional<std::string>;

bool allFinite(std::initializer_list<double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool hasFinitePlace(const Point& p) { return allFinite({p.x, p.y, p.z}); }

Contradiction contradictionInLengths(const Probe& probe) {
    const std::initializer_list<std::pair<std::string_view, double>> facts{
        {"pitch", probe.pitchM},
        {"element width", probe.elementWidthM},
        {"element height", probe.elementHeightM},
        {"elevation focus", probe.elevationFocusM},
        {"centre frequency", probe.centreFrequencyHz},
        {"fractional bandwidth", probe.fractionalBandwidth}};
    for (const auto& [name, value] : facts)
        if (!std::isfinite(value) || value < 0.0)
            return fmt::format("its probe has the {} {:g}, which is negative or no number", name,
                               value);
    return std::nullopt;
}

Contradiction contradictionInFaces(const Probe& probe) {
    constexpr double kUnit = 1e-3;
    const std::size_t count = probe.elements.size();
    if (!probe.normals.empty() && probe.normals.size() != count)
        return fmt::format("its probe has {} normals for {} elements", probe.normals.size(), count);
    if (!probe.longAxes.empty() && probe.longAxes.size() != count)
        return fmt::format("its probe has {} long axes for {} elements", probe.longAxes.size(),
                           count);
    for (std::size_t i = 0; i < probe.normals.size(); ++i) {
        const Point& n = probe.normals[i];
        const double length = std::hypot(n.x, n.y, n.z);
        if (!(std::abs(length - 1.0) <= kUnit))
            return fmt::format("the normal of its element {} has the length {:g} instead of 1", i,
                               length);
    }
    return std::nullopt;
}

Contradiction contradictionInTransmit(const Transmit& transmit, std::size_t number,
                                      std::size_t elements) {
    if (!allFinite({transmit.angleRad, transmit.elevationRad, transmit.firstSampleS,
                    transmit.iqPhaseZeroS}) ||
        !hasFinitePlace(transmit.source) || !hasFinitePlace(transmit.origin))
        return "its geometry or timing holds values that are not finite";
    const auto& weights = transmit.apodization;
    if (weights.empty()) return std::nullopt;
    if (weights.size() != elements)
        return fmt::format("its transmit {} has {} weights for {} elements", number, weights.size(),
                           elements);
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        return fmt::format("the weights of its transmit {} hold values that are not finite",
                           number);
    if (std::ranges::all_of(weights, [](float w) { return w == 0.0F; }))
        return fmt::format("no element fires in its transmit {}", number);
    return std::nullopt;
}

Contradiction contradictionInReception(const Acquisition& acquisition, std::size_t transmits,
                                       std::size_t channels) {
    const std::size_t elements = acquisition.probe.elements.size();
    const auto& heard = acquisition.receiveElements;
    if (heard.empty() && elements != channels)
        return fmt::format("its probe has {} elements for {} channels", elements, channels);
    if (!heard.empty() && heard.size() != channels * transmits)
        return fmt::format("it names {} receiving elements for {} transmits of {} channels",
                           heard.size(), transmits, channels);
    for (std::size_t i = 0; i < heard.size(); ++i)
        if (heard[i] < 0 || static_cast<std::size_t>(heard[i]) >= elements)
            return fmt::format("its channel {} listens in transmit {} to element {}, but the file "
                               "counts elements from 0 to {}",
                               i % channels + 1, i / channels + 1, heard[i], elements - 1);
    const auto& weights = acquisition.receiveWeights;
    if (!weights.empty() && weights.size() != channels * transmits)
        return fmt::format("it has {} receive weights for {} transmits of {} channels",
                           weights.size(), transmits, channels);
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }))
        return "its receive weights hold values that are not finite";
    return std::nullopt;
}

Contradiction contradictionInRangeWeights(const RangeWeights& weights, std::size_t channels) {
    if (weights.values.empty()) return std::nullopt;
    if (weights.values.size() % channels != 0)
        return fmt::format("it has {} receive weights over range, which are not as many for each "
                           "of {} channels",
                           weights.values.size(), channels);
    const std::size_t steps = weights.values.size() / channels;
    if (steps > RangeWeights::kMostSteps)
        return fmt::format("it has receive weights at {} ranges, more than {}", steps,
                           RangeWeights::kMostSteps);
    if (!std::ranges::all_of(weights.values, [](float w) { return std::isfinite(w) && w >= 0.0F; }))
        return "its receive weights over range hold values that are negative or not finite";
    if (!allFinite({weights.firstM, weights.stepM}) || weights.stepM <= 0.0)
        return fmt::format("its receive weights over range begin at {:g} m in steps of {:g} m, "
                           "but steps are greater than 0",
                           weights.firstM, weights.stepM);
    return std::nullopt;
}

} // namespace

std::optional<std::string> contradictionInAcquisition(const FrameSpec& frame) {
    const Acquisition& acquisition = *frame.acquisition;
    const auto channels = static_cast<std::size_t>(frame.sizeOf(AxisName::Channel));
    const auto transmits = static_cast<std::size_t>(frame.sizeOf(AxisName::Transmit));
    const Probe& probe = acquisition.probe;
    if (probe.elements.empty()) return "its probe has no elements";
    if (acquisition.transmits.size() != transmits)
        return fmt::format("it describes {} transmits of {}", acquisition.transmits.size(),
                           transmits);
    if (auto wrong = contradictionInReception(acquisition, transmits, channels)) return wrong;
    if (auto wrong = contradictionInRangeWeights(acquisition.rangeWeights, channels)) return wrong;
    if (!allFinite({acquisition.soundSpeedMps}) || acquisition.soundSpeedMps <= 0.0)
        return fmt::format("its speed of sound is {} m/s", acquisition.soundSpeedMps);
    if (!std::ranges::all_of(probe.elements, hasFinitePlace))
        return "its geometry or timing holds values that are not finite";
    if (auto wrong = contradictionInLengths(probe)) return wrong;
    if (auto wrong = contradictionInFaces(probe)) return wrong;
    for (std::size_t i = 0; i < transmits; ++i)
        if (auto wrong =
                contradictionInTransmit(acquisition.transmits[i], i + 1, probe.elements.size()))
            return wrong;
    return std::nullopt;
}

} // namespace echolux
