// SPDX-License-Identifier: GPL-3.0-or-later
// A look at shown frames. Whoever wants to see frames brings a look; the engine runs it.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/mailbox.hpp"
#include "gpu/stage/stage.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// An output of the frame that made the shown images, by name; see Runner::keptOutput(). Its data
/// is null where it is no longer there.
using KeptOutputs = std::function<ConstTensorView(std::string_view name)>;

/// What a look sees: the shown images, and the frame that made them.
struct LookFrame {
    SnapshotPtr snapshot;                    ///< the snapshot that made the images
    RawPlace raw;                            ///< the raw frame; empty: no longer there
    std::span<const ConstTensorView> images; ///< ready, f32, one per view; not empty
    std::int64_t bscan = 0;                  ///< number of the shown B-scan in the frame
    KeptOutputs kept;

    /// The amplitudes that the pipeline compresses; its data is null where there are none.
    ConstTensorView envelope() const {
        const StageState* stage = snapshot->findTap(Tap::Amplitude);
        return stage != nullptr ? kept(stage->id) : ConstTensorView{};
    }
};

/// Where a look works.
struct LookPlace {
    Backend backend;
    const FrameSpec& raw;       ///< the recording's frames; outlives the look
    std::function<void()> wake; ///< any thread: the look may be due
};

/// One per engine, on streams of its own. It is made on any thread and called by the pipeline's.
class Look {
public:
    Look() = default;
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;
    virtual ~Look() = default;

    /// Names of the outputs that run() asks LookFrame::kept for. A type of look may hide this.
    static std::vector<std::string> outputs(const Snapshot&) { return {}; }

    /// `newFrames`: those that the images show for the first time; 0: shown again after an edit.
    virtual void imageCame(std::int64_t newFrames) = 0;
    /// When it must run, provided that an image is shown. Null: nobody wants to see anything.
    virtual std::optional<Clock::time_point> due() const = 0;
    /// True where the asker is told at once that there is an answer.
    virtual bool run(const LookFrame& frame) = 0;
};

/// What an engine needs to know of a type of look. Its address identifies the type.
struct LookType {
    std::unique_ptr<Look> (*make)(const LookPlace&);
    std::vector<std::string> (*outputs)(const Snapshot&);
};
template <class L> inline constexpr LookType kLookType{
    [](const LookPlace& place) -> std::unique_ptr<Look> { return std::make_unique<L>(place); },
    &L::outputs};

using LookTypes = std::vector<const LookType*>;

/// The looks of a tool: `using Looks = LookList<PixelsLook>;`.
template <class... L> struct LookList {
    static LookTypes types() { return {&kLookType<L>...}; }
};

} // namespace echolux
