// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a recorder which values the pipeline has, and from which frame on.
#pragma once

#include "app/session/stream/image_sink.hpp"

namespace echolux {

class Recorder;

/// A sink of the first view. It tells all values with the first frame, and later those that differ.
/// An edit counts from the first frame whose image contains it.
class ParameterTrail final : public ImageSink {
public:
    /// `recorder` outlives the trail.
    explicit ParameterTrail(Recorder& recorder) : m_recorder(recorder) {}

    void configure(const ImageFormat& format) override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) override;

private:
    Recorder& m_recorder;
    SnapshotPtr m_snapshot; ///< in force
    SnapshotPtr m_told;
};

} // namespace echolux
