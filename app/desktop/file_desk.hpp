// SPDX-License-Identifier: GPL-3.0-or-later
// Files at work: chosen, dropped, recent ones; asked about where they do not say what they hold.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

namespace echolux {

class Background;
class MainWindow;
class MessageDesk;
class DescribeDesk;
class RecordingDesk;
class Session;
class SidecarDesk;

class FileDesk : public QObject {
    Q_OBJECT
public:
    /// Who asks about files that do not say what they hold.
    struct Askers {
        DescribeDesk& importer;
        SidecarDesk& sidecars;
    };
    /// `remember`: keep the list of recent files in the user's settings.
    FileDesk(MainWindow& window, Session& session, Background& background,
             RecordingDesk& recordings, const Askers& askers, MessageDesk& messages, bool remember);

    /// Opens and plays a recording; says of other files what they are. The window stays alive
    /// meanwhile and keeps what was open until the new one is ready, or for good where it is
    /// refused or cancelled. A later call replaces this one.
    void open(const QString& path);
    void open(const OpenRequest& request);
    /// The first of them, and a message names the others; a recording and its sidecar, pipeline or
    /// calibration (.toml) are opened together.
    void openDropped(const QStringList& paths);
    /// The file does not say what it holds: asks for that, then opens it.
    void askHowStored(const OpenRequest& request);
    void recordingOpened();

signals:
    void screenshotChosen(const QString& path);
    void pipelineChosen(const QString& path);

private:
    void connectMenu();
    void connectAskers();
    void openPair(const QString& recording, const QString& toml);
    /// Empty: nobody chose one.
    QString chosen(const QString& title);
    void openRecent(const QString& path);
    void showRecent();

    MainWindow& m_window;
    Session& m_session;
    Background& m_background;
    RecordingDesk& m_recordings;
    Askers m_askers;
    MessageDesk& m_messages;
    bool m_remember;
    OpenRequest m_asked; ///< waits for its description
};

} // namespace echolux
