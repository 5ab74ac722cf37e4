// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots at work: saved with the settings that made them, and brought back.
#pragma once

#include "app/desktop/screenshot.hpp"
#include "app/desktop/workbench/background.hpp"

#include <QImage>
#include <QObject>
#include <QString>

#include <memory>

namespace echolux {

class EditDesk;
class FileHash;
class MainWindow;
class MessageDesk;
class RecordingDesk;
class Session;
class ViewArea;

class ScreenshotDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: look for recordings among the recent files of the user's settings, too.
    ScreenshotDesk(MainWindow& window, ViewArea& views, Session& session, Background& background,
                   EditDesk& edits, RecordingDesk& recordings, MessageDesk& messages,
                   bool remember);

    void recordingOpened();
    /// Of the open file: since the first screenshot of it that was saved or brought back.
    bool takesChecksum() const { return m_hash != nullptr; }
    /// The whole window, with the settings that made it. Waits for the source's checksum. Throws
    /// Error where it cannot be written.
    void saveWindow(const QString& path);
    /// Finds the recording by its checksum: the open one, or else one of the recent files; there
    /// the settings are in force then, as one step of the list of edits.
    void restore(const QString& path);

signals:
    /// The pipeline and the calibration are in force; frame, views and display are to follow.
    void restored(const echolux::ScreenshotRecord& record);

private:
    void saveImage(); ///< with its axes, into the user's pictures
    void saveAs(const QImage& picture, const QString& name); ///< asks where
    void save(const QString& path, const QImage& picture);
    std::shared_ptr<FileHash> checksum(); ///< of the open file; null where none is open
    QString pictureName();                ///< "recording_frame012"
    ScreenshotRecord settings();          ///< of what is shown, without the checksum of the source
    void choose();
    Background::Work work(const QString& screenshot);
    void applyHere(const ScreenshotRecord& record, const QString& name);

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    RecordingDesk& m_recordings;
    MessageDesk& m_messages;
    bool m_remember;
    std::shared_ptr<FileHash> m_hash; ///< null until asked for
};

} // namespace echolux
