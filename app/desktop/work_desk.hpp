// SPDX-License-Identifier: GPL-3.0-or-later
// The sign that the image on screen is older than the latest edit.
#pragma once

#include "app/desktop/pending_edits.hpp"

#include <QObject>
#include <QTimer>

namespace echolux {

class ImageView;
class MainWindow;
class Session;

/// "computing" in the status bar, from PendingEdits::kUnseen after an edit on until an image with
/// that edit is drawn, or the edit has failed. Where edits pause, a frame that lacks the latest one
/// need not be finished.
class WorkDesk : public QObject {
    Q_OBJECT
public:
    WorkDesk(MainWindow& window, ImageView& view, Session& session);

    void recordingOpened();
    void followPipeline(); ///< an edit may have been posted
    void failed();         ///< no image of the latest edits will come

private:
    void frameTaken();
    void show();

    MainWindow& m_window;
    Session& m_session;
    PendingEdits m_pending;
    QTimer m_late;
    QTimer m_pause; ///< after the latest edit
};

} // namespace echolux
