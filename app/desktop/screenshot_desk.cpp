// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures and opens them again.
#include "app/desktop/screenshot_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/workbench/file_hash.hpp"
#include "app/session/calibrated_pipeline.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/view_area.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

QString screenshotFolder() {
    QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (pictures.isEmpty()) pictures = QDir::homePath();
    return pictures + "/Echolux";
}

/// The recent file that a screenshot shows, with the sidecar and pipeline of the screenshot.
OpenRequest sourceOf(const ScreenshotRecord& record, std::vector<OpenRequest> recent,
                     const std::stop_token& stop) {
    const auto found = std::ranges::find_if(recent, [&](const OpenRequest& each) {
        const QString path = QString::fromStdString(each.file.string());
        return QFileInfo(path).fileName() == record.sourceName && !record.sourceSha256.isEmpty() &&
               fileSha256(path, stop) == record.sourceSha256;
    });
    if (found == recent.end()) {
        throw Error(("The screenshot shows " + record.sourceName +
                     ", which is neither open nor among the recent files; open that recording, "
                     "then the screenshot.")
                        .toStdString());
    }
    if (!record.sidecar.isEmpty()) found->options.sidecar = record.sidecar.toStdString();
    if (record.track > 0) found->options.track = static_cast<std::size_t>(record.track - 1);
    found->pipeline = record.pipeline;
    found->calibration = record.calibration;
    return *found;
}

} // namespace

ScreenshotDesk::ScreenshotDesk(QWidget& window, ViewArea& views, Session& session,
                               Background& background, EditDesk& edits, RecordingDesk& recordings,
                               bool remember)
    : m_window(window), m_views(views), m_session(session), m_background(background),
      m_edits(edits), m_recordings(recordings), m_remember(remember) {
    connect(&views.imageActions(), &ImageActions::saveRequested, this, &ScreenshotDesk::saveAs);
}

void ScreenshotDesk::recordingOpened() { m_background.throwAway(std::exchange(m_hash, nullptr)); }

std::shared_ptr<FileHash> ScreenshotDesk::checksum() {
    if (m_recordings.shown().isLive()) return nullptr; // no file
    if (!m_hash && m_session.isOpen()) m_hash = std::make_shared<FileHash>(m_recordings.path());
    return m_hash;
}

void ScreenshotDesk::saveImage() {
    if (!m_session.isOpen()) return;
    const QString when = QDateTime::currentDateTime().toString("yyyyMMdd_hhmmss_zzz");
    save(screenshotFolder() + '/' + pictureName() + '_' + when + ".png", m_views.grabImage());
}

QString ScreenshotDesk::pictureName() {
    return QString("%1_frame%2")
        .arg(QFileInfo(m_recordings.path()).completeBaseName())
        .arg(m_session.mailbox().shownFrame() + 1, 3, 10, QChar('0'));
}

void ScreenshotDesk::saveAs(const QImage& picture, const QString& name) {
    if (!m_session.isOpen()) return;
    QString path = QFileDialog::getSaveFileName(
        &m_window, "Save the image", screenshotFolder() + '/' + pictureName() + '_' + name + ".png",
        "Picture with all settings (*.png);;Picture alone (*.jpg *.bmp)");
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".png";
    save(path, picture);
}

/// A PNG also contains the settings.
void ScreenshotDesk::save(const QString& path, const QImage& picture) {
    const auto saving = [this, path, image = picture, record = settings(),
                         hash = checksum()](const std::stop_token& stop) -> Background::Finish {
        const std::optional<QString> sum = hash ? hash->wait(stop) : QString();
        if (!sum) return {};
        ScreenshotRecord complete = record;
        complete.sourceSha256 = *sum;
        QDir().mkpath(QFileInfo(path).absolutePath());
        saveScreenshot(path, image, complete);
        return [this, path] {
            emit saved();
            emit informed("Screenshot saved: " + QDir::toNativeSeparators(path));
        };
    };
    m_background.start(Background::Kind::Saving,
                       "Saving the screenshot: taking the checksum of " +
                           QFileInfo(m_recordings.path()).fileName(),
                       saving);
}

void ScreenshotDesk::saveWindow(const QString& path) {
    ScreenshotRecord complete = settings();
    if (const auto sum = checksum()) complete.sourceSha256 = sum->wait().value_or(QString());
    saveScreenshot(path, m_window.grab().toImage(), complete);
}

ScreenshotRecord ScreenshotDesk::settings() {
    ScreenshotRecord record;
    if (m_session.isOpen()) {
        record.sourceName = QFileInfo(m_recordings.path()).fileName();
        Mailbox& shown = m_session.mailbox();
        record.frame = shown.shownFrame();
        record.bscan = shown.chosenBscan();
        record.pipeline = toFullConfig(*m_session.snapshot());
        if (m_recordings.shown().options.sidecar) {
            record.sidecar = QString::fromStdString(m_recordings.shown().options.sidecar->string());
        }
        if (const auto track = m_recordings.shown().options.track)
            record.track = static_cast<int>(*track) + 1;
        const auto facts = m_session.spectrometer();
        const bool own = facts == m_session.recording().frame.spectrometer;
        if (facts && (!own || m_recordings.shown().options.calibration)) {
            record.calibration = calibrationIn(*facts);
            record.calibration->title = "of this screenshot";
            record.calibrationFile = m_edits.origin();
        }
    }
    record.backend = QString::fromStdString(m_session.backend().device);
    record.display = m_edits.display();
    record.views = m_views.scene();
    return record;
}

void ScreenshotDesk::choose() {
    const QString path = QFileDialog::getOpenFileName(&m_window, "Open a screenshot's settings",
                                                      screenshotFolder(), "Screenshots (*.png)");
    if (!path.isEmpty()) restore(path);
}

void ScreenshotDesk::restore(const QString& path) {
    emit opening();
    m_background.start(Background::Kind::Opening,
                       "Opening the recording of " + QFileInfo(path).fileName(), work(path));
}

Background::Work ScreenshotDesk::work(const QString& path) {
    std::vector<OpenRequest> recent;
    if (m_remember) {
        QSettings store = userSettings();
        recent = recentFiles(store);
    }
    return [this, path, recent, hash = checksum(), place = m_session.place(),
            beside = std::weak_ptr(m_session.shared())](
               const std::stop_token& stop) -> Background::Finish {
        const ScreenshotRecord record = readScreenshot(path);
        const QString open = hash ? hash->wait(stop).value_or(QString()) : QString();
        if (!open.isEmpty() && open == record.sourceSha256) {
            return [this, record, path] { applyHere(record, QFileInfo(path).fileName()); };
        }
        if (stop.stop_requested()) return {};
        const OpenRequest request = sourceOf(record, recent, stop);
        const auto prepared =
            std::make_shared<PreparedEngine>(prepareRecording(request, place, stop, beside));
        return [this, record, request, prepared] {
            m_recordings.adopt(std::move(*prepared), request);
            m_edits.setOrigin(record.calibrationFile);
            emit restored(record);
            m_edits.displayRestored();
        };
    };
}

void ScreenshotDesk::applyHere(const ScreenshotRecord& record, const QString& name) {
    const Document::States before = m_edits.document().states();
    const FrameSpec& raw = m_session.recording().frame;
    auto facts = raw.spectrometer;
    if (record.calibration && facts) facts = calibrated(*facts, *record.calibration, raw);
    m_session.applyCalibration(std::move(facts), record.pipeline);
    m_edits.setOrigin(record.calibrationFile);
    emit restored(record);
    m_edits.displayFollowed();
    m_edits.done({"the settings of " + name, "Settings of " + name}, before);
}

} // namespace echolux
