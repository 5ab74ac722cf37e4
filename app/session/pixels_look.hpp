// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of the shown image of one view, copied to the host when a tool asks for them.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/session/look/asked_look.hpp"
#include "gpu/memory/buffer.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

/// Of a volume the shown B-scan. `amplitudes` are of the stage before the levels of this view, see
/// stageBeforeLevels(): stages behind it may have changed them.
struct ImagePixels : CopiedPlane {
    std::size_t asked = 0; ///< number of the view
    /// The samples in beam space that scan conversion made the image of, see linesBehind().
    std::optional<CopiedPlane> lines = {};
};

/// Copies only when asked, on a stream of its own. Requests for different views are answered side
/// by side.
class PixelsLook : public Look {
public:
    explicit PixelsLook(const LookPlace& place);

    static std::vector<std::string> outputs(const Snapshot& snapshot);

    // Any thread.
    /// Asks for one copy of the image of view number `view`.
    void want(std::size_t view);
    /// Null before the first copy of that view. The same object until there is another.
    std::shared_ptr<const ImagePixels> latest(std::size_t view) const;
    /// Every request has been answered, as far as there are such views.
    bool isAnswered() const;

    void imageCame(std::int64_t newFrames) override;
    std::optional<Clock::time_point> due() const override;
    /// An image that was copied already is not copied again.
    bool run(const LookFrame& frame) override;

private:
    struct OfView : LookRequest<std::size_t, ImagePixels> {
        Buffer staging; ///< on the host
    };
    void copy(const LookFrame& frame, OfView& view);
    std::vector<float> hostCopy(const ShownPlane& plane, Buffer& staging);
    std::optional<CopiedPlane> linesOf(const LookFrame& frame, std::size_t view, Buffer& staging);

    std::function<void()> m_wake;
    std::array<OfView, kMostViews> m_views;
    std::atomic<bool> m_copies{false}; ///< set before a request is taken
    Backend m_backend;
    Stream m_stream;
};

} // namespace echolux
