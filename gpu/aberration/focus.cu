// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/focus.hpp"

#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/focus_bins.hpp"
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/core/aligned_channels.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/exec/for_each.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::aberration {
namespace {

/// An element hears little beyond 45 degrees from its normal.
constexpr double kFNumber = 0.5;

double centreOf(const FrameSpec& input) {
    if (input.centreFrequencyHz > 0.0) return input.centreFrequencyHz;
    if (input.demodulationFrequencyHz > 0.0) return input.demodulationFrequencyHz;
    if (input.acquisition && input.acquisition->probe.centreFrequencyHz > 0.0)
        return input.acquisition->probe.centreFrequencyHz;
    return 0.25 * input.samplingFrequencyHz();
}

BeamformParams beamParams(const FrameSpec& input, const FocusParams& params) {
    BeamformParams beams = das::defaultParams(input);
    if (beams.transmitAperture == TransmitAperture::OwnLines)
        beams.transmitAperture = TransmitAperture::Shadow;
    if (beams.grid == PixelGrid::Beams) beams.grid = PixelGrid::Image; // points lie on no beam
    beams.soundSpeedMps = params.soundSpeedMps;
    beams.t0OffsetS = params.t0OffsetS;
    beams.fNumber = kFNumber;
    beams.window = ApodizationWindow::Rectangular;
    return beams;
}

/// Channels that were aligned on one point are compared at four points above each other, whose
/// gates overlap by half and together are the record. A gate has room to both sides, so that points
/// beside the focus can be looked at.
void focusOn(const Point& point, const FrameSpec& input, FocusParams& params) {
    constexpr double kReadableS = 1e-8;
    constexpr double kGate = 1.0 / 3.0; // of the record
    const double record =
        static_cast<double>(input.sizeOf(AxisName::Sample)) / input.samplingFrequencyHz();
    params.gateS = kReadableS * std::max(1.0, std::floor(kGate * record / kReadableS));
    params.lateralM = point.x;
    params.elevationM = point.y;
    params.depthM = point.z;
    const auto readable = [](double m) { return 1e-4 * std::ceil(1e4 * m); };
    params.widthM = readable(params.soundSpeedMps / params.centreHz); // one column of points
    params.heightM = readable(0.5 * params.soundSpeedMps * (record - params.gateS));
    params.points = 8;
}

template <class T> void send(const Exec& exec, ComputeTable<T>& table, std::vector<T> values) {
    if (!values.empty()) table.set(exec, std::move(values));
}

template <class T> const T* orNull(const ComputeTable<T>& table) {
    return table.host().empty() ? nullptr : table.data();
}

} // namespace

std::vector<Point> regionPoints(const FocusParams& params) {
    const double wavelength = params.soundSpeedMps / params.centreHz;
    double across = wavelength;
    double down = 0.25 * params.gateS * params.soundSpeedMps;
    const double wanted =
        std::max(params.widthM / across, 1.0) * std::max(params.heightM / down, 1.0);
    const double coarser = std::sqrt(std::max(wanted / static_cast<double>(params.points), 1.0));
    across *= coarser;
    down *= coarser;
    const auto countOf = [](double length, double step) {
        return std::max<std::int64_t>(static_cast<std::int64_t>(length / step), 1);
    };
    const std::int64_t columns = std::min(countOf(params.widthM, across), params.points);
    const std::int64_t rows =
        std::min(countOf(params.heightM, down), std::max<std::int64_t>(params.points / columns, 1));
    std::vector<Point> points;
    for (std::int64_t column = 0; column < columns; ++column) {
        for (std::int64_t row = 0; row < rows; ++row) {
            const auto part = [](std::int64_t i, std::int64_t of) {
                return (static_cast<double>(i) + 0.5) / static_cast<double>(of) - 0.5;
            };
            points.push_back({params.lateralM + part(column, columns) * params.widthM,
                              params.elevationM, params.depthM + part(row, rows) * params.heightM});
        }
    }
    return points;
}

FocusParams defaultFocus(const FrameSpec& input) {
    const Acquisition& acquisition = *input.acquisition;
    FocusParams params;
    params.soundSpeedMps = acquisition.soundSpeedMps;
    params.centreHz = centreOf(input);
    params.bandwidthHz = 0.5 * params.centreHz;
    constexpr double kPeriods = 12.0;
    constexpr double kReadableS = 1e-8;
    params.gateS = kReadableS * std::max(1.0, std::round(kPeriods / params.centreHz / kReadableS));
    if (const auto point = alignedOn(acquisition)) {
        focusOn(*point, input, params);
        return params;
    }
    const auto [left, right] = std::ranges::minmax(acquisition.probe.elements, {}, &Point::x);
    const double width = right.x - left.x;
    const Transmit& first = acquisition.transmits.front();
    const double lastS = first.firstSampleS + static_cast<double>(input.sizeOf(AxisName::Sample)) /
                                                  input.samplingFrequencyHz();
    const double deepest = params.soundSpeedMps / waysOf(acquisition) * (lastS - params.gateS);
    const double nearest = std::min(0.25 * deepest, 10e-3);
    // The record must also hold the echo that the farthest element hears.
    const double farthest = std::max(
        std::sqrt(std::max(deepest * deepest - 0.25 * width * width, 0.25 * deepest * deepest)),
        nearest + 1e-3);
    const auto readable = [](double m) { return 1e-4 * std::floor(1e4 * m); };
    params.lateralM = readable(0.5 * (left.x + right.x) + 0.5e-4);
    params.widthM = readable(std::max(0.95 * width, 1e-3));
    params.depthM = readable(0.5 * (nearest + farthest));
    params.heightM = readable(farthest - nearest);
    return params;
}

void checkFocus(const FrameSpec& input, const FocusParams& params) {
    das::checkGeometry(input);
    das::checkSampling(input);
    const double fs = input.samplingFrequencyHz();
    const double samples = params.gateS * fs;
    if (samples < 4.0) {
        throw Error(fmt::format("Stage 'aberration': a gate of {:.3g} us holds {:.1f} samples; set "
                                "gate to {:.3g} us or more.",
                                1e6 * params.gateS, samples, 4e6 / fs));
    }
    if (samples > static_cast<double>(input.sizeOf(AxisName::Sample) - 2)) {
        throw Error(
            fmt::format("Stage 'aberration': a gate of {:.3g} us is longer than the records "
                        "of {} samples; make gate smaller.",
                        1e6 * params.gateS, input.sizeOf(AxisName::Sample)));
    }
    const bool complex = isComplex(input.dtype);
    const double fd = complex ? input.demodulationFrequencyHz : 0.0;
    const double low = params.centreHz - 0.5 * params.bandwidthHz;
    const double high = params.centreHz + 0.5 * params.bandwidthHz;
    const double top = complex && fd == 0.0 ? fs : 0.5 * fs; // analytic signals use all frequencies
                                                             // up to fs
    if (low <= 0.0 || (fd > 0.0 ? std::max(high - fd, fd - low) > top : high > top)) {
        throw Error(fmt::format("Stage 'aberration': bins from {:.3g} to {:.3g} MHz lie beyond the "
                                "sampled band; change centre_frequency or bandwidth.",
                                1e-6 * low, 1e-6 * high));
    }
    const BeamformParams beams = beamParams(input, params);
    const das::Model model = das::makeModel(input, beams);
    const das::Constants k = model.onHost();
    const float half = 0.5F * static_cast<float>(samples);
    const auto isRecorded = [&](const Point& point) {
        const das::Place at{static_cast<float>(point.x), static_cast<float>(point.y),
                            static_cast<float>(point.z)};
        std::int64_t whole = 0;
        for (int e = 0; e < k.elements; ++e) {
            if (das::apodization(k, e, at) <= 0.0F) continue;
            for (int t = 0; t < k.transmits; ++t) {
                const float arrival = das::transmitIndex(k.transmit[t], k.indexPerMetre, at) +
                                      das::receiveIndex(k, e, at);
                if (arrival - half >= 0.0F && arrival + half < static_cast<float>(k.samples) &&
                    das::reaches(k, t, at)) {
                    ++whole;
                    break;
                }
            }
            if (whole >= 2) return true;
        }
        return false;
    };
    if (std::ranges::none_of(regionPoints(params), isRecorded)) {
        throw Error(fmt::format(
            "Stage 'aberration': no echo from the region at {:.3g} mm lateral, {:.3g} mm deep was "
            "recorded whole; move it into the image, or make gate smaller.",
            1e3 * params.lateralM, 1e3 * params.depthM));
    }
}

FocusCount countFocus(const FrameSpec& input, const FocusParams& params) {
    constexpr std::size_t kMostSpread = 32;
    const das::Model model = das::makeModel(input, beamParams(input, params));
    const das::Constants k = model.onHost();
    const std::vector<Point> points = regionPoints(params);
    FocusCount count{.points = static_cast<double>(points.size()),
                     .samples = params.gateS * input.samplingFrequencyHz(),
                     .bytes = static_cast<double>(input.bytes()),
                     .complex = isComplex(input.dtype)};
    const auto half = static_cast<float>(0.5 * count.samples);
    const std::size_t spread = std::min(points.size(), kMostSpread);
    for (std::size_t i = 0; i < spread; ++i) {
        const Point& point = points[(2 * i + 1) * points.size() / (2 * spread)];
        const das::Place at{static_cast<float>(point.x), static_cast<float>(point.y),
                            static_cast<float>(point.z)};
        for (int e = 0; e < k.elements; ++e) {
            if (das::apodization(k, e, at) <= 0.0F) continue;
            for (int t = 0; t < k.transmits; ++t) {
                count.tested += 1.0;
                const std::int64_t record = das::recordOf(k, k.transmit[t].line, e);
                const float arrival = das::transmitIndex(k.transmit[t], k.indexPerMetre, at) +
                                      das::receiveIndex(k, e, at);
                const bool whole =
                    arrival - half >= 0.0F && arrival + half < static_cast<float>(k.samples);
                if (whole && record >= 0 && das::reaches(k, t, at)) count.gates += 1.0;
            }
        }
    }
    count.tested /= static_cast<double>(spread);
    count.gates /= static_cast<double>(spread);
    return count;
}

Focus::Focus(const FrameSpec& input, const ElementGrid& grid, const FocusParams& params)
    : m_input(input), m_grid(grid), m_mostPoints(static_cast<std::int32_t>(params.points)),
      m_bins(static_cast<std::int32_t>(params.bins)) {
    m_elementAt.assign(static_cast<std::size_t>(grid.places()), -1);
    for (std::size_t e = 0; e < grid.placeOf.size(); ++e)
        m_elementAt[static_cast<std::size_t>(grid.placeOf[e])] = static_cast<std::int32_t>(e);
}

std::size_t Focus::heldBytes() const {
    const std::size_t elements = m_grid.elements();
    const std::size_t transmits = m_input.acquisition->transmits.size();
    const std::size_t channels = static_cast<std::size_t>(m_input.sizeOf(AxisName::Channel));
    return m_elementAt.size() * sizeof(std::int32_t) +
           static_cast<std::size_t>(m_mostPoints) * sizeof(das::Place) +
           static_cast<std::size_t>(m_bins) * sizeof(float) +
           elements * (sizeof(das::Element) + sizeof(das::Face)) +
           transmits * (sizeof(das::TransmitConstants) + sizeof(das::Shadow)) +
           transmits * (channels * sizeof(float) + elements * sizeof(std::int32_t));
}

void Focus::allocate(const Exec& exec) {
    const std::size_t elements = m_grid.elements();
    const std::size_t transmits = m_input.acquisition->transmits.size();
    m_elementTable.allocate(exec, m_elementAt.size());
    m_pointTable.allocate(exec, static_cast<std::size_t>(m_mostPoints));
    m_binTable.allocate(exec, static_cast<std::size_t>(m_bins));
    m_elements.allocate(exec, elements);
    m_faces.allocate(exec, elements);
    m_transmits.allocate(exec, transmits);
    m_shadows.allocate(exec, transmits);
    m_weights.allocate(exec,
                       transmits * static_cast<std::size_t>(m_input.sizeOf(AxisName::Channel)));
    m_channels.allocate(exec, transmits * elements);
    send(exec, m_elementTable, m_elementAt);
}

void Focus::set(const Exec& exec, const FocusParams& params) {
    const das::Model model = das::makeModel(m_input, beamParams(m_input, params));
    const double fs = m_input.samplingFrequencyHz();
    const double fd = isComplex(m_input.dtype) ? m_input.demodulationFrequencyHz : 0.0;
    std::vector<das::Place> places;
    for (const Point& p : regionPoints(params))
        places.push_back(
            {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    m_points = static_cast<std::int32_t>(places.size());
    std::vector<float> cycles;
    for (const double hz : binsOf(params.centreHz, params.bandwidthHz, params.bins))
        cycles.push_back(static_cast<float>((hz - fd) / fs));
    m_gate = static_cast<float>(params.gateS * fs);
    // Unused entries of the table lie behind the array, where no element hears.
    places.resize(static_cast<std::size_t>(m_mostPoints), das::Place{0.0F, 0.0F, -1.0F});
    send(exec, m_pointTable, std::move(places));
    send(exec, m_binTable, std::move(cycles));
    send(exec, m_elements, model.elements);
    send(exec, m_faces, model.faces);
    send(exec, m_transmits, model.transmits);
    send(exec, m_shadows, model.shadows);
    send(exec, m_weights, model.receiveWeights);
    send(exec, m_channels, model.channelOf);
    m_constants = model.constants;
    m_constants.element = m_elements.data();
    m_constants.face = orNull(m_faces);
    m_constants.transmit = m_transmits.data();
    m_constants.shadow = orNull(m_shadows);
    m_constants.receiveWeight = orNull(m_weights);
    m_constants.channelOf = orNull(m_channels);
}

void Focus::run(const Exec& exec, const void* samples, Complex* out) const {
    const auto enqueue = [&]<class Sample>(const Sample* data) {
        const std::int32_t chunks = (m_bins + kBinsAtOnce - 1) / kBinsAtOnce;
        forEach(exec, "aberration", std::int64_t{m_grid.places()} * m_mostPoints * chunks,
                FocusBins<Sample>{m_constants, data, m_pointTable.data(), m_elementTable.data(),
                                  m_binTable.data(), m_mostPoints, m_bins, m_gate, out});
    };
    isComplex(m_input.dtype) ? enqueue(static_cast<const Complex*>(samples))
                             : enqueue(static_cast<const float*>(samples));
}

} // namespace echolux::aberration
