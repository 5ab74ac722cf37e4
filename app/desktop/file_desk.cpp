// SPDX-License-Identifier: GPL-3.0-or-later
// Opens and shows a recording from a path.
#include "app/desktop/file_desk.hpp"

#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/screenshot.hpp"
#include "app/desktop/session_desk.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace echolux {

FileDesk::FileDesk(QWidget& window, Session& session, Background& background,
                   RecordingDesk& recordings, const Askers& askers, MessageDesk& messages,
                   bool remember)
    : m_window(window), m_session(session), m_background(background), m_recordings(recordings),
      m_askers(askers), m_messages(messages), m_remember(remember) {
    connectAskers();
    connect(&background, &Background::failed, this,
            [this](const QString& sentence, Background::Kind kind) {
                const bool isSaving =
                    kind == Background::Kind::Saving || kind == Background::Kind::Exporting;
                m_messages.fail(sentence, isSaving ? Topic::Saving : Topic::Opening);
            });
}

void FileDesk::connectAskers() {
    const SidecarDesk* sidecars = &m_askers.sidecars;
    connect(sidecars, &SidecarDesk::chosen, this,
            [this](const OpenRequest& request) { open(request); });
    connect(sidecars, &SidecarDesk::describeRequested, this,
            [this](const OpenRequest& request) { askHowStored(request); });
    const DescribeDesk* importer = &m_askers.importer;
    connect(importer, &DescribeDesk::described, this, [this] { open(m_asked); });
    m_messages.listenTo(*sidecars, Topic::Opening);
    m_messages.listenTo(*importer, Topic::Opening);
}

QString FileDesk::chosen(const QString& title) {
    return QFileDialog::getOpenFileName(&m_window, title, m_recordings.folder());
}

void FileDesk::choose() {
    if (const QString path = chosen("Open a recording"); !path.isEmpty()) open(path);
}

void FileDesk::openTrack(int track) {
    OpenRequest request = m_recordings.shown();
    request.options.track = static_cast<std::size_t>(track);
    request.pipeline.reset(); // the pipeline may not suit another track
    open(request);
}

void FileDesk::describe() {
    if (const QString path = chosen("Describe a file"); !path.isEmpty())
        askHowStored(OpenRequest{path.toStdString()});
}

void FileDesk::openWithSidecar() {
    const QString path = chosen("Open with a sidecar: the recording");
    if (!path.isEmpty()) m_askers.sidecars.choose(OpenRequest{path.toStdString()});
}

void FileDesk::askHowStored(const OpenRequest& request) {
    m_asked = request;
    m_askers.importer.ask(QString::fromStdString(request.file.string()));
}

void FileDesk::open(const QString& path) {
    if (isScreenshot(path)) {
        emit screenshotChosen(path);
    } else if (isSession(path)) {
        emit sessionChosen(path);
    } else if (isPipelineFile(path)) {
        emit pipelineChosen(path);
    } else {
        open(OpenRequest{path.toStdString()});
    }
}

void FileDesk::openDropped(const QStringList& paths) {
    const auto isToml = [](const QString& path) { return path.endsWith(".toml"); };
    const auto described = std::ranges::find_if_not(paths, isToml);
    const auto beside = std::ranges::find_if(paths, isToml);
    const bool isPair = paths.size() == 2 && described != paths.end() && beside != paths.end();
    if (isPair && !isScreenshot(*described)) {
        openPair(*described, *beside);
        return;
    }
    open(paths.front());
    if (paths.size() == 1) return;
    QStringList others;
    for (const QString& path : paths.mid(1)) others << QFileInfo(path).fileName();
    m_messages.tell(Severity::Warning,
                    QString("%1 files were dropped, and the window shows one recording: %2 is "
                            "opened, %3 %4 not. File > Export many files takes several.")
                        .arg(paths.size())
                        .arg(QFileInfo(paths.front()).fileName(), others.join(", "),
                             others.size() == 1 ? "is" : "are"),
                    Topic::General);
}

/// Opens a recording with a second file: its sidecar, the pipeline to run on it, or a calibration.
void FileDesk::openPair(const QString& recording, const QString& toml) {
    OpenRequest request{recording.toStdString()};
    const std::string file = toml.toStdString();
    QString what = "sidecar";
    try {
        if (isPipelineFile(toml)) {
            what = "pipeline";
            request.choosePipeline = [file](const FrameSpec&) { return loadPipeline(file); };
        } else if (isSidecar(file)) {
            request.options.sidecar = file;
        } else {
            what = "calibration";
            request.options.calibration = file;
        }
    } catch (const Error& error) {
        return m_messages.fail(error.what(), Topic::Opening);
    }
    open(request);
    m_messages.tell(Severity::Info,
                    QString("Opening %1 with the %2 %3")
                        .arg(QFileInfo(recording).fileName(), what, QFileInfo(toml).fileName()),
                    Topic::General);
}

void FileDesk::open(const OpenRequest& request) {
    m_messages.withdraw({Topic::Opening});
    m_background.start(
        Background::Kind::Opening, QString::fromStdString(request.openingText()),
        [this, request, place = m_session.place(), beside = std::weak_ptr(m_session.shared())](
            const std::stop_token& stop) -> Background::Finish {
            try {
                const auto prepared = std::make_shared<PreparedEngine>(
                    prepareRecording(request, place, stop, beside));
                return [this, request, prepared] {
                    m_recordings.adopt(std::move(*prepared), request);
                };
            } catch (const HeaderlessData&) {
                return [this, request] { askHowStored(request); };
            } catch (const UndescribedData& refusal) {
                return [this, request, reason = QString::fromStdString(refusal.reason())] {
                    m_askers.sidecars.ask(request, reason);
                };
            }
        });
}

void FileDesk::openRecent(const QString& path) {
    if (isSession(path)) return open(path);
    QSettings store = userSettings();
    const auto known = recentFiles(store);
    const OpenRequest plain{path.toStdString()};
    const auto at = std::ranges::find(known, plain.file, &OpenRequest::file);
    open(at != known.end() ? *at : plain);
}

void FileDesk::recordingOpened() {
    if (!m_remember || m_recordings.shown().isLive()) return;
    QSettings store = userSettings();
    addRecentFile(store, m_recordings.shown());
    showRecent();
}

void FileDesk::showRecent() {
    if (!m_remember) return;
    QSettings store = userSettings();
    QStringList paths;
    for (const OpenRequest& each : recentFiles(store))
        paths << QString::fromStdString(each.file.string());
    emit recentChanged(paths);
}

} // namespace echolux
