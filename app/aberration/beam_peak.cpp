// SPDX-License-Identifier: GPL-3.0-or-later
// Beam sums with the beamformer's own delays. Samples are interpolated by cubics.
#include "app/aberration/beam_peak.hpp"

#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_defaults.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::aberration {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr std::int32_t kSearchedTransmits = 5;

BeamformParams beamformParams(const FrameSpec& input, const FocusParams& focus) {
    BeamformParams params = das::defaultParams(input);
    params.soundSpeedMps = focus.soundSpeedMps;
    params.t0OffsetS = focus.t0OffsetS;
    params.fNumber = 0.0;
    params.window = ApodizationWindow::Rectangular;
    params.transmitAperture = TransmitAperture::Everywhere;
    return params;
}

/// Cubic (Lagrange) through the four samples round `at`; 0 outside.
std::complex<double> readAt(const Complex* line, std::int64_t length, double at) {
    const auto first = static_cast<std::int64_t>(std::floor(at)) - 1;
    if (!(at >= 0.0) || !(at <= static_cast<double>(length - 1))) return {};
    const double u = at - static_cast<double>(first + 1);
    const double weights[4] = {-u * (u - 1.0) * (u - 2.0) / 6.0,
                               (u + 1.0) * (u - 1.0) * (u - 2.0) / 2.0,
                               -(u + 1.0) * u * (u - 2.0) / 2.0, (u + 1.0) * u * (u - 1.0) / 6.0};
    std::complex<double> sum;
    for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t n = first + i;
        if (n < 0 || n >= length) continue;
        sum += weights[i] * std::complex<double>(line[n].re, line[n].im);
    }
    return sum;
}

} // namespace

BeamSums::BeamSums(const FrameSpec& input, const Complex* samples, const FocusParams& params)
    : m_model(das::makeModel(input, beamformParams(input, params))), m_constants(m_model.onHost()),
      m_samples(samples), m_params(params), m_samplingHz(input.samplingFrequencyHz()),
      m_demodulationHz(input.demodulationFrequencyHz),
      m_wavelengthM(params.soundSpeedMps / params.centreHz),
      m_length(input.sizeOf(AxisName::Sample)) {}

std::complex<double> BeamSums::at(double lateralM, double depthM, std::span<const double> delayS,
                                  std::int32_t stride) const {
    const das::Constants& k = m_constants;
    das::Place place;
    place.x = static_cast<float>(lateralM);
    place.y = static_cast<float>(m_params.elevationM);
    place.z = static_cast<float>(depthM);
    std::complex<double> sum;
    for (std::int32_t t = 0; t < k.transmits; t += stride) {
        const das::TransmitConstants& transmit = k.transmit[t];
        const double sent = das::transmitIndex(transmit, k.indexPerMetre, place);
        for (std::int32_t e = 0; e < k.elements; ++e) {
            const std::int64_t record = das::recordOf(k, transmit.line, e);
            if (record < 0) continue;
            const double weight = das::recordWeight(k, record, place);
            if (weight == 0.0) continue;
            const double late = delayS.empty() ? 0.0 : delayS[static_cast<std::size_t>(e)];
            const double index = sent + das::receiveIndex(k, e, place) + late * m_samplingHz;
            const double cycles =
                index * m_demodulationHz / m_samplingHz + static_cast<double>(transmit.phaseCycles);
            sum += weight * readAt(m_samples + record * m_length, m_length, index) *
                   std::polar(1.0, kTurn * cycles);
        }
    }
    return sum;
}

std::vector<BrightPoint> BeamSums::brightest(std::size_t count,
                                             std::span<const double> delayS) const {
    const double stepZ = 0.5 * m_wavelengthM;
    const double stepX = 1.0 * m_wavelengthM;
    const std::int32_t stride = std::max(1, m_constants.transmits / kSearchedTransmits);
    const auto columns = static_cast<std::int64_t>(m_params.widthM / stepX) + 1;
    const auto rows = static_cast<std::int64_t>(m_params.heightM / stepZ) + 1;
    std::vector<BrightPoint> points;
    points.reserve(static_cast<std::size_t>(columns * rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            BrightPoint point;
            point.lateralM =
                m_params.lateralM +
                (static_cast<double>(column) - 0.5 * static_cast<double>(columns - 1)) * stepX;
            point.depthM = m_params.depthM +
                           (static_cast<double>(row) - 0.5 * static_cast<double>(rows - 1)) * stepZ;
            point.magnitude = std::abs(at(point.lateralM, point.depthM, delayS, stride));
            points.push_back(point);
        }
    }
    std::ranges::sort(points, std::ranges::greater(), &BrightPoint::magnitude);
    const double apart = 10.0 * m_wavelengthM;
    std::vector<BrightPoint> chosen;
    for (const BrightPoint& point : points) {
        if (chosen.size() == count) break;
        const auto isNear = [&](const BrightPoint& other) {
            return std::hypot(point.lateralM - other.lateralM, point.depthM - other.depthM) < apart;
        };
        if (std::ranges::none_of(chosen, isNear)) chosen.push_back(point);
    }
    return chosen;
}

BrightPoint BeamSums::peakNear(const BrightPoint& near, std::span<const double> delayS) const {
    double stepX = 0.5 * m_wavelengthM;
    double stepZ = 0.25 * m_wavelengthM;
    std::int64_t halfX = 6;
    std::int64_t halfZ = 8;
    BrightPoint best = near;
    best.magnitude = 0.0;
    BrightPoint centre = near;
    for (int round = 0; round < 4; ++round) {
        for (std::int64_t i = -halfX; i <= halfX; ++i) {
            for (std::int64_t j = -halfZ; j <= halfZ; ++j) {
                BrightPoint point{centre.lateralM + static_cast<double>(i) * stepX,
                                  centre.depthM + static_cast<double>(j) * stepZ, 0.0};
                if (point.depthM <= 0.0) continue;
                point.magnitude = std::abs(at(point.lateralM, point.depthM, delayS));
                if (point.magnitude > best.magnitude) best = point;
            }
        }
        centre = best;
        stepX *= 0.4;
        stepZ *= 0.4;
        halfX = 2;
        halfZ = 2;
    }
    return best;
}

} // namespace echolux::aberration
