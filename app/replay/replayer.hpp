// SPDX-License-Identifier: GPL-3.0-or-later
// Does what a session says, on the CPU and without a window, and compares images with those seen.
#pragma once

#include "app/dataset/recording/ensemble.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/replay/session_target.hpp"
#include "app/session/offline/offline.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// An image that the session saw, computed again.
struct ReplayedImage {
    std::string view;
    std::int64_t frame = 0;
    std::int64_t bscan = 0;
    FrameSpec spec; ///< of one B-scan
    std::vector<float> values;
    bool same = false; ///< to the bit
};

class Replayer : public SessionTarget {
public:
    using Seen = std::function<void(const ReplayedImage&)>;
    explicit Replayer(Seen seen) : m_seen(std::move(seen)) {}

    void open(const SessionRecording& recording) override;
    void usePipeline(const std::string& name) override;
    void usePipelineText(const std::string& toml) override;
    void useCalibration(const std::string& toml) override;
    void set(const std::vector<ParameterChange>& changes) override;
    void bypass(const std::string& stage, bool off) override;
    void display(const std::string&, const std::string&) override {} ///< values alone count
    void show(std::int64_t frame, std::int64_t bscan) override;
    void check(const std::string& view, const std::string& digest) override;
    void command(const std::string&) override { ++m_commands; }
    void part(const std::string&, const std::string&) override { ++m_commands; }
    void views(const std::string&) override { ++m_commands; }
    void layout(const std::string&) override { ++m_commands; }

    /// Precondition of each: a recording is open.
    const RecordingInfo& info() const { return opened().info(); }
    const Snapshot& snapshot() const { return *m_snapshot; }
    std::int64_t frame() const { return m_frame; }
    std::int64_t bscan() const { return m_bscan; }
    EnsembleWindows windows() const;

    int commands() const { return m_commands; } ///< entries for a window, which were passed over

private:
    Recording& opened() const;
    void adopt(const PipelineConfig& config);

    Seen m_seen;
    std::shared_ptr<Recording> m_recording;
    FrameSpec m_input; ///< with the calibration in force
    SnapshotPtr m_snapshot;
    std::vector<HostFrameData> m_views; ///< of the frame; empty: not computed yet
    std::int64_t m_frame = 0;
    std::int64_t m_bscan = 0;
    int m_commands = 0;
};

} // namespace echolux
