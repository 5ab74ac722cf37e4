// SPDX-License-Identifier: GPL-3.0-or-later
// Draws scatterers cell by cell, moves them, and collects them line by line.
#include "app/source/oct_tissue.hpp"

#include "gpu/core/counter_random.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kVesselReach = 2.0; ///< radii
constexpr double kFaintest = 0.005;  ///< a smaller weight of the beam counts as 0
constexpr std::int64_t kFirstCell = 1 << 15;

std::uint32_t counter(std::int64_t cell) { return static_cast<std::uint32_t>(cell + kFirstCell); }

double middleWavenumber(const OctSetup& setup) {
    const double half = setup.bandwidthM / 2.0;
    return std::numbers::pi *
           (1.0 / (setup.centreWavelengthM - half) + 1.0 / (setup.centreWavelengthM + half));
}

/// Change of a reflector's phase at the first sample of the line, where the wavenumber is largest
/// or, in a sweep, smallest. The fringe is cos(2 k n_r z).
double firstWavenumber(const OctSetup& setup) {
    const double half = setup.bandwidthM / 2.0;
    return setup.sampling == Sampling::Sweep
               ? 2.0 * std::numbers::pi / (setup.centreWavelengthM + half)
               : -2.0 * std::numbers::pi / (setup.centreWavelengthM - half);
}

double beamReach(const OctSetup& setup) {
    return setup.beamWidthM * std::sqrt(-std::log(kFaintest) / (4.0 * std::numbers::ln2));
}

} // namespace

OctTissue::OctTissue(const OctSetup& setup, OctSample sample)
    : m_setup(setup), m_sample(std::move(sample)), m_binM(setup.binM()),
      m_phasePerM(2.0 * setup.refractiveIndex * middleWavenumber(setup)),
      m_motionPhasePerM(2.0 * setup.refractiveIndex * firstWavenumber(setup)) {
    double aside = beamReach(setup);
    if (setup.places() > 1)
        m_rowReach = static_cast<std::int64_t>(std::ceil(aside / setup.bscanPitchM + 0.5));
    if (m_sample.vessel) aside += 2.0 * m_sample.vessel->swing * m_sample.vessel->radius;
    m_reach = static_cast<std::int64_t>(std::ceil(aside / setup.linePitchM + 0.5));
    const CounterRandom random(setup.seed, RandomStream::OctSurface);
    for (std::uint32_t surface = 0; surface <= m_sample.layers.size(); ++surface) {
        Waves& waves = m_surfaces.emplace_back();
        for (std::uint32_t i = 0; i < kWaves; ++i) {
            const auto u = random.uniform(surface, i);
            const double length = 60e-6 * std::pow(10.0, u[0]);
            const double direction = 2.0 * std::numbers::pi * u[1];
            waves[i] = {2.0 * std::numbers::pi / length * std::cos(direction),
                        2.0 * std::numbers::pi / length * std::sin(direction),
                        2.0 * std::numbers::pi * u[2]};
        }
    }
}

double OctTissue::columnX(std::int64_t column) const {
    return (static_cast<double>(column) - static_cast<double>(m_setup.lines - 1) / 2.0) *
           m_setup.linePitchM;
}

/// 0 in the middle of a volume, and for a cine.
double OctTissue::rowY(std::int64_t row) const {
    return m_setup.places() > 1
               ? (static_cast<double>(row) - static_cast<double>(m_setup.places() - 1) / 2.0) *
                     m_setup.bscanPitchM
               : 0.0;
}

/// A random surface with an RMS of 1.
double OctTissue::surfaceNoise(const Waves& waves, double x, double y) const {
    double sum = 0.0;
    for (const Wave& wave : waves) sum += std::cos(wave.ax * x + wave.ay * y + wave.phase);
    return sum * std::sqrt(2.0 / static_cast<double>(kWaves));
}

std::vector<double> OctTissue::surfacesAt(double x, double y) const {
    const double aside = x / m_sample.halfWidthM;
    const double common = m_sample.startM + m_sample.bowM * aside * aside +
                          m_sample.undulationM * surfaceNoise(m_surfaces[0], x, y);
    const double pit = std::exp(-(x * x + y * y) / (m_sample.pitWidthM * m_sample.pitWidthM));
    std::vector<double> depths;
    for (std::size_t i = 0; i < m_sample.layers.size(); ++i) {
        const OctLayer& layer = m_sample.layers[i];
        const double depth = common + layer.topM + layer.pitM * pit +
                             m_sample.roughnessM * surfaceNoise(m_surfaces[i + 1], x, y);
        depths.push_back(depths.empty() ? depth : std::max(depth, depths.back()));
    }
    return depths;
}

