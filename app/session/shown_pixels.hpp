// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of the shown image of one view, copied to the host when a tool asks for them.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/look_request.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace echolux {

/// One image, or one plane of a volume.
struct CopiedPlane {
    FrameSpec spec;
    std::vector<float> values;
    /// What `values` were before they became levels, in the same order. Empty where `values` are no
    /// levels, or where it is not known. See restoreLevels().
    std::vector<float> amplitudes = {};

    /// `values`, with levels beyond the displayed range where the amplitudes tell them.
    std::vector<float> wholeRange() const;
};

/// Of a volume the shown B-scan. `amplitudes` are of the envelope: stages behind it may have
/// changed them.
struct ImagePixels : CopiedPlane {
    std::size_t asked = 0; ///< number of the view
    /// The samples in beam space that scan conversion made the image of, see linesBehind().
    std::optional<CopiedPlane> lines = {};
};

/// An output of the frame that made the shown image, by name; see Runner::keptOutput(). Its data is
/// null where it is no longer there.
using KeptOutputs = std::function<ConstTensorView(std::string_view name)>;

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
    void copy(const ShownImage& shown, const KeptOutputs& kept);

private:
    struct OfView : LookRequest<std::size_t, ImagePixels> {
        using LookRequest::answer;
        using LookRequest::take;
        Buffer staging; ///< on the host
    };
    void copy(const ShownImage& shown, const KeptOutputs& kept, OfView& view);
    std::vector<float> hostCopy(const ShownPlane& plane, Buffer& staging);
    std::optional<CopiedPlane> linesOf(const Snapshot& snapshot, std::size_t view,
                                       const KeptOutputs& kept, Buffer& staging);

    std::array<OfView, kMostViews> m_views;
    Backend m_backend;
    Stream m_stream;
};

} // namespace echolux
