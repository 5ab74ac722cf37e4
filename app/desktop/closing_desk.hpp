// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether the window may close: asks first where an export runs.
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace echolux {

class Background;

class ClosingDesk : public QObject {
    Q_OBJECT
public:
    ClosingDesk(QWidget& window, Background& background);

    /// True where no export runs or the user agreed to stop exports, which Background does when the
    /// window is destroyed. Otherwise asks the user.
    bool mayClose();
    QMessageBox* question() const { return m_question; } ///< the question on screen, or null

private:
    void ask();

    QWidget& m_window;
    Background& m_background;
    QPointer<QMessageBox> m_question;
    bool m_stopsExports = false; ///< the user agreed to stop exports
};

} // namespace echolux
