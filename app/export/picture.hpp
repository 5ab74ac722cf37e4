// SPDX-License-Identifier: GPL-3.0-or-later
// Makes pictures of images: levels become colours, pixels become squares, bars and axes are added.
#pragma once

#include "app/export/export.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/pixels_look.hpp"
#include "render/view/colour_map.hpp"

#include <QImage>
#include <QRectF>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

class QPainter;

namespace echolux {

struct ScreenAxis;

/// The middle slice [depth][lateral] of [elevation][depth][lateral], or [lateral][depth] of
/// [elevation][lateral][depth].
HostFrameData middleSlice(const HostFrameData& volume);

/// The frame with depth along the first axis: [depth][lateral] or [sample][channel], whatever its
/// order was.
HostFrameData depthDown(HostFrameData frame);

/// A copied image as a frame of f32, with depth along the first axis.
HostFrameData imageOf(const CopiedPlane& copied);

/// The range from black to white by default: the frame's own range, else its smallest and largest
/// value.
ValueRange shownRange(const HostFrameData& frame);
/// "-8 to 32 dB re 1 code".
std::string levelsOf(const ValueRange& range);

/// From the darkest to the brightest level of the look.
std::array<QRgb, ColourMap::kEntries> coloursOf(const ExportLook& look);

/// The grey level of a value: black is 0, white is 65535.
std::uint16_t greyOf(double value, const ExportLook& look, const ValueRange& range);

/// Number of pixels along a side at the true aspect. Throws Error where picture files cannot hold
/// that many.
int sideOf(const Axis& axis, double pixelM);

/// Draws at the true aspect: the coarser axis is stretched, so that the picture's pixels are
/// square. `frame` has depth along the first axis. Pixels without data get the colour `gap`. Throws
/// Error where it is no image of f32.
QImage toPicture(const HostFrameData& frame, const ExportLook& look, const ValueRange& range,
                 std::uint32_t gap = 0);

/// Adds what the look says: axes, a scale bar, a colour bar. `image` has depth along the first
/// axis. Throws Error where labels must be drawn and there is no QGuiApplication.
QImage withMarks(const QImage& picture, const FrameSpec& image, const ExportLook& look,
                 const ValueRange& range);

/// Draws a bar of a round length, about a third of the image, with its length, into the lower left
/// corner of `image`, which shows all of `across`. Nothing where that is no length. `line`: height
/// of the labels.
void paintScaleBar(QPainter& painter, const QRectF& image, const ScreenAxis& across, double line);

/// The picture of the look's size, with its marks. `image` has depth along the first axis. Throws
/// as toPicture() and withMarks(), and where files cannot hold that size.
QImage finishedPicture(const HostFrameData& image, const ExportLook& look, const ValueRange& range);

/// Draws frames of one kind with the same range. It is the range of the first frame where nothing
/// else says it.
class PictureMaker {
public:
    /// Throws Error where such frames cannot be drawn.
    PictureMaker(FrameSpec frame, ExportLook look);
    /// A sentence where only a part of each frame is shown; else empty.
    std::string remark() const;
    /// The image of a frame as f32 with depth along the first axis; of a volume the middle slice.
    HostFrameData imageOf(std::span<const std::byte> frame) const;
    const ValueRange& rangeFor(const HostFrameData& image);
    QImage draw(std::span<const std::byte> frame);

private:
    FrameSpec m_frame;
    ExportLook m_look;
    std::optional<ValueRange> m_range;
};

} // namespace echolux
