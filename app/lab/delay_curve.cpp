// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/delay_curve.hpp"

#include "gpu/beamform/beamform_grid.hpp"

#include <algorithm>
#include <utility>

namespace echolux::lab {
namespace {

bool isActive(const BeamGeometry& geometry, std::int64_t transmit) {
    const std::vector<std::int64_t> active = geometry.active();
    return std::ranges::find(active, transmit) != active.end();
}

DelayCurve curveOf(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit) {
    const das::Constants k = geometry.model().onHost();
    const das::Place place = geometry.placeOf(pixel);
    const auto& all = geometry.model().transmits;
    const auto at = std::ranges::find(all, transmit, &das::TransmitConstants::line);
    const auto number = static_cast<int>(at - all.begin());
    DelayCurve curve{.transmit = transmit, .images = das::reaches(k, number, place)};
    if (place.transmit >= 0 && !curve.images) return curve;
    const double fs = geometry.input().samplingFrequencyHz();
    const double first =
        geometry.acquisition().transmits[static_cast<std::size_t>(transmit)].firstSampleS;
    const float sent = das::transmitIndex(*at, k.indexPerMetre, place);
    curve.outS = first + static_cast<double>(sent) / fs;
    const std::vector<float> weights = geometry.receiveWeights(pixel, transmit);
    for (int e = 0; e < k.elements; ++e) {
        const std::int64_t record = das::recordOf(k, at->line, e);
        if (record < 0) continue;
        const float back = das::receiveIndex(k, e, place);
        const float index = sent + back;
        const bool inside = index >= 0.0F && index <= static_cast<float>(k.samples - 1);
        curve.samples.push_back(
            {record - transmit * k.channels, e, first + static_cast<double>(index) / fs,
             static_cast<double>(back) / fs, inside ? weights[static_cast<std::size_t>(e)] : 0.0F});
    }
    std::ranges::sort(curve.samples, {}, &PickedSample::channel);
    curve.counted = static_cast<std::size_t>(std::ranges::count_if(
        curve.samples, [](const PickedSample& sample) { return sample.weight > 0.0F; }));
    return curve;
}

} // namespace

BeamGeometry withAllTransmits(const BeamGeometry& geometry) {
    BeamformParams params = geometry.params();
    params.transmits = {};
    return {geometry.input(), params};
}

DelayCurve delayCurve(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit) {
    if (isActive(geometry, transmit)) return curveOf(geometry, pixel, transmit);
    DelayCurve curve = curveOf(withAllTransmits(geometry), pixel, transmit);
    curve.images = false;
    return curve;
}

DelayFamily delayFamily(const BeamGeometry& geometry, PlanePoint pixel, std::int64_t transmit,
                        int count) {
    if (!isActive(geometry, transmit))
        return delayFamily(withAllTransmits(geometry), pixel, transmit, count);
    constexpr int kBetween = 8; // depths per curve at which samples are counted
    const FrameSpec image = das::imageSpec(geometry.input(), geometry.params());
    const Axis& depth = *image.find(AxisName::Depth);
    const auto depthAt = [&](double share) {
        return depth.origin + share * depth.spacing * static_cast<double>(depth.size - 1);
    };
    const auto& elements = geometry.acquisition().probe.elements;
    const double middle = 0.5 * (elements.front().x + elements.back().x);
    const bool fans = das::fansOut(geometry.input(), geometry.params());
    const auto pointAt = [&](double z) -> PlanePoint {
        if (!fans || pixel.z <= 0.0) return {pixel.x, z};
        return {middle + (pixel.x - middle) * z / pixel.z, z};
    };
    DelayFamily family;
    std::size_t all = 0;
    std::size_t counted = 0;
    const int depths = count * kBetween;
    for (int i = 0; i < depths; ++i) {
        DelayCurve curve = curveOf(geometry, pointAt(depthAt((i + 0.5) / depths)), transmit);
        all += curve.samples.size();
        counted += curve.counted;
        if (i % kBetween == kBetween / 2) family.curves.push_back(std::move(curve));
    }
    if (all > 0) family.skipped = 1.0 - static_cast<double>(counted) / static_cast<double>(all);
    return family;
}

} // namespace echolux::lab
