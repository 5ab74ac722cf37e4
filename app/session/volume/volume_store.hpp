// SPDX-License-Identifier: GPL-3.0-or-later
// Collects processed B-scans in a volume in compute memory, keeps its en face image, and hands both
// to the GL thread.
#pragma once

#include "app/session/stream/image_sink.hpp"
#include "app/session/stream/mailbox.hpp"
#include "app/session/volume/made_volume.hpp"
#include "app/session/volume/side_plane.hpp"
#include "app/session/volume/volume_rows.hpp"
#include "render/interop/volume_supplier.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// What the en face image shows. Depths are in the unit of the depth axis (metres, or bins).
struct EnFaceView {
    Projection projection = Projection::Maximum;
    double nearest = 0.0; ///< first depth; where nearest > deepest, all depths are shown
    double deepest = -1.0;
    bool operator==(const EnFaceView&) const = default;
};

/// BscanLayout says which B-scans a frame holds. B-scan number n of the recording is B-scan n
/// modulo the number of places of the volume. Of several images of one place the last one stays. A
/// frame that is a whole ultrasound volume fills all of it. Voxels are [elevation][lateral][depth],
/// whatever the order of the images.
///
/// Threads. The pipeline thread writes and the GL thread reads; neither copies a voxel to the host.
/// A write is enqueued on the stream of its frame. Events order it after the write before it and
/// after the last read. While a write is being enqueued, acquire() returns null. While the reader
/// holds the volume, write() waits: on CUDA while the reader enqueues copies, on the CPU while it
/// copies what has changed. Only configure() allocates memory.
class VolumeStore final : public VolumeSupplier, public ImageSink {
public:
    using Changed = std::function<void()>;

    /// `changed` may be null. announce() calls it on the pipeline thread.
    explicit VolumeStore(Backend backend, Changed changed = {});
    /// `memoryLimit` returns the bytes that the voxels may take at the moment.
    VolumeStore(Backend backend, Changed changed, std::function<std::size_t()> memoryLimit);
    ~VolumeStore() override;

    /// setEnFace() and showSide() call `wished`. To be set before they are called.
    void onWish(Changed wished) { m_onWish = std::move(wished); }

    // Pipeline thread.
    /// Prepares for images like `image`, see madeVolume(). Called with no frame in flight. A volume
    /// of the same shape keeps its content. A volume that does not fit into memory leaves the store
    /// empty, and problem() says so. It is tried again only with another shape or when more memory
    /// is free.
    void configure(const FrameSpec& image, const VolumeStack& stack, std::int64_t ensemble = 1);
    /// Enqueues on `exec`: writes the B-scans of `images` images, the first of them made from frame
    /// `frame` of the recording on, into the volume and updates their rows of the en face image.
    /// `pixels` are f32 in compute memory. They must not be more B-scans than the volume has. Does
    /// nothing where there is no volume.
    void write(const Exec& exec, const float* pixels, std::int64_t frame, std::int64_t images = 1);
    /// The same for a frame that is not shown, for those of its B-scans that are in `wanted`.
    void fill(const Exec& exec, const float* pixels, std::int64_t frame, const BscanSpan& wanted);
    /// Which B-scans are there and which are missing.
    const VolumeRows& rows() const { return m_held; }
    void outdate() { m_held.outdate(); } ///< see VolumeRows::outdate()
    // As an ImageSink. Each configure() marks the volume's content as outdated.
    void configure(const ImageFormat& format) override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun&, std::uint64_t, Clock::time_point) override;
    /// Does what was requested or put off.
    bool catchUp() override;

    /// Tells that the content, the en face image, spec() or problem() has changed.
    void announce() const;

    // Any thread.
    void setEnFace(const EnFaceView& view); ///< takes effect at the next write() or catchUp()
    EnFaceView enFaceView() const;
    /// Shows the plane of elevation and depth at `lateral`, in the axis' unit; null: none. Takes
    /// effect at the next write() or catchUp().
    void showSide(std::optional<double> lateral);
    /// True where setEnFace() or showSide() has not taken effect yet.
    bool hasWork() const override { return m_viewChanged || m_side.hasMoved(); }
    bool active() const; ///< the recording makes a volume, and it fits into memory
    /// Specification with the axes elevation, lateral, depth; empty while not active().
    std::optional<FrameSpec> spec() const;
    std::string problem() const; ///< one sentence where a volume would not fit; else empty
    std::int64_t newestBscan() const { return m_newest; } ///< in the volume; -1 before the first
    std::uint64_t volumesDone() const { return m_volumes; }

    // GL thread.
    Mailbox& enFace() { return m_enFace; }      ///< images [elevation][lateral]
    Mailbox& side() { return m_side.images(); } ///< images [elevation][depth]
    const DisplayVolume* acquire() override;
    void release(device::Stream stream) override;
    void offerAgain() override;

private:
    bool mayFitNow() const;
    void claim();
    void allocate(const VolumeShape& shape);
    void writeRows(const Exec& exec, const float* pixels, const BscanSpan& bscans);
    void store(const Exec& exec, const float* pixels, const BscanSpan& bscans);
    void beginWrite();
    void endWrite(std::int64_t first, std::int64_t count);
    void project(const Exec& exec);
    void followFilling();
    void publishEnFace(const Exec& exec);
    BinWindow binWindow(const EnFaceView& view) const;

    Backend m_backend;
    Changed m_onChange;
    Changed m_onWish;
    std::function<std::size_t()> m_memoryLimit;
    Mailbox m_enFace;
    SidePlane m_side;

    // Pipeline thread only.
    Stream m_stream; ///< for catchUp()
    Event m_written; ///< passes when the last write has run; the GL thread's stream waits for it
    Buffer m_voxels;
    Buffer m_rows; ///< the en face image
    VolumeRows m_held;
    VolumeShape m_shape;                           ///< empty where m_asked was refused
    MadeVolume m_asked;                            ///< volume of the images that come
    std::optional<std::size_t> m_refusedAt;        ///< memory limit at the refusal
    FrameSpec m_spec;                              ///< of the volume
    std::shared_ptr<const FrameSpec> m_enFaceSpec; ///< of the en face image
    BinWindow m_window;
    Projection m_projection = Projection::Maximum;
    Exposure m_exposure;            ///< of the en face image
    std::uint64_t m_fillings = 0;   ///< version of the volume's Exposure
    std::int64_t m_nextFilling = 1; ///< number of filled rows at which both versions change next
    bool m_configured = false;      ///< configure() has not been announced yet
    bool m_unpublished = false;     ///< rows are newer than the published en face image
    Clock::time_point m_published;
    std::uint64_t m_enFaceSerial = 0;
    std::atomic<std::int64_t> m_newest{-1};
    std::atomic<std::uint64_t> m_volumes{0};
    std::atomic<bool> m_viewChanged{false};

    mutable std::mutex m_mutex; ///< guards what follows; never held while anything is computed
    std::condition_variable m_readDone;
    bool m_reading = false;
    bool m_writing = false;
    bool m_active = false;
    std::string m_problem;
    EnFaceView m_view;
    Event m_read;              ///< passes when the reader's last read has run
    std::vector<bool> m_dirty; ///< per B-scan: changed since the last acquire()
    bool m_anyDirty = false;
    std::vector<BscanRange> m_changed; ///< changed parts of the acquired volume
    DisplayVolume m_display;
};

} // namespace echolux
