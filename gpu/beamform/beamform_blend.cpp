// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_blend.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_shadow.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/wave_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux::das {
namespace {

/// The beam of one transmit.
struct OneBeam {
    Point origin;
    Point way;
    double range = 0.0;    ///< from the origin to the focus; of other waves to the far field
    double aperture = 0.0; ///< width across the beam

    Point at(double metres) const {
        return {origin.x + metres * way.x, 0.0, origin.z + metres * way.z};
    }
};

OneBeam beamOf(const Acquisition& acquisition, std::size_t transmit, double wavelengthM) {
    const Transmit& t = acquisition.transmits[transmit];
    const auto& elements = acquisition.probe.elements;
    const std::vector<std::size_t> firing = firingElements(acquisition, transmit);
    const auto [low, high] =
        std::ranges::minmax(firing, {}, [&](std::size_t e) { return elements[e].x; });
    OneBeam beam{.origin = beamOrigin(acquisition, t), .way = beamWay(acquisition, t)};
    const double dx = elements[high].x - elements[low].x;
    const double dz = elements[high].z - elements[low].z;
    const double length = std::max(std::hypot(dx, dz), 1e-9);
    const double across = std::abs(dx * beam.way.z - dz * beam.way.x);
    beam.aperture = std::max(across * (1.0 + acquisition.probe.pitchM / length), 0.5 * wavelengthM);
    const double far = beam.aperture * beam.aperture / (4.0 * wavelengthM);
    beam.range = t.wave == Wave::Focused ? distance(t.source, beam.origin) : far;
    beam.range = std::max(beam.range, wavelengthM);
    return beam;
}

double sinc(double x) {
    const double angle = std::numbers::pi * x;
    return std::abs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle;
}

/// How much the fields of two beams have in common whose foci are `apart` m apart.
double likeness(const OneBeam& beam, double apart, double wavelengthM) {
    return sinc(apart * beam.aperture / (wavelengthM * beam.range));
}

Point onLine(const Beam& line, double range) {
    return {line.x + range * line.sine, 0.0, line.z + range * line.cosine};
}

using BeamWeights = std::array<double, kBlendedBeams>;

/// The weights of beams whose foci are at `foci`, for a line through `place`.
BeamWeights weightsAt(const Point& place, std::span<const Point> foci, const OneBeam& middle,
                      double wavelengthM) {
    constexpr double kNoise = 1e-3; // keeps weights small where beams are dense
    std::array<std::array<double, kBlendedBeams + 1>, kBlendedBeams> rows{};
    BeamWeights here{};
    for (std::size_t i = 0; i < kBlendedBeams; ++i) rows[i][i] = 1.0;
    for (std::size_t i = 0; i < foci.size(); ++i) {
        for (std::size_t j = 0; j < foci.size(); ++j)
            rows[i][j] = likeness(middle, distance(foci[i], foci[j]), wavelengthM);
        rows[i][i] += kNoise;
        here[i] = likeness(middle, distance(foci[i], place), wavelengthM);
        rows[i][kBlendedBeams] = here[i];
    }
    const BeamWeights weights = wave_fit::solve<kBlendedBeams>(rows, 1e-12).value_or(here);
    double power = 0.0;
    for (std::size_t i = 0; i < foci.size(); ++i)
        for (std::size_t j = 0; j < foci.size(); ++j)
            power +=
                weights[i] * weights[j] * likeness(middle, distance(foci[i], foci[j]), wavelengthM);
    BeamWeights scaled{};
    for (std::size_t i = 0; i < foci.size(); ++i)
        scaled[i] = power > 0.0 ? weights[i] / std::sqrt(power) : 0.0;
    return scaled;
}

} // namespace

