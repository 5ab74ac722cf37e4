// SPDX-License-Identifier: GPL-3.0-or-later
// Saves screenshots with their settings, and restores the settings.
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
class RecordingDesk;
class Session;
class ViewArea;

class ScreenshotDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: look for recordings among the recent files of the user's settings too.
    ScreenshotDesk(QWidget& window, ViewArea& views, Session& session, Background& background,
                   EditDesk& edits, RecordingDesk& recordings, bool remember);

    void recordingOpened();
    /// True where a screenshot of the open file was saved or restored, so that its checksum is
    /// computed.
    bool takesChecksum() const { return m_hash != nullptr; }
    /// Saves a picture of the whole window with its settings. Waits for the source's checksum.
    /// Throws Error where the file cannot be written.
    void saveWindow(const QString& path);
    /// Finds the recording by its checksum: the open one, or one of the recent files. Applies the
    /// settings to it as one step of the undo list.
    void restore(const QString& path);
    void saveImage(); ///< saves the image with its axes in the user's pictures folder
    void choose();    ///< asks for the screenshot to restore

signals:
    /// Pipeline and calibration are in force. The receiver restores frame, views and display.
    void restored(const echolux::ScreenshotRecord& record);
    void opening(); ///< a recording is about to be opened
    void saved();   ///< earlier failures no longer matter
    void informed(const QString& sentence);

private:
    void saveAs(const QImage& picture, const QString& name); ///< asks for a path
    void save(const QString& path, const QImage& picture);
    std::shared_ptr<FileHash> checksum(); ///< checksum of the open file; null where none is open
    QString pictureName();                ///< "recording_frame012"
    ScreenshotRecord settings(); ///< settings of what is shown, without the checksum of the source
    Background::Work work(const QString& screenshot);
    void applyHere(const ScreenshotRecord& record, const QString& name);

    QWidget& m_window;
    ViewArea& m_views;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    RecordingDesk& m_recordings;
    bool m_remember;
    std::shared_ptr<FileHash> m_hash; ///< null until needed
};

} // namespace echolux
