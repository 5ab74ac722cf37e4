// SPDX-License-Identifier: GPL-3.0-or-later
// Filter response, apodization and gain over depth as curves.
#include "app/desktop/curves.hpp"

#include "gpu/stages/bandpass_response.hpp"
#include "gpu/stages/beamform_params.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kHzPerMHz = 1e6;
constexpr double kMmPerM = 1e3;

QVector<double> scaled(const std::vector<double>& values, double factor) {
    QVector<double> out;
    out.reserve(static_cast<qsizetype>(values.size()));
    for (const double value : values) out.push_back(value * factor);
    return out;
}

CurveData filterCurve(const StageState& stage) {
    const double nyquistMHz = 0.5 * stage.input.samplingFrequencyHz() / kHzPerMHz;
    const FilterResponse response =
        bandpassResponse(stage.params, stage.input.samplingFrequencyHz());
    CurveData curve;
    curve.x = scaled(response.frequenciesHz, 1.0 / kHzPerMHz);
    curve.y = scaled(response.magnitudeDb, 1.0);
    curve.neutralX = {0.0, nyquistMHz};
    curve.neutralY = {0.0, 0.0};
    curve.xLabel = "MHz";
    curve.yLabel = "dB";
    curve.xMax = nyquistMHz;
    curve.yMin = -80.0;
    curve.yMax = 6.0;
    return curve;
}

/// Weights over the elements for the point in the middle of the image.
CurveData apodizationCurve(const StageState& stage) {
    const auto& params = stage.params.as<BeamformParams>();
    const Probe& probe = stage.input.acquisition->probe;
    const double lateralM = 0.5 * (params.lateralMinM + params.lateralMaxM);
    const double depthM = 0.5 * (params.depthMinM + params.depthMaxM);
    const std::vector<float> weights = apodizationWeights(probe, params, lateralM, depthM);
    CurveData curve;
    curve.underKey = "window";
    for (std::size_t e = 0; e < weights.size(); ++e) {
        curve.x.push_back(probe.elements[e].x * kMmPerM);
        curve.y.push_back(weights[e]);
        curve.neutralX.push_back(curve.x.back());
        curve.neutralY.push_back(1.0);
    }
    curve.xLabel = QString("element (mm), for %1 mm depth").arg(depthM * kMmPerM, 0, 'f', 0);
    curve.yLabel = "weight";
    const auto [left, right] = std::minmax_element(curve.x.begin(), curve.x.end());
    curve.xMin = *left;
    curve.xMax = *right;
    curve.yMax = 1.1;
    return curve;
}

} // namespace

std::vector<CurveData> curvesOf(const StageState& stage) {
    if (stage.type->id == "bandpass" && !stage.bypass) return {filterCurve(stage)};
    if (stage.type->id == "beamform") return {apodizationCurve(stage)};
    return {};
}

} // namespace echolux
