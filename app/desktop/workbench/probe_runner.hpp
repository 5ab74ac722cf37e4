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

/// A frame of which a picture is shown. What it points to goes when FrameProbe::take returns.
struct ProbedFrame {
    const std::byte* samples = nullptr; ///< the raw frame, in host memory
    std::int64_t index = -1;            ///< in the recording
    // Where a stage was named:
    SnapshotPtr snapshot = {};             ///< that imaged it; null: it is being imaged anew
    std::span<const std::byte> state = {}; ///< Runner::stateOf() the stage
};

/// What became of one piece of work.
struct ProbeOutcome {
    bool taken = false;       ///< the frame was taken, and `compute` has ended
    std::string problem = {}; ///< the sentence of an error; empty: there was none
    std::int64_t ms = 0;      ///< of work, without waiting for the pipeline
};

/// One piece of work. An Error that a step throws ends it.
struct FrameProbe {
    std::string stage = {};        ///< whose state comes with the frame; empty: none
    std::function<void()> prepare; ///< worker's thread, without a frame; may take long
    /// Worker's thread, while the pipeline waits. False: this frame does not serve.
    std::function<bool(const ProbedFrame&)> take;
    std::function<void()> compute; ///< worker's thread, from what was taken; may take long
    std::function<void(const ProbeOutcome&)> accept; ///< window's thread
};

/// One piece of work at a time. While frames run it pauses for at least `leastPauseMs`, and for
/// three times as long as the last piece took. What belongs to a former recording is dropped.
class ProbeRunner : public QObject {
    Q_OBJECT
public:
    ProbeRunner(Workbench& bench, std::int64_t leastPauseMs);
    ~ProbeRunner() override; ///< the worker touches no engine from here on

    /// `due` comes as soon as nothing runs and the pause is over. Requests meanwhile are one.
    void request();
    /// In answer to `due`. Precondition: a recording is open.
    void start(FrameProbe probe);
    int started() const { return m_started; } ///< pieces of work so far

signals:
    void due();

private:
    /// Between the runner and its worker.
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
    std::uint64_t m_recording = 0; ///< counts those that were opened
    bool m_busy = false;
    bool m_again = false; ///< a request came while it was busy
    int m_started = 0;
};

} // namespace echolux
