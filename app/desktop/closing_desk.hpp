// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether the window may close: asks first where an export runs.
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;

namespace echolux {

class Background;
class MainWindow;

class ClosingDesk : public QObject {
    Q_OBJECT
public:
    ClosingDesk(MainWindow& window, Background& background);

    QMessageBox* question() const { return m_question; } ///< the question on screen, or null

private:
    bool mayClose();
    void ask();

    MainWindow& m_window;
    Background& m_background;
    QPointer<QMessageBox> m_question;
    bool m_stopsExports = false; ///< the user agreed to stop exports
};

} // namespace echolux
