// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever takes the images of a view: a mailbox for the screen, a volume, a recorder.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/stream/ring.hpp"

#include <cstdint>
#include <memory>

namespace echolux {

/// What the images of a view are like from here on.
struct ImageFormat {
    SnapshotPtr snapshot;                   ///< that makes them
    std::shared_ptr<const FrameSpec> image; ///< a part of it; null: there are none

    /// Of view number `view`; of none where `snapshot` is null or has no such view.
    static ImageFormat of(const SnapshotPtr& snapshot, std::size_t view);
};

/// Frames of the recording that follow one another and are imaged at once; mostly a single one.
struct FrameRun {
    std::int64_t first = 0;    ///< number in the recording
    std::int64_t count = 1;    ///< images
    bool again = false;        ///< the shown frame once more, after an edit
    std::int64_t ensemble = 1; ///< frames of each image
    std::uint64_t edit = 0;    ///< the latest that they were made with, see Engine::edits()

    std::int64_t frames() const { return count * ensemble; }
    std::int64_t last() const { return first + frames() - 1; }
};

/// Their images in compute memory, one after the other.
struct RunImages {
    const float* pixels = nullptr;
    std::int64_t each = 0; ///< pixels of one image

    const float* image(std::int64_t number) const { return pixels + number * each; }
};

/// Called by the pipeline thread alone, but for destruction. Whatever a call waits for, every image
/// waits for: none waits for a disk or a queue, none but configure() for the device, and none but
/// that one allocates. What one throws is told and freezes playback, as what a stage throws is; the
/// sink stays in the list.
///
/// Frames of a run travel as one: begin(), take(), then done(). Several are on their way at once,
/// and they are done in the order in which they began. Frames of a sweep do not come here: they go
/// to whoever asked for the sweep.
class ImageSink {
public:
    virtual ~ImageSink() = default;

    // Nothing on its way.
    /// Compute memory that configure() will need beside what is held already.
    virtual std::size_t bytesFor(const ImageFormat& format) const;
    /// After every edit, also one that leaves the format as it was. No image: memory is given back,
    /// for the view has gone or the engine is suspended. Throws Error (OutOfMemory) where it
    /// cannot be; the former format follows then.
    virtual void configure(const ImageFormat& format) = 0;

    /// Frames are about to be enqueued. A sink may lend memory for their (last) image, which the
    /// pipeline then makes there if it can; that stays as it is until the frames after these are
    /// done.
    virtual ViewTarget begin() { return {}; }
    /// The images have been enqueued on `exec`, and so may be whatever reads them. A sink that lent
    /// its memory copies the last one there where it lies elsewhere.
    virtual void take(const Exec& exec, const FrameRun& frames, const RunImages& images) = 0;
    /// All that take() enqueued has run. `serial` grows with every image that is done.
    virtual void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) = 0;
    /// Whatever began and is not done never will be.
    virtual void abandon() {}

    /// Work for catchUp() has come since; any thread may have brought it.
    virtual bool hasWork() const { return false; }
    /// No frame waits: does what was put off. False where there was nothing.
    virtual bool catchUp() { return false; }
};

} // namespace echolux
