// SPDX-License-Identifier: GPL-3.0-or-later
// Runs entries one after another, and begins and ends recordings of them.
#include "app/desktop/session_desk.hpp"

#include "app/desktop/display_desk.hpp"
#include "app/desktop/display_fields.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/export/file_sha256.hpp"
#include "app/replay/session_edits.hpp"
#include "app/session/prepared_engine.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/controls/commands_of.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/views/view_area.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>
#include <QSignalBlocker>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

namespace echolux {
namespace {

/// Says where it is another file than the one that the session was made with.
QString doubt(const SessionRecording& recording, const std::stop_token& stop) {
    const QString path = QString::fromStdString(recording.file.string());
    const QString sum = fileSha256(path, stop);
    if (sum.isEmpty() || sum.toStdString() == recording.sha256) return {};
    return QFileInfo(path).fileName() +
           " has another content than the recording of this session; what is shown may differ.";
}

/// The recording itself, or a recent file with its name where it is not at its place: doubt() says
/// where that is another one.
SessionRecording found(SessionRecording recording) {
    std::error_code ignored;
    if (recording.sha256.empty() || std::filesystem::exists(recording.file, ignored))
        return recording;
    QSettings store = userSettings();
    for (const OpenRequest& each : recentFiles(store))
        if (each.file.filename() == recording.file.filename() &&
            std::filesystem::exists(each.file, ignored))
            recording.file = each.file;
    return recording;
}

const QString kSessionFiles = QStringLiteral("Sessions (*.session);;All files (*)");

/// Asks for a file to write. Empty: none. The dialog asks before one is replaced.
QString askPlace(QWidget& window, const QString& title) {
    QFileDialog dialog(&window, title, {}, kSessionFiles);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix("session");
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace

bool isSession(const QString& path) {
    constexpr char kBegin[] = "echolux session ";
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) &&
           file.read(sizeof(kBegin) - 1) == kBegin;
}

SessionDesk::SessionDesk(QMainWindow& window, Session& session, Background& background,
                         const Desks& desks)
    : m_window(window), m_session(session), m_background(background), m_desks(desks),
      m_recorder(window, session, desks.edits),
      m_queue(background, [this](const SessionEntry& entry) { return isReadyFor(entry); }),
      m_still(session) {
    m_scene = makeAction(this, "Save the scene\u2026", "", {},
                         "Recording, pipeline, views, measurements and layout as one small file");
    connect(m_scene, &QAction::triggered, this, &SessionDesk::chooseScene);
    m_record = makeAction(this, "Record the session\u2026", "", {},
                          "Writes what you do as a text, which 'echolux replay' does again");
    m_record->setCheckable(true);
    connect(m_record, &QAction::toggled, this, &SessionDesk::chooseRecord);
    m_run = makeAction(this, "Run a session\u2026", "", {}, "Does again what a session says");
    connect(m_run, &QAction::triggered, this, &SessionDesk::chooseRun);
    m_menu = new QMenu("Sess&ion", &window);
    m_menu->addActions({m_scene, m_record, m_run});
    connect(&m_recorder, &SessionRecorder::failed, this, [this](const QString& sentence) {
        const QSignalBlocker quiet(m_record);
        m_record->setChecked(false);
        emit failed(sentence);
    });
}

void SessionDesk::chooseRecord(bool on) {
    try {
        if (!on) {
            m_recorder.end();
            return;
        }
        const QString path = askPlace(m_window, "Record the session");
        if (!path.isEmpty()) return record(path);
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
    }
    const QSignalBlocker quiet(m_record);
    m_record->setChecked(false);
}

/// Throws Error where the path is that of the open recording.
void SessionDesk::refuseRecording(const QString& path) const {
    if (!m_session.isOpen()) return;
    std::error_code ignored;
    if (std::filesystem::equivalent(path.toStdString(), m_session.recording().path, ignored))
        throw Error("Cannot write '" + path.toStdString() +
                    "': it is the recording itself; choose another name.");
}

void SessionDesk::record(const QString& path) {
    refuseRecording(path);
    m_recorder.begin(path);
    const QSignalBlocker quiet(m_record);
    m_record->setChecked(true);
    emit informed("The session is recorded in " + QFileInfo(path).fileName() +
                  "; 'echolux replay' does it again.");
}

void SessionDesk::chooseRun() {
    const QString path =
        QFileDialog::getOpenFileName(&m_window, "Run a session", {}, kSessionFiles);
    if (!path.isEmpty()) runChosen(path);
}

void SessionDesk::runChosen(const QString& path) {
    try {
        run(path);
    } catch (const std::exception& error) {
        return emit failed(sentenceOf(error));
    }
    if (!m_desks.remember) return;
    QSettings store = userSettings();
    addRecentFile(store, OpenRequest{path.toStdString()});
}

void SessionDesk::chooseScene() {
    if (!m_session.isOpen()) return;
    const QString path = askPlace(m_window, "Save the scene");
    if (path.isEmpty()) return;
    try {
        saveScene(path);
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
    }
}

void SessionDesk::saveScene(const QString& path) {
    using namespace session_words;
    refuseRecording(path);
    const SessionState state = sessionStateOf(m_desks.edits);
    auto entries = openingEntries(state, m_session, QFileInfo(path).absolutePath().toStdString());
    const QJsonObject views = QJsonObject::fromVariantMap(m_desks.views.scene());
    const auto add = [&](const char* id, const QByteArray& value) {
        entries.push_back({.id = id, .value = value.toStdString()});
    };
    add(kViews, QJsonDocument(views).toJson(QJsonDocument::Compact));
    add(kLayout, m_desks.layout().toBase64());
    add(kBscan, QByteArray::number(qint64{m_session.mailbox().chosenBscan() + 1}));
    add(kFrame, QByteArray::number(qint64{m_session.mailbox().shownFrame() + 1}));
    const QString source = QString::fromStdString(state.recording.file.string());
    const bool isFile = m_session.live() == nullptr;
    m_background.start(
        Background::Kind::Saving, "Saving the scene: taking the checksum of its recording",
        [this, path, source, isFile, entries](const std::stop_token& stop) -> Background::Finish {
            const QString sum = isFile ? fileSha256(source, stop) : QString();
            if (stop.stop_requested()) return {};
            auto complete = entries;
            if (!sum.isEmpty())
                complete.insert(complete.begin(), {.id = kSha256, .value = sum.toStdString()});
            writeWhole(path.toStdString(), toText(complete));
            return
                [this, path] { emit informed("Scene saved: " + QDir::toNativeSeparators(path)); };
        });
}

void SessionDesk::run(const QString& path) {
    const QFileInfo file(path);
    run(loadSession(path.toStdString()), file.fileName(), file.absolutePath());
}

void SessionDesk::run(std::vector<SessionEntry> entries, const QString& name,
                      const QString& folder) {
    if (m_runs) m_queue.drop(m_runs);
    m_runs = sender(folder);
    m_name = name;
    m_left = entries.size();
    m_compared = m_same = 0;
    m_still.forget();
    for (SessionEntry& each : entries) {
        const auto done = [this, line = each.line](const QString& problem) {
            ended(line, problem);
        };
        m_queue.add(std::move(each), m_runs, done);
    }
    if (m_left == 0) ended(0, {});
}

EntryQueue::SenderPtr SessionDesk::sender(const QString& folder) {
    return std::make_shared<EntryQueue::Sender>(
        EntryQueue::Sender{{static_cast<SessionTarget&>(*this), folder.toStdString()}});
}

/// An image is compared once the window stands still.
bool SessionDesk::isReadyFor(const SessionEntry& entry) {
    if (entry.id != session_words::kValues) return true;
    m_images.reset();
    if (!m_session.isOpen() || m_session.live() != nullptr || m_session.isPlaying()) return true;
    m_images = m_still.poll();
    return m_images.has_value();
}

/// An entry of run() was done, or not.
void SessionDesk::ended(int line, const QString& problem) {
    if (m_left > 0) --m_left;
    if (!problem.isEmpty()) {
        m_queue.drop(m_runs);
        m_left = 0;
    }
    if (m_left > 0) return;
    const QString name = std::exchange(m_name, {});
    m_runs.reset();
    if (!problem.isEmpty())
        return emit failed(QString("%1, line %2: %3").arg(name, QString::number(line), problem));
    emit ranToItsEnd(m_compared, m_same);
    if (m_compared > 0)
        emit informed(QString("%1: %2 of %3 images are the same to the bit.")
                          .arg(name, QString::number(m_same), QString::number(m_compared)));
}

void SessionDesk::recordingOpened() {
    m_queue.recordingOpened();
    m_still.forget();
    m_recorder.recordingOpened();
}

void SessionDesk::lookAround() { m_recorder.lookAround(); }

void SessionDesk::requireOpen() const {
    if (!m_session.isOpen()) throw Error("no recording is open");
}

void SessionDesk::edit(const QString& what, const std::function<void()>& change) {
    requireOpen();
    const QString refusal = m_desks.edits.edit({what, "Session: " + what}, change);
    if (!refusal.isEmpty()) throw Error(refusal.toStdString());
}

void SessionDesk::open(const SessionRecording& recording) {
    const SessionRecording at = found(recording);
    m_desks.files.open(OpenRequest{at.file, optionsOf(at)});
    if (at.sha256.empty()) return;
    m_background.start(Background::Kind::Quiet, {},
                       [this, at](const std::stop_token& stop) -> Background::Finish {
                           return [this, told = doubt(at, stop)] {
                               if (!told.isEmpty()) emit warned(told);
                           };
                       });
}

void SessionDesk::usePipeline(const std::string& name) {
    edit("pipeline " + QString::fromStdString(name),
         [&] { m_session.applyPipeline(pipelineCalled(name, m_session.recording().frame)); });
}

void SessionDesk::usePipelineText(const std::string& toml) {
    edit("pipeline", [&] { m_session.applyPipeline(pipelineBelow(toml)); });
}

void SessionDesk::useCalibration(const std::string& toml) {
    edit("calibration", [&] {
        m_session.applyCalibration(factsBelow(toml, m_session.recording().frame),
                                   toConfig(*m_session.snapshot()));
    });
}

void SessionDesk::set(const std::vector<ParameterChange>& changes) {
    edit("parameters",
         [&] { m_session.applyPipeline(withChanges(*m_session.snapshot(), changes)); });
}

void SessionDesk::bypass(const std::string& stage, bool off) {
    edit("stage " + QString::fromStdString(stage), [&] { m_session.setBypass(stage, off); });
}

void SessionDesk::display(const std::string& key, const std::string& value) {
    requireOpen();
    const DisplayChoice before = m_desks.edits.display();
    m_desks.display.show(withDisplayText(before, key, value));
    m_desks.edits.displayEdited(before);
}

void SessionDesk::show(std::int64_t frame, std::int64_t bscan) {
    requireOpen();
    const std::int64_t count = m_session.player().state().frameCount;
    if (frame >= count)
        throw Error(("the recording has frames 1 to " + std::to_string(count) + ", not " +
                     std::to_string(frame + 1)));
    m_desks.playback.freezeAt(frame, bscan);
}

void SessionDesk::check(const std::string& view, const std::string& digest) {
    requireOpen();
    if (!m_images)
        throw Error("the image does not stand still; write 'playback.frame N' before this line");
    const auto at =
        std::ranges::find(m_images->digests, view, &std::pair<std::string, std::string>::first);
    if (at == m_images->digests.end()) throw Error("the pipeline has no view '" + view + "'");
    ++m_compared;
    m_same += at->second == digest ? 1 : 0;
}

void SessionDesk::part(const std::string& name, const std::string& text) {
    requireOpen();
    const Document::States before = m_desks.edits.document().states();
    for (const DocumentPart& part : m_desks.edits.document().parts()) {
        if (part.words.name != name) continue;
        const std::string former = part.words.text();
        if (former == text) return; // nothing is written beside the recording then
        part.words.take(text);
        const QString what = QString::fromStdString(name);
        if (!former.empty() && former != part.words.text())
            emit warned("The " + what +
                        " of this recording were replaced by those of the session; "
                        "Undo (Ctrl+Z) brings them back.");
        return m_desks.edits.done({what, "Session: " + what}, before);
    }
    throw Error("this program keeps no '" + name + "'");
}

void SessionDesk::views(const std::string& json) {
    const QJsonObject scene = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    if (scene.isEmpty()) throw Error("what stands behind 'views.look' is no JSON object");
    m_desks.views.restoreScene(scene.toVariantMap());
}

void SessionDesk::layout(const std::string& base64) {
    m_desks.arrange(QByteArray::fromBase64(QByteArray::fromStdString(base64)));
}

void SessionDesk::command(const std::string& id) {
    runCommand(m_window, QString::fromStdString(id));
}

} // namespace echolux
