// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation code of CUBDL looks for an echo at sample (path / c + time zero) fs. The path of a
// plane wave counts from the origin, that of a beam from its beginning. So sample 0 is at -time
// zero.
#include "app/dataset/formats/cubdl_waves.hpp"

#include "app/dataset/formats/element_places.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

constexpr double kRadPerDegree = std::numbers::pi / 180.0;

class CubdlWaves {
public:
    CubdlWaves(const Hdf5Values& file, const CubdlName& name, const Acquisition& acquisition,
               double centreFrequencyHz, std::int64_t transmits)
        : m_file(file), m_name(name), m_acquisition(acquisition),
          m_centreFrequencyHz(centreFrequencyHz), m_count(static_cast<std::size_t>(transmits)) {}

    std::vector<Transmit> planeWaves() const {
        std::vector<Transmit> waves(m_count);
        const std::vector<double> angles = planeAngles();
        const std::vector<double> starts = planeStarts();
        const bool fromFiring =
            m_name.source == CubdlSource::Mayo || m_name.source == CubdlSource::Tsinghua ||
            m_name.source == CubdlSource::Eindhoven || m_name.source == CubdlSource::Inserm;
        for (std::size_t i = 0; i < m_count; ++i) {
            waves[i].angleRad = angles[i];
            waves[i].firstSampleS = starts[i];
            if (fromFiring) waves[i].firstSampleS -= firstFiringLead(m_acquisition, waves[i]);
        }
        return waves;
    }

    std::vector<Transmit> beams(CubdlBeams kind) const {
        std::vector<Point> origins(m_count);
        std::vector<double> angles(m_count, 0.0);
        std::vector<double> starts(m_count, 0.0);
        const bool steered = kind == CubdlBeams::SteeredBeams || kind == CubdlBeams::HalfOrigins;
        if (steered) angles = directions(true);
        if (kind == CubdlBeams::HalfSteps)
            origins = linearArray(m_count, 0.5 * m_acquisition.probe.pitchM);
        if (kind == CubdlBeams::ParallelBeams || kind == CubdlBeams::HalfOrigins)
            origins = beginnings(kind == CubdlBeams::HalfOrigins ? 0.5 : 1.0);
        if (kind != CubdlBeams::HalfSteps) starts = forEach("start_time");
        if (kind == CubdlBeams::ParallelBeams) starts.assign(m_count, std::ranges::min(starts));
        if (kind == CubdlBeams::HalfOrigins)
            for (double& start : starts) start = -start;
        std::vector<Transmit> waves(m_count);
        const std::vector<double> focus = focalLengths();
        for (std::size_t i = 0; i < m_count; ++i)
            waves[i] = beam(origins[i], angles[i], focus[i], starts[i]);
        return waves;
    }

private:
    Error wrongCount(const std::string& name, std::size_t count) const {
        return m_file.error(fmt::format("'{}' has {} entries, but the data {} transmits; correct "
                                        "the one that is wrong",
                                        m_file.at(name), count, m_count));
    }

    std::vector<double> demand(const std::string& name) const {
        auto values = m_file.numbers(name);
        if (!values)
            throw m_file.error(fmt::format("'{}' is missing, which files of {} have; copy it again",
                                           m_file.at(name), nameOf(m_name.source)));
        return *std::move(values);
    }

    /// One value for each transmit. A single value counts for all.
    std::vector<double> forEach(const std::string& name) const {
        std::vector<double> values = demand(name);
        if (values.size() == 1) values.assign(m_count, values.front());
        if (values.size() != m_count) throw wrongCount(name, values.size());
        return values;
    }

    /// Azimuths: the first row of (2, transmits) or the first column of (transmits, 2).
    std::vector<double> directions(bool rows) const {
        const std::string name = "transmit_direction";
        std::vector<double> values = demand(name);
        const auto shape = m_file.shape(name);
        const auto count = static_cast<std::int64_t>(m_count);
        const std::vector<std::int64_t> wanted =
            rows ? std::vector<std::int64_t>{2, count} : std::vector<std::int64_t>{count, 2};
        if (shape != wanted)
            throw m_file.error(fmt::format("'{}' is no azimuth and elevation of {} transmits, in "
                                           "{}; correct it",
                                           m_file.at(name), m_count, rows ? "rows" : "columns"));
        std::vector<double> angles(m_count);
        for (std::size_t i = 0; i < m_count; ++i) angles[i] = values[rows ? i : 2 * i];
        return angles;
    }

