// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_shown.hpp"

#include "gpu/beamform/beamform_params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace echolux::das {
namespace {

constexpr double kMetalFromMps = 2500.0;
constexpr std::pair kTissueMps{1350.0, 1750.0};
constexpr std::pair kMetalMps{2700.0, 6600.0};
constexpr double kLeastSteering = 0.26; ///< rad, 15 degrees
constexpr double kWideSteering = 0.785; ///< rad, 45 degrees; for waves other than plane ones
constexpr double kMmPerM = 1e3;

/// The largest steering angle of plane waves, and kWideSteering for other waves; at least
/// kLeastSteering.
double steeringOf(const Acquisition& acquisition) {
    double steering = kLeastSteering;
    for (const Transmit& transmit : acquisition.transmits) {
        steering = std::max(steering, transmit.wave == Wave::Plane ? std::abs(transmit.angleRad)
                                                                   : kWideSteering);
    }
    return std::min(steering, kWideSteering);
}

} // namespace

double roundedOut(double metres) {
    constexpr double kRoundM = 1e-3;
    return std::copysign(std::ceil(std::abs(metres) / kRoundM) * kRoundM, metres);
}

std::vector<StageCurve> apodizationCurve(const ShownStage& stage) {
    const auto& params = stage.params.as<BeamformParams>();
    const Probe& probe = stage.input.acquisition->probe;
    const double lateralM = 0.5 * (params.lateralMinM + params.lateralMaxM);
    const double depthM = 0.5 * (params.depthMinM + params.depthMaxM);
    const std::vector<float> weights = apodizationWeights(probe, params, lateralM, depthM);
    StageCurve curve{.underKey = "window", .y = {weights.begin(), weights.end()}};
    for (std::size_t e = 0; e < weights.size(); ++e)
        curve.x.push_back(probe.elements[e].x * kMmPerM);
    curve.neutralX = curve.x;
    curve.neutralY.assign(weights.size(), 1.0);
    curve.xLabel = fmt::format("element (mm), for {:.0f} mm depth", std::round(depthM * kMmPerM));
    curve.yLabel = "weight";
    const auto [left, right] = std::ranges::minmax(curve.x);
    curve.xMin = left;
    curve.xMax = right;
    curve.yMax = 1.1;
    return {curve};
}

std::vector<SliderSpan> imageSpans(const ShownStage& stage) {
    if (!stage.input.acquisition) return {};
    const auto& whole = stage.defaults.as<BeamformParams>();
    const double beside = whole.depthMaxM * std::tan(steeringOf(*stage.input.acquisition));
    const double left = roundedOut(whole.lateralMinM - beside);
    const double right = roundedOut(whole.lateralMaxM + beside);
    const double deepest = roundedOut(whole.depthMaxM);
    // The range includes the recorded speed, however far it is from those of tissue and metal.
    const double c = whole.soundSpeedMps;
    const auto [slow, fast] = c < kMetalFromMps ? kTissueMps : kMetalMps;
    constexpr double kRoom = 0.1;
    return {
        {"lateral_min", left, right},
        {"lateral_max", left, right},
        {"depth_min", 0.0, deepest},
        {"depth_max", 0.0, deepest},
        {"speed_of_sound", std::min(slow, (1.0 - kRoom) * c), std::max(fast, (1.0 + kRoom) * c)}};
}

} // namespace echolux::das
