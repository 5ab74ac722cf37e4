// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of parts as a recording, for the stages behind the cut.
#pragma once

#include "app/export/part_agreement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace echolux {

/// Has as many frames as there would be of the whole recording, but can read those of its parts
/// alone, once and in order.
class PartsRecording : public Recording {
public:
    /// `parts` agree and follow each other. `frame`: what a stored frame is. `like`: the recording
    /// that the parts are of.
    PartsRecording(std::vector<NamedPart> parts, const FrameSpec& frame, const RecordingInfo& like);
    void readFrame(std::int64_t index, std::span<std::byte> out) override;

private:
    std::vector<NamedPart> m_parts;
    std::size_t m_nextPart = 0;
    std::optional<PartFile> m_open; ///< one at a time: there may be more parts than open files
    std::int64_t m_next = 0;        ///< the frame that can be read
    std::int64_t m_end = 0;         ///< behind the open part
};

/// The number of a part's first stored frame in a PartsRecording.
std::int64_t firstStored(const PartHead& head);

} // namespace echolux
