// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a cine: pictures of one size, and the rate at which they are played.
#pragma once

#include "app/export/picture.hpp"
#include "app/export/subject.hpp"

namespace echolux {

class CineFrames {
public:
    /// Throws Error where such frames cannot be drawn. Adds remarks about what differs from the
    /// recording.
    CineFrames(const ExportSubject& subject, const OutputFiles& files);
    double framesPerSecond() const { return m_framesPerSecond; }
    QImage draw(std::span<const std::byte> frame) { return m_maker.draw(frame); }

private:
    PictureMaker m_maker;
    double m_framesPerSecond = 25.0;
};

} // namespace echolux
