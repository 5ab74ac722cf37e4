// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the output of `echolux info` for the open recording in a dialog.
#pragma once

#include <QObject>
#include <QPointer>

class QAction;

namespace echolux {

class FactsDialog;
class MainWindow;
class Session;

class FactsDesk : public QObject {
    Q_OBJECT
public:
    FactsDesk(MainWindow& window, Session& session);
    void recordingOpened();

private:
    void open();
    void show();

    MainWindow& m_window;
    Session& m_session;
    QAction* m_action;
    QPointer<FactsDialog> m_dialog;
};

} // namespace echolux
