// SPDX-License-Identifier: GPL-3.0-or-later
// Opens live sources, follows their state, and records them.
#pragma once

#include "app/export/image_recorder.hpp"
#include "app/live/recorder.hpp"
#include "app/session/stream/parameter_trail.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/dialogs/record_dialog.hpp"

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QAction;

namespace echolux {

class FileDesk;
class MessageDesk;
class RecordingDesk;
class Session;
class StatusBar;
class TransportBar;

class LiveDesk : public QObject {
    Q_OBJECT
public:
    struct Widgets {
        QWidget& window; ///< parent of dialogs
        TransportBar& bar;
        StatusBar& status;
    };
    /// `remember`: keep the choices of recording in the user's settings.
    LiveDesk(const Widgets& widgets, Session& session, FileDesk& files, RecordingDesk& recordings,
             MessageDesk& messages, bool remember);
    ~LiveDesk() override;

    const QList<QAction*>& sources() const { return m_sources; }     ///< for the menu of files
    const QList<QAction*>& recording() const { return m_recording; } ///< for the menu of playback

    /// Asks for an address, and opens it.
    void askForSource();
    /// Precondition: a live source is open. A sentence in the message bar says why it failed.
    void record();
    void stopRecording();
    bool isRecording() const { return m_recorder != nullptr; }
    /// The file of the present or the last recording; empty: none yet.
    QString file() const { return m_file; }
    RecordChoice choice() const { return m_choice; }
    void setChoice(const RecordChoice& choice);

    /// Writes down in the recording that a parameter of the source was set.
    void parameterSet(const std::string& key, double value);
    void leaving(); ///< the engine will go: ends the recording
    void follow(const Statistics& now);

private:
    void makeActions();
    void open(const std::string& address);
    void askHowToRecord();
    void followSource(const LiveCounters& now);
    void followRecorder();
    void showRecorder(const RecorderState& state);
    bool awaitsImages();
    void dropTrail();
    void finish();
    void tellRecorded(const RecorderState& state, const std::vector<RecordedImages>& views);

    Widgets m_widgets;
    Session& m_session;
    FileDesk& m_files;
    RecordingDesk& m_recordings;
    MessageDesk& m_messages;
    bool m_remember;
    QList<QAction*> m_sources, m_recording;
    RecordChoice m_choice;
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<ParameterTrail> m_trail; ///< goes before m_recorder
    std::unique_ptr<ImageRecorder> m_images; ///< while it is wanted; goes before m_recorder
    QElapsedTimer m_sinceLastFrame;          ///< of the recording; invalid before
    QString m_file;
    LiveState m_state = LiveState::Running;
    std::uint64_t m_malformed = 0;
};

} // namespace echolux
