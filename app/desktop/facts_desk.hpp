// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the output of `echolux info` for the open recording in a dialog.
#pragma once

#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace echolux {

class FactsDialog;
class Session;

class FactsDesk : public QObject {
    Q_OBJECT
public:
    FactsDesk(QWidget& window, Session& session);
    QAction* entry() const { return m_action; } ///< for the menu of the recording
    void recordingOpened();

private:
    void open();
    void show();

    QWidget& m_window;
    Session& m_session;
    QAction* m_action;
    QPointer<FactsDialog> m_dialog;
};

} // namespace echolux
