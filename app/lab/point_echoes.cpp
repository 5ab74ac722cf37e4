// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/point_echoes.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

namespace echolux::lab {
namespace {

/// Samples before and after the one that is read: as many as any interpolator takes.
constexpr std::int64_t kEchoMargin = das::kMaxTaps;
constexpr double kReach = 5.0; ///< in s; beyond it a pulse counts as 0

/// The envelope of a sum of pulses without their oscillation, on a grid of paths.
class SentEnvelope {
public:
    SentEnvelope(double fromM, double toM, double sigmaM)
        : m_stepM(sigmaM / kPerSigma), m_fromM(fromM - 2.0 * m_stepM),
          m_values(static_cast<std::size_t>(std::ceil((toM - fromM) / m_stepM)) + 6) {}

    void add(double pathM, std::complex<double> factor) {
        const double centre = (pathM - m_fromM) / m_stepM;
        const double reach = kReach * kPerSigma;
        const auto count = static_cast<double>(m_values.size());
        if (centre + reach < 0.0 || centre - reach > count - 1.0) return;
        const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(centre - reach)));
        const auto last = static_cast<std::size_t>(std::min(count - 1.0, centre + reach));
        for (std::size_t i = first; i <= last; ++i) {
            const double u = (static_cast<double>(i) - centre) / kPerSigma;
            m_values[i] += std::exp(-0.5 * u * u) * factor;
        }
    }

    /// By Lagrange's cubic: the error is below 1e-5 of a pulse's peak.
    std::complex<double> at(double pathM) const {
        const double place = (pathM - m_fromM) / m_stepM;
        const auto i = static_cast<std::int64_t>(std::floor(place));
        if (i < 1 || i + 2 >= std::ssize(m_values)) return {};
        const double u = place - static_cast<double>(i);
        const auto* v = m_values.data() + i;
        return -u * (u - 1.0) * (u - 2.0) / 6.0 * v[-1] +
               (u + 1.0) * (u - 1.0) * (u - 2.0) / 2.0 * v[0] -
               (u + 1.0) * u * (u - 2.0) / 2.0 * v[1] + (u + 1.0) * u * (u - 1.0) / 6.0 * v[2];
    }

private:
    static constexpr double kPerSigma = 16.0;
    double m_stepM;
    double m_fromM;
    std::vector<std::complex<double>> m_values;
};

} // namespace

PointEchoes::PointEchoes(const BeamGeometry& geometry, const PlanePoint& pixel,
                         std::vector<std::int64_t> transmits, double bandwidth)
    : m_geometry(geometry), m_ways(geometry), m_constants(geometry.model().onHost()),
      m_place(geometry.placeOf(pixel)), m_spec(geometry.input()),
      m_metresPerSample(geometry.metresPerSample()),
      m_sigmaM(std::sqrt(2.0 * std::numbers::ln2) / (std::numbers::pi * bandwidth) *
               m_ways.wavelengthM()) {
    const std::vector<std::int64_t> active = geometry.active();
    auto acquisition = std::make_shared<Acquisition>(geometry.acquisition());
    const double fs = geometry.input().samplingFrequencyHz();
    const double speed = geometry.params().soundSpeedMps;
    double nearest = HUGE_VAL;
    double farthest = 0.0;
    for (std::size_t e = 0; e < m_ways.size(); ++e) {
        const double way = das::receiveIndex(m_constants, static_cast<int>(e), m_place);
        nearest = std::min(nearest, std::floor(way));
        farthest = std::max(farthest, way);
    }
    const auto samples =
        static_cast<std::int64_t>(std::ceil(farthest - nearest)) + 2 * kEchoMargin + 4;
    m_spec.axes.back().size = samples;
    for (const std::int64_t transmit : transmits) {
        const auto number = std::ranges::find(active, transmit) - active.begin();
        const das::TransmitConstants& k = m_constants.transmit[number];
        const double index = das::transmitIndex(k, m_constants.indexPerMetre, m_place);
        Transmit& t = acquisition->transmits[static_cast<std::size_t>(transmit)];
        const double cut = std::floor(index + nearest) - static_cast<double>(kEchoMargin);
        Shot shot{.pathM = (index - static_cast<double>(k.indexOffset)) * m_metresPerSample,
                  .mixedS = t.iqPhaseZeroS - geometry.params().t0OffsetS,
                  .senders = m_ways.senders(transmit)};
        t.firstSampleS += cut / fs;
        const double firstPathM = (t.firstSampleS - geometry.params().t0OffsetS) * speed;
        shot.readings = readingsOf(transmit, shot.pathM, firstPathM);
        m_shots.push_back(std::move(shot));
    }
    m_spec.dtype = DType::ComplexF32;
    m_spec.acquisition = std::move(acquisition);
    if (m_spec.bytes() > kMostBytes)
        throw Error(fmt::format("The echoes of a point in {} transmits and {} channels are too "
                                "many to be made; switch transmits off.",
                                m_spec.sizeOf(AxisName::Transmit),
                                m_spec.sizeOf(AxisName::Channel)));
}

