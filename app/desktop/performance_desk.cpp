// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics as readouts and as JSON.
#include "app/desktop/performance_desk.hpp"

#include "app/desktop/timing_text.hpp"
#include "app/lab/real_time.hpp"
#include "app/session/session.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/status_bar.hpp"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr int kPeriodMs = 250;

} // namespace

PerformanceDesk::PerformanceDesk(MainWindow& window, ViewArea& views, Session& session)
    : m_window(window), m_views(views), m_session(session) {
    connect(&window.performance(), &PerformancePanel::separatelyToggled, this,
            [this](bool separately) {
                if (m_session.isOpen()) m_session.engine().timeSeparately(separately);
            });
    m_sinceStart.start();
    m_period.setInterval(kPeriodMs);
    connect(&m_period, &QTimer::timeout, this, &PerformanceDesk::measure);
    m_period.start();
}

bool PerformanceDesk::isOct() { return m_session.engine().info().frame.spectrometer != nullptr; }

void PerformanceDesk::measure() {
    if (!m_session.isOpen()) return;
    PerformancePanel& panel = m_window.performance();
    const bool traced = panel.isTimelineInSight();
    m_session.engine().trace(traced);
    const SnapshotPtr snapshot = m_session.snapshot();
    Statistics now = m_session.engine().statistics();
    const bool playing = m_session.engine().player().state().playing;
    const bool rests =
        now == m_measured && snapshot == m_noted && traced == m_traced && playing == m_playing;
    if (rests) {
        m_rests = true;
        return;
    }
    if (std::exchange(m_rests, false)) { // histories hold the figures of the rest until now
        m_readouts.timeS = seconds() - 1e-3 * kPeriodMs;
        panel.setReadouts(m_readouts);
    }
    m_readouts = readoutsOf(now);
    panel.setReadouts(m_readouts);
    if (traced) panel.setTimeline(timelineOf(*snapshot, m_session.engine().traces()));
    m_window.status().setLostFrames(m_readouts.dropped);
    m_traced = traced;
    m_playing = playing;
    m_measured = std::move(now);
    emit measured(m_measured);
}

double PerformanceDesk::seconds() const {
    return static_cast<double>(m_sinceStart.elapsed()) * 1e-3;
}

/// Planned once per snapshot.
const RunNotes& PerformanceDesk::notesOf(const SnapshotPtr& snapshot) {
    if (std::exchange(m_noted, snapshot) != snapshot)
        m_notes = runNotes(*snapshot, m_session.backend().backend);
    return m_notes;
}

Readouts PerformanceDesk::readoutsOf(const Statistics& now) {
    Readouts readouts;
    readouts.timeS = seconds();
    readouts.read = static_cast<std::int64_t>(now.framesRead);
    readouts.processed = static_cast<std::int64_t>(now.framesProcessed);
    readouts.shown = static_cast<std::int64_t>(now.framesShown);
    readouts.readPerS = now.readPerS;
    readouts.processedPerS = now.processedPerS;
    readouts.shownPerS = now.shownPerS;
    readouts.dropped = static_cast<std::int64_t>(now.framesDropped);
    readouts.late = static_cast<std::int64_t>(now.framesLate);
    readouts.latencyMedianMs = now.latencyMedianMs;
    readouts.latency99Ms = now.latency99Ms;
    readouts.megabytesPerS = now.megabytesPerS;
    if (isOct())
        readouts.kind = m_views.hasVolume() ? Readouts::Kind::OctVolume : Readouts::Kind::Oct;
    else if (m_views.hasVolume())
        readouts.kind = Readouts::Kind::UltrasoundVolume;
    readouts.realTime = realTimeOf(now);
    readouts.ascansPerS = now.ascansPerS;
    readouts.bscansPerS = now.bscansPerS;
    readouts.volumesPerS = now.volumesPerS;
    readouts.deviceBytes = static_cast<std::int64_t>(now.gpuBytesHeld);
    readouts.deviceTotalBytes = static_cast<std::int64_t>(m_session.backend().deviceBytes);
    readouts.recordingBytesKept = static_cast<std::int64_t>(now.recordingBytesKept);
    const double frames = std::max<double>(1.0, static_cast<double>(now.framesProcessed));
    readouts.copiesToHostPerFrame = static_cast<double>(now.deviceToHostCopies) / frames;
    readouts.allocationsPerFrame = static_cast<double>(now.allocations) / frames;
    readouts.frame = milliseconds(now.frame);
    readouts.crossingBytesPerFrame =
        static_cast<std::int64_t>(now.crossings.bytesToHost + now.crossings.bytesToDevice) /
        m_session.snapshot()->ensemble();
    const SnapshotPtr snapshot = m_session.snapshot();
    readouts.stages = stageTimes(*snapshot, now, notesOf(snapshot));
    readouts.separately = now.isSeparate;
    readouts.notSeparately = whyNotSeparately(now, m_session.backend().backend);
    return readouts;
}

