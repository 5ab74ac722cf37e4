// SPDX-License-Identifier: GPL-3.0-or-later
// Collects processed B-scans into a volume in compute memory and keeps its en face image; hands
// both to the GL thread.
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
#include <vector>

namespace echolux {

/// What the en face image shows. Depths are in the unit of the depth axis (metres, or bins).
struct EnFaceView {
    Projection projection = Projection::Maximum;
    double nearest = 0.0; ///< first depth; nearest > deepest: all depths
    double deepest = -1.0;
    bool operator==(const EnFaceView&) const = default;
};

/// Places in a volume of B-scans: B-scans of frame f are number f * count, ... of the recording,
/// and number n of the recording is B-scan n modulo bscansPerVolume of the volume. A frame that is
/// a whole volume of echoes fills all places. Voxels lie [elevation][lateral][depth] whatever the
/// order of the images.
///
/// Threads. The pipeline thread writes, the GL thread reads, neither copies a voxel to the host.
/// Writes are enqueued on the stream of the frame they come from, each after the one before and
/// after the last read (events). While a write is being enqueued acquire() has nothing to offer;
/// while the reader holds the volume (on CUDA as long as it enqueues copies, on the CPU as long as
/// it copies what has changed) write() waits. Memory is allocated by configure() alone.
class VolumeStore final : public VolumeSupplier, public ImageSink {
public:
    using Changed = std::function<void()>;

    /// `changed`, may be null, pipeline thread: as announce() says.
    explicit VolumeStore(Backend backend, Changed changed = {});
    /// `memoryLimit`: bytes that the voxels may take at the moment.
    VolumeStore(Backend backend, Changed changed, std::function<std::size_t()> memoryLimit);
    ~VolumeStore() override;

    // Pipeline thread.
    /// For frames like `image` from now on. Volumes of the same shape keep their content. What does
    /// not fit into memory leaves the store empty, with problem() saying so, and is tried again
    /// only where it has another shape or more memory is free. `stack`: of the recording. Nothing
    /// in flight.
    void configure(const FrameSpec& image, const VolumeStack& stack);
    /// Enqueues on `exec`: the B-scans of frame `frame` of the recording and of those after it,
    /// `frames` in all, f32 in compute memory, go to their places and their rows into the en face
    /// image. They must not be more than the volume has. No-op where there is no volume.
    void write(const Exec& exec, const float* pixels, std::int64_t frame, std::int64_t frames = 1);
    /// The same for a frame that is not shown: of its B-scans those in `wanted`.
    void fill(const Exec& exec, const float* pixels, std::int64_t frame, const BscanSpan& wanted);
    /// What is there and what is missing; those of configure()d frames.
    const VolumeRows& rows() const { return m_held; }
    void outdate() { m_held.outdate(); } ///< see VolumeRows
    // The same as a sink. After each configure() what stands in the volume is outdated.
    void configure(const ImageFormat& format) override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun&, std::uint64_t, Clock::time_point) override;
    /// Whatever has been asked for or held back.
    bool catchUp() override;

    /// Readers find something new: the content, the en face image, or spec() and problem().
    void announce() const;

    // Any thread.
    void setEnFace(const EnFaceView& view); ///< takes effect at the next write() or catchUp()
    EnFaceView enFaceView() const;
    /// The plane of elevation and depth at `lateral`, in the axis' unit; null: none. The same.
    void showSide(std::optional<double> lateral) { m_side.show(lateral); }
    /// setEnFace() or showSide() is still to be done.
    bool hasWork() const override { return m_viewChanged || m_side.hasMoved(); }
    bool active() const; ///< the recording makes a volume and it fits
    /// Axes elevation, lateral, depth, while it is active.
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
    void store(const Exec& exec, const float* pixels, const BscanSpan& bscans);
    void beginWrite();
    void endWrite(std::int64_t first, std::int64_t count);
    void project(const Exec& exec);
    void followFilling();
    void publishEnFace(const Exec& exec);
    BinWindow binWindow(const EnFaceView& view) const;

    Backend m_backend;
    Changed m_onChange;
    std::function<std::size_t()> m_memoryLimit;
    Mailbox m_enFace;
    SidePlane m_side;

    // Pipeline thread only.
    Stream m_stream; ///< of catchUp()
    Event m_written; ///< the last write has run; the GL thread's stream waits for it
    Buffer m_voxels;
    Buffer m_rows; ///< the en face image
    VolumeRows m_held;
    VolumeShape m_shape;                           ///< none where m_asked was refused
    MadeVolume m_asked;                            ///< of the images that come
    std::optional<std::size_t> m_refusedAt;        ///< memory limit then
    FrameSpec m_spec;                              ///< of the volume
    std::shared_ptr<const FrameSpec> m_enFaceSpec; ///< of the en face image
    BinWindow m_window;
    Projection m_projection = Projection::Maximum;
    Exposure m_exposure;            ///< of the en face image
    std::uint64_t m_fillings = 0;   ///< the same of the volume
    std::int64_t m_nextFilling = 1; ///< rows filled when both become others
    bool m_configured = false;      ///< not announced yet
    bool m_unpublished = false;     ///< rows newer than the published image
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
    Event m_read;              ///< the reader's last read has run
    std::vector<bool> m_dirty; ///< per B-scan, since the last acquire()
    bool m_anyDirty = false;
    std::vector<BscanRange> m_changed; ///< of the acquired volume
    DisplayVolume m_display;
};

} // namespace echolux
