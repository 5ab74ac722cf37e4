// SPDX-License-Identifier: GPL-3.0-or-later
// Images as pictures: levels to colours, pixels to squares, bars and axes beside them.
#pragma once

#include "app/export/export.hpp"
#include "app/session/offline/offline.hpp"

#include <QImage>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// The middle [depth][lateral] of [elevation][depth][lateral], or [lateral][depth] likewise.
HostFrameData middleSlice(const HostFrameData& volume);

/// As [depth][lateral], or [sample][channel], whichever way it was computed.
HostFrameData depthDown(HostFrameData frame);

/// What is shown from black to white where nobody chose: the frame's own range, else its smallest
/// and largest value.
ValueRange shownRange(const HostFrameData& frame);
/// "-8 to 32 dB re 1 code".
std::string levelsOf(const ValueRange& range);

/// From black (0) to white (65535).
std::uint16_t greyOf(double value, const ExportLook& look, const ValueRange& range);

/// Pixels of a picture's side at the true aspect; more than what picture files take is refused.
int sideOf(const Axis& axis, double pixelM);

/// At the true aspect: the coarser axis is stretched, so that pixels of the picture are square.
/// Throws Error where `frame`, depth down, is no image of f32.
QImage toPicture(const HostFrameData& frame, const ExportLook& look, const ValueRange& range);

/// With what the look asks for: axes, a scale bar, a colour bar. `image` is the frame, depth down.
/// Throws Error where there are labels to draw and no QGuiApplication.
QImage withMarks(const QImage& picture, const FrameSpec& image, const ExportLook& look,
                 const ValueRange& range);

/// Draws frames of a kind alike: the range is that of the first one where nothing else says it.
class PictureMaker {
public:
    /// Throws Error where such frames cannot be drawn.
    PictureMaker(FrameSpec frame, ExportLook look);
    /// A sentence where only a part of a frame is shown; else empty.
    std::string remark() const;
    /// f32, depth down, of a volume the middle slice.
    HostFrameData imageOf(std::span<const std::byte> frame) const;
    const ValueRange& rangeFor(const HostFrameData& image);
    QImage draw(std::span<const std::byte> frame);

private:
    FrameSpec m_frame;
    ExportLook m_look;
    std::optional<ValueRange> m_range;
};

} // namespace echolux