std::optional<RealTimeReadouts> PerformanceDesk::realTimeOf(const Statistics& now) {
    const auto rates = lab::probeRates(m_session.engine().info().frame);
    if (!rates) return std::nullopt;
    const double possible = now.frame.mean > 0.0 ? 1e3 / now.frame.mean : 0.0;
    // Frames that overlap on a GPU come faster than each by itself.
    return RealTimeReadouts{rates->timesRealTime(std::max(possible, now.processedPerS)),
                            rates->timesRealTime(now.processedPerS), rates->bytesPerS * 1e-6,
                            rates->pulseFramesPerS, rates->depthM * 1e3};
}

QByteArray PerformanceDesk::statsJson() {
    QJsonObject root{
        {"backend", QString::fromStdString(std::string(nameOf(m_session.backend().backend)))},
        {"device", QString::fromStdString(m_session.backend().device)},
        {"display_path", m_views.bscan().displayPath().badge},
        {"display_path_reason", m_views.bscan().displayPath().reason}};
    if (m_session.isOpen()) {
        const Statistics now = m_session.engine().statistics();
        root["frames"] = QJsonObject{{"read", static_cast<qint64>(now.framesRead)},
                                     {"processed", static_cast<qint64>(now.framesProcessed)},
                                     {"shown", static_cast<qint64>(now.framesShown)},
                                     {"dropped", static_cast<qint64>(now.framesDropped)},
                                     {"late", static_cast<qint64>(now.framesLate)}};
        QJsonObject rates{
            {"read", now.readPerS}, {"processed", now.processedPerS}, {"shown", now.shownPerS}};
        if (isOct()) {
            rates["ascans"] = now.ascansPerS;
            rates["bscans"] = now.bscansPerS;
        }
        if (isOct() || now.volumesPerS > 0.0) rates["volumes"] = now.volumesPerS;
        root["per_second"] = rates;
        root["megabytes_per_second"] = now.megabytesPerS;
        if (const auto real = realTimeOf(now)) {
            root["real_time"] =
                QJsonObject{{"computing", real->computing},
                            {"playing", real->playing},
                            {"probe_megabytes_per_second", real->probeMegabytesPerS},
                            {"pulse_frames_per_second", real->pulseFramesPerS}};
        }
        root["latency_ms"] = QJsonObject{{"median", now.latencyMedianMs},
                                         {"p99", now.latency99Ms},
                                         {"processing_median", now.processingMedianMs},
                                         {"waiting_median", now.waitingMedianMs},
                                         {"drawing_median", now.drawingMedianMs}};
        root["frame_ms"] = now.frame.mean;
        root["upload_ms"] = now.upload.mean;
        QJsonObject stages;
        for (const StageDuration& stage : now.stages)
            stages[QString::fromStdString(labelOf(stage.ids))] = stage.ms.mean;
        root["stage_ms"] = stages;
        root["times"] = timesJson(now);
        root["copies_to_host"] = static_cast<qint64>(now.deviceToHostCopies);
        root["lines_to_host"] = static_cast<qint64>(now.linesToHost);
        root["allocations"] = static_cast<qint64>(now.allocations);
        root["gpu_bytes"] = static_cast<qint64>(now.gpuBytesHeld);
        root["recording_bytes_kept"] = static_cast<qint64>(now.recordingBytesKept);
    }
    return QJsonDocument(root).toJson();
}

} // namespace echolux