bool OctTissue::inLumen(const Point& at) const {
    return m_sample.vessel && std::hypot(at.x - m_sample.vessel->x, at.z - m_sample.vessel->z) <
                                  m_sample.vessel->radius;
}

Point OctTissue::moved(Point at) const {
    if (m_sample.vessel && m_sample.vessel->swing != 0.0) {
        const OctVessel& vessel = *m_sample.vessel;
        const double r = std::hypot(at.x - vessel.x, at.z - vessel.z);
        const double u = std::clamp((r / vessel.radius - 1.0) / (kVesselReach - 1.0), 0.0, 1.0);
        const double stretch = 1.0 + vessel.swing * m_sine;
        const double swollen = (stretch * stretch - 1.0) * vessel.radius * vessel.radius;
        // Inside the lumen everything is stretched by the same factor.
        const double scale =
            r < vessel.radius
                ? stretch
                : std::sqrt(1.0 + 0.5 * (1.0 + std::cos(std::numbers::pi * u)) * swollen / (r * r));
        at.x = vessel.x + scale * (at.x - vessel.x);
        at.z = vessel.z + scale * (at.z - vessel.z);
    }
    at.z += m_sample.breathingM * m_sine;
    return at;
}

void OctTissue::place(const Point& rest, std::complex<double> amplitude, std::vector<Placed>& out,
                      double flowM) const {
    Point at = moved(rest);
    at.z += flowM;
    const double phase = m_sample.flows.empty()
                             ? m_phasePerM * at.z
                             : m_phasePerM * rest.z + m_motionPhasePerM * (at.z - rest.z);
    out.push_back(
        {at.x, at.y, {at.z / m_binM, amplitude * std::complex(std::cos(phase), std::sin(phase))}});
}

const OctFlow* OctTissue::flowAt(const Point& at) const {
    const auto found = std::ranges::find_if(m_sample.flows,
                                            [&](const OctFlow& flow) { return flow.contains(at); });
    return found == m_sample.flows.end() ? nullptr : &*found;
}

void OctTissue::placeBlood(const OctFlow& flow, const Point& at, std::array<std::uint32_t, 3> cell,
                           std::complex<double> passed, std::vector<Placed>& out) const {
    const auto draw = [&](std::int64_t number, double weight, double sinceS) {
        const CounterRandom blood(m_setup.seed ^ static_cast<std::uint64_t>(number) << 32U,
                                  RandomStream::OctBlood);
        const auto u = blood.uniform(cell[0], cell[1], cell[2]);
        const Point rest{at.x, at.y, at.z + (u[0] - 0.5) * m_binM};
        place(rest, passed * flow.level * weight * std::sqrt(-2.0 * std::log(u[1])), out,
              -flow.speedAt(at) * sinceS);
    };
    if (flow.transitS <= 0.0) return draw(0, 1.0, 0.0);
    const Passing now = passing(flow, cell);
    draw(now.number, std::cos(now.angle), now.share * flow.transitS);
    draw(now.number + 1, std::sin(now.angle), (now.share - 1.0) * flow.transitS);
}

/// Cells differ in when their scatterers pass.
OctTissue::Passing OctTissue::passing(const OctFlow& flow,
                                      std::array<std::uint32_t, 3> cell) const {
    const CounterRandom first(m_setup.seed, RandomStream::OctBlood);
    const double passes = m_timeS / flow.transitS + first.uniform(cell[0], cell[1], cell[2])[2];
    const double number = std::floor(passes);
    const double share = passes - number;
    return {static_cast<std::int64_t>(number), share, 0.5 * std::numbers::pi * share};
}

/// What the amplitude of light is multiplied by on its way through the vessel and back. Its mean
/// square is 1.
std::complex<double> OctTissue::behind(const OctFlow& flow, std::int64_t column,
                                       std::int64_t row) const {
    if (flow.tail <= 0.0) return 1.0;
    const auto number = static_cast<std::uint32_t>(&flow - m_sample.flows.data());
    const auto cell = std::array{counter(column), counter(row), number};
    const Passing now = passing(flow, cell);
    std::complex<double> changing;
    for (const auto& [pass, weight] : {std::pair{now.number, std::cos(now.angle)},
                                       std::pair{now.number + 1, std::sin(now.angle)}}) {
        const CounterRandom random(m_setup.seed ^ static_cast<std::uint64_t>(pass) << 32U,
                                   RandomStream::OctTails);
        const auto draw = random.normal(cell[0], cell[1], cell[2]);
        changing += weight * std::complex(draw[0], draw[1]) / std::numbers::sqrt2;
    }
    return std::sqrt(1.0 - flow.tail * flow.tail) + flow.tail * changing;
}

