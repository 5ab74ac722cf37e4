// SPDX-License-Identifier: GPL-3.0-or-later
// Opens one part after the other.
#include "app/export/parts_recording.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {

std::int64_t firstStored(const PartHead& head) {
    return head.range.first / head.ensemble * head.perWindow;
}

PartsRecording::PartsRecording(std::vector<NamedPart> parts, const FrameSpec& frame,
                               const RecordingInfo& like)
    : m_parts(std::move(parts)), m_next(firstStored(m_parts.front().head)), m_end(m_next) {
    const PartHead& head = m_parts.front().head;
    m_info.path = like.path;
    m_info.format = "parts";
    m_info.frame = frame;
    m_info.frameRateHz = like.frameRateHz;
    m_info.frameCount = head.recordingFrames / head.ensemble * head.perWindow;
}

void PartsRecording::readFrame(std::int64_t index, std::span<std::byte> out) {
    if (index != m_next)
        throw Error(fmt::format("Frame {} of parts is read out of order.", index + 1));
    if (m_next == m_end) {
        const NamedPart& part = m_parts.at(m_nextPart++);
        m_open.emplace(part.path);
        m_end += m_open->head().frames();
        if (m_open->head().range.first != part.head.range.first ||
            m_open->head().frames() != part.head.frames())
            throw fileError(part.path, "it has changed meanwhile; join the parts again");
    }
    m_open->next(out);
    ++m_next;
}

} // namespace echolux
