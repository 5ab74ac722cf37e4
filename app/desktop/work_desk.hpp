// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the user that the image on screen is older than the latest edit.
#pragma once

#include "app/desktop/pending_edits.hpp"

#include <QObject>
#include <QTimer>

namespace echolux {

class ImageView;
class Session;
class StatusBar;

/// Shows "computing" in the status bar where an edit is older than PendingEdits::kUnseen and no
/// image with it has been drawn. The text goes when such an image is drawn or the edit fails. After
/// a pause in the edits, frames in flight without the latest edit are given up.
class WorkDesk : public QObject {
    Q_OBJECT
public:
    WorkDesk(StatusBar& status, ImageView& view, Session& session);

    void recordingOpened();
    void followPipeline(); ///< call after an edit may have been posted
    void failed();         ///< call where no image with the latest edits will come

private:
    void frameTaken();
    void show();

    StatusBar& m_status;
    Session& m_session;
    PendingEdits m_pending;
    QTimer m_late;
    QTimer m_pause; ///< since the latest edit
};

} // namespace echolux