void OctTissue::fillColumn(std::int64_t column, std::int64_t row, std::vector<Placed>& out) const {
    out.clear();
    if (m_sample.layers.empty()) return;
    const CounterRandom tissue(m_setup.seed, RandomStream::OctTissue);
    const CounterRandom blood(m_setup.seed ^ static_cast<std::uint64_t>(m_index) << 32U,
                              RandomStream::OctBlood);
    const double x = columnX(column);
    const double y = rowY(row);
    const std::vector<double> tops = surfacesAt(x, y);
    std::size_t layer = 0;             // the next layer that begins
    std::complex<double> passed = 1.0; // amplitude that is left after the way there and back
    const OctFlow* vessel = nullptr;   // the one that was met last
    const std::int64_t bins = m_setup.samples / 2;
    for (auto bin = static_cast<std::int64_t>(std::max(tops[0] / m_binM, 0.0)); bin < bins; ++bin) {
        const auto cell = std::array{counter(column), counter(row), counter(bin)};
        const auto u = tissue.uniform(cell[0], cell[1], cell[2]);
        Point at{x + (u[0] - 0.5) * m_setup.linePitchM, y + (u[1] - 0.5) * m_setup.bscanPitchM,
                 (static_cast<double>(bin) + u[2]) * m_binM};
        while (layer < tops.size() && at.z >= tops[layer]) {
            const OctLayer& next = m_sample.layers[layer];
            const Point surface{at.x, at.y, tops[layer]};
            ++layer;
            if (next.specular > 0.0 && !inLumen(surface))
                place(surface, passed * next.specular, out);
        }
        if (layer == 0) continue;
        const OctLayer& here = m_sample.layers[layer - 1];
        passed *= std::exp(-here.attenuationPerM * m_binM);
        const OctFlow* const flow = flowAt(at);
        // Places are random within a cell, so at its wall a vessel is left and met again.
        if (flow != nullptr && flow != vessel) {
            vessel = flow;
            passed *= behind(*flow, column, row);
        }
        if (flow != nullptr) {
            placeBlood(*flow, at, cell, passed, out);
            continue;
        }
        double level = here.level;
        double draw = u[3];
        if (inLumen(at)) {
            level = m_sample.vessel->level;
            const auto fresh = blood.uniform(cell[0], cell[1], cell[2]);
            at.z += (fresh[0] - 0.5) * m_binM;
            draw = fresh[1];
        }
        place(at, passed * level * std::sqrt(-2.0 * std::log(draw)), out);
    }
}

void OctTissue::moveTo(std::int64_t index) {
    m_index = index;
    const std::int64_t row = index % m_setup.bscansPerVolume / m_setup.bscansPerPlace;
    m_y = rowY(row);
    m_timeS = static_cast<double>(index) / m_setup.frameRateHz;
    m_sine = m_sample.periodS > 0.0 ? std::sin(2.0 * std::numbers::pi * m_timeS / m_sample.periodS)
                                    : 0.0;
    const std::int64_t columns = m_setup.lines + 2 * m_reach;
    const std::int64_t rows = 2 * m_rowReach + 1;
    m_columns.resize(static_cast<std::size_t>(rows * columns));
    oneapi::tbb::parallel_for(std::int64_t{0}, rows * columns, [&](std::int64_t i) {
        fillColumn(i % columns - m_reach, row + i / columns - m_rowReach,
                   m_columns[static_cast<std::size_t>(i)]);
    });
    m_points.clear();
    for (const Point& point : m_sample.points) place(point, 1.0, m_points);
}

void OctTissue::reflectorsOf(std::int64_t line, std::vector<Reflector>& out) const {
    out.clear();
    const double x = columnX(line);
    const double sharpness = 4.0 * std::numbers::ln2 / (m_setup.beamWidthM * m_setup.beamWidthM);
    const bool flat = m_setup.places() == 1;
    const double farthest = -std::log(kFaintest) / sharpness;
    const auto gather = [&](const std::vector<Placed>& all) {
        for (const Placed& placed : all) {
            const double dx = placed.x - x;
            const double dy = flat ? 0.0 : placed.y - m_y;
            const double square = dx * dx + dy * dy;
            if (square > farthest) continue;
            out.push_back(
                {placed.reflector.bin, placed.reflector.amplitude * std::exp(-sharpness * square)});
        }
    };
    const std::int64_t columns = m_setup.lines + 2 * m_reach;
    for (std::int64_t row = 0; row <= 2 * m_rowReach; ++row)
        for (std::int64_t column = line; column <= line + 2 * m_reach; ++column)
            gather(m_columns[static_cast<std::size_t>(row * columns + column)]);
    gather(m_points);
}

} // namespace echolux