    std::vector<double> planeAngles() const {
        switch (m_name.source) {
        case CubdlSource::Eindhoven: return directions(false);
        case CubdlSource::Oslo: return directions(true);
        case CubdlSource::Inserm: return evenAngles();
        default: break;
        }
        std::vector<double> angles = demand("angles");
        if (angles.size() != m_count) throw wrongCount("angles", angles.size());
        if (m_name.source == CubdlSource::Florence)
            for (double& angle : angles) angle *= kRadPerDegree;
        return angles;
    }

    /// NOTE: for INSERM's files the evaluation code ignores the directions and spreads the
    /// transmits evenly from -16 to 16 degrees.
    std::vector<double> evenAngles() const {
        constexpr double kOutermost = 16.0 * kRadPerDegree;
        if (m_count < 2)
            throw m_file.error("it has one transmit, but files of INSERM have several, spread "
                               "from -16 to 16 degrees; copy it again");
        std::vector<double> angles(m_count);
        const double step = 2.0 * kOutermost / static_cast<double>(m_count - 1);
        for (std::size_t i = 0; i < m_count; ++i)
            angles[i] = -kOutermost + static_cast<double>(i) * step;
        return angles;
    }

    /// The time of sample 0 after the wave passes the origin or, where nothing else is known, after
    /// the first firing. NOTE: Eindhoven's recordings begin 10 periods earlier.
    std::vector<double> planeStarts() const {
        constexpr double kEarlierPeriods = 10.0;
        switch (m_name.source) {
        case CubdlSource::Florence: return forEach("channel_data_t0");
        case CubdlSource::Hopkins: return forEach("time_zero");
        case CubdlSource::Inserm:
        case CubdlSource::Oslo: return forEach("start_time");
        case CubdlSource::Eindhoven:
            return std::vector<double>(m_count, -kEarlierPeriods / m_centreFrequencyHz);
        default: return std::vector<double>(m_count, 0.0);
        }
    }

    std::vector<Point> beginnings(double factor) const {
        std::vector<Point> origins =
            readElementTable(m_file, "transmit_origin", static_cast<std::int64_t>(m_count));
        for (Point& origin : origins)
            origin = {factor * origin.x, factor * origin.y, factor * origin.z};
        return origins;
    }

    /// Focal lengths along each beam. The first counts for all unless each beam has one.
    std::vector<double> focalLengths() const {
        constexpr double kShortestM = 1e-3;
        constexpr double kLongestM = 1.0;
        std::vector<double> focus = demand("transmit_focus");
        if (focus.size() != m_count) focus.assign(m_count, focus.front());
        for (const double length : focus)
            if (!(length >= kShortestM) || length > kLongestM)
                throw m_file.error(fmt::format("'{}' is {:g} m, which is no focal length of a "
                                               "probe; correct it",
                                               m_file.at("transmit_focus"), length));
        return focus;
    }

    /// `start` counts from the moment when the wave is at the beam's beginning.
    Transmit beam(const Point& origin, double angle, double focus, double start) const {
        Transmit wave;
        wave.wave = Wave::Focused;
        wave.origin = origin;
        wave.source = {origin.x + focus * std::sin(angle), origin.y,
                       origin.z + focus * std::cos(angle)};
        wave.firstSampleS =
            start + idealDelay(wave, origin, m_acquisition.soundSpeedMps, m_acquisition.steering);
        return wave;
    }

    const Hdf5Values& m_file;
    CubdlName m_name;
    const Acquisition& m_acquisition;
    double m_centreFrequencyHz;
    std::size_t m_count;
};

} // namespace

double demandCubdlNumber(const Hdf5Values& file, const std::string& name) {
    const auto value = file.number(name);
    if (!value || !(*value > 0.0) || std::isinf(*value))
        throw file.error(
            fmt::format("'{}' {}; correct it", file.at(name),
                        value ? fmt::format("is {:g}", *value) : std::string("is missing")));
    return *value;
}

std::vector<Transmit> readCubdlWaves(const Hdf5Values& file, const CubdlName& name,
                                     const Acquisition& acquisition, double centreFrequencyHz,
                                     std::int64_t transmits) {
    const CubdlWaves waves(file, name, acquisition, centreFrequencyHz, transmits);
    const CubdlBeams kind = cubdlBeams(name);
    return kind == CubdlBeams::PlaneWaves ? waves.planeWaves() : waves.beams(kind);
}

} // namespace echolux
