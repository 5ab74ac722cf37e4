// SPDX-License-Identifier: GPL-3.0-or-later
// Menu entries, messages about the source, and the recorder.
#include "app/desktop/live_desk.hpp"

#include "app/desktop/file_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/live/open_live.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QStandardPaths>

#include <fmt/format.h>

#include <utility>

namespace echolux {
namespace {

/// How long the pipeline may take for the images of the last frames.
constexpr qint64 kLastImagesMs = 1000;

QString usualRecordFolder() {
    QString videos = QStandardPaths::writableLocation(QStandardPaths::MoviesLocation);
    if (videos.isEmpty()) videos = QDir::homePath();
    return videos + "/Echolux";
}

QString megabytes(std::uint64_t bytes) {
    const double amount = static_cast<double>(bytes) * 1e-6;
    return amount < 1000.0 ? QString::number(amount, 'f', 0) + " MB"
                           : QString::number(amount * 1e-3, 'f', 2) + " GB";
}

/// Calls `with` for what the user's settings keep.
template <class Choice, class With> void forEachKeptOf(Choice& choice, const With& with) {
    with("record/folder", choice.folder);
    with("record/before", choice.preTriggerS);
    with("record/after", choice.stopAfterS);
    with("record/compression", choice.compression);
    with("record/images", choice.images);
}

} // namespace

LiveDesk::LiveDesk(const Widgets& widgets, Session& session, FileDesk& files,
                   RecordingDesk& recordings, MessageDesk& messages, bool remember)
    : m_widgets(widgets), m_session(session), m_files(files), m_recordings(recordings),
      m_messages(messages), m_remember(remember) {
    m_choice.folder = usualRecordFolder();
    if (m_remember) {
        const QSettings store = userSettings();
        forEachKeptOf(m_choice, [&](const char* key, auto& field) { read(store, key, field); });
    }
    makeActions();
    const TransportBar* bar = &widgets.bar;
    connect(bar, &TransportBar::recordToggled, this,
            [this](bool on) { on ? record() : stopRecording(); });
    connect(bar, &TransportBar::markRequested, this, [this] {
        if (m_recorder) m_recorder->mark({});
    });
}

LiveDesk::~LiveDesk() { dropTrail(); }

void LiveDesk::parameterSet(const std::string& key, double value) {
    if (m_recorder) m_recorder->parameter(key, fmt::format("{:g}", value));
}

void LiveDesk::makeActions() {
    const auto make = [this](const char* text, const char* help, auto&& run) {
        QAction* action = makeAction(this, text, "", {}, help);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    m_sources = {
        make("Simulate &ultrasound",
             "A simulated scanner, live: a linear array over a phantom "
             "that moves",
             [this] { open("simulator:echoes"); }),
        make("Simulate O&CT", "A simulated OCT device, live", [this] { open("simulator:oct"); }),
        make("Open a &live source\u2026",
             "Frames of another program, or a recording as if it "
             "were live",
             [this] { askForSource(); })};
    QAction* separator = new QAction(this);
    separator->setSeparator(true);
    m_recording = {separator, m_widgets.bar.actions().record,
                   make("Recording &settings\u2026",
                        "Where live sources are recorded, from when on and how long",
                        [this] { askHowToRecord(); })};
}

void LiveDesk::open(const std::string& address) { m_files.open(OpenRequest{address}); }

void LiveDesk::askForSource() {
    QStringList kinds;
    QString help = "Address of the source:";
    for (const auto& [address, what] : liveAddressKinds()) {
        kinds << QString::fromStdString(address);
        help += QString("\n   %1: %2")
                    .arg(QString::fromStdString(address), QString::fromStdString(what));
    }
    bool accepted = false;
    const QString address = QInputDialog::getItem(&m_widgets.window, "Open a live source", help,
                                                  kinds, 0, true, &accepted)
                                .trimmed();
    if (!accepted || address.isEmpty()) return;
    try {
        checkLiveAddress(address.toStdString());
    } catch (const Error& error) {
        return m_messages.fail(error.what(), Topic::Opening);
    }
    open(address.toStdString());
}

void LiveDesk::askHowToRecord() {
    RecordDialog dialog(m_choice, &m_widgets.window);
    if (dialog.exec() == QDialog::Accepted) setChoice(dialog.choice());
}

void LiveDesk::setChoice(const RecordChoice& choice) {
    m_choice = choice;
    if (m_choice.folder.isEmpty()) m_choice.folder = usualRecordFolder();
    if (!m_remember) return;
    QSettings store = userSettings();
    forEachKeptOf(m_choice,
                  [&](const char* key, const auto& field) { store.setValue(key, field); });
}

void LiveDesk::record() {
    LiveRecording* live = m_session.live();
    if (live == nullptr || m_recorder) return;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString name =
        QString("live_%1.echolux.h5").arg(now.toLocalTime().toString("yyyyMMdd_hhmmss_zzz"));
    RecorderSetup setup;
    m_file = m_choice.folder + '/' + name;
    setup.file = m_file.toStdString();
    setup.preTriggerS = m_choice.preTriggerS;
    if (m_choice.stopAfterS > 0.0) setup.mostSeconds = m_choice.stopAfterS;
    setup.deflateLevel = m_choice.compression;
    setup.program = "Echolux";
    setup.created = now.toString(Qt::ISODate).toStdString();
    QDir().mkpath(m_choice.folder);
    m_sinceLastFrame.invalidate();
    try {
        const ImageRecorderSetup images{setup};
        if (m_choice.images) ImageRecorder::check(*m_session.snapshot(), images);
        m_recorder = std::make_unique<Recorder>(*live, setup);
        m_trail = std::make_unique<ParameterTrail>(*m_recorder);
        m_session.addSink(*m_trail);
        if (m_choice.images)
            m_images = std::make_unique<ImageRecorder>(
                *m_session.shared(), m_session.backend().backend, *m_recorder, images);
    } catch (const Error& error) {
        dropTrail();
        m_recorder.reset();
        m_messages.fail(error.what(), Topic::Saving);
    }
    m_widgets.bar.setRecording(m_recorder != nullptr);
    followRecorder();
}

void LiveDesk::dropTrail() {
    if (m_trail) m_session.removeSink(*m_trail);
    m_trail.reset();
}

void LiveDesk::stopRecording() {
    if (m_recorder) m_recorder->stop();
}

/// The frames that are still in memory are written before the engine goes.
void LiveDesk::leaving() {
    m_state = LiveState::Running;
    m_malformed = 0;
    m_messages.withdraw({Topic::Pace}); // it was about this source
    if (m_recorder) finish();
}

void LiveDesk::follow(const Statistics& now) {
    if (now.live) followSource(*now.live);
    followRecorder();
}

void LiveDesk::followSource(const LiveCounters& now) {
    if (std::exchange(m_malformed, now.malformed) == 0 && now.malformed > 0)
        m_messages.tell(Severity::Warning, QString::fromStdString(now.reason), Topic::Recording);
    if (std::exchange(m_state, now.state) == now.state) return;
    const QString name = m_recordings.path();
    switch (now.state) {
    case LiveState::Running: m_messages.withdraw({Topic::Pace}); return;
    case LiveState::Silent:
        m_messages.tell(Severity::Warning,
                        QString("%1: no frame has come for a second. The image goes on as "
                                "soon as frames come.")
                            .arg(name),
                        Topic::Pace);
        return;
    case LiveState::Changed:
        m_messages.tell(
            Severity::Info,
            QString("%1: %2 It is opened again.").arg(name, QString::fromStdString(now.reason)),
            Topic::General);
        m_files.open(m_recordings.shown());
        return;
    case LiveState::Ended:
        m_messages.fail(QString("%1: %2").arg(name, QString::fromStdString(now.reason)),
                        Topic::Pace);
        return;
    }
}

void LiveDesk::followRecorder() {
    if (!m_recorder) return;
    const RecorderState state = m_recorder->state();
    showRecorder(state);
    if (state.finished && !awaitsImages()) finish();
}

/// After the last raw frame, true while the pipeline may still be making its images.
bool LiveDesk::awaitsImages() {
    if (!m_images || m_images->isComplete()) return false;
    if (!m_session.isPlaying()) return false;
    if (!m_sinceLastFrame.isValid()) m_sinceLastFrame.start();
    return m_sinceLastFrame.elapsed() < kLastImagesMs;
}

void LiveDesk::showRecorder(const RecorderState& state) {
    QString text = QString("\u25cf recording %1 s, %2")
                       .arg(state.seconds, 0, 'f', 1)
                       .arg(megabytes(state.bytes));
    if (state.missing > 0) text += QString(", %1 missing").arg(state.missing);
    m_widgets.status.setRecording(text, state.missing > 0);
}

/// Waits until all is written, and says what is in the file.
void LiveDesk::finish() {
    const RecorderState state = m_recorder->finish();
    std::vector<RecordedImages> views;
    dropTrail();
    if (m_images) views = m_images->finish();
    m_images.reset();
    m_recorder.reset();
    m_widgets.bar.setRecording(false);
    m_widgets.status.setRecording({}, false);
    tellRecorded(state, views);
}

void LiveDesk::tellRecorded(const RecorderState& state, const std::vector<RecordedImages>& views) {
    const QString file = QDir::toNativeSeparators(m_file);
    if (!state.failure.empty())
        return m_messages.fail(QString::fromStdString(state.failure), Topic::Saving);
    if (state.frames == 0)
        return m_messages.tell(Severity::Warning, "Nothing was recorded: no frame came.",
                               Topic::General);
    QString sentence = QString("Recorded: %1 (%2 frames, %3)")
                           .arg(file)
                           .arg(state.frames)
                           .arg(megabytes(state.bytes));
    QString failure;
    for (const RecordedImages& view : views) {
        sentence +=
            QString(", %1 images of '%2'").arg(view.images).arg(QString::fromStdString(view.view));
        if (view.leftOut > 0) sentence += QString(" without %1").arg(view.leftOut);
        failure += QString::fromStdString(view.failure);
    }
    if (!failure.isEmpty()) return m_messages.fail(sentence + ". " + failure, Topic::Saving);
    if (state.missing > 0)
        sentence +=
            QString(". %1 frames are missing, because the disk was too slow").arg(state.missing);
    m_messages.tell(state.missing > 0 ? Severity::Warning : Severity::Info, sentence,
                    Topic::General, {"Open it", [this, path = m_file] { m_files.open(path); }});
}

} // namespace echolux
