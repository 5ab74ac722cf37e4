// SPDX-License-Identifier: GPL-3.0-or-later
// Samples the delay over a grid and joins points of equal delay by straight pieces.
#include "app/lab/delay_map.hpp"

#include "app/lab/delay_curve.hpp"
#include "gpu/beamform/beamform_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace echolux::lab {
namespace {

constexpr int kCells = 96; ///< along the longer side of the image
constexpr double kMostContours = 12.0;

/// The part of the plane that the beamformer images.
class ImagedPart {
public:
    explicit ImagedPart(const BeamGeometry& geometry) : m_geometry(geometry) {
        const FrameSpec image = das::imageSpec(geometry.input(), geometry.params());
        const auto ends = [](const Axis& axis) {
            const auto gaps = static_cast<double>(std::max<std::int64_t>(axis.size - 1, 1));
            return std::pair(axis.origin, axis.origin + gaps * axis.spacing);
        };
        std::tie(m_nearest, m_farthest) = ends(*image.find(AxisName::Depth));
        const auto& beams = geometry.model().beams;
        if (beams.empty()) {
            const auto [left, right] = ends(*image.find(AxisName::Lateral));
            include({left, m_nearest});
            include({right, m_farthest});
        }
        for (const das::Beam& beam : beams)
            for (const double range : {m_nearest, m_farthest})
                include({beam.x + range * beam.sine, beam.z + range * beam.cosine});
    }

    bool contains(const PlanePoint& point) const {
        const auto& beams = m_geometry.model().beams;
        if (beams.empty()) return true; // the grid covers no more
        const auto aside = [&](const das::Beam& beam) {
            return (point.x - beam.x) * beam.cosine - (point.z - beam.z) * beam.sine;
        };
        const double range = m_geometry.placeOf(point).range;
        return aside(beams.front()) * aside(beams.back()) <= 0.0 && range >= m_nearest &&
               range <= m_farthest;
    }
    const PlanePoint& from() const { return m_from; }
    const PlanePoint& to() const { return m_to; }

private:
    void include(const PlanePoint& point) {
        m_from = {std::min(m_from.x, point.x), std::min(m_from.z, point.z)};
        m_to = {std::max(m_to.x, point.x), std::max(m_to.z, point.z)};
    }

    static constexpr double kFar = std::numeric_limits<double>::max();
    const BeamGeometry& m_geometry;
    double m_nearest = 0.0;
    double m_farthest = 0.0;
    PlanePoint m_from{kFar, kFar};
    PlanePoint m_to{-kFar, -kFar};
};

struct Sample {
    PlanePoint at;
    double timeS = 0.0;
    bool inside = false;
};

/// The piece of the line of equal delay through a triangle, if there is one.
void addPiece(DelayContour& contour, const std::array<const Sample*, 3>& corners) {
    std::vector<PlanePoint> ends;
    for (std::size_t i = 0; i < 3; ++i) {
        const Sample& a = *corners[i];
        const Sample& b = *corners[(i + 1) % 3];
        if ((a.timeS < contour.timeS) == (b.timeS < contour.timeS)) continue;
        const double share = (contour.timeS - a.timeS) / (b.timeS - a.timeS);
        ends.push_back(a.at + share * (b.at - a.at));
    }
    if (ends.size() == 2) contour.pieces.emplace_back(ends[0], ends[1]);
}

/// 1, 2 or 5 times a power of ten, at least `least` > 0.
double roundStep(double least) {
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= least) return factor * decade;
    return 10.0 * decade;
}

/// A grid of samples over the imaged part.
class DelayGrid {
public:
    DelayGrid(const BeamGeometry& geometry, const DelayMapOf& of) {
        const ImagedPart part(geometry);
        const PlanePoint size = part.to() - part.from();
        const double cell = std::max(size.x, size.z) / kCells;
        m_columns = std::max(2, static_cast<int>(std::lround(size.x / cell)) + 1);
        m_rows = std::max(2, static_cast<int>(std::lround(size.z / cell)) + 1);
        for (int row = 0; row < m_rows; ++row) {
            for (int column = 0; column < m_columns; ++column) {
                const PlanePoint at{part.from().x + size.x * column / (m_columns - 1),
                                    part.from().z + size.z * row / (m_rows - 1)};
                m_samples.push_back({at, delayAt(geometry, of, at), part.contains(at)});
            }
        }
        // No wave is slower: a greater difference is a jump, as at the depth of a focus.
        const double speed = geometry.input().samplingFrequencyHz() /
                             static_cast<double>(geometry.model().onHost().indexPerMetre);
        const double legs = of.leg == DelayLeg::Both ? 2.0 : 1.0;
        m_mostDifference = 1.05 * legs * std::sqrt(2.0) * 1.5 * cell / speed;
    }

