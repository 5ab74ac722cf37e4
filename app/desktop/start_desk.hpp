// SPDX-License-Identifier: GPL-3.0-or-later
// The empty window: lists the bundled recordings until one is open.
#pragma once

#include "ui/window/start_page.hpp"

#include <QObject>
#include <QPointer>

#include <vector>

namespace echolux {

class FileDesk;

/// Recordings of the folder `testdata` above the program's folder; empty where there is no such
/// folder.
std::vector<StartEntry> bundledRecordings();

class StartDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: offer the sessions among the recent files of the user's settings, too.
    StartDesk(QWidget& views, FileDesk& files, bool remember);
    void recordingOpened(); ///< removes the page for good

private:
    QPointer<StartPage> m_page;
};

} // namespace echolux
