// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the dialog's choices into a request, and reports the result.
#include "app/desktop/export_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/export/picture.hpp"
#include "app/pipeline/wiring.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/pixels_look.hpp"
#include "app/session/session.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/dialogs/export_dialog.hpp"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QStandardPaths>

#include <algorithm>
#include <exception>
#include <memory>
#include <tuple>
#include <utility>

namespace echolux {
namespace {

bool isOneOf(const std::string& ending, std::initializer_list<const char*> endings) {
    return std::ranges::find(endings, ending) != endings.end();
}

/// The kinds of export that a file name ending can hold.
std::vector<ExportKind> kindsOf(const ExportEnding& ending) {
    if (isOneOf(ending.ending, {".mp4", ".webm", ".gif"})) return {ExportKind::Cine};
    if (ending.ending == ".csv") return {ExportKind::Curve};
    if (ending.hasLook) return {ExportKind::Picture};
    return {ExportKind::Values};
}

const QString kFolderKey = QStringLiteral("export_folder");

/// The user's documents folder, or the home folder.
QString usualFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return !documents.isEmpty() && QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

} // namespace

ExportDesk::ExportDesk(QWidget& window, Session& session, Background& background, EditDesk& edits,
                       RecordingDesk& recordings, bool remember)
    : m_window(window), m_session(session), m_background(background), m_edits(edits),
      m_recordings(recordings), m_remember(remember) {}

void ExportDesk::ask() {
    if (!m_session.isOpen()) return;
    if (m_recordings.shown().isLive())
        return emit failed("Frames of a live source are exported from a recording of them: record "
                           "it (Ctrl+R), open the file, then export.");
    if (!m_dialog) {
        m_dialog = new ExportDialog(&m_window);
        connect(m_dialog, &ExportDialog::exportRequested, this, &ExportDesk::exportAs);
        connect(m_dialog, &ExportDialog::previewWanted, this, &ExportDesk::askPreview);
    }
    m_dialog->setOffer(offer());
    m_dialog->show();
    m_dialog->raise();
}

/// The image that was copied last is drawn at once, and the shown one when it has been copied.
void ExportDesk::askPreview() {
    if (!m_session.isOpen()) return;
    auto& look = m_session.look<PixelsLook>();
    look.want(0);
    m_previewWaits = true;
    drawPreview(look.latest(0));
}

void ExportDesk::followPreview() {
    if (!m_previewWaits || !m_dialog || !m_dialog->isVisible() || !m_session.isOpen()) return;
    const auto copied = m_session.look<PixelsLook>().latest(0);
    if (copied == m_previewed) return;
    m_previewWaits = false;
    drawPreview(copied);
}

/// One at a time, and no larger than a dialog shows.
void ExportDesk::drawPreview(const std::shared_ptr<const ImagePixels>& copied) {
    constexpr int kMostPixels = 900;
    m_previewed = copied;
    if (!copied || copied->spec.axes.size() != 2) return;
    if (std::exchange(m_drawing, true)) {
        m_drawAgain = true;
        return;
    }
    ExportLook look = requestFor(m_dialog->choice()).look;
    if (look.depthBits == 16) look.colourMap = "gray";
    if (look.width > kMostPixels) {
        look.labelsPx = look.labelsPx * kMostPixels / look.width;
        look.width = kMostPixels;
    }
    const auto show = [this](const QImage& picture, const QString& problem) {
        m_drawing = false;
        if (!m_dialog) return;
        m_dialog->setPreview(picture, problem);
        if (std::exchange(m_drawAgain, false)) drawPreview(m_previewed);
    };
    m_background.start(Background::Kind::Quiet, {},
                       [show, copied, look](const std::stop_token&) -> Background::Finish {
                           try {
                               const HostFrameData image = imageOf(*copied);
                               ValueRange range = shownRange(image);
                               std::tie(range.min, range.max) = *look.range;
                               return [show, picture = finishedPicture(image, look, range)] {
                                   show(picture, {});
                               };
                           } catch (const std::exception& error) {
                               return [show, sentence = sentenceOf(error)] { show({}, sentence); };
                           }
                       });
}

/// The folder of the last file, if it still exists.
QString ExportDesk::folder() const {
    QString last = m_folder;
    if (last.isEmpty() && m_remember) last = userSettings().value(kFolderKey).toString();
    return !last.isEmpty() && QFileInfo(last).isDir() ? last : usualFolder();
}

ExportOffer ExportDesk::offer() {
    const RecordingInfo& info = m_session.recording();
    ExportOffer offer;
    offer.recording = m_recordings.path();
    offer.folder = folder();
    offer.baseName = QFileInfo(m_recordings.path()).fileName().section('.', 0, 0) + "_export";
    offer.frames = static_cast<int>(info.frameCount);
    offer.shownFrame = static_cast<int>(m_session.mailbox().shownFrame()) + 1;
    offer.framesPerS = info.frameRateHz;
    for (const ExportEnding& ending : exportEndings()) {
        if (!ending.available) continue;
        for (const ExportKind kind : kindsOf(ending))
            offer.formats[static_cast<std::size_t>(kind)].push_back(
                {QString::fromStdString(ending.ending), QString::fromStdString(ending.what)});
    }
    offer.outputs.push_back({QString::fromUtf8(kRecording), "Recording, as it is"});
    const SnapshotPtr snapshot = m_session.snapshot();
    for (const StageState& stage : snapshot->stages)
        if (!stage.bypass)
            offer.outputs.push_back(
                {QString::fromStdString(stage.id), QString::fromStdString(stage.type->label)});
    return offer;
}

ExportRequest ExportDesk::requestFor(const ExportChoice& choice) {
    const OpenRequest& shown = m_recordings.shown();
    const DisplayChoice& display = m_edits.display();
    ExportRequest request;
    request.file = shown.file;
    request.open = shown.options;
    request.pipeline = toFullConfig(*m_session.snapshot());
    request.spectrometer = m_session.spectrometer();
    request.frames = ExportFrames{choice.firstFrame - 1, choice.lastFrame - 1};
    if (choice.kind == ExportKind::Values) request.outputOf = choice.output.toStdString();
    request.target = choice.path.toStdString();
    request.look = {.colourMap = display.colourMap.toStdString(),
                    .range = std::pair(display.min, display.max),
                    .gamma = display.gamma,
                    .inverted = display.inverted,
                    .scaleBar = choice.scaleBar,
                    .colourBar = choice.colourBar,
                    .axes = choice.axes,
                    .width = choice.width,
                    .dpi = choice.dpi,
                    .labelsPx = choice.labelsPx,
                    .depthBits = choice.sixteenBit ? 16 : 8};
    request.framesPerSecond = choice.framesPerS;
    if (const auto column = m_session.look<PickedColumn>().latest();
        column && choice.kind == ExportKind::Curve)
        request.columnM = column->lateralM;
    request.backend = m_session.backend().backend;
    return request;
}

void ExportDesk::exportAs(const ExportChoice& choice) {
    if (!m_session.isOpen()) return;
    ExportRequest request = requestFor(choice);
    if (QFileInfo::exists(choice.path)) {
        const QString name = QDir::toNativeSeparators(choice.path);
        request.replace = QMessageBox::question(m_dialog, "Export", name + " exists. Replace it?",
                                                QMessageBox::Yes | QMessageBox::No,
                                                QMessageBox::No) == QMessageBox::Yes;
        if (!request.replace) return;
    }
    m_dialog->setChecking();
    const auto isAwaited = [this, check = ++m_lastCheck] {
        return check == m_lastCheck && m_dialog && m_dialog->isChecking();
    };
    m_background.start(Background::Kind::Quiet, {},
                       [this, isAwaited, request](const std::stop_token&) -> Background::Finish {
                           try {
                               // The callback ends the export before the first frame. All
                               // checks come before that.
                               exportRecording(request,
                                               [](std::int64_t, std::int64_t) { return false; });
                           } catch (const std::exception& error) {
                               return [this, isAwaited, sentence = sentenceOf(error)] {
                                   if (isAwaited()) m_dialog->setError(sentence);
                               };
                           }
                           return [this, isAwaited, request] {
                               if (!isAwaited()) return;
                               m_dialog->accept();
                               start(request);
                           };
                       });
}

void ExportDesk::start(ExportRequest request) {
    const QString path = QString::fromStdString(request.target.string());
    m_background.startReporting(
        Background::Kind::Exporting, "Exporting " + QFileInfo(path).fileName(),
        [this, path, request = std::move(request)](
            const std::stop_token& stop, const Background::Report& report) -> Background::Finish {
            const auto result = std::make_shared<ExportResult>(
                exportRecording(request, [&](std::int64_t done, std::int64_t of) {
                    report(static_cast<double>(done) /
                           static_cast<double>(std::max<std::int64_t>(of, 1)));
                    return !stop.stop_requested();
                }));
            if (result->cancelled) return {};
            return [this, path, result] {
                m_folder = QFileInfo(path).absolutePath();
                if (m_remember) userSettings().setValue(kFolderKey, m_folder);
                QString text =
                    QString("Exported %1: %2")
                        .arg(QString::fromStdString(result->what), QDir::toNativeSeparators(path));
                for (const std::string& remark : result->remarks)
                    text += ". " + QString::fromStdString(remark);
                emit exported(path);
                emit informed(text);
            };
        });
}

} // namespace echolux
