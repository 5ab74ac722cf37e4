// SPDX-License-Identifier: GPL-3.0-or-later
// A sink receives the images of a view: a mailbox for the screen, a volume, a recorder.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/ring.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace echolux {

/// The format of a view's images from now on.
struct ImageFormat {
    SnapshotPtr snapshot;                   ///< the snapshot that makes the images
    std::shared_ptr<const FrameSpec> image; ///< the specification of one image; null: there are no
                                            ///< images

    std::shared_ptr<const FrameSpec> beneath = nullptr; ///< of the image that is drawn beneath;
                                                        ///< null: none
    bool moves = false; ///< images come with their motion, see motionOf()

    /// The format of view number `view`. It has no image where `snapshot` is null or has no such
    /// view.
    static ImageFormat of(const SnapshotPtr& snapshot, std::size_t view);
};

/// Consecutive frames of the recording that are imaged at once; usually a single one.
struct FrameRun {
    std::int64_t first = 0;    ///< number of the first one in the recording
    std::int64_t count = 1;    ///< images
    bool again = false;        ///< the shown frame is imaged again after an edit
    std::int64_t ensemble = 1; ///< frames that make one image
    std::uint64_t edit = 0;    ///< the latest edit that the images contain, see Engine::edits()

    std::int64_t frames() const { return count * ensemble; }
    std::int64_t last() const { return first + frames() - 1; }
};

/// The images of a FrameRun in compute memory, one after the other.
struct RunImages {
    const float* pixels = nullptr;
    std::int64_t each = 0; ///< pixels of one image
    /// The last frame's image of the view beneath; null where the view has none.
    const float* beneath = nullptr;
    /// The last frame's motion, see motionOf(); null where the view has none.
    std::array<const float*, 2> motion{};

    const float* image(std::int64_t number) const { return pixels + number * each; }
};

/// The pipeline thread alone calls a sink; only destruction may happen elsewhere. Every image waits
/// while a call waits. So no call waits for a disk or a queue, and only configure() waits for the
/// device or allocates. An exception of a call is reported and freezes playback, as an exception of
/// a stage does. The sink stays in the list.
///
/// For each run of frames (mostly a single frame) the pipeline calls begin(), take() and done().
/// Several runs may be between begin() and done() at once; they are done in the order in which they
/// began. Frames of a sweep do not come here: VolumeSweep receives them.
class ImageSink {
public:
    virtual ~ImageSink() = default;

    // No frame is between begin() and done() while these are called.
    /// Compute memory that configure() will need in addition to what the sink holds already.
    virtual std::size_t bytesFor(const ImageFormat& format) const;
    /// Called after every edit, even where the format stays the same. Without an image the sink
    /// gives its memory back: the view has gone, or the engine is suspended. Throws Error
    /// (OutOfMemory) where the format is impossible; then configure() with the former format
    /// follows.
    virtual void configure(const ImageFormat& format) = 0;

    /// Frames are about to be enqueued. A sink may lend memory for their image (of a run, the last
    /// one). The pipeline writes the image there if it can. The sink leaves this memory unchanged
    /// until the next frames are done.
    virtual ViewTarget begin() { return {}; }
    /// The images have been enqueued on `exec`, so the sink may enqueue reads of them there. A sink
    /// that lent memory copies the last image there if the pipeline wrote it elsewhere.
    virtual void take(const Exec& exec, const FrameRun& frames, const RunImages& images) = 0;
    /// All work that take() enqueued has run. `serial` grows with every image that is done.
    virtual void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) = 0;
    /// Frames that began and are not done will never be done.
    virtual void abandon() {}

    /// True where catchUp() has something to do. Any thread may have caused it.
    virtual bool hasWork() const { return false; }
    /// Called when no frame waits: does work that was put off. False where there was none.
    virtual bool catchUp() { return false; }
};

} // namespace echolux
