// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots: saved with their settings, and brought back.
#include "app/desktop/desktop.hpp"

#include "app/desktop/calibration_edit.hpp"
#include "app/desktop/recent_files.hpp"
#include "gpu/core/error.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/message_bar.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace echolux {
namespace {

QString screenshotFolder() {
    QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (pictures.isEmpty()) pictures = QDir::homePath();
    return pictures + "/Echolux";
}

/// The recent file that a screenshot shows, with the screenshot's sidecar and pipeline.
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
    found->pipeline = record.pipeline;
    found->calibration = record.calibration;
    return *found;
}

} // namespace

void Desktop::saveScreenshot() {
    if (!m_session.isOpen()) return;
    const QString when = QDateTime::currentDateTime().toString("yyyyMMdd_hhmmss_zzz");
    savePicture(screenshotFolder() + '/' + pictureName() + '_' + when + ".png",
                m_views->grabImage());
}

QString Desktop::pictureName() {
    return QString("%1_frame%2")
        .arg(QFileInfo(openPath()).completeBaseName())
        .arg(m_session.engine().mailbox().shownFrame() + 1, 3, 10, QChar('0'));
}

void Desktop::savePictureAs(const QImage& picture, const QString& name) {
    if (!m_session.isOpen()) return;
    QString path = QFileDialog::getSaveFileName(
        m_window.get(), "Save the image",
        screenshotFolder() + '/' + pictureName() + '_' + name + ".png",
        "Picture with all settings (*.png);;Picture alone (*.jpg *.bmp)");
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".png";
    savePicture(path, picture);
}

/// With its settings, where it is a PNG.
void Desktop::savePicture(const QString& path, const QImage& picture) {
    const auto saving = [this, path, image = picture, record = screenshotRecord(),
                         hash = m_hash](const std::stop_token& stop) -> Background::Finish {
        const std::optional<QString> sum = hash->wait(stop);
        if (!sum) return {};
        ScreenshotRecord complete = record;
        complete.sourceSha256 = *sum;
        QDir().mkpath(QFileInfo(path).absolutePath());
        echolux::saveScreenshot(path, image, complete);
        return [this, path] {
            m_window->messages().withdraw({Topic::Saving});
            tell(Severity::Info, "Screenshot saved: " + QDir::toNativeSeparators(path),
                 Topic::General);
        };
    };
    m_background.start(Background::Kind::Saving,
                       "Saving the screenshot: taking the checksum of " +
                           QFileInfo(openPath()).fileName(),
                       saving);
}

void Desktop::saveWindowShot(const QString& path) {
    ScreenshotRecord record = screenshotRecord();
    if (m_hash) record.sourceSha256 = m_hash->wait().value_or(QString());
    echolux::saveScreenshot(path, m_window->grab().toImage(), record);
}

/// All but the checksum of the source.
ScreenshotRecord Desktop::screenshotRecord() {
    ScreenshotRecord record;
    if (m_session.isOpen()) {
        record.sourceName = QFileInfo(openPath()).fileName();
        Mailbox& shown = m_session.engine().mailbox();
        record.frame = shown.shownFrame();
        record.bscan = shown.chosenBscan();
        record.pipeline = toFullConfig(*m_session.snapshot());
        if (m_shown.options.sidecar) {
            record.sidecar = QString::fromStdString(m_shown.options.sidecar->string());
        }
        const auto facts = m_session.spectrometer();
        const bool own = facts == m_session.engine().info().frame.spectrometer;
        if (facts && (!own || m_shown.options.calibration)) {
            record.calibration = calibrationIn(*facts);
            record.calibration->title = "of this screenshot";
            record.calibrationFile = m_edits.origin();
        }
    }
    record.backend = QString::fromStdString(m_session.backend().device);
    record.display = m_window->display().settings();
    record.views = m_views->scene();
    return record;
}

void Desktop::chooseScreenshotSettings() {
    const QString path = QFileDialog::getOpenFileName(
        m_window.get(), "Open a screenshot's settings", screenshotFolder(), "Screenshots (*.png)");
    if (!path.isEmpty()) restoreScreenshot(path);
}

void Desktop::restoreScreenshot(const QString& path) {
    m_window->messages().withdraw({Topic::Opening});
    m_background.start(Background::Kind::Opening,
                       "Opening the recording of " + QFileInfo(path).fileName(), restoring(path));
}

/// Finds the recording by its checksum: the open one, or else one of the recent files.
Background::Work Desktop::restoring(const QString& path) {
    std::vector<OpenRequest> recent;
    if (m_remember) {
        QSettings store = userSettings();
        recent = recentFiles(store);
    }
    return [this, path, recent, hash = m_hash, place = m_session.place(),
            beside = std::weak_ptr(m_session.shared())](
               const std::stop_token& stop) -> Background::Finish {
        const ScreenshotRecord record = readScreenshot(path);
        const QString open = hash ? hash->wait(stop).value_or(QString()) : QString();
        if (!open.isEmpty() && open == record.sourceSha256) {
            return [this, record, path] {
                const EditDesk::State before = m_edits.state();
                const FrameSpec& raw = m_session.engine().info().frame;
                auto facts = raw.spectrometer;
                if (record.calibration && facts)
                    facts = calibrated(*facts, *record.calibration, raw);
                m_session.applyCalibration(std::move(facts), record.pipeline);
                m_edits.setOrigin(record.calibrationFile);
                showRestored(record);
                m_edits.displayFollowed();
                const QString name = QFileInfo(path).fileName();
                m_edits.done({"the settings of " + name, "Settings of " + name}, before);
            };
        }
        if (stop.stop_requested()) return {};
        const OpenRequest request = sourceOf(record, recent, stop);
        const auto prepared =
            std::make_shared<PreparedEngine>(prepareEngine(request, place, stop, beside));
        return [this, record, request, prepared] {
            adopt(std::move(*prepared), request);
            m_edits.setOrigin(record.calibrationFile);
            showRestored(record);
            m_edits.displayRestored();
        };
    };
}

void Desktop::showRestored(const ScreenshotRecord& record) {
    m_session.engine().player().freeze();
    m_session.engine().mailbox().showBscan(record.bscan);
    m_session.engine().player().seek(record.frame);
    showStages();
    showPosition();
    if (!record.views.isEmpty()) m_views->restoreScene(record.views);
    showDisplay(record.display);
}

} // namespace echolux
