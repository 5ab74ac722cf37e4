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
    std::int64_t frame = 0;    ///< in the recording
    std::uint64_t serial = 0;  ///< grows with every processed image
    Clock::time_point arrived; ///< when the raw frame was complete in host memory, or when the edit
                               ///< came that asked for a new image
    Clock::time_point processed; ///< when the image was published
    Clock::time_point fetched;   ///< when the GL thread acquired it
    std::uint64_t edit = 0;      ///< the latest edit that the image contains, see Engine::edits()
};

/// An image on its way to the screen.
struct Image {
    Buffer pixels;
    Event ready;                                  ///< passes when the pipeline has written it
    Event consumed;                               ///< passes when the GL thread's last read is over
    std::shared_ptr<const FrameSpec> spec;        ///< of one B-scan
    std::int64_t bscans = 1;                      ///< B-scans in `pixels`, one after the other
    Buffer beneath;                               ///< an image of the same frame, drawn beneath
    std::shared_ptr<const FrameSpec> beneathSpec; ///< of one B-scan; null: nothing is beneath
    Buffer motion;                                ///< see DisplayFrame::motion
    bool moves = false;                           ///< `motion` is of this frame
    ImageOrigin origin;
    Exposure exposure;
};

/// Sizes of the buffers of an image.
struct ImageBytes {
    std::size_t pixels = 0;
    std::size_t beneath = 0;
    std::size_t motion = 0;
    std::size_t sum() const { return pixels + beneath + motion; }
    bool operator==(const ImageBytes&) const = default;
};

/// Number of B-scans in one frame: the size of its elevation axis, else 1.
std::int64_t bscansIn(const FrameSpec& image);
/// The specification of one B-scan: `image` without its elevation axis.
FrameSpec bscanSpec(const FrameSpec& image);

/// Policy: the newest image wins. An image that the GL thread has not acquired is replaced; it
/// counts as processed, not as shown.
class Mailbox final : public FrameSupplier {
public:
    /// Called on the GL thread when an image is on screen.
    using Presented = std::function<void(const ImageOrigin&)>;

    Mailbox(Backend backend, int images, Presented presented);
    ~Mailbox() override;

    /// Pipeline thread, with no frame in flight: sets the size of all images. Waits until a read in
    /// progress has ended. Images of the former size are freed after the new ones exist; 0 frees
    /// them all.
    void resize(const ImageBytes& bytes);
    ImageBytes imageBytes() const;
    std::size_t imageCount() const { return m_images.size(); }
    /// Pipeline thread: returns an image to write to after its `consumed` event. There always is
    /// one, because `images` is the number in flight plus one published and one being read.
    Image* beginWrite();
    void publish(Image* image);
    void abandon(Image* image);

    /// Any thread: chooses which B-scan of a frame is shown, also of the frame on screen.
    void showBscan(std::int64_t bscan);
    std::int64_t chosenBscan(); ///< any thread: the choice of showBscan() for the next frames
    // Any thread: numbers in the recording of the image acquired last.
    std::int64_t shownFrame();
    std::int64_t shownBscan();
    std::uint64_t shownEdit();  ///< any thread: ImageOrigin::edit of that image
    std::uint64_t shownImage(); ///< any thread: ImageOrigin::serial of that image

    const DisplayFrame* acquire() override;
    void release(device::Stream stream) override;
    void presented(std::uint64_t serial) override;
    /// Any thread: the latency of the published image counts from now. For an image that waited for
    /// its window to open.
    void restartLatency();

private:
    std::mutex m_mutex;
    std::condition_variable m_readDone;
    Backend m_backend;
    Presented m_presented;
    std::vector<Image> m_images;
    std::vector<Image*> m_free;
    Image* m_published = nullptr; ///< the newest, not acquired yet
    Image* m_shown = nullptr;     ///< acquired last; kept for showBscan()
    bool m_reading = false;       ///< between acquire and release
    ImageOrigin m_acquired;
    std::int64_t m_bscan = 0; ///< chosen B-scan of a frame
    DisplayFrame m_display;
};

} // namespace echolux
