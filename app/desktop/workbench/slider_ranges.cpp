// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of sliders for a recording: from the defaults that it gives its beamformer, or from the
// length of its lines.
#include "app/desktop/workbench/slider_ranges.hpp"

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stages/aberration.hpp"
#include "gpu/stages/m_mode.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace echolux {
namespace {

constexpr double kMetalFromMps = 2500.0;
constexpr std::pair kTissueMps{1350.0, 1750.0};
constexpr std::pair kMetalMps{2700.0, 6600.0};
constexpr double kLeastSteering = 0.26; ///< rad, 15 degrees
constexpr double kWideSteering = 0.785; ///< rad, 45 degrees; for waves other than plane ones
constexpr double kRoundM = 1e-3;

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

double roundedOut(double at) {
    return std::copysign(std::ceil(std::abs(at) / kRoundM) * kRoundM, at);
}

/// A region must lie in the imaged part. The default region fills it.
QHash<QString, std::pair<double, double>> regionRangesOf(const StageState& stage) {
    if (!stage.input().acquisition) return {};
    const auto& whole = stage.defaults.as<AberrationParams>();
    const double aside = roundedOut(std::abs(whole.lateralM) + 0.5 * whole.widthM);
    const double deepest = roundedOut(whole.depthM + 0.5 * whole.heightM);
    return {{"region_lateral", {-aside, aside}},
            {"region_depth", {1e-3, deepest}},
            {"region_width", {1e-4, 2.0 * aside}},
            {"region_height", {1e-4, deepest}}};
}

/// The coefficients move samples by up to half of a line.
QHash<QString, std::pair<double, double>> curveRangesOf(const StageState& stage) {
    const std::int64_t own = oct::linesOf(stage.input()).length;
    const std::int64_t given = stage.params.as<oct::KLinearizeParams>().lineLength;
    const double half = 0.5 * static_cast<double>(given > 0 ? given : own);
    const std::pair range{-half, half};
    const std::pair lengths{0.0, 4.0 * static_cast<double>(own)};
    return {{"c0", range}, {"c1", range}, {"c2", range}, {"c3", range}, {"line_length", lengths}};
}

/// A gate or a line lies in the image. In beam space the lines may reach as far aside as deep.
QHash<QString, std::pair<double, double>> gateRangesOf(const StageState& stage) {
    const FrameSpec& image = stage.input();
    const Axis* depth = image.find(AxisName::Depth);
    const Axis* lateral = image.find(AxisName::Lateral);
    if (depth == nullptr || lateral == nullptr) return {};
    const auto lastOf = [](const Axis& axis) {
        return axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
    };
    QHash<QString, std::pair<double, double>> ranges;
    const auto set = [&](const char* key, double first, double last) {
        if (stage.type->table.find(key) != nullptr && first < last) ranges[key] = {first, last};
    };
    if (depth->unit != "m") return {};
    set("depth", std::max(0.0, depth->origin), lastOf(*depth));
    if (image.sector != nullptr)
        set("lateral", -lastOf(*depth), lastOf(*depth));
    else if (lateral->unit == "m")
        set("lateral", lateral->origin, lastOf(*lateral));
    return ranges;
}

/// For stages that take one transmit, channel or frame: from 1 to their number.
QHash<QString, std::pair<double, double>> countsOf(const StageState& stage) {
    constexpr std::array kChoices{std::pair{"transmit", AxisName::Transmit},
                                  std::pair{"channel", AxisName::Channel},
                                  std::pair{"frame", AxisName::Frame}};
    for (const auto& [key, axis] : kChoices) {
        const ParamRow* row = stage.type->table.find(key);
        const Axis* several = stage.input().find(axis);
        if (row != nullptr && row->type == ParamType::Integer && several != nullptr &&
            several->size > 1)
            return {{key, {1.0, static_cast<double>(several->size)}}};
    }
    return {};
}

} // namespace

QHash<QString, std::pair<double, double>> sliderRangesOf(const StageState& stage) {
    if (auto counts = countsOf(stage); !counts.isEmpty()) return counts;
    if (stage.type->has<AberrationParams>()) return regionRangesOf(stage);
    if (stage.type->has<oct::KLinearizeParams>()) return curveRangesOf(stage);
    if (stage.type->has<MModeParams>() || stage.type->has<SpectralDopplerParams>())
        return gateRangesOf(stage);
    if (!stage.type->has<BeamformParams>() || !stage.input().acquisition) return {};
    const auto& whole = stage.defaults.as<BeamformParams>();
    const double beside = whole.depthMaxM * std::tan(steeringOf(*stage.input().acquisition));
    const std::pair lateral{roundedOut(whole.lateralMinM - beside),
                            roundedOut(whole.lateralMaxM + beside)};
    const std::pair depth{0.0, roundedOut(whole.depthMaxM)};
    // The range includes the recorded speed, however far it is from those of tissue and metal.
    const double c = whole.soundSpeedMps;
    auto speed = c < kMetalFromMps ? kTissueMps : kMetalMps;
    constexpr double kRoom = 0.1;
    speed = {std::min(speed.first, (1.0 - kRoom) * c), std::max(speed.second, (1.0 + kRoom) * c)};
    return {{"lateral_min", lateral},
            {"lateral_max", lateral},
            {"depth_min", depth},
            {"depth_max", depth},
            {"speed_of_sound", speed}};
}

} // namespace echolux
