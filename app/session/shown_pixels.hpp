// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of the shown image of one view, copied to the host when a tool asks for them.
#pragma once

#include "app/session/column/picked_column.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace echolux {

struct ImagePixels {
    std::size_t view = 0;
    std::int64_t frame = 0; ///< in the recording
    FrameSpec spec;         ///< of one plane; of a volume the shown B-scan
    std::vector<float> values;
};

/// Copies only when asked, each time once, on a stream of its own. Tools ask a few times per
/// second, and only while they are in sight.
class ShownPixels {
public:
    explicit ShownPixels(Backend backend);

    // Any thread.
    /// Asks for one copy of the image of this view that is shown by then. Null takes an unanswered
    /// request back.
    void want(std::optional<std::size_t> view);
    bool isWanted() const;
    /// The latest copy; null before the first one. The same object until there is another.
    std::shared_ptr<const ImagePixels> latest() const;

    // Pipeline thread.
    void imageCame() { m_stale = true; }
    /// Answers the request. An image that was copied already is not copied again.
    void copy(const ShownImage& shown);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_staging;
    bool m_stale = true;       ///< an image has come since the latest copy
    std::int64_t m_bscan = -1; ///< that was copied

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<std::size_t> m_wanted;
    std::shared_ptr<const ImagePixels> m_latest;
};

} // namespace echolux
