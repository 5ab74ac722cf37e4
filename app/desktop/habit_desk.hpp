// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps in the user's settings how the window was left: views, colours, theme, habits of tools.
#pragma once

#include "ui/theme/theme.hpp"

#include <QObject>

class QSettings;

namespace echolux {

class DisplayDesk;
class DisplayGroup;
class ViewArea;
class Workbench;

class HabitDesk : public QObject {
    Q_OBJECT
public:
    HabitDesk(DisplayGroup& group, ViewArea& views, DisplayDesk& display, Workbench& bench);

    ThemeKind restore(const QSettings& store); ///< returns the theme that was kept
    void keep(QSettings& store);
    void keepTheme(ThemeKind kind); ///< at once: a program that is killed saves nothing later

private:
    DisplayGroup& m_group;
    ViewArea& m_views;
    DisplayDesk& m_display;
    Workbench& m_bench;
};

} // namespace echolux