    std::vector<DelayContour> contours() const {
        double least = std::numeric_limits<double>::max();
        double most = std::numeric_limits<double>::lowest();
        for (const Sample& sample : m_samples) {
            if (!sample.inside) continue;
            least = std::min(least, sample.timeS);
            most = std::max(most, sample.timeS);
        }
        std::vector<DelayContour> found;
        if (!(most > least)) return found;
        const double step = roundStep((most - least) / kMostContours);
        for (double level = std::ceil(least / step); level * step <= most; level += 1.0) {
            DelayContour contour{.timeS = level * step, .pieces = {}};
            trace(contour);
            if (!contour.pieces.empty()) found.push_back(std::move(contour));
        }
        return found;
    }

private:
    void trace(DelayContour& contour) const {
        for (int row = 0; row + 1 < m_rows; ++row) {
            for (int column = 0; column + 1 < m_columns; ++column) {
                const std::array corners{&at(row, column), &at(row, column + 1),
                                         &at(row + 1, column), &at(row + 1, column + 1)};
                const auto [low, high] = std::ranges::minmax(
                    corners, {}, [](const Sample* sample) { return sample->timeS; });
                if (high->timeS - low->timeS > m_mostDifference ||
                    !std::ranges::all_of(corners, &Sample::inside))
                    continue;
                addPiece(contour, {corners[0], corners[1], corners[2]});
                addPiece(contour, {corners[1], corners[3], corners[2]});
            }
        }
    }
    const Sample& at(int row, int column) const {
        return m_samples[static_cast<std::size_t>(row * m_columns + column)];
    }

    int m_columns = 0;
    int m_rows = 0;
    std::vector<Sample> m_samples;
    double m_mostDifference = 0.0;
};

} // namespace

double delayAt(const BeamGeometry& geometry, const DelayMapOf& of, PlanePoint point) {
    const das::Constants k = geometry.model().onHost();
    const das::Place own = geometry.placeOf(point);
    // Beside the lines of a fan, too, so that the contours have no steps.
    das::Place place{static_cast<float>(point.x), 0.0F, static_cast<float>(point.z)};
    place.range = own.range;
    place.transmit = own.transmit;
    place.ahead = own.ahead;
    const double fs = geometry.input().samplingFrequencyHz();
    double time = 0.0;
    if (of.leg != DelayLeg::Receive) {
        const auto number = own.transmit >= 0 ? own.transmit : of.transmit;
        const auto& all = geometry.model().transmits;
        const auto at = std::ranges::find(all, number, &das::TransmitConstants::line);
        time += geometry.acquisition().transmits[static_cast<std::size_t>(number)].firstSampleS;
        time += static_cast<double>(das::transmitIndex(*at, k.indexPerMetre, place)) / fs;
    }
    if (of.leg != DelayLeg::Transmit)
        time += static_cast<double>(das::receiveIndex(k, static_cast<int>(of.element), place)) / fs;
    return time;
}

std::vector<DelayContour> delayContours(const BeamGeometry& geometry, const DelayMapOf& of) {
    const Acquisition& acquisition = geometry.acquisition();
    if (of.transmit < 0 || of.transmit >= static_cast<std::int64_t>(acquisition.transmits.size()) ||
        of.element >= acquisition.probe.elements.size())
        return {};
    const std::vector<std::int64_t> active = geometry.active();
    const bool isActive = std::ranges::find(active, of.transmit) != active.end();
    return isActive ? DelayGrid(geometry, of).contours()
                    : DelayGrid(withAllTransmits(geometry), of).contours();
}

} // namespace echolux::lab
