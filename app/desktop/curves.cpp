// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of filter response and apodization, and of resampling, window and dispersion of spectra.
#include "app/desktop/curves.hpp"

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stages/bandpass_response.hpp"

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
    const double nyquistMHz = 0.5 * stage.input().samplingFrequencyHz() / kHzPerMHz;
    const FilterResponse response =
        bandpassResponse(stage.params, stage.input().samplingFrequencyHz());
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

/// Weights of the elements for the point in the middle of the image.
CurveData apodizationCurve(const StageState& stage) {
    const auto& params = stage.params.as<BeamformParams>();
    const Probe& probe = stage.input().acquisition->probe;
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

/// A curve of `values` over the samples of a line, reduced to a few hundred, and the neutral value.
CurveData spectralCurve(const std::vector<double>& values, double neutral) {
    constexpr std::size_t kMostPoints = 512;
    const std::size_t step = values.size() / kMostPoints + 1;
    CurveData curve;
    for (std::size_t i = 0; i < values.size(); i += step) {
        curve.x.push_back(static_cast<double>(i));
        curve.y.push_back(values[i]);
    }
    curve.xMax = static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
    curve.neutralX = {0.0, curve.xMax};
    curve.neutralY = {neutral, neutral};
    curve.xLabel = "sample, in wavenumber";
    return curve;
}

/// Sets limits round all values and zero. They are at least `least` apart and leave room for the
/// label at the top.
void spanFromZero(CurveData& curve, double least) {
    for (const double value : curve.y) {
        curve.yMin = std::min(curve.yMin, value);
        curve.yMax = std::max(curve.yMax, value);
    }
    const double missing = std::max(0.0, least - (curve.yMax - curve.yMin));
    const double span = curve.yMax - curve.yMin + missing;
    curve.yMin -= 0.5 * missing + 0.08 * span;
    curve.yMax += 0.5 * missing + 0.3 * span;
}

CurveData flatFrom(const std::vector<double>& values, const QString& yLabel, double least) {
    CurveData curve = spectralCurve(values, 0.0);
    curve.yLabel = yLabel;
    curve.yMin = curve.yMax = 0.0;
    spanFromZero(curve, least);
    return curve;
}

/// The grid of NUFFT gridding, with the range of oversampling values that give the same grid.
QString gridLabel(const ParamTable& table, std::int64_t samples, double oversampling) {
    const ParamRow& row = *table.find("oversampling");
    const std::int64_t points = oct::gridPoints(samples, oversampling);
    double lowest = oversampling;
    double highest = oversampling;
    for (double other = row.min; other <= row.max; other += row.step) {
        if (oct::gridPoints(samples, other) != points) continue;
        lowest = std::min(lowest, other);
        highest = std::max(highest, other);
    }
    QString label = QString("sample; grid of %1 (%2").arg(points).arg(lowest);
    if (highest > lowest) label += QString(" to %1").arg(highest);
    return label + QString::fromUtf8("\u00d7)");
}

CurveData resamplingCurve(const StageState& stage) {
    const auto& params = stage.params.as<oct::KLinearizeParams>();
    const std::int64_t samples = oct::linesOf(stage.input()).length;
    std::vector<double> positions;
    if (params.curve == oct::ResamplingCurve::Polynomial || stage.input().spectrometer)
        positions = oct::resamplingCurve(stage.input(), params);
    for (std::size_t m = 0; m < positions.size(); ++m) positions[m] -= static_cast<double>(m);
    CurveData curve = flatFrom(positions, "samples from linear", 1.0);
    if (params.method == oct::ResamplingMethod::Nufft)
        curve.xLabel = gridLabel(stage.type->table, samples, params.oversampling);
    return curve;
}

CurveData windowCurve(const StageState& stage) {
    // The curve runs over wavenumber, wherever the samples lie.
    const std::int64_t samples = oct::linesOf(stage.input()).length;
    const std::vector<float> window = oct::windowTable(
        oct::evenPositions(samples, samples), samples, stage.params.as<oct::WindowParams>());
    CurveData curve = spectralCurve({window.begin(), window.end()}, 1.0);
    curve.yLabel = "weight";
    curve.yMax = 1.3;
    return curve;
}

CurveData phaseCurve(const StageState& stage) {
    const auto& params = stage.params.as<oct::DispersionParams>();
    const std::int64_t samples = oct::linesOf(stage.input()).length;
    std::vector<double> recorded = params.recordedIn(stage.input());
    if (static_cast<std::int64_t>(recorded.size()) != samples) recorded.clear();
    return flatFrom(oct::phaseOf(params, recorded, oct::evenPositions(samples, samples), samples),
                    "rad", 1.0);
}

} // namespace

std::vector<CurveData> curvesOf(const StageState& stage) {
    if (stage.type->role == Role::LimitsBand && !stage.bypass) return {filterCurve(stage)};
    if (stage.type->has<BeamformParams>()) return {apodizationCurve(stage)};
    if (stage.type->has<oct::KLinearizeParams>()) return {resamplingCurve(stage)};
    if (stage.type->has<oct::WindowParams>()) return {windowCurve(stage)};
    if (stage.type->has<oct::DispersionParams>()) return {phaseCurve(stage)};
    return {};
}

bool haveSameCurves(const StageState& a, const StageState& b) {
    return a.type == b.type && a.bypass == b.bypass && a.params == b.params &&
           a.input().axes == b.input().axes && a.input().acquisition == b.input().acquisition &&
           a.input().spectrometer == b.input().spectrometer &&
           a.input().spectralGrid == b.input().spectralGrid;
}

} // namespace echolux
