// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the settings.
#include "app/desktop/habit_desk.hpp"

#include "app/desktop/display_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

namespace echolux {
namespace {

constexpr const char* kLightTheme = "light_theme";

/// Calls `with` for the settings of the display that are kept as they are.
template <class Choice, class With> void forEachKept(Choice& choice, const With& with) {
    with("smooth", choice.smooth);
    with("gamma", choice.gamma);
    with("opacity", choice.opacity);
    with("priority", choice.priority);
    with("particles", choice.particles);
    with("particle_count", choice.particleCount);
    with("particle_pace", choice.particlePace);
}

} // namespace

HabitDesk::HabitDesk(DisplayGroup& group, ViewArea& views, DisplayDesk& display, Workbench& bench)
    : m_group(group), m_views(views), m_display(display), m_bench(bench) {}

ThemeKind HabitDesk::restore(const QSettings& store) {
    m_views.restore(store.value("views").toMap());
    emit m_bench.habitsRestored(store);
    DisplayChoice shown = m_group.settings();
    shown.colourMap = store.value("colour_map", shown.colourMap).toString();
    shown.inverted = store.value("inverted").toBool();
    forEachKept(shown, [&](const char* key, auto& field) { read(store, key, field); });
    m_display.start(shown);
    return store.value(kLightTheme).toBool() ? ThemeKind::Light : ThemeKind::Dark;
}

void HabitDesk::keepTheme(ThemeKind kind) {
    QSettings store = userSettings();
    store.setValue(kLightTheme, kind == ThemeKind::Light);
    store.sync();
}

void HabitDesk::keep(QSettings& store) {
    store.setValue("views", m_views.state());
    emit m_bench.habitsKept(store);
    forEachKept(m_group.settings(),
                [&](const char* key, const auto& field) { store.setValue(key, field); });
    store.setValue("colour_map", m_views.bscan().colourMapName());
    store.setValue("inverted", m_views.bscan().inverted());
}

} // namespace echolux
