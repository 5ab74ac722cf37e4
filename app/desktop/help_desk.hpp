// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the pages of `echolux help` in a window of their own, and the manual in the browser.
#pragma once

#include <QList>
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
    QList<QAction*> entries() const { return {m_pages, m_manual}; } ///< for the menu of help
    void open(const QString& page);
    HelpWindow* window() const; ///< null until a page has been opened

signals:
    void warned(const QString& sentence);

private:
    void openManual();

    QWidget& m_window;
    QAction *m_pages, *m_manual;
    QPointer<HelpWindow> m_help;
};

} // namespace echolux
