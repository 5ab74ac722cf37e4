// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a frame on screen: which is horizontal and which vertical, with which unit and name.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "render/view/ticks.hpp"
#include "render/view/view_transform.hpp"

#include <optional>
#include <string>

namespace echolux {

/// View units are those of ViewTransform: millimetres, degrees, microseconds or plain indices.
/// Labels may use a smaller unit: micrometres where the whole axis is shorter than 5 mm, see
/// Lengths.
struct ScreenAxis {
    AxisName axis = AxisName::Sample;
    std::string name;    ///< "depth", "angle", "time", or the name of what plain indices count, see
                         ///< Counted
    std::string unit;    ///< "mm", "µm", "deg", "µs", "ms", "s", "cm/s"; empty for plain indices
    bool metric = false; ///< it is a length and can be drawn to scale
    double viewPerAxis = 1.0;  ///< view units per unit of the axis; negative for velocities, which
                               ///< grow upwards
    double labelPerView = 1.0; ///< label units per view unit; negative where labels grow upwards
    double labelOfZero = 0.0;  ///< label at view position 0: lines, B-scans, frames and channels
                               ///< count from 1, depths from 0
    double first = 0.0;        ///< outer edges of the first and the last sample, in view units
    double last = 1.0;
    double sample = 1.0; ///< spacing in view units

    std::string title() const; ///< "depth (µm)", "A-scan"
    /// Ticks in label units for a range in view units. Indices have no ticks between whole numbers.
    Ticks ticks(double from, double to, double minStep) const;
    std::string format(double place) const; ///< the label's number for a position in view units
    double placeOf(double label) const { return (label - labelOfZero) / labelPerView; }
    double labelAt(double place) const { return place * labelPerView + labelOfZero; }
};

/// Unit of length labels: always millimetres for ultrasound, else micrometres along short axes.
enum class Lengths { ByExtent, Millimetres };
Lengths lengthsOf(const FrameSpec& image);

/// What an axis without a scale counts. In OCT images (OfLight): A-scans, B-scans and bins of the
/// transform. In ultrasound images and recorded images (OfEchoes): lines, planes and samples.
enum class Counted { OfLight, OfEchoes };
Counted countedOf(const FrameSpec& image);

ScreenAxis screenAxis(const Axis& axis, Lengths lengths = Lengths::ByExtent,
                      Counted counted = Counted::OfLight);
/// The screen axis of an axis of `image`.
ScreenAxis screenAxis(const Axis& axis, const FrameSpec& image);

/// How an image is drawn. Depth points down in either order of memory: [depth][lateral] is drawn
/// row by row, [lateral][depth] is drawn transposed.
struct Picture {
    ScreenAxis across;
    ScreenAxis down;
    bool transposed = false;
    std::optional<double> zeroDelay; ///< position of depth 0, in OCT images that contain it
    bool beamSpace = false; ///< the horizontal axis counts lines, the vertical axis is the range
                            ///< along them

    Rect extent() const { return {across.first, down.first, across.last, down.last}; }
    Vec2 sample() const { return {across.sample, down.sample}; }
    Aspect aspect() const { return across.metric && down.metric ? Aspect::True : Aspect::Fill; }
    /// In beam space one sentence, because lengths cannot be measured there; else empty.
    std::string whyNoLengths() const;
    std::string placeText(Vec2 place) const; ///< "3.20, 14.70 mm", "A-scan 12, 431.0 µm"
    /// True where a position in view units is the same place in both pictures: both directions have
    /// the same axis in the same unit.
    bool sameAxes(const Picture& other) const;
};

bool drawnTransposed(const FrameSpec& image);
/// Precondition: the frame is an image with two axes.
Picture pictureOf(const FrameSpec& image);

} // namespace echolux
