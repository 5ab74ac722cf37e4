// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the window may close: an export under way is asked about first.
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

    QMessageBox* question() const { return m_question; } ///< on view, or null

private:
    bool mayClose();
    void ask();

    MainWindow& m_window;
    Background& m_background;
    QPointer<QMessageBox> m_question;
    bool m_stopsExports = false; ///< as somebody answered
};

} // namespace echolux
