// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of the shown image of one view, copied to the host when a tool asks for them.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/look_request.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

struct ImagePixels {
    std::size_t asked = 0; ///< number of the view
    FrameSpec spec;        ///< of one plane; of a volume the shown B-scan
    std::vector<float> values;
    /// Of the envelope, in the order of `values`. Empty where `values` are no levels, or have other
    /// axes. Stages behind the envelope may have changed them: see restoreLevels().
    std::vector<float> amplitudes;

    /// `values`, with levels beyond the displayed range where the amplitudes tell them.
    std::vector<float> wholeRange() const;
};

/// Copies only when asked, on a stream of its own. Tools ask a few times per second, and only while
/// they are in sight. Requests for different views are answered side by side.
class ShownPixels {
public:
    explicit ShownPixels(Backend backend);

    // Any thread.
    /// Asks for one copy of the image of view number `view`. Null takes all requests back.
    void want(std::optional<std::size_t> view);
    bool isWanted() const;
    /// Null before the first copy of that view. The same object until there is another.
    std::shared_ptr<const ImagePixels> latest(std::size_t view) const;

    // Pipeline thread.
    void imageCame();
    /// Answers the requests. An image that was copied already is not copied again.
    void copy(const ShownImage& shown);

private:
    struct OfView : LookRequest<std::size_t, ImagePixels> {
        using LookRequest::answer;
        using LookRequest::take;
        Buffer staging; ///< on the host
    };
    void copy(const ShownImage& shown, OfView& view);
    std::vector<float> hostCopy(const ShownPlane& plane, Buffer& staging);

    std::array<OfView, kMostViews> m_views;
    Backend m_backend;
    Stream m_stream;
};

} // namespace echolux
