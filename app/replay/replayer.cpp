// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a session frame by frame.
#include "app/replay/replayer.hpp"

#include "app/export/file_sha256.hpp"
#include "app/live/open_live.hpp"
#include "app/pipeline/view_number.hpp"
#include "app/replay/session_edits.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/stream/mailbox.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {

Recording& Replayer::opened() const {
    if (!m_recording)
        throw Error("no recording is open; write 'recording.open FILE' before this line");
    return *m_recording;
}

EnsembleWindows Replayer::windows() const {
    return windowsOf(info(), m_snapshot->ensemble(), m_snapshot->name);
}

void Replayer::adopt(const PipelineConfig& config) {
    m_snapshot = imagingSnapshot(m_input, config);
    m_views.clear();
}

void Replayer::open(const SessionRecording& recording) {
    if (isLiveAddress(recording.file.native()))
        throw Error(fmt::format("'{}' is a live source, whose frames are gone; record them "
                                "(Ctrl+R), and begin the session with that file",
                                recording.file.string()));
    if (!recording.sha256.empty() &&
        fileSha256(QString::fromStdString(recording.file.string())).toStdString() !=
            recording.sha256)
        throw Error(fmt::format("'{}' is missing, or has another content than the file of this "
                                "session; correct the path, or take the line recording.sha256 out",
                                recording.file.string()));
    m_recording = openRecording(recording.file, optionsOf(recording));
    findInitialLevels(*m_recording);
    m_input = info().frame;
    m_frame = 0;
    m_bscan = 0;
    adopt(defaultPipeline(m_input));
}

void Replayer::usePipeline(const std::string& name) {
    adopt(pipelineCalled(name, opened().info().frame));
}

void Replayer::usePipelineText(const std::string& toml) {
    opened();
    adopt(pipelineBelow(toml));
}

void Replayer::useCalibration(const std::string& toml) {
    FrameSpec input = opened().info().frame;
    input.spectrometer = factsBelow(toml, input);
    std::swap(m_input, input);
    try {
        adopt(toConfig(*m_snapshot));
    } catch (...) {
        std::swap(m_input, input);
        throw;
    }
}

void Replayer::set(const std::vector<ParameterChange>& changes) {
    opened();
    adopt(withChanges(*m_snapshot, changes));
}

void Replayer::bypass(const std::string& stage, bool off) {
    opened();
    adopt(toConfig(*withBypass(*m_snapshot, stage, off)));
}

void Replayer::show(std::int64_t frame, std::int64_t bscan) {
    if (frame >= opened().info().frameCount)
        throw Error(fmt::format("{} has frames 1 to {}, not {}", info().path.filename().string(),
                                info().frameCount, frame + 1));
    m_bscan = bscan;
    if (std::exchange(m_frame, frame) != frame) m_views.clear();
}

void Replayer::check(const std::string& view, const std::string& digest) {
    Recording& recording = opened();
    if (m_views.empty()) m_views = processViews(recording, m_snapshot, Backend::Cpu, m_frame);
    const HostFrameData& whole = m_views[viewNumber(*m_snapshot, view)];
    ReplayedImage image{view, m_frame, m_bscan, bscanSpec(whole.spec), {}};
    image.values.resize(static_cast<std::size_t>(image.spec.count()));
    const auto number =
        static_cast<std::size_t>(std::clamp<std::int64_t>(m_bscan, 0, bscansIn(whole.spec) - 1));
    const std::size_t bytes = image.values.size() * sizeof(float);
    std::memcpy(image.values.data(), whole.bytes.data() + number * bytes, bytes);
    image.same = digestOf(image.values) == digest;
    m_seen(image);
}

} // namespace echolux
