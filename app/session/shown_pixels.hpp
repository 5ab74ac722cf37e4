// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of the shown image of one view, copied to the host when a tool asks for them.
#pragma once

#include "app/session/column/picked_column.hpp"
#include "app/session/look_request.hpp"

#include <cstddef>
#include <vector>

namespace echolux {

struct ImagePixels {
    std::size_t asked = 0; ///< number of the view
    FrameSpec spec;        ///< of one plane; of a volume the shown B-scan
    std::vector<float> values;
};

/// Copies only when asked, on a stream of its own. Tools ask a few times per second, and only while
/// they are in sight.
class ShownPixels : public LookRequest<std::size_t, ImagePixels> {
public:
    explicit ShownPixels(Backend backend);

    /// Pipeline thread. Answers the request. An image that was copied already is not copied again.
    void copy(const ShownImage& shown);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_staging;
};

} // namespace echolux
