// SPDX-License-Identifier: GPL-3.0-or-later
// Where the samples of an image in beam space lie: row r of line l lies on the beam l at the range
// of r. Places and lengths are in mm.
#pragma once

#include "app/measure/measured_image.hpp"
#include "gpu/core/sector.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::measure {

class BeamGeometry {
public:
    /// `range`: in m.
    BeamGeometry(const Sector& sector, const Axis& range);

    std::int64_t rows() const { return m_range.size; }
    std::int64_t lines() const { return static_cast<std::int64_t>(m_lines.size()); }
    const PixelAxis& range() const { return m_range; }

    Place at(double row, double line) const;

    /// Fractional row and line. Null where no two neighbouring lines hold the place.
    struct Sample {
        double row = 0.0;
        double line = 0.0;
    };
    std::optional<Sample> find(const Place& place) const;

    /// From a line to the next one, across the beams.
    double spacingAt(double row, std::int64_t line) const;
    double areaAt(double row, std::int64_t line) const;

    /// The cut across the beam through a sample: along the arc of lines that have one apex, else
    /// along the straight line at right angles to the beam. One entry per line.
    struct Across {
        std::vector<double> rows;   ///< NaN: the cut does not meet the samples of this line
        std::vector<double> places; ///< way along the cut
    };
    Across acrossAt(std::int64_t row, std::int64_t line) const;

    /// The same lines with the ranges `scale` r + `shift`: see MeasuredImage::moved().
    BeamGeometry moved(double scale, double shift) const;

    /// Corners of the smallest rectangle round all samples.
    struct Bounds {
        Place least;
        Place greatest;
    };
    Bounds bounds() const;

private:
    struct Line {
        double x = 0.0; ///< of range 0
        double z = 0.0;
        double angle = 0.0;
        double sine = 0.0;
        double cosine = 1.0;
    };
    /// Of fractional number `line`: start and angle between those of its neighbours.
    Line between(double line) const;
    std::optional<Sample> findRoundApex(double distance, double angle) const;
    std::optional<Sample> findBetweenLines(const Place& place) const;
    std::optional<Sample> sampleAt(double range, double line) const;

    bool m_oneApex = true;
    double m_apexX = 0.0;
    double m_apexZ = 0.0;
    double m_radius = 0.0; ///< of range 0 from the apex; below 0: the beams meet in the apex first
    std::vector<Line> m_lines;
    PixelAxis m_range;
};

} // namespace echolux::measure
