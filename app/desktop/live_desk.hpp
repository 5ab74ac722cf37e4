// SPDX-License-Identifier: GPL-3.0-or-later
// Opens live sources, follows their state, and records them.
#pragma once

#include "app/export/image_recorder.hpp"
#include "app/live/recorder.hpp"
#include "app/session/stream/parameter_trail.hpp"
#include "app/session/stream/statistics.hpp"
#include "ui/dialogs/record_dialog.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace echolux {

class FileDesk;
class MainWindow;
class MessageDesk;
class RecordingDesk;
class Session;
class Workbench;

class LiveDesk : public QObject {
    Q_OBJECT
public:
    struct Means {
        FileDesk& files;
        RecordingDesk& recordings;
        MessageDesk& messages;
        Workbench& bench;
    };
    /// `remember`: keep the choices of recording in the user's settings.
    LiveDesk(MainWindow& window, Session& session, const Means& means, bool remember);
    ~LiveDesk() override;

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

    MainWindow& m_window;
    Session& m_session;
    Means m_means;
    bool m_remember;
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