Point beamWay(const Acquisition& acquisition, const Transmit& t) {
    const Point origin = beamOrigin(acquisition, t);
    Point way{0.0, 0.0, 1.0};
    if (t.wave == Wave::Plane) way = direction(t, acquisition.steering);
    if (t.wave == Wave::Focused) way = {t.source.x - origin.x, 0.0, t.source.z - origin.z};
    if (t.wave == Wave::Diverging) way = {origin.x - t.source.x, 0.0, origin.z - t.source.z};
    const double length = std::hypot(way.x, way.z);
    return length > 0.0 ? Point{way.x / length, 0.0, way.z / length} : Point{0.0, 0.0, 1.0};
}

double pathAhead(const Acquisition& acquisition, const Transmit& t, const Point& place) {
    if (t.wave == Wave::Element || t.wave == Wave::None) return 0.0;
    const Point origin = beamOrigin(acquisition, t);
    const Point way = beamWay(acquisition, t);
    return (place.x - origin.x) * way.x + (place.z - origin.z) * way.z;
}

double beamSpacing(const Acquisition& acquisition, std::span<const std::int32_t> order,
                   double wavelengthM) {
    std::vector<double> spacings;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const OneBeam a = beamOf(acquisition, static_cast<std::size_t>(order[i - 1]), wavelengthM);
        const OneBeam b = beamOf(acquisition, static_cast<std::size_t>(order[i]), wavelengthM);
        const double apart = distance(a.at(a.range), b.at(a.range));
        spacings.push_back(apart * a.aperture / (wavelengthM * a.range));
    }
    if (spacings.empty()) return 0.0;
    const auto middle = spacings.begin() + std::ssize(spacings) / 2;
    std::ranges::nth_element(spacings, middle);
    return *middle;
}

std::vector<Beam> blendedBeams(const Acquisition& acquisition, std::span<const std::int32_t> order,
                               std::span<const Beam> lines, std::size_t together,
                               double wavelengthM) {
    std::vector<OneBeam> beams;
    for (const std::int32_t transmit : order)
        beams.push_back(beamOf(acquisition, static_cast<std::size_t>(transmit), wavelengthM));
    const std::size_t taken = std::min(kBlendedBeams, beams.size());
    std::vector<Beam> blended(taken * lines.size());
    const auto focusOf = [](const OneBeam& beam) { return beam.at(beam.range); };
    // Beams of a concave array stand from right to left, in the order of their angles.
    const double rightward = focusOf(beams.back()).x < focusOf(beams.front()).x ? -1.0 : 1.0;
    for (std::size_t first = 0; first < lines.size(); first += together) {
        // The beams round the middle of these lines, as they travel; where the speed of sound is
        // not the recorded one, lines lie beside their gap.
        const Beam& middle = lines[first + together / 2];
        std::size_t right = 0;
        while (right < beams.size()) {
            const Point place = onLine(middle, beams[right].range);
            const Point focus = focusOf(beams[right]);
            const double aside =
                (focus.x - place.x) * middle.cosine - (focus.z - place.z) * middle.sine;
            if (rightward * aside > 0.0) break;
            ++right;
        }
        const std::size_t half = taken / 2;
        const std::size_t from = std::min(right > half ? right - half : 0, beams.size() - taken);
        const OneBeam& nearest = beams[std::clamp(right, from, from + taken - 1)];
        std::array<Point, kBlendedBeams> foci;
        for (std::size_t b = 0; b < taken; ++b) foci[b] = beams[from + b].at(nearest.range);
        for (std::size_t i = first; i < first + together; ++i) {
            const BeamWeights weights =
                weightsAt(onLine(lines[i], nearest.range), std::span(foci.data(), taken), nearest,
                          wavelengthM);
            for (std::size_t b = 0; b < taken; ++b) {
                Beam& beam = blended[b * lines.size() + i];
                beam = lines[i];
                beam.transmit = order[from + b];
                const auto number = static_cast<std::size_t>(beam.transmit);
                beam.ahead = static_cast<float>(
                    pathAhead(acquisition, acquisition.transmits[number], {beam.x, 0.0, beam.z}));
                beam.weight = static_cast<float>(weights[b]);
            }
        }
    }
    return blended;
}

} // namespace echolux::das
