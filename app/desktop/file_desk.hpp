// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files that users choose, drop or pick from the recent ones. Asks about files that do not
// describe themselves.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

class QWidget;

namespace echolux {

class Background;
class MessageDesk;
class DescribeDesk;
class RecordingDesk;
class Session;
class SidecarDesk;

class FileDesk : public QObject {
    Q_OBJECT
public:
    /// Desks that ask about files that do not describe themselves.
    struct Askers {
        DescribeDesk& importer;
        SidecarDesk& sidecars;
    };
    /// `remember`: keep the list of recent files in the user's settings.
    FileDesk(QWidget& window, Session& session, Background& background, RecordingDesk& recordings,
             const Askers& askers, MessageDesk& messages, bool remember);

    /// Opens and plays a recording; for other files, says what they are. The window stays
    /// responsive. The former recording stays until the new one is ready, and for good where the
    /// new one is refused or cancelled. A later call replaces this one.
    void open(const QString& path);
    void open(const OpenRequest& request);
    void choose();                        ///< asks for a recording and opens it
    void openRecent(const QString& path); ///< with the sidecar and the pipeline of the last time
    void openTrack(int track);            ///< of the open recording
    /// Opens the first file, and names the others in a message. A recording is opened together with
    /// its sidecar, pipeline or calibration (.toml).
    void openDropped(const QStringList& paths);
    /// Asks how a file is stored that does not describe itself, then opens it.
    void askHowStored(const OpenRequest& request);
    void describe();        ///< asks for a file, then how it is stored
    void openWithSidecar(); ///< asks for a recording and its sidecar
    void recordingOpened();
    void showRecent();

signals:
    void screenshotChosen(const QString& path);
    void pipelineChosen(const QString& path);
    void sessionChosen(const QString& path);
    void recentChanged(const QStringList& paths); ///< newest first

private:
    void connectAskers();
    void openPair(const QString& recording, const QString& toml);
    /// Shows a file dialog. Empty where the user cancels it.
    QString chosen(const QString& title);

    QWidget& m_window;
    Session& m_session;
    Background& m_background;
    RecordingDesk& m_recordings;
    Askers m_askers;
    MessageDesk& m_messages;
    bool m_remember;
    OpenRequest m_asked; ///< the request that waits for a description
};

} // namespace echolux
