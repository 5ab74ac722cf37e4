// SPDX-License-Identifier: GPL-3.0-or-later
// What the axes of a frame are on screen: which lies across and which down, in which unit, with
// which words.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "render/view/ticks.hpp"
#include "render/view/view_transform.hpp"

#include <optional>
#include <string>

namespace echolux {

/// View units are millimetres, degrees, microseconds or plain indices: what ViewTransform counts
/// in. Labels
/// may use a smaller unit, see Lengths: micrometres where the whole axis is shorter than 5 mm.
struct ScreenAxis {
    AxisName axis = AxisName::Sample;
    std::string name;    ///< "depth", "angle", "time", or what plain indices count, see Counted
    std::string unit;    ///< "mm", "µm", "deg", "µs"; empty for plain indices
    bool metric = false; ///< a length, so that it may be drawn true to scale
    double viewPerAxis = 1.0;  ///< view units per unit of the axis
    double labelPerView = 1.0; ///< label units per view unit
    double labelOfZero = 0.0;  ///< lines, B-scans, frames and channels count from 1, depths from 0
    double first = 0.0;        ///< edges of the first and the last sample, in view units
    double last = 1.0;
    double sample = 1.0; ///< spacing in view units

    std::string title() const; ///< "depth (µm)", "A-scan"
    /// In label units, for a range in view units; indices have no ticks between whole numbers.
    Ticks ticks(double from, double to, double minStep) const;
    std::string format(double place) const; ///< number alone, from view units
    double placeOf(double label) const { return (label - labelOfZero) / labelPerView; }
    double labelAt(double place) const { return place * labelPerView + labelOfZero; }
};

/// Labels of lengths: of echoes always millimetres, else micrometres along short axes.
enum class Lengths { ByExtent, Millimetres };
Lengths lengthsOf(const FrameSpec& image);

/// What an axis without scale counts: A-scans, B-scans and bins of the transform where light made
/// the image, lines, planes and samples where sound did or somebody recorded the image.
enum class Counted { OfLight, OfEchoes };
Counted countedOf(const FrameSpec& image);

ScreenAxis screenAxis(const Axis& axis, Lengths lengths = Lengths::ByExtent,
                      Counted counted = Counted::OfLight);
/// As `image`, to which it belongs, has it.
ScreenAxis screenAxis(const Axis& axis, const FrameSpec& image);

/// Depth points down in either order of memory: [depth][lateral] is drawn row by row, and
/// [lateral][depth], where each line is whole, transposed.
struct Picture {
    ScreenAxis across;
    ScreenAxis down;
    bool transposed = false;
    std::optional<double> zeroDelay; ///< place of depth 0 in OCT images that hold it
    bool beamSpace = false; ///< across are lines, not lengths; down is the range along them

    Rect extent() const { return {across.first, down.first, across.last, down.last}; }
    Vec2 sample() const { return {across.sample, down.sample}; }
    Aspect aspect() const { return across.metric && down.metric ? Aspect::True : Aspect::Fill; }
    /// One sentence in beam space, where lengths cannot be measured; else empty.
    std::string whyNoLengths() const;
    std::string placeText(Vec2 place) const; ///< "3.20, 14.70 mm", "A-scan 12, 431.0 µm"
    /// Whether a place in one, in view units, is the same place in the other: both directions have
    /// the same axis, counted in the same unit.
    bool sameAxes(const Picture& other) const;
};

bool drawnTransposed(const FrameSpec& image);
/// Precondition: an image, two axes.
Picture pictureOf(const FrameSpec& image);

} // namespace echolux
