// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and plots: the picked column, the counters, the JSON of --stats.
#include "app/desktop/desktop.hpp"

#include "app/desktop/recording_text.hpp"
#include "app/desktop/timing_text.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/plots/view_lines_plot.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace echolux {

void Desktop::showColumn() {
    if (!m_session.isOpen()) return;
    const std::optional<ColumnData> column = m_session.engine().column();
    if (!column) return;
    showViewLines(*column);
    if (column->oct) {
        showAscan(*column);
        return;
    }
    const RecordingInfo& info = m_session.engine().info();
    const SnapshotPtr snapshot = m_session.snapshot(); // keeps the stage below alive
    const StageState* beamform = snapshot->findType("beamform");
    const QString channel = QString("channel %1").arg(column->channel + 1);
    const bool ofChannels = snapshot->output().find(AxisName::Channel) != nullptr;
    const QString title =
        ofChannels ? channel : numberText(column->lateralM * 1e3, 1) + " mm, " + channel;
    ALineData line;
    line.title = title;
    if (isComplex(info.frame.dtype)) line.quantity = "I"; // the plot takes the real part
    if (info.frame.dtype == DType::F32 || info.frame.dtype == DType::ComplexF32)
        line.unit = "as stored";
    line.rf = column->rf;
    line.rfStartUs = column->rfStartS * 1e6;
    line.rfStepUs = column->rfStepS * 1e6;
    line.clipped = column->clipped;
    line.envelope = column->envelope;
    line.depthStartMm = column->depthStartM * 1e3;
    line.depthStepMm = column->depthStepM * 1e3;
    line.soundSpeedMps = beamform != nullptr
                             ? std::get<double>(beamform->params.get("speed_of_sound"))
                             : info.frame.acquisition->soundSpeedMps;
    line.still = !m_session.engine().player().state().playing;
    m_window->aLine().setData(line);
    SpectrumData spectrum;
    spectrum.title = title;
    spectrum.levelDb = column->spectrumDb;
    spectrum.startMHz = column->spectrumStartHz * 1e-6;
    spectrum.stepMHz = column->spectrumStepHz * 1e-6;
    spectrum.centreMHz = info.frame.centreFrequencyHz * 1e-6;
    m_window->spectrum().setData(spectrum);
}

/// Of the views that the pipeline still has.
void Desktop::showViewLines(const ColumnData& column) {
    const SnapshotPtr snapshot = m_session.snapshot();
    const QStringList names = viewNames(*snapshot);
    ViewLinesData lines;
    lines.title = columnText(snapshot->output(), column.lateralM);
    lines.still = !m_session.engine().player().state().playing;
    for (const ViewLine& line : column.views) {
        const auto view = std::ranges::find(snapshot->views, line.view,
                                            [](const ViewState& each) { return nameOf(each); });
        if (view == snapshot->views.end()) continue;
        const ScreenAxis along = screenAxis(line.along);
        if (lines.curves.empty()) {
            lines.alongName = QString::fromStdString(along.name);
            lines.alongUnit = QString::fromStdString(along.unit);
        } else if (QString::fromStdString(along.unit) != lines.alongUnit) {
            continue; // no common axis
        }
        const auto number = static_cast<int>(view - snapshot->views.begin());
        const double perAxis = along.viewPerAxis * along.labelPerView;
        ViewLinesData::Curve curve{names[number],
                                   number,
                                   line.values,
                                   line.along.origin * perAxis + along.labelOfZero,
                                   line.along.spacing * perAxis,
                                   {},
                                   {}};
        if (line.range) {
            curve.unit = QString::fromStdString(line.range->unit);
            curve.meantTo = {line.range->min, line.range->max};
        }
        lines.curves.push_back(std::move(curve));
    }
    m_window->viewLines().setData(lines);
}

void Desktop::showReadouts() {
    if (!m_session.isOpen()) return;
    const Statistics now = m_session.engine().statistics();
    Readouts readouts;
    readouts.timeS = static_cast<double>(m_sinceStart.elapsed()) * 1e-3;
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
    if (m_session.engine().info().frame.spectrometer != nullptr) {
        readouts.kind = m_views->hasVolume() ? Readouts::Kind::OctVolume : Readouts::Kind::Oct;
    }
    readouts.ascansPerS = now.ascansPerS;
    readouts.bscansPerS = now.bscansPerS;
    readouts.volumesPerS = now.volumesPerS;
    readouts.deviceBytes = static_cast<std::int64_t>(now.gpuBytesHeld);
    readouts.deviceTotalBytes = static_cast<std::int64_t>(m_session.backend().deviceBytes);
    readouts.recordingBytesKept = static_cast<std::int64_t>(now.recordingBytesKept);
    const double frames = std::max<double>(1.0, static_cast<double>(now.framesProcessed));
    readouts.copiesToHostPerFrame = static_cast<double>(now.deviceToHostCopies) / frames;
    readouts.allocationsPerFrame = static_cast<double>(now.allocations) / frames;
    const SnapshotPtr snapshot = m_session.snapshot();
    readouts.frame = milliseconds(now.frame);
    readouts.stages = stageTimes(*snapshot, now);
    readouts.separately = now.isSeparate;
    readouts.notSeparately = whyNotSeparately(now, m_session.backend().backend);
    PerformancePanel& panel = m_window->performance();
    panel.setReadouts(readouts);
    const bool traced = panel.isTimelineInSight();
    m_session.engine().trace(traced);
    if (traced) panel.setTimeline(timelineOf(*snapshot, m_session.engine().traces()));
    m_graph.showTimes(now.stages);
    m_window->transport().setReachedRate(now.processedPerS);
    m_window->status().setLostFrames(readouts.dropped);
    showVolumeProgress();
    showPosition(); // playback ends by itself after the last frame
}

QByteArray Desktop::statsJson() {
    QJsonObject root{
        {"backend", QString::fromStdString(std::string(nameOf(m_session.backend().backend)))},
        {"device", QString::fromStdString(m_session.backend().device)},
        {"display_path", m_view->displayPath().badge},
        {"display_path_reason", m_view->displayPath().reason}};
    if (m_session.isOpen()) {
        const Statistics now = m_session.engine().statistics();
        root["frames"] = QJsonObject{{"read", static_cast<qint64>(now.framesRead)},
                                     {"processed", static_cast<qint64>(now.framesProcessed)},
                                     {"shown", static_cast<qint64>(now.framesShown)},
                                     {"dropped", static_cast<qint64>(now.framesDropped)},
                                     {"late", static_cast<qint64>(now.framesLate)}};
        QJsonObject rates{
            {"read", now.readPerS}, {"processed", now.processedPerS}, {"shown", now.shownPerS}};
        if (m_session.engine().info().frame.spectrometer != nullptr) {
            rates["ascans"] = now.ascansPerS;
            rates["bscans"] = now.bscansPerS;
            rates["volumes"] = now.volumesPerS;
        }
        root["per_second"] = rates;
        root["megabytes_per_second"] = now.megabytesPerS;
        root["latency_ms"] = QJsonObject{{"median", now.latencyMedianMs},
                                         {"p99", now.latency99Ms},
                                         {"processing_median", now.processingMedianMs},
                                         {"waiting_median", now.waitingMedianMs},
                                         {"drawing_median", now.drawingMedianMs}};
        root["frame_ms"] = now.frame.mean;
        root["upload_ms"] = now.upload.mean;
        QJsonObject stages;
        for (const StageDuration& stage : now.stages)
            stages[QString::fromStdString(echolux::labelOf(stage.ids))] = stage.ms.mean;
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