/// The records that count, with the samples that an interpolator may take round the one that the
/// beamformer reads.
std::vector<PointEchoes::Reading> PointEchoes::readingsOf(std::int64_t transmit, double sentM,
                                                          double recordM) const {
    std::vector<Reading> readings;
    const std::vector<float> weights = m_geometry.receiveWeights(
        {static_cast<double>(m_place.x), static_cast<double>(m_place.z)}, transmit);
    for (std::size_t e = 0; e < m_ways.size(); ++e) {
        if (weights[e] == 0.0F) continue;
        const std::int64_t record =
            das::recordOf(m_constants, static_cast<std::int32_t>(transmit), static_cast<int>(e));
        const double heardM =
            das::receiveIndex(m_constants, static_cast<int>(e), m_place) * m_metresPerSample;
        const auto read =
            static_cast<std::int64_t>(std::floor((sentM + heardM - recordM) / m_metresPerSample));
        const std::int64_t first = std::max<std::int64_t>(0, read - kEchoMargin);
        readings.push_back({e, record * m_spec.axes.back().size + first,
                            recordM + static_cast<double>(first) * m_metresPerSample});
    }
    return readings;
}

void PointEchoes::fill(const PlanePoint& at, std::span<Complex> frame) const {
    oneapi::tbb::parallel_for(std::size_t{0}, m_shots.size(), [&](std::size_t number) {
        const Shot& shot = m_shots[number];
        std::vector<Arrival> arrivals;
        if (shot.senders.empty()) arrivals.push_back({0.0, 1.0}); // the point itself sounds
        for (const Sender& sender : shot.senders) {
            const ElementWay way = m_ways.to(sender.element, at);
            arrivals.push_back({sender.pathM + way.lengthM, sender.weight * way.directivity});
        }
        fillShot(shot, arrivals, at, frame);
    });
}

void PointEchoes::fillHeard(const PlanePoint& at, std::span<Complex> frame) const {
    for (const Shot& shot : m_shots) fillShot(shot, {{shot.pathM, 1.0}}, at, frame);
}

void PointEchoes::fillShot(const Shot& shot, const std::vector<Arrival>& arrivals,
                           const PlanePoint& at, std::span<Complex> frame) const {
    const double width = static_cast<double>(2 * kEchoMargin + 2) * m_metresPerSample;
    std::vector<ElementWay> ways;
    double from = HUGE_VAL;
    double to = -HUGE_VAL;
    for (const Reading& reading : shot.readings) {
        ways.push_back(m_ways.to(reading.element, at));
        from = std::min(from, reading.pathM - ways.back().lengthM);
        to = std::max(to, reading.pathM + width - ways.back().lengthM);
    }
    if (!(to > from)) return;
    SentEnvelope sent(from, to, m_sigmaM);
    const double perMetre = 2.0 * std::numbers::pi / m_ways.wavelengthM();
    for (const Arrival& arrival : arrivals)
        sent.add(arrival.pathM, std::polar(1.0, -perMetre * arrival.pathM) * arrival.weight);
    const double speed = m_geometry.params().soundSpeedMps;
    const double fd = m_spec.demodulationFrequencyHz;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        for (std::int64_t n = 0; n < 2 * kEchoMargin + 2; ++n) {
            const double path = shot.readings[i].pathM + static_cast<double>(n) * m_metresPerSample;
            const double arrived = path - ways[i].lengthM;
            const double phase =
                perMetre * arrived - 2.0 * std::numbers::pi * fd * (path / speed - shot.mixedS);
            const std::complex<double> value =
                ways[i].directivity * sent.at(arrived) *
                std::complex<double>(std::cos(phase), std::sin(phase));
            frame[static_cast<std::size_t>(shot.readings[i].first + n)] = {
                static_cast<float>(value.real()), static_cast<float>(value.imag())};
        }
    }
}

} // namespace echolux::lab
