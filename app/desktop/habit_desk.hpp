// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the arrangement of the window in the user's settings: layout, views, colours, theme.
#pragma once

#include "ui/theme/theme.hpp"

#include <QObject>

namespace echolux {

class DisplayDesk;
class MainWindow;
class ViewArea;
class Workbench;

class HabitDesk : public QObject {
    Q_OBJECT
public:
    HabitDesk(MainWindow& window, ViewArea& views, DisplayDesk& display, Workbench& bench);

    void restore();
    void keep();

private:
    void keepTheme(ThemeKind kind);

    MainWindow& m_window;
    ViewArea& m_views;
    DisplayDesk& m_display;
    Workbench& m_bench;
};

} // namespace echolux
