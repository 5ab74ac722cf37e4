// SPDX-License-Identifier: GPL-3.0-or-later
// Work of one tool on the shown frame, off the window's thread.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace echolux {

class Engine;
class Workbench;

/// A frame whose image is shown. Its pointers are valid until FrameProbe::take returns.
struct ProbedFrame {
    const std::byte* samples = nullptr; ///< the raw frame, in host memory
    std::int64_t index = -1;            ///< frame number in the recording
    // Only where FrameProbe::stage is set:
    SnapshotPtr snapshot = {}; ///< snapshot of the image; null: the frame is being imaged again
    std::span<const std::byte> state = {}; ///< Runner::stateOf() of the stage
};

/// Result of one probe.
struct ProbeOutcome {
    bool taken = false;       ///< the frame was read, and `compute` has ended
    std::string problem = {}; ///< error sentence; empty: no error
    std::int64_t ms = 0;      ///< time of the work, without the wait for the pipeline
};

/// One probe. An Error that one of its functions throws ends it.
struct FrameProbe {
    std::string stage = {};        ///< stage whose state comes with the frame; empty: none
    std::function<void()> prepare; ///< worker's thread, before the frame; may take long
    /// Worker's thread, while the pipeline waits: copy what is needed. False: the frame is
    /// unsuitable.
    std::function<bool(const ProbedFrame&)> take;
    std::function<void()> compute; ///< worker's thread, with the copied data; may take long
    std::function<void(const ProbeOutcome&)> accept; ///< window's thread
};

/// Runs one probe at a time. While frames run, it pauses after each probe for at least
/// `leastPauseMs`, and for three times the duration of the probe. Results for a former recording
/// are dropped.
class ProbeRunner : public QObject {
    Q_OBJECT
public:
    ProbeRunner(Workbench& bench, std::int64_t leastPauseMs);
    ~ProbeRunner() override; ///< from here on the worker does not use any engine

    /// Emits `due` as soon as nothing runs and the pause is over. Several requests until then count
    /// as one.
    void request();
    /// Call in the slot of `due`. Precondition: a recording is open.
    void start(FrameProbe probe);
    int started() const { return m_started; } ///< number of probes so far

signals:
    void due();

private:
    /// State that the runner and its worker share.
    struct Door;
    static bool takeShown(Door& door, const std::weak_ptr<Engine>& from, const FrameProbe& probe);
    void finish(std::uint64_t recording, const ProbeOutcome& outcome,
                const std::function<void(const ProbeOutcome&)>& accept);

    Workbench& m_bench;
    const std::int64_t m_leastPauseMs;
    std::shared_ptr<Door> m_door;
    QTimer m_soon;
    QElapsedTimer m_sinceWork;
    std::int64_t m_pauseMs = 0;
    std::uint64_t m_recording = 0; ///< number of recordings opened so far
    bool m_busy = false;
    bool m_again = false; ///< a request came while it was busy
    int m_started = 0;
};

} // namespace echolux
