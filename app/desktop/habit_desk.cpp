// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and restores the window's arrangement.
#include "app/desktop/habit_desk.hpp"

#include "app/desktop/display_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/main_window.hpp"

namespace echolux {
namespace {

constexpr const char* kLightTheme = "light_theme";

} // namespace

HabitDesk::HabitDesk(MainWindow& window, ViewArea& views, DisplayDesk& display, Workbench& bench)
    : m_window(window), m_views(views), m_display(display), m_bench(bench) {}

void HabitDesk::restore() {
    const QSettings store = userSettings();
    m_window.restoreGeometry(store.value("geometry").toByteArray());
    if (store.contains("layout")) m_window.restoreLayout(store.value("layout").toByteArray());
    m_window.fitScreen(); // the saved size may be that of a larger screen
    m_views.restore(store.value("views").toMap());
    emit m_bench.habitsRestored(store);
    DisplayChoice shown = m_window.display().settings();
    shown.colourMap = store.value("colour_map", shown.colourMap).toString();
    shown.inverted = store.value("inverted").toBool();
    shown.smooth = store.value("smooth", shown.smooth).toBool();
    shown.gamma = store.value("gamma", shown.gamma).toDouble();
    shown.opacity = store.value("opacity", shown.opacity).toDouble();
    shown.priority = store.value("priority", shown.priority).toDouble();
    shown.particles = store.value("particles", shown.particles).toBool();
    shown.particleCount = store.value("particle_count", shown.particleCount).toInt();
    shown.particlePace = store.value("particle_pace", shown.particlePace).toDouble();
    m_display.start(shown);
    if (store.value(kLightTheme).toBool()) m_window.setTheme(ThemeKind::Light);
    connect(&m_window, &MainWindow::themeChosen, this, &HabitDesk::keepTheme);
}

/// Saves at once, because a program that is killed saves nothing later.
void HabitDesk::keepTheme(ThemeKind kind) {
    QSettings store = userSettings();
    store.setValue(kLightTheme, kind == ThemeKind::Light);
    store.sync();
}

void HabitDesk::keep() {
    QSettings store = userSettings();
    store.setValue("layout", m_window.saveLayout());
    store.setValue("geometry", m_window.saveGeometry());
    store.setValue("views", m_views.state());
    emit m_bench.habitsKept(store);
    const DisplayChoice& display = m_window.display().settings();
    store.setValue("smooth", display.smooth);
    store.setValue("gamma", display.gamma);
    store.setValue("opacity", display.opacity);
    store.setValue("priority", display.priority);
    store.setValue("particles", display.particles);
    store.setValue("particle_count", display.particleCount);
    store.setValue("particle_pace", display.particlePace);
    store.setValue("colour_map", m_views.bscan().colourMapName());
    store.setValue("inverted", m_views.bscan().inverted());
}

} // namespace echolux
