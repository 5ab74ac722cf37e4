// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured: named shapes on an image, and pairs of them.
#pragma once

#include "app/measure/measured_image.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::measure {

enum class Kind {
    Point,       ///< the brightest pixel near a place: how wide it is
    Line,        ///< from one place to another: length, and the profile along it
    Polyline,    ///< length
    Angle,       ///< between two lines that begin in the second of three places
    Rectangle,   ///< statistics of its pixels
    Ellipse,     ///< the same
    Outline,     ///< the same, of any closed shape
    Blob,        ///< the connected pixels or voxels round the brightest one: area or volume
    Calliper,    ///< between two surfaces in a column: depths and thickness
    Envelope,    ///< of a sonogram: velocities and indices of its heartbeats
    Contrast,    ///< of one region to another
    Sensitivity, ///< of an OCT device: a mirror over the noise
};
inline constexpr std::array kAllKinds{
    Kind::Point,   Kind::Line, Kind::Polyline, Kind::Angle,    Kind::Rectangle, Kind::Ellipse,
    Kind::Outline, Kind::Blob, Kind::Calliper, Kind::Envelope, Kind::Contrast,  Kind::Sensitivity};
std::string_view nameOf(Kind kind); ///< as in files: "point", "line", ...
bool isRegion(Kind kind);
bool isShape(Kind kind); ///< it has places; the others name shapes

/// How a calliper finds its two surfaces.
struct Surfaces {
    enum class Of {
        Peaks, ///< of the amplitude: thin reflectors
        Edges, ///< where the amplitude rises or falls most steeply: boundaries of a layer
    };
    struct Span {
        double from = 0.0;
        double to = 0.0;
        bool operator==(const Span&) const = default;
    };
    Of of = Of::Peaks;
    std::optional<Span> span = {}; ///< of depths that are searched, from < to; null: all
    double width = 0.0; ///< amplitudes are means over the lines so far across, one line at least
    double index = 1.0; ///< the thickness is the distance on the depth axis over this
    bool operator==(const Surfaces&) const = default;
};

struct Measurement {
    std::string name; ///< not empty, and different from all others
    Kind kind = Kind::Point;
    std::string view = {}; ///< the view of the pipeline that it lies on; empty: the first one
    /// Point: 1. Line: 2. Polyline: 2 or more. Angle: 3. Rectangle: two opposite corners. Ellipse:
    /// the centre, then the two half axes. Outline: 3 or more. Calliper: 1, in its column.
    /// Blob: 1. Envelope: two opposite corners, or none for the whole sonogram.
    std::vector<Place> places = {};
    std::optional<Place> nominal = {}; ///< Point: where it should lie; null: not known
    /// Point, Blob: how far away its brightest pixel may lie, in the image's unit
    double search = 1.0;
    double threshold = 6.0;     ///< Blob: its pixels reach so far below the brightest one [dB]
    Surfaces surfaces = {};     ///< Calliper
    std::string inside = {};    ///< Contrast: name of a region. Sensitivity: of a point, the mirror
    std::string outside = {};   ///< Contrast: name of another region. Sensitivity: of the noise
    double attenuationDb = 0.0; ///< Sensitivity: loss of the light's power to and from the mirror
    bool operator==(const Measurement&) const = default;
};

/// Those that lie on a view. `first`: it is the view that measurements without one lie on.
std::vector<Measurement> onView(const std::vector<Measurement>& all, const std::string& view,
                                bool first);

/// The corners of a shape, in the order in which they are joined; an ellipse by many corners, a
/// calliper by the ends of its span. Empty for what is no shape.
std::vector<Place> outlineOf(const Measurement& measurement);

/// One number.
struct Figure {
    std::string id;    ///< "lateral_width"
    std::string label; ///< "Lateral width at -6 dB"
    double value = 0.0;
    std::string unit; ///< "mm", "dB", or empty
};

struct Measured {
    std::string name;
    Kind kind = Kind::Point;
    std::vector<Figure> figures = {};
    std::string problem = {}; ///< one sentence: why there are no figures; or empty
    std::string note = {};    ///< one sentence: why the figures may mislead; or empty
    /// Lines that were found in the image and are drawn in place of the shape.
    std::vector<std::vector<Place>> traces = {};
};

/// The figures of one of `all`, which others of them may compare. Where it cannot be measured, its
/// problem is said.
Measured measureOne(const MeasuredImage& image, const Measurement& one,
                    const std::vector<Measurement>& all);
/// The same of each, in the order of the measurements.
std::vector<Measured> measureAll(const MeasuredImage& image,
                                 const std::vector<Measurement>& measurements);

/// The measurements as they are drawn: a calliper that has found its surfaces, `measured` by
/// measureAll(), is a polyline of the same name with a bar at each surface. An envelope is as many
/// polylines as it has traces, the first one with its name.
std::vector<Measurement> asDrawn(const std::vector<Measurement>& measurements,
                                 const std::vector<Measured>& measured);

} // namespace echolux::measure
