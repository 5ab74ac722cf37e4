// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/delay_curve.hpp"

#include <algorithm>

namespace echolux::lab {
namespace {

BeamGeometry withAllTransmits(const BeamGeometry& geometry) {
    BeamformParams params = geometry.params();
    params.transmits = {};
    return {geometry.input(), params};
}

DelayCurve curveOf(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit) {
    const das::Constants k = geometry.model().onHost();
    const das::Place place = geometry.placeOf(pixel);
    const auto& all = geometry.model().transmits;
    const auto at = std::ranges::find(all, transmit, &das::TransmitConstants::line);
    const auto number = static_cast<int>(at - all.begin());
    DelayCurve curve{transmit, das::reaches(k, number, place), {}, 0};
    if (place.transmit >= 0 && !curve.images) return curve;
    const double fs = geometry.input().samplingFrequencyHz();
    const double first =
        geometry.acquisition().transmits[static_cast<std::size_t>(transmit)].firstSampleS;
    const float sent = das::transmitIndex(*at, k.indexPerMetre, place);
    const std::vector<float> weights = geometry.receiveWeights(pixel, transmit);
    for (int e = 0; e < k.elements; ++e) {
        const std::int64_t record = das::recordOf(k, at->line, e);
        if (record < 0) continue;
        const float index = sent + das::receiveIndex(k, e, place);
        const bool inside = index >= 0.0F && index <= static_cast<float>(k.samples - 1);
        curve.samples.push_back({record - transmit * k.channels, e,
                                 first + static_cast<double>(index) / fs,
                                 inside ? weights[static_cast<std::size_t>(e)] : 0.0F});
    }
    std::ranges::sort(curve.samples, {}, &PickedSample::channel);
    curve.counted = static_cast<std::size_t>(std::ranges::count_if(
        curve.samples, [](const PickedSample& sample) { return sample.weight > 0.0F; }));
    return curve;
}

} // namespace

DelayCurve delayCurve(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit) {
    const std::vector<std::int64_t> active = geometry.active();
    if (std::ranges::find(active, transmit) != active.end())
        return curveOf(geometry, pixel, transmit);
    DelayCurve curve = curveOf(withAllTransmits(geometry), pixel, transmit);
    curve.images = false;
    return curve;
}

} // namespace echolux::lab
