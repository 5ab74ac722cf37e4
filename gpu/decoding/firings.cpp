// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/decoding/firings.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux::decoding {
namespace {

/// Of each element.
std::vector<double> weightsOf(const Acquisition& acquisition, const Transmit& transmit) {
    const std::size_t elements = acquisition.probe.elements.size();
    if (transmit.wave == Wave::None) return std::vector<double>(elements);
    if (!transmit.apodization.empty())
        return {transmit.apodization.begin(), transmit.apodization.end()};
    if (transmit.wave != Wave::Element) return std::vector<double>(elements, 1.0);
    std::vector<double> weights(elements);
    weights[static_cast<std::size_t>(firedAlone(acquisition, transmit))] = 1.0;
    return weights;
}

bool isPerChannel(std::size_t count, const FrameSpec& input) {
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Transmit) *
                                                   input.sizeOf(AxisName::Channel));
    return count == 0 || count == channels;
}

bool fitsAxes(const FrameSpec& input) {
    const Acquisition& acquisition = *input.acquisition;
    const auto fitsElements = [&](const Transmit& transmit) {
        return transmit.apodization.empty() ||
               transmit.apodization.size() == acquisition.probe.elements.size();
    };
    return std::ssize(acquisition.transmits) == input.sizeOf(AxisName::Transmit) &&
           isPerChannel(acquisition.receiveElements.size(), input) &&
           isPerChannel(acquisition.receiveWeights.size(), input) &&
           std::ranges::all_of(acquisition.transmits, fitsElements);
}

} // namespace

Firings firingsOf(const Acquisition& acquisition) {
    Firings firings;
    firings.transmits = acquisition.transmits.size();
    std::vector<std::vector<double>> weights;
    for (const Transmit& transmit : acquisition.transmits)
        weights.push_back(weightsOf(acquisition, transmit));
    for (std::size_t e = 0; e < acquisition.probe.elements.size(); ++e)
        if (std::ranges::any_of(weights, [e](const auto& own) { return own[e] != 0.0; }))
            firings.elements.push_back(static_cast<std::int32_t>(e));
    const double speed = transmitSpeedOf(acquisition);
    for (std::size_t t = 0; t < firings.transmits; ++t) {
        for (const std::int32_t element : firings.elements) {
            const auto e = static_cast<std::size_t>(element);
            firings.weight.push_back(weights[t][e]);
            firings.timeS.push_back(idealDelay(acquisition.transmits[t],
                                               acquisition.probe.elements[e], speed,
                                               acquisition.steering));
        }
    }
    return firings;
}

void checkSent(std::string_view stage, const FrameSpec& input) {
    if (!input.acquisition || input.acquisition->probe.elements.empty() ||
        input.acquisition->transmits.empty()) {
        throw Error(fmt::format("Stage '{}' takes channel data that knows its array, but this "
                                "recording tells none.",
                                stage));
    }
    if (!fitsAxes(input)) {
        throw Error(fmt::format("Stage '{}': the description of {} transmits of {} elements does "
                                "not fit the frame, {}; correct it.",
                                stage, input.acquisition->transmits.size(),
                                input.acquisition->probe.elements.size(), input.describe()));
    }
    if (isOneWay(*input.acquisition)) {
        throw Error(fmt::format("Stage '{}' tells apart what elements sent, but in this recording "
                                "nothing is sent.",
                                stage));
    }
}

Acquisition firedOneByOne(const Acquisition& from, const std::vector<std::int32_t>& senders,
                          const std::vector<Begin>& begins,
                          const std::vector<std::int32_t>& heard) {
    Acquisition made = from;
    made.transmits.clear();
    made.receiveWeights.clear();
    made.receiveElements.clear();
    for (std::size_t i = 0; i < senders.size(); ++i) {
        Transmit fired;
        fired.wave = Wave::Element;
        fired.source = from.probe.elements[static_cast<std::size_t>(senders[i])];
        fired.origin = fired.source;
        fired.firstSampleS = begins[i].firstSampleS;
        fired.iqPhaseZeroS = begins[i].iqPhaseZeroS;
        made.transmits.push_back(fired);
        made.receiveElements.insert(made.receiveElements.end(), heard.begin(), heard.end());
    }
    return made;
}

} // namespace echolux::decoding
