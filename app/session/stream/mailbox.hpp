// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the newest processed image from the pipeline thread to the GL thread; neither waits for the
// other.
#pragma once

#include "app/session/stream/ring.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"
#include "render/interop/frame_supplier.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace echolux {

/// Where an image comes from.
struct ImageOrigin {
    std::int64_t frame = 0;   ///< in the recording
    std::uint64_t serial = 0; ///< grows with every processed image
    Clock::time_point
        arrived; ///< raw frame complete in host memory, or the edit that asked for a new image
    Clock::time_point processed; ///< image published
    Clock::time_point fetched;   ///< by the GL thread
    std::uint64_t edit = 0;      ///< the latest that it was made with, see Engine::edits()
};

/// An image on its way to the screen.
struct Image {
    Buffer pixels;
    Event ready;                           ///< the pipeline has written it
    Event consumed;                        ///< the GL thread's last read is over
    std::shared_ptr<const FrameSpec> spec; ///< of one B-scan
    std::int64_t bscans = 1;               ///< that it holds, one after the other
    ImageOrigin origin;
    Exposure exposure;
};

/// B-scans in one frame: its elevation axis, else one.
std::int64_t bscansIn(const FrameSpec& image);
/// One B-scan of a frame that holds several: the same without its elevation axis.
FrameSpec bscanSpec(const FrameSpec& image);

/// Policy: newest wins; an image that nobody fetched is replaced (it counts as processed, not as
/// shown).
class Mailbox final : public FrameSupplier {
public:
    /// Called on the GL thread when an image is on screen.
    using Presented = std::function<void(const ImageOrigin&)>;

    Mailbox(Backend backend, int images, Presented presented);
    ~Mailbox() override;

    /// Pipeline thread, nothing in flight: sets the size of all images; waits out a read in
    /// progress. Images of the former size go when the new ones are there; 0 releases them.
    void resize(std::size_t bytes);
    std::size_t imageBytes() const { return m_images.front().pixels.bytes(); }
    std::size_t imageCount() const { return m_images.size(); }
    /// Pipeline thread: an image to write after its `consumed` event. There is always one: `images`
    /// counts those in flight, plus one published and one being read.
    Image* beginWrite();
    void publish(Image* image);
    void abandon(Image* image);

    /// Any thread: which B-scan of frames that hold several is shown, also of the one on screen.
    void showBscan(std::int64_t bscan);
    std::int64_t chosenBscan(); ///< any thread: as showBscan() asked, in frames to come
    // Any thread: numbers in the recording of the image fetched last.
    std::int64_t shownFrame();
    std::int64_t shownBscan();
    std::uint64_t shownEdit(); ///< any thread: ImageOrigin::edit of that image

    const DisplayFrame* acquire() override;
    void release(device::Stream stream) override;
    void presented(std::uint64_t serial) override;
    /// Any thread: latency of the image that waits counts from here, for one that waited for its
    /// window.
    void restartLatency();

private:
    std::mutex m_mutex;
    std::condition_variable m_readDone;
    Backend m_backend;
    Presented m_presented;
    std::vector<Image> m_images;
    std::vector<Image*> m_free;
    Image* m_published = nullptr; ///< newest, not fetched yet
    Image* m_shown = nullptr;     ///< fetched last; kept for showBscan()
    bool m_reading = false;       ///< between acquire and release
    ImageOrigin m_acquired;
    std::int64_t m_bscan = 0; ///< of a frame; chosen
    DisplayFrame m_display;
};

} // namespace echolux
