// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the pages of `echolux help` in a window of their own.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

class QAction;
class QWidget;

namespace echolux {

class HelpWindow;

class HelpDesk : public QObject {
    Q_OBJECT
public:
    explicit HelpDesk(QWidget& window);
    QAction* entry() const { return m_entry; } ///< for the menu of help
    void open(const QString& page);
    HelpWindow* window() const; ///< null until a page has been opened

private:
    QWidget& m_window;
    QAction* m_entry;
    QPointer<HelpWindow> m_help;
};

} // namespace echolux
