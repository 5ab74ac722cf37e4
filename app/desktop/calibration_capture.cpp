// SPDX-License-Identifier: GPL-3.0-or-later
// Captures backgrounds: of the shown frame, of the file, or of the frames that come.
#include "app/desktop/calibration_desk.hpp"

#include "app/calibration/line_mean.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/session/live_background.hpp"
#include "ui/parameters/capture_row.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

const QString kAveraging = QStringLiteral("Averaging the background");

/// Mean over `frames` frames, spread over the recording.
std::vector<float> meanOfRecording(const OpenRequest& request, std::int64_t frames,
                                   const std::stop_token& stop) {
    const auto recording = openRecording(request.file, request.options);
    const RecordingInfo& info = recording->info();
    LineMean mean(info.frame);
    std::vector<std::byte> raw(info.frame.bytes());
    const std::int64_t count = std::min(frames, info.frameCount);
    for (std::int64_t i = 0; i < count && !stop.stop_requested(); ++i) {
        recording->readFrame(info.frameCount * i / count, raw);
        mean.add(raw);
    }
    return mean.mean();
}

} // namespace

/// Makes the last part of a capture: the result is subtracted, if the recording is still open.
std::function<Background::Finish(std::vector<float>)> CalibrationDesk::subtracting() {
    return [this, of = std::weak_ptr(m_session.shared())](
               std::vector<float> background) -> Background::Finish {
        Calibration captured;
        captured.background = std::move(background);
        return [this, captured, of] {
            if (of.lock() == m_session.shared())
                bring(captured, "capturing the background", "captured background",
                      m_edits.origin());
        };
    };
}

void CalibrationDesk::capture(int frames) {
    if (!m_session.isOpen() || !m_session.spectrometer()) return;
    const auto mean = [engine = m_session.shared(), request = m_request,
                       frames](const std::stop_token& stop) {
        if (frames > 1) return meanOfRecording(request, frames, stop);
        LineMean shown(engine->info().frame);
        shown.add(engine->copyShownRaw().bytes);
        return shown.mean();
    };
    // NOTE: work that was given up may end after this object is destroyed. Only the part that runs
    // in the window's thread uses it.
    m_background.start(
        frames > 1 ? Background::Kind::Opening : Background::Kind::Quiet,
        "Capturing the background",
        [mean, finish = subtracting()](const std::stop_token& stop) { return finish(mean(stop)); });
}

void CalibrationDesk::captureNext(int lines) {
    if (!m_session.isOpen() || !m_session.spectrometer()) return;
    if (!m_session.isPlaying())
        emit informed("Playback is frozen. Press Play: the frames from then on are averaged.");
    m_background.startReporting(
        Background::Kind::Opening,
        kAveraging + QString(" of %1 A-scans").arg(QLocale::c().toString(lines)),
        [engine = m_session.shared(), lines, finish = subtracting()](
            const std::stop_token& stop, const Background::Report& report) -> Background::Finish {
            std::vector<float> mean = averageNextLines(*engine, lines, stop, report);
            if (mean.empty()) return {};
            return finish(std::move(mean));
        });
    showCapturing();
}

/// Puts the row that captures live below the background's own rows.
void CalibrationDesk::offerCapture() {
    m_captureRow = nullptr;
    if (!m_session.isOpen() || !m_session.spectrometer()) return;
    const StageState* stage = m_session.snapshot()->findRole(Role::SubtractsBackground);
    if (stage == nullptr) return;
    ParameterPanel& panel = m_widgets.parameters;
    StageGroup* group = panel.group(QString::fromStdString(stage->id));
    if (group == nullptr) return;
    m_captureRow = new CaptureRow(panel.columns());
    if (m_capturedLines) m_captureRow->setLines(*m_capturedLines);
    connect(m_captureRow, &CaptureRow::captureRequested, this, &CalibrationDesk::captureNext);
    connect(m_captureRow, &CaptureRow::linesEdited, this,
            [this](int lines) { m_capturedLines = lines; });
    group->addBelow("source", m_captureRow);
    showCapturing();
}

void CalibrationDesk::showCapturing() {
    if (m_captureRow == nullptr) return;
    const QStringList jobs = m_background.underWay(Background::Kind::Opening);
    m_captureRow->setBusy(
        std::ranges::any_of(jobs, [](const QString& text) { return text.startsWith(kAveraging); }));
}

} // namespace echolux
