// SPDX-License-Identifier: GPL-3.0-or-later
// Shows statistics at intervals and writes them as JSON.
#include "app/desktop/statistics_desk.hpp"

#include "app/desktop/workbench/timing_text.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/session.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace echolux {

namespace {

QJsonObject liveJson(const LiveCounters& live) {
    const auto number = [](std::uint64_t count) { return static_cast<qint64>(count); };
    return {{"kept", number(live.kept)},
            {"lost_at_source", number(live.lostAtSource)},
            {"while_frozen", number(live.whileHeld)},
            {"without_room", number(live.withoutRoom)},
            {"malformed", number(live.malformed)},
            {"memory_bytes", static_cast<qint64>(live.memoryBytes)}};
}

} // namespace

StatisticsDesk::StatisticsDesk(ViewArea& views, Session& session)
    : m_views(views), m_session(session) {
    m_period.setInterval(Workbench::kMeasuringPeriodMs);
    connect(&m_period, &QTimer::timeout, this, &StatisticsDesk::measure);
    m_period.start();
}

void StatisticsDesk::measure() {
    if (!m_session.isOpen()) return;
    const SnapshotPtr snapshot = m_session.snapshot();
    Statistics now = m_session.statistics();
    const bool playing = m_session.isPlaying();
    if (now == m_measured && snapshot == m_snapshot && playing == m_playing) {
        emit measuredTheSame();
        return;
    }
    m_snapshot = snapshot;
    m_playing = playing;
    m_measured = std::move(now);
    emit measured(m_measured);
}

QByteArray StatisticsDesk::statsJson() {
    QJsonObject root{
        {"backend", QString::fromStdString(std::string(nameOf(m_session.backend().backend)))},
        {"device", QString::fromStdString(m_session.backend().device)},
        {"display_path", m_views.bscan().displayPath().badge},
        {"display_path_reason", m_views.bscan().displayPath().reason}};
    if (m_session.isOpen()) {
        const Statistics now = m_session.statistics();
        root["frames"] = QJsonObject{{"read", static_cast<qint64>(now.framesRead)},
                                     {"processed", static_cast<qint64>(now.framesProcessed)},
                                     {"shown", static_cast<qint64>(now.framesShown)},
                                     {"dropped", static_cast<qint64>(now.framesDropped)},
                                     {"late", static_cast<qint64>(now.framesLate)}};
        QJsonObject rates{
            {"read", now.readPerS}, {"processed", now.processedPerS}, {"shown", now.shownPerS}};
        const bool isOct = m_session.recording().frame.spectrometer != nullptr;
        if (isOct) {
            rates["ascans"] = now.ascansPerS;
            rates["bscans"] = now.bscansPerS;
        }
        if (isOct || now.volumesPerS > 0.0) rates["volumes"] = now.volumesPerS;
        root["per_second"] = rates;
        root["megabytes_per_second"] = now.megabytesPerS;
        if (const auto real = realTimeOf(m_session.recording().frame, now, m_session.isPlaying())) {
            root["real_time"] =
                QJsonObject{{"computing", real->computing},
                            {"playing", real->playing},
                            {"cards", static_cast<qint64>(real->cards)},
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
        if (now.live) root["live"] = liveJson(*now.live);
    }
    return QJsonDocument(root).toJson();
}

} // namespace echolux
