// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the pages of `echolux help` in a window of their own.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

namespace echolux {

class HelpWindow;
class MainWindow;

class HelpDesk : public QObject {
    Q_OBJECT
public:
    explicit HelpDesk(MainWindow& window);
    void open(const QString& page);
    HelpWindow* window() const; ///< null until a page has been opened

private:
    MainWindow& m_window;
    QPointer<HelpWindow> m_help;
};

} // namespace echolux
